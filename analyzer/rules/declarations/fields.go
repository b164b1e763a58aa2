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

// always reports whether every event has an envelope field of that name, which hides a declared one.
func always(name string) bool { return name == "type" || name == "ts" || name == "entity_id" }

// runReserved finds fields that are called like what the envelope of an event has.
func runReserved(p *analysis.Pass) error {
	for _, e := range p.Program.Events {
		for _, f := range e.Payload {
			name := symbols.Text(f.Name)
			switch {
			case f.Name == nil:
			case always(name):
				p.Report(spec.Diagnostic{Span: f.Name.Span(), Fixes: renameField(p, e, f), Message: fmt.Sprintf(
					"event %s can't have a payload field %s: event.%[2]s is that of the envelope, which hides it; rename the field, or read event.%[2]s",
					symbols.Text(e.Name), name)})
			case sites.IsEnvelope(name):
				p.Report(spec.Diagnostic{Span: f.Name.Span(), Severity: spec.Hint, Message: "the payload field " + name + " of event " + symbols.Text(e.Name) +
					" hides what event." + name + " means elsewhere; rename it, such as " + renamed(e.State, name)})
			}
		}
	}
	for _, a := range p.Program.Actions {
		for _, f := range a.Input {
			name := symbols.Text(f.Name)
			switch {
			case f.Name == nil:
			case always(name):
				p.Report(spec.Diagnostic{Span: f.Name.Span(), Severity: spec.Warning, Message: "the input " + name + " of action " + symbols.Text(a.Name) +
					" is hidden by event." + name + ", which the envelope has; rename it, such as " + renamed(a.State, name)})
			case sites.IsEnvelope(name):
				p.Report(spec.Diagnostic{Span: f.Name.Span(), Severity: spec.Hint, Message: "the input " + name + " of action " + symbols.Text(a.Name) +
					" hides what event." + name + " means elsewhere; rename it, such as " + renamed(a.State, name)})
			}
		}
	}
	return nil
}

// renamed suggests another name for a field.
func renamed(state *spec.Scalar, name string) string {
	if s := symbols.Text(state); s != "" && !strings.Contains(name, "_") {
		return s + "_" + name
	}
	return "payload_" + name
}

// runShapes finds arrays of a state whose items have no type, and arrays and objects without a default.
func runShapes(p *analysis.Pass) error {
	for _, s := range p.Program.States {
		for _, f := range s.Fields {
			if f.Name == nil || f.Type == nil {
				continue
			}
			switch array := f.Type.Name == "array"; {
			case array && f.ItemType == nil && len(f.ItemFields) == 0:
				p.Reportf(f.Type.Span(), "the items of %s have no type, so nothing that reads them can be checked; add item_type: string, or what they are", f.Name.Value)
			case array && f.Default == nil && !nullable(f):
				p.Reportf(f.Type.Span(), "%s is null, and no empty array, until something is written; add default: []", f.Name.Value)
			case f.Type.Name == "object" && f.Default == nil && !nullable(f):
				p.Reportf(f.Type.Span(), "%s is null, and no empty object, until something is written; add default: {}", f.Name.Value)
			}
		}
	}
	return nil
}

func nullable(f *spec.Field) bool { return f.Type.Nullable || f.Nullable != nil && f.Nullable.V }

var (
	// token matches keys as the usual services give them.
	token = regexp.MustCompile(`\b(sk-(?:proj-|ant-)?[A-Za-z0-9_-]{16,}|AKIA[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{30,}|xox[abprs]-[A-Za-z0-9-]{10,}|AIza[A-Za-z0-9_-]{30,}|` +
		`eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,})`)
	privateKey = regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)
	secretURL  = regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s:/@{}]+:([^\s@/{}]+)@`)
	secretName = regexp.MustCompile(`(?i)(^|_)(password|passwd|secret|api_?key|access_?token|auth_?token|private_?key)$`)
)

// runCredentials finds texts that look like passwords and keys.
func runCredentials(p *analysis.Pass) error {
	check := func(s *spec.Scalar) {
		if s == nil {
			return
		}
		for _, form := range []*regexp.Regexp{token, privateKey, secretURL} {
			if m := form.FindStringSubmatchIndex(s.Value); m != nil {
				from, to := m[0], m[1]
				if len(m) > 2 && m[2] >= 0 {
					from, to = m[2], m[3]
				}
				p.Reportf(s.Sub(from, to), "this looks like a credential, and everyone who reads the spec can use it; take it out, revoke it, and let the platform's configuration hold the new one")
				return
			}
		}
	}
	named := func(key *spec.Scalar, v *spec.Value) {
		if key == nil || v == nil || v.Kind != spec.ValueConst || v.Src == nil || v.Const == nil || v.Const.Kind != spec.LitString {
			return
		}
		if secretName.MatchString(key.Value) && len(v.Const.Text) >= 8 && !strings.Contains(v.Src.Value, "{{") && !strings.Contains(v.Src.Value, "${") {
			p.Reportf(v.Src.Span(), "%s looks like a credential that is written out, and everyone who reads the spec can use it; let the platform's configuration hold it", key.Value)
			return
		}
		check(v.Src)
	}
	each := func(entries []spec.ValueEntry) {
		for _, e := range entries {
			sites.EachLeaf(e.Value, "", e.Key, func(_ string, key *spec.Scalar, leaf *spec.Value) { named(key, leaf) })
		}
	}
	for _, x := range p.Program.Providers {
		check(x.Model)
	}
	for _, x := range p.Program.Decisions {
		check(x.Model)
		check(x.Prompt)
	}
	for _, x := range p.Program.Memories {
		check(x.Model)
		check(x.Content)
	}
	for _, x := range p.Program.Prompts {
		check(x.Instructions)
	}
	for _, x := range p.Program.Resources {
		each(x.Rows)
	}
	for _, s := range p.Program.States {
		for _, f := range s.Fields {
			named(f.Name, f.Default)
		}
	}
	for _, a := range p.Program.Actions {
		for _, f := range a.Input {
			named(f.Name, f.Default)
		}
		symbols.EachOp(a, func(_ *spec.Phase, _ *spec.Rule, op *spec.Op) {
			each(op.Payload)
			each(op.Input)
			if op.Value != nil {
				sites.EachLeaf(op.Value, "", nil, func(_ string, key *spec.Scalar, leaf *spec.Value) { named(key, leaf) })
				check(op.Value.Src)
			}
		})
	}
	for _, pr := range p.Program.Projections {
		each(pr.Override)
		each(pr.Derive)
	}
	return nil
}
