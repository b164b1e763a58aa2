package sql

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// BindError says why a query can't be run with the given parameters.
type BindError struct {
	Query   string
	Input   string // the input at fault, or empty
	Message string
}

// Error names the query and the input.
func (e *BindError) Error() string {
	if e.Input == "" {
		return fmt.Sprintf("query %s: %s", e.Query, e.Message)
	}
	return fmt.Sprintf("query %s: parameter %s: %s", e.Query, e.Input, e.Message)
}

// Arguments are what a query is run with.
type Arguments struct {
	// Inputs are the values by name. A text is converted to the declared type; null is as good as absent.
	Inputs map[string]expr.Value
	// Moment is where windows end: milliseconds since the epoch or RFC 3339 text. Only queries with a window need it.
	Moment expr.Value
}

// Bound is a statement that is ready to be run by pgx.
type Bound struct {
	SQL  string
	Args []any // each a string or a []string
}

// input is a declared input with its default evaluated.
type input struct {
	ir.Input
	fallback expr.Value
}

func compileInputs(declared []ir.Input) ([]input, error) {
	inputs := make([]input, len(declared))
	for i, in := range declared {
		fallback, err := constantValue(in.Default)
		if err != nil {
			return nil, fmt.Errorf("input %s: default: %w", in.Name, err)
		}
		inputs[i] = input{Input: in, fallback: fallback}
	}
	return inputs, nil
}

// Bind gives the statement its values: conditions whose optional input is not given are left out. Errors are of type
// *BindError: an unknown or missing parameter, or a value that is not of its type.
func (s *Statement) Bind(a Arguments) (Bound, error) {
	values, err := s.resolve(a)
	if err != nil {
		return Bound{}, err
	}
	text, params := s.render(func(name string) bool { return !values[name].IsNull() })
	bound := Bound{SQL: text, Args: make([]any, len(params))}
	for i := range params {
		arg, err := params[i].encode(values, a.Moment)
		if err != nil {
			return Bound{}, &BindError{Query: s.query, Input: params[i].Input, Message: err.Error()}
		}
		bound.Args[i] = arg
	}
	return bound, nil
}

// resolve checks the given inputs and adds the defaults.
func (s *Statement) resolve(a Arguments) (map[string]expr.Value, error) {
	values := make(map[string]expr.Value, len(s.inputs))
	names := make([]string, len(s.inputs))
	for i, in := range s.inputs {
		names[i] = in.Name
		value := a.Inputs[in.Name]
		if value.IsNull() {
			value = in.fallback
		}
		if value.IsNull() && in.Required {
			return nil, &BindError{Query: s.query, Input: in.Name, Message: "is required"}
		}
		values[in.Name] = value
		if err := s.checkInput(in.Input, value); err != nil {
			return nil, &BindError{Query: s.query, Input: in.Name, Message: err.Error()}
		}
	}
	for name := range a.Inputs {
		if _, known := values[name]; !known {
			slices.Sort(names)
			message := "is unknown; the query takes " + strings.Join(names, ", ")
			if len(names) == 0 {
				message = "is unknown; the query takes none"
			}
			return nil, &BindError{Query: s.query, Input: name, Message: message}
		}
	}
	return values, nil
}

// checkInput holds a value to the declared type, but for lists, whose items are held to the column's.
func (s *Statement) checkInput(in ir.Input, value expr.Value) error {
	if s.takesList(in.Name) || value.IsNull() {
		return nil
	}
	_, err := expr.Coerce(value, in.Type)
	return err
}

func (s *Statement) takesList(name string) bool {
	return slices.ContainsFunc(s.Params, func(p Param) bool { return p.List && p.Input == name })
}

// encode returns the parameter's value as pgx takes it.
func (p *Param) encode(values map[string]expr.Value, moment expr.Value) (any, error) {
	switch {
	case p.Moment && moment.IsNull():
		return nil, fmt.Errorf("a window needs the moment that it ends at")
	case p.Moment:
		return encodeText(moment, p.Type)
	case len(p.Window) > 0:
		return encodeWindow(values[p.Input].Text(), p.Window)
	case p.List:
		return encodeList(values[p.Input], p.Type)
	case p.Input == limitName && p.Type == limitType:
		return encodeLimit(values[p.Input])
	default:
		return encodeText(values[p.Input], p.Type)
	}
}

// encodeWindow takes a length of time that is one of the allowed ones, however it is written.
func encodeWindow(text string, allowed []string) (string, error) {
	length, err := parseWindow(text)
	if err != nil {
		return "", err
	}
	for _, window := range allowed {
		if same, err := parseWindow(window); err == nil && same == length {
			return length, nil
		}
	}
	return "", fmt.Errorf("%s is not allowed; the windows are %s", text, strings.Join(allowed, ", "))
}

func encodeText(value expr.Value, t ir.SQLType) (string, error) {
	cell, err := expr.Coerce(value, t)
	if err != nil {
		return "", err
	}
	return expr.SQLText(cell, t), nil
}

// encodeList takes an array, or a text that is a JSON array, or a single value.
func encodeList(value expr.Value, t ir.SQLType) ([]string, error) {
	if text, ok := value.AsString(); ok && strings.HasPrefix(strings.TrimSpace(text), "[") {
		parsed, err := expr.ParseJSONString(text)
		if err != nil {
			return nil, err
		}
		value = parsed
	}
	if value.Kind() != expr.KindArray {
		value = expr.Array([]expr.Value{value})
	}
	items := make([]string, 0, value.Len())
	for item := range value.Items() {
		if item.IsNull() {
			return nil, fmt.Errorf("a list must not hold null")
		}
		text, err := encodeText(item, t)
		if err != nil {
			return nil, err
		}
		items = append(items, text)
	}
	return items, nil
}

var limitType = ir.SQLType{Name: ir.BigInt}

func encodeLimit(value expr.Value) (string, error) {
	text, err := encodeText(value, limitType)
	if err == nil && strings.HasPrefix(text, "-") {
		err = fmt.Errorf("must not be negative")
	}
	return text, err
}

// render writes the statement with the conditions whose inputs are given.
func (s *Statement) render(given func(input string) bool) (string, []Param) {
	r := renderer{given: given}
	r.WriteString(s.head)
	word := "\nWHERE "
	for i := range s.conditions {
		if r.applies(s.conditions[i].params) {
			r.WriteString(word)
			r.add(s.conditions[i])
			word = "\n  AND "
		}
	}
	r.WriteString(s.tail)
	switch {
	case s.limitInput != "" && given(s.limitInput):
		r.add(condition{parts: []string{"\nLIMIT ", "::BIGINT"}, params: []Param{{Input: s.limitInput, Type: limitType}}})
	case s.limit > 0:
		r.WriteString("\nLIMIT " + strconv.FormatInt(s.limit, 10))
	}
	return r.String(), r.params
}

type renderer struct {
	strings.Builder
	given  func(input string) bool
	params []Param
}

func (r *renderer) applies(params []Param) bool {
	return !slices.ContainsFunc(params, func(p Param) bool { return p.Input != "" && !r.given(p.Input) })
}

func (r *renderer) add(c condition) {
	for i, part := range c.parts {
		r.WriteString(part)
		if i < len(c.params) {
			r.params = append(r.params, c.params[i])
			r.WriteString("$" + strconv.Itoa(len(r.params)))
		}
	}
}
