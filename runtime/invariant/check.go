package invariant

import (
	"context"
	"fmt"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/postgres"
)

// Check looks at a deployment while no worker runs. Settled says that everything is to be consumed, tried and published:
// without it the invariants must hold for what is below the cursors. The error says that it could not look.
func (d *Deployment) Check(ctx context.Context, settled bool) (*Report, error) {
	s, err := d.readDatabase(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the database: %w", err)
	}
	l, err := d.readLog(ctx, s.growths)
	if err != nil {
		return nil, fmt.Errorf("reading the log: %w", err)
	}
	letters, err := d.readLetters(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the dead letters: %w", err)
	}
	db, err := postgres.Open(ctx, postgres.Config{DSN: d.DSN, Schema: d.Schema, ViewSchema: d.ViewSchema})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	c := &checker{d: d, stored: s, log: l, db: db, settled: settled, report: &Report{Records: l.records, Letters: len(letters)}, told: map[string]int{}}
	c.moves()
	c.positions()
	c.published(letters)
	for i := range d.Program.Groups {
		if err := c.group(ctx, &d.Program.Groups[i]); err != nil {
			return nil, fmt.Errorf("group %s: %w", d.Program.Groups[i].Name, err)
		}
	}
	return c.report, nil
}

// checker gathers what does not hold.
type checker struct {
	d       *Deployment
	stored  *stored
	log     *topicLog
	db      *postgres.DB
	settled bool
	report  *Report
	told    map[string]int
}

// maxTold bounds the violations of one kind that are told.
const maxTold = 5

// broken notes a violation of an invariant; place and invariant together are what is told a few times only.
func (c *checker) broken(invariant, place, format string, args ...any) {
	key := invariant + " " + place
	if c.told[key]++; c.told[key] <= maxTold {
		c.report.Violations = append(c.report.Violations, Violation{invariant, place + ": " + fmt.Sprintf(format, args...)})
	}
}

// moves is I2, and I11 as far as triggers see it.
func (c *checker) moves() {
	for _, m := range c.stored.moves {
		place := fmt.Sprintf("group %s, partition %d", m.Group, m.Partition)
		switch {
		case m.Kind == kindGone:
			c.broken("I2", place, "the cursor was removed at %d", *m.Before)
		case m.Before != nil && *m.After <= *m.Before:
			c.broken("I2", place, "the cursor went from %d to %d", *m.Before, *m.After)
			c.broken("I11", place, "a batch that ends at %d was written when the cursor was at %d", *m.After, *m.Before)
		}
	}
	if c.stored.unfenced > 0 {
		c.broken("I11", "all groups", "%d transactions wrote rows though neither a cursor nor a parked event nor a dead letter was theirs", c.stored.unfenced)
	}
}

// positions is I12 for a deployment at rest: no cursor is outside of the log.
func (c *checker) positions() {
	for _, cur := range c.stored.cursors {
		place := fmt.Sprintf("group %s, partition %d", cur.Group, cur.Partition)
		extent, found := c.log.topic.Partitions[cur.Partition]
		switch {
		case string(cur.TopicID) != string(c.log.topic.ID[:]):
			c.broken("I12", place, "the cursor belongs to another topic")
		case !found || cur.Next < extent.Start || cur.Next > extent.End:
			c.broken("I12", place, "the cursor is at %d, the log is %+v", cur.Next, extent)
		}
	}
}

// published is I10.
func (c *checker) published(letters []message) {
	sources := map[string]event.Position{}
	for _, f := range c.stored.failures {
		if f.Dead {
			sources[f.ID] = f.At
		}
	}
	arrived := map[string]bool{}
	for _, m := range letters {
		at := event.Position{Topic: m.Source.Topic, Partition: m.Source.Partition, Offset: m.Source.Offset}
		if known, found := sources[m.ID]; !found || known != at {
			c.broken("I10", "the topic of dead letters", "%s of %+v is no dead letter of the database, or another", m.ID, at)
		}
		arrived[m.ID] = true
	}
	for _, f := range c.stored.failures {
		switch {
		case !f.Dead:
		case f.Published && !arrived[f.ID]:
			c.broken("I10", "group "+f.Group, "the dead letter of %+v is marked as published and is not on its topic", f.At)
		case c.settled && !arrived[f.ID]:
			c.broken("I10", "group "+f.Group, "the dead letter of %+v is not on its topic", f.At)
		}
	}
}
