package postgres

import (
	"context"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// BeginRun implements store.Group.
func (g *Group) BeginRun(ctx context.Context, r store.Run) (store.Run, error) {
	err := g.db.pool.QueryRow(ctx, "INSERT INTO "+g.db.table("runs")+` AS r (group_name, version, topic, partition, owners, next, trial)
		VALUES ($1, $2, $3, $4, ARRAY[$5::text], $6, -1)
		ON CONFLICT (group_name, version, topic, partition) DO UPDATE SET next = EXCLUDED.next,
			owners = array_remove(CASE WHEN r.next = EXCLUDED.next THEN r.owners ELSE r.owners[cardinality(r.owners):] END, $5::text) || $5::text
		RETURNING cardinality(owners) - 1, trial, coalesce((SELECT min("offset") FROM `+g.db.table("decodings")+`
			WHERE topic = $3 AND partition = $4 AND "offset" >= $6), -1)`,
		g.fold.Name, g.version, r.Topic, r.Partition, r.Owner, r.Next).Scan(&r.CutOff, &r.Trial, &r.Decoding)
	return r, classify(ctx, err)
}

// BeginDecoding implements store.Group.
func (g *Group) BeginDecoding(ctx context.Context, at event.Position, process string) (processes int, err error) {
	err = g.db.pool.QueryRow(ctx, "INSERT INTO "+g.db.table("decodings")+` AS d (topic, partition, "offset", owners) VALUES ($1, $2, $3, ARRAY[$4::text])
		ON CONFLICT (topic, partition, "offset") DO UPDATE
		SET owners = CASE WHEN $4 = ANY (d.owners) THEN d.owners ELSE d.owners || $4::text END
		RETURNING cardinality(owners)`, at.Topic, at.Partition, at.Offset, process).Scan(&processes)
	return processes, classify(ctx, err)
}

// EndDecoding implements store.Group.
func (g *Group) EndDecoding(ctx context.Context, at event.Position) error {
	_, err := g.db.pool.Exec(ctx, "DELETE FROM "+g.db.table("decodings")+` WHERE topic = $1 AND partition = $2 AND "offset" = $3`,
		at.Topic, at.Partition, at.Offset)
	return classify(ctx, err)
}

// BeginTrial implements store.Group.
func (g *Group) BeginTrial(ctx context.Context, r store.Run) error {
	tag, err := g.db.pool.Exec(ctx, "UPDATE "+g.db.table("runs")+` SET trial = $6
		WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4 AND owners[cardinality(owners)] = $5`,
		g.fold.Name, g.version, r.Topic, r.Partition, r.Owner, r.Trial)
	if err == nil && tag.RowsAffected() == 0 {
		return store.ErrFenced
	}
	return classify(ctx, err)
}

// EndRun implements store.Group.
func (g *Group) EndRun(ctx context.Context, r store.Run) error {
	_, err := g.db.pool.Exec(ctx, "DELETE FROM "+g.db.table("runs")+`
		WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4 AND owners[cardinality(owners)] = $5`,
		g.fold.Name, g.version, r.Topic, r.Partition, r.Owner)
	return classify(ctx, err)
}
