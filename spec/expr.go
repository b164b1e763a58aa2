package spec

// Range is a half-open range of bytes in the decoded text of the scalar that holds an expression. Trees of equal text
// are shared between scalars, so nodes carry ranges instead of places; Expr.Span makes the place.
type Range struct {
	From, To int32
}

// Node is a node of an expression tree: one of *Ident, *Member, *Index, *Call, *Unary, *Binary, *Cond, *Elvis, *Lit, *Bad.
type Node interface {
	Range() Range
}

type (
	// Ident is a lone name: a namespace, a bound name, a bare field or a word.
	Ident struct {
		Where Range
		Name  string
	}
	// Member is X.Name.
	Member struct {
		Where  Range
		X      Node
		Name   string
		NameAt Range
	}
	// Index is X[I].
	Index struct {
		Where Range
		X, I  Node
	}
	// Call is Fn(Args...). Name is the dotted text of Fn where it is a name or a path of names, else empty.
	Call struct {
		Where Range
		Fn    Node
		Name  string
		Args  []Node
	}
	// Unary is !X or -X.
	Unary struct {
		Where Range
		Op    string
		X     Node
	}
	// Binary is X Op Y with one of || && == != < <= > >= + - * / %.
	Binary struct {
		Where Range
		Op    string
		OpAt  Range
		X, Y  Node
	}
	// Cond is If ? Then : Else.
	Cond struct {
		Where          Range
		If, Then, Else Node
	}
	// Elvis is X ?: Y, the left unless it is null.
	Elvis struct {
		Where Range
		X, Y  Node
	}
	// Lit is a literal; Text is the decoded text of strings, and the digits of numbers.
	Lit struct {
		Where Range
		Kind  LitKind
		Text  string
	}
	// Bad stands where a part could not be parsed; a problem has been reported there.
	Bad struct {
		Where Range
	}
)

// LitKind is the kind of a literal.
type LitKind uint8

// The literal kinds.
const (
	LitInt LitKind = iota
	LitDecimal
	LitString
	LitBool
	LitNull
)

// Range returns where the node stands in its text.
func (n *Ident) Range() Range  { return n.Where }
func (n *Member) Range() Range { return n.Where }
func (n *Index) Range() Range  { return n.Where }
func (n *Call) Range() Range   { return n.Where }
func (n *Unary) Range() Range  { return n.Where }
func (n *Binary) Range() Range { return n.Where }
func (n *Cond) Range() Range   { return n.Where }
func (n *Elvis) Range() Range  { return n.Where }
func (n *Lit) Range() Range    { return n.Where }
func (n *Bad) Range() Range    { return n.Where }

// Expr is an expression that the author wrote in a scalar. Root is nil where the text could not be parsed at all.
type Expr struct {
	Src  *Scalar
	Root Node
}

// Span returns the place of a node of the expression.
func (e *Expr) Span(n Node) Span {
	r := n.Range()
	return e.Src.Sub(int(r.From), int(r.To))
}

// At returns the place of a range of the expression's text.
func (e *Expr) At(r Range) Span { return e.Src.Sub(int(r.From), int(r.To)) }

// ValueKind tells what a Value is.
type ValueKind uint8

// The kinds of values.
const (
	ValueConst ValueKind = iota // a YAML number, boolean or null, or a text that stands for itself: Const
	ValueExpr                   // an expression: Expr
	ValueMap                    // Entries
	ValueList                   // Items
)

// Value is what stands in value position: a constant, an expression, or a map or list of values.
type Value struct {
	Kind    ValueKind
	At      Span // of a map or list: its first key or item; of a scalar use Src
	Src     *Scalar
	Const   *Lit  // ValueConst; its range covers the scalar's text
	Expr    *Expr // ValueExpr
	Entries []ValueEntry
	Items   []*Value
}

// ValueEntry is one entry of a map value.
type ValueEntry struct {
	Key   *Scalar
	Value *Value
}

// Span returns the place of the value.
func (v *Value) Span() Span {
	if v.Src != nil {
		return v.Src.Span()
	}
	return v.At
}

// Walk calls visit for n and its descendants, parents first, until visit returns false for a node, whose children are
// then left out.
func Walk(n Node, visit func(Node) bool) {
	if n == nil || !visit(n) {
		return
	}
	for _, c := range Children(n) {
		Walk(c, visit)
	}
}

// Children returns the operands of a node in the order of the text.
func Children(n Node) []Node {
	switch n := n.(type) {
	case *Member:
		return []Node{n.X}
	case *Index:
		return []Node{n.X, n.I}
	case *Call:
		return append([]Node{n.Fn}, n.Args...)
	case *Unary:
		return []Node{n.X}
	case *Binary:
		return []Node{n.X, n.Y}
	case *Cond:
		return []Node{n.If, n.Then, n.Else}
	case *Elvis:
		return []Node{n.X, n.Y}
	}
	return nil
}
