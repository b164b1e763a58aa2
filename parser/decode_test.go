package parser

import (
	"context"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/causetc/causetc/spec"
)

func everything(t *testing.T) *spec.Program {
	t.Helper()
	r, err := Load(context.Background(), Options{Args: []string{"testdata/everything.causet"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		if d.Rule != ruleAliasKey {
			t.Fatalf("findings:\n%s", show(r))
		}
	}
	return r.Program
}

// TestEverything checks that no field of the syntax tree stays empty in a spec with every key: what the table reads must
// arrive somewhere.
func TestEverything(t *testing.T) {
	p := everything(t)
	set := map[string]bool{}
	visit(reflect.ValueOf(p), set)
	skip := map[string]bool{
		"Program.Suppressions": true, "Program.Incomplete": true, "Dedup.Off": true, // tested elsewhere
		"Scalar.Indent": true, "TypeRef.Scalar": true, "Cond.If": true, "Cond.Then": true, "Cond.Else": true,
	}
	for _, v := range []any{spec.Program{}, spec.Manifest{}, spec.Field{}, spec.State{}, spec.Event{}, spec.Action{}, spec.Phase{}, spec.Rule{}, spec.Op{},
		spec.Relationship{}, spec.Listener{}, spec.Saga{}, spec.SagaStep{}, spec.Resource{}, spec.Envelope{}, spec.Participant{}, spec.Provider{}, spec.Prompt{},
		spec.Decision{}, spec.Memory{}, spec.Projection{}, spec.Column{}, spec.Dedup{}, spec.Mutation{}, spec.Condition{}, spec.Test{}, spec.EventAggregates{},
		spec.Aggregate{}, spec.TableIndex{}, spec.Bucket{}, spec.Partition{}, spec.Query{}, spec.OrderTerm{}, spec.Join{}, spec.JoinPair{}, spec.QueryAggregate{}} {
		typ := reflect.TypeOf(v)
		for i := range typ.NumField() {
			if name := typ.Name() + "." + typ.Field(i).Name; !set[name] && !skip[name] {
				t.Errorf("%s is empty", name)
			}
		}
	}
}

// visit notes the fields that are not empty anywhere.
func visit(v reflect.Value, set map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Type().Elem().PkgPath() != "" && v.Type().Elem().Name() != "File" && v.Type().Elem().Name() != "FileSet" {
			visit(v.Elem(), set)
		}
	case reflect.Slice:
		for i := range v.Len() {
			visit(v.Index(i), set)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.IsExported() && !v.Field(i).IsZero() {
				set[v.Type().Name()+"."+f.Name] = true
				visit(v.Field(i), set)
			}
		}
	}
}

// TestEverythingHasAllKeys checks that the spec above has every key of the table.
func TestEverythingHasAllKeys(t *testing.T) {
	text, err := os.ReadFile("testdata/everything.causet")
	if err != nil {
		t.Fatal(err)
	}
	var s struct {
		Properties  map[string]any
		Definitions map[string]json.RawMessage
	}
	if err := json.Unmarshal(JSONSchema(), &s); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	for key := range s.Properties {
		keys[key] = true
	}
	for _, raw := range s.Definitions {
		var d struct {
			Properties map[string]any
			AnyOf      []struct{ Properties map[string]any }
		}
		if err := json.Unmarshal(raw, &d); err != nil {
			t.Fatal(err)
		}
		for key := range d.Properties {
			keys[key] = true
		}
		for _, form := range d.AnyOf {
			for key := range form.Properties {
				keys[key] = true
			}
		}
	}
	if len(keys) < 120 {
		t.Errorf("only %d keys", len(keys))
	}
	for key := range keys {
		if !strings.Contains(string(text), key+":") {
			t.Errorf("no %s in everything.causet", key)
		}
	}
	for _, op := range opNames {
		if !strings.Contains(string(text), "op: "+op) {
			t.Errorf("no op %s in everything.causet", op)
		}
	}
}

// TestBoundNames checks that names which `as` and `into` bind are references where they are bound, and words elsewhere.
func TestBoundNames(t *testing.T) {
	ops := everything(t).Actions[0].Core.Rules[0].Then
	kind := func(op int, key string) spec.ValueKind {
		for _, e := range ops[op].Payload {
			if e.Key.Value == key {
				return e.Value.Kind
			}
		}
		t.Fatalf("no %s in op %d", key, op)
		return 0
	}
	for what, got := range map[string]bool{
		"a name that into of an earlier op bound": kind(14, "one") == spec.ValueExpr,
		"a name that as bound, behind its loop":   kind(14, "row") == spec.ValueConst,
		"a name that another rule's into bound":   ops[5].Value.Kind == spec.ValueConst,
		"a name that as bound, in its loop":       ops[12].Then[0].Value.Kind == spec.ValueExpr,
		"item in emit_each":                       kind(15, "whole") == spec.ValueExpr,
		"a name that into bound, as an id":        ops[16].ToID.Kind == spec.ValueExpr,
		"a slash path in from":                    ops[9].From != nil && ops[9].FromExpr == nil,
		"an expression in from":                   ops[11].From == nil && ops[11].FromExpr != nil,
		"another spelling of for_each":            ops[13].Kind.Value == "foreach" && ops[13].ForEach != nil,
		"the keys of a cap":                       ops[1].CapMin.Const.Text == "0" && ops[1].CapMax.Const.Text == "10",
		"a condition that is a text":              ops[6].Where != nil,
	} {
		if !got {
			t.Error(what)
		}
	}
}

// TestValues checks what stands in value position.
func TestValues(t *testing.T) {
	r := loadText(t, `resources:
  r: { a: 0x1F, b: "1", c: 'one two', d: true, e: ~, f: -1.50, g: global, h: 9223372036854775808, i: 1_000, j: [1, { k: event.x }], k: "'quoted'", l: 08, m: 1e3, n: "" }
`)
	if len(r.Diagnostics) > 0 {
		t.Fatalf("findings:\n%s", show(r))
	}
	want := map[string]string{
		"a": "int 31", "b": "int 1", "c": "string one two", "d": "bool true", "e": "null null", "f": "decimal -1.50", "g": "string global",
		"h": "decimal 9223372036854775808", "i": "int 1000", "k": "string quoted", "l": "int 8", "m": "decimal 1e3", "n": "string ",
	}
	kinds := map[spec.LitKind]string{spec.LitInt: "int", spec.LitDecimal: "decimal", spec.LitString: "string", spec.LitBool: "bool", spec.LitNull: "null"}
	for _, e := range r.Program.Resources[0].Rows {
		if e.Key.Value == "j" {
			if e.Value.Kind != spec.ValueList || e.Value.Items[1].Entries[0].Value.Kind != spec.ValueExpr {
				t.Errorf("list %+v", e.Value)
			}
			continue
		}
		if got := kinds[e.Value.Const.Kind] + " " + e.Value.Const.Text; got != want[e.Key.Value] {
			t.Errorf("%s: got %s, want %s", e.Key.Value, got, want[e.Key.Value])
		}
	}
}

// TestSuppressions checks which part of the text a comment speaks of.
func TestSuppressions(t *testing.T) {
	r, err := Load(context.Background(), Options{Args: []string{"testdata/golden/suppress.causet"}})
	if err != nil {
		t.Fatal(err)
	}
	f := r.Program.Set.Files()[0]
	want := []struct{ rules, reason, from, to string }{
		{"CS123", "the whole file", "# causetc:ignore-file", "no directive\n"},
		{"CS201 CS202", "the whole state", "  seat:", "title: string"},
		{"CS203", "", "  hall:", "CS203"},
		{"CS204", "an item", "      - name: title", "type: string"},
		{"CS205", "a line", "      - { name: row", "-- a line"},
	}
	if len(r.Program.Suppressions) != len(want) {
		t.Fatalf("%d suppressions", len(r.Program.Suppressions))
	}
	for i, w := range want {
		s := r.Program.Suppressions[i]
		scope := string(f.Text[f.Offset(s.Scope.Start):f.Offset(s.Scope.End)])
		var rules []string
		for _, rule := range s.Rules {
			rules = append(rules, rule.ID)
			if got := string(f.Text[f.Offset(rule.Span.Start):f.Offset(rule.Span.End)]); got != rule.ID {
				t.Errorf("%s is at %q", rule.ID, got)
			}
		}
		if got := strings.Join(rules, " "); got != w.rules || s.Reason != w.reason || !strings.HasPrefix(scope, w.from) || !strings.HasSuffix(scope, w.to) {
			t.Errorf("%d: %s, %q, scope:\n%s", i, got, s.Reason, scope)
		}
		if s.Whole != (i == 0) {
			t.Errorf("%d: whole %v", i, s.Whole)
		}
	}
}

// FuzzLoad loads any text. Nothing may panic or hang, all places must lie in the file, and a second load says the same.
func FuzzLoad(f *testing.F) {
	for _, path := range []string{"testdata/everything.causet", "testdata/golden/structure.causet", "testdata/golden/traps.causet", "testdata/golden/quotes.causet",
		"testdata/golden/recovery.causet", "testdata/golden/spans.causet", "testdata/golden/yamlkeys.causet", "testdata/golden/suppress.causet"} {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("a: &a [*a]\n<<: *a\n")
	f.Add("\ufeffstate: {a: {entity_key: x?, fields: {b: \"\\u00e9\"}}}\r\n---\r\nevents: |2-\r\n   x\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := loadText(t, text)
		for _, d := range r.Diagnostics {
			file := r.Program.Set.File(d.Span.Start)
			if !d.Span.IsValid() || d.Span.End < d.Span.Start || file == nil || file.Offset(d.Span.End) > len(file.Text) || d.Message == "" || d.Severity == 0 {
				t.Fatalf("%+v", d)
			}
		}
		if again := loadText(t, text); !reflect.DeepEqual(again.Diagnostics, r.Diagnostics) {
			t.Fatalf("first:\n%v\nthen:\n%v", r.Diagnostics, again.Diagnostics)
		}
	})
}
