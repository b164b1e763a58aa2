package ir

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Print writes a program for people: what each event does to which columns, and what each query reads. The form may
// change between versions; programs read the JSON.
func Print(w io.Writer, p *Program) error {
	out := &printer{}
	out.line(0, "app %s", p.App)
	out.line(1, "format %d, hash %s", p.Format, shortHash(p.Hash))
	for i := range p.Groups {
		out.group(&p.Groups[i])
	}
	for i := range p.Queries {
		out.query(&p.Queries[i])
	}
	for _, r := range p.Resources {
		out.line(0, "")
		out.line(0, "resource %s = %s", r.Name, r.Value)
	}
	_, err := io.WriteString(w, out.b.String())
	return err
}

func shortHash(hash string) string {
	if hash == "" {
		return "none"
	}
	return hash[:min(12, len(hash))]
}

type printer struct{ b strings.Builder }

func (p *printer) line(level int, format string, args ...any) {
	text := strings.Repeat("  ", level) + fmt.Sprintf(format, args...)
	p.b.WriteString(strings.TrimRight(text, " ") + "\n")
}

func (p *printer) group(g *Group) {
	p.line(0, "")
	p.line(0, "group %s", g.Name)
	p.line(1, "hash %s", shortHash(g.Hash))
	for _, e := range g.ExactIDs {
		if e.Projection == "" {
			p.line(1, "exact ids %s: by event id", e.Name)
		} else {
			p.line(1, "exact ids %s: by the key of %s", e.Name, e.Projection)
		}
	}
	for i := range g.Tables {
		p.table(&g.Tables[i])
	}
	for i := range g.Projections {
		p.projection(&g.Projections[i])
	}
}

func (p *printer) table(t *Table) {
	p.line(1, "table %s: %s", t.Name, t.Class)
	for _, r := range t.Reasons {
		p.line(2, "because %s", r)
	}
	width, typeWidth := 0, 0
	for _, c := range t.Columns {
		width = max(width, len(c.Name))
		typeWidth = max(typeWidth, len(c.Type.String()))
	}
	for _, c := range t.Columns {
		p.line(2, "%-*s  %-*s  %s", width, c.Name, typeWidth, c.Type, columnNote(t, c))
	}
	for _, index := range t.Indexes {
		p.line(2, "%s", indexText(index))
	}
	if part := t.Partition; part != nil {
		p.line(2, "partitioned by %s of %s%s", part.Strategy, part.Field, spaced(part.Interval))
	}
}

func columnNote(t *Table, c Column) string {
	switch {
	case c.Role == RoleKey:
		for i, name := range t.Key {
			if name == c.Name && len(t.Key) > 1 {
				return "key " + strconv.Itoa(i+1)
			}
		}
		return "key"
	case c.Role == RoleSum:
		return "sum, starts at 0"
	case c.Default != "":
		return "starts at " + c.Default
	case c.Hidden:
		return "shows from the row's creation on"
	}
	return ""
}

func indexText(index Index) string {
	text := "index"
	if index.Unique {
		text = "unique index"
	}
	text += " (" + joinNames(index.Columns) + ")"
	if index.Desc {
		text += " descending"
	}
	return text
}

func (p *printer) projection(pr *Projection) {
	link := ""
	if pr.Dedup != "" {
		link = ", only events new to " + pr.Dedup
	}
	p.line(1, "projection %s -> %s%s", pr.Name, pr.Table, link)
	for i := range pr.Handlers {
		p.handler(&pr.Handlers[i])
	}
}

func (p *printer) handler(h *Handler) {
	if h.Condition != nil {
		p.line(2, "on %s if %s: %s", h.Event, h.Condition, h.Op)
	} else {
		p.line(2, "on %s: %s", h.Event, h.Op)
	}
	for _, part := range []struct {
		word string
		list []Assign
	}{{"let", h.Lets}, {"key", h.Key}, {"set", h.Set}} {
		for _, a := range part.list {
			p.line(3, "%s %s = %s", part.word, a.Column, a.Value)
		}
	}
	for _, s := range h.Sums {
		p.line(3, "%s", sumText(s))
	}
	for _, w := range h.Where {
		p.line(3, "where %s %s %s", w.Column, w.Op, w.Value)
	}
}

func sumText(s Sum) string {
	by := "1"
	if s.By != nil {
		by = s.By.String()
	}
	sign := map[string]string{SumAdd: "+=", SumSub: "-=", SumSet: "="}[s.Op]
	text := fmt.Sprintf("sum %s %s %s", s.Column, sign, by)
	if s.Floor != nil {
		text += ", at least " + s.Floor.String()
	}
	if s.Ceil != nil {
		text += ", at most " + s.Ceil.String()
	}
	if s.When != nil {
		text += ", if " + s.When.String()
	}
	return text
}

func (p *printer) query(q *Query) {
	p.line(0, "")
	p.line(0, "query %s from %s", q.Name, q.From)
	if q.Description != "" {
		p.line(1, "%s", strconv.Quote(q.Description))
	}
	for _, in := range q.Inputs {
		p.line(1, "input %s", inputText(in))
	}
	for _, j := range q.Joins {
		p.line(1, "%s join %s%s", j.Type, j.Table, pairsText(j.On))
	}
	for _, f := range q.Fields {
		p.line(1, "field %s = %s", f.Name, f.Column)
	}
	for _, a := range q.Aggregates {
		p.line(1, "field %s = %s(%s)", a.Name, a.Func, a.Column)
	}
	for _, w := range q.Where {
		p.line(1, "where %s %s %s", w.Column, w.Op, operandText(w))
	}
	p.queryTail(q)
}

func (p *printer) queryTail(q *Query) {
	if len(q.GroupBy) > 0 {
		p.line(1, "group by %s", joinNames(q.GroupBy))
	}
	for _, o := range q.OrderBy {
		direction := ""
		if o.Desc {
			direction = " descending"
		}
		p.line(1, "order by %s%s", o.Column, direction)
	}
	if q.Limit > 0 {
		p.line(1, "limit %d", q.Limit)
	}
	if q.Distinct {
		p.line(1, "distinct")
	}
	if len(q.ZeroFields) > 0 {
		p.line(1, "0 for null in %s", joinNames(q.ZeroFields))
	}
	if len(q.Window) > 0 {
		p.line(1, "windows %s", joinNames(q.Window))
	}
}

func inputText(in Input) string {
	text := in.Name + " " + in.Type.String()
	if in.Required {
		text += ", required"
	}
	if in.Default != nil {
		text += ", default " + in.Default.String()
	}
	return text
}

func pairsText(on []Pair) string {
	var pairs []string
	for _, pair := range on {
		pairs = append(pairs, pair.Left+" = "+pair.Right)
	}
	if pairs == nil {
		return ""
	}
	return " on " + strings.Join(pairs, " and ")
}

func operandText(w Predicate) string {
	if w.Input != "" {
		return "input." + w.Input
	}
	return w.Value.String()
}

func spaced(s string) string {
	if s == "" {
		return ""
	}
	return " by " + s
}
