package expr

import (
	"slices"
	"strings"

	"github.com/causetc/causetc/parser/nearest"
)

var namespaces = []string{
	"event", "intent", "input", "entity", "state", "resources", "envelope", "derived", "it", "item",
	"project", "projection", "aggregate", "global", "platform",
}

// Namespaces returns the words that are the root of a reference where a member or an index follows.
func Namespaces() []string { return slices.Clone(namespaces) }

// IsNamespace tells whether a name is one of the namespaces.
func IsNamespace(name string) bool { return slices.Contains(namespaces, name) }

// functions holds the names that a call can have. What they mean is told elsewhere; here they tell a call from prose.
var functions = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(`
		concat coalesce isnull max min floor ceil size sum contains map join shard hash format_date is_prev_day lookup LOOKUP_FIELD
		now today current_timestamp nanoTime random Math.random rand uuid uuid_v4 uuidv4 uuidv7 guid shuffle
		System Runtime Process Thread Runnable eval exec`) {
		m[name] = true
	}
	return m
}()

// IsFunction tells whether a call of that name is one of the language's functions, or one of those that are never allowed.
func IsFunction(name string) bool {
	root, _, _ := strings.Cut(name, ".")
	return functions[name] || isForbiddenRoot(root)
}

// isForbiddenRoot tells whether a name is a root that is never allowed, such as System.
func isForbiddenRoot(name string) bool {
	switch name {
	case "Math", "System", "Runtime", "Process", "Thread", "Runnable":
		return true
	}
	return false
}

// NearNamespace returns the namespace that a name is probably a misspelling of, or nothing.
func NearNamespace(name string) string {
	if len(name) > 2*len("projection") {
		return ""
	}
	lower := strings.ToLower(name)
	best, least := "", 3
	for _, ns := range namespaces {
		if lower == ns && name != ns {
			return ns
		}
		if d := nearest.Distance(lower, ns); d < least && d <= len(ns)/4 && d > 0 {
			best, least = ns, d
		}
	}
	return best
}
