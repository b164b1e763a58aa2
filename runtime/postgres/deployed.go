package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/causetc/causetc/ir"
)

// Deployed returns the live version of a group as it was deployed; found is false where there is none. Errors are as those
// of Check.
func (db *DB) Deployed(ctx context.Context, name string) (g *ir.Group, version int, found bool, err error) {
	if err := db.requireControl(ctx); err != nil {
		return nil, 0, false, err
	}
	c, err := db.readCatalog(ctx, db.pool)
	if err != nil {
		return nil, 0, false, classify(ctx, err)
	}
	live, found := c.live(name)
	if !found {
		return nil, 0, false, nil
	}
	var text string
	err = db.pool.QueryRow(ctx, "SELECT ir FROM "+db.table("groups")+" WHERE name = $1 AND version = $2", name, live.version).Scan(&text)
	if err != nil {
		return nil, 0, false, classify(ctx, err)
	}
	g = &ir.Group{}
	if err := json.Unmarshal([]byte(text), g); err != nil {
		return nil, 0, false, deploymentErrorf("group %s: what is noted of its deployment can't be read: %v", name, err)
	}
	if g.Hash != live.hash {
		return nil, 0, false, deploymentErrorf("group %s: what is noted of its deployment does not fit its hash", name)
	}
	return g, live.version, true, nil
}

// SameLayout reports whether rows that the rules of one group write mean the same beside those of the other, whatever the
// rules say: the tables have the same columns, keys and classes, the projections the same places in the order of an event,
// the sets of exact ids the same keepers. Else difference says what is not the same.
func SameLayout(a, b *ir.Group) (same bool, difference string) {
	switch {
	case a.Name != b.Name:
		return false, fmt.Sprintf("group %s is not group %s", a.Name, b.Name)
	case !equalJSON(layoutsOf(a), layoutsOf(b)):
		return false, "the tables differ"
	case !equalJSON(placesOf(a), placesOf(b)):
		return false, "the projections differ"
	case !equalJSON(a.ExactIDs, b.ExactIDs):
		return false, "the deduplication differs"
	}
	return true, ""
}

// layoutsOf are the tables without what does not decide the meaning of a row.
func layoutsOf(g *ir.Group) []ir.Table {
	tables := make([]ir.Table, len(g.Tables))
	for i, t := range g.Tables {
		t.Reasons, t.Indexes = nil, nil
		tables[i] = t
	}
	return tables
}

// placesOf are the projections without their rules.
func placesOf(g *ir.Group) []ir.Projection {
	projections := make([]ir.Projection, len(g.Projections))
	for i, p := range g.Projections {
		p.Handlers = nil
		projections[i] = p
	}
	return projections
}

func equalJSON[T any](a, b []T) bool {
	textA, errA := json.Marshal(a)
	textB, errB := json.Marshal(b)
	return errA == nil && errB == nil && string(textA) == string(textB)
}
