package names

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir/expr"
	parserexpr "github.com/causetc/causetc/parser/expr"
	"github.com/causetc/causetc/spec"
)

// never reports whether a name is one of those that no expression may use, which has a rule of its own.
func never(name string) bool {
	root, _, _ := strings.Cut(name, ".")
	for _, n := range []string{name, root} {
		if f, ok := expr.LookupFunction(n); ok && !f.Allowed() {
			return true
		}
	}
	return false
}

func allowedFunctions() []string {
	var names []string
	for _, f := range expr.Functions() {
		if f.Allowed() {
			names = append(names, f.Name)
		}
	}
	return names
}

// otherFunctions are functions of other languages, with ours.
var otherFunctions = map[string]string{
	"length": "size", "len": "size", "count": "size", "ifnull": "isnull", "nvl": "isnull", "least": "min", "greatest": "max",
	"ceiling": "ceil", "includes": "contains", "concat_ws": "join", "if": "condition ? one : other", "strcat": "concat",
}

func runFunctions(p *analysis.Pass) error {
	known := allowedFunctions()
	eachCall(p, func(s *sites.Site, call *spec.Call) {
		at := s.Expr.Span(call.Fn)
		if call.Name == "" {
			p.Reportf(at, "only a function can be called, by its name, such as concat(a, b)")
			return
		}
		if _, ok := expr.LookupFunction(call.Name); ok || never(call.Name) {
			return
		}
		hint, fixes := p.SuggestWord(call.Name, known, at, "")
		if hint == "" || otherFunction(call.Name) != "" {
			hint, fixes = insteadOf(call.Name, known), nil
		}
		p.Report(spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf("there is no function %q; %s", call.Name, hint)})
	})
	return nil
}

// otherFunction returns what does here what a function of another language does, or "".
func otherFunction(name string) string {
	return otherFunctions[strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])]
}

// insteadOf says what to write instead of an unknown function whose name is like none that there is.
func insteadOf(name string, known []string) string {
	root, _, dotted := strings.Cut(name, ".")
	last := strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	if other := otherFunction(name); other != "" {
		return "write " + other
	}
	if f, ok := expr.LookupFunction(last); ok && f.Allowed() {
		return "write " + last
	}
	all := "the functions are " + strings.Join(known, ", ")
	switch {
	case !parserexpr.IsNamespace(root):
		return all
	case !dotted:
		return "what " + root + " holds is read by its name, as in " + root + ".NAME; " + all
	}
	return "a value has no methods; it is given to a function, as in size(" + name[:strings.LastIndexByte(name, '.')] + "); " + all
}

func runArguments(p *analysis.Pass) error {
	eachCall(p, func(s *sites.Site, call *spec.Call) {
		f, ok := expr.LookupFunction(call.Name)
		if !ok || !f.Allowed() {
			return
		}
		least, most := f.Arity()
		if n := len(call.Args); n < least || most >= 0 && n > most {
			p.Reportf(s.Expr.Span(call), "%s takes %s, not %d%s", call.Name, arguments(least, most), n, example(f))
		}
	})
	return nil
}

// example shows how a function is called.
func example(f *expr.Function) string {
	if len(f.Examples) == 0 {
		return ""
	}
	return ", as in " + f.Examples[0].Expr
}

func arguments(least, most int) string {
	plural := "s"
	if least == 1 {
		plural = ""
	}
	switch {
	case most < 0:
		return fmt.Sprintf("at least %d argument%s", least, plural)
	case least == most:
		return fmt.Sprintf("%d argument%s", least, plural)
	}
	return fmt.Sprintf("%d to %d arguments", least, most)
}

func runNamespaces(p *analysis.Pass) error {
	for i := range p.Paths {
		s, id, lone := p.Paths[i].Site, p.Paths[i].Root, p.Paths[i].Lone()
		if s.Bound[id.Name] || lone && s.Place == sites.BucketField || never(id.Name) {
			continue
		}
		at := s.Expr.Span(id)
		switch {
		case id.Name == "it" || id.Name == "item":
			loopName(p, s, id, at)
		case lone:
			loneWord(p, s, id, at)
		case !parserexpr.IsNamespace(id.Name):
			cause := ""
			if s.Action != nil {
				cause = symbols.Text(s.Action.Name) + " " + id.Name
			}
			hint, fixes := suggestRoot(p, id.Name, at, s)
			p.ReportCause(cause, readToo, spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf("%q is not a name that can be read here; %s", id.Name, hint)})
		case s.Projection != nil:
			inProjection(p, id.Name, at)
		case id.Name == "derived" && s.Query == nil:
			p.Reportf(at, "derived holds the columns of a projection, and there are none here; read the value where it comes from, such as event.NAME or entity.NAME")
		case s.Place == sites.EventEntity && (id.Name == "intent" || id.Name == "input"):
			p.Reportf(at, "an event knows its own payload, not the input of the action that emits it; write event.NAME, and emit the value with the event")
		case s.Query != nil && id.Name != "input":
			p.Reportf(at, "a query knows only its input, not %s; pass the value in and write input.NAME", id.Name)
		}
	}
	return nil
}

func suggestRoot(p *analysis.Pass, name string, at spec.Span, s *sites.Site) (hint string, fixes []spec.Fix) {
	if dotted := divided(s, name); dotted != "" {
		return "a slash divides in an expression; write " + dotted, nil
	}
	otherwise := "a path begins with " + either(namespacesAt(s)) + "; a text needs quotes"
	if len(s.Bound) > 0 {
		return p.Suggest(name, append(symbols.Names(s.Bound), namespacesAt(s)...), at, otherwise)
	}
	return p.SuggestWord(name, namespacesAt(s), at, otherwise)
}

// either joins names with commas and a last "or".
func either(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// namespacesAt returns the names that a path can begin with.
func namespacesAt(s *sites.Site) []string {
	switch {
	case s.Query != nil:
		return []string{"input"}
	case s.Projection != nil:
		return []string{"event", "derived", "resources"}
	case s.Event != nil && s.Place == sites.EventEntity:
		return []string{"event"}
	}
	return []string{"event", "intent", "input", "entity", "state", "resources", "envelope"}
}

// loneWord reports a word without a dot inside a larger expression, where only references and quoted texts have a meaning.
func loneWord(p *analysis.Pass, s *sites.Site, id *spec.Ident, at spec.Span) {
	switch s.Place {
	case sites.OpWhere, sites.OpBy, sites.OpForEach, sites.OpFrom, sites.ListenerWhere:
		return // perhaps a field of the item at hand
	}
	hint := "a text needs quotes: '" + id.Name + "'"
	switch dotted := divided(s, id.Name); {
	case dotted != "":
		hint = "a slash divides in an expression; write " + dotted
	case s.Query == nil && s.State != nil && sites.HasField(s.State.Fields, id.Name):
		hint = "write entity." + id.Name + ", or '" + id.Name + "' for the text"
	case s.Action != nil && sites.HasField(s.Action.Input, id.Name):
		hint = "write intent." + id.Name + ", or '" + id.Name + "' for the text"
	case declaredBySource(s, id.Name):
		hint = "write event.payload." + id.Name + ", or '" + id.Name + "' for the text"
	case parserexpr.IsNamespace(id.Name):
		hint = "name what to read of it, such as " + id.Name + ".NAME"
	}
	p.Reportf(at, "the word %s means nothing here; %s", id.Name, hint)
}

func declaredBySource(s *sites.Site, name string) bool {
	for _, e := range s.Sources {
		if sites.HasField(e.Payload, name) {
			return true
		}
	}
	return false
}

// inProjection reports names that a projection can't read.
func inProjection(p *analysis.Pass, name string, at spec.Span) {
	switch name {
	case "entity", "state":
		p.Reportf(at, "a projection sees the event, not the entity's state, which may have moved on when the event arrives; "+
			"emit the value in the event's payload and write event.payload.NAME")
	case "intent", "input":
		p.Reportf(at, "a projection sees the event, not the action's input; emit the value in the event's payload and write event.payload.NAME")
	case "project", "projection", "aggregate", "global", "platform", "envelope":
		p.Reportf(at, "a projection can't read %s: a row is made from its events alone, so that it can be made again; "+
			"use the event's payload, or an aggregate for sums", name)
	}
}
