package store

// Run is one runner's work on a partition for a group, from its beginning to an end in order. One that is there when the next
// begins was cut off: its process died or was overtaken.
type Run struct {
	Topic     string
	Partition int32
	Owner     string // the process
	Next      int64  // the position where it began
	// CutOff is how many other processes, one after the other, began there or came that far, and were cut off.
	CutOff int
	// Trial is the offset of the record that such a run was working on alone, -1 where there was none.
	Trial int64
	// Decoding is the offset of the first record from Next on that a process was decoding alone, or gave up at last; -1
	// where there is none.
	Decoding int64
}
