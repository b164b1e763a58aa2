package expr

import (
	"strings"
	"sync"
	"testing"
)

// values holds texts in value position: what they mean as a tree, and a part of the problem where there is one.
var values = []struct{ text, tree, problem string }{
	// lone words
	{"blocked", `string:"blocked"`, ""},
	{"global", `string:"global"`, ""},
	{"event", `string:"event"`, ""},
	{"now", `string:"now"`, ""},
	{"concat", `string:"concat"`, ""},
	{"blocked\n", `string:"blocked"`, ""},
	{"match", "match", ""}, // bound in this test
	{"", `string:""`, ""},
	{"  ", `string:"  "`, ""},
	// literals
	{"-1", `int:"-1"`, ""},
	{"60 * 60", `int:"3600"`, ""},
	{"true", `bool:"true"`, ""},
	{"null", `null:"null"`, ""},
	{"'quoted text'", `string:"quoted text"`, ""},
	{`"in-progress"`, `string:"in-progress"`, ""},
	{"1.50", `decimal:"1.50"`, ""},
	{"10 / 4", `decimal:"2.5"`, ""},
	{"1 / 3", `decimal:"0.3333333333333333333333333333333333"`, ""},
	{"0.1 + 0.2", `decimal:"0.3"`, ""},
	{"1 > 2 ? 'a' : 'b'", `string:"b"`, ""},
	{"1 / 0", `string:"1 / 0"`, "division by zero"},
	{"'a' + 'b'", `string:"'a' + 'b'"`, "concat"},
	{"9223372036854775807 + 1", `string:"9223372036854775807 + 1"`, "64 bits"},
	// expressions
	{"event.owner", "(. event owner)", ""},
	{"match.id", "(. match id)", ""},
	{"0 - event.amount", `(- int:"0" (. event amount))`, ""},
	{"resources['fees']", `(index resources string:"fees")`, ""},
	{"concat('a_', intent.id)", `(call concat:concat string:"a_" (. intent id))`, ""},
	{"uuid()", "(call uuid:uuid)", ""},
	{"hello(world)", "(call hello:hello world)", ""},
	{"System.nanoTime", "(. System nanoTime)", ""},
	{"in-progress + event.x", "(+ (- in progress) (. event x))", ""},
	{"1 + match", `(+ int:"1" match)`, ""},
	// words and operators
	{"in-progress", `string:"in-progress"`, "\"'in-progress'\""},
	{"read/write", `string:"read/write"`, "quotes"},
	{"refund (partial)", `string:"refund (partial)"`, "quotes"},
	{"pre-event", `string:"pre-event"`, "quotes"},
	{"2024-11-15", `string:"2024-11-15"`, "quotes"},
	{"'a'.b", `string:"'a'.b"`, "quotes"},
	// paths with an unknown root
	{"evnt.owner", `string:"evnt.owner"`, "did you mean `event`"},
	{"Event.owner", `string:"Event.owner"`, "did you mean `event`"},
	{"inputs.a + 1", `string:"inputs.a + 1"`, "did you mean `input`"},
	{"example.com", `string:"example.com"`, "quotes"},
	{"user.created", `string:"user.created"`, "quotes"},
	// no expressions
	{"Hello, world!", `string:"Hello, world!"`, ""},
	{"it's", `string:"it's"`, ""},
	{"Email(s) sent", `string:"Email(s) sent"`, ""},
	{"12:30", `string:"12:30"`, ""},
	{"007", `string:"007"`, ""},
	{"50%", `string:"50%"`, ""},
	{"1.2.3", `string:"1.2.3"`, ""},
	{"http://example.com/a?b=c", `string:"http://example.com/a?b=c"`, ""},
	{"at max (10 items)", `string:"at max (10 items)"`, ""},
	{"the 'event.x' field", `string:"the 'event.x' field"`, ""},
	{"see the event. Then", `string:"see the event. Then"`, ""},
	{"größe", `string:"größe"`, ""},
	{"event.x +", `string:"event.x +"`, "after `+`"},
	{"concat(a, b", `string:"concat(a, b"`, "never closed"},
	{"event.a = event.b", `string:"event.a = event.b"`, "`==`"},
	{"evnt.a = 'b'", `string:"evnt.a = 'b'"`, "`==`"},
	{"don't read event.x", `string:"don't read event.x"`, "quotes inside the YAML quotes"},
	{"match.id )", `string:"match.id )"`, "closes nothing"},
	{"entity[", `string:"entity["`, "`[`"},
	{"uuid(", `string:"uuid("`, "never closed"},
	{"Math.random(", `string:"Math.random("`, "never closed"},
}

func boundInTests(name string) bool { return name == "match" }

func TestParseValue(t *testing.T) {
	var cache Cache
	for _, c := range values {
		v, problems := ParseValue(c.text, boundInTests)
		got := ""
		if v.Const != nil {
			got = dump(v.Const)
		} else {
			got = dump(v.Root)
		}
		if got != c.tree || (len(problems) > 0) != (c.problem != "") {
			t.Errorf("%q: got %s %v, want %s %s", c.text, got, problems, c.tree, c.problem)
			continue
		}
		if c.problem != "" {
			asks := strings.Contains(c.problem, "quotes") || strings.Contains(c.problem, "\"'")
			if !strings.Contains(problems[0].Message, c.problem) || asks && c.text != "don't read event.x" != problems[0].Warning {
				t.Errorf("%q: got %v, want %s", c.text, problems, c.problem)
			}
		}
		for range 2 {
			again, problemsAgain := cache.ParseValue(c.text, boundInTests)
			if (again.Const == nil) != (v.Const == nil) || len(problemsAgain) != len(problems) {
				t.Errorf("%q: the cache answers %v %v", c.text, again, problemsAgain)
			}
		}
	}
}

func TestParseValueTooLong(t *testing.T) {
	if _, problems := ParseValue(strings.Repeat("(", 200_000), nil); len(problems) != 1 || problems[0].Warning {
		t.Errorf("got %v", problems)
	}
}

func TestCacheShares(t *testing.T) {
	var cache Cache
	var wait sync.WaitGroup
	trees := make([]any, 8)
	for i := range trees {
		wait.Go(func() {
			n, _ := cache.Parse("event.a + event.b")
			trees[i] = n
		})
	}
	wait.Wait()
	for _, n := range trees {
		if n != trees[0] {
			t.Fatal("equal texts have different trees")
		}
	}
	if n, problems := (*Cache)(nil).Parse("a = b"); dump(n) != "(== a b)" || len(problems) != 1 {
		t.Errorf("a nil cache answers %s %v", dump(n), problems)
	}
}

func TestNearNamespace(t *testing.T) {
	for name, want := range map[string]string{
		"evnt": "event", "evnet": "event", "Event": "event", "inten": "intent", "entty": "entity", "resource": "resources",
		"event": "", "is": "", "its": "", "user": "", "time": "", "payload": "", "a": "", "": "",
	} {
		if got := NearNamespace(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
