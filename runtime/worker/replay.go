package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/causetc/causetc/runtime/store"
)

// Replayed is what became of one dead letter.
type Replayed struct {
	Letter store.DeadLetter // after a failure, with the history of this attempt too
	// Outcome is Applied, Dead where the event failed again, or Duplicate where somebody else has replayed, dropped or
	// tried the letter meanwhile: then nothing was done.
	Outcome store.Outcome
}

// Replay tries dead letters of a group once more, each with its original place in the order, and marks those that are
// applied in the transaction that applies them: it may be repeated at will. What fails again stays a dead letter, with the
// attempt added to its history. The letters must be whole and of the group's version. After an error the result tells of
// those that were done before it.
func Replay(ctx context.Context, conf Config, g Group, letters []store.DeadLetter) ([]Replayed, error) {
	r := newRunner(newWorker(conf), g, store.Cursor{})
	letters = slices.Clone(letters)
	slices.SortFunc(letters, func(a, b store.DeadLetter) int {
		return cmp.Or(cmp.Compare(a.Clock, b.Clock), cmp.Compare(a.Position.Partition, b.Position.Partition),
			cmp.Compare(a.Position.Offset, b.Position.Offset))
	})
	var done []Replayed
	for part := range slices.Chunk(letters, maxAttempts) {
		results, err := r.replay(ctx, part)
		done = append(done, results...)
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// replay tries letters in one transaction, or else in one each: where the data of one is refused, or one is no longer as
// it was.
func (r *runner) replay(ctx context.Context, letters []store.DeadLetter) ([]Replayed, error) {
	ps := make([]pending, len(letters))
	for i := range letters {
		ps[i] = r.revive(&letters[i])
	}
	err := r.replayed(ctx, letters, ps)
	var data *store.DataError
	switch {
	case err == nil:
		return replayResults(ps, letters), nil
	case !errors.As(err, &data) && !errors.Is(err, store.ErrFenced):
		return nil, err
	}
	var done []Replayed
	for i := range letters {
		result, err := r.replayAlone(ctx, &letters[i], &ps[i])
		if err != nil {
			return done, err
		}
		done = append(done, result)
	}
	return done, nil
}

func (r *runner) replayAlone(ctx context.Context, letter *store.DeadLetter, p *pending) (Replayed, error) {
	letters, ps := []store.DeadLetter{*letter}, []pending{*p}
	err := r.replayed(ctx, letters, ps)
	var data *store.DataError
	if errors.As(err, &data) && ps[0].failure == nil {
		r.failed(&ps[0], err)
		err = r.replayed(ctx, letters, ps)
	}
	if errors.Is(err, store.ErrFenced) {
		return Replayed{Letter: *letter, Outcome: store.Duplicate}, nil
	}
	if err != nil {
		return Replayed{}, fmt.Errorf("dead letter %s: %w", letter.ID, err)
	}
	return replayResults(ps, letters)[0], nil
}

// revive makes an entry of a dead letter and evaluates it.
func (r *runner) revive(letter *store.DeadLetter) pending {
	row := &store.ParkedEvent{Failure: letter.Failure}
	row.Attempts++
	p := r.again(row, true)
	if ev := p.delivery.event; ev != nil && ev.ForkID != r.w.conf.Fork {
		r.failed(&p, fmt.Errorf("the event belongs to the fork %q, not to %q", ev.ForkID, r.w.conf.Fork))
	}
	return p
}

// replayed writes down how attempts on letters ended. Errors are as those of store.Group.Replay.
func (r *runner) replayed(ctx context.Context, letters []store.DeadLetter, ps []pending) error {
	entries := make([]store.Entry, len(ps))
	for i := range ps {
		p := &ps[i]
		if p.failure == nil {
			p.outcome(store.Applied)
			p.entry.Effect = p.effect
		} else {
			p.outcome(store.Dead)
			p.entry.Dead = r.letter(r.failureOf(p))
		}
		entries[i] = p.entry
	}
	return r.environment(ctx, ps[0].delivery.event, func() error {
		return safely(func() error {
			_, err := r.group.Store.Replay(ctx, letters, entries)
			return err
		})
	})
}

func replayResults(ps []pending, letters []store.DeadLetter) []Replayed {
	results := make([]Replayed, len(ps))
	for i := range ps {
		results[i] = Replayed{Letter: letters[i], Outcome: ps[i].entry.Outcome}
		if dead := ps[i].entry.Dead; dead != nil {
			results[i].Letter = *dead
		}
	}
	return results
}
