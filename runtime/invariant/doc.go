// Package invariant holds a deployment to what docs/runtime.md promises of it, by the invariants' names there. It looks from
// outside: at the topics, the tables and what triggers have noted, and folds the topic again by package oracle. It is for
// tests only.
package invariant

import (
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/kafka"
)

// Deployment is a program with the services that its worker uses.
type Deployment struct {
	Program *ir.Program
	Kafka   kafka.Config
	// DSN names the database; Schema and ViewSchema are as in postgres.Config.
	DSN, Schema, ViewSchema string
	// Refused says which events the database may refuse in a group, beside those that can't be evaluated; nil: none.
	Refused func(group string, ev *event.Event) bool
}

// Violation is an invariant that does not hold.
type Violation struct {
	Invariant string // such as "I4"
	Text      string
}

// Report is what a look at a deployment has found.
type Report struct {
	Violations []Violation
	Records    int // in the log, committed ones, of all partitions
	// Duplicates, Parked and Dead count by group: a record that two groups have as a dead letter counts twice.
	Duplicates, Parked, Dead, Replayed int
	Letters                            int // on the topic of dead letters, copies included
}

// Broken lists the invariants that do not hold, each once, in the order of their discovery.
func (r *Report) Broken() []string {
	var names []string
	seen := map[string]bool{}
	for _, v := range r.Violations {
		if !seen[v.Invariant] {
			seen[v.Invariant] = true
			names = append(names, v.Invariant)
		}
	}
	return names
}
