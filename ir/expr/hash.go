package expr

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// Hash is the stable hash of the language, which never changes: SHA-256 of the bytes of Text (a string's own UTF-8 bytes,
// a number's plain text, true or false, the canonical JSON of an array or object), its first 8 bytes read as a big-endian
// number, the top bit cleared. The kind does not count: 1, 1.0 and "1" have one hash, so that an id is in the same shard
// whether it arrives as a number or as a string. The expression hash(v) gives null for null; Hash of null is that of the
// empty text.
//
//	""                  7183457195969485844
//	"abc"               4213142463398924266
//	"42", 42, 42.0      8306709966045482637
//	1.5                 2245503117884621079
//	true                3872713167274655612
//	[1, "a", null]      8042395829758837489
//	{"b": "x", "a": 1}  7852564224619585059
func Hash(v Value) int64 {
	var scratch [256]byte
	sum := sha256.Sum256(v.AppendText(scratch[:0]))
	return int64(binary.BigEndian.Uint64(sum[:8]) & math.MaxInt64)
}

// Shard is the stable bucket of a value among n > 0: Hash modulo n.
func Shard(v Value, n int64) int64 { return Hash(v) % n }
