package postgres

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/causetc/causetc/runtime/failpoint"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// idSize is the length of an event's hashed id.
const idSize = 16

// newIDs concatenates the ids that a batch brings into the window.
func newIDs(entries []store.Entry) []byte {
	var ids []byte
	for i := range entries {
		if entries[i].Outcome != store.Duplicate && entries[i].ID != [idSize]byte{} && !forgotten(&entries[i]) {
			ids = append(ids, entries[i].ID[:]...)
		}
	}
	return ids
}

// remember stores the batch's ids and drops what the window has moved past. total counts the partition's ids up to now.
func (g *Group) remember(ctx context.Context, tx pgx.Tx, b *store.Batch, ids []byte, total int64) error {
	if len(ids) == 0 {
		return nil
	}
	if keep := g.db.window * idSize; len(ids) > keep {
		ids = ids[len(ids)-keep:]
	}
	at := []any{g.fold.Name, g.version, b.From.Topic, b.From.Partition}
	var batch pgx.Batch
	batch.Queue("INSERT INTO "+g.db.table("recent_ids")+" (group_name, version, topic, partition, upto, ids) VALUES ($1, $2, $3, $4, $5, $6)",
		append(slices.Clip(at), total, ids)...)
	batch.Queue("DELETE FROM "+g.db.table("recent_ids")+
		" WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4 AND upto <= $5",
		append(slices.Clip(at), total-int64(g.db.window))...)
	return tx.SendBatch(ctx, &batch).Close()
}

// LoadWindow implements store.Group.
func (g *Group) LoadWindow(ctx context.Context, topic string, partition int32) ([][16]byte, error) {
	rows, err := g.db.pool.Query(ctx, "SELECT ids FROM "+g.db.table("recent_ids")+
		" WHERE group_name = $1 AND version = $2 AND topic = $3 AND partition = $4 ORDER BY upto",
		g.fold.Name, g.version, topic, partition)
	if err != nil {
		return nil, classify(ctx, err)
	}
	blobs, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
	if err != nil {
		return nil, classify(ctx, err)
	}
	var ids [][idSize]byte
	for _, blob := range blobs {
		if len(blob)%idSize != 0 {
			return nil, &store.DeploymentError{Message: fmt.Sprintf(
				"the remembered event ids of group %s are damaged: rebuild the group", g.fold.Name)}
		}
		for ; len(blob) > 0; blob = blob[idSize:] {
			ids = append(ids, [idSize]byte(blob))
		}
	}
	if extra := len(ids) - g.db.window; extra > 0 {
		ids = ids[extra:]
	}
	return ids, nil
}

// orderedWrite is a write with its place in the canonical order.
type orderedWrite struct {
	write *fold.Write
	order fold.Order
}

// admitted returns the batch's writes by table, in the order of the log, without those of events whose identity was seen
// before.
func (g *Group) admitted(ctx context.Context, tx pgx.Tx, entries []store.Entry) ([][]orderedWrite, error) {
	fresh, err := g.insertExact(ctx, tx, entries)
	if err != nil {
		return nil, err
	}
	writes := make([][]orderedWrite, len(g.tables))
	admitted := make([]bool, len(g.exact))
	for i := range entries {
		e := &entries[i]
		if e.Outcome != store.Applied {
			continue
		}
		clear(admitted)
		for _, k := range e.Effect.Exact {
			// The first event of the batch that has a new identity uses it up.
			admitted[k.Set] = fresh[k.Set][string(k.Key)] || failpoint.Off(failpoint.ExactIDs)
			delete(fresh[k.Set], string(k.Key))
		}
		for j := range e.Effect.Writes {
			w := &e.Effect.Writes[j]
			if w.Dedup < 0 || admitted[w.Dedup] {
				order := fold.MakeOrder(e.Clock, e.Position.Partition, e.Position.Offset, w.Ordinal)
				writes[w.Table] = append(writes[w.Table], orderedWrite{w, order})
			}
		}
	}
	return writes, nil
}

// insertExact records the identities of the batch and returns, by set, those that were not there.
func (g *Group) insertExact(ctx context.Context, tx pgx.Tx, entries []store.Entry) ([]map[string]bool, error) {
	fresh := make([]map[string]bool, len(g.exact))
	for set, name := range g.exact {
		var keys pgtype.FlatArray[[]byte]
		for i := range entries {
			if entries[i].Outcome != store.Applied {
				continue
			}
			for _, k := range entries[i].Effect.Exact {
				if k.Set == set {
					keys = append(keys, k.Key)
				}
			}
		}
		if len(keys) == 0 {
			continue
		}
		slices.SortFunc(keys, bytes.Compare)
		keys = slices.CompactFunc(keys, bytes.Equal)
		rows, err := tx.Query(ctx, "INSERT INTO "+name+` (key) SELECT u.key FROM unnest($1::bytea[]) WITH ORDINALITY AS u(key, n)
			ORDER BY u.n ON CONFLICT DO NOTHING RETURNING key`, keys)
		if err != nil {
			return nil, err
		}
		added, err := pgx.CollectRows(rows, pgx.RowTo[[]byte])
		if err != nil {
			return nil, err
		}
		fresh[set] = make(map[string]bool, len(added))
		for _, key := range added {
			fresh[set][string(key)] = true
		}
	}
	return fresh, nil
}
