// Package declarations holds the rules on what is declared: names, fields, lists, and what does not belong in a spec.
package declarations

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docListedTwice, Run: runListedTwice},
		{Doc: docField, Run: runFields},
		{Doc: docDuration, Run: runDurations},
		{Doc: docNaming, Run: runNaming},
		{Doc: docReserved, Requires: analysis.NeedSites, Run: runReserved},
		{Doc: docEntityExpr, Absent: analysis.InDefinition, Run: runEntityExpr},
		{Doc: docShape, Run: runShapes},
		{Doc: docCredential, Run: runCredentials},
		{Doc: docItems, Run: runItems},
	}
}

// runListedTwice finds names that stand twice in a list.
func runListedTwice(p *analysis.Pass) error {
	twice := func(list []*spec.Scalar, severity spec.Severity, where string) {
		first := map[string]*spec.Scalar{}
		for _, s := range list {
			if s == nil {
				continue
			}
			if before := first[s.Value]; before != nil {
				p.Report(spec.Diagnostic{
					Span: s.Span(), Severity: severity, Fixes: removal(s), Message: fmt.Sprintf("%s stands twice in %s; remove one, or correct the name", s.Value, where),
					Related: []spec.Related{{Span: before.Span(), Message: "the first one"}},
				})
				continue
			}
			first[s.Value] = s
		}
	}
	for _, pr := range p.Program.Projections {
		name := " of projection " + symbols.Text(pr.Name)
		twice(pr.SourceEvents, spec.Warning, "source_events"+name)
		twice(pr.PrimaryKey, spec.Error, "the primary key"+name)
		for _, index := range pr.Indexes {
			twice(index.Columns, spec.Error, "an index"+name)
		}
	}
	for _, q := range p.Program.Queries {
		name := " of query " + symbols.Text(q.Name)
		twice(q.Fields, spec.Error, "fields"+name)
		twice(q.GroupBy, spec.Warning, "group_by"+name)
		twice(q.CoalesceZero, spec.Warning, "coalesce_zero"+name)
		twice(q.Windows, spec.Warning, "the windows"+name)
	}
	for _, m := range p.Program.Memories {
		twice(m.SourceEvents, spec.Warning, "source_events of memory "+symbols.Text(m.Name))
	}
	for _, d := range p.Program.Decisions {
		twice(d.Memories, spec.Warning, "the memories of decision "+symbols.Text(d.Name))
	}
	return nil
}

// removal takes the second of two equal names out of a list, which means the same then.
func removal(s *spec.Scalar) []spec.Fix {
	edit, ok := analysis.RemoveItem(s)
	if !ok {
		return nil
	}
	return []spec.Fix{{Message: "remove it", Edits: []spec.Edit{edit}}}
}

// runFields finds fields of a state that are declared twice, in whatever spelling of their path.
func runFields(p *analysis.Pass) error {
	for _, s := range p.Program.States {
		duplicateFields(p, "state "+symbols.Text(s.Name)+" declares", s.Fields)
	}
	return nil
}

func duplicateFields(p *analysis.Pass, declares string, fields []*spec.Field) {
	first := map[string]*spec.Field{}
	for _, f := range fields {
		if f.Name == nil {
			continue
		}
		duplicateFields(p, "the items of "+f.Name.Value+" declare", f.ItemFields)
		path := sites.SlashPath(f.Name.Value)
		if before := first[path]; before != nil {
			p.Report(spec.Diagnostic{
				Span:    f.Name.Span(),
				Message: fmt.Sprintf("%s %s twice, and only one of the two can count; rename or remove one", declares, f.Name.Value),
				Related: []spec.Related{{Span: before.Name.Span(), Message: "the first one"}},
			})
			continue
		}
		first[path] = f
	}
}

var (
	screaming = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`)
	snake     = regexp.MustCompile(`^[a-z_][a-z0-9_/]*$`)
)

// runNaming hints at names that do not follow the conventions.
func runNaming(p *analysis.Pass) error {
	check := func(kind symbols.Kind, name *spec.Scalar, form *regexp.Regexp, want string) {
		if name != nil && name.Value != "" && !form.MatchString(name.Value) && !strings.Contains(name.Value, "{{") {
			p.Reportf(name.Span(), "the name of %s %s is not in %s, in which %s are written by convention; write %s", kind, name.Value, want,
				plural(kind), inForm(name.Value, want))
		}
	}
	const upper, lower = "SCREAMING_SNAKE", "snake_case"
	for _, x := range p.Program.Events {
		check(symbols.Event, x.Name, screaming, upper)
	}
	for _, x := range p.Program.Actions {
		check(symbols.Action, x.Name, screaming, upper)
	}
	for _, x := range p.Program.States {
		check(symbols.State, x.Name, snake, lower)
	}
	for _, x := range p.Program.Projections {
		check(symbols.Projection, x.Name, snake, lower)
	}
	for _, x := range p.Program.Queries {
		check(symbols.Query, x.Name, snake, lower)
	}
	for _, x := range p.Program.Relationships {
		check(symbols.Relationship, x.Name, snake, lower)
	}
	for _, x := range p.Program.Sagas {
		check(symbols.Saga, x.Name, snake, lower)
	}
	for _, x := range p.Program.Resources {
		check(symbols.Resource, x.Name, snake, lower)
	}
	return nil
}

func plural(kind symbols.Kind) string {
	if kind == symbols.State {
		return "states"
	}
	return kind.Section()
}

// inForm writes a name in the form that is the convention.
func inForm(name, form string) string {
	var b strings.Builder
	lower := false
	for _, r := range name {
		switch {
		case r == '-' || r == ' ' || r == '.':
			r = '_'
		case 'A' <= r && r <= 'Z' && lower:
			b.WriteByte('_')
		}
		lower = 'a' <= r && r <= 'z' || '0' <= r && r <= '9'
		b.WriteRune(r)
	}
	if form == "snake_case" {
		return strings.ToLower(b.String())
	}
	return strings.ToUpper(b.String())
}

func runEntityExpr(p *analysis.Pass) error {
	for _, e := range p.Program.Events {
		if e.EntityExpr == nil && e.Name != nil {
			p.Reportf(e.Name.Span(), "event %s does not say which %s it belongs to, so it is that of the action that emits it; write entity_expr: event.%s to say so",
				e.Name.Value, orWord(symbols.Text(e.State), "entity"), entityField(p, e))
		}
	}
	return nil
}

func orWord(word, otherwise string) string {
	if word == "" {
		return otherwise
	}
	return word
}

// entityField is the payload field that most likely holds the entity's id.
func entityField(p *analysis.Pass, e *spec.Event) string {
	key := "entity_id"
	if s := p.Symbols.StreamState(symbols.Text(e.State)); s != nil && s.EntityKey != nil {
		key = s.EntityKey.Value
	}
	if sites.HasField(e.Payload, key) {
		return key
	}
	return "entity_id"
}
