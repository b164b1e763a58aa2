package spec

// Style is how a YAML scalar is written.
type Style uint8

// The scalar styles.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal // |
	Folded  // >
)

// Tag is what YAML takes a scalar for.
type Tag uint8

// The resolved kinds of a scalar.
const (
	TagString Tag = iota
	TagInt
	TagFloat
	TagBool
	TagNull
	TagOther // a timestamp, binary or a tag of the author's
)

// Scalar is a YAML scalar, key or value: its decoded text and where it stands. Span and Sub read the source again when
// they are asked, so that scalars without a finding cost nothing.
type Scalar struct {
	File  *File
	Start int // byte offset of its first character: the quote, the block indicator, or the text; behind anchor and tag
	// Indent is the column (0-based) of indentation that its block is nested in; only block and multi-line scalars need it.
	Indent int32
	Style  Style
	Tag    Tag
	Value  string
}

// Bool is a boolean leaf.
type Bool struct {
	*Scalar
	V bool
}

// Int is an integer leaf.
type Int struct {
	*Scalar
	V int64
}
