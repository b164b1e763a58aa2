package invariant_test

import "testing"

// holds tells what a scenario finds.
func holds(t *testing.T, s scenario) {
	t.Helper()
	for _, v := range s(newRig(t)) {
		t.Errorf("%s: %s", v.Invariant, v.Text)
	}
}

func TestI1TablesAreTheFoldOfTheLog(t *testing.T) {
	t.Run("mixed", func(t *testing.T) { holds(t, mixedLoad) })
	t.Run("recovering", func(t *testing.T) { holds(t, recovering) })
	t.Run("grown", func(t *testing.T) { holds(t, grown) })
}

func TestI2CursorsOnlyGrow(t *testing.T) { holds(t, overtaken) }

func TestI3EveryRecordHasOneOutcome(t *testing.T) {
	t.Run("mixed", func(t *testing.T) { holds(t, mixedLoad) })
	t.Run("aborted", func(t *testing.T) { holds(t, aborted) })
	t.Run("deadly retry", func(t *testing.T) { holds(t, deadlyRetry) })
}

func TestI4CountersCountDistinctEvents(t *testing.T) {
	t.Run("redelivered", func(t *testing.T) { holds(t, redelivered) })
	t.Run("redelivered failure", func(t *testing.T) { holds(t, redeliveredFailure) })
	t.Run("copied elsewhere", func(t *testing.T) { holds(t, copiedElsewhere) })
	t.Run("replayed twice", func(t *testing.T) { holds(t, replayedTwice) })
}

func TestI5AnyOrderOfArrival(t *testing.T) {
	t.Run("late", func(t *testing.T) { holds(t, late) })
	t.Run("permuted", func(t *testing.T) { holds(t, permuted) })
}

func TestI6DeletedRowsStayDeleted(t *testing.T) { holds(t, deleted) }

func TestI7AnyCutIntoBatches(t *testing.T) { holds(t, cut) }

func TestI8FailingEventsDelayOnlySharers(t *testing.T) { holds(t, poison) }

func TestI9OutagesMakeNoDeadLetters(t *testing.T) { holds(t, outage) }

func TestI10DeadLettersReachTheirTopic(t *testing.T) { holds(t, dead) }

func TestI11OvertakenWorkersWriteNothing(t *testing.T) {
	t.Run("batch", func(t *testing.T) { holds(t, overtaken) })
	t.Run("attempt", func(t *testing.T) { holds(t, overtakenAttempt) })
}

func TestI12CursorsOutsideTheLogStop(t *testing.T) {
	t.Run("made anew", func(t *testing.T) { holds(t, anew) })
	t.Run("expired", func(t *testing.T) { holds(t, expired) })
}
