package sql_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

func TestQueryGolden(t *testing.T) {
	for name, p := range programs(t) {
		var b strings.Builder
		for i := range p.Queries {
			s, err := sql.Query(sql.TablesOf(p), &p.Queries[i], sql.Options{})
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&b, "-- %q -> %q\n", p.Queries[i].Name, s.Columns)
			for j, param := range s.Params {
				fmt.Fprintf(&b, "-- $%d %+v\n", j+1, param)
			}
			fmt.Fprintf(&b, "%s;\n\n", s.SQL)
		}
		golden(t, name+".queries.sql", b.String())
	}
}

func query(t *testing.T, program, name string) *sql.Statement {
	t.Helper()
	p := programs(t)[program]
	for i := range p.Queries {
		if p.Queries[i].Name == name {
			s, err := sql.Query(sql.TablesOf(p), &p.Queries[i], sql.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	t.Fatalf("no query %s", name)
	return nil
}

func texts(pairs ...string) map[string]expr.Value {
	values := make(map[string]expr.Value)
	for i := 0; i+1 < len(pairs); i += 2 {
		values[pairs[i]] = expr.String(pairs[i+1])
	}
	return values
}

func TestBindDropsWhatIsNotGiven(t *testing.T) {
	s := query(t, "tickets", "by_show")
	bound, err := s.Bind(sql.Arguments{Inputs: texts("show_id", "s'1")})
	if err != nil {
		t.Fatal(err)
	}
	if want := []any{"s'1"}; !reflect.DeepEqual(bound.Args, want) {
		t.Errorf("args %q, want %q", bound.Args, want)
	}
	if strings.Contains(bound.SQL, "ILIKE") || !strings.HasSuffix(bound.SQL, "LIMIT 50") || strings.Contains(bound.SQL, "s'1") {
		t.Errorf("unexpected\n%s", bound.SQL)
	}
	bound, err = s.Bind(sql.Arguments{Inputs: map[string]expr.Value{
		"show_id": expr.String("x"), "seat": expr.String("a%"), "limit": expr.Int(3)}})
	if err != nil {
		t.Fatal(err)
	}
	if want := []any{"x", "a%", "3"}; !reflect.DeepEqual(bound.Args, want) {
		t.Errorf("args %q, want %q", bound.Args, want)
	}
	if !strings.Contains(bound.SQL, `"tickets"."seat" ILIKE $2::TEXT`) || !strings.HasSuffix(bound.SQL, "LIMIT $3::BIGINT") {
		t.Errorf("unexpected\n%s", bound.SQL)
	}
}

func TestBindListsAndWindows(t *testing.T) {
	s := query(t, "tickets", "expensive")
	bound, err := s.Bind(sql.Arguments{Inputs: texts("shows", `["a", "b,c"]`, "window", "1d"), Moment: expr.Int(86_400_000)})
	if err != nil {
		t.Fatal(err)
	}
	want := []any{[]string{"a", "b,c"}, "1970-01-02 00:00:00+00", "86400 seconds"}
	if !reflect.DeepEqual(bound.Args, want) {
		t.Errorf("args %q, want %q", bound.Args, want)
	}
	bound, err = s.Bind(sql.Arguments{Inputs: texts("shows", "one, with a comma")})
	if err != nil || !reflect.DeepEqual(bound.Args, []any{[]string{"one, with a comma"}}) {
		t.Errorf("args %q, error %v", bound.Args, err)
	}
}

func TestBindErrors(t *testing.T) {
	for _, c := range []struct {
		query  string
		inputs map[string]expr.Value
		want   string
	}{
		{"by_show", nil, "query by_show: parameter show_id: is required"},
		{"by_show", texts("show_id", "x", "sho", "y"), "parameter sho: is unknown; the query takes limit, seat, show_id"},
		{"by_show", texts("show_id", "x", "limit", "many"), "parameter limit: "},
		{"by_show", texts("show_id", "x", "limit", "-1"), "parameter limit: must not be negative"},
		{"by_show", texts("show_id", "nul\x00"), "parameter show_id: "},
		{"everything", texts("a", "b"), "is unknown; the query takes none"},
		{"expensive", texts("window", "24h"), "needs the moment"},
		{"expensive", texts("window", "30h"), "30h is not allowed; the windows are 24h, 7d"},
		{"expensive", texts("window", "soon"), `"soon" is not a window`},
		{"expensive", texts("shows", "[1"), "parameter shows: "},
		{"expensive", texts("shows", "[null]"), "must not hold null"},
	} {
		arguments := sql.Arguments{Inputs: c.inputs}
		if c.inputs["window"].Text() == "30h" || c.inputs["window"].Text() == "soon" {
			arguments.Moment = expr.Int(0)
		}
		_, err := query(t, "tickets", c.query).Bind(arguments)
		var bindErr *sql.BindError
		if !errors.As(err, &bindErr) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s", c.query, err, c.want)
		}
	}
}

func TestQueryErrors(t *testing.T) {
	p := programs(t)["tickets"]
	str := &ir.Expr{Op: ir.OpString, Text: "x"}
	for _, c := range []struct {
		query ir.Query
		want  string
	}{
		{ir.Query{From: "nope"}, "no table nope"},
		{ir.Query{From: "tickets", Joins: []ir.Join{{Table: "tickets", Type: "cross"}}}, "twice"},
		{ir.Query{From: "tickets", Joins: []ir.Join{{Table: "sales", Type: "inner"}}}, `needs "on"`},
		{ir.Query{From: "tickets", Joins: []ir.Join{{Table: "sales", Type: "outer"}}}, "unknown type"},
		{ir.Query{From: "tickets", Fields: []ir.Field{{Name: "x", Column: "tickets.x"}}}, "no column tickets.x"},
		{ir.Query{From: "tickets", Where: []ir.Predicate{{Column: "tickets.seat", Op: "is", Value: str}}}, "unknown operator"},
		{ir.Query{From: "tickets", Where: []ir.Predicate{{Column: "tickets.seat", Op: "eq", Input: "x"}}}, "no input x"},
		{ir.Query{From: "tickets", Where: []ir.Predicate{{Column: "tickets.seat", Op: "in", Value: str}}}, "takes a list"},
		{ir.Query{From: "tickets", Where: []ir.Predicate{{Column: "tickets.price", Op: "gt", Value: str}}}, "NUMERIC"},
		{ir.Query{From: "tickets", Where: []ir.Predicate{{Column: "tickets.seat", Op: "gte_window", Value: str}}}, "needs a moment"},
		{ir.Query{From: "tickets", GroupBy: []string{"tickets.seat"}}, "needs an aggregate"},
		{ir.Query{From: "tickets", Aggregates: []ir.Aggregate{{Name: "a", Func: "first", Column: "tickets.seat"}}}, "order_by"},
		{ir.Query{From: "tickets", Distinct: true, Fields: []ir.Field{{Name: "a", Column: "tickets.seat"}},
			OrderBy: []ir.OrderTerm{{Column: "tickets.price"}}}, "distinct"},
		{ir.Query{From: "tickets", Aggregates: []ir.Aggregate{{Name: "a", Func: "count"}},
			OrderBy: []ir.OrderTerm{{Column: "tickets.price"}}}, "neither grouped"},
		{ir.Query{From: "tickets", ZeroFields: []string{"seat"}}, "is not a number"},
		{ir.Query{From: "tickets", ZeroFields: []string{"pric"}}, "is not a column"},
	} {
		_, err := sql.Query(sql.TablesOf(p), &c.query, sql.Options{})
		var queryErr *sql.QueryError
		if !errors.As(err, &queryErr) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %s", err, c.want)
		}
	}
}
