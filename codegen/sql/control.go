package sql

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/causetc/causetc/ir"
)

// ObjectKind says what an object is.
type ObjectKind string

// The kinds of objects.
const (
	KindSchema   ObjectKind = "schema"
	KindTable    ObjectKind = "table"
	KindIndex    ObjectKind = "index"
	KindFunction ObjectKind = "function"
	KindView     ObjectKind = "view"
	KindTrigger  ObjectKind = "trigger"
	KindRow      ObjectKind = "row" // a row of a control table
	KindSetting  ObjectKind = "setting"
)

// Object is one thing that DDL creates.
type Object struct {
	Kind   ObjectKind
	Schema string // empty: the connection's current schema
	Name   string
	SQL    string // one statement, without a semicolon at the end
}

// position are the columns that say which record of which group's log something is about.
const position = `  group_name text NOT NULL,
  version integer NOT NULL,
  topic text NOT NULL,
  partition integer NOT NULL,
`

// failure are the columns that parked events and dead letters share: the event, what went wrong, and the record as the
// topic had it.
const failure = `  "offset" bigint NOT NULL,
  clock bigint NOT NULL,
  projection text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  entity_id text NOT NULL,
  fork_id text NOT NULL,
  attempts integer NOT NULL,
  first_at timestamptz,
  last_at timestamptz,
  error_class text NOT NULL,
  sql_state text NOT NULL,
  message text NOT NULL,
  key bytea,
  value bytea,
  record_ts bigint NOT NULL,
  header_keys bytea[] NOT NULL,
  header_values bytea[] NOT NULL,
`

// controlTable is a control table: its name and what stands between its parentheses.
type controlTable struct{ name, body string }

var controlTables = [...]controlTable{
	{"meta", `  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  layout integer NOT NULL,
  app text NOT NULL,
  fork text NOT NULL
`},
	{"groups", `  name text NOT NULL,
  version integer NOT NULL,
  state text NOT NULL CHECK (state IN ('live', 'building', 'retired')),
  hash text NOT NULL,
  ir text NOT NULL,
  PRIMARY KEY (name, version)
`},
	{"cursors", position + `  topic_id bytea NOT NULL,
  next bigint NOT NULL,
  clock bigint NOT NULL,
  ids bigint NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition)
`},
	{"barriers", `  topic text NOT NULL,
  topic_id bytea NOT NULL,
  partitions_before integer NOT NULL,
  partitions_after integer NOT NULL,
  partition integer NOT NULL,
  next bigint NOT NULL,
  clock bigint NOT NULL,
  PRIMARY KEY (topic, topic_id, partitions_before, partition)
`},
	{"recent_ids", position + `  upto bigint NOT NULL,
  ids bytea NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition, upto)
`},
	{"runs", position + `  owners text[] NOT NULL,
  next bigint NOT NULL,
  trial bigint NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition)
`},
	{"decodings", `  topic text NOT NULL,
  partition integer NOT NULL,
  "offset" bigint NOT NULL,
  owners text[] NOT NULL,
  PRIMARY KEY (topic, partition, "offset")
`},
	{"parked", position + failure + `  next_at timestamptz,
  waiting boolean NOT NULL,
  keys bytea[] NOT NULL,
  PRIMARY KEY (group_name, version, topic, partition, "offset")
`},
	{"dead_letters", position + failure + `  id text NOT NULL,
  seq bigint GENERATED ALWAYS AS IDENTITY,
  published_at timestamptz,
  replayed_at timestamptz,
  dropped_at timestamptz,
  PRIMARY KEY (group_name, version, topic, partition, "offset")
`},
}

// ControlObjects returns the schema of ours and what is in it before any group is: the control tables and the function
// behind the views' refusal to be written.
func ControlObjects(o Options) []Object {
	schema := o.schema()
	objects := []Object{{Kind: KindSchema, Name: schema, SQL: "CREATE SCHEMA IF NOT EXISTS " + Ident(schema)}}
	for _, t := range controlTables {
		objects = append(objects, Object{Kind: KindTable, Schema: schema, Name: t.name,
			SQL: fmt.Sprintf("CREATE TABLE %s (\n%s)", Qualified(schema, t.name), t.body)})
	}
	return append(objects,
		Object{Kind: KindSetting, Schema: schema, Name: "recent_ids",
			SQL: fmt.Sprintf("ALTER TABLE %s ALTER COLUMN ids SET STORAGE EXTERNAL", Qualified(schema, "recent_ids"))},
		Object{Kind: KindIndex, Schema: schema, Name: "dead_letters_unpublished",
			SQL: fmt.Sprintf("CREATE INDEX dead_letters_unpublished ON %s (group_name, version, seq) WHERE published_at IS NULL",
				Qualified(schema, "dead_letters"))},
		Object{Kind: KindIndex, Schema: schema, Name: "dead_letters_id",
			SQL: fmt.Sprintf("CREATE INDEX dead_letters_id ON %s (id)", Qualified(schema, "dead_letters"))},
		refusal(schema))
}

// refusal is the function that every view's trigger calls.
func refusal(schema string) Object {
	name := Qualified(schema, "refuse_write")
	return Object{Kind: KindFunction, Schema: schema, Name: "refuse_write", SQL: `CREATE FUNCTION ` + name + `() RETURNS trigger
LANGUAGE plpgsql AS $causetc$
BEGIN
  RAISE EXCEPTION 'can''t % "%": its rows are derived from events by causetc', lower(TG_OP), TG_TABLE_NAME
    USING ERRCODE = 'object_not_in_prerequisite_state',
      HINT = 'Emit an event that changes the row, or keep what is written by hand in a table of your own.';
END
$causetc$`}
}

// Binding ties the schema to an application and a fork.
func Binding(app string, o Options) Object {
	return Object{Kind: KindRow, Schema: o.schema(), Name: "meta",
		SQL: fmt.Sprintf("INSERT INTO %s (layout, app, fork) VALUES (%d, %s, %s)",
			Qualified(o.schema(), "meta"), LayoutVersion, Literal(app), Literal(o.fork()))}
}

// deployment notes which version of a group is deployed.
func deployment(g *ir.Group, version int, o Options) (Object, error) {
	text, err := json.Marshal(g)
	if err != nil {
		return Object{}, fmt.Errorf("encode group %s: %w", g.Name, err)
	}
	values := []string{Literal(g.Name), fmt.Sprint(version), "'live'", Literal(g.Hash), Literal(string(text))}
	return Object{Kind: KindRow, Schema: o.schema(), Name: "groups",
		SQL: fmt.Sprintf("INSERT INTO %s (name, version, state, hash, ir) VALUES (%s)",
			Qualified(o.schema(), "groups"), strings.Join(values, ", "))}, nil
}

// ExactIDsTable is the name of the table in the schema of ours that keeps the identities of one set of a group's exact
// ids.
func ExactIDsTable(group, set string, version int) string {
	return Fit(group+"."+set, fmt.Sprintf("@%d@ids", version))
}

func exactIDs(group, set string, version int, o Options) Object {
	name := ExactIDsTable(group, set, version)
	return Object{Kind: KindTable, Schema: o.schema(), Name: name,
		SQL: fmt.Sprintf("CREATE TABLE %s (\n  key bytea NOT NULL,\n  CONSTRAINT %s PRIMARY KEY (key)\n)",
			Qualified(o.schema(), name), Ident(Fit(name, "@key")))}
}
