package ir_test

import (
	"strings"
	"testing"

	"github.com/causetc/causetc/ir"
)

func TestClassify(t *testing.T) {
	add := []ir.Sum{{Column: "n", Op: ir.SumAdd}}
	set := []ir.Sum{{Column: "n", Op: ir.SumSet}}
	floor := []ir.Sum{{Column: "n", Op: ir.SumAdd, Floor: leaf(ir.OpInt, "", "0")}}
	lookup := &ir.Expr{Op: ir.OpMember, Name: "x", Args: []*ir.Expr{{Op: ir.OpLookup, Name: "s", Args: []*ir.Expr{leaf(ir.OpEnvelope, "entity_id", "")}}}}
	field := &ir.Expr{Op: ir.OpCall, Name: "LOOKUP_FIELD", Args: []*ir.Expr{leaf(ir.OpString, "", "s"), leaf(ir.OpEnvelope, "entity_id", ""), leaf(ir.OpString, "", "/x")}}
	handler := func(event string, op ir.HandlerOp, sums ...ir.Sum) ir.Handler {
		return ir.Handler{Event: event, Op: op, Sums: sums}
	}
	for name, c := range map[string]struct {
		first, second []ir.Handler // of two projections of one table
		unique        bool
		want          string // empty: convergent; else a part of the only reason
	}{
		"upsert, replace, delete":           {first: []ir.Handler{handler("A", ir.Upsert), handler("B", ir.Replace), handler("C", ir.Delete)}},
		"upsert, update, soft_delete, sums": {first: []ir.Handler{handler("A", ir.Upsert, add...), handler("B", ir.Update), handler("C", ir.SoftDelete), handler("D", ir.Replace)}},
		"sums beside an update elsewhere":   {first: []ir.Handler{handler("A", ir.Update)}, second: []ir.Handler{handler("A", ir.Upsert, add...)}},
		"set alone":                         {first: []ir.Handler{handler("A", ir.Upsert, set...), handler("B", ir.Delete)}},
		"set alone beside an update":        {first: []ir.Handler{handler("A", ir.Update, set...)}},
		"delete beside sums":                {first: []ir.Handler{handler("A", ir.Upsert, add...)}, second: []ir.Handler{handler("B", ir.Delete)}, want: "late delete can't split"},
		"delete beside update":              {first: []ir.Handler{handler("A", ir.Update), handler("B", ir.Delete)}, want: "update of A writes existing rows only"},
		"delete beside soft_delete":         {first: []ir.Handler{handler("A", ir.SoftDelete)}, second: []ir.Handler{handler("B", ir.Delete)}, want: "soft delete of A"},
		"sum in an update":                  {first: []ir.Handler{handler("A", ir.Update, add...)}, want: "beside an update"},
		"sum in a soft_delete":              {first: []ir.Handler{handler("A", ir.SoftDelete, add...)}, want: "beside a soft delete"},
		"bulk_update":                       {first: []ir.Handler{handler("A", ir.BulkUpdate)}, want: "in bulk"},
		"floor":                             {first: []ir.Handler{handler("A", ir.Upsert, floor...)}, want: "clamped"},
		"set beside add":                    {first: []ir.Handler{handler("A", ir.Upsert, add...)}, second: []ir.Handler{handler("A", ir.Upsert, set...)}, want: "n is set by A"},
		"unique index":                      {first: []ir.Handler{handler("A", ir.Upsert)}, unique: true, want: "unique index on (n)"},
		"lookup":                            {first: []ir.Handler{{Event: "A", Op: ir.Upsert, Lets: []ir.Assign{{Column: "x", Value: lookup}}}}, want: "lookup()"},
		"LOOKUP_FIELD":                      {first: []ir.Handler{{Event: "A", Op: ir.Upsert, Lets: []ir.Assign{{Column: "x", Value: field}}}}, want: "lookup()"},
	} {
		t.Run(name, func(t *testing.T) {
			table := &ir.Table{Name: "t", Indexes: []ir.Index{{Columns: []string{"n"}, Unique: c.unique}}}
			projections := []ir.Projection{
				{Name: "p", Table: "t", Handlers: c.first}, {Name: "q", Table: "t", Handlers: c.second},
				{Name: "r", Table: "other", Handlers: []ir.Handler{handler("Z", ir.BulkUpdate), handler("Y", ir.Delete)}},
			}
			class, reasons := ir.Classify(table, projections)
			if c.want == "" {
				if class != ir.Convergent || len(reasons) > 0 {
					t.Fatalf("%s because %v", class, reasons)
				}
				return
			}
			if class != ir.Ordered || len(reasons) != 1 || !strings.Contains(reasons[0].Message, c.want) {
				t.Fatalf("%s because %+v, want %q alone", class, reasons, c.want)
			}
		})
	}
}

func TestTraits(t *testing.T) {
	projections := []ir.Projection{
		{Name: "p", Table: "t", Handlers: []ir.Handler{
			{Event: "A", Op: ir.Upsert, Set: []ir.Assign{{Column: "a"}}},
			{Event: "B", Op: ir.SoftDelete, Set: []ir.Assign{{Column: "deleted_at"}}},
		}},
		{Name: "q", Table: "t", Handlers: []ir.Handler{
			{Event: "A", Op: ir.Update, Set: []ir.Assign{{Column: "b"}}, Sums: []ir.Sum{{Column: "peak", Op: ir.SumSet}, {Column: "n", Op: ir.SumAdd}}},
		}},
		{Name: "r", Table: "other", Handlers: []ir.Handler{{Event: "A", Op: ir.Delete}}},
	}
	got := ir.Traits("t", projections)
	if got.Deletes || !got.Updates || strings.Join(got.Hidden, " ") != "b deleted_at peak" {
		t.Fatalf("%+v", got)
	}
	if other := ir.Traits("other", projections); !other.Deletes || other.Updates || other.Hidden != nil {
		t.Fatalf("%+v", other)
	}
}
