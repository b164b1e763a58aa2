package postgres

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
)

const simple = pgx.QueryExecModeSimpleProtocol

// samples are the programs whose SQL package sql holds as golden files.
func samples(t *testing.T) map[string]*ir.Program {
	t.Helper()
	files, err := filepath.Glob("../../codegen/sql/testdata/*.ir.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	programs := make(map[string]*ir.Program)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p ir.Program
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatal(err)
		}
		programs[strings.TrimSuffix(filepath.Base(file), ".ir.json")] = &p
	}
	return programs
}

func migrate(t *testing.T, db *DB, p *ir.Program) Plan {
	t.Helper()
	plan, err := db.Migrate(context.Background(), p, "main", false)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// describe lists everything that two schemas hold, without their names.
func describe(t *testing.T, cfg Config) string {
	t.Helper()
	rows, err := cluster.admin.Query(context.Background(), `
WITH rel AS (SELECT c.oid, c.relname, c.relkind, n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN ($1, $2))
SELECT line FROM (
  SELECT format('%s %s %s', relkind, nspname, relname) AS line FROM rel
  UNION ALL SELECT format('%s.%s %s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull, attstorage,
    (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef WHERE adrelid = attrelid AND adnum = attnum))
    FROM rel JOIN pg_attribute ON attrelid = rel.oid AND attnum > 0
  UNION ALL SELECT pg_get_indexdef(oid) FROM rel WHERE relkind IN ('i', 'I')
  UNION ALL SELECT relname || pg_get_viewdef(oid) FROM rel WHERE relkind = 'v'
  UNION ALL SELECT relname || conname || pg_get_constraintdef(k.oid) FROM rel JOIN pg_constraint k ON k.conrelid = rel.oid
  UNION ALL SELECT pg_get_triggerdef(g.oid) FROM rel JOIN pg_trigger g ON g.tgrelid = rel.oid
  UNION ALL SELECT prosrc FROM pg_proc JOIN pg_namespace n ON n.oid = pronamespace WHERE n.nspname IN ($1, $2)
) AS all_lines ORDER BY line`, cfg.Schema, cfg.ViewSchema)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"meta", "groups"} {
		rows, err := cluster.admin.Query(context.Background(), "SELECT x::text FROM "+sql.Qualified(cfg.Schema, table)+" AS x ORDER BY 1")
		if err != nil {
			t.Fatal(err)
		}
		content, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, content...)
	}
	return strings.NewReplacer(cfg.Schema, "OWN", cfg.ViewSchema, "VIEWS").Replace(strings.Join(lines, "\n"))
}

func TestSchemaFileEqualsMigration(t *testing.T) {
	for name, p := range samples(t) {
		byFile, byMigration := newConfig(t), newConfig(t)
		text, err := sql.Schema(p, sql.Options{Schema: byFile.Schema, ViewSchema: byFile.ViewSchema, Fork: "main"})
		if err != nil {
			t.Fatal(err)
		}
		exec(t, text)
		if plan := migrate(t, open(t, byMigration), p); len(plan.Refused) > 0 || len(plan.Statements) == 0 {
			t.Errorf("%s: %+v", name, plan)
		}
		a, b := describe(t, byFile), describe(t, byMigration)
		if a != b || len(a) < 1000 {
			t.Errorf("%s: by schema.sql\n%s\nby migration\n%s", name, a, b)
		}
		db := open(t, byFile)
		if plan := migrate(t, db, p); len(plan.Statements) > 0 || len(plan.Refused) > 0 {
			t.Errorf("%s: schema.sql is not what the migration wants: %+v", name, plan)
		}
		checkGroups(t, db, p, nil)
	}
}

// TestGoldenFilesRun applies the golden files as they are, each to a database of its own.
func TestGoldenFilesRun(t *testing.T) {
	for name := range samples(t) {
		for _, kind := range []string{"schema", "hosted"} {
			text, err := os.ReadFile("../../codegen/sql/testdata/" + name + "." + kind + ".sql")
			if err != nil {
				t.Fatal(err)
			}
			database := sql.Ident("golden " + name + " " + kind)
			exec(t, "CREATE DATABASE "+database)
			t.Cleanup(func() { exec(t, "DROP DATABASE "+database) })
			conn := connectTo(t, "golden "+name+" "+kind)
			if _, err := conn.Exec(context.Background(), string(text), simple); err != nil {
				t.Errorf("%s.%s.sql: %v", name, kind, err)
			}
			_ = conn.Close(context.Background())
		}
	}
}

func connectTo(t *testing.T, database string) *pgx.Conn {
	t.Helper()
	config, err := pgx.ParseConfig(cluster.dsn)
	if err != nil {
		t.Fatal(err)
	}
	config.Database = database
	conn, err := pgx.ConnectConfig(context.Background(), config)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// checkGroups runs Check and wants, for each group by name, an error that holds a text; other groups must have none.
func checkGroups(t *testing.T, db *DB, p *ir.Program, want map[string]string) {
	t.Helper()
	d, err := db.Check(context.Background(), p, "main")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range d.Groups {
		text := want[g.Name]
		switch {
		case text == "" && g.Err != nil:
			t.Errorf("group %s: %v", g.Name, g.Err)
		case text == "" && g.Version != 1:
			t.Errorf("group %s has version %d", g.Name, g.Version)
		case text != "" && (kindOf(g.Err) != "deployment" || !strings.Contains(g.Err.Error(), text)):
			t.Errorf("group %s: %v, want %s", g.Name, g.Err, text)
		}
	}
}

func TestMigrateTwiceAndDry(t *testing.T) {
	p := samples(t)["tickets"]
	db := open(t, newConfig(t))
	dry, err := db.Migrate(context.Background(), p, "main", true)
	if err != nil || len(dry.Statements) == 0 {
		t.Fatalf("%+v, %v", dry, err)
	}
	if _, err := db.Check(context.Background(), p, "main"); kindOf(err) != "deployment" || !strings.Contains(err.Error(), "--auto-migrate") {
		t.Errorf("after a dry run: %v", err)
	}
	first, second := migrate(t, db, p), migrate(t, db, p)
	if strings.Join(first.Statements, ";") != strings.Join(dry.Statements, ";") {
		t.Error("the dry run told something else")
	}
	if len(second.Statements) > 0 {
		t.Errorf("the second run did %q", second.Statements)
	}
	checkGroups(t, db, p, nil)
}

func TestMigrateAtOnce(t *testing.T) {
	p := samples(t)["tickets"]
	db := open(t, newConfig(t))
	plans, errs := make(chan int, 4), make(chan error, 4)
	for range 4 {
		go func() {
			plan, err := db.Migrate(context.Background(), p, "main", false)
			plans <- len(plan.Statements)
			errs <- err
		}()
	}
	busy := 0
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
		if <-plans > 0 {
			busy++
		}
	}
	if busy != 1 {
		t.Errorf("%d workers migrated", busy)
	}
}

func TestBinding(t *testing.T) {
	p := samples(t)["tickets"]
	cfg := newConfig(t)
	db := open(t, cfg)
	migrate(t, db, p)
	other := *p
	other.App = "another"
	for _, c := range []struct {
		program *ir.Program
		fork    string
		want    string
	}{
		{&other, "main", `belongs to the app "tickets", not to "another"`},
		{p, "staging", `belongs to the fork "main", not to "staging"`},
	} {
		_, err := db.Check(context.Background(), c.program, c.fork)
		if kindOf(err) != "deployment" || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "--schema") {
			t.Errorf("Check: %v, want %s", err, c.want)
		}
		if _, err := db.Migrate(context.Background(), c.program, c.fork, false); kindOf(err) != "deployment" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("Migrate: %v, want %s", err, c.want)
		}
	}
	exec(t, "UPDATE "+db.table("meta")+" SET layout = layout + 1")
	if _, err := db.Check(context.Background(), p, "main"); kindOf(err) != "deployment" || !strings.Contains(err.Error(), "newer causetc") {
		t.Errorf("a newer layout: %v", err)
	}
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		name, ruin, want string
		repaired         bool // by another migration
	}{
		{"column type", `ALTER TABLE OWN."tickets@1" ALTER COLUMN "seat@" TYPE text`, `column "seat@" is text instead of bytea`, false},
		{"column", `ALTER TABLE OWN."tickets@1" DROP COLUMN "paid@"`, `column "paid@" is missing`, false},
		{"table", `DROP TABLE OWN."tickets@1" CASCADE`, `is gone, and its rows with it`, false},
		{"index", `DROP INDEX OWN."tickets@1@show_id,seat@index"`, `missing: index tickets@1@show_id,seat@index`, true},
		{"view", `DROP VIEW VIEWS."tickets"`, `missing: view tickets`, true},
		{"view replaced", `DROP VIEW VIEWS."tickets"; CREATE TABLE VIEWS."tickets" (x int)`, `already a table "tickets" that causetc did not make`, false},
		{"rules", `UPDATE OWN.groups SET hash = 'other' WHERE name = 'tickets'`, `its rules differ from those deployed as version 1 (other deployed, hash of tick in the program): rebuild`, false},
		{"row", `DELETE FROM OWN.groups WHERE name = 'tickets'`, `already a view "tickets"`, false},
		{"exact ids", `DROP TABLE OWN."sales.sales@1@ids"`, ``, false},
	} {
		p := samples(t)["tickets"]
		cfg := newConfig(t)
		db := open(t, cfg)
		migrate(t, db, p)
		exec(t, strings.NewReplacer("OWN", sql.Ident(cfg.Schema), "VIEWS", sql.Ident(cfg.ViewSchema)).Replace(c.ruin))
		want := map[string]string{"tickets": c.want}
		if c.name == "exact ids" {
			want = map[string]string{"sales": "is gone"}
		}
		if c.name == "row" {
			want = map[string]string{"tickets": `the view "tickets" shows "tickets@1"`}
		}
		checkGroups(t, db, p, want)
		plan := migrate(t, db, p)
		if c.repaired {
			want = nil
		}
		if (len(plan.Refused) > 0) == c.repaired {
			t.Errorf("%s: %+v", c.name, plan)
		}
		checkGroups(t, db, p, want)
	}
}

func TestIndexesFollowTheProgram(t *testing.T) {
	p := samples(t)["tickets"]
	db := open(t, newConfig(t))
	migrate(t, db, p)
	table := &p.Groups[1].Tables[0]
	table.Indexes = []ir.Index{{Columns: []string{"price"}}}
	plan := migrate(t, db, p)
	text := strings.Join(plan.Statements, "\n")
	if len(plan.Statements) != 3 || !strings.Contains(text, `CREATE INDEX "tickets@1@price@index"`) || strings.Count(text, "DROP INDEX") != 2 {
		t.Errorf("did %s", text)
	}
	checkGroups(t, db, p, nil)
}

func TestForeignRelationsAreLeftAlone(t *testing.T) {
	for kind, text := range map[string]string{
		"table":             `CREATE TABLE VIEWS."tickets" AS SELECT 1 AS mine`,
		"view":              `CREATE VIEW VIEWS."tickets" AS SELECT 1 AS mine`,
		"materialized view": `CREATE MATERIALIZED VIEW VIEWS."tickets" AS SELECT 1 AS mine`,
		"sequence":          `CREATE SEQUENCE VIEWS."tickets"`,
	} {
		p := samples(t)["tickets"]
		cfg := newConfig(t)
		db := open(t, cfg)
		exec(t, strings.ReplaceAll(text, "VIEWS", sql.Ident(cfg.ViewSchema)))
		plan := migrate(t, db, p)
		if len(plan.Refused) != 1 || plan.Refused[0].Name != "tickets" {
			t.Fatalf("%s: %+v", kind, plan.Refused)
		}
		checkGroups(t, db, p, map[string]string{"tickets": "already a " + kind + ` "tickets" that causetc did not make`})
		var relkind string
		err := cluster.admin.QueryRow(context.Background(), "SELECT relkind::text FROM pg_class WHERE oid = $1::regclass",
			sql.Qualified(cfg.ViewSchema, "tickets")).Scan(&relkind)
		if err != nil || relationKinds[relkind] != kind {
			t.Errorf("%s is now %q, %v", kind, relkind, err)
		}
	}
}

func TestAnotherSchemasViewIsForeign(t *testing.T) {
	p := samples(t)["tickets"]
	cfg := newConfig(t)
	migrate(t, open(t, cfg), p)
	other := newConfig(t)
	other.ViewSchema = cfg.ViewSchema
	plan := migrate(t, open(t, other), p)
	if len(plan.Refused) != 2 {
		t.Errorf("%+v", plan)
	}
}

func TestViewsRefuseWrites(t *testing.T) {
	p := samples(t)["tickets"]
	cfg := newConfig(t)
	migrate(t, open(t, cfg), p)
	view := sql.Qualified(cfg.ViewSchema, "tickets")
	exec(t, "INSERT INTO "+sql.Qualified(cfg.Schema, "tickets@1")+` (ticket_id, "@created") VALUES ('a', '\x01')`)
	for word, text := range map[string]string{
		"insert": "INSERT INTO " + view + " (ticket_id) VALUES ('b')",
		"update": "UPDATE " + view + " SET seat = 'x'",
		"delete": "DELETE FROM " + view,
	} {
		_, err := cluster.admin.Exec(context.Background(), text)
		want := "can't " + word + ` "tickets": its rows are derived from events by causetc`
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestMigrateSaysWhatPostgresRefuses(t *testing.T) {
	p := ticketProgram(ir.Convergent)
	p.Groups[0].Tables[0].Columns[1].Name = "ctid"
	db := open(t, newConfig(t))
	_, err := db.Migrate(context.Background(), p, "main", false)
	if kindOf(err) != "deployment" || !strings.Contains(err.Error(), `the table "tickets@1" can't be made: column name "ctid" conflicts`) {
		t.Errorf("%v", err)
	}
	if _, err := db.Check(context.Background(), p, "main"); kindOf(err) != "deployment" {
		t.Errorf("something was left: %v", err)
	}
}
