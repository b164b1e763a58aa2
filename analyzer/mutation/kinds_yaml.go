package mutation

import (
	"bytes"
	"strings"

	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// yamlKinds are mistakes in the YAML, and what the language only hints at.
func yamlKinds() []*Kind {
	return []*Kind{
		{Name: "unclosed quote", Rule: "a quoted scalar ends with its quote", make: unclosedQuote},
		{Name: "unclosed bracket", Rule: "brackets and braces come in pairs", make: unclosedBracket},
		{Name: "tab for indentation", Rule: "YAML is indented by spaces", make: tabIndent},
		{Name: "missing colon", Rule: "a key ends with a colon", make: missingColon},
		{Name: "unquoted comma", Rule: "a comma in braces separates entries", make: unquotedComma},
		{Name: "tag for a negation", Rule: "a text that starts with ! is quoted", make: negationTag},
		{Name: "event without entity_expr", Rule: "an event says which entity it belongs to", Hint: true, make: removeEach("events/*/entity_expr")},
		{Name: "array without default", Rule: "an array or an object has a default", Hint: true, make: arrayDefault},
		{Name: "projection without fields", Rule: "a projection declares the types of its columns", Hint: true, make: removeEach("projections/*/fields")},
		{Name: "SERIAL column", Rule: "no column is a sequence, whose values depend on arrival", Hint: true, make: serial},
		{Name: "other spelling of side_effects", Rule: "the phase is called side_effects", Hint: true, make: sideEffect},
		{Name: "credential in a spec", Rule: "a spec holds no credentials", make: credential},
	}
}

// following is the place from an offset to the end of the line after the next one.
func following(f *spec.File, offset int) spec.Span {
	to := offset
	for range 3 {
		if i := bytes.IndexByte(f.Text[min(to+1, len(f.Text)):], '\n'); i >= 0 {
			to += 1 + i
		} else {
			to = len(f.Text)
		}
	}
	return f.Span(offset, min(to, len(f.Text)))
}

// flows are the brackets around an entry.
func (e *entry) flows() []spec.Span {
	var list []spec.Span
	for ; e != nil; e = e.up {
		if e.in.Flow {
			list = append(list, e.file.Span(e.in.Start, end(e.file, e.in)))
		}
	}
	return list
}

func unclosedQuote(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.value.Kind != yamltree.Scalar || e.value.Scalar.Style != spec.SingleQuoted && e.value.Scalar.Style != spec.DoubleQuoted {
			continue
		}
		at := e.value.Scalar.Span()
		m := p.replace(spec.Span{Start: at.End - 1, End: at.End}, "", append(e.flows(), at, following(e.file, e.value.Start))...)
		m.Label = "no quote behind " + p.text(at)
		out(m)
	}
}

func unclosedBracket(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.value.Flow {
			to := end(e.file, e.value)
			m := p.replace(e.file.Span(to-1, to), "", append(e.flows(), e.extent(), following(e.file, e.value.Start))...)
			m.Label = "no bracket behind " + e.key.Value
			out(m)
		}
	}
}

func tabIndent(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.in.Flow || e.column() == 0 || strings.TrimSpace(string(e.file.Text[e.key.Start-e.column():e.key.Start])) != "" {
			continue
		}
		m := p.replace(e.file.Span(e.key.Start-e.column(), e.key.Start), "\t", e.extent())
		m.Label = "a tab before " + e.key.Value
		out(m)
	}
}

func missingColon(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		at := e.key.Span().End
		if p.text(spec.Span{Start: at, End: at + 1}) == ":" && e.fixedKey() {
			m := p.replace(spec.Span{Start: at, End: at + 1}, "", append(e.around(), e.extent(), following(e.file, e.key.Start))...)
			m.Label = "no colon behind " + e.key.Value
			out(m)
		}
	}
}

// unquotedComma takes the quotes from an expression with a comma that stands in braces.
func unquotedComma(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.value.Kind == yamltree.Scalar && e.in.Flow && e.value.Scalar.Style == spec.DoubleQuoted && strings.Contains(e.value.Scalar.Value, "(") && strings.Contains(e.value.Scalar.Value, ",") {
			m := e.setValue(e.value.Scalar.Value, e.extent())
			m.Label = "no quotes around " + e.value.Scalar.Value
			out(m)
		}
	}
}

func negationTag(p *program, out func(Mutant)) {
	for _, e := range p.entries {
		if e.isWord() && strings.HasPrefix(e.value.Scalar.Value, "!") && e.value.Scalar.Style == spec.DoubleQuoted {
			m := e.setValue(e.value.Scalar.Value, e.extent())
			m.Label = "no quotes around " + e.value.Scalar.Value
			out(m)
		}
	}
}

func removeEach(path string) func(*program, func(Mutant)) {
	return func(p *program, out func(Mutant)) {
		for _, e := range p.matching(path) {
			m := e.without()
			m.Label = e.path[1] + " without " + e.key.Value
			switch {
			case e.path[0] != "projections":
			case len(p.table.Tables[tableName(e)].Projections) > 1:
				m.Legal = "another projection of the table declares columns"
			case p.writesUntyped(e):
				m.Legal = "a column lacks its type as it is, which is one finding for all of them"
			}
			out(m)
		}
	}
}

// writesUntyped reports whether the projection of a map of fields writes a column that is not among them.
func (p *program) writesUntyped(fields *entry) bool {
	untyped := false
	symbols.EachWritten(p.table.Projections[fields.path[1]], func(column *spec.Scalar) {
		untyped = untyped || child(fields.value, column.Value) == nil
	})
	return untyped
}

// tableName is the table of the projection that an entry belongs to.
func tableName(e *entry) string { return scalarText(child(e.sibling("target"), "table")) }

func arrayDefault(p *program, out func(Mutant)) {
	for _, e := range p.matching("state/*/fields/[]/default", "state/*/fields/*/default") {
		if t := scalarText(e.sibling("type")); t == "array" || t == "object" {
			m := e.without()
			m.Label = strings.Join(e.path[:len(e.path)-1], "/") + " without default"
			out(m)
		}
	}
}

func serial(p *program, out func(Mutant)) {
	p.setEach([]string{"projections/*/fields/*"}, func(m Mutant) {
		if old := p.text(m.Span); old == "INTEGER" || old == "INT" {
			out(m)
		}
	}, func(*entry) string { return "SERIAL" })
}

func sideEffect(p *program, out func(Mutant)) {
	for _, e := range p.matching("actions/*/side_effects") {
		m := p.replace(e.key.Span(), "side_effect", e.around()...)
		m.Label = "side_effect in " + e.path[1]
		out(m)
	}
}

func credential(p *program, out func(Mutant)) {
	p.setEach([]string{"providers/*/model", "decisions/*/model"}, out, func(*entry) string { return "sk-proj-4fQ8vLr2Zx91TnBc7KdYw03MhSgEaUiP" })
}
