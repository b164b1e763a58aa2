package ir

import (
	"fmt"
	"slices"
)

// Reason is one thing that makes a table ordered.
type Reason struct {
	Projection string // where it is; empty for a matter of the table itself
	Event      string
	Column     string
	Message    string // for people: what is there and why it depends on the order
}

// Classify decides how far the promise about a table's rows reaches, from all the projections that write it. A table is
// convergent when its rows are the same under any order of arrival: when it
//
//   - has upsert, replace and delete on plain columns, or
//   - has upsert, replace, update, soft_delete and add or sub, where nothing deletes and no event adds or subtracts beside
//     an update or soft_delete of the same projection.
//
// Everything else is ordered, with at least one reason. An aggregate "set" that is alone on its column is a plain write.
// Projections of other tables are ignored. The order of reasons is fixed.
func Classify(t *Table, projections []Projection) (Class, []Reason) {
	c := classifier{table: t.Name, sums: map[string]bool{}, sets: map[string]bool{}}
	for i := range projections {
		if projections[i].Table == t.Name {
			c.survey(&projections[i])
		}
	}
	for i := range projections {
		if projections[i].Table == t.Name {
			c.judge(&projections[i])
		}
	}
	for _, index := range t.Indexes {
		if index.Unique {
			c.add("", "", "", fmt.Sprintf("the unique index on (%s) can refuse a row that another one made room for only later",
				joinNames(index.Columns)))
		}
	}
	if len(c.reasons) > 0 {
		return Ordered, c.reasons
	}
	return Convergent, nil
}

// classifier collects what the handlers of one table do together.
type classifier struct {
	table   string
	deletes bool
	sums    map[string]bool // columns that some handler adds to or subtracts from
	sets    map[string]bool // columns that some handler's aggregate sets
	reasons []Reason
}

func (c *classifier) add(projection, event, column, message string) {
	c.reasons = append(c.reasons, Reason{Projection: projection, Event: event, Column: column, Message: message})
}

func (c *classifier) survey(p *Projection) {
	for i := range p.Handlers {
		h := &p.Handlers[i]
		c.deletes = c.deletes || h.Op == Delete
		for _, s := range h.Sums {
			if s.Op == SumSet {
				c.sets[s.Column] = true
			} else {
				c.sums[s.Column] = true
			}
		}
	}
}

func (c *classifier) judge(p *Projection) {
	for i := range p.Handlers {
		h := &p.Handlers[i]
		c.judgeOp(p, h)
		for _, s := range h.Sums {
			c.judgeSum(p, h, s)
		}
		if h.ReadsEntities() {
			c.add(p.Name, h.Event, "", fmt.Sprintf("%s reads another entity with lookup() when %s arrives, not as it was at the event",
				p.Name, h.Event))
		}
	}
}

func (c *classifier) judgeOp(p *Projection, h *Handler) {
	switch h.Op {
	case BulkUpdate:
		c.add(p.Name, h.Event, "", fmt.Sprintf("%s updates in bulk the rows that match when %s arrives", p.Name, h.Event))
	case Update, SoftDelete:
		if c.deletes {
			c.add(p.Name, h.Event, "", fmt.Sprintf("%s of %s writes existing rows only, and another event deletes rows of %s",
				opWord(h.Op), h.Event, c.table))
		}
	}
}

func (c *classifier) judgeSum(p *Projection, h *Handler, s Sum) {
	if s.Floor != nil || s.Ceil != nil {
		c.add(p.Name, h.Event, s.Column, fmt.Sprintf("%s is clamped by floor or ceil at %s, so its steps do not commute",
			s.Column, h.Event))
	}
	if s.Op == SumSet {
		if c.sums[s.Column] {
			c.add(p.Name, h.Event, s.Column, fmt.Sprintf("%s is set by %s and added to by another event", s.Column, h.Event))
		}
		return
	}
	if c.deletes {
		c.add(p.Name, h.Event, s.Column, fmt.Sprintf("%s counts %s, and another event deletes rows of %s: a late delete can't split the sum",
			s.Column, h.Event, c.table))
	}
	if h.Op == Update || h.Op == SoftDelete {
		c.add(p.Name, h.Event, s.Column, fmt.Sprintf("%s counts %s beside %s, which does nothing where the row is not there yet",
			s.Column, h.Event, anOp(h.Op)))
	}
}

// TableTraits are the facts about a table's physical form that follow from its handlers.
type TableTraits struct {
	Deletes bool     // some handler deletes
	Updates bool     // some handler writes existing rows only
	Hidden  []string // sorted: columns that an update or soft_delete writes
}

// Traits derives the physical needs of a table from all the projections that write it.
func Traits(table string, projections []Projection) TableTraits {
	var t TableTraits
	hidden := map[string]bool{}
	for i := range projections {
		if projections[i].Table != table {
			continue
		}
		for j := range projections[i].Handlers {
			h := &projections[i].Handlers[j]
			t.Deletes = t.Deletes || h.Op == Delete
			if h.Op == Update || h.Op == SoftDelete {
				t.Updates = true
				h.plainColumns(func(column string) { hidden[column] = true })
			}
		}
	}
	t.Hidden = sortedNames(hidden)
	return t
}

// plainColumns calls visit for the columns that the handler writes as plain values.
func (h *Handler) plainColumns(visit func(string)) {
	for _, a := range h.Set {
		visit(a.Column)
	}
	for _, s := range h.Sums {
		if s.Op == SumSet {
			visit(s.Column)
		}
	}
}

func opWord(op HandlerOp) string {
	if op == SoftDelete {
		return "soft delete"
	}
	return string(op)
}

// Messages returns the messages of reasons, each once, in order.
func Messages(reasons []Reason) []string {
	var out []string
	for _, r := range reasons {
		if !slices.Contains(out, r.Message) {
			out = append(out, r.Message)
		}
	}
	return out
}

func anOp(op HandlerOp) string {
	if op == SoftDelete {
		return "a soft delete"
	}
	return "an " + string(op)
}
