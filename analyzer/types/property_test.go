package types_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer/types"
	codegenexpr "github.com/causetc/causetc/codegen/expr"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// payload declares a field of every kind, whose values are certain.
const payload = `s: string, z: string, i: int, n: number, b: boolean, tags: { type: array, item_type: string }, nums: { type: array, item_type: int },
      rows: { type: array, item_type: object, item_fields: { a: int, t: string } }, o: { type: object, item_fields: { a: int, t: string } }`

// samples are payloads of that declaration, none of whose values is null.
var samples = []string{
	`{"s":"x","z":"","i":0,"n":0.5,"b":true,"tags":["x","y"],"nums":[1,2],"rows":[{"a":1,"t":"x"}],"o":{"a":2,"t":"y"}}`,
	`{"s":"7","z":"zz","i":-3,"n":2,"b":false,"tags":["x"],"nums":[5],"rows":[{"a":0,"t":""},{"a":4,"t":"x"}],"o":{"a":0,"t":""}}`,
	`{"s":"true","z":"a","i":41,"n":-1.25,"b":true,"tags":["7"],"nums":[0],"rows":[{"a":9,"t":"7"}],"o":{"a":1,"t":"true"}}`,
}

// generator writes random expressions over the payload.
type generator struct{ *rand.Rand }

func (g generator) leaf() string {
	leaves := strings.Fields(`event.payload.s event.payload.z event.payload.i event.payload.n event.payload.b event.payload.tags event.payload.nums
		event.payload.rows event.payload.o event.payload.o.a event.payload.o.t event.payload.tags[0] event.payload.nums[0] event.payload.rows[0].a
		event.payload.rows[0].t event.ts event.type 1 2.5 'x' '7' true false event.payload.o['a']`)
	return leaves[g.IntN(len(leaves))]
}

func (g generator) expr(depth int) string {
	if depth == 0 {
		return g.leaf()
	}
	x, y := g.expr(depth-1), g.expr(g.IntN(depth))
	switch g.IntN(8) {
	case 0:
		return "(" + x + " " + []string{"+", "-", "*", "/", "%"}[g.IntN(5)] + " " + y + ")"
	case 1:
		return "(" + x + " " + []string{"==", "!=", "<", "<=", ">", ">="}[g.IntN(6)] + " " + y + ")"
	case 2:
		return "(" + x + " " + []string{"&&", "||"}[g.IntN(2)] + " " + y + ")"
	case 3:
		return []string{"!", "-"}[g.IntN(2)] + "(" + x + ")"
	case 4:
		return []string{"floor", "ceil", "size", "hash", "sum"}[g.IntN(5)] + "(" + x + ")"
	case 5:
		return []string{"concat", "contains", "max", "min", "join", "is_prev_day"}[g.IntN(6)] + "(" + x + ", " + y + ")"
	case 6:
		return "map(" + x + ", " + []string{"it", "it.a", "size(it)", "it + 1"}[g.IntN(4)] + ")"
	}
	return x
}

// outcome is what an expression gives for all samples.
type outcome struct{ failed, null, total int }

// evaluate runs an expression as a worker would.
func evaluate(t *testing.T, n spec.Node) (out outcome, code expr.Code) {
	t.Helper()
	lowered, problems := codegenexpr.Lower(n, codegenexpr.Env{})
	if len(problems) > 0 {
		return outcome{}, ""
	}
	f, err := expr.Compile(lowered)
	if err != nil {
		t.Fatal(err)
	}
	for _, sample := range samples {
		p, err := expr.ParseJSONString(sample)
		if err != nil {
			t.Fatal(err)
		}
		v, err := f.Eval(&expr.Env{Payload: p, Event: envelope})
		out.total++
		switch e, isEval := err.(*expr.EvalError); {
		case isEval:
			out.failed++
			code = e.Code
		case v.IsNull():
			out.null++
		}
	}
	return out, code
}

// TestSound checks that what is reported fails, or is null, whatever the payload holds, and that what fails because of its
// types is reported.
func TestSound(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	g := generator{rand.New(rand.NewPCG(seed, 0))}
	reported, clean := 0, 0
	for range 20 {
		var texts []string
		for range 100 {
			texts = append(texts, g.expr(1+g.IntN(3)))
		}
		checked := check(t, texts)
		for _, site := range checked.sites {
			found := checked.problems[site.Expr]
			if len(found) > 0 {
				reported++
				for _, p := range found {
					unsound(t, site.Expr, p)
				}
				continue
			}
			clean++
			if out, code := evaluate(t, site.Expr.Root); out.failed == out.total && out.total > 0 && code == expr.CodeType {
				t.Errorf("%s always fails, and nothing is reported", site.Expr.Src.Value)
			}
		}
	}
	if reported < 200 || clean < 200 {
		t.Errorf("%d reported and %d clean expressions say little", reported, clean)
	}
}

// unsound reports a problem at a part of an expression that can have a value after all.
func unsound(t *testing.T, e *spec.Expr, p types.Problem) {
	t.Helper()
	if p.Kind == types.ZeroDivision || p.Kind == types.BadCount {
		return
	}
	for _, n := range around(e.Root, p.At) {
		if b, ok := n.(*spec.Binary); ok && (b.Op == "&&" || b.Op == "||") {
			n = &spec.Unary{Where: b.Where, Op: "!", X: operandAt(b, p.At)} // the other operand may decide alone
		}
		if out, _ := evaluate(t, n); out.failed+out.null == out.total {
			return
		}
	}
	message := p.Message
	if message == "" {
		message = fmt.Sprintf("%s has no %s", p.Of, p.Name)
	}
	t.Errorf("%s has a value, and yet: %s", e.Src.Value, message)
}

// operandAt returns the operand with a range, or the right one.
func operandAt(b *spec.Binary, at spec.Range) spec.Node {
	if b.X.Range() == at {
		return b.X
	}
	return b.Y
}

// around returns the node with a range, or the innermost that holds it, and the node around that.
func around(n spec.Node, at spec.Range) []spec.Node {
	var path []spec.Node
	for n != nil {
		path = append(path, n)
		var next spec.Node
		for _, c := range spec.Children(n) {
			if r := c.Range(); r.From <= at.From && at.To <= r.To {
				next = c
			}
		}
		n = next
	}
	if len(path) > 3 {
		path = path[len(path)-3:]
	}
	return path
}
