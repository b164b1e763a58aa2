package ir_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/ir"
)

func seed(t *testing.T) generator {
	t.Helper()
	n := uint64(time.Now().UnixNano())
	t.Logf("seed %d", n)
	return generator{rand.New(rand.NewPCG(n, 0))}
}

func mustEncode(t *testing.T, p *ir.Program) []byte {
	t.Helper()
	text, err := ir.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRoundTripOfRandomPrograms(t *testing.T) {
	g := seed(t)
	for range 150 {
		p := g.program()
		text := mustEncode(t, p)
		if p.Hash != "" {
			t.Fatal("Encode changed the program")
		}
		back, err := ir.Decode(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := ir.Seal(p); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(p, back) {
			t.Fatalf("read back differently:\n%s", text)
		}
		if again := mustEncode(t, back); !bytes.Equal(text, again) {
			t.Fatalf("second encoding differs:\n%s\n%s", text, again)
		}
		var out strings.Builder
		if err := ir.Print(&out, back); err != nil || !strings.Contains(out.String(), "group "+p.Groups[0].Name) {
			t.Fatalf("print: %v\n%s", err, &out)
		}
	}
}

func TestEncodingIsPlain(t *testing.T) {
	p := fixed()
	p.App = "<b>&"
	text := string(mustEncode(t, p))
	if !strings.Contains(text, `"app": "<b>&"`) || !strings.HasSuffix(text, "}\n") || strings.HasSuffix(text, "\n\n") {
		t.Fatalf("not plain, or no single final newline:\n%s", text)
	}
}

func TestEmptyProgram(t *testing.T) {
	text := mustEncode(t, &ir.Program{App: "nothing"})
	if p, err := ir.Decode(text); err != nil || len(p.Groups) != 0 {
		t.Fatalf("%v\n%s", err, text)
	}
}

// fixed is a small program in which every hash-relevant part stands once.
func fixed() *ir.Program {
	payload := func(name string) *ir.Expr {
		return &ir.Expr{Op: ir.OpMember, Name: name, Args: []*ir.Expr{leaf(ir.OpPayload, "", "")}}
	}
	return &ir.Program{
		App: "app",
		Groups: []ir.Group{{
			Name: "balances",
			Tables: []ir.Table{{
				Name: "balances", Class: ir.Convergent, Key: []string{"id"},
				Columns: []ir.Column{
					{Name: "id", Type: ir.SQLType{Name: ir.Text}, Role: ir.RoleKey},
					{Name: "owner", Type: ir.SQLType{Name: ir.Text}, Role: ir.RolePlain},
					{Name: "total", Type: ir.SQLType{Name: ir.BigInt}, Role: ir.RoleSum},
				},
				Indexes: []ir.Index{{Columns: []string{"owner"}}},
			}},
			Projections: []ir.Projection{{Name: "balances", Table: "balances", Handlers: []ir.Handler{{
				Event: "OPENED", Op: ir.Upsert,
				Key: []ir.Assign{{Column: "id", Value: payload("id")}},
				Set: []ir.Assign{{Column: "owner", Value: &ir.Expr{Op: ir.OpMember, Name: "owner",
					Args: []*ir.Expr{leaf(ir.OpResource, "fees", "")}}}},
				Sums: []ir.Sum{{Column: "total", Op: ir.SumAdd}},
			}}}},
		}},
		Queries: []ir.Query{{Name: "all", From: "balances", Limit: 10}},
		Resources: []ir.Resource{
			{Name: "fees", Value: &ir.Expr{Op: ir.OpObject, Keys: []string{"owner"}, Args: []*ir.Expr{leaf(ir.OpInt, "", "1")}}},
			{Name: "other", Value: &ir.Expr{Op: ir.OpObject}},
		},
	}
}

func TestGroupHashCoversWhatDecidesTheRows(t *testing.T) {
	hash := func(change func(*ir.Program)) string {
		p := fixed()
		change(p)
		if err := ir.Seal(p); err != nil {
			t.Fatal(err)
		}
		return p.Groups[0].Hash
	}
	base := hash(func(*ir.Program) {})
	handler := func(p *ir.Program) *ir.Handler { return &p.Groups[0].Projections[0].Handlers[0] }
	decides := map[string]func(*ir.Program){
		"projection's name":  func(p *ir.Program) { p.Groups[0].Projections[0].Name = "renamed" },
		"handler's event":    func(p *ir.Program) { handler(p).Event = "X" },
		"handler's op":       func(p *ir.Program) { handler(p).Op = ir.Replace },
		"key expression":     func(p *ir.Program) { handler(p).Key[0].Value = leaf(ir.OpEnvelope, "entity_id", "") },
		"sum":                func(p *ir.Program) { handler(p).Sums[0].Op = ir.SumSub },
		"condition":          func(p *ir.Program) { handler(p).Condition = leaf(ir.OpBool, "", "true") },
		"column's type":      func(p *ir.Program) { p.Groups[0].Tables[0].Columns[1].Type.Name = ir.JSONB },
		"order of columns":   func(p *ir.Program) { c := p.Groups[0].Tables[0].Columns; c[1], c[2] = c[2], c[1] },
		"key":                func(p *ir.Program) { p.Groups[0].Tables[0].Key = []string{"owner"} },
		"class":              func(p *ir.Program) { p.Groups[0].Tables[0].Class = ir.Ordered },
		"exact ids":          func(p *ir.Program) { p.Groups[0].ExactIDs = []ir.ExactIDs{{Name: "x"}} },
		"dedup":              func(p *ir.Program) { p.Groups[0].Projections[0].Dedup = "x" },
		"unique index":       func(p *ir.Program) { p.Groups[0].Tables[0].Indexes[0].Unique = true },
		"used resource":      func(p *ir.Program) { p.Resources[0].Value.Args[0].Text = "2" },
		"hidden column":      func(p *ir.Program) { p.Groups[0].Tables[0].Columns[1].Hidden = true },
		"strategy of a part": func(p *ir.Program) { p.Groups[0].Tables[0].Partition = &ir.Partition{Strategy: "hash"} },
	}
	for name, change := range decides {
		if hash(change) == base {
			t.Errorf("%s does not change the group's hash", name)
		}
	}
	leaves := map[string]func(*ir.Program){
		"app":             func(p *ir.Program) { p.App = "renamed" },
		"query":           func(p *ir.Program) { p.Queries = nil },
		"plain index":     func(p *ir.Program) { p.Groups[0].Tables[0].Indexes = nil },
		"reasons":         func(p *ir.Program) { p.Groups[0].Tables[0].Reasons = []string{"x"} },
		"unused resource": func(p *ir.Program) { p.Resources = p.Resources[:1] },
		"group's name":    func(p *ir.Program) { p.Groups[0].Name = "x" },
	}
	for name, change := range leaves {
		if hash(change) != base {
			t.Errorf("%s changes the group's hash", name)
		}
	}
}

// The hash is part of what is deployed: a change of the encoding that moves it must be a new format version.
func TestHashIsStable(t *testing.T) {
	p := fixed()
	if err := ir.Seal(p); err != nil {
		t.Fatal(err)
	}
	if want := "e4369e44cca37b2b5b5cc515d75184c1b12b21b42b29899517f718c812a786df"; p.Groups[0].Hash != want {
		t.Errorf("group hash %s, want %s", p.Groups[0].Hash, want)
	}
	if want := "b0f1245cae6b0b245b19ca6e9f178e3548d77321e2d370db260345cae9e0d580"; p.Hash != want {
		t.Errorf("program hash %s, want %s", p.Hash, want)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := string(mustEncode(t, fixed()))
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the encoding", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"empty":            {"", "not JSON"},
		"binary":           {"\x00\xff\x01", "not JSON"},
		"text":             {"hello", "not JSON: line 1"},
		"array":            {"[]", "not a valid IR file"},
		"null":             {"null", `no "format"`},
		"no format":        {"{}", `no "format"`},
		"fraction":         {`{"format": 1.5}`, "not a version"},
		"word as format":   {`{"format": "1"}`, "not a valid IR file"},
		"cut off":          {good[:len(good)/2], "not JSON: line"},
		"two documents":    {good + good, "not JSON"},
		"unknown field":    {replace(`"app":`, `"extra": 1, "app":`), "extra"},
		"other letters":    {replace(`"app":`, `"App":`), "not in canonical form"},
		"key twice":        {replace(`"app":`, `"app": "x", "app":`), "not in canonical form"},
		"null for a list":  {replace(`"queries": [`, `"queries": null, "queries": [`), "not in canonical form"},
		"escaped":          {replace(`"app": "app"`, `"app": "\u0061pp"`), "not in canonical form"},
		"missing field":    {replace(`"op": "upsert",`, ``), "/groups/0/projections/0/handlers/0"},
		"wrong type":       {replace(`"op": "upsert"`, `"op": 7`), "groups.projections.handlers.op can't be a JSON number"},
		"deep":             {strings.Repeat(`{"a":`, 100_000), "nested deeper"},
		"deep arrays":      {strings.Repeat(`[`, 1_000_000), "nested deeper"},
		"too many values":  {"[" + strings.Repeat("0,", ir.MaxValues+1) + "0]", "more than"},
		"too big":          {`{"format":1,"app":"` + strings.Repeat("x", ir.MaxSize) + `"}`, "more than"},
		"unfinished quote": {`{"format":1,"app":"\`, "not JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := ir.Decode([]byte(c.text))
			var invalid *ir.InvalidError
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want an InvalidError with %q", err, c.want)
			}
		})
	}
}

func TestDecodeKnowsNewerVersions(t *testing.T) {
	text := `{"format": 2, "what": {"comes": "later"}}`
	_, err := ir.Decode([]byte(text))
	var version *ir.VersionError
	if !errors.As(err, &version) || version.Got != 2 || !strings.Contains(err.Error(), "newer causetc") {
		t.Fatalf("got %v", err)
	}
	if _, err = ir.Decode([]byte(`{"format": 0}`)); !errors.As(err, &version) || strings.Contains(err.Error(), "newer") {
		t.Fatalf("got %v", err)
	}
}

func TestDecodeSeesChangedContent(t *testing.T) {
	good := string(mustEncode(t, fixed()))
	changed := strings.Replace(good, `"name": "owner"`, `"name": "ovner"`, 1)
	_, err := ir.Decode([]byte(changed))
	var corrupt *ir.CorruptError
	if !errors.As(err, &corrupt) {
		t.Fatalf("got %v, want a CorruptError", err)
	}
}

func TestDecodeAcceptsOtherLayout(t *testing.T) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, mustEncode(t, fixed())); err != nil {
		t.Fatal(err)
	}
	if _, err := ir.Decode(compact.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// A program whose hashes are right is still checked: whoever made it may have made a mistake.
func TestDecodeValidates(t *testing.T) {
	handler := func(p *ir.Program) *ir.Handler { return &p.Groups[0].Projections[0].Handlers[0] }
	table := func(p *ir.Program) *ir.Table { return &p.Groups[0].Tables[0] }
	deep := leaf(ir.OpInt, "", "1")
	for range ir.MaxDepth {
		deep = &ir.Expr{Op: ir.OpUnary, Name: "-", Args: []*ir.Expr{deep}}
	}
	for want, change := range map[string]func(*ir.Program){
		`not the smallest name`:                  func(p *ir.Program) { p.Groups[0].Name = "x" },
		`gives (), and the key`:                  func(p *ir.Program) { handler(p).Key = nil },
		`"x" is not a column`:                    func(p *ir.Program) { handler(p).Set[0].Column = "x" },
		`"total" is a sum column`:                func(p *ir.Program) { handler(p).Set[0].Column = "total" },
		`"owner" is a plain column`:              func(p *ir.Program) { handler(p).Sums[0].Column = "owner" },
		`is "ordered", and its handlers make it`: func(p *ir.Program) { table(p).Class = ir.Ordered },
		`deletes and updates`:                    func(p *ir.Program) { table(p).Deletes = true },
		`/columns/1/hidden`:                      func(p *ir.Program) { table(p).Columns[1].Hidden = true },
		`"y" is not a column of`:                 func(p *ir.Program) { table(p).Indexes[0].Columns[0] = "y" },
		`needs a number type, not TEXT`:          func(p *ir.Program) { table(p).Columns[2].Type.Name = ir.Text },
		`"fees" is not a resource`:               func(p *ir.Program) { p.Resources[0].Name = "fez" },
		`nested deeper than 1000`:                func(p *ir.Program) { handler(p).Condition = deep },
		`nothing derives "z"`:                    func(p *ir.Program) { handler(p).Condition = leaf(ir.OpDerived, "z", "") },
		`there is no item here`:                  func(p *ir.Program) { handler(p).Condition = leaf(ir.OpIt, "", "") },
		`"now" is not a envelope`:                func(p *ir.Program) { handler(p).Condition = leaf(ir.OpEnvelope, "now", "") },
		`"1e5" is not a int`:                     func(p *ir.Program) { handler(p).Condition = leaf(ir.OpInt, "", "1e5") },
		`a cond has 0 operands`:                  func(p *ir.Program) { handler(p).Condition = leaf(ir.OpCond, "", "") },
		`"balances" is there twice`:              func(p *ir.Program) { p.Groups = append(p.Groups, p.Groups[0]) },
		`"none" is not a table`:                  func(p *ir.Program) { p.Queries[0].From = "none" },
		`"x.y" is not a table and column`:        func(p *ir.Program) { p.Queries[0].OrderBy = []ir.OrderTerm{{Column: "x.y"}} },
		`"ids" is not in the group's exact ids`:  func(p *ir.Program) { p.Groups[0].Projections[0].Dedup = "ids" },
		`no projection uses "ids"`:               func(p *ir.Program) { p.Groups[0].ExactIDs = []ir.ExactIDs{{Name: "ids"}} },
		`NUMERIC can't have the precision 1001`:  func(p *ir.Program) { table(p).Columns[1].Type = ir.SQLType{Name: ir.Numeric, Precision: 1001} },
		`is longer than 63 bytes`:                func(p *ir.Program) { table(p).Columns[1].Name = strings.Repeat("x", 64) },
	} {
		p := fixed()
		change(p)
		_, err := ir.Decode(mustEncode(t, p))
		var invalid *ir.InvalidError
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// Whatever fits the size bound is refused in less than 1 GiB.
func TestDecodeMemoryIsBounded(t *testing.T) {
	n := ir.MaxValues/2 - 10
	head := `{"format":1,"app":"a","hash":"` + strings.Repeat("0", 64) + `",`
	for name, text := range map[string]string{
		"objects":     head + `"groups":[` + strings.Repeat("{},", n) + `{}]}`,
		"arrays":      `[` + strings.Repeat("[],", n) + `[]]`,
		"expressions": head + `"groups":[],"resources":[{"name":"r","value":{"op":"list","args":[` + strings.Repeat(`{"op":"x"},`, n) + `{}]}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			if _, err := ir.Decode([]byte(text)); err == nil {
				t.Fatal("accepted")
			}
			runtime.ReadMemStats(&after)
			grown := after.Sys - before.Sys
			t.Logf("allocated %d MiB in all, the heap grew by %d MiB", (after.TotalAlloc-before.TotalAlloc)>>20, grown>>20)
			if grown > 700<<20 {
				t.Fatalf("the heap grew by %d MiB", grown>>20)
			}
		})
	}
}
