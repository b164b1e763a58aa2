package rows

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// entityID is the canonical text of the id of the entity that an event belongs to.
const entityID = "entity_id"

// KeyValue returns the value that a handler gives a column, or nil: that of set, else that of derive.
func KeyValue(h *Handler, column string) *spec.Value {
	if h.Mutation != nil {
		for _, s := range h.Mutation.Set {
			if symbols.Text(s.Key) == column {
				return s.Value
			}
		}
	}
	for _, d := range slices.Backward(h.Projection.Derive) { // the last of two wins
		if symbols.Text(d.Key) == column {
			return d.Value
		}
	}
	return nil
}

// OwnEntity reports whether a handler's rows provably belong to the entity of its event: some column of the primary key
// is the id of that entity, so that all events of one row share a partition.
func OwnEntity(t *symbols.Table, h *Handler, column string) bool {
	v := KeyValue(h, column)
	event := t.Events[h.Event.Value]
	if v == nil || v.Expr == nil || event == nil {
		return false
	}
	key := canonical(v.Expr.Root)
	switch {
	case key == "":
		return false
	case key == entityID:
		return true
	case event.EntityExpr != nil:
		return key == canonical(event.EntityExpr.Root)
	}
	return emittedEntity(t, event.Name.Value, key)
}

// emittedEntity reports whether every emitter of an event gives the payload field at the canonical path the id of its own
// entity.
func emittedEntity(t *symbols.Table, event, key string) bool {
	field, ok := strings.CutPrefix(key, "$")
	emits := t.Emits(event)
	if !ok || len(emits) == 0 || t.PlatformEmits(event) || len(t.Deciders(event)) > 0 {
		return false
	}
	for _, e := range emits {
		if !emitsEntity(e, field) {
			return false
		}
	}
	return true
}

func emitsEntity(e symbols.Emit, field string) bool {
	for _, entry := range e.Op.Payload {
		if symbols.Text(entry.Key) != field || entry.Value == nil || entry.Value.Expr == nil {
			continue
		}
		given := canonical(entry.Value.Expr.Root)
		return given == entityID || given != "" && e.Action.EntityIDExpr != nil && given == canonical(e.Action.EntityIDExpr.Root)
	}
	return false
}

// canonical writes an expression such that equal texts mean equal values: $x is a field of the payload or input at hand.
// It returns nothing for expressions whose value is not the same in all places that see the same event.
func canonical(n spec.Node) string {
	switch n := n.(type) {
	case *spec.Lit:
		return "'" + n.Text + "'"
	case *spec.Ident, *spec.Member:
		return canonicalPath(n)
	case *spec.Call:
		return canonicalCall(n)
	}
	return ""
}

func canonicalPath(n spec.Node) string {
	path := plainPath(n)
	root, rest, dotted := strings.Cut(path, ".")
	if !dotted || root != "event" && root != "intent" && root != "input" {
		return ""
	}
	if p, ok := strings.CutPrefix(rest, "payload."); ok && root == "event" {
		return "$" + p
	}
	switch {
	case rest == "entity_id":
		return entityID
	case sites.IsEnvelope(rest):
		return "event." + rest
	}
	return "$" + rest
}

// plainPath returns the dotted text of a path of names, or nothing.
func plainPath(n spec.Node) string {
	switch n := n.(type) {
	case *spec.Ident:
		return n.Name
	case *spec.Member:
		if x := plainPath(n.X); x != "" {
			return x + "." + n.Name
		}
	}
	return ""
}

func canonicalCall(n *spec.Call) string {
	if n.Name != "concat" {
		return ""
	}
	parts := make([]string, len(n.Args))
	for i, a := range n.Args {
		if parts[i] = canonical(a); parts[i] == "" {
			return ""
		}
	}
	return "concat(" + strings.Join(parts, ",") + ")"
}

// Identity says what a key tells of the events that it is derived from.
type Identity uint8

const (
	// Unknown keys may or may not tell events apart: a payload field that the emitter may make unique.
	Unknown Identity = iota
	// Unique keys hold the event's id.
	Unique
	// Shared keys hold nothing but the entity, the type or time of the event, and constants.
	Shared
)

// KeyIdentity judges the primary key that a projection derives for one of its events.
func KeyIdentity(t *symbols.Table, h *Handler) Identity {
	result := Shared
	for _, k := range h.Projection.PrimaryKey {
		switch columnIdentity(t, h, k.Value) {
		case Unique:
			return Unique
		case Unknown:
			result = Unknown
		}
	}
	if len(h.Projection.PrimaryKey) == 0 {
		return Unknown
	}
	return result
}

func columnIdentity(t *symbols.Table, h *Handler, column string) Identity {
	v := KeyValue(h, column)
	if v == nil {
		return Unknown
	}
	if v.Kind == spec.ValueConst {
		return Shared
	}
	if v.Expr == nil {
		return Unknown
	}
	if mentionsEventID(v.Expr.Root) {
		return Unique
	}
	switch canonical(v.Expr.Root) {
	case entityID, "event.type":
		return Shared
	}
	if OwnEntity(t, h, column) {
		return Shared
	}
	return Unknown
}

// mentionsEventID reports whether an expression reads event.event_id or event.id.
func mentionsEventID(root spec.Node) bool {
	found := false
	spec.Walk(root, func(n spec.Node) bool {
		if m, ok := n.(*spec.Member); ok {
			p := plainPath(m)
			found = found || p == "event.event_id" || p == "event.id"
		}
		return !found
	})
	return found
}

// keyText is the canonical text of what a handler gives a column of the key, empty where it is not known.
func keyText(h *Handler, column string) string {
	v := KeyValue(h, column)
	switch {
	case v == nil || v.Expr == nil && v.Const == nil:
		return ""
	case v.Expr == nil:
		return "'" + v.Const.Text + "'"
	}
	return canonical(v.Expr.Root)
}

// Key returns the canonical texts of what a handler gives the columns of its primary key, for MayMeet.
func Key(h *Handler) []string {
	texts := make([]string, len(h.Projection.PrimaryKey))
	for i, k := range h.Projection.PrimaryKey {
		texts[i] = keyText(h, k.Value)
	}
	return texts
}

// MayMeet reports whether events with two keys plausibly write one row: each column of the key is a plain field in both,
// or the same expression. Keys with the event's id, type or time never meet.
func MayMeet(a, b []string) bool {
	if len(a) == 0 || len(a) != len(b) {
		return false
	}
	for i, x := range a {
		y := b[i]
		plain := isField(x) && isField(y)
		if x == "" || y == "" || !plain && x != y || strings.HasPrefix(x, "event.") {
			return false
		}
	}
	return true
}

func isField(canonical string) bool {
	return strings.HasPrefix(canonical, "$") || canonical == entityID
}

// KeyField returns the payload field that a handler gives a column of the key, and whether it is a plain one.
func KeyField(h *Handler, column string) (string, bool) {
	return strings.CutPrefix(keyText(h, column), "$")
}
