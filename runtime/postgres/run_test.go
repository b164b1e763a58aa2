package postgres

import (
	"context"
	"errors"
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

// TestRuns holds both stores to what a run is told of those before it.
func TestRuns(t *testing.T) {
	g := deploy(t, open(t, newConfig(t)), ticketProgram(ir.Convergent))
	for name, st := range map[string]store.Group{"postgres": g, "memory": memory.New(g.fold, fold.WindowSize)} {
		t.Run(name, func(t *testing.T) {
			run := func(owner string, next int64) store.Run {
				return store.Run{Topic: "events", Partition: 3, Owner: owner, Next: next}
			}
			decoding := int64(-1)
			begin := func(owner string, next int64, cutOff int, trial int64) {
				t.Helper()
				got, err := st.BeginRun(context.Background(), run(owner, next))
				want := run(owner, next)
				want.CutOff, want.Trial, want.Decoding = cutOff, trial, decoding
				if err != nil || got != want {
					t.Errorf("%+v, %v, want %+v", got, err, want)
				}
			}
			try := func(owner string, offset int64) error {
				r := run(owner, 0)
				r.Trial = offset
				return st.BeginTrial(context.Background(), r)
			}
			end := func(owner string) {
				t.Helper()
				if err := st.EndRun(context.Background(), run(owner, 0)); err != nil {
					t.Error(err)
				}
			}
			begin("a", 5, 0, -1)
			begin("b", 5, 1, -1)
			begin("c", 5, 2, -1)
			begin("d", 8, 1, -1) // it went on meanwhile
			begin("e", 8, 2, -1)
			begin("e", 8, 2, -1) // who is overtaken and begins again was not cut off
			begin("d", 8, 2, -1)
			begin("e", 8, 2, -1)
			if err := try("d", 8); !errors.Is(err, store.ErrFenced) {
				t.Errorf("one that was overtaken: %v", err)
			}
			end("d") // so was this
			if err := try("e", 8); err != nil {
				t.Error(err)
			}
			begin("f", 8, 3, 8)
			end("f")
			begin("g", 8, 0, -1)

			at := func(offset int64) event.Position {
				return event.Position{Topic: "events", Partition: 3, Offset: offset}
			}
			decode := func(process string, offset int64, want int) {
				t.Helper()
				got, err := st.BeginDecoding(context.Background(), at(offset), process)
				if err != nil || got != want {
					t.Errorf("process %d at %d, %v, want %d", got, offset, err, want)
				}
			}
			decode("p", 0, 1)
			decode("p", 8, 1)
			decode("q", 8, 2)
			decode("p", 8, 2) // as where an answer was lost
			decode("q", 8, 2)
			if err := errors.Join(st.EndDecoding(context.Background(), at(8)), try("g", 8)); err != nil {
				t.Error(err)
			}
			decode("p", 9, 1)
			decode("p", 7, 1)
			decode("q", 9, 2)
			decoding = 9
			begin("h", 8, 1, 8)
			decoding = -1
			begin("i", 10, 1, 8)
			decode("r", 9, 3)
		})
	}
}
