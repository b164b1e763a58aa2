//go:build failpoints

package invariant_test

import (
	"slices"
	"testing"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/invariant"
)

// needs says what each mechanism is there for: a story, and the invariants that do not hold in it without the mechanism.
var needs = []struct {
	mechanism  failpoint.Mechanism
	name       string
	story      scenario
	invariants []string
}{
	{failpoint.CursorFence, "overtaken", overtaken, []string{"I2", "I4", "I11"}},
	{failpoint.RetryFence, "overtaken in an attempt", overtakenAttempt, []string{"I4", "I11"}},
	{failpoint.ReplayFence, "replayed twice", replayedTwice, []string{"I4", "I11"}},
	{failpoint.OrderGuard, "late", late, []string{"I1", "I5"}},
	{failpoint.OrderGuard, "permuted", permuted, []string{"I5"}},
	{failpoint.OrderGuard, "cut", cut, []string{"I7"}},
	{failpoint.Tombstones, "deleted", deleted, []string{"I6"}},
	{failpoint.Window, "redelivered", redelivered, []string{"I4"}},
	{failpoint.ExactIDs, "copied elsewhere", copiedElsewhere, []string{"I4"}},
	{failpoint.FailedIDs, "redelivered failure", redeliveredFailure, []string{"I4"}},
	{failpoint.Waiting, "recovering", recovering, []string{"I1"}},
	{failpoint.Halving, "poison", poison, []string{"I8"}},
	{failpoint.ErrorKinds, "outage", outage, []string{"I9"}},
	{failpoint.Relay, "dead", dead, []string{"I10"}},
	{failpoint.PositionCheck, "made anew", anew, []string{"I12"}},
	{failpoint.Barrier, "grown", grown, []string{"I1"}},
	{failpoint.CountFirst, "deadly retry", deadlyRetry, []string{"I3"}},
	{failpoint.ReadCommitted, "aborted", aborted, []string{"I1", "I3"}},
}

// TestMechanismsAreNeeded takes each mechanism out: the invariants that it is for must be found broken.
func TestMechanismsAreNeeded(t *testing.T) {
	tried := map[failpoint.Mechanism]bool{}
	for _, n := range needs {
		tried[n.mechanism] = true
		t.Run(string(n.mechanism)+"/"+n.name, func(t *testing.T) {
			defer failpoint.Disable(n.mechanism)()
			broken := (&invariant.Report{Violations: n.story(newRig(t))}).Broken()
			for _, name := range n.invariants {
				if !slices.Contains(broken, name) {
					t.Errorf("%s holds without %s; broken: %v", name, n.mechanism, broken)
				}
			}
			t.Logf("broken: %v", broken)
		})
	}
	for _, m := range failpoint.Mechanisms {
		if !tried[m] {
			t.Errorf("nothing tells whether %s is needed", m)
		}
	}
}
