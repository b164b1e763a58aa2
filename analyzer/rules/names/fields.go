package names

import (
	"fmt"
	"slices"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// payloads knows which payload fields events have.
type payloads struct {
	p      *analysis.Pass
	fields map[string]map[string]bool // by event; nil where anything may be there
	unions map[*spec.Scalar]*union    // by the first of a list of source events
}

// readToo is said of a further place that reads what is not there.
const readToo = "it is read here too"

// union is what several events have together.
type union struct {
	fields map[string]bool // nil where anything may be there
	names  []string        // sorted
}

// of returns the fields that an event's payload can have, or false where they can't be known.
func (k *payloads) of(event string) (map[string]bool, bool) {
	if f, ok := k.fields[event]; ok {
		return f, f != nil
	}
	k.fields[event] = k.collect(event)
	return k.fields[event], k.fields[event] != nil
}

func (k *payloads) collect(event string) map[string]bool {
	t := k.p.Symbols
	e := t.Events[event]
	if e == nil || len(e.Payload) == 0 || t.PlatformEmits(event) && len(t.EnvelopesOf(event)) == 0 {
		return nil
	}
	fields := map[string]bool{}
	add := func(list []*spec.Field) {
		for _, f := range list {
			fields[symbols.Text(f.Name)] = true
		}
	}
	add(e.Payload)
	for _, emit := range t.Emits(event) {
		for _, entry := range emit.Op.Payload {
			fields[symbols.Text(entry.Key)] = true
		}
	}
	for _, d := range t.Deciders(event) {
		add(d.Input)
		add(d.Output)
	}
	for _, env := range t.EnvelopesOf(event) {
		if a := t.Actions[symbols.Text(env.StartAction)]; a != nil {
			add(a.Input)
		}
	}
	return fields
}

func runPayload(p *analysis.Pass) error {
	k := &payloads{p: p, fields: map[string]map[string]bool{}, unions: map[*spec.Scalar]*union{}}
	eachPath(p, func(s *sites.Site, ref sites.Ref) {
		switch {
		case ref.Kind == sites.RefPayload && ref.Path != "":
			k.check(s, sites.FirstSegment(ref.Path), s.Expr.At(ref.Field))
		case s.Place == sites.BucketField && ref.Node == s.Expr.Root:
			if id, ok := ref.Node.(*spec.Ident); ok {
				k.check(s, id.Name, s.Expr.Span(id))
			}
		}
	})
	for _, m := range p.Program.Memories {
		k.partitionBy(m)
	}
	return nil
}

// check reports a payload field that the event at hand does not have, or none of a projection's source events.
func (k *payloads) check(s *sites.Site, field string, at spec.Span) {
	if s.EventName != nil {
		k.checkEvent(s, field, at)
		return
	}
	if s.Projection == nil || len(s.Projection.SourceEvents) == 0 {
		return
	}
	names, found := k.among(s.Projection.SourceEvents, field)
	if !found {
		name := symbols.Text(s.Projection.Name)
		hint, fixes := k.p.Suggest(field, names, at, "declare it in the event's payload, or correct the name")
		k.p.ReportCause(name+" "+field, readToo, spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf(
			"none of the source events of projection %s has a payload field %s, so this is always missing; %s", name, field, hint)})
	}
}

// among returns the payload fields of events, and whether one of them has the field or could have it.
func (k *payloads) among(events []*spec.Scalar, field string) (names []string, found bool) {
	u := k.unions[events[0]]
	if u == nil {
		u = k.union(events)
		k.unions[events[0]] = u
	}
	return u.names, u.fields == nil || u.fields[field]
}

func (k *payloads) union(events []*spec.Scalar) *union {
	all := map[string]bool{}
	for _, e := range events {
		fields, known := k.of(e.Value)
		if !known {
			return &union{}
		}
		for f := range fields {
			all[f] = true
		}
	}
	return &union{fields: all, names: symbols.Names(all)}
}

func (k *payloads) checkEvent(s *sites.Site, field string, at spec.Span) {
	fields, known := k.of(s.EventName.Value)
	if !known || fields[field] {
		return
	}
	event := s.EventName.Value
	hint, fixes := k.p.Suggest(field, symbols.Names(fields), at, "declare it in the event's payload, or correct the name")
	k.p.ReportCause(event+" "+field, readToo, spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf(
		"event %s has no payload field %s, so this is always missing; %s", event, field, hint)})
}

func (k *payloads) partitionBy(m *spec.Memory) {
	if m.PartitionBy == nil || len(m.SourceEvents) == 0 {
		return
	}
	if names, found := k.among(m.SourceEvents, m.PartitionBy.Value); !found {
		at := m.PartitionBy.Span()
		hint, fixes := k.p.Suggest(m.PartitionBy.Value, names, at, "name a payload field that they have")
		k.p.Report(spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf("none of the source events of memory %s has a payload field %s; %s",
			symbols.Text(m.Name), m.PartitionBy.Value, hint)})
	}
}

func runInputs(p *analysis.Pass) error {
	eachPath(p, func(s *sites.Site, ref sites.Ref) {
		field := sites.FirstSegment(ref.Path)
		switch {
		case field == "":
		case s.Envelope != nil:
			if ref.Kind == sites.RefInput && s.Action != nil {
				envelopeInput(p, s, field, s.Expr.At(ref.Field))
			}
		case ref.Kind == sites.RefQuery && !sites.HasField(s.Query.Input, field):
			unknownInput(p, s.Expr.At(ref.Field), called("query", s.Query.Name)+" has no input "+field, field, s.Query.Input, spec.Error)
		case ref.Kind == sites.RefInput && len(s.Action.Input) > 0 && !sites.HasField(s.Action.Input, field) && !comesWithIntent(field):
			what := called("action", s.Action.Name) + " declares no input " + field + ", so this is null unless a caller sends it anyway"
			unknownInput(p, s.Expr.At(ref.Field), what, field, s.Action.Input, spec.Warning)
		}
	})
	return nil
}

// envelopeInput looks up what a commit envelope reads of the intent that starts it, or of the events in between.
func envelopeInput(p *analysis.Pass, s *sites.Site, field string, at spec.Span) {
	declared := slices.Clone(s.Action.Input)
	for _, e := range []*spec.Scalar{s.Envelope.PrepareEvent, s.Envelope.PreparedEvent, s.Envelope.CommitEvent, s.Envelope.AbortEvent} {
		if event := p.Symbols.Events[symbols.Text(e)]; event != nil {
			declared = append(declared, event.Payload...)
		}
	}
	if len(s.Action.Input) > 0 && !sites.HasField(declared, field) && !comesWithIntent(field) {
		what := called("action", s.Action.Name) + ", which starts the envelope, has no input " + field
		unknownInput(p, at, what, field, declared, spec.Error)
	}
}

func unknownInput(p *analysis.Pass, at spec.Span, what, field string, declared []*spec.Field, severity spec.Severity) {
	hint, fixes := p.Suggest(field, fieldNames(declared), at, "declare it under input")
	p.ReportCause(what, readToo, spec.Diagnostic{Span: at, Severity: severity, Fixes: fixes, Message: what + "; " + hint})
}

// comesWithIntent reports whether the platform sends a field along with every intent.
func comesWithIntent(field string) bool {
	switch field {
	case "metadata", "intent_id", "platform_id", "application_id", "causation_id", "correlation_id":
		return true
	}
	return false
}

func fieldNames(fields []*spec.Field) []string {
	names := make([]string, 0, len(fields))
	for _, f := range fields {
		names = append(names, symbols.Text(f.Name))
	}
	return names
}
