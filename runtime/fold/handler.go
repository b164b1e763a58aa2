package fold

import (
	"errors"
	"fmt"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// handler is what one event type does in one projection.
type handler struct {
	projection string
	ordinal    int
	table      int
	target     *Table
	dedup      int   // index into Group.Exact of the set that admits its writes, or -1
	records    []int // indexes into Group.Exact of the sets whose identity is this handler's key
	op         ir.HandlerOp

	lets      []let
	condition *expr.Func
	// early is how many lets the condition needs: the others are evaluated only where it holds, so that it can guard them.
	early int
	key   []*expr.Func // by Table.Key
	// keyLets are the indexes of the lets that the key is derived from.
	keyLets []int
	set     []assignment
	reset   []CellWrite // of a replace: the defaults of the columns that set does not name
	sums    []aggregate
	where   []predicate
}

type let struct {
	name  string
	value *expr.Func
}

type assignment struct {
	column int // index into Table.Columns
	value  *expr.Func
}

type aggregate struct {
	column                int // index into Table.Columns
	op                    string
	by, when, floor, ceil *expr.Func // nil where absent
}

type predicate struct {
	column int // index into Table.Columns
	op     string
	value  *expr.Func
}

func (h *handler) compile(src *ir.Handler) error {
	h.op = src.Op
	if err := h.checkOp(src); err != nil {
		return err
	}
	names, err := h.compileLets(src.Lets)
	if err != nil {
		return err
	}
	if src.Condition != nil {
		if h.condition, err = expr.Compile(src.Condition, names...); err != nil {
			return fmt.Errorf("condition: %w", err)
		}
		h.early = derivedUse(src.Condition, names)
	}
	if err := h.compileKey(src.Key, names); err != nil {
		return err
	}
	h.keyLets = letsOf(src.Key, src.Lets)
	if err := h.compileSet(src, names); err != nil {
		return err
	}
	return h.compileWhere(src.Where, names)
}

// checkOp refuses a handler that contradicts its table: the promise of a convergent table rests on what never meets in
// one.
func (h *handler) checkOp(src *ir.Handler) error {
	t := h.target
	switch src.Op {
	case ir.Upsert, ir.Replace:
	case ir.Update, ir.SoftDelete:
		if !t.Ordered() && (!t.Updates || t.Deletes) {
			return fmt.Errorf("%s in a table that is not made for it", src.Op)
		}
		if !t.Ordered() && h.addsUp(src.Sums) {
			return fmt.Errorf("%s with an aggregate in a convergent table", src.Op)
		}
	case ir.Delete:
		if !t.Deletes || len(src.Set)+len(src.Sums) > 0 {
			return fmt.Errorf("%s in a table that is not made for it, or one that writes", src.Op)
		}
	case ir.BulkUpdate:
		if !t.Ordered() {
			return fmt.Errorf("%s in a convergent table", src.Op)
		}
	default:
		return fmt.Errorf("unknown op %q", src.Op)
	}
	return nil
}

// addsUp reports whether one of the sums is over an aggregate column, and not a plain one that is set.
func (h *handler) addsUp(sums []ir.Sum) bool {
	for _, sum := range sums {
		if i := h.target.ColumnIndex(sum.Column); i >= 0 && h.target.Columns[i].Role == ir.RoleSum {
			return true
		}
	}
	return false
}

func (h *handler) compileLets(lets []ir.Assign) ([]string, error) {
	names := make([]string, 0, len(lets))
	for _, src := range lets {
		value, err := expr.Compile(src.Value, names...)
		if err != nil {
			return nil, fmt.Errorf("derived %s: %w", src.Column, err)
		}
		h.lets = append(h.lets, let{src.Column, value})
		names = append(names, src.Column)
	}
	return names, nil
}

// derivedUse returns how many of the names, in their order, must have values before the expression can be evaluated.
func derivedUse(e *ir.Expr, names []string) int {
	needed := 0
	if e.Op == ir.OpDerived {
		for i, name := range names {
			if name == e.Name {
				needed = i + 1
			}
		}
	}
	for _, arg := range e.Args {
		needed = max(needed, derivedUse(arg, names))
	}
	return needed
}

func (h *handler) compileKey(key []ir.Assign, names []string) error {
	if h.op == ir.BulkUpdate {
		if len(key) > 0 {
			return errors.New("a bulk_update with a key")
		}
		return nil
	}
	if len(key) != len(h.target.Key) {
		return errors.New("the key does not have the table's key columns")
	}
	for i, src := range key {
		if src.Column != h.target.Columns[h.target.Key[i]].Name {
			return fmt.Errorf("key column %s is not at its place in the table's key", src.Column)
		}
		value, err := expr.Compile(src.Value, names...)
		if err != nil {
			return fmt.Errorf("column %s: %w", src.Column, err)
		}
		h.key = append(h.key, value)
	}
	return nil
}

// compileSet compiles Set and Sums; no column is written twice.
func (h *handler) compileSet(src *ir.Handler, names []string) error {
	written := map[int]bool{}
	for _, set := range src.Set {
		column, err := h.writable(set.Column, written)
		if err != nil {
			return err
		}
		if h.target.Columns[column].Role != ir.RolePlain {
			return fmt.Errorf("column %s is not a plain one", set.Column)
		}
		value, err := expr.Compile(set.Value, names...)
		if err != nil {
			return fmt.Errorf("column %s: %w", set.Column, err)
		}
		h.set = append(h.set, assignment{column, value})
	}
	for i := range src.Sums {
		column, err := h.writable(src.Sums[i].Column, written)
		if err != nil {
			return err
		}
		if err := h.compileSum(&src.Sums[i], column, names); err != nil {
			return fmt.Errorf("aggregate %s: %w", src.Sums[i].Column, err)
		}
	}
	h.compileReset()
	return nil
}

func (h *handler) writable(name string, written map[int]bool) (int, error) {
	column := h.target.ColumnIndex(name)
	if column < 0 || written[column] {
		return 0, fmt.Errorf("column %s is unknown, or written twice", name)
	}
	written[column] = true
	return column, nil
}

func (h *handler) compileSum(src *ir.Sum, column int, names []string) (err error) {
	a := aggregate{column: column, op: src.Op}
	role := h.target.Columns[column].Role
	switch {
	case src.Op != ir.SumAdd && src.Op != ir.SumSub && src.Op != ir.SumSet:
		return fmt.Errorf("unknown op %q", src.Op)
	case role == ir.RoleKey, role == ir.RolePlain && src.Op != ir.SumSet:
		return fmt.Errorf("%s on a column that is no aggregate", src.Op)
	case role == ir.RoleSum && !h.target.Ordered():
		if src.Op == ir.SumSet || src.Floor != nil || src.Ceil != nil || h.target.Deletes {
			return errors.New("set, floor, ceil or a delete beside it in a convergent table")
		}
	}
	for _, part := range []struct {
		src *ir.Expr
		dst **expr.Func
	}{{src.By, &a.by}, {src.When, &a.when}, {src.Floor, &a.floor}, {src.Ceil, &a.ceil}} {
		if part.src == nil {
			continue
		}
		if *part.dst, err = expr.Compile(part.src, names...); err != nil {
			return err
		}
	}
	h.sums = append(h.sums, a)
	return nil
}

// compileReset prepares the defaults that a replace writes into the columns that its event does not.
func (h *handler) compileReset() {
	if h.op != ir.Replace {
		return
	}
	for slot, column := range h.target.Plain {
		if c := &h.target.Columns[column]; !c.KeepOnReplace {
			h.reset = append(h.reset, CellWrite{slot, c.Default})
		}
	}
}

func (h *handler) compileWhere(where []ir.Predicate, names []string) error {
	if len(where) > 0 && h.op != ir.BulkUpdate {
		return fmt.Errorf("%s with a where", h.op)
	}
	for _, src := range where {
		column := h.target.ColumnIndex(src.Column)
		if column < 0 || !knownMatch(src.Op) || src.Input != "" {
			return fmt.Errorf("where %s: unknown column or operator %q", src.Column, src.Op)
		}
		value, err := expr.Compile(src.Value, names...)
		if err != nil {
			return fmt.Errorf("where %s: %w", src.Column, err)
		}
		h.where = append(h.where, predicate{column, src.Op, value})
	}
	return nil
}
