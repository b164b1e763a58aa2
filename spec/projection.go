package spec

// Projection folds events into a table.
type Projection struct {
	Name         *Scalar
	Description  *Scalar
	SourceEvents []*Scalar
	Table        *Scalar   // target.table
	PrimaryKey   []*Scalar // target.primary_key
	EntityKey    *Scalar
	EntityExpr   *Expr
	Fields       []*Column
	Derive       []ValueEntry
	Mutations    []*Mutation
	Aggregates   []*EventAggregates
	Indexes      []*TableIndex
	Bucket       *Bucket
	Partition    *Partition
	Override     []ValueEntry
	OverrideAt   *Scalar // the key "override"
	Dedup        *Dedup
}

// Column declares the SQL type of a column. TypeName is upper-cased, without modifiers.
type Column struct {
	Name     *Scalar
	Type     *Scalar
	TypeName string
	Mods     []int64 // the numbers in parentheses
}

// Dedup links a projection to its deduplication table.
type Dedup struct {
	Src      *Scalar
	Auto     bool // `dedup: true`
	Off      bool // `dedup: false`
	Override bool // written as override.dedup
}

// Mutation is what one event does to a row.
type Mutation struct {
	Event     *Scalar
	Op        *Scalar // nil: upsert
	Set       []ValueEntry
	SetAt     *Scalar // the key "set"
	Where     []*Condition
	Condition *Expr
}

// Condition is one entry of a where map: column -> {op: value}.
type Condition struct {
	Column *Scalar
	Tests  []Test // exactly one in a correct program
}

// Test is one operator of a condition.
type Test struct {
	Op    *Scalar // nil where the author wrote the value without an operator
	Value *Value
}

// EventAggregates holds the aggregates of one event.
type EventAggregates struct {
	Event   *Scalar
	Columns []*Aggregate
}

// Aggregate is one aggregated column of an event.
type Aggregate struct {
	Column *Scalar
	Op     *Scalar // nil: add
	By     *Value  // nil: 1
	When   *Expr
	Floor  *Value
	Ceil   *Value
}

// TableIndex is a secondary index of a projection's table.
type TableIndex struct {
	Columns   []*Scalar
	Direction *Scalar
	Unique    *Bool
}

// Bucket is a time bucket.
type Bucket struct {
	Key      *Scalar // the key "bucket"
	Field    *Expr
	Interval *Scalar
}

// Partition asks for declarative partitioning.
type Partition struct {
	Key              *Scalar // the key "partition"
	Strategy         *Scalar
	Field            *Scalar
	Interval         *Scalar
	Partitions       *Int
	Precreate        *Int
	Retention        *Scalar
	DefaultPartition *Bool
}

// Query is a named query.
type Query struct {
	Name         *Scalar
	Description  *Scalar
	From         *Scalar
	Input        []*Field
	Fields       []*Scalar
	Where        []*Condition
	OrderBy      []*OrderTerm
	Joins        []*Join
	GroupBy      []*Scalar
	Aggregate    []*QueryAggregate
	AggregateAt  *Scalar // the key "aggregate"
	Limit        *Value
	Distinct     *Bool
	CoalesceZero []*Scalar
	Windows      []*Scalar // window.allowed
}

// OrderTerm is one column of order_by.
type OrderTerm struct {
	Column    *Scalar
	Direction *Scalar
}

// Join is one join of a query.
type Join struct {
	Projection *Scalar
	Type       *Scalar // nil: left
	Pairs      []JoinPair
	Fields     []*Scalar
}

// JoinPair equates two columns.
type JoinPair struct {
	Left, Right *Scalar
}

// QueryAggregate is one aggregated result column.
type QueryAggregate struct {
	Alias  *Scalar
	Func   *Scalar
	Column *Scalar // nil for `alias: count`
}
