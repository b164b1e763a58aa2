package expr

import (
	"strings"
	"testing"

	"github.com/causetc/causetc/spec"
)

// seeds returns texts of every kind for the fuzz targets.
func seeds() []string {
	var s []string
	for _, c := range correct {
		s = append(s, c.text)
	}
	for _, c := range wrong {
		s = append(s, c.text)
	}
	for _, c := range values {
		s = append(s, c.text)
	}
	return append(s, "a?:b", "a ? :b:c", "- - - 9223372036854775808", "-9223372036854775808.x",
		"(-9223372036854775808)[1]", `'\\'`, `'\\\'`, "\"\\u0041\\\\u0041\"", "1..2", "a.b.c(d).e[f]", "--9223372036854775808")
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			t.Skip("the bounds have a test of their own")
		}
		n, problems := Parse(text)
		checkPlaces(t, text, n, problems)
		compareWithReference(t, text)
		if len(problems) > 0 {
			return
		}
		again := Format(n)
		if n2, problems := Parse(again); len(again) <= MaxLength && (len(problems) > 0 || dump(n2) != dump(n)) {
			t.Errorf("%q is written as %q, which is read as %s %v", text, again, dump(n2), problems)
		}
		spec.Walk(n, func(m spec.Node) bool {
			r := m.Range()
			if part, _ := Parse(text[r.From:r.To]); len(text) < 200 && dump(part) != dump(m) {
				t.Errorf("%q: %q is %s, not %s", text, text[r.From:r.To], dump(m), dump(part))
			}
			return len(text) < 200
		})
	})
}

// checkPlaces checks what holds of any result: ranges lie in the text, problems are in its order, and a tree has a Bad
// node exactly where there are problems.
func checkPlaces(t *testing.T, text string, n spec.Node, problems []Problem) {
	t.Helper()
	inside := func(r spec.Range) bool { return 0 <= r.From && r.From <= r.To && int(r.To) <= len(text) }
	bad := false
	spec.Walk(n, func(n spec.Node) bool {
		if !inside(n.Range()) {
			t.Errorf("%q: %T at %v", text, n, n.Range())
		}
		bad = bad || isBad(n)
		return true
	})
	if bad && len(problems) == 0 {
		t.Errorf("%q: a bad node without a problem", text)
	}
	for i, p := range problems {
		if !inside(p.Range) || p.Fix != nil && !inside(p.Fix.Range) || p.Message == "" || !validMessage(p.Message) {
			t.Errorf("%q: problem %v", text, p)
		}
		if i > 0 && p.Range.From <= problems[i-1].Range.From {
			t.Errorf("%q: problems out of order: %v", text, problems)
		}
	}
}

// validMessage tells whether a message can be printed on a line.
func validMessage(s string) bool {
	return strings.ToValidUTF8(s, "") == s && !strings.ContainsAny(s, "\x00\n\r\t\x1b")
}

func FuzzParseValue(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	bound := func(name string) bool { return name == "match" }
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4000 {
			t.Skip("the bounds have a test of their own")
		}
		v, problems := ParseValue(text, bound)
		if (v.Const == nil) == (v.Root == nil) {
			t.Fatalf("%q: %v", text, v)
		}
		var n spec.Node = v.Const
		if v.Root != nil {
			n = v.Root
		}
		checkPlaces(t, text, n, problems)
		if v.Const != nil && v.Const.Where != span(0, len(text)) {
			t.Errorf("%q: the constant covers %v", text, v.Const.Where)
		}
		if v.Root != nil && len(problems) > 0 {
			t.Errorf("%q: an expression with problems %v", text, problems)
		}
	})
}
