package delivery

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// runSubmits finds submits whose second delivery would be taken for another one: nothing in the payload says which request
// it is, and the action has no check of its own.
func runSubmits(p *analysis.Pass) error {
	harm := map[*spec.Action]string{}
	for _, a := range p.Program.Actions {
		harm[a] = repeats(a)
	}
	for _, a := range p.Program.Actions {
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			kind := symbols.Text(op.Kind)
			if kind != "submit" && kind != "schedule" {
				return
			}
			target := p.Symbols.Actions[symbols.Text(op.Action)]
			if target == nil || hasKey(op.Payload) {
				return
			}
			why := harm[target]
			if why == "" {
				return
			}
			p.Reportf(op.Action.Span(), "a side effect may run more than once, and this %s of %s carries nothing by which %s; "+
				"add a payload field such as idempotency_key: concat('%s_', ...) of what identifies the request", kind, op.Action.Value, why, strings.ToLower(op.Action.Value))
		})
	}
	return nil
}

// hasKey reports whether a payload has a field that identifies the request.
func hasKey(payload []spec.ValueEntry) bool {
	for _, e := range payload {
		name := strings.ToLower(symbols.Text(e.Key))
		if strings.Contains(name, "idempot") || strings.Contains(name, "dedup") || strings.Contains(name, "request_id") {
			return true
		}
		if e.Value != nil && e.Value.Expr != nil && strings.HasSuffix(name, "_id") && isConcat(e.Value.Expr) {
			return true
		}
	}
	return false
}

func isConcat(e *spec.Expr) bool {
	call, ok := e.Root.(*spec.Call)
	return ok && (call.Name == "concat" || call.Name == "hash")
}

// repeats says what would go wrong if an action ran twice, or nothing where it guards itself or writes the same again.
func repeats(a *spec.Action) string {
	if guarded(a) {
		return ""
	}
	if len(symbols.Phases(a)) == 0 {
		return "the service behind it could tell a second call"
	}
	adds := false
	symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
		switch symbols.Text(op.Kind) {
		case "add", "sub", "push", "increment":
			adds = true
		}
	})
	if adds {
		return "the action could tell that it was counted before"
	}
	return ""
}

// guarded reports whether an action can refuse an intent in preflight.
func guarded(a *spec.Action) bool {
	found := false
	symbols.EachOp(a, func(ph *spec.Phase, _ *spec.Rule, op *spec.Op) {
		found = found || ph == a.Preflight && symbols.Text(op.Kind) == "reject"
	})
	return found
}

// runUnguarded finds ids that two different callers can get: an action builds one from some of its inputs, leaves out who
// is asking, and checks nothing before.
func runUnguarded(p *analysis.Pass) error {
	keys := soleKeys(p)
	for _, a := range p.Program.Actions {
		if guarded(a) {
			continue
		}
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			if k := symbols.Text(op.Kind); k != "emit" {
				return
			}
			for _, e := range op.Payload {
				projection := keys[symbols.Text(op.EventType)+" "+symbols.Text(e.Key)]
				if projection == nil || e.Value == nil || e.Value.Expr == nil {
					continue
				}
				if who := leftOut(a, op, e.Value.Expr); who != "" {
					p.Report(spec.Diagnostic{
						Span: e.Value.Expr.Span(e.Value.Expr.Root),
						Message: fmt.Sprintf("two intents that differ in %s alone get one %s, and the second overwrites the row of the first in %s; "+
							"reject in preflight what is taken already, or add intent.%[1]s to the id", who, symbols.Text(e.Key), symbols.TableName(projection)),
						Related: []spec.Related{{Span: projection.PrimaryKey[0].Span(), Message: "the id is the key of the row"}},
					})
				}
			}
		})
	}
	return nil
}

// soleKeys returns by event and payload field the projections whose whole key that field is.
func soleKeys(p *analysis.Pass) map[string]*spec.Projection {
	keys := map[string]*spec.Projection{}
	for _, pr := range p.Program.Projections {
		if len(pr.PrimaryKey) != 1 {
			continue
		}
		for _, d := range pr.Derive {
			if symbols.Text(d.Key) != pr.PrimaryKey[0].Value || d.Value == nil || d.Value.Expr == nil {
				continue
			}
			m, ok := d.Value.Expr.Root.(*spec.Member)
			if !ok {
				continue
			}
			for _, e := range pr.SourceEvents {
				if k := e.Value + " " + m.Name; keys[k] == nil {
					keys[k] = pr
				}
			}
		}
	}
	return keys
}

// leftOut returns the input that says who is asking, if the event carries it and the id is built from other inputs alone.
func leftOut(a *spec.Action, op *spec.Op, id *spec.Expr) string {
	call, ok := id.Root.(*spec.Call)
	if !ok || call.Name != "concat" {
		return ""
	}
	used := map[string]bool{}
	for _, arg := range call.Args {
		if _, isText := arg.(*spec.Lit); isText {
			continue
		}
		name := inputName(arg)
		if name == "" {
			return ""
		}
		used[name] = true
	}
	if a.EntityIDExpr != nil {
		used[inputName(a.EntityIDExpr.Root)] = true
	}
	for _, e := range op.Payload {
		if e.Value == nil || e.Value.Expr == nil {
			continue
		}
		if name := inputName(e.Value.Expr.Root); name != "" && !used[name] && isPerson(name) {
			return name
		}
	}
	return ""
}

// inputName returns the input that a path reads, or nothing.
func inputName(n spec.Node) string {
	m, ok := n.(*spec.Member)
	if !ok {
		return ""
	}
	if id, ok := m.X.(*spec.Ident); ok && (id.Name == "intent" || id.Name == "input" || id.Name == "event") {
		return m.Name
	}
	return ""
}

func isPerson(name string) bool {
	switch name {
	case "user_id", "customer_id", "buyer_id", "member_id", "player_id", "owner_id", "guest_id", "client_id", "account_id":
		return true
	}
	return false
}
