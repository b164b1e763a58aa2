package worker

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/fold"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/store"
)

func (b *bench) admin() *kadm.Client { return kadm.NewClient(b.client) }

// enlarge makes the topic have more partitions, which the bench's producer knows at once.
func (b *bench) enlarge(partitions int) {
	b.t.Helper()
	if _, err := b.admin().UpdatePartitions(b.t.Context(), partitions, b.kafka.Topic); err != nil {
		b.t.Fatal(err)
	}
	b.client.Close()
	client, err := b.kafka.NewClient()
	if err != nil {
		b.t.Fatal(err)
	}
	b.client = client
	b.t.Cleanup(client.Close)
}

// shows is what a keyed producer has written, folded.
type shows struct {
	*bench
	rand    *rand.Rand
	counts  map[string]int
	last    map[string]int
	written []string // ids, each with its show behind a slash
}

func newShows(t *testing.T) *shows {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return &shows{bench: newBench(t), rand: rand.New(rand.NewPCG(seed, 0)), counts: map[string]int{}, last: map[string]int{}}
}

// produce writes n events, each with the key of its show, some of them copies. Their times get earlier and earlier.
func (s *shows) produce(n int) {
	s.t.Helper()
	var recs []*kgo.Record
	for range n {
		show, parts, number := fmt.Sprint("show", s.rand.IntN(24)), []int{1, 2, 4, 5}[s.rand.IntN(4)], len(s.written)
		id := fmt.Sprintf("%d/%s", number, show)
		if s.rand.IntN(4) == 0 && number > 0 {
			id = s.written[s.rand.IntN(number)]
			_, show, _ = strings.Cut(id, "/")
		} else {
			s.written = append(s.written, id)
			s.counts[show]++
			s.last[show] = parts
		}
		value := fmt.Sprintf(`{"event_id":%q,"event_type":"SOLD","entity_id":"x","ts":%d,"payload":{"show":%q,"parts":%d}}`,
			id, 1_700_000_000_000-1000*number, show, parts)
		recs = append(recs, &kgo.Record{Topic: s.kafka.Topic, Key: []byte(show), Value: []byte(value)})
	}
	if err := s.client.ProduceSync(s.t.Context(), recs...).FirstErr(); err != nil {
		s.t.Fatal(err)
	}
}

// want is what the table is to be.
func (s *shows) want() string {
	var rows []string
	for show, n := range s.counts {
		rows = append(rows, fmt.Sprintf("%s %d %d", show, 100/s.last[show], n))
	}
	slices.Sort(rows)
	return strings.Join(rows, "; ")
}

// crew are workers that share a consumer group and a store.
type crew struct {
	*shows
	conf  Config
	stirs chan struct{} // holds a token after something was written
}

func newCrew(s *shows) *crew {
	c := &crew{shows: s, conf: s.config(s.store), stirs: make(chan struct{}, 1)}
	c.conf.UntilEnd = false
	c.conf.TopicEvery = 20 * time.Millisecond
	c.conf.Observer.Standing = func(Standing) {
		select {
		case c.stirs <- struct{}{}:
		default:
		}
	}
	return c
}

// hire starts a worker; dismiss ends it.
func (c *crew) hire() (dismiss func()) {
	ctx, cancel := context.WithTimeout(c.t.Context(), 2*time.Minute)
	ended := make(chan error, 1)
	go func() {
		_, err := Run(ctx, c.conf)
		ended <- err
	}()
	return func() {
		cancel()
		if err := <-ended; err != nil {
			c.t.Error(err)
		}
	}
}

// await waits until the table has everything that was written.
func (c *crew) await() {
	c.t.Helper()
	deadline := time.After(time.Minute)
	for c.rows() != c.want() {
		select {
		case <-c.stirs:
		case <-deadline:
			c.t.Fatalf("the table is\n%s\nwant\n%s\n%s", c.rows(), c.want(), c.log.String())
		}
	}
}

// TestGrowthWhileRunning: the topic grows twice while workers come and go and keyed producers write on.
func TestGrowthWhileRunning(t *testing.T) {
	c := newCrew(newShows(t))
	c.produce(100)
	first := c.hire()
	second := c.hire()
	c.await()
	c.enlarge(8)
	c.produce(100)
	c.await()
	first()
	c.produce(50)
	c.enlarge(16)
	c.produce(100)
	third := c.hire()
	c.await()
	second()
	third()
	if n := strings.Count(c.log.String(), "partitions_begin"); n != 4+8 {
		t.Errorf("new partitions began %d times, want once for each old one", n)
	}
}

// TestGrowthWhileStopped: nobody runs when the topic grows. A group that is new then has the same table in the end.
func TestGrowthWhileStopped(t *testing.T) {
	s := newShows(t)
	s.produce(100)
	s.run(s.store)
	s.enlarge(12)
	s.produce(100)
	s.run(s.store)
	if got, want := s.rows(), s.want(); got != want {
		t.Errorf("the table is\n%s\nwant\n%s", got, want)
	}
	barriers, err := s.store.LoadBarriers(t.Context(), s.kafka.Topic, s.topicID())
	if err != nil || len(barriers) != 4 {
		t.Fatalf("barriers %v, %v", barriers, err)
	}
	later := memory.New(s.group, fold.WindowSize)
	if err := later.Grow(t.Context(), barriers); err != nil {
		t.Fatal(err)
	}
	s.run(later)
	rows, err := later.Rows(t.Context(), "sales")
	if got, want := rowsText(rows), s.want(); err != nil || got != want {
		t.Errorf("the later group's table is\n%s\nwant\n%s", got, want)
	}
}

func (b *bench) topicID() [16]byte {
	b.t.Helper()
	topic, err := kafka.DescribeTopic(b.t.Context(), b.client, b.kafka.Topic)
	if err != nil {
		b.t.Fatal(err)
	}
	return topic.ID
}

// TestGrowthThatIsNoMultiple stops the group, also while it runs, and at each start from then on.
func TestGrowthThatIsNoMultiple(t *testing.T) {
	s := newShows(t)
	s.produce(20)
	s.run(s.store)
	conf := s.config(s.store)
	conf.UntilEnd, conf.TopicEvery = false, time.Millisecond
	begun := make(chan struct{}, 100)
	conf.Observer.Assigned = func([]int32) { begun <- struct{}{} }
	ended := make(chan error, 1)
	go func() {
		_, err := Run(t.Context(), conf)
		ended <- err
	}()
	<-begun
	s.enlarge(6)
	for range 2 {
		err := <-ended
		var deployment *store.DeploymentError
		if !errors.As(err, &deployment) || !strings.Contains(err.Error(), "had 4 partitions and has 6") || !strings.Contains(err.Error(), "rebuild") {
			t.Errorf("the run ended with %v", err)
		}
		_, err = Run(t.Context(), s.config(s.store))
		ended <- err
	}
}

// TestOutsideTheLogWhileRunning is invariant I12: whatever makes the position of a running group mean nothing stops it.
func TestOutsideTheLogWhileRunning(t *testing.T) {
	for name, test := range map[string]struct {
		harm func(b *bench, partition int32)
		want string
	}{
		"made anew": {func(b *bench, _ int32) { b.makeAnew() }, "made anew"},
		"deleted":   {func(b *bench, _ int32) { b.deleteTopic() }, "no topic"},
		"retention": {func(b *bench, partition int32) { b.deleteRecords(partition, 3) }, "deleted before they were consumed"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPair(t)
			p.conf.TopicEvery = time.Millisecond
			p.conf.Groups = p.conf.Groups[1:] // the one that hangs, and so stands at the start
			p.produce(sold("1", "a", 2), sold("2", "a", 2), sold("3", "a", 2))
			var stopped []string
			p.conf.Observer.Stopped = func(group string, err error) { stopped = append(stopped, err.Error()) }
			ended := make(chan error, 1)
			go func() {
				_, err := Run(t.Context(), p.conf)
				ended <- err
			}()
			<-p.stood // a partition is loaded
			test.harm(p.bench, p.partition())
			err := <-ended
			var deployment *store.DeploymentError
			if !errors.As(err, &deployment) || !strings.Contains(err.Error(), test.want) || len(stopped) != 1 {
				t.Errorf("the run ended with %v; stopped: %q", err, stopped)
			}
		})
	}
}

func (b *bench) deleteTopic() {
	b.t.Helper()
	if _, err := b.admin().DeleteTopics(b.t.Context(), b.kafka.Topic); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) makeAnew() {
	b.t.Helper()
	b.deleteTopic()
	if _, err := b.admin().CreateTopic(b.t.Context(), 4, 1, nil, b.kafka.Topic); err != nil {
		b.t.Fatal(err)
	}
}

// deleteRecords deletes those of a partition before an offset, as retention does.
func (b *bench) deleteRecords(partition int32, before int64) {
	b.t.Helper()
	var gone kadm.Offsets
	gone.AddOffset(b.kafka.Topic, partition, before, -1)
	if _, err := b.admin().DeleteRecords(b.t.Context(), gone); err != nil {
		b.t.Fatal(err)
	}
}

// TestPartitionOpenedWhileTheTopicGrows: the topic grows, and its groups are told, when a worker has just looked for a partition's
// barriers and does not work on it yet. Nothing is left to read before them, so nothing else makes it look again.
func TestPartitionOpenedWhileTheTopicGrows(t *testing.T) {
	c := newCrew(newShows(t))
	c.produce(100)
	c.run(c.store)
	told := make(chan struct{})
	c.conf.Log = slog.New(&listener{Handler: slog.NewJSONHandler(c, nil), event: "topic_grown", heard: sync.OnceFunc(func() { close(told) })})
	grower := &growing{Group: c.store, grow: func() {
		c.enlarge(8)
		<-told
	}}
	c.conf.Groups = []Group{{Fold: c.group, Version: 1, Store: grower}}
	dismiss := c.hire()
	defer dismiss()
	<-told
	c.produceIn(grower.first.Load() + 4)
	c.await()
}

// produceIn writes an event to a partition, whatever its key.
func (s *shows) produceIn(partition int32) {
	s.t.Helper()
	client, err := s.kafka.NewClient(kgo.RecordPartitioner(kgo.ManualPartitioner()))
	if err != nil {
		s.t.Fatal(err)
	}
	defer client.Close()
	rec := &kgo.Record{Topic: s.kafka.Topic, Partition: partition, Value: []byte(sold("late", "late", 2))}
	if err := client.ProduceSync(s.t.Context(), rec).FirstErr(); err != nil {
		s.t.Fatal(err)
	}
	s.counts["late"], s.last["late"] = 1, 2
}

// listener calls heard at the records of an event.
type listener struct {
	slog.Handler
	event string
	heard func()
}

func (l *listener) Handle(ctx context.Context, r slog.Record) error {
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "event" && a.Value.String() == l.event {
			l.heard()
		}
		return true
	})
	return l.Handler.Handle(ctx, r)
}

// growing does something once, when a partition is loaded and its barriers were looked up.
type growing struct {
	store.Group
	loads, grown atomic.Bool
	first        atomic.Int32 // the partition
	grow         func()
}

func (g *growing) LoadParked(ctx context.Context, topic string, partition int32) ([]store.ParkedEvent, error) {
	if g.loads.CompareAndSwap(false, true) {
		g.first.Store(partition)
	}
	return g.Group.LoadParked(ctx, topic, partition)
}

func (g *growing) LoadBarriers(ctx context.Context, topic string, id [16]byte) ([]store.Barrier, error) {
	barriers, err := g.Group.LoadBarriers(ctx, topic, id)
	if g.loads.Load() && g.grown.CompareAndSwap(false, true) {
		g.grow()
	}
	return barriers, err
}

// TestGrowthIsKnownBeforePartitionsAreTold: a partition that is opened meanwhile, and so is told by nobody, has to see it by
// itself. The test stands between the two steps by holding the list of partitions.
func TestGrowthIsKnownBeforePartitionsAreTold(t *testing.T) {
	b := newBench(t)
	w := newWorker(Config{Kafka: b.kafka, Log: slog.New(slog.DiscardHandler)})
	w.client = b.client
	before := &kafka.Topic{Name: b.kafka.Topic, Partitions: map[int32]kafka.Extent{0: {}}}
	after := &kafka.Topic{Name: b.kafka.Topic, Partitions: map[int32]kafka.Extent{0: {}, 1: {}}}
	w.topic.Store(before)
	r := newRunner(w, Group{Fold: b.group}, store.Cursor{})
	w.parts[0] = &partition{runners: []*runner{r}}

	w.mu.Lock()
	followed := make(chan error, 1)
	go func() { followed <- w.follow(t.Context(), after) }()
	for deadline := time.Now().Add(time.Minute); w.topic.Load() != after; runtime.Gosched() {
		if time.Now().After(deadline) {
			w.mu.Unlock()
			t.Fatal("partitions are told of a growth that one which is opened now does not see")
		}
	}
	w.mu.Unlock()
	if err := <-followed; err != nil {
		t.Fatal(err)
	}
	if !r.outdated.Load() {
		t.Error("a partition is not told of the growth")
	}
}
