package expr

import (
	"encoding/json"
	"testing"

	"github.com/causetc/causetc/ir"
)

const benchEvent = `{"event_id":"0190f7a2-6f0c-7cc2-9b1a-5c1f1d2e3f40","event_type":"TICKET_RESERVED","entity_id":"show-2024-11","stream_id":"show_stream",` +
	`"ts":1731600000123,"version":184467,"payload":{"ticket_id":"ticket_show-2024-11_A17","show_id":"show-2024-11","user_id":"user-123","seat":"A17","price":49.90,"quantity":2}}`

func benchEnv(b *testing.B) *Env {
	return &Env{Payload: jsonValue(b, benchEvent).Field("payload"), Derived: []Value{Int(1)}}
}

func benchEval(b *testing.B, e *ir.Expr) {
	f, err := Compile(e, "column")
	if err != nil {
		b.Fatal(err)
	}
	env := benchEnv(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := f.Eval(env); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEvalConcat(b *testing.B) {
	benchEval(b, call("concat", str("ticket_"), payload("show_id"), str("_"), payload("seat")))
}
func BenchmarkEvalMember(b *testing.B) { benchEval(b, payload("seat")) }
func BenchmarkEvalInt(b *testing.B)    { benchEval(b, op2("+", payload("quantity"), num("1"))) }
func BenchmarkEvalDecimal(b *testing.B) {
	benchEval(b, op2("*", payload("quantity"), payload("price")))
}
func BenchmarkEvalDivide(b *testing.B) { benchEval(b, op2("/", payload("price"), num("3"))) }
func BenchmarkEvalCondition(b *testing.B) {
	benchEval(b, op2("&&", op2("==", payload("seat"), str("A17")), op2(">", payload("price"), num("10"))))
}
func BenchmarkEvalShard(b *testing.B) { benchEval(b, call("shard", payload("user_id"), num("16"))) }

func BenchmarkParseJSON(b *testing.B) {
	data := []byte(benchEvent)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := ParseJSON(data); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseJSONStandard is the reference: the standard library into a map.
func BenchmarkParseJSONStandard(b *testing.B) {
	data := []byte(benchEvent)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		var v map[string]any
		if err := json.Unmarshal(data, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCoerce(b *testing.B) {
	for _, column := range []struct {
		value string
		typ   ir.SQLType
	}{{`"ticket_show-2024-11_A17"`, plain(ir.Text)}, {`184467`, plain(ir.BigInt)}, {`49.90`, numeric(10, 2)}, {`1731600000123`, plain(ir.TimestampTZ)},
		{`{"a":1,"b":["x","y"]}`, plain(ir.JSONB)}} {
		v := jsonValue(b, column.value)
		b.Run(string(column.typ.Name), func(b *testing.B) {
			b.ReportAllocs()
			var text []byte
			for b.Loop() {
				cell, err := Coerce(v, column.typ)
				if err != nil {
					b.Fatal(err)
				}
				text = AppendSQLText(text[:0], cell, column.typ)
			}
		})
	}
}

func BenchmarkAppendKey(b *testing.B) {
	cells := []Value{String("show-2024-11"), Int(17)}
	var key []byte
	b.ReportAllocs()
	for b.Loop() {
		key = AppendKey(key[:0], cells...)
	}
}

// What the benchmarks of the hot paths show must stay: no allocation for a path, one for a text.
func TestHotPathsDoNotAllocate(t *testing.T) {
	env := &Env{Payload: jsonValue(t, benchEvent).Field("payload")}
	for _, tt := range []struct {
		name string
		e    *ir.Expr
		want float64
	}{
		{"path", payload("seat"), 0},
		{"concat", call("concat", str("ticket_"), payload("show_id"), str("_"), payload("seat")), 1},
		{"condition", op2("==", payload("seat"), str("A17")), 0},
		{"sum", op2("+", payload("quantity"), num("1")), 0},
	} {
		f, err := Compile(tt.e)
		if err != nil {
			t.Fatal(err)
		}
		if got := testing.AllocsPerRun(100, func() { _, _ = f.Eval(env) }); got > tt.want {
			t.Errorf("%s: %v allocations, want %v", tt.name, got, tt.want)
		}
	}
}
