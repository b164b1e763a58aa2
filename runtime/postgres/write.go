package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// numericOutOfRange is the SQLSTATE of a sum beyond its column.
const numericOutOfRange = "22003"

// sumError gives a sum beyond its column the kind of the database's own refusal.
func sumError(err error) error {
	var sum *fold.SumError
	if errors.As(err, &sum) {
		return &store.DataError{SQLState: numericOutOfRange, Message: sum.Error(), Err: sum}
	}
	return err
}

// rowSet holds the rows that a batch touches, by key.
type rowSet struct {
	table *fold.Table
	byKey map[string]*keyedRow
	// What is made already and not in use yet.
	spare []keyedRow
	rows  []fold.Row
}

// sparesAtOnce is how many rows are made at a time.
const sparesAtOnce = 128

// newRowSet makes a set for about so many rows.
func newRowSet(t *fold.Table, rows int) *rowSet {
	return &rowSet{table: t, byKey: make(map[string]*keyedRow, rows)}
}

// row returns the row of a key, a new one where there is none.
func (s *rowSet) row(w *fold.Write) *keyedRow {
	r := s.byKey[w.KeyID]
	if r == nil {
		if len(s.spare) == 0 {
			s.spare, s.rows = make([]keyedRow, sparesAtOnce), s.table.NewRows(sparesAtOnce)
		}
		r = &s.spare[0]
		*r = keyedRow{id: w.KeyID, key: w.Key, row: s.rows[0]}
		s.spare, s.rows = s.spare[1:], s.rows[1:]
		s.byKey[w.KeyID] = r
	}
	return r
}

// sorted lists the rows in the one order in which everyone locks them.
func (s *rowSet) sorted() []*keyedRow {
	list := make([]*keyedRow, 0, len(s.byKey))
	for _, r := range s.byKey {
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *keyedRow) int { return cmp.Compare(a.id, b.id) })
	return list
}

// writeConvergent folds the writes by key and merges the result into the table by one statement. It returns how many of the
// rows have a newer write than those of the span.
func (t *table) writeConvergent(ctx context.Context, tx pgx.Tx, writes []orderedWrite, span store.Span) (stale int, err error) {
	rows := newRowSet(t.fold, len(writes))
	for _, w := range writes {
		t.fold.Absorb(&rows.row(w.write).row, w.write, w.order)
	}
	args, err := t.encodeRows(rows.sorted())
	if err != nil {
		return 0, err
	}
	args = append(args, spanEnd(span.Partition, span.First), spanEnd(span.Partition, span.Last))
	if err = tx.QueryRow(ctx, t.statements.merge, args...).Scan(&stale); err == nil && failpoint.Off(failpoint.Tombstones) {
		err = t.bury(ctx, tx)
	}
	return stale, err
}

// spanEnd is the part of an order that says where in the topic its event is.
func spanEnd(partition int32, offset int64) []byte {
	order := fold.MakeOrder(0, partition, offset, 0)
	return order[8:20]
}

// writeOrdered locks and reads the rows of all keys, applies the writes one by one, and stores the rows as they are then. It
// returns how many of them have a newer write than those of the span.
func (t *table) writeOrdered(ctx context.Context, tx pgx.Tx, writes []orderedWrite, span store.Span) (stale int, err error) {
	rows := newRowSet(t.fold, len(writes))
	for _, w := range writes {
		if w.write.Op != ir.BulkUpdate {
			rows.row(w.write)
		}
	}
	if err := t.load(ctx, tx, rows.sorted()); err != nil {
		return 0, err
	}
	for _, w := range writes {
		if w.write.Op == ir.BulkUpdate {
			err = t.bulkUpdate(ctx, tx, rows, w)
		} else {
			err = t.fold.Apply(&rows.byKey[w.write.KeyID].row, w.write, w.order)
		}
		if err != nil {
			return 0, err
		}
	}
	sorted := rows.sorted()
	for _, r := range sorted {
		if !span.Has(r.row.Newest()) {
			stale++
		}
	}
	return stale, t.store(ctx, tx, sorted)
}

// load inserts an invisible row for each absent key, then locks all rows in the order of the keys and reads them.
func (t *table) load(ctx context.Context, tx pgx.Tx, rows []*keyedRow) error {
	if len(rows) == 0 {
		return nil
	}
	keys := t.encodeKeys(rows)
	if _, err := tx.Exec(ctx, t.statements.touch, keys...); err != nil {
		return err
	}
	found, err := tx.Query(ctx, t.statements.lock, keys...)
	if err != nil {
		return err
	}
	defer found.Close()
	read := 0
	var number int64
	for found.Next() {
		targets := t.newTargets()
		if err := found.Scan(append([]any{&number}, targets.pointers(t.physical)...)...); err != nil {
			return err
		}
		if rows[number-1].row, err = t.decodeRow(targets); err != nil {
			return err
		}
		read++
	}
	if err := found.Err(); err != nil {
		return err
	}
	if read != len(rows) {
		return fmt.Errorf("table %s: locked %d rows of %d", t.physical.Name, read, len(rows))
	}
	return nil
}

// store writes rows as they are. Where unique indexes are, the rows leave them first, so that a value may pass from one
// row to another within a batch.
func (t *table) store(ctx context.Context, tx pgx.Tx, rows []*keyedRow) error {
	if len(rows) == 0 {
		return nil
	}
	args, err := t.encodeRows(rows)
	if err != nil {
		return err
	}
	if len(t.fold.Unique) > 0 {
		if _, err := tx.Exec(ctx, t.statements.hide, t.encodeKeys(rows)...); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, t.statements.put, args...)
	return err
}

// bulkUpdate applies a write to every row that it is meant for, whether the batch has touched it or not. The table is
// locked against other writers.
func (t *table) bulkUpdate(ctx context.Context, tx pgx.Tx, rows *rowSet, w orderedWrite) error {
	if err := t.loadMatches(ctx, tx, rows, w.write); err != nil {
		return err
	}
	for _, r := range rows.sorted() {
		if !t.fold.Matches(r.key, &r.row, w.write) {
			continue
		}
		if err := t.fold.Apply(&r.row, w.write, w.order); err != nil {
			return err
		}
	}
	return nil
}

// loadMatches adds the stored rows that a bulk update may be meant for to the set; those that are there already are newer.
func (t *table) loadMatches(ctx context.Context, tx pgx.Tx, rows *rowSet, w *fold.Write) error {
	where, args := t.narrow(w)
	found, err := tx.Query(ctx, t.statements.scan+where, args...)
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		targets := t.newTargets()
		keys := make([]pgtype.Text, len(t.fold.Key))
		var pointers []any
		for i := range keys {
			pointers = append(pointers, &keys[i])
		}
		if err := found.Scan(append(pointers, targets.pointers(t.physical)...)...); err != nil {
			return err
		}
		key, err := t.decodeKey(keys)
		if err != nil {
			return err
		}
		id := string(expr.KeyBytes(key...))
		if rows.byKey[id] != nil {
			continue
		}
		row, err := t.decodeRow(targets)
		if err != nil {
			return err
		}
		if t.fold.Matches(key, &row, w) {
			rows.byKey[id] = &keyedRow{id: id, key: key, row: row}
		}
	}
	return found.Err()
}

// narrow turns the conditions in which Postgres agrees with fold.Table.Matches to the letter, equality that is, into SQL;
// the others are judged by Matches alone.
func (t *table) narrow(w *fold.Write) (where string, args []any) {
	var b strings.Builder
	for i := range w.Bulk {
		m := &w.Bulk[i]
		c := &t.fold.Columns[m.Column]
		if m.Op != "eq" || m.Value.IsNull() || c.Role == ir.RoleSum || c.Hidden || !exactEquality(c.Type.Name) {
			continue
		}
		args = append(args, expr.SQLText(m.Value, c.Type))
		fmt.Fprintf(&b, " AND t.%s = $%d::%s", sql.Ident(c.Name), len(args), sql.CastSQL(c.Type))
	}
	return b.String(), args
}

func exactEquality(name ir.TypeName) bool {
	switch name {
	case ir.JSON, ir.JSONB, ir.Real, ir.Double:
		return false
	default:
		return true
	}
}
