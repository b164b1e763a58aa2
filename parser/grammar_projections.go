package parser

import (
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

var mutationOps = []string{"upsert", "replace", "update", "delete", "soft_delete", "bulk_update", "increment"}

func (g *grammar) projections() {
	type p = spec.Projection
	columns := mapOf(aColumn, func(v *spec.Column, n *spec.Scalar) { v.Name = n })
	mutations := mapOf(asKind(&g.mutation), func(v *spec.Mutation, n *spec.Scalar) { v.Event = n })
	aggregates := mapOf(kind[*spec.EventAggregates]{
		empty:  true,
		schema: g.eventAggregates().schema,
		read: func(d *decoder, n *yamltree.Node) (*spec.EventAggregates, bool) {
			columns, ok := g.eventAggregates().read(d, n)
			return &spec.EventAggregates{Columns: columns}, ok
		},
	}, func(v *spec.EventAggregates, n *spec.Scalar) { v.Event = n })
	g.projection = record[p]{def: "projection", title: "a projection", doc: "Folds events into a table.", keys: []key[p]{
		one("description", "A word about it.", aText, func(t *p) **spec.Scalar { return &t.Description }),
		many("source_events", "The events it takes.", names, func(t *p) *[]*spec.Scalar { return &t.SourceEvents }).must(),
		part("target", "The table and its key.", &g.target).must(),
		many("fields", "The SQL types of the columns.", columns, func(t *p) *[]*spec.Column { return &t.Fields }),
		many("derive", "An expression for each column.", values, func(t *p) *[]spec.ValueEntry { return &t.Derive }),
		many("mutations", "What each event does to the row.", mutations, func(t *p) *[]*spec.Mutation { return &t.Mutations }),
		many("aggregates", "Which columns each event counts or sums.", aggregates, func(t *p) *[]*spec.EventAggregates { return &t.Aggregates }),
		many("indexes", "Secondary indexes of the table.", listOf(asKind(&g.index)), func(t *p) *[]*spec.TableIndex { return &t.Indexes }),
		keyed("bucket", "A time bucket as a column.", &g.bucket, func(t *p) **spec.Bucket { return &t.Bucket }, func(b *spec.Bucket, k *spec.Scalar) { b.Key = k }),
		keyed("partition", "Declarative partitioning of the table.", &g.partition, func(t *p) **spec.Partition { return &t.Partition },
			func(b *spec.Partition, k *spec.Scalar) { b.Key = k }),
		overrideKey,
		one("dedup", "The projection that records applied event ids, or true for a table of its own.", aDedup, func(t *p) **spec.Dedup { return &t.Dedup }),
	}}
	g.target = record[p]{def: "target", title: "target", doc: "The table of a projection.", keys: []key[p]{
		one("table", "The table's name.", aName, func(t *p) **spec.Scalar { return &t.Table }).must(),
		many("primary_key", "The columns of the key.", names, func(t *p) *[]*spec.Scalar { return &t.PrimaryKey }).must(),
		one("entity_key", "The column that holds the entity's id.", aName, func(t *p) **spec.Scalar { return &t.EntityKey }),
		one("entity_expr", "Which entity a row belongs to.", anExpr, func(t *p) **spec.Expr { return &t.EntityExpr }),
	}}
}

// keyed is a key with a record that notes the key.
func keyed[T, V any](name, doc string, r *record[V], at func(*T) **V, put func(*V, *spec.Scalar)) key[T] {
	k := asKind(r)
	return key[T]{name: name, doc: doc, schema: k.schema, read: func(d *decoder, t *T, key *spec.Scalar, n *yamltree.Node) {
		if v, ok := k.read(d, n); ok {
			put(v, key)
			*at(t) = v
		}
	}}
}

func (g *grammar) eventAggregates() kind[[]*spec.Aggregate] {
	return mapOf(asKind(&g.aggregate), func(v *spec.Aggregate, n *spec.Scalar) { v.Column = n })
}

// aDedup is a name, true or false.
var aDedup = kind[*spec.Dedup]{
	schema: aName.schema,
	read: func(d *decoder, n *yamltree.Node) (*spec.Dedup, bool) {
		s := d.scalarOf("a projection's name, or true", n)
		if s == nil {
			return nil, false
		}
		if s.Value == "" {
			d.report(ruleNoValue, s.Span(), "expected a projection's name, or true, but the text is empty")
			return nil, false
		}
		b := &spec.Dedup{Src: s}
		if lit := d.boolOf(s); lit != nil {
			b.Auto, b.Off = *lit, !*lit
		}
		return b, true
	},
}

func (d *decoder) boolOf(s *spec.Scalar) *bool {
	if s.Tag != spec.TagBool {
		return nil
	}
	v := s.Value[0] == 't' || s.Value[0] == 'T'
	return &v
}

// overrideKey is a free map; of what it holds, only dedup has a meaning.
var overrideKey = key[spec.Projection]{name: "override", doc: "Settings of the hosted worker; only dedup is read.", empty: true,
	schema: func(w *schemaWriter) *schema {
		return &schema{Type: types{"object"}, Properties: map[string]*schema{"dedup": aDedup.schema(w)}}
	},
	read: func(d *decoder, t *spec.Projection, k *spec.Scalar, n *yamltree.Node) {
		t.OverrideAt = k
		entries, _ := values.read(d, n)
		t.Override = append(t.Override, entries...)
		for _, e := range n.Entries {
			if e.Key.Value != "dedup" || e.Duplicate {
				continue
			}
			if v, ok := aDedup.read(d, e.Value); ok && t.Dedup == nil {
				v.Override = true
				t.Dedup = v
			}
		}
	}}

func (g *grammar) projectionParts() {
	type m = spec.Mutation
	op := choice("a mutation", mutationOps...)
	g.mutation = record[m]{def: "mutation", title: "a mutation", doc: "What an event does: the op, or a map.", short: &op,
		expand: func(_ *decoder, t *m, s *spec.Scalar) { t.Op = s }, keys: []key[m]{
			one("op", "What to do; upsert if absent.", op, func(t *m) **spec.Scalar { return &t.Op }),
			many("set", "Values for columns; they win over derive.", values, func(t *m) *[]spec.ValueEntry { return &t.Set }).with(func(t *m) **spec.Scalar { return &t.SetAt }),
			many("where", "Which rows a bulk_update writes.", conditions(false), func(t *m) *[]*spec.Condition { return &t.Where }),
			one("condition", "Where false, the event does nothing here.", anExpr, func(t *m) **spec.Expr { return &t.Condition }),
		}}
	type a = spec.Aggregate
	aggregateOp := choice("an aggregate op", "add", "sub", "set")
	g.aggregate = record[a]{def: "aggregate", title: "an aggregate", doc: "How an event changes a column.", short: &aggregateOp,
		expand: func(_ *decoder, t *a, s *spec.Scalar) { t.Op = s }, keys: []key[a]{
			one("op", "add if absent.", aggregateOp, func(t *a) **spec.Scalar { return &t.Op }),
			one("by", "The amount; 1 if absent.", aValue, func(t *a) **spec.Value { return &t.By }),
			one("when", "Only where this holds.", anExpr, func(t *a) **spec.Expr { return &t.When }),
			one("floor", "The least value.", aValue, func(t *a) **spec.Value { return &t.Floor }),
			one("ceil", "The most.", aValue, func(t *a) **spec.Value { return &t.Ceil }),
		}}
	type i = spec.TableIndex
	g.index = record[i]{def: "index", title: "an index", doc: "A secondary index.", keys: []key[i]{
		many("columns", "Its columns.", names, func(t *i) *[]*spec.Scalar { return &t.Columns }).must(),
		one("direction", "asc or desc.", choice("a direction", "asc", "desc"), func(t *i) **spec.Scalar { return &t.Direction }),
		one("unique", "Whether no two rows may agree in it.", aBool, func(t *i) **spec.Bool { return &t.Unique }),
	}}
	type b = spec.Bucket
	g.bucket = record[b]{def: "bucket", title: "bucket", doc: "A time bucket.", keys: []key[b]{
		one("field", "The moment: an expression, or a payload field.", anExpr, func(t *b) **spec.Expr { return &t.Field }).must(),
		one("interval", "Its length; 1h if absent.", aName, func(t *b) **spec.Scalar { return &t.Interval }),
	}}
	type t = spec.Partition
	g.partition = record[t]{def: "partition", title: "partition", doc: "Declarative partitioning.", keys: []key[t]{
		one("strategy", "range if absent.", choice("a strategy", "range", "hash", "list"), func(p *t) **spec.Scalar { return &p.Strategy }),
		one("field", "The column.", aName, func(p *t) **spec.Scalar { return &p.Field }).must(),
		one("interval", "How much a partition spans, such as \"1 month\".", aName, func(p *t) **spec.Scalar { return &p.Interval }),
		one("partitions", "How many, for hash.", anInt(1), func(p *t) **spec.Int { return &p.Partitions }),
		one("precreate", "How many are made ahead.", anInt(0), func(p *t) **spec.Int { return &p.Precreate }),
		one("retention", "How long they are kept, such as \"6 months\".", aName, func(p *t) **spec.Scalar { return &p.Retention }),
		one("default_partition", "Whether one takes the rest.", aBool, func(p *t) **spec.Bool { return &p.DefaultPartition }),
	}}
}
