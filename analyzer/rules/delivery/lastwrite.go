package delivery

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/rows"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/spec"
)

// runLastWrite finds plain columns that events of different entities write: the one that arrives last wins.
func runLastWrite(p *analysis.Pass) error {
	lookups := projectionsThatLookUp(p)
	keys := map[string]bool{}
	for _, s := range p.Program.States {
		keys[symbols.Text(s.EntityKey)] = true
	}
	for _, name := range symbols.Names(p.Symbols.Tables) {
		table := p.Symbols.Tables[name]
		if p.Target == analysis.Causetc && rows.Class(table, func(pr *spec.Projection) bool { return lookups[pr] }) == ir.Convergent {
			continue
		}
		lastWrite(p, table, keys)
	}
	return nil
}

// writer is an event that writes a column of a row.
type writer struct {
	event  string
	at     *spec.Scalar
	key    []string
	own    bool // the row is the event's own entity
	shared bool // the row is certain to be another thing than the entity
}

// meets reports whether two writers can write one row and belong to different entities.
func (w *writer) meets(other *writer) bool {
	return w.event != other.event && !(w.own && other.own) && (w.own || other.own || w.shared) && rows.MayMeet(w.key, other.key)
}

// mostKeys bounds the kinds of keys that the writers of one column are compared by.
const mostKeys = 16

// lastWrite reports at most once for a table, since all its columns suffer from the same cause.
func lastWrite(p *analysis.Pass, table *symbols.TableInfo, entityKeys map[string]bool) {
	writers := map[string][]*writer{} // by column, one for each kind of key
	for _, h := range rows.Of(table) {
		if p.Symbols.Events[h.Event.Value] == nil || h.Op == "delete" || h.Op == "soft_delete" || h.Op == "bulk_update" || h.Op == "increment" {
			continue
		}
		w := writer{event: h.Event.Value, key: rows.Key(&h), own: len(ownColumns(p.Symbols, &h)) > 0, shared: shared(p, &h, entityKeys)}
		found := false
		plainColumns(p, &h, func(c *spec.Scalar) {
			if found {
				return
			}
			me := w
			me.at = c
			known := false
			for _, other := range writers[c.Value] {
				if me.meets(other) {
					reportLastWrite(p, table.Name, &me, other)
					found = true
					return
				}
				known = known || other.own == me.own && slices.Equal(other.key, me.key)
			}
			if !known && len(writers[c.Value]) < mostKeys {
				writers[c.Value] = append(writers[c.Value], &me)
			}
		})
		if found {
			return
		}
	}
}

func reportLastWrite(p *analysis.Pass, table string, at, far *writer) {
	if at.own {
		at, far = far, at
	}
	d := spec.Diagnostic{Span: at.at.Span(), Key: docLastWrite.ID + " " + table, Message: lastWriteMessage(p, table, at.at.Value, at.event, far.event)}
	if far.at != at.at {
		d.Related = []spec.Related{{Span: far.at.Span(), Message: far.event + " writes it here"}}
	}
	p.Report(d)
}

func lastWriteMessage(p *analysis.Pass, table, column, event, other string) string {
	workers := " (causetc goes by their clocks, the hosted worker by their arrival)"
	if p.Target == analysis.Causetc {
		workers = ""
	}
	return fmt.Sprintf("%s and %s both write column %s of a row of %s, and can belong to different entities, whose events arrive in any order: "+
		"the last to arrive wins, even if it happened first%s; give both the same entity_expr, or a column each", event, other, column, table, workers)
}

// shared reports whether the rows of a handler are certain to be those of other things than its events' entities: a part of
// the key is the key of some state, or the same constant in every event.
func shared(p *analysis.Pass, h *rows.Handler, entityKeys map[string]bool) bool {
	for _, k := range h.Projection.PrimaryKey {
		field, ok := rows.KeyField(h, k.Value)
		if !ok {
			continue
		}
		if entityKeys[field] || constantField(p.Symbols.Emits(h.Event.Value), field) {
			return true
		}
	}
	return false
}

// constantField reports whether all emitters of an event give a payload field a constant.
func constantField(emits []symbols.Emit, field string) bool {
	for _, e := range emits {
		constant := false
		for _, entry := range e.Op.Payload {
			constant = constant || symbols.Text(entry.Key) == field && entry.Value != nil && entry.Value.Kind == spec.ValueConst
		}
		if !constant {
			return false
		}
	}
	return len(emits) > 0
}

// plainColumns visits the columns outside of the key that a handler writes as plain values.
func plainColumns(p *analysis.Pass, h *rows.Handler, visit func(*spec.Scalar)) {
	key := map[string]bool{}
	for _, k := range h.Projection.PrimaryKey {
		key[k.Value] = true
	}
	set := map[string]bool{}
	if h.Mutation != nil {
		for _, s := range h.Mutation.Set {
			if s.Key != nil && !key[s.Key.Value] {
				set[s.Key.Value] = true
				visit(s.Key)
			}
		}
	}
	event := p.Symbols.Events[h.Event.Value]
	for _, d := range h.Projection.Derive {
		if d.Key != nil && !key[d.Key.Value] && !set[d.Key.Value] && given(event, d.Value) {
			visit(d.Key)
		}
	}
}

// given reports whether an event gives a derived column a value: a constant is the same for all, and a payload field that
// the event does not declare is missing.
func given(event *spec.Event, v *spec.Value) bool {
	if v == nil || v.Expr == nil {
		return false
	}
	m, ok := v.Expr.Root.(*spec.Member)
	if !ok || event == nil {
		return true
	}
	root, isName := m.X.(*spec.Ident)
	if inner, isMember := m.X.(*spec.Member); isMember && inner.Name == "payload" {
		root, isName = inner.X.(*spec.Ident)
	}
	return !isName || root == nil || root.Name != "event" || sites.IsEnvelope(m.Name) || sites.HasField(event.Payload, m.Name)
}

// runNotUnique finds relationships in which a retry could make an edge twice.
func runNotUnique(p *analysis.Pass) error {
	for _, r := range p.Program.Relationships {
		if r.Name != nil && r.Unique == nil {
			p.Reportf(r.Name.Span(), "relationship %s does not say unique: true, so an intent that is sent again makes a second edge between the same two; "+
				"add it, or write unique: false where several edges are meant", r.Name.Value)
		}
	}
	return nil
}

// runLookupInProjection finds projections that read other entities.
func runLookupInProjection(p *analysis.Pass) error {
	for i := range p.Sites {
		s := &p.Sites[i]
		if s.Projection == nil {
			continue
		}
		spec.Walk(s.Expr.Root, func(n spec.Node) bool {
			call, ok := n.(*spec.Call)
			if ok && (call.Name == "lookup" || call.Name == "LOOKUP_FIELD") && len(call.Args) > 0 {
				state := strings.TrimSuffix(sites.StreamName(call.Args[0]), "_stream")
				p.ReportCause(symbols.Text(s.Projection.Name), "and here", spec.Diagnostic{Span: s.Expr.Span(call.Fn), Message: fmt.Sprintf(
					"%s() reads the %s as it is when projection %s handles the event, not as it was then, so a replay may write something else; carry the value in the event's payload",
					call.Name, state, symbols.Text(s.Projection.Name))})
			}
			return true
		})
	}
	return nil
}
