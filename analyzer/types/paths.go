package types

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// noteWrites finds the paths of entities that the platform and ops write although no field declares them.
func (in *Info) noteWrites(p *spec.Program) {
	for _, e := range p.Envelopes {
		in.notePath(e.State, e.StatePath)
		for _, part := range e.Participants {
			in.notePath(part.State, part.VisiblePath)
			in.notePath(part.State, part.PendingPath)
			in.notePath(part.State, e.CursorField)
		}
	}
	for _, s := range p.Sagas {
		in.notePath(s.State, s.StatePath)
	}
	for i := range in.Ops {
		site := &in.Ops[i]
		f := in.fieldsOf(site.State)
		if f == nil {
			continue
		}
		if !readOnly(site.Op) {
			f.noteUndeclared(site.Op.Path)
			f.noteKeys(site.Op)
		}
		f.noteUndeclared(site.Op.Field)
		f.noteUndeclared(site.Op.Into)
	}
}

// readOnly reports whether an op only reads what is at its path.
func readOnly(op *spec.Op) bool {
	switch symbols.Text(op.Kind) {
	case "find", "clone", "unset":
		return true
	}
	return false
}

func (in *Info) notePath(state, path *spec.Scalar) {
	if f := in.fieldsOf(in.table.StreamState(symbols.Text(state))); f != nil && path != nil {
		names := segments(path.Value)
		f.note(names)
		if len(names) > 0 {
			f.platform(names)
		}
	}
}

// platform makes a path of the platform's known as one that holds anything.
func (f *stateFields) platform(path []string) {
	if _, unknown, _ := f.find(path); unknown >= 0 {
		f.declare(path, Any())
	}
}

func (f *stateFields) noteUndeclared(path *spec.Scalar) {
	if path == nil || path.Value == "" || dynamic(path.Value) {
		return
	}
	names := segments(path.Value)
	if _, unknown, _ := f.find(names); unknown >= 0 {
		f.note(names)
	}
}

// noteKeys remembers the keys of a map that an op writes at a path.
func (f *stateFields) noteKeys(op *spec.Op) {
	if op.Path == nil || op.Value == nil || dynamic(op.Path.Value) {
		return
	}
	path := segments(op.Path.Value)
	for _, e := range op.Value.Entries {
		names := append(slices.Clone(path), symbols.Text(e.Key))
		if _, unknown, _ := f.find(names); unknown >= 0 {
			f.note(names)
		}
	}
}

// dynamic reports whether a path holds more than names, so that what it means is settled at run time.
func dynamic(path string) bool { return strings.ContainsAny(path, "{}$[]()*: ") }

func (in *Info) fieldsOf(s *spec.State) *stateFields {
	if s == nil {
		return nil
	}
	return in.states[s]
}

// find follows a path through declared fields. unknown is the index of the first name that is not declared, or -1; record
// is then the record that lacks it.
func (f *stateFields) find(path []string) (t Type, unknown int, record *Record) {
	t = objectOf(f.root)
	for i, name := range path {
		if i == 0 && free(name) {
			return Any(), -1, nil
		}
		switch {
		case t.IsAny() || t.Format != NoFormat:
			return Any(), -1, nil
		case t.MayBeArray():
			if !isIndex(name) {
				return Any(), -1, nil
			}
			t = t.ItemType()
		case t.Record == nil:
			return Any(), -1, nil
		default:
			next, ok := t.Record.Fields[name]
			if !ok && t.Record.Open {
				return Any(), -1, nil
			}
			if !ok {
				return Any(), i, t.Record
			}
			t = next
		}
	}
	return t, -1, nil
}

func isIndex(name string) bool { return name == "-" || name[0] >= '0' && name[0] <= '9' }

// Path is what a slash path of an op means.
type Path struct {
	Type Type
	// Unknown is the name in the path that is not declared, empty where all are; From is where it begins in the text.
	Unknown string
	From    int
	Of      string   // what lacks the name
	Known   []string // what could stand there
}

// Path resolves a slash path in the entities of a state. What can't be known is any.
func (in *Info) Path(s *spec.State, path *spec.Scalar) Path {
	f := in.fieldsOf(s)
	if f == nil || path == nil || dynamic(path.Value) || len(s.Fields) == 0 {
		return Path{}
	}
	names := segments(path.Value)
	if len(names) == 0 {
		return Path{}
	}
	t, unknown, record := f.find(names)
	if unknown < 0 {
		return Path{Type: t}
	}
	return Path{Unknown: names[unknown], From: startOf(path.Value, unknown), Of: record.Of, Known: record.Names()}
}

// startOf returns where the segment of a path at an index begins in its text.
func startOf(path string, index int) int {
	in := false
	for i := range len(path) {
		separator := path[i] == '/' || path[i] == '.'
		if !separator && !in {
			if index == 0 {
				return i
			}
			index--
		}
		in = !separator
	}
	return 0
}

// State returns the type of a state's entities.
func (in *Info) State(s *spec.State) Type {
	if f := in.fieldsOf(s); f != nil && len(s.Fields) > 0 {
		return objectOf(f.root)
	}
	return Any()
}
