package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/causetc/causetc/ir"
)

// Coverage counts what the logs of a test met, so that the test can demand that it met enough.
type Coverage struct {
	Ops        map[string]int // effects by class and op, such as "ordered delete"
	Sums       map[string]int // aggregates by op and extras, such as "add", "floor", "plain set"
	Cells      map[string]int // "value", "null", "missing"
	Types      map[string]int // written cells by column type
	Matches    map[string]int // conditions of bulk updates by operator
	Duplicates int            // refused by the window of ids
	Refused    int            // effects refused by exact ids
	Dead       int            // events that could not be evaluated
}

// NewCoverage returns zero counts.
func NewCoverage() *Coverage {
	return &Coverage{Ops: map[string]int{}, Sums: map[string]int{}, Cells: map[string]int{}, Types: map[string]int{},
		Matches: map[string]int{}}
}

func (c *Coverage) count(t *ir.Table, e *effect) {
	c.Ops[string(t.Class)+" "+string(e.handler.Op)]++
	for _, set := range e.handler.Set {
		value, written := e.set[set.Column]
		switch {
		case !written:
			c.Cells["missing"]++
		case value.IsNull():
			c.Cells["null"]++
		default:
			c.Cells["value"]++
			c.Types[string(columnOf(t, set.Column).Type.Name)]++
		}
	}
	for _, sum := range e.handler.Sums {
		c.countSum(t, e, &sum)
	}
	for _, where := range e.where {
		c.Matches[where.op]++
	}
}

func (c *Coverage) countSum(t *ir.Table, e *effect, sum *ir.Sum) {
	if columnOf(t, sum.Column).Role == ir.RolePlain {
		c.Sums["plain set"]++
		return
	}
	took := slices.ContainsFunc(e.sums, func(s sumEffect) bool { return s.column == sum.Column })
	if !took {
		c.Sums["nothing to add"]++
		return
	}
	c.Sums[sum.Op]++
	for name, part := range map[string]*ir.Expr{"by": sum.By, "when": sum.When, "floor": sum.Floor, "ceil": sum.Ceil} {
		if part != nil {
			c.Sums[name]++
		}
	}
}

// Least is how much of each thing a test of a thousand programs must have met, at least.
const Least = 100

// Check returns what was met fewer than least times. ordered says whether ordered tables were tested too.
func (c *Coverage) Check(least int, ordered bool) []string {
	var missing []string
	demand := func(what string, count int) {
		if count < least {
			missing = append(missing, fmt.Sprintf("%s: %d", what, count))
		}
	}
	for _, op := range []ir.HandlerOp{ir.Upsert, ir.Replace, ir.Update, ir.Delete, ir.SoftDelete} {
		demand("convergent "+string(op), c.Ops["convergent "+string(op)])
	}
	for _, name := range []string{"add", "sub", "by", "when", "plain set", "nothing to add"} {
		demand("aggregate "+name, c.Sums[name])
	}
	for _, name := range []string{"value", "null", "missing"} {
		demand("cell "+name, c.Cells[name])
	}
	for _, t := range plainTypes {
		demand("type "+string(t.Name), c.Types[string(t.Name)])
	}
	demand("duplicates", c.Duplicates)
	demand("refused by exact ids", c.Refused)
	demand("dead", c.Dead)
	if ordered {
		for _, op := range []ir.HandlerOp{ir.Upsert, ir.Replace, ir.Update, ir.Delete, ir.SoftDelete, ir.BulkUpdate} {
			demand("ordered "+string(op), c.Ops["ordered "+string(op)])
		}
		for _, name := range []string{"set", "floor", "ceil"} {
			demand("aggregate "+name, c.Sums[name])
		}
		for _, op := range []string{"eq", "neq", "gt", "gte", "lt", "lte", "in", "nin", "like", "ilike"} {
			demand("condition "+op, c.Matches[op])
		}
	}
	return missing
}

// String lists the counts.
func (c *Coverage) String() string {
	var b strings.Builder
	for _, part := range []struct {
		name   string
		counts map[string]int
	}{{"ops", c.Ops}, {"aggregates", c.Sums}, {"cells", c.Cells}, {"types", c.Types}, {"conditions", c.Matches}} {
		fmt.Fprintf(&b, "%s:", part.name)
		for _, key := range slices.Sorted(maps.Keys(part.counts)) {
			fmt.Fprintf(&b, " %s %d;", key, part.counts[key])
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "duplicates %d, refused by exact ids %d, dead %d", c.Duplicates, c.Refused, c.Dead)
	return b.String()
}
