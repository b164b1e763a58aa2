package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// check is a condition that somebody has put on the rows of a table. Ours have none that a row of ours could break.
type check struct {
	holds   string   // in SQL; NULL counts as true
	columns []string // that it reads
	state   string   // the SQLSTATE of a violation
	message string
}

// watchedBatches is for how many batches after a violation the conditions are looked at before anything is written, since
// others are likely then.
const watchedBatches = 100

// watched finds violations beforehand, where there was one lately.
func (g *Group) watched(ctx context.Context, entries []store.Entry) error {
	if g.watch.Load() <= 0 {
		return nil
	}
	g.watch.Add(-1)
	refused, err := g.violations(ctx, entries, appliedOf(entries))
	if err != nil || len(refused) == 0 {
		return nil // the batch itself will tell
	}
	first := *refused[0].Err
	first.Refused = refused
	return &first
}

// violations finds the entries that break such a condition by what they alone write, each of them at the price of one
// evaluation.
func (g *Group) violations(ctx context.Context, entries []store.Entry, applied []int) ([]store.Refusal, error) {
	if len(applied) == 0 {
		return nil, nil
	}
	var found []store.Refusal
	for i, t := range g.tables {
		checks, err := t.checks(ctx, g.db)
		if err != nil {
			return nil, err
		}
		if len(checks) == 0 {
			continue
		}
		refused, err := g.violationsIn(ctx, i, checks, entries, applied)
		if err != nil {
			return nil, err
		}
		found = append(found, refused...)
	}
	if len(found) > 0 {
		g.watch.Store(watchedBatches)
	}
	slices.SortStableFunc(found, func(a, b store.Refusal) int { return a.Index - b.Index })
	return slices.CompactFunc(found, func(a, b store.Refusal) bool { return a.Index == b.Index }), nil
}

// checks asks for the CHECK constraints of the table, and for the NOT NULL ones on its plain columns.
func (t *table) checks(ctx context.Context, db *DB) ([]check, error) {
	plain := make([]string, len(t.physical.Plain))
	for i, c := range t.physical.Plain {
		plain[i] = c.Column.Name
	}
	rows, err := db.pool.Query(ctx, `SELECT pg_get_expr(c.conbin, c.conrelid),
			ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = c.conrelid AND attnum = ANY (c.conkey)), '23514',
			format('new row for relation "%s" violates check constraint "%s"', $2::text, c.conname)
		FROM pg_constraint AS c WHERE c.conrelid = to_regclass($1) AND c.contype = 'c'
		UNION ALL SELECT quote_ident(attname) || ' IS NOT NULL', ARRAY[attname::text], '23502',
			format('null value in column "%s" of relation "%s" violates not-null constraint', attname, $2::text)
		FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnotnull AND attname = ANY ($3)
		ORDER BY 4`, db.table(t.physical.Name), t.physical.Name, plain)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (c check, err error) {
		err = row.Scan(&c.holds, &c.columns, &c.state, &c.message)
		return c, err
	})
}

func (g *Group) violationsIn(ctx context.Context, table int, checks []check, entries []store.Entry, applied []int) ([]store.Refusal, error) {
	t := g.tables[table]
	var rows []*keyedRow
	var owners []int // of the rows: indexes of entries
	for _, index := range applied {
		e := &entries[index]
		for j := range e.Effect.Writes {
			if w := &e.Effect.Writes[j]; w.Table == table && t.decides(w, checks) {
				order := fold.MakeOrder(e.Clock, e.Position.Partition, e.Position.Offset, w.Ordinal)
				if row, err := t.alone(w, order); err == nil {
					rows, owners = append(rows, row), append(owners, index)
				}
			}
		}
	}
	if len(rows) == 0 {
		return nil, nil
	}
	text, args, err := t.violationSQL(checks, rows)
	if err != nil {
		return nil, err
	}
	broken, err := g.db.pool.Query(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(broken, func(row pgx.CollectableRow) (store.Refusal, error) {
		var n, which int64
		err := row.Scan(&n, &which)
		if err != nil {
			return store.Refusal{}, err
		}
		c := checks[which]
		return store.Refusal{Index: owners[n-1], Err: &store.DataError{SQLState: c.state, Message: c.message}}, nil
	})
}

// decides reports whether a write decides by itself what the conditions see. In a convergent table each write but a delete
// is inserted as a row before it is merged. In an ordered one whole rows are stored, to which others have contributed.
func (t *table) decides(w *fold.Write, checks []check) bool {
	if w.Op == ir.BulkUpdate || w.Op == ir.Delete {
		return false
	}
	return !t.fold.Ordered() || (w.Op == ir.Upsert || w.Op == ir.Replace) && !slices.ContainsFunc(checks, func(c check) bool {
		return slices.ContainsFunc(c.columns, func(name string) bool { return !t.sets(w, name) })
	})
}

// sets reports whether a write gives a column its value.
func (t *table) sets(w *fold.Write, name string) bool {
	i := t.fold.ColumnIndex(name)
	return i >= 0 && (t.fold.Columns[i].Role == ir.RoleKey || t.fold.Columns[i].Role == ir.RolePlain &&
		slices.ContainsFunc(w.Cells, func(c fold.CellWrite) bool { return c.Column == t.fold.Columns[i].Slot }))
}

// alone is the row that a write makes of none.
func (t *table) alone(w *fold.Write, o fold.Order) (*keyedRow, error) {
	row := t.fold.NewRow()
	if t.fold.Ordered() {
		if err := t.fold.Apply(&row, w, o); err != nil {
			return nil, err
		}
	} else {
		t.fold.Absorb(&row, w, o)
	}
	return &keyedRow{id: w.KeyID, key: w.Key, row: row}, nil
}

// violationSQL lists the numbers of the rows that break a condition, with the number of the first that each breaks. Only the
// columns that the conditions read are written out, and the first, which numbers the rows.
func (t *table) violationSQL(checks []check, rows []*keyedRow) (text string, args []any, err error) {
	all := rowColumns(t.physical)
	cells := newArrays(all, 0)
	var columns []column
	var items []string
	for i, c := range all {
		read := i == 0 || slices.ContainsFunc(checks, func(k check) bool { return slices.Contains(k.columns, c.name) })
		if cells[i].unread = !read; read {
			items = append(items, castItem(len(columns), c)+" AS "+sql.Ident(c.name))
			columns = append(columns, c)
		}
	}
	if err := t.addRows(cells, rows); err != nil {
		return "", nil, err
	}
	for i, arg := range cells.args() {
		if !cells[i].unread {
			args = append(args, arg)
		}
	}
	var which strings.Builder
	for i, c := range checks {
		fmt.Fprintf(&which, " WHEN (%s) IS FALSE THEN %d", c.holds, i)
	}
	return fmt.Sprintf("SELECT n, which FROM (SELECT n, CASE%s END AS which FROM (SELECT u.n, %s FROM %s) AS cells) AS judged WHERE which IS NOT NULL ORDER BY n",
		which.String(), strings.Join(items, ", "), unnest(columns)), args, nil
}
