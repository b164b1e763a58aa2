package invariant

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
)

// version is the one that tests deploy.
const version = 1

// auditTable is where the triggers write, one row a change, in the transaction of the change.
const auditTable = "audit"

// kindGone is the kind of change that removes a cursor; "cursor" makes or moves one, "fence" changes or removes a parked event
// or a dead letter, "write" is a statement that writes rows or exact ids.
const kindGone = "gone"

// Watch puts triggers on what the worker writes, after its tables are made and before it runs.
func (d *Deployment) Watch(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, d.DSN)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	_, err = conn.Exec(ctx, d.watchSQL())
	return err
}

func (d *Deployment) table(name string) string { return sql.Qualified(d.schema(), name) }

func (d *Deployment) schema() string {
	if d.Schema == "" {
		return sql.DefaultSchema
	}
	return d.Schema
}

func (d *Deployment) watchSQL() string {
	audit := d.table(auditTable)
	var b strings.Builder
	fmt.Fprintf(&b, `CREATE TABLE %s (seq bigserial PRIMARY KEY, tx bigint NOT NULL DEFAULT txid_current(), kind text NOT NULL,
  group_name text, partition integer, before bigint, after bigint);
`, audit)
	function := func(name, body string) string {
		fmt.Fprintf(&b, "CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN %s RETURN NULL; END $$;\n", d.table(name), body)
		return d.table(name)
	}
	cursor := function("audit_cursor", fmt.Sprintf(`
  IF TG_OP = 'DELETE' THEN
    INSERT INTO %[1]s (kind, group_name, partition, before) VALUES ('gone', OLD.group_name, OLD.partition, OLD.next);
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO %[1]s (kind, group_name, partition, after) VALUES ('cursor', NEW.group_name, NEW.partition, NEW.next);
  ELSE
    INSERT INTO %[1]s (kind, group_name, partition, before, after) VALUES ('cursor', NEW.group_name, NEW.partition, OLD.next, NEW.next);
  END IF;`, audit))
	fmt.Fprintf(&b, "CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION %s();\n", d.table("cursors"), cursor)
	fence := function("audit_fence", fmt.Sprintf(`INSERT INTO %s (kind) VALUES ('fence');`, audit))
	fmt.Fprintf(&b, "CREATE TRIGGER audit AFTER UPDATE OR DELETE ON %s FOR EACH ROW EXECUTE FUNCTION %s();\n", d.table("parked"), fence)
	fmt.Fprintf(&b, "CREATE TRIGGER audit AFTER UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION %s();\n", d.table("dead_letters"), fence)
	write := function("audit_write", fmt.Sprintf(`INSERT INTO %s (kind) VALUES ('write');`, audit))
	for _, name := range d.written() {
		fmt.Fprintf(&b, "CREATE TRIGGER audit AFTER INSERT OR UPDATE OR DELETE ON %s FOR EACH STATEMENT EXECUTE FUNCTION %s();\n", d.table(name), write)
	}
	return b.String()
}

// written lists the tables that events write.
func (d *Deployment) written() (names []string) {
	for i := range d.Program.Groups {
		g := &d.Program.Groups[i]
		for k := range g.Tables {
			names = append(names, sql.NewPhysical(&g.Tables[k], version).Name)
		}
		for _, set := range g.ExactIDs {
			names = append(names, sql.ExactIDsTable(g.Name, set.Name, version))
		}
	}
	return names
}
