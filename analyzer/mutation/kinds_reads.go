package mutation

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// readKinds are the mistakes in projections and queries.
func readKinds() []*Kind {
	return []*Kind{
		{Name: "remove a source event", Rule: "mutations and aggregates name source events", make: removeSource},
		{Name: "remove derive of a key", Rule: "every column of the primary key is derived or set", make: removeKeyDerive},
		{Name: "remove a derive", Rule: "a declared column is written", Hint: true, make: removeDerive},
		{Name: "remove all writes", Rule: "a projection has mutations or aggregates", make: removeWrites},
		{Name: "wrong index column", Rule: "an index names columns of the table", make: wrongColumn("projections/*/indexes/[]/columns")},
		{Name: "wrong key column", Rule: "every column of the primary key is derived or set", make: wrongColumn("projections/*/target/primary_key")},
		{Name: "wrong grouped column", Rule: "group_by names columns of the query's tables", make: wrongColumn("queries/*/group_by")},
		{Name: "wrong column of coalesce_zero", Rule: "coalesce_zero names columns of the result", make: wrongColumn("queries/*/coalesce_zero")},
		{Name: "wrong join column", Rule: "a join pairs columns of the query's tables", make: wrongJoin},
		{Name: "wrong partition column", Rule: "the field of a partition is in the primary key", make: wrongPartition},
		{Name: "group_by without aggregate", Rule: "group_by needs aggregate", make: without("queries/*/aggregate", "group_by")},
		{Name: "first or last without order", Rule: "first and last need an order_by", make: firstWithoutOrder},
		{Name: "second operator in a where", Rule: "a column has exactly one operator", make: secondOperator},
		{Name: "where without operator", Rule: "where is column to {operator: value}", make: bareWhere},
		{Name: "gte_window without windows", Rule: "gte_window needs window.allowed", make: without("queries/*/window", "where")},
		{Name: "soft_delete without its column", Rule: "soft_delete needs the column deleted_at", make: noDeletedAt},
		{Name: "swap op of a mutation", Rule: "soft_delete needs deleted_at, bulk_update needs set and where", make: swapMutation},
		{Name: "column written two ways", Rule: "a column is written by derive or set, or by aggregates, never both", make: twoWays},
		{Name: "aggregates beside delete", Rule: "an event that deletes has no aggregates", make: deleteBesideAggregate},
		{Name: "remove dedup", Rule: "a counter is deduplicated, since events are delivered again", make: removeDedup},
		{Name: "remove unique of a relationship", Rule: "a relationship without unique: true grows with every delivery", Hint: true, make: removeUnique},
		{Name: "too many joins", Rule: "a query has at most 5 joins", make: manyJoins},
	}
}

func (p *program) sourceList(e *entry) []*yamltree.Node {
	if e.value.Kind == yamltree.List {
		return e.value.Items
	}
	return nil
}

func removeSource(p *program, out func(Mutant)) {
	for _, e := range p.matching("projections/*/source_events") {
		for i, it := range p.sourceList(e) {
			var places []spec.Span
			for _, part := range []string{"mutations", "aggregates"} {
				for _, handler := range p.matching("projections/" + e.path[1] + "/" + part + "/" + scalarText(it)) {
					places = append(places, handler.extent())
				}
			}
			if m, ok := withoutItem(p, e.file, e.value, i, append(places, e.extent())...); ok && len(places) > 0 {
				m.Label = e.path[1] + " without " + scalarText(it)
				out(m)
			}
		}
	}
}

func removeKeyDerive(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		for _, k := range pr.PrimaryKey {
			for _, e := range p.matching("projections/" + pr.Name.Value + "/derive/" + k.Value) {
				m := e.without()
				m.At = append(m.At, k.Span(), pr.Name.Span())
				m.Label = pr.Name.Value + " without " + k.Value
				if k.Value == "shard_id" {
					m.Legal = "shard_id has a value without"
				}
				out(m)
			}
		}
	}
}

func removeDerive(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		key := map[string]bool{}
		for _, k := range pr.PrimaryKey {
			key[k.Value] = true
		}
		for _, d := range pr.Derive {
			c := p.column(p.tableOf(pr), d.Key.Value)
			if key[d.Key.Value] || c == nil {
				continue
			}
			for _, e := range p.matching("projections/" + pr.Name.Value + "/derive/" + d.Key.Value) {
				m := e.without()
				m.At = append(m.At, c.Name.Span(), pr.Name.Span())
				m.Label = pr.Name.Value + " without " + d.Key.Value
				if p.writers(symbols.TableName(pr), d.Key.Value) > 1 {
					m.Legal = "it is written elsewhere"
				}
				out(m)
			}
		}
	}
}

// writers counts the places that write a column.
func (p *program) writers(table, column string) int {
	n := 0
	for _, pr := range p.table.Tables[table].Projections {
		for _, d := range pr.Derive {
			if d.Key.Value == column {
				n++
			}
		}
		for _, mu := range pr.Mutations {
			for _, s := range mu.Set {
				if s.Key.Value == column {
					n++
				}
			}
		}
	}
	return n
}

func removeWrites(p *program, out func(Mutant)) {
	for _, key := range []string{"mutations", "aggregates"} {
		for _, e := range p.matching("projections/*/" + key) {
			m := e.without()
			m.Label = e.path[1] + " without " + key
			if e.sibling("mutations") != nil && e.sibling("aggregates") != nil {
				m.Legal = "the projection still writes"
			}
			out(m)
		}
	}
}

// wrongColumn names an unknown column in a list of columns.
func wrongColumn(path string) func(*program, func(Mutant)) {
	return func(p *program, out func(Mutant)) {
		for _, e := range p.matching(path) {
			nodes := p.sourceList(e)
			if e.isWord() {
				nodes = []*yamltree.Node{e.value}
			}
			for _, n := range nodes {
				m := p.replace(n.Scalar.Span(), "colour", e.key.Span())
				m.Label = scalarText(n) + " -> colour"
				out(m)
			}
		}
	}
}

func wrongJoin(p *program, out func(Mutant)) {
	for _, q := range p.spec.Queries {
		for _, j := range q.Joins {
			for _, pair := range j.Pairs {
				for _, side := range []*spec.Scalar{pair.Left, pair.Right} {
					prefix, _, dotted := strings.Cut(side.Value, ".")
					wrong := "colour"
					if dotted {
						wrong = prefix + ".colour"
					}
					m := p.replace(bare(side), wrong, j.Projection.Span())
					m.Label = side.Value + " -> " + wrong
					out(m)
				}
			}
		}
	}
}

func wrongPartition(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		if pr.Partition == nil {
			continue
		}
		for _, c := range pr.Fields {
			inKey := false
			for _, k := range pr.PrimaryKey {
				inKey = inKey || k.Value == c.Name.Value
			}
			if !inKey {
				m := p.replace(bare(pr.Partition.Field), c.Name.Value, pr.Partition.Key.Span())
				m.Label = pr.Partition.Field.Value + " -> " + c.Name.Value
				out(m)
			}
		}
	}
}

// without removes a key beside which another one stands that needs it.
func without(path, needs string) func(*program, func(Mutant)) {
	return func(p *program, out func(Mutant)) {
		for _, e := range p.matching(path) {
			if other := e.sibling(needs); other != nil {
				m := e.without()
				m.Label = e.path[1] + " without " + e.key.Value
				if needs == "group_by" || strings.Contains(p.text(e.file.Span(other.Start, end(e.file, other))), "gte_window") {
					out(m)
				}
			}
		}
	}
}

func firstWithoutOrder(p *program, out func(Mutant)) {
	for _, e := range p.matching("queries/*/order_by") {
		agg := e.sibling("aggregate")
		if agg == nil {
			continue
		}
		for _, a := range agg.Entries {
			if child(a.Value, "first") != nil || child(a.Value, "last") != nil {
				m := e.without()
				m.Label = e.path[1] + " without order_by"
				out(m)
				break
			}
		}
	}
}

func secondOperator(p *program, out func(Mutant)) {
	for _, e := range p.matching("queries/*/where/*/*") {
		other := "neq"
		if e.key.Value == "neq" {
			other = "eq"
		}
		m := e.withSibling(other+": 7", e.around()...)
		m.Label = other + " beside " + e.key.Value
		out(m)
	}
}

func bareWhere(p *program, out func(Mutant)) {
	for _, e := range p.matching("queries/*/where/*") {
		if e.value.Kind == yamltree.Map {
			m := p.replace(e.file.Span(e.value.Start, end(e.file, e.value)), "7", e.key.Span())
			if e.value.Flow {
				m.Label = e.key.Value + ": 7"
				out(m)
			}
		}
	}
}

func noDeletedAt(p *program, out func(Mutant)) {
	for _, e := range p.matching("projections/*/fields/deleted_at") {
		m := e.without()
		m.Label = e.path[1] + " without deleted_at"
		for _, op := range p.matching("projections/" + e.path[1] + "/mutations/*/op") {
			m.At = append(m.At, op.extent())
		}
		out(m)
	}
}

func swapMutation(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		c := p.column(p.tableOf(pr), "deleted_at")
		for _, mu := range pr.Mutations {
			if mu.Op == nil {
				continue
			}
			if c == nil {
				m := p.replace(bare(mu.Op), "soft_delete", mu.Event.Span())
				m.Label = mu.Op.Value + " -> soft_delete"
				out(m)
			}
			if mu.Op.Value != "bulk_update" && len(mu.Where) == 0 {
				m := p.replace(bare(mu.Op), "bulk_update", mu.Event.Span())
				m.Label = mu.Op.Value + " -> bulk_update"
				out(m)
			}
		}
	}
}

func twoWays(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		for _, a := range pr.Aggregates {
			for _, g := range a.Columns {
				for _, e := range p.matching("projections/" + pr.Name.Value + "/derive") {
					first := e.value.Entries[0].Key
					text := g.Column.Value + ": event.ts, "
					if !e.value.Flow {
						text = g.Column.Value + ": event.ts\n" + strings.Repeat(" ", column(e.file, first.Start))
					}
					m := p.insert(e.file.Pos(first.Start), text, p.columnPlaces(symbols.TableName(pr), g.Column.Value)...)
					m.Label = g.Column.Value + " derived and aggregated"
					out(m)
				}
			}
		}
	}
}

func deleteBesideAggregate(p *program, out func(Mutant)) {
	for _, pr := range p.spec.Projections {
		for _, mu := range pr.Mutations {
			if mu.Op != nil && mu.Op.Value != "delete" && p.aggregated(pr, mu.Event.Value) {
				m := p.replace(bare(mu.Op), "delete", mu.Event.Span(), pr.Name.Span())
				for _, e := range p.matching("projections/" + pr.Name.Value + "/aggregates/" + mu.Event.Value) {
					m.At = append(m.At, e.extent())
				}
				m.Label = mu.Event.Value + ": delete"
				out(m)
			}
		}
		for _, a := range pr.Aggregates {
			for _, e := range p.matching("projections/" + pr.Name.Value + "/aggregates") {
				if len(pr.Mutations) == 0 {
					m := e.withSibling(fmt.Sprintf("mutations: { %s: delete }", a.Event.Value), a.Event.Span())
					for _, c := range a.Columns {
						m.At = append(m.At, c.Column.Span())
					}
					m.Label = a.Event.Value + ": delete"
					out(m)
				}
			}
		}
	}
}

func (p *program) aggregated(pr *spec.Projection, event string) bool {
	for _, a := range pr.Aggregates {
		if a.Event.Value == event {
			return true
		}
	}
	return false
}

func removeDedup(p *program, out func(Mutant)) {
	for _, e := range p.matching("projections/*/dedup") {
		if e.isWord() && e.value.Scalar.Value != "true" && e.value.Scalar.Value != "false" {
			m := e.without()
			m.Label = e.path[1] + " without dedup"
			m.Legal = "a counter is reported with and without it"
			out(m)
		}
	}
}

func removeUnique(p *program, out func(Mutant)) {
	for _, e := range p.matching("relationships/*/unique") {
		m := e.without()
		m.Label = e.path[1] + " without unique"
		out(m)
	}
}

func manyJoins(p *program, out func(Mutant)) {
	for _, e := range p.matching("queries/*/joins") {
		if e.value.Flow || len(p.spec.Projections) < 6 {
			continue
		}
		var b strings.Builder
		for _, pr := range p.spec.Projections[:6] {
			if child(e.value, pr.Name.Value) == nil {
				fmt.Fprintf(&b, "%s: { type: cross }\n%s", pr.Name.Value, strings.Repeat(" ", column(e.file, e.value.Entries[0].Key.Start)))
			}
		}
		m := p.insert(e.file.Pos(e.value.Entries[0].Key.Start), b.String(), e.key.Span(), e.around()[0])
		m.Label = "six joins"
		out(m)
	}
}
