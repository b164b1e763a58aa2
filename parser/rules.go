package parser

import (
	"slices"

	"github.com/causetc/causetc/spec"
)

// The rules of the parser. CS1xx are about files and YAML, CS2xx about the structure of a spec.
const (
	ruleSyntax      = "CS101"
	ruleEncoding    = "CS102"
	ruleTabs        = "CS103"
	ruleDuplicate   = "CS104"
	ruleTooLarge    = "CS105"
	ruleAlias       = "CS106"
	ruleMergeKey    = "CS107"
	ruleKeyKind     = "CS108"
	ruleFile        = "CS110"
	ruleOutside     = "CS111"
	ruleEmptyGlob   = "CS112"
	ruleEmptyFile   = "CS113"
	ruleNotIncluded = "CS114"
	ruleManifest    = "CS115"
	ruleVersion     = "CS116"
	ruleTag         = "CS120"
	ruleComment     = "CS121"
	ruleComma       = "CS122"
	ruleColon       = "CS123"
	ruleQuote       = "CS124"
	ruleNumber      = "CS125"
	ruleSuppression = "CS130"

	ruleUnknownKey    = "CS201"
	ruleMissingKey    = "CS202"
	ruleShape         = "CS203"
	ruleScalarType    = "CS204"
	ruleChoice        = "CS205"
	ruleNoValue       = "CS206"
	ruleAliasKey      = "CS207"
	ruleTwoKeys       = "CS208"
	ruleType          = "CS209"
	ruleExpression    = "CS210"
	ruleAmbiguousText = "CS211"
	ruleWhereText     = "CS212"
	ruleOperator      = "CS213"
)

// AmbiguousText is the rule on values that may be meant as a text or as an expression.
const AmbiguousText = ruleAmbiguousText

// LosesPart reports whether an error of a rule means that a part of a definition could not be read as what it is.
func LosesPart(rule string) bool {
	return rule == ruleDuplicate || rule >= ruleTag && rule <= ruleQuote || rule >= ruleUnknownKey && rule <= ruleOperator
}

// Rules describes the rules of the parser, in the order of their ids.
func Rules() []spec.RuleDoc { return slices.Clone(ruleDocs) }

var ruleDocs = slices.Concat(fileRules, trapRules, structureRules, textRules)

var severities = func() map[string]spec.Severity {
	m := make(map[string]spec.Severity, len(ruleDocs))
	for _, r := range ruleDocs {
		m[r.ID] = r.Severity
	}
	return m
}()

// severityOf returns how much the findings of a rule matter.
func severityOf(rule string) spec.Severity { return severities[rule] }
