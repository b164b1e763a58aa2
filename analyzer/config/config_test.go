package config_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/analyzer/config"
	"github.com/causetc/causetc/spec"
)

var rules = []spec.RuleDoc{
	{ID: "CS101", Name: "yaml-syntax", Title: "a < b"}, {ID: "CS302", Name: "unknown-event", Title: "two"}, {ID: "CS601", Name: "counter", Title: "three"},
}

// read writes a configuration into a folder and reads it.
func read(t *testing.T, dir, text string) (*config.Config, error) {
	t.Helper()
	t.Chdir(dir)
	if err := os.WriteFile(config.FileName, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.Read(config.FileName, rules)
}

func TestApply(t *testing.T) {
	c, err := read(t, t.TempDir(), `
target: causetc
fail-on: error
exclude: vendor
rules: { CS101: info, CS302: off }
overrides:
  - paths: ["legacy/**", "*.yaml"]
    rules: { CS101: off, CS302: on }
  - { paths: legacy/new, rules: { CS101: error } }
`)
	if err != nil {
		t.Fatal(err)
	}
	if c.Target != "causetc" || c.FailOn != "error" {
		t.Errorf("%+v", c)
	}
	for path, want := range map[string]string{
		"a.causet": "CS101 info, CS601 warning", "legacy/x/a.causet": "CS302 warning, CS601 warning", "a.yaml": "CS302 warning, CS601 warning",
		"legacy/new/a.causet": "CS101 error, CS302 warning, CS601 warning", "sub/a.yaml": "CS101 info, CS601 warning", "": "CS101 info, CS601 warning",
	} {
		set := &spec.FileSet{}
		var at spec.Span
		if path != "" {
			at = set.Add(path, []byte("x")).Span(0, 1)
		}
		var list []spec.Diagnostic
		for _, r := range rules {
			list = append(list, spec.Diagnostic{Rule: r.ID, Severity: spec.Warning, Span: at})
		}
		var got []string
		for _, d := range c.Apply(set, list) {
			got = append(got, d.Rule+" "+d.Severity.String())
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%q: %s, want %s", path, strings.Join(got, ", "), want)
		}
	}
	for path, want := range map[string]bool{"vendor/a/b.causet": true, "vendors/a.causet": false, "a/vendor/b.causet": false} {
		if abs, _ := filepath.Abs(path); c.Excludes(abs) != want {
			t.Errorf("excludes %s: %v", path, !want)
		}
	}
}

func TestZeroConfig(t *testing.T) {
	var c config.Config
	list := []spec.Diagnostic{{Rule: "CS101"}}
	if got := c.Apply(&spec.FileSet{}, list); len(got) != 1 || c.Excludes("/x") {
		t.Error("the zero configuration changes something")
	}
	for _, text := range []string{"", "# only a comment\n", "---\n"} {
		if _, err := read(t, t.TempDir(), text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestProblems checks that each fault is named with its place.
func TestProblems(t *testing.T) {
	for text, want := range map[string]string{
		"targt: causetc":                              `1:1: error: unknown key "targt"; did you mean "target"?`,
		"x: 1":                                        `1:1: error: unknown key "x"; use one of: target, fail-on`,
		"rules:\n  CS320: off":                        `2:3: error: unknown rule "CS320"; did you mean "CS302"?`,
		"rules: { nothing_like_it: off }":             "unknown rule \"nothing_like_it\"; `causetc rules` lists them",
		"rules: { unknown-event: off }":               `1:10: error: write CS302 for the rule unknown-event`,
		"rules: { cs302: off }":                       `write CS302`,
		"rules:\n  CS302: eror":                       `2:10: error: unknown level "eror"; did you mean "error"?`,
		"rules: { CS302: false }":                     `1:17: error: write off`,
		"rules: { CS302: [off] }":                     `1:17: error: expected one word`,
		"rules: { CS302: off, CS302: on }":            `1:22: error: the rule CS302 stands here twice`,
		"rules: off":                                  `1:8: error: expected a map of rules`,
		"target: local":                               `1:9: error: unknown worker "local"; use one of: hosted, causetc`,
		"fail-on: warn":                               `use one of: hint, info, warning`,
		"fail-on: [error]":                            `expected one word`,
		"target: causetc\ntarget: hosted":             `2:1: error: the key "target" stands here twice`,
		"exclude: ['a[']":                             `1:11: error: "a[" is not a glob`,
		"exclude: [/etc]":                             `is absolute`,
		"exclude: [{}]":                               `expected a glob`,
		"exclude:":                                    `expected a glob`,
		"overrides: {}":                               `expected a list`,
		"overrides:\n  - { paths: a }":                `2:5: error: an override needs the key "rules"`,
		"overrides: [{ paths: a, rule: {} }]":         `did you mean "rules"?`,
		"- a":                                         `1:1: error: the configuration is a map`,
		"a: [":                                        `error: did not find`,
		"target: hosted\n---\ntarget: hosted":         `more than one document`,
		"rules: &r { CS302: off }\noverrides: [*r]":   `2:13: error: an override is a map`,
		"? [a]\n: 1":                                  `unknown key`,
		"overrides: [{ paths: a, rules: { CS1: 1} }]": `unknown rule "CS1"`,
	} {
		_, err := read(t, t.TempDir(), text)
		var invalid *config.InvalidError
		if !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) || !strings.HasPrefix(strings.Split(err.Error()+"\n", "\n")[1], ".causetc.yaml:") {
			t.Errorf("%q: %v\nwant %s", text, err, want)
		}
	}
}

func TestFind(t *testing.T) {
	top := t.TempDir()
	deep := filepath.Join(top, "a", "b")
	if err := os.MkdirAll(deep, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(deep, "app.causet")
	for _, name := range []string{filepath.Join(top, config.FileName), file} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(deep)
	for _, start := range []string{file, deep, ".", "app.causet", "gone.causet"} {
		if got, err := config.Find(start); got != "../../"+config.FileName || err != nil {
			t.Errorf("%s: %q, %v", start, got, err)
		}
	}
	if got, err := config.Find(filepath.Dir(top)); err != nil || strings.Contains(got, filepath.Base(top)) {
		t.Errorf("above: %q, %v", got, err)
	}
}

// TestSchemaAgrees checks on random configurations, right and wrong ones, that the schema takes what Read takes.
func TestSchemaAgrees(t *testing.T) {
	text := config.Schema(rules)
	if !strings.Contains(string(text), "a < b") {
		t.Error("the schema lacks what the rules say")
	}
	schema, err := jsonschema.CompileString("config.json", string(text))
	if err != nil {
		t.Fatal(err)
	}
	seed := rand.Uint64()
	g := &generator{rand.New(rand.NewPCG(seed, 1))}
	dir := t.TempDir()
	taken := 0
	for range 2000 {
		doc := g.config()
		raw, _ := json.Marshal(doc)
		_, err := read(t, dir, string(raw)) // JSON is YAML
		var instance any
		if err := yaml.Unmarshal(raw, &instance); err != nil {
			t.Fatal(err)
		}
		if invalid := schema.Validate(instance); (invalid == nil) != (err == nil) {
			t.Fatalf("seed %d: %s\nRead: %v\nschema: %v", seed, raw, err, invalid)
		}
		if err == nil {
			taken++
		}
	}
	if taken < 200 || taken > 1900 {
		t.Errorf("%d of 2000 are right", taken)
	}
}

type generator struct{ *rand.Rand }

func (g *generator) one(words ...string) string { return words[g.IntN(len(words))] }

func (g *generator) config() map[string]any {
	doc := map[string]any{}
	for range g.IntN(4) {
		switch key := g.one("target", "fail-on", "exclude", "rules", "overrides", "target", "exclude", "rules", "overrides", "unknown"); key {
		case "target":
			doc[key] = g.one("hosted", "causetc", "hosted", "causetc", "local")
		case "fail-on":
			doc[key] = g.one("hint", "never", "warning", "off")
		case "exclude":
			doc[key] = g.globs()
		case "rules":
			doc[key] = g.rules()
		case "overrides":
			doc[key] = []any{g.override()}
		default:
			doc[key] = 1
		}
	}
	return doc
}

func (g *generator) globs() any {
	switch g.IntN(8) {
	case 0:
		return []any{}
	case 1:
		return map[string]any{"a": 1}
	case 2:
		return []any{"a/**", ""}
	case 3:
		return []any{"a", []any{}}
	}
	return []any{"a/**", "b", fmt.Sprint(g.IntN(9))}
}

func (g *generator) rules() any {
	m := map[string]any{}
	for range g.IntN(3) {
		m[g.one("CS101", "CS302", "CS601", "CS101", "CS302", "CS601", "CS999")] = g.one("off", "on", "error", "hint", "warning", "off", "loud")
	}
	return m
}

func (g *generator) override() any {
	o := map[string]any{"paths": g.globs(), "rules": g.rules()}
	switch g.IntN(8) {
	case 0:
		delete(o, "paths")
	case 1:
		delete(o, "rules")
	case 2:
		o["more"] = true
	}
	return o
}
