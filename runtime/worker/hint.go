package worker

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// The positions are in the database. Kafka is told of them for the tools that show the lag of a consumer group, so often,
// and within a bounded time where somebody waits for it.
const (
	hintEvery   = 5 * time.Second
	hintTimeout = 2 * time.Second
)

// hint commits to Kafka, for each partition, the smallest position of the groups that are worked for. It may go back, when
// a group begins that is behind. A failure means nothing.
func (w *Worker) hint(ctx context.Context, parts []*partition) {
	offsets := map[int32]kgo.EpochOffset{}
	for _, p := range parts {
		if next, found := w.smallest(p); found {
			offsets[p.number] = kgo.EpochOffset{Epoch: -1, Offset: next}
		}
	}
	if len(offsets) == 0 {
		return
	}
	attempt, cancel := context.WithTimeout(ctx, hintTimeout)
	defer cancel()
	w.client.CommitOffsetsSync(attempt, map[string]map[int32]kgo.EpochOffset{w.conf.Kafka.Topic: offsets}, nil)
}

func (w *Worker) smallest(p *partition) (next int64, found bool) {
	for _, r := range p.runners {
		if at := r.position.Load(); at != unborn && !w.isStopped(r.group) && (!found || at < next) {
			next, found = at, true
		}
	}
	return next, found
}
