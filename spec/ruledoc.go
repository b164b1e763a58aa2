package spec

// RuleDoc describes a rule: what `explain`, the documentation and the report formats say of it.
type RuleDoc struct {
	ID       string   // stable, such as CS201; never given to another rule
	Name     string   // short, in lower case with hyphens
	Title    string   // what the rule finds, in one line
	Why      string   // why that matters
	Bad      string   // a spec that has the finding
	Good     string   // the same without it
	Fix      string   // how to mend it
	Severity Severity // of most of its findings
	Since    string   // the version that brought it
}
