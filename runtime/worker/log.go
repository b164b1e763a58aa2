package worker

import (
	"context"
	"log/slog"
	"time"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// logRetry writes the record that the Causet guide "Retries" gives for a failed attempt that has a next one: its eight
// fields, beside the logger's own.
func (w *Worker) logRetry(f *store.Failure, delay time.Duration) {
	w.log.LogAttrs(context.Background(), slog.LevelWarn, "projection attempt failed",
		slog.String("event", "projection_retry"),
		slog.String("projectionName", f.Projection),
		slog.String("eventType", f.EventType),
		slog.String("entityId", f.EntityID),
		slog.String("forkId", f.ForkID),
		slog.Int("retryAttempt", f.Attempts),
		slog.String("error", f.Message),
		slog.String("nextRetryIn", delay.String()),
	)
}

// logDeadLetter tells of an event that the group gave up on.
func (w *Worker) logDeadLetter(l *store.DeadLetter) {
	w.log.LogAttrs(context.Background(), slog.LevelError, "event given to the dead letters",
		slog.String("event", "projection_dead_letter"),
		slog.String("id", l.ID),
		slog.String("projectionName", l.Projection),
		slog.String("eventType", l.EventType),
		slog.String("entityId", l.EntityID),
		slog.String("forkId", l.ForkID),
		slog.Int("attempts", l.Attempts),
		slog.String("errorClass", l.ErrorClass),
		slog.String("error", l.Message),
		slog.String("topic", l.Position.Topic),
		slog.Int("partition", int(l.Position.Partition)),
		slog.Int64("offset", l.Position.Offset),
		slog.String("source", source(l)),
	)
}

// source names the file and line that the record was published from, if its publisher said so.
func source(l *store.DeadLetter) string {
	for _, h := range l.Headers {
		if h.Key == event.SourceHeader {
			return boundedText(string(h.Value))
		}
	}
	return ""
}
