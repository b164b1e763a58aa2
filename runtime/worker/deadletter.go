package worker

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/causetc/causetc/runtime/event"
	"github.com/causetc/causetc/runtime/store"
)

// The classes of errors that end in a dead letter.
const (
	classEvent       = "event"       // evaluation or SQL execution failed at every attempt
	classUndecodable = "undecodable" // the record can never be an event; it is not retried
)

// letter makes the dead letter of an event that failed for good.
func (r *runner) letter(f store.Failure) *store.DeadLetter {
	return &store.DeadLetter{
		Failure: f,
		ID:      letterID(r.group.Fold.Name, r.group.Version, f.Position),
		Group:   r.group.Fold.Name,
		Version: r.group.Version,
	}
}

// letterID is the same for every attempt to record or publish one dead letter.
func letterID(group string, version int, pos event.Position) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%d\x00%s\x00%d\x00%d", group, version, pos.Topic, pos.Partition, pos.Offset))
	return hex.EncodeToString(sum[:16])
}

// bounded returns an error's text as valid UTF-8 of bounded length.
func bounded(err error) string { return boundedText(err.Error()) }

func boundedText(s string) string {
	s = strings.ToValidUTF8(s, "�")
	if len(s) > maxErrorLength {
		s = strings.ToValidUTF8(s[:maxErrorLength], "") + "..."
	}
	return s
}
