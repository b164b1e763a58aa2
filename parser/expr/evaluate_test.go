package expr

import (
	"slices"
	"strings"
	"testing"
)

func TestEvaluate(t *testing.T) {
	for text, want := range map[string]string{
		"1 + 2 * 3":                 `int:"7"`,
		"7 - 10":                    `int:"-3"`,
		"-7 % 3":                    `int:"-1"`,
		"-7.5 % 2":                  `decimal:"-1.5"`,
		"-(-3)":                     `int:"3"`,
		"-1.50":                     `decimal:"-1.5"`,
		"6 / 3":                     `int:"2"`,
		"7 / 2":                     `decimal:"3.5"`,
		"6.0 / 3":                   `decimal:"2"`,
		"2 / 3":                     `decimal:"0.6666666666666666666666666666666667"`,
		"0.1 + 0.2 == 0.3":          `bool:"true"`,
		"100 * 1.5 - 50":            `decimal:"100"`,
		"0.0 * -1":                  `decimal:"0"`,
		"9223372036854775807 + 1.0": `decimal:"9223372036854775808"`,
		"null + 1":                  "null:\"null\"",
		"-null":                     "null:\"null\"",
		"null < 1":                  "null:\"null\"",
		"null == null":              `bool:"true"`,
		"null != 1":                 `bool:"true"`,
		"1 == 1.0":                  `bool:"true"`,
		"'a' < 'b'":                 `bool:"true"`,
		"2 <= 1":                    `bool:"false"`,
		"2 > 1":                     `bool:"true"`,
		"2 >= 2":                    `bool:"true"`,
		"true != false":             `bool:"true"`,
		"!null":                     `bool:"true"`,
		"true || 1 / 0":             `bool:"true"`,
		"false && 1 / 0":            `bool:"false"`,
		"null || true":              `bool:"true"`,
		"null ? 1 : 2":              `int:"2"`,
		"true ? 1 : 1 / 0":          `int:"1"`,
		"null ?: 'x'":               `string:"x"`,
		"0 ?: 1 / 0":                `int:"0"`,
	} {
		n, _ := Parse(text)
		l, problem := Evaluate(n)
		if problem != nil || dump(l) != want {
			t.Errorf("%s: got %v %v, want %s", text, l, problem, want)
		}
	}
}

func TestEvaluateProblems(t *testing.T) {
	for _, c := range []struct{ text, at, message string }{
		{"2 * (1 / 0)", "1 / 0", "division by zero"},
		{"1 % 0.0", "1 % 0.0", "division by zero"},
		{"9223372036854775807 * 2", "9223372036854775807 * 2", "64 bits"},
		{"-(-9223372036854775808)", "-(-9223372036854775808)", "64 bits"},
		{"-9223372036854775808 / -1", "-9223372036854775808 / -1", "64 bits"},
		{"'a' + 1", "'a'", "concat"},
		{"1 * true", "true", "needs numbers, not true"},
		{"-'a'", "'a'", "needs a number, not the text 'a'"},
		{"1 ? 2 : 3", "1", "true or false"},
		{"!'a'", "'a'", "true or false"},
		{"true && 'a'", "'a'", "true or false"},
		{"1 == 'a'", "1 == 'a'", "can't compare 1 with the text 'a'"},
		{"null < true", "null < true", "orders numbers or texts"},
		{"event.x", "event.x", "not a constant"},
		{strings.Repeat("9", 900) + ".0 * " + strings.Repeat("9", 900) + ".0", "", "1000 digits"},
	} {
		n, _ := Parse(c.text)
		l, problem := Evaluate(n)
		if problem == nil {
			t.Errorf("%s: got %v", c.text, l)
			continue
		}
		at := c.text[problem.Range.From:problem.Range.To]
		if c.at != "" && at != c.at || !strings.Contains(problem.Message, c.message) {
			t.Errorf("%s: got %q %s, want %q %s", c.text, at, problem.Message, c.at, c.message)
		}
	}
}

func TestNamespaces(t *testing.T) {
	names := Namespaces()
	if !slices.Contains(names, "event") || !slices.Contains(names, "platform") || len(names) != 15 {
		t.Errorf("got %v", names)
	}
	names[0] = "changed"
	if Namespaces()[0] == "changed" {
		t.Error("the list can be changed from outside")
	}
}

// The lexer serves participle's readers as well as its texts.
func TestParseReader(t *testing.T) {
	r, err := grammar.Parse("", strings.NewReader("a + 'b'"))
	if err != nil || dump(r.node) != `(+ a string:"b")` {
		t.Errorf("got %v %v", r, err)
	}
}
