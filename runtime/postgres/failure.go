package postgres

import (
	"fmt"
	"strings"
	"time"

	"github.com/causetc/causetc/runtime/store"
)

// failureColumns are the columns that parked events and dead letters share, in the order of failureArgs.
const failureColumns = `topic, partition, "offset", clock, projection, event_id, event_type, entity_id, fork_id, attempts,
	first_at, last_at, error_class, sql_state, message, key, value, record_ts, header_keys, header_values`

// lightColumns are the same without what may be large.
const lightColumns = `topic, partition, "offset", clock, projection, event_id, event_type, entity_id, fork_id, attempts,
	first_at, last_at, error_class, sql_state, '', NULL::bytea, NULL::bytea, 0::bigint, NULL::bytea[], NULL::bytea[]`

// insertFailure is the statement that inserts a failure of the group with further columns.
func (g *Group) insertFailure(table string, further ...string) string {
	columns := "group_name, version, " + failureColumns + ", " + strings.Join(further, ", ")
	places := make([]string, strings.Count(columns, ",")+1)
	for i := range places {
		places[i] = fmt.Sprintf("$%d", i+1)
	}
	return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", g.db.table(table), columns, strings.Join(places, ", "))
}

// failureArgs are the values of a failure, after the group's name and version.
func (g *Group) failureArgs(f *store.Failure, further ...any) []any {
	keys, values := make([][]byte, len(f.Headers)), make([][]byte, len(f.Headers))
	for i, h := range f.Headers {
		keys[i], values[i] = []byte(h.Key), h.Value
	}
	args := []any{g.fold.Name, g.version, f.Position.Topic, f.Position.Partition, f.Position.Offset, f.Clock,
		storable(f.Projection), storable(f.EventID), storable(f.EventType), storable(f.EntityID), storable(f.ForkID), f.Attempts,
		moment(f.FirstAt), moment(f.LastAt), storable(f.ErrorClass), storable(f.SQLState), storable(f.Message), f.Key, f.Value,
		f.Timestamp, keys, values}
	return append(args, further...)
}

// failureRow takes a row of failureColumns.
type failureRow struct {
	failure     store.Failure
	first, last *time.Time
	keys        [][]byte
	values      [][]byte
}

func (r *failureRow) targets(further ...any) []any {
	f := &r.failure
	targets := []any{&f.Position.Topic, &f.Position.Partition, &f.Position.Offset, &f.Clock, &f.Projection, &f.EventID,
		&f.EventType, &f.EntityID, &f.ForkID, &f.Attempts, &r.first, &r.last, &f.ErrorClass, &f.SQLState, &f.Message, &f.Key,
		&f.Value, &f.Timestamp, &r.keys, &r.values}
	return append(targets, further...)
}

// done returns the failure that was scanned.
func (r *failureRow) done() store.Failure {
	f := r.failure
	f.FirstAt, f.LastAt = momentOf(r.first), momentOf(r.last)
	for i := range r.keys {
		f.Headers = append(f.Headers, store.Header{Key: string(r.keys[i]), Value: r.values[i]})
	}
	return f
}

// storable makes a text one that Postgres takes; the record's own bytes are kept beside it.
func storable(text string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", "\uFFFD"), "\uFFFD")
}

// moment is NULL for the zero time.
func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

func momentOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return t.UTC()
}
