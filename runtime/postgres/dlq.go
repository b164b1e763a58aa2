package postgres

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/causetc/causetc/runtime/store"
)

// LetterState says where a dead letter stands.
type LetterState string

// The states. The empty one, in a filter, is any.
const (
	LetterOpen     LetterState = "open" // waits for somebody
	LetterReplayed LetterState = "replayed"
	LetterDropped  LetterState = "dropped"
)

// LetterFilter selects dead letters; empty fields select all.
type LetterFilter struct {
	IDs                                    []string
	State                                  LetterState
	Group, Projection, EventType, EntityID string
	ErrorContains                          string // a part of the message, in any case
	ErrorClass                             string
	Before, After                          time.Time // of the last attempt; both exclusive
	Whole                                  bool      // load the records too
	Limit                                  int       // 0: all
}

// Letter is a dead letter with what people did about it.
type Letter struct {
	store.DeadLetter
	ReplayedAt, DroppedAt time.Time // zero: not
}

// State returns where the letter stands.
func (l *Letter) State() LetterState {
	switch {
	case !l.ReplayedAt.IsZero():
		return LetterReplayed
	case !l.DroppedAt.IsZero():
		return LetterDropped
	default:
		return LetterOpen
	}
}

// Letters returns dead letters of all groups and versions, oldest first. Errors are as those of Check.
func (db *DB) Letters(ctx context.Context, f LetterFilter) ([]Letter, error) {
	if err := db.requireControl(ctx); err != nil {
		return nil, err
	}
	columns := lightColumns
	if f.Whole {
		columns = failureColumns
	}
	where, args := f.conditions()
	text := "SELECT " + strings.Replace(columns, "''", "message", 1) + ", id, group_name, version, published_at, replayed_at, dropped_at FROM " +
		db.table("dead_letters") + where + " ORDER BY seq"
	if f.Limit > 0 {
		text += fmt.Sprintf(" LIMIT %d", f.Limit)
	}
	rows, err := db.pool.Query(ctx, text, args...)
	if err != nil {
		return nil, classify(ctx, err)
	}
	letters, err := pgx.CollectRows(rows, scanLetter)
	return letters, classify(ctx, err)
}

func scanLetter(row pgx.CollectableRow) (Letter, error) {
	var l Letter
	var f failureRow
	var published, replayed, dropped *time.Time
	err := row.Scan(f.targets(&l.ID, &l.Group, &l.Version, &published, &replayed, &dropped)...)
	l.Failure = f.done()
	l.PublishedAt, l.ReplayedAt, l.DroppedAt = momentOf(published), momentOf(replayed), momentOf(dropped)
	return l, err
}

// conditions returns the filter as SQL with its arguments.
func (f *LetterFilter) conditions() (where string, args []any) {
	var terms []string
	add := func(term string, value any) {
		args = append(args, value)
		terms = append(terms, strings.ReplaceAll(term, "?", fmt.Sprintf("$%d", len(args))))
	}
	for _, c := range []struct{ column, value string }{{"group_name", f.Group}, {"projection", f.Projection},
		{"event_type", f.EventType}, {"entity_id", f.EntityID}, {"error_class", f.ErrorClass}} {
		if c.value != "" {
			add(c.column+" = ?", storable(c.value))
		}
	}
	if f.IDs != nil {
		add("id = ANY (?)", f.IDs)
	}
	if f.ErrorContains != "" {
		add("strpos(lower(message), lower(?)) > 0", storable(f.ErrorContains))
	}
	if !f.Before.IsZero() {
		add("last_at < ?", f.Before)
	}
	if !f.After.IsZero() {
		add("last_at > ?", f.After)
	}
	switch f.State {
	case LetterOpen:
		terms = append(terms, "replayed_at IS NULL AND dropped_at IS NULL")
	case LetterReplayed:
		terms = append(terms, "replayed_at IS NOT NULL")
	case LetterDropped:
		terms = append(terms, "dropped_at IS NOT NULL")
	}
	if len(terms) == 0 {
		return "", nil
	}
	return " WHERE " + strings.Join(terms, " AND "), args
}

// DropLetters marks letters as dropped: nobody is to replay them. Those that were replayed or dropped before stay as they
// are. It returns the ids of the others. One that is not on the topic yet is published all the same.
func (db *DB) DropLetters(ctx context.Context, ids []string) ([]string, error) {
	if err := db.requireControl(ctx); err != nil {
		return nil, err
	}
	rows, err := db.pool.Query(ctx, "UPDATE "+db.table("dead_letters")+` SET dropped_at = now()
		WHERE id = ANY ($1) AND replayed_at IS NULL AND dropped_at IS NULL RETURNING id`, ids)
	if err != nil {
		return nil, classify(ctx, err)
	}
	dropped, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return dropped, classify(ctx, err)
}

// requireControl refuses a database that has no tables of ours.
func (db *DB) requireControl(ctx context.Context) error {
	c, err := db.readCatalog(ctx, db.pool)
	if err != nil {
		return classify(ctx, err)
	}
	if c.bound == nil {
		return deploymentErrorf("the database has no tables of ours in the schema %q", db.schema)
	}
	return nil
}
