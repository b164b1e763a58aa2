package determinism

import (
	"fmt"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/dataflow"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// runUnseparated finds ids that concat builds from two parts with nothing between them.
func runUnseparated(p *analysis.Pass) error {
	t := trace(p, dataflow.Concatenation)
	for _, o := range t.origins {
		left, right, ok := touching(p, o)
		if !ok {
			continue
		}
		hops, ok := t.routes[0].From(o.Loc)
		if !ok {
			continue
		}
		source := o.Site.Expr.Src.Value
		l, r := snippet(source, left), snippet(source, right)
		p.Report(spec.Diagnostic{
			Span: o.Site.Expr.Span(left).Join(o.Site.Expr.Span(right)),
			Flow: append([]spec.Related{{Span: o.Span(), Message: "concat joins the parts of the id"}}, dataflow.Flow(hops)...),
			Message: fmt.Sprintf("nothing separates %s from %s in %s, so two different things can get one id ('a' with 'bc', 'ab' with 'c'); "+
				"write %s, '_', %s", l, r, t.sinks.describe(hops[len(hops)-1].To), l, r),
		})
	}
	return nil
}

func snippet(source string, n spec.Node) string {
	r := n.Range()
	if int(r.To) > len(source) || r.From > r.To {
		return "a part"
	}
	return source[r.From:r.To]
}

// touching returns the first two neighbouring arguments of a concat that both vary in length.
func touching(p *analysis.Pass, o *dataflow.Origin) (left, right spec.Node, ok bool) {
	call, isCall := o.Node.(*spec.Call)
	if !isCall {
		return nil, nil, false
	}
	for i := 1; i < len(call.Args); i++ {
		if varies(p, o.Site, call.Args[i-1]) && varies(p, o.Site, call.Args[i]) {
			return call.Args[i-1], call.Args[i], true
		}
	}
	return nil, nil, false
}

// varies reports whether an operand is certain to be a text or number of no fixed length: a declared field of such a type.
func varies(p *analysis.Pass, s *sites.Site, n spec.Node) bool {
	ref, ok := s.Resolve(p.Symbols, n)
	if !ok {
		return false
	}
	var fields []*spec.Field
	switch {
	case ref.Kind == sites.RefInput && s.Action != nil:
		fields = s.Action.Input
	case ref.Kind == sites.RefPayload && len(s.Sources) > 0:
		fields = s.Sources[0].Payload
	default:
		return false
	}
	f := sites.FindField(fields, ref.Path)
	if f == nil || f.Type == nil {
		return false
	}
	switch f.Type.Name {
	case "string", "int", "integer", "number":
		return true
	}
	return false
}

// runTimeKey finds tables of events that are keyed by the event's time alone.
func runTimeKey(p *analysis.Pass) error {
	for _, pr := range p.Program.Projections {
		if len(pr.PrimaryKey) != 1 || len(pr.Aggregates) > 0 || pr.Bucket != nil {
			continue
		}
		key := pr.PrimaryKey[0]
		for _, d := range pr.Derive {
			if symbols.Text(d.Key) == key.Value && isEventTime(d.Value) {
				p.Report(spec.Diagnostic{
					Span: key.Span(),
					Message: fmt.Sprintf("the primary key of projection %s holds only event.ts, so of two events in one millisecond "+
						"one overwrites the other; add what identifies the event, such as a column derived from event.event_id", symbols.Text(pr.Name)),
					Related: []spec.Related{{Span: d.Value.Span(), Message: key.Value + " is derived here"}},
				})
			}
		}
	}
	return nil
}

func isEventTime(v *spec.Value) bool {
	if v == nil || v.Expr == nil {
		return false
	}
	m, ok := v.Expr.Root.(*spec.Member)
	if !ok || m.Name != "ts" {
		return false
	}
	id, ok := m.X.(*spec.Ident)
	return ok && id.Name == "event"
}
