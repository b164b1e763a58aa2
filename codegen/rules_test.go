package codegen_test

import (
	"reflect"
	"testing"

	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/spec"
)

// Every rule's bad example has that finding and no other, and its good example compiles.
func TestRuleExamples(t *testing.T) {
	seen := map[string]bool{}
	for _, rule := range codegen.Rules() {
		if seen[rule.ID] || rule.Name == "" || rule.Title == "" || rule.Why == "" || rule.Fix == "" || rule.Since == "" || rule.Severity != spec.Error {
			t.Errorf("%s is not documented, or twice", rule.ID)
		}
		seen[rule.ID] = true
		if rule.Bad == "" {
			continue // a bug of ours has no example
		}
		t.Run(rule.Name, func(t *testing.T) {
			out, diagnostics := codegen.Compile(loadText(t, rule.Bad), codegen.Options{})
			if out != nil || len(diagnostics) == 0 {
				t.Fatal("the bad example has no finding")
			}
			for _, d := range diagnostics {
				if d.Rule != rule.ID || d.Severity != spec.Error || !d.Span.IsValid() {
					t.Errorf("[%s] %s", d.Rule, d.Message)
				}
				t.Log(d.Message)
			}
			compile(t, loadText(t, rule.Good))
		})
	}
}

// A check finds what compiling finds, and returns no program.
func TestCheckOnly(t *testing.T) {
	for _, rule := range codegen.Rules() {
		for _, text := range []string{rule.Bad, rule.Good} {
			if text == "" {
				continue
			}
			_, want := codegen.Compile(loadText(t, text), codegen.Options{})
			out, got := codegen.Compile(loadText(t, text), codegen.Options{CheckOnly: true})
			if out != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: compiled %v with %+v, want no program and %+v", rule.ID, out, got, want)
			}
		}
	}
}
