package main

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

// sold is an event as the bare loop decodes it.
type sold struct {
	EventID string `json:"event_id"`
	Payload struct {
		TicketID string      `json:"ticket_id"`
		ShowID   string      `json:"show_id"`
		Seat     string      `json:"seat"`
		Buyer    string      `json:"buyer"`
		Status   string      `json:"status"`
		Price    json.Number `json:"price"`
		SoldAt   string      `json:"sold_at"`
	} `json:"payload"`
}

// runBare is the bare loop: it consumes as many events as the topic has, in batches of at most BatchSize.
func runBare(ctx context.Context, t task) (s span, err error) {
	db, err := pgxpool.New(ctx, t.DSN)
	if err != nil {
		return s, err
	}
	defer db.Close()
	assigned := func(context.Context, *kgo.Client, map[string][]int32) { s.Began = time.Now() }
	client, err := kgo.NewClient(kgo.SeedBrokers(t.Brokers...), kgo.ConsumerGroup(t.Schema), kgo.ConsumeTopics(t.Topic),
		kgo.OnPartitionsAssigned(assigned), kgo.FetchIsolationLevel(kgo.ReadCommitted()), kgo.DisableAutoCommit())
	if err != nil {
		return s, err
	}
	defer client.Close()
	write := workloads[t.Workload].bare
	for left := t.Load.Events; left > 0; {
		fetches := client.PollRecords(ctx, t.BatchSize)
		if err := fetches.Err(); err != nil {
			return s, err
		}
		events := make([]sold, 0, fetches.NumRecords())
		for it := fetches.RecordIter(); !it.Done(); {
			var e sold
			if err := json.Unmarshal(it.Next().Value, &e); err != nil {
				return s, err
			}
			events = append(events, e)
		}
		err := pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error { return write(ctx, tx, t.Schema, events) })
		if err := errors.Join(err, client.CommitUncommittedOffsets(ctx)); err != nil {
			return s, err
		}
		left -= len(events)
		s.Ended = time.Now()
	}
	return s, nil
}

// upsertTickets keeps the last event of each ticket.
func upsertTickets(ctx context.Context, tx pgx.Tx, schema string, events []sold) error {
	return upsertInto(ctx, tx, schema+".tickets", events)
}

func upsertInto(ctx context.Context, tx pgx.Tx, table string, events []sold) error {
	last := make(map[string]*sold, len(events))
	for i := range events {
		last[events[i].Payload.TicketID] = &events[i]
	}
	var id, show, seat, buyer, status, price, at []string
	for _, e := range last {
		p := &e.Payload
		id, show, seat, buyer = append(id, p.TicketID), append(show, p.ShowID), append(seat, p.Seat), append(buyer, p.Buyer)
		status, price, at = append(status, p.Status), append(price, p.Price.String()), append(at, p.SoldAt)
	}
	_, err := tx.Exec(ctx, "INSERT INTO "+table+` SELECT a, b, c, d, e, f::numeric, g::timestamptz
		FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) AS u(a, b, c, d, e, f, g)
		ORDER BY a ON CONFLICT (ticket_id) DO UPDATE SET show_id = EXCLUDED.show_id, seat = EXCLUDED.seat, buyer = EXCLUDED.buyer,
		status = EXCLUDED.status, price = EXCLUDED.price, sold_at = EXCLUDED.sold_at`, id, show, seat, buyer, status, price, at)
	return err
}

// ticketColumns are those of the bare table of tickets.
const ticketColumns = "(ticket_id text PRIMARY KEY, show_id text, seat text, buyer text, status text, price numeric(12, 2), sold_at timestamptz)"

// upsertSix does it in six tables.
func upsertSix(ctx context.Context, tx pgx.Tx, schema string, events []sold) error {
	for _, name := range []string{"1", "2", "3", "4", "5", "6"} {
		if err := upsertInto(ctx, tx, schema+".tickets"+name, events); err != nil {
			return err
		}
	}
	return nil
}

// countSales adds up the sales of each show.
func countSales(ctx context.Context, tx pgx.Tx, schema string, events []sold) error {
	sales, takings := map[string]int64{}, map[string]int64{}
	for i := range events {
		p := &events[i].Payload
		cents, err := p.Price.Float64()
		if err != nil {
			return err
		}
		sales[p.ShowID]++
		takings[p.ShowID] += int64(cents * 100)
	}
	var show []string
	var sold, cents []int64
	for id, n := range sales {
		show, sold, cents = append(show, id), append(sold, n), append(cents, takings[id])
	}
	_, err := tx.Exec(ctx, "INSERT INTO "+schema+`.sales AS t SELECT a, b, c::numeric / 100
		FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS u(a, b, c) ORDER BY a
		ON CONFLICT (show_id) DO UPDATE SET sold = t.sold + EXCLUDED.sold, takings = t.takings + EXCLUDED.takings`, show, sold, cents)
	return err
}

// countExactly inserts the events' ids, and counts those that were not there.
func countExactly(ctx context.Context, tx pgx.Tx, schema string, events []sold) error {
	ids := make([]string, len(events))
	byID := make(map[string]*sold, len(events))
	for i := range events {
		ids[i] = events[i].EventID
		byID[ids[i]] = &events[i]
	}
	rows, err := tx.Query(ctx, "INSERT INTO "+schema+".ids SELECT id FROM unnest($1::text[]) AS u(id) ORDER BY id ON CONFLICT DO NOTHING RETURNING id", ids)
	if err != nil {
		return err
	}
	added, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	fresh := make([]sold, len(added))
	for i, id := range added {
		fresh[i] = *byID[id]
	}
	return countSales(ctx, tx, schema, fresh)
}

const salesColumns = "(show_id text PRIMARY KEY, sold bigint, takings numeric(20, 2))"
