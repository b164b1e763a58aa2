package store

// Barrier says where the log of a partition ended when its topic grew: what an entity of a new partition did before is
// below it. New partitions begin where their parent's reading stands there, and not before the parent has come so far.
type Barrier struct {
	Topic         string
	TopicID       [16]byte
	Before, After int32 // how many partitions the topic had, and has since
	Partition     int32 // one of those that it had
	Next          int64 // offset
	Clock         int64 // of the partition there, as far as a group has come
}

// Children returns the new partitions whose keys were in this one before: a key's partition is its hash modulo the number of
// partitions, and After is a multiple of Before.
func (b *Barrier) Children() []int32 {
	var list []int32
	for q := b.Partition + b.Before; q < b.After; q += b.Before {
		list = append(list, q)
	}
	return list
}
