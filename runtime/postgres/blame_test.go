package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/store"
)

// The plain columns of the tickets that these tests write.
const (
	buyerCell  = 2
	statusCell = 3
	priceCell  = 4
)

// setCell changes what an entry writes into a column.
func setCell(e *store.Entry, column int, v expr.Value) {
	cells := slices.Clone(e.Effect.Writes[0].Cells)
	for i := range cells {
		if cells[i].Column == column {
			cells[i].Value = v
		}
	}
	e.Effect.Writes = slices.Clone(e.Effect.Writes)
	e.Effect.Writes[0].Cells = cells
}

// TestRefusedEntriesAreNamed: whatever somebody has put on a table by hand, the error of a batch names exactly the entries
// that break it, at the first time and again while violations are looked for beforehand, and without them the batch passes.
func TestRefusedEntriesAreNamed(t *testing.T) {
	status := func(e *store.Entry) { setCell(e, statusCell, expr.String("bad")) }
	for name, tt := range map[string]struct {
		alter   string // %s is the table
		spoil   func(e *store.Entry)
		state   string
		classes []ir.Class
	}{
		"check":    {"ALTER TABLE %s ADD CHECK (status <> 'bad' AND price > 0)", status, "23514", []ir.Class{ir.Convergent, ir.Ordered}},
		"not null": {"ALTER TABLE %s ALTER buyer SET NOT NULL", func(e *store.Entry) { setCell(e, buyerCell, expr.Null()) }, "23502", []ir.Class{ir.Convergent}},
		"unique": {"CREATE UNIQUE INDEX ON %s (price)", func(e *store.Entry) { setCell(e, priceCell, expr.Int(1)) }, "23505",
			[]ir.Class{ir.Convergent, ir.Ordered}},
		"trigger": {`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.status = 'bad' THEN RAISE 'no'; END IF; RETURN NEW; END $$;
			CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON %s FOR EACH ROW EXECUTE FUNCTION refuse()`, status, "P0001", []ir.Class{ir.Convergent, ir.Ordered}},
	} {
		for _, class := range tt.classes {
			t.Run(fmt.Sprintf("%s/%s", name, class), func(t *testing.T) {
				cfg := newConfig(t)
				g := deploy(t, open(t, cfg), ticketProgram(class))
				exec(t, "BEGIN; SET LOCAL search_path = "+sql.Ident(cfg.Schema)+"; "+
					fmt.Sprintf(tt.alter, sql.Ident(g.tables[0].physical.Name))+"; COMMIT")
				for round := range 2 {
					b := batchOf(t, g, 40*round, 40)
					for i := range b.Entries {
						setCell(&b.Entries[i], priceCell, expr.Int(int64(1000*round+i+2)))
					}
					want := []int{3, 17, 18, 39}
					if tt.state == "23505" && round == 0 {
						tt.spoil(&b.Entries[1]) // the first of its value is none of the culprits
					}
					for _, i := range want {
						tt.spoil(&b.Entries[i])
					}
					refusedExactly(t, g, b, want, tt.state)
					for _, i := range want {
						b.Entries[i].Outcome, b.Entries[i].Effect = store.Skipped, fold.Effect{}
					}
					commit(t, g, b)
				}
				if n := rowCount(t, g); n != 72 {
					t.Errorf("%d rows", n)
				}
			})
		}
	}
}

func refusedExactly(t *testing.T, g *Group, b store.Batch, want []int, state string) {
	t.Helper()
	_, err := g.Commit(context.Background(), b)
	var data *store.DataError
	if !errors.As(err, &data) {
		t.Fatal(err)
	}
	var indexes []int
	for _, refusal := range data.Refused {
		indexes = append(indexes, refusal.Index)
		if refusal.Err.SQLState != state || refusal.Err.Message == "" {
			t.Errorf("entry %d: %s %s, want %s", refusal.Index, refusal.Err.SQLState, refusal.Err.Message, state)
		}
	}
	if !slices.Equal(indexes, want) {
		t.Errorf("refused are %v, want %v: %v", indexes, want, err)
	}
}

// TestPartialWritesOfOrderedRowsAreNotBlamed: an event that leaves a column alone which a condition reads, in a row that
// has it, breaks nothing.
func TestPartialWritesOfOrderedRowsAreNotBlamed(t *testing.T) {
	cfg := newConfig(t)
	g := deploy(t, open(t, cfg), ticketProgram(ir.Ordered))
	commit(t, g, batchOf(t, g, 0, 10))
	exec(t, "ALTER TABLE "+sql.Qualified(cfg.Schema, g.tables[0].physical.Name)+" ADD CHECK ((status <> 'sold' OR buyer IS NOT NULL) AND status <> 'bad')")
	b := batchOf(t, g, 10, 10)
	for i := range b.Entries {
		w := &b.Entries[i].Effect.Writes[0]
		known, err := g.fold.Evaluate(sold(i))
		if err != nil {
			t.Fatal(err)
		}
		w.Key, w.KeyID = known.Writes[0].Key, known.Writes[0].KeyID
		w.Cells = slices.DeleteFunc(slices.Clone(w.Cells), func(c fold.CellWrite) bool { return c.Column == buyerCell })
	}
	setCell(&b.Entries[4], statusCell, expr.String("bad"))
	refusedExactly(t, g, b, []int{4}, "23514")
}
