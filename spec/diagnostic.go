package spec

// Severity orders findings by how much they matter.
type Severity uint8

// The severities, least first.
const (
	Hint Severity = iota + 1
	Info
	Warning
	Error
)

// String returns the severity's name as printed.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	case Info:
		return "info"
	}
	return "hint"
}

// Diagnostic is one finding: what is wrong at which place, why, and what to write instead.
type Diagnostic struct {
	Rule     string // the rule's stable id
	Severity Severity
	Span     Span
	Message  string
	Related  []Related
	Flow     []Related // the hops from source to sink, in order
	Fixes    []Fix
	Key      string // stable under moved lines: what the finding is about, without positions
	// Placeless tells that Key alone says what the finding is about: its span is only the first place that suffers from it.
	Placeless bool
}

// Related is another place that belongs to a finding, with a word about it.
type Related struct {
	Span    Span
	Message string
}

// Fix is a change that mends a finding. An unsafe one may change what the program means.
type Fix struct {
	Message string
	Unsafe  bool
	Edits   []Edit
}

// Edit replaces the text of a span.
type Edit struct {
	Span Span
	New  string
}

// Suppression is a comment by which an author acknowledges findings.
type Suppression struct {
	Span   Span // the comment
	Scope  Span // findings that start here are meant; the whole file for ignore-file
	Rules  []SuppressedRule
	Reason string // empty if the author gave none, which is a finding of its own
	Whole  bool   // ignore-file
}

// SuppressedRule is one rule id in a suppression.
type SuppressedRule struct {
	ID   string
	Span Span
}
