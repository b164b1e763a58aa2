package mutation

import (
	"strings"

	"github.com/causetc/causetc/analyzer/sites"
	"github.com/causetc/causetc/analyzer/symbols"
	"github.com/causetc/causetc/spec"
)

func exprKinds() []*Kind {
	return []*Kind{
		eachNode("missing operand", "an operator has its operands", missingOperand),
		eachNode("missing parenthesis", "parentheses come in pairs", missingParenthesis),
		eachNode("missing quote", "quotes come in pairs", missingQuote),
		eachNode("misspell operator", "an operator is one of || && == != < <= > >= + - * / % ! ? :", wrongOperator),
		eachNode("too many arguments", "a function takes a fixed number of arguments", tooManyArguments),
		eachNode("too few arguments", "a function needs its arguments", tooFewArguments),
		eachNode("argument of a wrong type", "a function takes arguments of its types", wrongArgument),
		eachNode("compare different kinds", "values of one kind are compared", compareKinds),
		eachNode("calculate with a text", "- * / % < take numbers", textOperand),
		eachNode("divide by zero", "nothing is divided by zero", divideByZero),
		eachNode("forbidden function", "no function that differs between two runs is called", forbiddenFunction),
		eachNode("slash for a dot", "a path in an expression has dots", slashPath),
		eachNode("missing dot", "an expression is one expression", stray),
		{Name: "constant condition", Rule: "a condition is not always true or false", make: constantCondition},
		{Name: "condition of another type", Rule: "a condition is true or false", make: numberCondition},
		{Name: "word without a meaning", Rule: "a projection reads no member of project, aggregate, global or platform", make: emptyNamespace},
		{Name: "item outside of a loop", Rule: "item stands in emit_each and for_each, it in where and by", make: itemOutside},
		{Name: "derived from itself", Rule: "derived.NAME names a column that is derived before", make: derivedFromItself},
	}
}

// eachNode is a kind that changes nodes of expressions.
func eachNode(name, rule string, change func(*program, *sites.Site, spec.Node, func(Mutant))) *Kind {
	return &Kind{Name: name, Rule: rule, Hint: name == "slash for a dot", make: func(p *program, out func(Mutant)) {
		for i := range p.sites {
			s := &p.sites[i]
			whole := s.Expr.Src.Span()
			spec.Walk(s.Expr.Root, func(n spec.Node) bool {
				change(p, s, n, func(m Mutant) {
					if m.Label == "" {
						m.Label = p.text(m.Span) + " -> " + m.New + " in " + p.text(whole)
					}
					m.At = append(m.At, whole)
					out(m)
				})
				return true
			})
		}
	}}
}

// hasReference reports whether an expression stays one by the rules of constants: it reads or calls something.
func hasReference(n spec.Node) bool {
	found := false
	spec.Walk(n, func(n spec.Node) bool {
		switch n.(type) {
		case *spec.Member, *spec.Index, *spec.Call:
			found = true
		}
		return !found
	})
	return found
}

func missingOperand(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	b, ok := n.(*spec.Binary)
	if !ok {
		return
	}
	if hasReference(b.X) {
		out(p.replace(s.Expr.Span(b.Y), ""))
	}
	if hasReference(b.Y) && b.Op != "-" {
		out(p.replace(s.Expr.Span(b.X), ""))
	}
}

func missingParenthesis(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	c, ok := n.(*spec.Call)
	if !ok {
		return
	}
	at := c.Range()
	if len(c.Args) > 0 && hasReference(c) {
		out(p.replace(s.Expr.At(spec.Range{From: at.To - 1, To: at.To}), ""))
		open := c.Fn.Range().To
		m := p.replace(s.Expr.At(spec.Range{From: open, To: open + 1}), " ")
		out(m)
	}
}

func missingQuote(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	lit, ok := n.(*spec.Lit)
	if !ok || lit.Kind != spec.LitString || s.Expr.Root == n {
		return
	}
	at := lit.Range()
	if at.From > 0 || s.Expr.Src.Style != spec.Plain { // else YAML's own quotes would be meant
		out(p.replace(s.Expr.At(spec.Range{From: at.To - 1, To: at.To}), ""))
	}
}

func wrongOperator(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	b, ok := n.(*spec.Binary)
	if !ok {
		return
	}
	wrong := map[string]string{"==": "=", "!=": "<>", "&&": "and", "||": "or", "<=": "=<", ">=": "=>", "<": "<<", ">": ">>", "+": "+ +*", "-": "-/", "*": "**", "/": "//", "%": "%%"}
	out(p.replace(s.Expr.At(b.OpAt), wrong[b.Op]))
}

// arity is the number of arguments that a function takes.
var arity = map[string]int{
	"floor": 1, "ceil": 1, "size": 1, "sum": 1, "contains": 2, "map": 2, "join": 2, "shard": 2, "hash": 1, "format_date": 1, "is_prev_day": 2,
	"lookup": 2, "LOOKUP_FIELD": 3,
}

func tooManyArguments(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	if c, ok := n.(*spec.Call); ok && arity[c.Name] > 0 && len(c.Args) == arity[c.Name] {
		at := s.Expr.Span(c.Args[len(c.Args)-1]).End
		if s.Expr.Src.Style == spec.Plain && flow(p, s) {
			return // the comma would be YAML's
		}
		out(p.insert(at, ", 1"))
	}
}

// flow reports whether an expression stands in braces, as a scalar without quotes.
func flow(p *program, s *sites.Site) bool {
	for _, e := range p.entries {
		if e.value.Scalar == s.Expr.Src {
			return e.in.Flow
		}
	}
	start := s.Expr.Src.Start
	line := column(s.Expr.Src.File, start)
	return strings.ContainsAny(string(s.Expr.Src.File.Text[start-line:start]), "{[")
}

func tooFewArguments(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	c, ok := n.(*spec.Call)
	if !ok || len(c.Args) == 0 || symbols.Text(s.Expr.Src) == "" {
		return
	}
	all := s.Expr.Span(c.Args[0]).Join(s.Expr.Span(c.Args[len(c.Args)-1]))
	out(p.replace(all, ""))
	least := arity[c.Name]
	if c.Name == "max" || c.Name == "min" {
		least = 2
	}
	if least > 1 && len(c.Args) == least {
		out(p.replace(spec.Span{Start: s.Expr.Span(c.Args[least-2]).End, End: s.Expr.Span(c.Args[least-1]).End}, ""))
	}
}

// wrongArguments are texts for an argument that a function can't take, "" where any will do.
var wrongArguments = map[string][]string{
	"floor": {"'x'"}, "ceil": {"'x'"}, "size": {"true"}, "sum": {"5"}, "contains": {"5"}, "join": {"5", "7"}, "shard": {"", "'x'"}, "format_date": {"true"},
	"is_prev_day": {"true", "true"}, "max": {"'x'"}, "min": {"true"},
}

func wrongArgument(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	c, ok := n.(*spec.Call)
	if !ok {
		return
	}
	for i, wrong := range wrongArguments[c.Name] {
		if i < len(c.Args) && wrong != "" {
			out(p.replace(s.Expr.Span(c.Args[i]), wrong))
		}
	}
}

// compareKinds writes a literal of another kind for one side of a comparison whose other side has a known kind.
func compareKinds(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	b, ok := n.(*spec.Binary)
	if !ok || !strings.ContainsAny(b.Op, "=<>") {
		return
	}
	for _, side := range [][2]spec.Node{{b.X, b.Y}, {b.Y, b.X}} {
		kind := p.kindOf(s, side[0])
		if l, isLit := side[1].(*spec.Lit); kind == "" || isLit && l.Kind == spec.LitNull {
			continue
		}
		for _, wrong := range otherLiterals(kind) {
			out(p.replace(s.Expr.Span(side[1]), wrong))
		}
	}
}

// otherLiterals are literals of other kinds.
func otherLiterals(kind string) []string {
	switch kind {
	case "text":
		return []string{"5", "true"}
	case "number":
		return []string{"'five'", "true"}
	case "truth":
		return []string{"'yes'", "1"}
	}
	return nil
}

func textOperand(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	b, ok := n.(*spec.Binary)
	if !ok || !strings.Contains("-*/%", b.Op) || !hasReference(b.X) {
		return
	}
	out(p.replace(s.Expr.Span(b.Y), "'x'"))
	out(p.replace(s.Expr.Span(b.Y), "true"))
}

func divideByZero(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	b, ok := n.(*spec.Binary)
	if ok && strings.Contains("+-*/%", b.Op) && hasReference(b.X) && p.kindOf(s, b.X) == "number" {
		from, to := s.Expr.At(b.OpAt), s.Expr.Span(b.Y)
		out(p.replace(from.Join(to), "/ 0"))
		out(p.replace(from.Join(to), "% (2 - 2)"))
	}
}

func forbiddenFunction(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	if m, ok := n.(*spec.Member); ok && len(spec.Children(m)) == 1 {
		if root, isPath := sites.PathRoot(m); !isPath || root != m.X {
			return
		}
		if whole(s.Expr.Root, m) {
			out(p.replace(s.Expr.Span(m), "uuid()"))
			out(p.replace(s.Expr.Span(m), "now()"))
		}
	}
}

// whole reports whether a path is no part of a longer one.
func whole(root spec.Node, path spec.Node) bool {
	is := true
	spec.Walk(root, func(n spec.Node) bool {
		switch n := n.(type) {
		case *spec.Member:
			is = is && n.X != path
		case *spec.Index:
			is = is && n.X != path
		}
		return is
	})
	return is
}

func slashPath(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	m, ok := n.(*spec.Member)
	if !ok {
		return
	}
	if _, deep := m.X.(*spec.Member); deep {
		dot := m.NameAt.From - 1
		out(p.replace(s.Expr.At(spec.Range{From: dot, To: dot + 1}), "/"))
	}
}

func stray(p *program, s *sites.Site, n spec.Node, out func(Mutant)) {
	m, ok := n.(*spec.Member)
	if !ok {
		return
	}
	if _, deep := m.X.(*spec.Member); deep {
		dot := m.NameAt.From - 1
		out(p.replace(s.Expr.At(spec.Range{From: dot, To: dot + 1}), " "))
	}
}

// conditions are the places of conditions that are texts.
func isCondition(s *sites.Site) bool {
	switch s.Place {
	case sites.RuleWhen, sites.OpIf, sites.OpWhere, sites.ListenerWhere, sites.MutationCondition, sites.AggregateWhen:
		return true
	}
	return false
}

func constantCondition(p *program, out func(Mutant)) { p.conditions(out, "1 == 1", "2 > 3") }
func numberCondition(p *program, out func(Mutant))   { p.conditions(out, "1 + 2", "'yes'") }

func (p *program) conditions(out func(Mutant), texts ...string) {
	for i := range p.sites {
		s := &p.sites[i]
		for _, text := range texts {
			if isCondition(s) {
				at := s.Expr.Src.Span()
				m := p.replace(at, `"`+text+`"`)
				m.Label = p.text(at) + " -> " + text
				out(m)
			}
		}
	}
}

func emptyNamespace(p *program, out func(Mutant)) {
	for i := range p.sites {
		s := &p.sites[i]
		if s.Projection == nil {
			continue
		}
		w := pathWalker{call: func(*spec.Call) {}}
		w.visit = func(n spec.Node) {
			root, _ := sites.PathRoot(n)
			if root != nil && root.Name == "event" && root != n {
				for _, word := range []string{"aggregate", "projection", "global"} {
					m := p.replace(s.Expr.Span(root), word, s.Expr.Span(n))
					m.Label = "event -> " + word
					out(m)
				}
			}
		}
		w.walk(s.Expr.Root)
	}
}

func itemOutside(p *program, out func(Mutant)) {
	for i := range p.sites {
		s := &p.sites[i]
		member, ok := s.Expr.Root.(*spec.Member)
		if !ok || s.Action == nil || s.Place != sites.OpValue && s.Place != sites.RuleWhen && s.Place != sites.EmitPayload && s.Place != sites.SubmitPayload {
			continue
		}
		if root, isPath := sites.PathRoot(member); isPath && (root.Name == "intent" || root.Name == "entity") && !inLoop(p, s) {
			m := p.replace(s.Expr.Span(root), "item", s.Expr.Span(member))
			m.Label = p.text(s.Expr.Span(member)) + " with item"
			out(m)
		}
	}
}

// inLoop reports whether an expression stands in a loop, or what it belongs to is one.
func inLoop(p *program, s *sites.Site) bool {
	if s.Op != nil && (symbols.Text(s.Op.Kind) == "emit_each" || symbols.Text(s.Op.Kind) == "map") {
		return true
	}
	at := s.Expr.Src.Span()
	for _, e := range p.entries {
		if e.key.Value == "for_each" && e.file == s.Expr.Src.File && e.around()[0].Contains(at) {
			return true
		}
	}
	return false
}

func derivedFromItself(p *program, out func(Mutant)) {
	for i := range p.sites {
		s := &p.sites[i]
		if s.Place == sites.Derive && s.Key != nil && s.Path == s.Key.Value {
			m := p.replace(s.Expr.Src.Span(), "derived."+s.Key.Value, s.Key.Span())
			m.Label = s.Key.Value + ": derived." + s.Key.Value
			out(m)
		}
	}
}
