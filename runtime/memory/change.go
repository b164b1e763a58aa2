package memory

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// The SQLSTATE that Postgres gives for the same fault.
const (
	outOfRange      = "22003"
	uniqueViolation = "23505"
)

// change is what a batch does, apart from the store until all of it is known to be right.
type change struct {
	store *Store
	rows  []map[string]*storedRow // by table: own copies of what the batch touched
	exact []map[string]struct{}   // by set: identities that are new in this batch
}

func newChange(s *Store) *change {
	c := &change{store: s}
	for range s.tables {
		c.rows = append(c.rows, map[string]*storedRow{})
	}
	for range s.exact {
		c.exact = append(c.exact, map[string]struct{}{})
	}
	return c
}

func (c *change) apply(entries []store.Entry) error {
	for i := range entries {
		e := &entries[i]
		if e.Outcome != store.Applied {
			continue
		}
		admitted := c.admit(e.Effect.Exact)
		for j := range e.Effect.Writes {
			w := &e.Effect.Writes[j]
			if w.Dedup >= 0 && !admitted[w.Dedup] {
				continue
			}
			order := fold.MakeOrder(e.Clock, e.Position.Partition, e.Position.Offset, w.Ordinal)
			if err := c.write(w, order); err != nil {
				return dataError(err)
			}
		}
	}
	return nil
}

// admit records the event's identities and reports, by set, which of them are new.
func (c *change) admit(keys []fold.ExactKey) []bool {
	if len(keys) == 0 {
		return make([]bool, len(c.exact))
	}
	admitted := make([]bool, len(c.exact))
	for _, k := range keys {
		_, stored := c.store.exact[k.Set][string(k.Key)]
		_, now := c.exact[k.Set][string(k.Key)]
		if !stored && !now {
			c.exact[k.Set][string(k.Key)] = struct{}{}
			admitted[k.Set] = true
		}
	}
	return admitted
}

func (c *change) write(w *fold.Write, o fold.Order) error {
	t := c.store.group.Tables[w.Table]
	switch {
	case w.Op == ir.BulkUpdate:
		return c.bulkUpdate(t, w, o)
	case t.Ordered():
		return t.Apply(&c.row(w.Table, w.KeyID, w.Key).row, w, o)
	default:
		t.Absorb(&c.row(w.Table, w.KeyID, w.Key).row, w, o)
		return nil
	}
}

// bulkUpdate applies the write to every row that it is meant for, in the order of their identities.
func (c *change) bulkUpdate(t *fold.Table, w *fold.Write, o fold.Order) error {
	all := maps.Clone(c.store.tables[w.Table])
	maps.Copy(all, c.rows[w.Table])
	for _, id := range slices.Sorted(maps.Keys(all)) {
		r := all[id]
		if !t.Matches(r.key, &r.row, w) {
			continue
		}
		if err := t.Apply(&c.row(w.Table, id, r.key).row, w, o); err != nil {
			return err
		}
	}
	return nil
}

// row returns the batch's own copy of a row.
func (c *change) row(table int, id string, key []expr.Value) *storedRow {
	if r := c.rows[table][id]; r != nil {
		return r
	}
	r := &storedRow{key: key}
	if stored := c.store.tables[table][id]; stored != nil {
		r.row = stored.row.Clone()
	} else {
		r.row = c.store.group.Tables[table].NewRow()
	}
	c.rows[table][id] = r
	return r
}

// check looks for what only the rows together, or a merged row, can violate.
func (c *change) check() error {
	for i, t := range c.store.group.Tables {
		for _, id := range slices.Sorted(maps.Keys(c.rows[i])) {
			if err := t.CheckSums(&c.rows[i][id].row); err != nil {
				return dataError(err)
			}
		}
		for _, columns := range t.Unique {
			if err := c.checkUnique(i, t, columns); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkUnique refuses two visible rows with the same values in the columns of a unique index; null equals nothing.
func (c *change) checkUnique(table int, t *fold.Table, columns []int) error {
	if len(c.rows[table]) == 0 {
		return nil
	}
	all := maps.Clone(c.store.tables[table])
	maps.Copy(all, c.rows[table])
	seen := make(map[string]struct{}, len(all))
	for _, r := range all {
		values, visible := t.View(r.key, &r.row)
		if !visible {
			continue
		}
		id, whole := indexKey(values, columns)
		if _, twice := seen[id]; twice && whole {
			return &store.DataError{SQLState: uniqueViolation,
				Message: fmt.Sprintf("table %s: two rows with one value in the unique index over %s", t.Name, names(t, columns))}
		}
		seen[id] = struct{}{}
	}
	return nil
}

// indexKey encodes the values of an index's columns, and tells whether none of them is null.
func indexKey(values []expr.Value, columns []int) (id string, whole bool) {
	var key []byte
	for _, column := range columns {
		if values[column].IsNull() {
			return "", false
		}
		key = expr.AppendKey(key, values[column])
	}
	return string(key), true
}

func names(t *fold.Table, columns []int) []string {
	list := make([]string, 0, len(columns))
	for _, column := range columns {
		list = append(list, t.Columns[column].Name)
	}
	return list
}

// dataError gives a sum beyond its column the form that a database's refusal has.
func dataError(err error) error {
	var sum *fold.SumError
	if !errors.As(err, &sum) {
		return err
	}
	return &store.DataError{SQLState: outOfRange, Message: sum.Error(), Err: sum}
}

// commit makes the change part of the store, and returns how many of the rows had a newer write than those of the span.
func (c *change) commit(span store.Span) (stale int) {
	for i := range c.rows {
		for _, r := range c.rows[i] {
			if !span.Has(r.row.Newest()) {
				stale++
			}
		}
	}
	for i := range c.rows {
		maps.Copy(c.store.tables[i], c.rows[i])
	}
	for i := range c.exact {
		maps.Copy(c.store.exact[i], c.exact[i])
	}
	return stale
}
