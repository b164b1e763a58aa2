package worker

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestBrokersAnswerSoon: no request for records is kept for so long that a partition whose fetch goes on would wait for it.
func TestBrokersAnswerSoon(t *testing.T) {
	b := newFakeBench(t)
	b.produce(sold("1", "a", 4))
	var requests, longest atomic.Int32
	b.cluster.ControlKey(int16(kmsg.Fetch), func(req kmsg.Request) (kmsg.Response, error, bool) {
		b.cluster.KeepControl()
		requests.Add(1)
		longest.Store(max(longest.Load(), req.(*kmsg.FetchRequest).MaxWaitMillis))
		return nil, nil, false
	})
	b.run(b.store)
	if requests.Load() == 0 || longest.Load() > int32(fetchWait.Milliseconds()) {
		t.Errorf("%d requests may be kept for %d ms", requests.Load(), longest.Load())
	}
}

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
