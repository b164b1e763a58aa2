package fold_test

import (
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
)

func TestMatches(t *testing.T) {
	table := stockTable(t, ir.Ordered)
	row := table.NewRow()
	w := upsert(name("Ärger"), fold.CellWrite{Column: levelSlot, Value: expr.Int(5)})
	w.Sums = add(3).Sums
	if err := table.Apply(&row, &w, fold.MakeOrder(1, 0, 0, 0)); err != nil {
		t.Fatal(err)
	}
	key := []expr.Value{expr.Int(7)}
	for _, test := range []struct {
		column, op, value string
		want              bool
	}{
		{"id", "eq", `7`, true}, {"id", "eq", `7.0`, true}, {"id", "neq", `7`, false}, {"id", "eq", `"7"`, true},
		{"level", "gt", `4`, true}, {"level", "gt", `5`, false}, {"level", "gte", `5`, true}, {"level", "lt", `6`, true},
		{"level", "lt", `5`, false}, {"level", "lte", `5`, true}, {"level", "neq", `4`, true},
		{"count", "eq", `3`, true}, {"weight", "lt", `0.5`, true},
		{"level", "in", `[4,5]`, true}, {"level", "in", `[]`, false}, {"level", "in", `[null,4]`, false}, {"level", "in", `[null,5]`, true},
		{"level", "nin", `[4,6]`, true}, {"level", "nin", `[]`, true}, {"level", "nin", `[5]`, false}, {"level", "nin", `[null,4]`, false},
		{"name", "like", `"Är%"`, true}, {"name", "like", `"är%"`, false}, {"name", "ilike", `"äR%"`, true}, {"name", "like", `"_rg%r"`, true},
		{"name", "like", `"Ärger_"`, false}, {"name", "like", `"%e%e%"`, false}, {"level", "like", `"5"`, true},
		{"name", "gt", `"Z"`, true}, // by code points
		{"name", "eq", `null`, false}, {"name", "neq", `null`, true}, {"name", "in", `null`, false}, {"name", "nin", `null`, false},
		{"price", "eq", `null`, true}, {"price", "neq", `null`, false}, {"level", "eq", `null`, false}, {"level", "neq", `null`, true},
		{"price", "gte", `null`, false}, {"price", "in", `[null]`, false},
		{"price", "eq", `1`, false}, {"price", "neq", `1`, false}, {"price", "nin", `[1]`, false}, {"price", "like", `"%"`, false},
	} {
		h := ir.Handler{Op: ir.BulkUpdate, Where: []ir.Predicate{
			{Column: test.column, Op: test.op, Value: payload("v")},
			{Column: "id", Op: "eq", Value: number("7")},
		}}
		bulk := evaluateOne(t, oneHandler(stock(ir.Ordered), h), `{"v":`+test.value+`}`)
		if got := table.Matches(key, &row, bulk); got != test.want {
			t.Errorf("%s %s %s: %t", test.column, test.op, test.value, got)
		}
		if table.Matches([]expr.Value{expr.Int(8)}, &row, bulk) {
			t.Errorf("%s %s %s: one of two conditions was enough", test.column, test.op, test.value)
		}
		gone := row.Clone()
		if err := table.Apply(&gone, &remove, fold.MakeOrder(9, 0, 0, 0)); err != nil || table.Matches(key, &gone, bulk) {
			t.Errorf("%s %s %s: a deleted row matches", test.column, test.op, test.value)
		}
	}
}

func TestLikePatterns(t *testing.T) {
	for _, test := range []struct {
		text, pattern string
		want          bool
	}{
		{"", "", true}, {"", "%", true}, {"", "_", false}, {"a", "", false}, {"abc", "abc", true}, {"abc", "ab", false},
		{"abc", "a%", true}, {"abc", "%c", true}, {"abc", "%b%", true}, {"abc", "_b_", true}, {"abc", "__", false},
		{"a%c", `a\%c`, true}, {"abc", `a\%c`, false}, {"a_c", `a\_c`, true}, {"abc", `a\_c`, false}, {`a\c`, `a\\c`, true},
		{"abc", `\a\b\c`, true}, {"日本語", "日%", true}, {"日本語", "___", true}, {"aab", "%ab", true}, {"aaaa", "%a%b", false},
		{"ab\nc", "a%c", true}, {"mississippi", "m%iss%ip%i", true}, {"x", "%%", true}, {"abcabc", "%abc", true},
	} {
		table := stockTable(t, ir.Ordered)
		row := table.NewRow()
		w := upsert(name(test.text))
		if err := table.Apply(&row, &w, fold.MakeOrder(1, 0, 0, 0)); err != nil {
			t.Fatal(err)
		}
		h := ir.Handler{Op: ir.BulkUpdate, Where: []ir.Predicate{{Column: "name", Op: "like", Value: text(test.pattern)}}}
		bulk := evaluateOne(t, oneHandler(stock(ir.Ordered), h), `{}`)
		if got := table.Matches([]expr.Value{expr.Int(1)}, &row, bulk); got != test.want {
			t.Errorf("%q like %q: %t", test.text, test.pattern, got)
		}
	}
}
