package parser

import (
	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// yamlRules are the rules of what is wrong with a text as YAML.
var yamlRules = map[yamltree.Code]string{
	yamltree.Syntax: ruleSyntax, yamltree.Encoding: ruleEncoding, yamltree.Tabs: ruleTabs, yamltree.DuplicateKey: ruleDuplicate,
	yamltree.TooLarge: ruleTooLarge, yamltree.Alias: ruleAlias, yamltree.MergeKey: ruleMergeKey, yamltree.KeyKind: ruleKeyKind,
	yamltree.CustomTag: ruleTag, yamltree.CutByComment: ruleComment, yamltree.SplitByComma: ruleComma,
	yamltree.ColonInText: ruleColon, yamltree.TextAfterQuote: ruleQuote,
}

func yamlDiagnostic(f *spec.File, p yamltree.Problem) spec.Diagnostic {
	rule := yamlRules[p.Code]
	d := spec.Diagnostic{Rule: rule, Severity: severityOf(rule), Span: f.Span(p.From, p.To), Message: p.Message}
	for _, r := range p.Related {
		d.Related = append(d.Related, spec.Related{Span: f.Span(r.From, r.To), Message: r.Message})
	}
	if p.Fix != nil {
		edit := spec.Edit{Span: f.Span(p.Fix.From, p.Fix.To), New: p.Fix.New}
		d.Fixes = []spec.Fix{{Message: p.Fix.Message, Unsafe: p.Fix.Unsafe, Edits: []spec.Edit{edit}}}
	}
	return d
}
