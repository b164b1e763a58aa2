package ops

import (
	"context"
	"time"

	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
)

// watchEvery is how often the ends of the partitions and the dead letters are looked up.
const watchEvery = 10 * time.Second

// watchTimeout bounds one look.
const watchTimeout = 10 * time.Second

// Watch keeps the ends of the topic and the numbers of dead letters up to date until the context ends. What can't be
// looked up keeps its last value: the worker itself tells of outages.
func (m *Monitor) Watch(ctx context.Context, conf kafka.Config, db *postgres.DB) error {
	client, err := conf.NewClient()
	if err != nil {
		return err
	}
	defer client.Close()
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	for {
		look, cancel := context.WithTimeout(ctx, watchTimeout)
		if topic, err := kafka.DescribeTopic(look, client, conf.Topic); err == nil {
			ends := make(map[int32]int64, len(topic.Partitions))
			for partition, extent := range topic.Partitions {
				ends[partition] = extent.End
			}
			m.metrics.showEnds(ends)
		}
		if rows, err := db.Status(look, conf.Topic); err == nil {
			m.metrics.showLetters(rows)
		}
		cancel()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// showLetters shows the numbers of dead letters by group, over all partitions: the database has those of all workers.
func (m *metrics) showLetters(rows []postgres.PartitionStatus) {
	dead, unpublished := map[string]int{}, map[string]int{}
	for i := range rows {
		dead[rows[i].Group] += rows[i].Dead
		unpublished[rows[i].Group] += rows[i].Unpublished
	}
	for group := range dead {
		m.letters.WithLabelValues(group).Set(float64(dead[group]))
		m.unpublished.WithLabelValues(group).Set(float64(unpublished[group]))
	}
}
