package parser

import (
	"strings"

	"github.com/causetc/causetc/spec"
)

// seat is a state that the examples share.
const seat = "state:\n  seat: { entity_key: seat_id, fields: { title: string } }\n"

var fileRules = []spec.RuleDoc{
	{
		ID: ruleSyntax, Name: "yaml-syntax", Severity: spec.Error, Since: "0.1.0",
		Title: "A file is not valid YAML",
		Why: "What YAML can't read means nothing. The part around the mistake is left out, and the rest of the file is still checked; what seems " +
			"to be missing elsewhere may be defined in that part.",
		Bad:  "state:\n  seat: { entity_key: seat_id, fields: { title: string }\n",
		Good: seat,
		Fix:  "Mend the place that the message names: a bracket or a quote that is not closed, a missing colon or comma, a line whose indentation fits no other.",
	},
	{
		ID: ruleEncoding, Name: "encoding", Severity: spec.Error, Since: "0.1.0",
		Title: "A file is not UTF-8 text",
		Why:   "Bytes that are no text, invisible characters and other encodings are read differently by every program, or not at all.",
		Bad:   "state:\n  seat: { entity_key: \"seat\x07id\", fields: { title: string } }\n",
		Good:  seat,
		Fix:   "Save the file as UTF-8. A control character that is meant is written as an escape in double quotes: \"\\u0007\".",
	},
	{
		ID: ruleTabs, Name: "tab-indentation", Severity: spec.Error, Since: "0.1.0",
		Title: "A tab indents a line",
		Why:   "YAML forbids tabs as indentation, since nobody knows how wide they are.",
		Bad:   "state:\n\tseat: { entity_key: seat_id, fields: { title: string } }\n",
		Good:  seat,
		Fix:   "Indent with spaces.",
	},
	{
		ID: ruleDuplicate, Name: "duplicate-key", Severity: spec.Error, Since: "0.1.0",
		Title: "A key stands twice in one map",
		Why:   "YAML programs silently take the last one, or the first, and the other is lost.",
		Bad:   "state:\n  seat: { entity_key: seat_id, fields: { title: string, title: integer } }\n",
		Good:  seat,
		Fix:   "Keep one of them, or rename one.",
	},
	{
		ID: ruleTooLarge, Name: "too-large", Severity: spec.Error, Since: "0.1.0",
		Title: "The input exceeds a bound",
		Why: "Bounds keep a damaged or hostile file from taking all memory: 4 MiB and 600,000 values a file, 10,000 files a program, maps and " +
			"lists 100 deep, 250,000 nodes by aliases.",
		Bad:  "resources:\n  deep: { a: " + strings.Repeat("[", 100) + strings.Repeat("]", 100) + " }\n",
		Good: "resources:\n  deep: { a: [] }\n",
		Fix:  "Split the file, or write the same with less nesting or fewer aliases.",
	},
	{
		ID: ruleAlias, Name: "alias", Severity: spec.Error, Since: "0.1.0",
		Title: "An alias names nothing, or what it stands in",
		Why:   "A * at the start of a text makes it an alias for YAML, which stands for what an anchor (&) of that name marks before it.",
		Bad:   "resources:\n  prices: { seat: *price }\n",
		Good:  "resources:\n  prices: { seat: &price 20, box: *price }\n",
		Fix:   "Write the anchor before the alias. Put a text that starts with * in quotes.",
	},
	{
		ID: ruleMergeKey, Name: "merge-key", Severity: spec.Error, Since: "0.1.0",
		Title: "A merge key holds something else than maps",
		Why:   "The key << adds the entries of a map, or of several. Of anything else there is nothing to add.",
		Bad:   "resources:\n  prices: { <<: 20 }\n",
		Good:  "resources:\n  base: &base { seat: 20 }\n  prices: { <<: *base, box: 50 }\n",
		Fix:   "Give it an alias of a map, or a list of such aliases.",
	},
	{
		ID: ruleKeyKind, Name: "key-kind", Severity: spec.Error, Since: "0.1.0",
		Title: "A key is no word",
		Why:   "YAML allows maps and lists as keys, but no section has any. Most often a placeholder such as {{ name }} lacks its quotes, which YAML reads as a map in a map.",
		Bad:   "dsl_version: 1\napp: {{packageName}}\n",
		Good:  "dsl_version: 1\napp: \"{{packageName}}\"\n",
		Fix:   "Put the placeholder in quotes, or write a word as the key.",
	},
	{
		ID: ruleFile, Name: "missing-file", Severity: spec.Error, Since: "0.1.0",
		Title: "A file of the program can't be read",
		Why:   "The manifest names it, so something of the program is missing.",
		Bad:   "dsl_version: 1\napp: tickets\nincludes:\n  states: seats/seat.state.causet\n",
		Good:  "dsl_version: 1\napp: tickets\n",
		Fix:   "Correct the path, which is relative to the manifest's folder, or make the file readable.",
	},
	{
		ID: ruleOutside, Name: "outside-file", Severity: spec.Error, Since: "0.1.0",
		Title: "A file lies outside of the program's folder",
		Why:   "A manifest that reaches out of its folder, by .. or by a symbolic link, is not the same program on another machine, and might read what it should not.",
		Bad:   "dsl_version: 1\napp: tickets\nincludes:\n  states: ../seats/*.causet\n",
		Good:  "dsl_version: 1\napp: tickets\n",
		Fix:   "Move the file into the folder, or permit it with --allow-outside.",
	},
	{
		ID: ruleEmptyGlob, Name: "empty-glob", Severity: spec.Hint, Since: "0.1.0",
		Title: "A glob matches no file",
		Why:   "That is fine where the files are still to be written. It may also be a typing error, and then a part of the program is missing.",
		Bad:   "dsl_version: 1\napp: tickets\nincludes:\n  states: ./seats/**/*.state.causet\n",
		Good:  "dsl_version: 1\napp: tickets\n",
		Fix:   "Correct the glob: ** crosses folders, * does not. Only files named .causet, .yaml and .yml match a glob.",
	},
	{
		ID: ruleEmptyFile, Name: "empty-file", Severity: spec.Hint, Since: "0.1.0",
		Title: "A file holds nothing",
		Why:   "It has no sections, or all of them are comments.",
		Bad:   "# seats come here\n",
		Good:  seat,
		Fix:   "Write a section, or remove the file.",
	},
	{
		ID: ruleNotIncluded, Name: "not-included", Severity: spec.Hint, Since: "0.1.0",
		Title: "The edited file is no part of the program",
		Why:   "An editor checks a file inside of the program above it. No glob of that manifest matches this one, so the program would be compiled without it.",
		Bad:   "# a file that no glob of app.causet matches, checked with --stdin-filename\n",
		Good:  seat,
		Fix:   "Add the file to the manifest's includes.",
	},
	{
		ID: ruleManifest, Name: "second-manifest", Severity: spec.Error, Since: "0.1.0",
		Title: "A program has two manifests",
		Why:   "Its name and version would depend on which of them is read first.",
		Bad:   "dsl_version: 1\napp: tickets\n---\ndsl_version: 1\napp: seats\n",
		Good:  "dsl_version: 1\napp: tickets\n",
		Fix:   "Load one program at a time, or remove the keys app, dsl_version and includes from one of the files.",
	},
	{
		ID: ruleVersion, Name: "unknown-version", Severity: spec.Error, Since: "0.1.0",
		Title: "The version of the language is not known",
		Why:   "A spec in another version may mean something else, so it is not guessed at.",
		Bad:   "dsl_version: 2\napp: tickets\n",
		Good:  "dsl_version: 1\napp: tickets\n",
		Fix:   "Write dsl_version: 1, or use a newer causetc.",
	},
}
