package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/spec"
)

// maxSize bounds a configuration, in bytes.
const maxSize = 1 << 20

// The keys of a configuration, and the words that some of them take.
var (
	topKeys      = []string{"target", "fail-on", "exclude", "rules", "overrides"}
	overrideKeys = []string{"paths", "rules"}
	targets      = []string{"hosted", "causetc"}
	thresholds   = []string{"hint", "info", "warning", "error", "never"}
)

// Read reads a configuration. rules are those that it may name. What is wrong in it is an *InvalidError.
func Read(path string, rules []spec.RuleDoc) (*Config, error) {
	text, err := readBounded(path)
	if err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	r := &reader{rules: rules}
	c := &Config{Path: path, dir: filepath.Dir(abs), Rules: map[string]Level{}}
	r.document(c, text)
	if len(r.problems) > 0 {
		return nil, &InvalidError{Path: path, Problems: r.problems}
	}
	return c, nil
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file", path)
	case info.Size() > maxSize:
		return nil, fmt.Errorf("%s has more than %d bytes", path, maxSize)
	}
	return os.ReadFile(path)
}

// reader collects what is wrong while it reads.
type reader struct {
	rules    []spec.RuleDoc
	problems []Problem
}

func (r *reader) problem(n *yaml.Node, format string, args ...any) {
	r.problems = append(r.problems, Problem{Line: n.Line, Column: n.Column, Message: fmt.Sprintf(format, args...)})
}

func (r *reader) document(c *Config, text []byte) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return // nothing but comments
	case err != nil:
		r.syntax(err)
		return
	}
	if err := d.Decode(&second); err == nil {
		r.problem(&second, "the file holds more than one document")
		return
	}
	root := doc.Content[0]
	if isNull(root) {
		return
	}
	r.entries(root, "the configuration", topKeys, func(key string, value *yaml.Node) { r.top(c, key, value) })
}

// lineOfError finds the line in a message of the YAML library.
var lineOfError = regexp.MustCompile(`^yaml: line (\d+): `)

func (r *reader) syntax(err error) {
	p := Problem{Line: 1, Column: 1, Message: strings.TrimPrefix(err.Error(), "yaml: ")}
	if m := lineOfError.FindStringSubmatch(err.Error()); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.Message = err.Error()[len(m[0]):]
	}
	r.problems = append(r.problems, p)
}

func (r *reader) top(c *Config, key string, value *yaml.Node) {
	switch key {
	case "target":
		c.Target = r.word(value, "worker", targets)
	case "fail-on":
		c.FailOn = r.word(value, "severity", thresholds)
	case "exclude":
		c.Exclude = r.globs(value)
	case "rules":
		c.Rules = r.levels(value)
	case "overrides":
		c.Overrides = r.overrides(value)
	}
}

// entries calls visit for the entries of a map whose keys are known, and reports the others.
func (r *reader) entries(n *yaml.Node, what string, known []string, visit func(key string, value *yaml.Node)) {
	if n.Kind != yaml.MappingNode {
		r.problem(n, "%s is a map with the keys %s", what, strings.Join(known, ", "))
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case !slices.Contains(known, key.Value) || key.Kind != yaml.ScalarNode:
			r.unknown(key, "key", known)
		case seen[key.Value]:
			r.problem(key, "the key %q stands here twice", key.Value)
		default:
			seen[key.Value] = true
			visit(key.Value, value)
		}
	}
}

// unknown reports a word that is none of those known, with the nearest one.
func (r *reader) unknown(n *yaml.Node, what string, known []string) {
	if near := nearest.Word(n.Value, known); near != "" {
		r.problem(n, "unknown %s %q; did you mean %q?", what, n.Value, near)
		return
	}
	r.problem(n, "unknown %s %q; use one of: %s", what, n.Value, strings.Join(known, ", "))
}

func (r *reader) word(n *yaml.Node, what string, known []string) string {
	switch {
	case n.Kind != yaml.ScalarNode:
		r.problem(n, "expected one word: %s", strings.Join(known, ", "))
	case !slices.Contains(known, n.Value):
		r.unknown(n, what, known)
	}
	return n.Value
}

// globs reads one glob or a list of them.
func (r *reader) globs(n *yaml.Node) []string {
	items := n.Content
	if n.Kind == yaml.ScalarNode && !isNull(n) {
		items = []*yaml.Node{n}
	} else if n.Kind != yaml.SequenceNode {
		r.problem(n, "expected a glob, or a list of globs, such as vendor/**")
		return nil
	}
	var globs []string
	for _, item := range items {
		switch {
		case item.Kind != yaml.ScalarNode || item.Value == "" || isNull(item):
			r.problem(item, "expected a glob, such as vendor/**")
		case !doublestar.ValidatePattern(item.Value):
			r.problem(item, "%q is not a glob: a bracket or a brace is not closed", item.Value)
		case strings.HasPrefix(item.Value, "/") || filepath.IsAbs(item.Value):
			r.problem(item, "the glob %q is absolute; globs are relative to the folder of this file", item.Value)
		default:
			globs = append(globs, item.Value)
		}
	}
	return globs
}

// levels reads a map of rules to levels.
func (r *reader) levels(n *yaml.Node) map[string]Level {
	levels := map[string]Level{}
	if n.Kind != yaml.MappingNode {
		r.problem(n, "expected a map of rules to levels, such as CS601: off")
		return levels
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		rule, value := n.Content[i], n.Content[i+1]
		if !r.isRule(rule) {
			continue
		}
		level, ok := ParseLevel(value.Value)
		switch {
		case value.Kind != yaml.ScalarNode || !ok:
			r.level(value)
		case levels[rule.Value] != 0:
			r.problem(rule, "the rule %s stands here twice", rule.Value)
		}
		levels[rule.Value] = level
	}
	return levels
}

func (r *reader) level(n *yaml.Node) {
	switch {
	case n.Kind != yaml.ScalarNode:
		r.problem(n, "expected one word: %s", strings.Join(levelWords, ", "))
	case n.Tag == "!!bool" && n.Value == "false":
		r.problem(n, "write off")
	case n.Tag == "!!bool" && n.Value == "true":
		r.problem(n, "write on")
	default:
		r.unknown(n, "level", levelWords)
	}
}

// isRule reports whether a key is the id of a rule, and what is wrong if not.
func (r *reader) isRule(n *yaml.Node) bool {
	if err := CheckRule(n.Value, r.rules); err != nil {
		r.problem(n, "%s", err)
		return false
	}
	return true
}

// CheckRule returns an error for what is not the id of a rule.
func CheckRule(id string, rules []spec.RuleDoc) error {
	ids := make([]string, 0, len(rules))
	for _, d := range rules {
		switch {
		case d.ID == id:
			return nil
		case d.Name == id || strings.EqualFold(d.ID, id):
			return fmt.Errorf("write %s for the rule %s", d.ID, id)
		}
		ids = append(ids, d.ID)
	}
	if near := nearest.Word(id, ids); near != "" {
		return fmt.Errorf("unknown rule %q; did you mean %q?", id, near)
	}
	return fmt.Errorf("unknown rule %q; `causetc rules` lists them", id)
}

func (r *reader) overrides(n *yaml.Node) []Override {
	if n.Kind != yaml.SequenceNode {
		r.problem(n, "expected a list of maps with the keys paths and rules")
		return nil
	}
	var list []Override
	for _, item := range n.Content {
		var o Override
		there := map[string]bool{}
		before := len(r.problems)
		r.entries(item, "an override", overrideKeys, func(key string, value *yaml.Node) {
			there[key] = true
			switch key {
			case "paths":
				o.Paths = r.globs(value)
			case "rules":
				o.Rules = r.levels(value)
			}
		})
		for _, key := range overrideKeys {
			if !there[key] && len(r.problems) == before {
				r.problem(item, "an override needs the key %q", key)
			}
		}
		list = append(list, o)
	}
	return list
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }
