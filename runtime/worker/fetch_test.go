package worker

import (
	"context"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
)

// TestLateRecordsCount: records that come when the wait for them is over are records all the same.
func TestLateRecordsCount(t *testing.T) {
	some := kgo.Fetches{{Topics: []kgo.FetchTopic{{Topic: "t", Partitions: []kgo.FetchPartition{{Records: []*kgo.Record{{}}}}}}}}
	if nothingCame(some, context.DeadlineExceeded) || nothingCame(some, nil) || nothingCame(nil, nil) {
		t.Error("what was fetched is dropped")
	}
	if !nothingCame(kgo.NewErrFetch(context.DeadlineExceeded), context.DeadlineExceeded) {
		t.Error("a wait in vain is not noticed")
	}
}
