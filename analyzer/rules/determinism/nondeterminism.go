// Package determinism holds the rules on values that would differ when the same input is processed again, and on ids
// that can't tell two things apart.
package determinism

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/dataflow"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/spec"
)

// Rules returns the rules of this package.
func Rules() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		{Doc: docRandomID, Requires: analysis.NeedFlow, Binding: true, Run: runRandomID},
		{Doc: docRandomValue, Requires: analysis.NeedFlow, Binding: true, Run: runRandomValue},
		{Doc: docUnseparated, Requires: analysis.NeedFlow, Run: runUnseparated},
		{Doc: docTimeKey, Run: runTimeKey},
	}
}

// traces finds for the origins of a kind their ways to ids.
type traces struct {
	sinks   *sinks
	origins []*dataflow.Origin
	routes  []*dataflow.Routes // by use first, then by name
}

func trace(p *analysis.Pass, kind dataflow.OriginKind) *traces {
	t := &traces{origins: p.Flow.Origins(kind)}
	if len(t.origins) == 0 {
		return t
	}
	t.sinks = findSinks(p)
	starts := make([]dataflow.Loc, len(t.origins))
	for i, o := range t.origins {
		starts[i] = o.Loc
	}
	reach := p.Flow.Reach(starts)
	t.routes = []*dataflow.Routes{reach.Routes(t.sinks.id), reach.Routes(t.sinks.named)}
	return t
}

// toID returns the way from an origin to an id, or nil.
func (t *traces) toID(o *dataflow.Origin) []dataflow.Hop {
	for _, r := range t.routes {
		if hops, ok := r.From(o.Loc); ok {
			return hops
		}
	}
	return nil
}

func runRandomID(p *analysis.Pass) error {
	t := trace(p, dataflow.NonDeterministic)
	for _, o := range t.origins {
		hops := t.toID(o)
		if hops == nil {
			continue
		}
		flow := append([]spec.Related{{Span: o.Span(), Message: written(o) + " " + effect(o.Name)}}, dataflow.Flow(hops)...)
		p.Report(spec.Diagnostic{
			Span: o.Span(), Flow: flow,
			Message: fmt.Sprintf("%s %s, and reaches %s: a retry or a replay makes another id, so duplicates are not recognised; %s",
				written(o), effect(o.Name), t.sinks.describe(hops[len(hops)-1].To), insteadOfID(o)),
		})
	}
	return nil
}

func runRandomValue(p *analysis.Pass) error {
	t := trace(p, dataflow.NonDeterministic)
	for _, o := range t.origins {
		if t.toID(o) == nil {
			p.Report(spec.Diagnostic{Span: o.Span(), Message: valueMessage(p, o), Fixes: clockFix(o)})
		}
	}
	return nil
}

// valueMessage says what a call that reaches no id does to the place where it stands.
func valueMessage(p *analysis.Pass, o *dataflow.Origin) string {
	if forbidden(o.Name) {
		return fmt.Sprintf("%s reaches for the machine that runs the expression, which no expression may; "+
			"work it out in the caller and pass the result as input of the action", written(o))
	}
	var first *dataflow.Loc
	p.Flow.Exits(o.Loc, func(_ *dataflow.Edge, to dataflow.Loc) {
		if first == nil {
			first = &to
		}
	})
	switch {
	case o.Site.Query != nil:
		return fmt.Sprintf("%s %s, so one query gives two results; pass the value in as an input and write input.NAME", written(o), effect(o.Name))
	case o.Site.Place.Condition():
		return fmt.Sprintf("%s %s, so this condition can come out otherwise on a replay; %s", written(o), effect(o.Name), insteadOfValue(o))
	case first == nil:
		return fmt.Sprintf("%s %s, so a replay goes another way; %s", written(o), effect(o.Name), insteadOfValue(o))
	}
	return fmt.Sprintf("%s %s, so %s differs on a replay; %s", written(o), effect(o.Name), first.Describe(), insteadOfValue(o))
}

// clockFix replaces a reading of the clock by the time of the event, where there is an event. A condition may be about the real
// time, and a name without a call may be meant as another name, so there it is unsafe.
func clockFix(o *dataflow.Origin) []spec.Fix {
	text := "event.ts"
	switch {
	case o.Site.Query != nil || o.Name == "nanoTime" || !isClock(o.Name):
		return nil
	case o.Name == "today":
		text = "format_date(event.ts)"
	}
	_, isCall := o.Node.(*spec.Call)
	return []spec.Fix{{Message: "write " + text, Unsafe: !isCall || o.Site.Place.Condition(), Edits: []spec.Edit{{Span: o.Span(), New: text}}}}
}

// written is how the author wrote the call, without its arguments.
func written(o *dataflow.Origin) string {
	if _, isCall := o.Node.(*spec.Call); isCall {
		return o.Name + "()"
	}
	return o.Name
}

func forbidden(name string) bool {
	root, _, _ := strings.Cut(name, ".")
	f, ok := expr.LookupFunction(root)
	return ok && f.Forbidden
}

// isClock reports whether a function reads the wall clock.
func isClock(name string) bool {
	switch name {
	case "now", "today", "current_timestamp", "nanoTime":
		return true
	}
	return false
}

// effect says in a clause what is wrong with a function.
func effect(name string) string {
	switch {
	case isClock(name):
		return "reads the clock"
	case forbidden(name):
		return "depends on the machine"
	}
	return "gives another value on every run"
}

func insteadOfValue(o *dataflow.Origin) string {
	if isClock(o.Name) {
		if o.Name == "today" {
			return "write format_date(event.ts), the day that is recorded with the event"
		}
		return "write event.ts, the moment that is recorded with the event"
	}
	return "let the caller choose the value and pass it as input of the action"
}

// insteadOfID suggests an id from what the author has at hand.
func insteadOfID(o *dataflow.Origin) string {
	return "build it from what identifies the thing, such as " + stableID(o.Site)
}

func stableID(s *sites.Site) string {
	var parts []string
	prefix, ns := "'id_'", "event.payload."
	var fields []*spec.Field
	switch {
	case s.Action != nil:
		fields, ns = s.Action.Input, "intent."
		if n := symbols.Text(s.Action.State); n != "" {
			prefix = "'" + n + "_'"
		}
	case len(s.Sources) > 0:
		fields = s.Sources[0].Payload
	}
	for _, f := range fields {
		if len(parts) < 2 && identifies(f) {
			parts = append(parts, ns+f.Name.Value)
		}
	}
	if len(parts) == 0 {
		return "concat(" + prefix + ", " + ns + "request_id), which the caller sends again when it retries"
	}
	return "concat(" + prefix + ", " + strings.Join(parts, ", '_', ") + ")"
}

// identifies reports whether a field can be a part of an id: a text or whole number that is always given.
func identifies(f *spec.Field) bool {
	if f.Name == nil || f.Type == nil || f.Type.Nullable || f.Required != nil && !f.Required.V {
		return false
	}
	switch f.Type.Name {
	case "string", "uuid", "int", "integer":
		return true
	}
	return false
}
