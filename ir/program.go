// Package ir is the compiled form of a Causet program as plain data: what a worker needs to fold events into tables and
// to answer queries, and nothing of the text it came from. It is written as canonical JSON, carries a version and
// hashes, and can be read and run without the spec.
package ir

// FormatVersion is the version of the IR file's layout that this package writes and the newest that it reads.
const FormatVersion = 1

// Program is a compiled application. Every list in it is in a fixed order (by name, or the author's order where that has
// a meaning), so that one input has one encoding.
type Program struct {
	Format    int        `json:"format"` // FormatVersion
	App       string     `json:"app"`
	Hash      string     `json:"hash"` // hex SHA-256 of the canonical encoding with this field empty
	Groups    []Group    `json:"groups"`
	Queries   []Query    `json:"queries,omitempty"`
	Resources []Resource `json:"resources,omitempty"`
}

// Group is what has one cursor: the projections that write one table, those linked to them by a deduplication table, and
// the tables that they write. All of a group is evaluated for an event in one transaction.
type Group struct {
	Name        string       `json:"name"` // the smallest name of its tables
	Hash        string       `json:"hash"` // semantic hash: hex SHA-256 of what decides the rows, so not descriptions or indexes
	Tables      []Table      `json:"tables"`
	Projections []Projection `json:"projections"` // sorted by name; the position is the ordinal in an event's order
	ExactIDs    []ExactIDs   `json:"exact_ids,omitempty"`
}

// Class says how far the promise about a table's rows reaches.
type Class string

const (
	// Convergent tables equal the canonical fold under any order of arrival and any replay.
	Convergent Class = "convergent"
	// Ordered tables equal the fold in the order of the log within a partition, and depend on arrival across partitions.
	Ordered Class = "ordered"
)

// Table is one read table: its declared columns and what its physical form needs.
type Table struct {
	Name      string     `json:"name"`
	Class     Class      `json:"class"`
	Reasons   []string   `json:"reasons,omitempty"` // why it is ordered, for people
	Columns   []Column   `json:"columns"`           // as declared: the view's columns in order
	Key       []string   `json:"key"`               // the primary key's columns in order
	Deletes   bool       `json:"deletes,omitempty"` // a handler deletes rows: tombstones are kept
	Updates   bool       `json:"updates,omitempty"` // a handler updates existing rows only: the first creation is kept
	Indexes   []Index    `json:"indexes,omitempty"`
	Partition *Partition `json:"partition,omitempty"`
}

// Role is what a column is for the fold.
type Role string

const (
	RoleKey   Role = "key"   // part of the primary key
	RolePlain Role = "plain" // last write wins, by the order of events
	RoleSum   Role = "sum"   // aggregate: starts at 0
)

// Column is one declared column.
type Column struct {
	Name string  `json:"name"`
	Type SQLType `json:"type"`
	Role Role    `json:"role"`
	// Default is the value of a column that no event has written: absent for NULL, "0" for columns that only an aggregate
	// "set" writes (those are plain columns that replace leaves alone).
	Default string `json:"default,omitempty"`
	// KeepOnReplace marks a plain column that a replace does not reset.
	KeepOnReplace bool `json:"keep_on_replace,omitempty"`
	// Hidden marks a column where an update may wait for a creation that arrives later: its value shows only from the
	// row's first creation on.
	Hidden bool `json:"hidden,omitempty"`
}

// TypeName is the name of a Postgres column type as DDL prints it.
type TypeName string

// The column types, after aliases are resolved (TINYINT is SMALLINT, FLOAT and DOUBLE are DOUBLE PRECISION, JSON stays
// JSON, SERIAL is INTEGER).
const (
	Text        TypeName = "TEXT"
	Varchar     TypeName = "VARCHAR"
	Char        TypeName = "CHAR"
	SmallInt    TypeName = "SMALLINT"
	Integer     TypeName = "INTEGER"
	BigInt      TypeName = "BIGINT"
	Boolean     TypeName = "BOOLEAN"
	Real        TypeName = "REAL"
	Double      TypeName = "DOUBLE PRECISION"
	Numeric     TypeName = "NUMERIC"
	JSON        TypeName = "JSON"
	JSONB       TypeName = "JSONB"
	UUID        TypeName = "UUID"
	Timestamp   TypeName = "TIMESTAMP"
	TimestampTZ TypeName = "TIMESTAMPTZ"
	Date        TypeName = "DATE"
	Bytea       TypeName = "BYTEA"
)

// SQLType is a column type with its modifiers.
type SQLType struct {
	Name      TypeName `json:"name"`
	Length    int      `json:"length,omitempty"`    // VARCHAR(n), CHAR(n): characters; 0 is no bound (CHAR: 1)
	Precision int      `json:"precision,omitempty"` // NUMERIC(p,s): 0 is no bound
	Scale     int      `json:"scale,omitempty"`
}

// Index is a secondary index.
type Index struct {
	Columns []string `json:"columns"`
	Desc    bool     `json:"desc,omitempty"`
	Unique  bool     `json:"unique,omitempty"`
}

// Partition is declarative partitioning of a table.
type Partition struct {
	Strategy   string `json:"strategy"` // range, hash or list
	Field      string `json:"field"`
	Interval   string `json:"interval,omitempty"`
	Partitions int    `json:"partitions,omitempty"`
	Precreate  int    `json:"precreate,omitempty"`
	Retention  string `json:"retention,omitempty"`
	Default    bool   `json:"default_partition,omitempty"`
}

// Projection says what each of its events writes to one table.
type Projection struct {
	Name     string    `json:"name"`
	Table    string    `json:"table"`
	Handlers []Handler `json:"handlers"` // sorted by event; one for every source event
	// Dedup names the ExactIDs of the group that admit an event to this projection, if they take note of its type; empty
	// without `dedup`.
	Dedup string `json:"dedup,omitempty"`
}

// ExactIDs is a set of event identities kept for ever: an event is applied by the projections linked to it only if its
// identity was not there yet. It comes from `dedup: true` (Projection is then empty and the identity is the event id) or
// from `dedup: NAME` (the identity is the key that the projection NAME derives for the event).
type ExactIDs struct {
	Name       string `json:"name"`
	Projection string `json:"projection,omitempty"`
}

// Records reports whether a set of exact ids takes note of events of a type: those of its projection, or all. Events that
// it does not take note of are not gated by it.
func (g *Group) Records(ids ExactIDs, event string) bool {
	if ids.Projection == "" {
		return true
	}
	for i := range g.Projections {
		if g.Projections[i].Name != ids.Projection {
			continue
		}
		for k := range g.Projections[i].Handlers {
			if g.Projections[i].Handlers[k].Event == event {
				return true
			}
		}
	}
	return false
}

// HandlerOp is what an event does to a row.
type HandlerOp string

const (
	Upsert     HandlerOp = "upsert"
	Replace    HandlerOp = "replace"
	Update     HandlerOp = "update"
	Delete     HandlerOp = "delete"
	SoftDelete HandlerOp = "soft_delete"
	BulkUpdate HandlerOp = "bulk_update"
)

// Handler is what one event type does in one projection. `increment` is lowered to an Upsert with sums.
type Handler struct {
	Event     string    `json:"event"`
	Op        HandlerOp `json:"op"`
	Condition *Expr     `json:"condition,omitempty"` // false or null: the event writes nothing here
	// Lets are evaluated first, in this order (that of dependency); OpDerived refers to them. A column of Key or Set may
	// name one by an OpDerived node.
	Lets []Assign `json:"lets,omitempty"`
	Key  []Assign `json:"key,omitempty"` // every key column, in the table's key order; absent for bulk_update
	// Set holds the plain columns to write: a missing value leaves the column alone.
	Set   []Assign    `json:"set,omitempty"`
	Sums  []Sum       `json:"sums,omitempty"`
	Where []Predicate `json:"where,omitempty"` // bulk_update: all must hold
}

// Counts reports whether the handler adds to a column, so that applying an event twice shows.
func (h *Handler) Counts() bool {
	for i := range h.Sums {
		if h.Sums[i].Op != SumSet {
			return true
		}
	}
	return false
}

// Assign gives a column (or a let) its value.
type Assign struct {
	Column string `json:"column"`
	Value  *Expr  `json:"value"`
}

// The operations of an aggregate.
const (
	SumAdd = "add"
	SumSub = "sub"
	SumSet = "set"
)

// Sum is one aggregate of a handler.
type Sum struct {
	Column string `json:"column"`
	Op     string `json:"op"`           // SumAdd, SumSub or SumSet
	By     *Expr  `json:"by,omitempty"` // absent: 1
	When   *Expr  `json:"when,omitempty"`
	Floor  *Expr  `json:"floor,omitempty"`
	Ceil   *Expr  `json:"ceil,omitempty"`
}

// Predicate compares a column with a value, as `where` of bulk_update and of queries does.
type Predicate struct {
	Column string `json:"column"` // in queries qualified: table.column
	Op     string `json:"op"`     // eq neq gt gte lt lte in nin like ilike gte_window
	Value  *Expr  `json:"value,omitempty"`
	// Input names a query's parameter that gives the value instead of Value.
	Input string `json:"input,omitempty"`
}

// Resource is a constant table; Value is an object literal.
type Resource struct {
	Name  string `json:"name"`
	Value *Expr  `json:"value"`
}

// Query is a named query over tables.
type Query struct {
	Name        string      `json:"name"`
	Description string      `json:"description,omitempty"`
	From        string      `json:"from"` // table
	Inputs      []Input     `json:"inputs,omitempty"`
	Fields      []Field     `json:"fields,omitempty"` // absent: every column of From, and of joins without fields
	Joins       []Join      `json:"joins,omitempty"`
	Where       []Predicate `json:"where,omitempty"`
	GroupBy     []string    `json:"group_by,omitempty"` // qualified
	Aggregates  []Aggregate `json:"aggregates,omitempty"`
	OrderBy     []OrderTerm `json:"order_by,omitempty"`
	Limit       int64       `json:"limit,omitempty"`
	Distinct    bool        `json:"distinct,omitempty"`
	// ZeroFields are result columns in which null is shown as 0: names of Fields or Aggregates; qualified columns where
	// there are no Fields.
	ZeroFields []string `json:"coalesce_zero,omitempty"`
	Window     []string `json:"window,omitempty"` // the allowed windows, such as 24h or 7 days
}

// Input is a parameter of a query.
type Input struct {
	Name     string  `json:"name"`
	Type     SQLType `json:"type"`
	Required bool    `json:"required,omitempty"`
	Default  *Expr   `json:"default,omitempty"`
}

// Field is one result column: Name as the author wrote it, Column qualified.
type Field struct {
	Name   string `json:"name"`
	Column string `json:"column"`
}

// Join adds a table to a query.
type Join struct {
	Table string `json:"table"`
	Type  string `json:"type"` // left, right, inner or cross
	On    []Pair `json:"on,omitempty"`
}

// Pair equates two qualified columns.
type Pair struct {
	Left  string `json:"left"`
	Right string `json:"right"`
}

// Aggregate is one aggregated result column.
type Aggregate struct {
	Name   string `json:"name"`
	Func   string `json:"func"`             // sum count avg min max first last
	Column string `json:"column,omitempty"` // qualified; absent for count of rows
}

// OrderTerm orders a result by a qualified column or by an aggregate's name.
type OrderTerm struct {
	Column string `json:"column"`
	Desc   bool   `json:"desc,omitempty"`
}
