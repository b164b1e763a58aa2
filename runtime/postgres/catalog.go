package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
)

// querier is a transaction or the pool.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// binding is what the schema of ours is tied to.
type binding struct {
	layout    int
	app, fork string
}

// deployed is a version of a group in the database.
type deployed struct {
	name    string
	version int
	state   string
	hash    string
}

const stateLive = "live"

// catalog is what the database holds, as far as it concerns us.
type catalog struct {
	hasSchema bool
	bound     *binding // nil: the control tables are not there
	groups    []deployed
}

func (db *DB) readCatalog(ctx context.Context, q querier) (*catalog, error) {
	var c catalog
	var hasMeta bool
	err := q.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1), to_regclass($2) IS NOT NULL",
		sql.Fit(db.schema, ""), db.table("meta")).Scan(&c.hasSchema, &hasMeta)
	if err != nil || !hasMeta {
		return &c, err
	}
	var b binding
	if err := q.QueryRow(ctx, "SELECT layout, app, fork FROM "+db.table("meta")).Scan(&b.layout, &b.app, &b.fork); err != nil {
		return nil, err
	}
	c.bound = &b
	rows, err := q.Query(ctx, "SELECT name, version, state, hash FROM "+db.table("groups")+" ORDER BY name, version")
	if err != nil {
		return nil, err
	}
	c.groups, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (d deployed, err error) {
		return d, row.Scan(&d.name, &d.version, &d.state, &d.hash)
	})
	return &c, err
}

// live returns the live version of a group.
func (c *catalog) live(name string) (deployed, bool) {
	for _, d := range c.groups {
		if d.name == name && d.state == stateLive {
			return d, true
		}
	}
	return deployed{}, false
}

// newest returns the highest version of a group that there has been; 0 for none.
func (c *catalog) newest(name string) int {
	version := 0
	for _, d := range c.groups {
		if d.name == name {
			version = max(version, d.version)
		}
	}
	return version
}

// relation is a table, view or the like that has a name of interest.
type relation struct {
	kind string // as in pg_class.relkind
	ours string // of a view: the table in our schema that it reads, or empty
}

// publicRelation looks up the name of a view in the schema where views go.
func (db *DB) publicRelation(ctx context.Context, q querier, name string) (relation, bool, error) {
	var r relation
	err := q.QueryRow(ctx, `SELECT c.relkind::text, coalesce((SELECT min(base.relname) FROM pg_rewrite AS rule
			JOIN pg_depend AS dep ON dep.classid = 'pg_rewrite'::regclass AND dep.objid = rule.oid AND dep.refclassid = 'pg_class'::regclass
			JOIN pg_class AS base ON base.oid = dep.refobjid
			JOIN pg_namespace AS place ON place.oid = base.relnamespace AND place.nspname = $3
			WHERE rule.ev_class = c.oid AND base.oid <> c.oid), '')
		FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
		WHERE c.relname = $1 AND n.nspname = coalesce(nullif($2, ''), current_schema())`,
		sql.Fit(name, ""), fitted(db.viewSchema), sql.Fit(db.schema, "")).Scan(&r.kind, &r.ours)
	if err == pgx.ErrNoRows {
		return r, false, nil
	}
	return r, err == nil, err
}

func fitted(name string) string {
	if name == "" {
		return ""
	}
	return sql.Fit(name, "")
}

// columnsOf lists the columns of a relation in order, none where there is no such relation.
func columnsOf(ctx context.Context, q querier, qualified string) ([]sql.PhysicalColumnDef, error) {
	rows, err := q.Query(ctx, `SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
		WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum`, qualified)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (d sql.PhysicalColumnDef, err error) {
		return d, row.Scan(&d.Name, &d.Type)
	})
}

// indexesOf lists the indexes of a table in our schema, but for that of the primary key, and whether each is usable.
func (db *DB) indexesOf(ctx context.Context, q querier, table string) (map[string]bool, error) {
	rows, err := q.Query(ctx, `SELECT i.relname, x.indisvalid FROM pg_index AS x JOIN pg_class AS i ON i.oid = x.indexrelid
		WHERE x.indrelid = to_regclass($1) AND NOT x.indisprimary`, db.table(table))
	if err != nil {
		return nil, err
	}
	found := make(map[string]bool)
	var name string
	var valid bool
	_, err = pgx.ForEachRow(rows, []any{&name, &valid}, func() error {
		found[name] = valid
		return nil
	})
	return found, err
}
