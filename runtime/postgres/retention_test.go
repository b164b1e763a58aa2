package postgres

import (
	"context"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/ir"
)

// TestRetentionRemovesWholeIntervals moves a clock over a table that keeps two months.
func TestRetentionRemovesWholeIntervals(t *testing.T) {
	for _, typ := range []ir.TypeName{ir.Timestamp, ir.TimestampTZ, ir.Date} {
		db := open(t, newConfig(t))
		p := datedProgram(ir.Convergent, typ)
		p.Groups[0].Tables[0].Partition.Retention = "2 months"
		g := deploy(t, db, p)
		at := func(moment string) {
			now, err := time.Parse(time.DateOnly, moment)
			if err != nil {
				t.Fatal(err)
			}
			db.now = func() time.Time { return now }
		}
		partitions := func(want ...string) {
			t.Helper()
			want = append(want, "tickets@1@default")
			slices.Sort(want)
			if got := slices.Sorted(maps.Keys(rowsByPartition(t, db))); !slices.Equal(got, want) {
				t.Errorf("%s: %v, want %v", typ, got, want)
			}
		}
		at("2024-03-31")
		commit(t, g, datedBatch(t, g, 0, "2024-01-31T00:00:00Z", "2024-02-10T00:00:00Z", "2024-03-20T00:00:00Z", "2023-12-31T23:59:59Z"))
		partitions("tickets@1@20240101T000000", "tickets@1@20240201T000000", "tickets@1@20240301T000000")
		if n := rowsByPartition(t, db)["tickets@1@default"]; n != 1 {
			t.Errorf("%s: %d rows are in the default partition, want that of December", typ, n)
		}
		at("2024-04-30") // January is over for 90 days
		commit(t, g, datedBatch(t, g, 4, "2024-04-02T00:00:00Z"))
		partitions("tickets@1@20240201T000000", "tickets@1@20240301T000000", "tickets@1@20240401T000000")
		if n := rowCount(t, g); n != 3 {
			t.Errorf("%s: %d rows, want those since February", typ, n)
		}
		at("2024-05-30")
		fresh, err := db.Group(&p.Groups[0], g.fold, 1) // a worker that starts
		if err != nil {
			t.Fatal(err)
		}
		commit(t, fresh, datedBatch(t, fresh, 5, "2024-05-02T00:00:00Z"))
		partitions("tickets@1@20240301T000000", "tickets@1@20240401T000000", "tickets@1@20240501T000000")
	}
}

// TestRetentionDoesNotWaitForReaders holds a partition that is to go: the batch is written all the same.
func TestRetentionDoesNotWaitForReaders(t *testing.T) {
	db := open(t, newConfig(t))
	p := datedProgram(ir.Ordered, ir.TimestampTZ)
	p.Groups[0].Tables[0].Partition.Retention = "1 month"
	g := deploy(t, db, p)
	db.now = func() time.Time { return time.Date(2024, 1, 15, 0, 0, 0, 0, time.UTC) }
	commit(t, g, datedBatch(t, g, 0, "2024-01-10T00:00:00Z"))
	reader, err := db.pool.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = reader.Rollback(context.Background()) }()
	if _, err := reader.Exec(context.Background(), "SELECT * FROM "+db.table("tickets@1@20240101T000000"), pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
	db.now = func() time.Time { return time.Date(2024, 3, 15, 0, 0, 0, 0, time.UTC) }
	commit(t, g, datedBatch(t, g, 1, "2024-03-10T00:00:00Z"))
	if err := reader.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := rowCount(t, g); n != 2 {
		t.Errorf("%d rows, want the one that was read and the new one", n)
	}
	db.now = func() time.Time { return time.Date(2024, 4, 15, 0, 0, 0, 0, time.UTC) }
	commit(t, g, datedBatch(t, g, 2, "2024-04-10T00:00:00Z"))
	if n := rowCount(t, g); n != 2 {
		t.Errorf("%d rows, want those of March and April", n)
	}
}

// TestPartitionsAreMadeAhead asks for two more with each.
func TestPartitionsAreMadeAhead(t *testing.T) {
	db := open(t, newConfig(t))
	p := datedProgram(ir.Convergent, ir.TimestampTZ)
	p.Groups[0].Tables[0].Partition.Precreate = 2
	g := deploy(t, db, p)
	commit(t, g, datedBatch(t, g, 0, "2024-11-10T00:00:00Z", "2024-12-10T00:00:00Z"))
	got := slices.Sorted(maps.Keys(rowsByPartition(t, db)))
	want := []string{"tickets@1@20241101T000000", "tickets@1@20241201T000000", "tickets@1@20250101T000000", "tickets@1@20250201T000000", "tickets@1@default"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
