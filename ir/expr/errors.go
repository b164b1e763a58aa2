package expr

import (
	"fmt"
	"strings"
)

// Code names what went wrong in an evaluation or a conversion. The texts are stable.
type Code string

// The codes of evaluation errors.
const (
	CodeType             Code = "type_mismatch"     // an operand or value of a kind that does not fit
	CodeDivisionByZero   Code = "division_by_zero"  // of / and %
	CodeOverflow         Code = "overflow"          // an integer that does not fit 64 bits
	CodeRange            Code = "out_of_range"      // a number or a moment beyond what its type holds
	CodePrecision        Code = "precision_loss"    // a number that the column type could only hold rounded
	CodeLength           Code = "too_long"          // a text longer than its column, or a key than an index entry
	CodeFormat           Code = "invalid_format"    // a text that is not of the form that the type needs
	CodeText             Code = "invalid_text"      // NUL, invalid UTF-8 or a lone surrogate in a text
	CodeDepth            Code = "too_deep"          // JSON nested deeper than MaxJSONDepth
	CodeLimit            Code = "limit_exceeded"    // an evaluation that does or produces too much
	CodeNoSnapshots      Code = "no_snapshots"      // lookup without a configured source of entity snapshots
	CodeNonDeterministic Code = "non_deterministic" // a non-deterministic function outside a simulation
)

// EvalError says why one event's expression has no value, or why a value does not fit a column. The same event always
// gives the same EvalError.
type EvalError struct {
	Code    Code
	Message string
}

// Error returns the message, which is bounded in length and free of control characters.
func (e *EvalError) Error() string { return e.Message }

func evalErrorf(code Code, format string, args ...any) *EvalError {
	return &EvalError{Code: code, Message: fmt.Sprintf(format, args...)}
}

// maxQuoted bounds what a message repeats of a text.
const maxQuoted = 60

// clip quotes a text for a message, shortened to a bounded length.
func clip(s string) string {
	if len(s) <= maxQuoted {
		return fmt.Sprintf("%q", s)
	}
	return fmt.Sprintf("%q...", strings.ToValidUTF8(s[:maxQuoted], ""))
}

// describe renders a value for a message: its kind, and a scalar's text.
func describe(v Value) string {
	switch v.kind {
	case KindString:
		return "string " + clip(v.s)
	case KindInt, KindDecimal, KindBool, KindFloat, KindTime, KindDate:
		text := v.Text()
		if len(text) > maxQuoted {
			text = text[:maxQuoted] + "..."
		}
		return v.kind.String() + " " + text
	default:
		return v.kind.String()
	}
}
