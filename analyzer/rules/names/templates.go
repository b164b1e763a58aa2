package names

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

// variable is {{ name }} in a template. What is no path of names is left to the platform.
var variable = regexp.MustCompile(`\{\{\s*([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)\s*\}\}`)

// unclosed is a variable that lacks one or both of the braces at its end.
var unclosed = regexp.MustCompile(`(?m)\{\{[ \t]*[A-Za-z_][A-Za-z0-9_.]*[ \t]*(?:\}(?:[^}]|$)|$)`)

// checkBraces reports variables that are never closed, which the model would read as they are.
func checkBraces(p *analysis.Pass, s *spec.Scalar) {
	if s == nil {
		return
	}
	for _, m := range unclosed.FindAllStringIndex(s.Value, -1) {
		p.Reportf(s.Sub(m[0], m[0]+2), "the variable that starts here is never closed; write {{ name }}")
	}
}

// mostUsers bounds the decisions that a prompt is held to.
const mostUsers = 50

// eachVariable calls visit for the variables of a template, with the place where each stands first.
func eachVariable(s *spec.Scalar, visit func(path string, from, to int)) {
	if s == nil {
		return
	}
	seen := map[string]bool{}
	for _, m := range variable.FindAllStringSubmatchIndex(s.Value, -1) {
		if path := s.Value[m[2]:m[3]]; !seen[path] {
			seen[path] = true
			visit(path, m[2], m[3])
		}
	}
}

// runTemplates finds variables of prompts and memories that stand for nothing.
func runTemplates(p *analysis.Pass) error {
	memories := newChecker(p, symbols.Memory, p.Symbols.Memories)
	users := map[string][]*spec.Decision{}
	for _, d := range p.Program.Decisions {
		name := symbols.Text(d.Prompt)
		users[name] = append(users[name], d)
		if strings.Contains(name, "{{") {
			checkPrompt(memories, d.Prompt, "the prompt", []*spec.Decision{d})
		}
	}
	for _, pr := range p.Program.Prompts {
		checkBraces(p, pr.Instructions)
		using := users[symbols.Text(pr.Name)]
		checkPrompt(memories, pr.Instructions, called("prompt", pr.Name), using[:min(len(using), mostUsers)])
	}
	k := &payloads{p: p, fields: map[string]map[string]bool{}, unions: map[*spec.Scalar]*union{}}
	for _, m := range p.Program.Memories {
		checkBraces(p, m.Content)
		k.content(m)
	}
	return nil
}

// checkPrompt looks up the variables of a prompt in the decisions that use it.
func checkPrompt(memories *checker, text *spec.Scalar, who string, users []*spec.Decision) {
	eachVariable(text, func(path string, from, to int) {
		root, rest, _ := strings.Cut(path, ".")
		at := text.Sub(from, to)
		if root == "memories" && rest != "" {
			name := sites.FirstSegment(rest)
			if !memories.known(name) && slices.ContainsFunc(users, func(d *spec.Decision) bool { return listsMemory(d, name) }) {
				return // said of the decision
			}
			memories.at(name, text.Sub(from+len("memories."), from+len("memories.")+len(name)), who)
			for _, d := range users {
				if memories.known(name) && !listsMemory(d, name) && !memories.misspelt(d.Memories, name) {
					memories.p.Reportf(at, "%s uses memory %s, which decision %s does not list; add it to the decision's memories", who, name, symbols.Text(d.Name))
					return
				}
			}
			return
		}
		if root == "input" && rest != "" {
			from += len("input.")
			root = sites.FirstSegment(rest)
		}
		for _, d := range users {
			if len(d.Input) == 0 || sites.HasField(d.Input, root) {
				continue
			}
			place := text.Sub(from, from+len(root))
			hint, fixes := memories.p.Suggest(root, fieldNames(d.Input), place, "add it to the decision's input")
			memories.p.Report(spec.Diagnostic{Span: place, Fixes: fixes, Message: fmt.Sprintf(
				"%s shows {{ %s }}, but decision %s has no input of that name, so the model reads nothing there; %s", who, root, symbols.Text(d.Name), hint)})
			return
		}
	})
}

// misspelt reports whether one of the names is unknown and probably meant as the given one; the name itself has a finding then.
func (c *checker) misspelt(names []*spec.Scalar, meant string) bool {
	return slices.ContainsFunc(names, func(s *spec.Scalar) bool { return !c.known(s.Value) && c.p.Nearest(s.Value, c.names) == meant })
}

func listsMemory(d *spec.Decision, name string) bool {
	for _, m := range d.Memories {
		if m.Value == name {
			return true
		}
	}
	return false
}

// content looks up the variables of a memory's content in its source events.
func (k *payloads) content(m *spec.Memory) {
	if len(m.SourceEvents) == 0 {
		return
	}
	eachVariable(m.Content, func(path string, from, to int) {
		root, rest, dotted := strings.Cut(path, ".")
		if root != "event" || !dotted {
			k.p.Reportf(m.Content.Sub(from, to), "the content of memory %s reads its event, and {{ %s }} is none of its fields; write {{ event.%s }}",
				symbols.Text(m.Name), path, path)
			return
		}
		from += len("event.")
		if inner, ok := strings.CutPrefix(rest, "payload."); ok {
			from += len("payload.")
			rest = inner
		}
		field := sites.FirstSegment(rest)
		if sites.IsEnvelope(field) {
			return
		}
		names, found := k.among(m.SourceEvents, field)
		if found {
			return
		}
		at := m.Content.Sub(from, from+len(field))
		hint, fixes := k.p.Suggest(field, names, at, "name a payload field that they have")
		k.p.Report(spec.Diagnostic{Span: at, Fixes: fixes, Message: fmt.Sprintf(
			"none of the source events of memory %s has a payload field %s; %s", symbols.Text(m.Name), field, hint)})
	})
}
