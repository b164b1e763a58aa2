package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"
	"gopkg.in/yaml.v3"
)

// counting is a program with one warning, a CS601.
var counting = strings.Replace(strings.Replace(faulty, " # causetc:ignore CS601 -- a rough number is enough", "", 1), "strin }", "string }", 1)

func TestConfiguration(t *testing.T) {
	inFolder(t, "app/specs/a.causet", counting, "app/old/b.causet", strings.NewReplacer("SOLD", "LENT", "sales", "loans", "show", "film").Replace(counting))
	set := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	causetc(t, "lint", "app").want(t, exitFindings, "app/specs/a.causet", "app/old/b.causet")
	set(".causetc.yaml", "rules: { CS601: error }\noverrides: [{ paths: app/old, rules: { CS601: off } }]\n")
	r := causetc(t, "lint", "app")
	r.want(t, exitFindings, "app/specs/a.causet:11:36: error: ")
	if strings.Contains(r.stdout, "old") {
		t.Errorf("a rule that is off there: %s", r.stdout)
	}
	causetc(t, "lint", "app", "--rule", "CS601=hint").want(t, exitClean, "a.causet:11:36: hint:", "b.causet:11:36: hint:")
	causetc(t, "lint", "app", "--rule", "CS601=off").want(t, exitClean)
	if r := causetc(t, "lint", "app", "--rule", "CS201"); r.code != exitClean || r.stdout != "" {
		t.Errorf("another rule only: %s", r.stdout)
	}
	if r := causetc(t, "lint", "app", "--rule", "CS601=info", "--severity", "warning"); r.code != exitClean || r.stdout != "" {
		t.Errorf("less than asked for: %s", r.stdout)
	}
	set("app/.causetc.yaml", "fail-on: never\nexclude: old\n") // nearer, and the only one that counts
	r = causetc(t, "lint", "app")
	r.want(t, exitClean, "a.causet:11:36: warning:")
	if strings.Contains(r.stdout, "old") {
		t.Errorf("an excluded file: %s", r.stdout)
	}
	causetc(t, "lint", "app/old/b.causet").want(t, exitClean, "b.causet:11:36: warning:") // named, so it counts
	causetc(t, "lint", "app", "--fail-on", "warning").want(t, exitFindings)
	causetc(t, "lint", "app", "--config", ".causetc.yaml").want(t, exitFindings, "error")
	set("app/.causetc.yaml", "target: causetc\n")
	causetc(t, "lint", "app/specs").want(t, exitFindings, "add `dedup: true`")
	causetc(t, "lint", "app/specs", "--target", "hosted").want(t, exitFindings, "deduplication table")
	causetc(t, "lint", "app", "--config", "none.yaml").want(t, exitUsage, "none.yaml")
}

// TestConfigurationProblems checks that a wrong configuration stops lint, with all its faults and their places.
func TestConfigurationProblems(t *testing.T) {
	inFolder(t, "a.causet", counting, ".causetc.yaml", "rule: {}\nrules:\n  CS6O1: off\n  CS201: loud\n")
	r := causetc(t, "lint")
	r.want(t, exitUsage, `.causetc.yaml:1:1: error: unknown key "rule"; did you mean "rules"?`, `.causetc.yaml:3:3: error: unknown rule "CS6O1"; did you mean "CS601"?`,
		`.causetc.yaml:4:10: error: unknown level "loud"`)
	if r.stdout != "" {
		t.Errorf("findings beside it: %s", r.stdout)
	}
	causetc(t, "lint", "--config", "a.causet").want(t, exitUsage, "a.causet:1:1: error: unknown key")
}

func TestRuleFlagProblems(t *testing.T) {
	inFolder(t, "a.causet", counting)
	causetc(t, "lint", "--rule", "CS6O1").want(t, exitUsage, "--rule CS6O1", "CS601")
	causetc(t, "lint", "--rule", "counter-without-dedup").want(t, exitUsage, "write CS601")
	causetc(t, "lint", "--rule", "CS601=loud").want(t, exitUsage, "off, on, hint")
	causetc(t, "lint", "--severity", "loud").want(t, exitUsage, "hint, info, warning or error")
}

// TestConfigurationSchema checks that the schema which editors get knows all rules, and takes what lint takes.
func TestConfigurationSchema(t *testing.T) {
	text := causetc(t, "schema", "config").stdout
	schema, err := jsonschema.CompileString("config.json", text)
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]any{}
	for _, d := range allRules() {
		rules[d.ID] = "off"
		if !strings.Contains(text, d.Name+": ") {
			t.Errorf("nothing of %s", d.ID)
		}
	}
	all := map[string]any{"rules": rules, "target": "causetc", "fail-on": "never", "exclude": []any{"a/**"}, "overrides": []any{map[string]any{"paths": "b", "rules": rules}}}
	encoded, err := yaml.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	inFolder(t, "a.causet", counting, ".causetc.yaml", string(encoded))
	if r := causetc(t, "lint"); r.code != exitClean || r.stdout+r.stderr != "" {
		t.Errorf("with all rules off: %s%s", r.stdout, r.stderr)
	}
	if err := schema.Validate(all); err != nil {
		t.Errorf("%#v", err)
	}
	var wrong any
	if err := json.Unmarshal([]byte(`{"rules": {"CS000": "off"}}`), &wrong); err != nil || schema.Validate(wrong) == nil {
		t.Error("the schema takes a rule that does not exist")
	}
}
