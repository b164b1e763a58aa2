package expr

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/causetc/causetc/ir"
)

// treeReader builds expression trees, sound and unsound ones, from bytes.
type treeReader struct {
	data []byte
	left int // nodes that may still be built
}

func (r *treeReader) next() int {
	if len(r.data) == 0 {
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return int(b)
}

func pick[T any](r *treeReader, from ...T) T { return from[r.next()%len(from)] }

func (r *treeReader) tree() *ir.Expr {
	if r.left--; r.left < 0 || len(r.data) == 0 {
		return payload(pick(r, "s", "n", "i", "d", "list", "o", "big", "absent"))
	}
	switch r.next() % 12 {
	case 0:
		return num(pick(r, "0", "1", "-1", "9223372036854775807", "-9223372036854775808", "86400000", "x"))
	case 1:
		return dec(pick(r, "0.5", "-2.50", "1e999", "1e-1000", "1e18", "9223372036854775807.5"))
	case 2:
		return str(pick(r, "", "a", "2024-01-01", "/a/b", "\xff"))
	case 3:
		return op2(pick(r, "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "?"), r.tree(), r.tree())
	case 4:
		return op1(pick(r, "!", "-", "-", "~"), r.tree())
	case 5:
		return cond(r.tree(), r.tree(), r.tree())
	case 6:
		return elvis(r.tree(), r.tree())
	case 7:
		return index(r.tree(), r.tree())
	case 8:
		return call("map", r.tree(), pick(r, it(), r.tree(), op2("+", it(), r.tree())))
	case 9:
		return list(r.tree(), r.tree(), it())
	case 10:
		return member(r.tree(), pick(r, "a", "p", "q"))
	default:
		functions := Functions()
		return call(functions[r.next()%len(functions)].Name, r.tree(), r.tree())
	}
}

// FuzzCompile: every tree is refused with a CompileError or evaluates to a value, twice the same, or an EvalError; one
// that is read as JSON is, too.
func FuzzCompile(f *testing.F) {
	f.Add([]byte{3, 8, 0, 1, 0, 2})
	f.Add([]byte{11, 0, 2, 1, 3, 9, 4, 0, 5, 8, 2, 2, 2})
	f.Add([]byte{8, 9, 0, 1, 1, 2, 2, 3, 7, 5, 2, 1})
	for i := range 60 {
		f.Add([]byte{11, byte(i), byte(i % 12), byte(i), byte(3 * i % 12), 1, 2, 3, 4, 5, 6, 7})
	}
	for _, e := range []*ir.Expr{call("concat", str("a"), payload("s")), nil, cond(null(), num("1"), dec("2.5"))} {
		text, err := json.Marshal(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		reader := treeReader{data: data, left: 60}
		runTree(t, reader.tree())
		var read *ir.Expr
		if json.Unmarshal(data, &read) == nil {
			runTree(t, read)
		}
	})
}

func runTree(t *testing.T, e *ir.Expr) {
	compiled, err := Compile(e)
	if err != nil {
		var ce *CompileError
		if !errors.As(err, &ce) {
			t.Fatalf("%T %v", err, err)
		}
		return
	}
	env := &Env{Payload: jsonValue(t, samplePayload)}
	v, err := compiled.Eval(env)
	again, errAgain := compiled.Eval(env)
	if codeOf(t, err) != codeOf(t, errAgain) || !v.Equal(again) || v.IsMissing() != again.IsMissing() {
		t.Fatalf("%s, %v, then %s, %v", v, err, again, errAgain)
	}
}
