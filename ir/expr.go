package ir

// Op names one kind of expression node.
type Op string

// The kinds of expression nodes. Literals carry their text in Expr.Text, everything that has a name carries it in
// Expr.Name, and operands are in Expr.Args.
const (
	OpNull    Op = "null"    // the literal null
	OpBool    Op = "bool"    // Text is "true" or "false"
	OpInt     Op = "int"     // Text is a decimal 64-bit integer
	OpDecimal Op = "decimal" // Text is an exact decimal, such as "1.50"
	OpString  Op = "string"  // Text is the string
	OpList    Op = "list"    // Args are the items
	OpObject  Op = "object"  // Keys[i] names the value Args[i]

	OpEnvelope Op = "envelope" // Name is an envelope field: type, ts, entity_id, event_id, stream_id, fork_id or version
	OpPayload  Op = "payload"  // the event's payload object; event.payload.x is {member x [{payload}]}
	OpDerived  Op = "derived"  // Name is a column already derived for the same event
	OpResource Op = "resource" // Name is a constant table of Program.Resources
	OpIt       Op = "it"       // the item that map, filter, remove or find looks at

	OpMember Op = "member" // Args[0].Name
	OpIndex  Op = "index"  // Args[0][Args[1]]
	OpCall   Op = "call"   // Name is a function of the table in ir/expr; in map the last argument sees "it"
	OpLookup Op = "lookup" // Name is a stream, Args[0] the entity id, Args[1:] absent; members follow as OpMember
	OpUnary  Op = "unary"  // Name is "!" or "-"
	OpBinary Op = "binary" // Name is one of || && == != < <= > >= + - * / %
	OpCond   Op = "cond"   // Args[0] ? Args[1] : Args[2]
	OpElvis  Op = "elvis"  // Args[0] ?: Args[1]: the left unless it is null or missing
	OpBucket Op = "bucket" // the start, in milliseconds, of the UTC interval of Text milliseconds that holds the moment Args[0]
)

// Expr is a compiled expression as plain data: a tree without positions, in which every name is resolved. It is what
// an IR file stores; ir/expr turns it into something that can be evaluated.
type Expr struct {
	Op   Op       `json:"op"`
	Name string   `json:"name,omitempty"`
	Text string   `json:"text,omitempty"`
	Keys []string `json:"keys,omitempty"`
	Args []*Expr  `json:"args,omitempty"`
}
