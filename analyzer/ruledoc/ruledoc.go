// Package ruledoc writes the documentation of rules from their one source, the rules themselves.
package ruledoc

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/causetc/causetc/spec"
)

// Page returns a rule's page in Markdown.
func Page(d spec.RuleDoc) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# %s %s\n\n%s\n\n", d.ID, d.Name, sentence(d.Title))
	fmt.Fprintf(&b, "Severity: %s. Since %s.\n", d.Severity, d.Since)
	section(&b, "Why", sentence(d.Why))
	section(&b, "How to fix it", sentence(d.Fix))
	section(&b, "Bad", fence(d.Bad))
	section(&b, "Good", fence(d.Good))
	return b.Bytes()
}

// Index returns the page that lists all rules, in the order given.
func Index(docs []spec.RuleDoc) []byte {
	var b bytes.Buffer
	b.WriteString("# Rules\n\n")
	b.WriteString("What `causetc lint` reports. A finding is acknowledged by a comment with a reason, `# causetc:ignore RULE -- reason`: see\n")
	b.WriteString("[the language](../language.md#writing-for-at-least-once-delivery).\n\n")
	b.WriteString("| rule | name | severity | finds |\n| --- | --- | --- | --- |\n")
	for _, d := range docs {
		fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s |\n", d.ID, d.ID, d.Name, d.Severity, strings.ReplaceAll(d.Title, "|", `\|`))
	}
	return b.Bytes()
}

func section(b *bytes.Buffer, title, text string) {
	if text != "" {
		fmt.Fprintf(b, "\n## %s\n\n%s\n", title, text)
	}
}

func fence(text string) string {
	if text == "" {
		return ""
	}
	return "```yaml\n" + strings.TrimRight(text, "\n") + "\n```"
}

// sentence starts a text with a capital and ends it with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return s
	}
	if first := s[0]; first >= 'a' && first <= 'z' && !strings.ContainsAny(firstWord(s), "_.(") {
		s = string(first-'a'+'A') + s[1:]
	}
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}
