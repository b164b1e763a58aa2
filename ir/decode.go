package ir

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Bounds on what Decode accepts. They keep the memory of reading any input below 1 GiB, and leave room for programs of
// hundreds of thousands of expressions.
const (
	MaxSize   = 32 << 20 // bytes of an IR file
	MaxValues = 2 << 20  // JSON values, roughly: opening brackets and commas
	MaxDepth  = 1000     // nesting of an expression
)

//go:embed schema.json
var schemaText []byte

// JSONSchema returns the JSON Schema (draft 2020-12) of an IR file.
func JSONSchema() []byte { return slices.Clone(schemaText) }

// VersionError says that a file has a layout that this program does not know.
type VersionError struct {
	Got int64 // the version of the file
}

func (e *VersionError) Error() string {
	if e.Got > FormatVersion {
		return fmt.Sprintf("the IR file has format version %d, and this causetc reads up to version %d: it was written by a newer causetc",
			e.Got, FormatVersion)
	}
	return fmt.Sprintf("the IR file has format version %d, which does not exist", e.Got)
}

// CorruptError says that a file was changed or damaged after it was written: its hash does not fit its content.
type CorruptError struct {
	What      string // the program, or a group by name
	Want, Got string // the hash in the file, and that of the content
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("the IR file is corrupted: the content of %s has hash %.12s, the file says %.12s; build it again",
		e.What, e.Got, e.Want)
}

// Problem is one thing wrong with a program, at a JSON pointer.
type Problem struct {
	Path    string // such as /groups/0/tables/1; empty for the file as a whole
	Message string
}

// InvalidError says that a text is not an IR file, or that its program is not well-formed.
type InvalidError struct {
	Problems []Problem // at least one, at most maxProblems
	Omitted  int       // how many more there were, counted up to maxOmitted
}

// An InvalidError lists few problems, since people read it; looking for more stops after many.
const (
	maxProblems = 20
	maxOmitted  = 1000
)

func (e *InvalidError) Error() string {
	var b strings.Builder
	b.WriteString("not a valid IR file")
	for i, p := range e.Problems {
		sep := "; "
		if i == 0 {
			sep = ": "
		}
		b.WriteString(sep)
		if p.Path != "" {
			b.WriteString("at " + p.Path + ": ")
		}
		b.WriteString(p.Message)
	}
	if e.Omitted > 0 {
		fmt.Fprintf(&b, "; and %d more", e.Omitted)
	}
	return b.String()
}

func invalid(format string, args ...any) error {
	return &InvalidError{Problems: []Problem{{Message: fmt.Sprintf(format, args...)}}}
}

// Decode reads an IR file and checks all of it: size, version, canonical form (white space aside), hashes, what
// Validate checks, and the schema. The error is a *VersionError, a *CorruptError or an *InvalidError. Memory is bounded whatever
// the input is.
func Decode(data []byte) (*Program, error) {
	if err := checkBounds(data); err != nil {
		return nil, err
	}
	if err := checkVersion(data); err != nil {
		return nil, err
	}
	p, err := decodeTyped(data)
	if err != nil {
		return nil, err
	}
	malformed := Validate(p)
	if at := firstDifference(data, p); at != "" {
		if malformed == nil {
			malformed = invalid("it is not in canonical form: %s", at)
		}
		return nil, malformed
	}
	if err := checkHashes(p); err != nil {
		return nil, err
	}
	if malformed != nil {
		return nil, malformed
	}
	// The schema comes last: its validator keeps every failure in memory, and says less about one.
	if err := checkSchema(data); err != nil {
		return nil, err
	}
	return p, nil
}

// firstDifference compares a text with the encoding of what was read from it, white space aside. It is empty if they are
// equal: then the text says nothing that p does not hold (no key twice or in other letters, no null for a list), and p
// nothing that the text does not say.
func firstDifference(data []byte, p *Program) string {
	var got bytes.Buffer
	if err := json.Compact(&got, data); err != nil {
		return err.Error()
	}
	canonical, err := encodeJSON(p, "")
	if err != nil {
		return err.Error()
	}
	a, b := got.Bytes(), bytes.TrimSuffix(canonical, []byte("\n"))
	at := 0
	for at < min(len(a), len(b)) && a[at] == b[at] {
		at++
	}
	if at == len(a) && at == len(b) {
		return ""
	}
	excerpt := func(text []byte) []byte { return text[max(0, at-20):min(len(text), at+40)] }
	return fmt.Sprintf("it has %q where %q should stand", excerpt(a), excerpt(b))
}

// checkBounds looks at the brackets of a text before anything is built from it.
func checkBounds(data []byte) error {
	if len(data) > MaxSize {
		return invalid("it has %d bytes, more than %d", len(data), MaxSize)
	}
	const maxNesting = 2*MaxDepth + 20
	depth, values, inString := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			depth++
			values++
		case c == ',':
			values++
		case c == '}' || c == ']':
			depth--
		}
		if depth > maxNesting {
			return invalid("it is nested deeper than %d", maxNesting)
		}
		if values > MaxValues {
			return invalid("it holds more than %d values", MaxValues)
		}
	}
	return nil
}

func checkVersion(data []byte) error {
	var head struct {
		Format json.RawMessage `json:"format"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return notJSON(data, err)
	}
	if head.Format == nil {
		return invalid(`it has no "format"`)
	}
	version, err := strconv.ParseInt(string(head.Format), 10, 64)
	if err != nil {
		return invalid(`its "format" is %.40s, not a version`, head.Format)
	}
	if version != FormatVersion {
		return &VersionError{Got: version}
	}
	return nil
}

// notJSON explains a failure of the JSON decoder, with the line for syntax errors.
func notJSON(data []byte, err error) error {
	line := func(offset int64) int {
		return 1 + bytes.Count(data[:min(int(offset), len(data))], []byte("\n"))
	}
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return invalid("it is not JSON: line %d: %s", line(syntax.Offset), syntax.Error())
	case errors.As(err, &mismatch) && mismatch.Field != "":
		return invalid("line %d: %s can't be a JSON %s", line(mismatch.Offset), mismatch.Field, mismatch.Value)
	case errors.As(err, &mismatch):
		return invalid("line %d: a JSON %s is not a program", line(mismatch.Offset), mismatch.Value)
	}
	return invalid("%s", strings.TrimPrefix(err.Error(), "json: "))
}

var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.CompileString("schema.json", string(schemaText))
})

func checkSchema(data []byte) error {
	schema, err := compiledSchema()
	if err != nil {
		return fmt.Errorf("the schema of IR files: %w", err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var tree any
	if err := dec.Decode(&tree); err != nil {
		return notJSON(data, err)
	}
	err = schema.Validate(tree)
	var failed *jsonschema.ValidationError
	if errors.As(err, &failed) {
		return schemaProblems(failed)
	}
	return err
}

// schemaProblems keeps the leaves of a schema error, which name the places at fault.
func schemaProblems(failed *jsonschema.ValidationError) error {
	var list problems
	var collect func(e *jsonschema.ValidationError)
	collect = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			list.add(e.InstanceLocation, "%s", e.Message)
		}
		for _, cause := range e.Causes {
			collect(cause)
		}
	}
	collect(failed)
	return list.err()
}

func decodeTyped(data []byte) (*Program, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	p := &Program{}
	if err := dec.Decode(p); err != nil {
		return nil, notJSON(data, err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, invalid("something follows the program")
	}
	return p, nil
}

func checkHashes(p *Program) error {
	got, err := programHash(p)
	if err != nil {
		return err
	}
	if got != p.Hash {
		return &CorruptError{What: "the program", Want: p.Hash, Got: got}
	}
	resources := resourcesByName(p)
	for i := range p.Groups {
		g := &p.Groups[i]
		got, err := groupHash(resources, g)
		if err != nil {
			return err
		}
		if got != g.Hash {
			return &CorruptError{What: "group " + g.Name, Want: g.Hash, Got: got}
		}
	}
	return nil
}

// problems collects problems up to the bound.
type problems struct {
	list    []Problem
	omitted int
}

func (p *problems) add(path, format string, args ...any) {
	if len(p.list) == maxProblems {
		p.omitted++
		return
	}
	p.list = append(p.list, Problem{Path: path, Message: fmt.Sprintf(format, args...)})
}

// hopeless reports whether there is no point in looking for more.
func (p *problems) hopeless() bool { return p.omitted >= maxOmitted }

func (p *problems) err() error {
	if len(p.list) == 0 {
		return nil
	}
	return &InvalidError{Problems: p.list, Omitted: p.omitted}
}
