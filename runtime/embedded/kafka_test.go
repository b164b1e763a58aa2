package embedded

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/event"
)

func startKafka(t *testing.T, dir string) *Kafka {
	t.Helper()
	k, err := StartKafka(t.Context(), KafkaConfig{DataDir: dir, Topics: map[string]int32{childTopic: 4, "other": 1}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Stop)
	return k
}

// readTopic returns all records of the topic, by partition in their order.
func readTopic(t *testing.T, k *Kafka) map[int32][]*kgo.Record {
	t.Helper()
	client, err := kgo.NewClient(kgo.SeedBrokers(k.Brokers()...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	ends, err := kadm.NewClient(client).ListEndOffsets(t.Context(), childTopic)
	if err != nil {
		t.Fatal(err)
	}
	from, to := map[int32]int64{}, map[int32]int64{}
	ends.Each(func(end kadm.ListedOffset) { from[end.Partition], to[end.Partition] = 0, end.Offset })
	records := map[int32][]*kgo.Record{}
	err = readRange(t.Context(), k.Brokers(), childTopic, from, to, func(r *kgo.Record) {
		records[r.Partition] = append(records[r.Partition], r)
	})
	if err != nil {
		t.Fatal(err)
	}
	return records
}

func header(r *kgo.Record, key string) string {
	for _, h := range r.Headers {
		if h.Key == key {
			return string(h.Value)
		}
	}
	return ""
}

// checkPublished compares the topic with the lines of a file: each is there once, and within a partition in their order.
func checkPublished(t *testing.T, k *Kafka, path string, lines []string) {
	t.Helper()
	seen := make([]int, len(lines)+1)
	for partition, records := range readTopic(t, k) {
		last := 0
		for _, r := range records {
			var line int
			source := header(r, event.SourceHeader)
			if _, err := fmt.Sscanf(strings.TrimPrefix(source, path+":"), "%d", &line); err != nil || line < 1 || line > len(lines) {
				t.Fatalf("source %q: %v", source, err)
			}
			seen[line]++
			if string(r.Value) != lines[line-1] {
				t.Fatalf("line %d is %q", line, r.Value)
			}
			if line <= last {
				t.Fatalf("partition %d: line %d after %d", partition, line, last)
			}
			last = line
		}
	}
	for i, line := range lines {
		want := 1
		if strings.TrimSpace(line) == "" {
			want = 0
		}
		if seen[i+1] != want {
			t.Fatalf("line %d is there %d times, not %d", i+1, seen[i+1], want)
		}
	}
}

func eventLines(n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = fmt.Sprintf(`{"event_id":"e%d","event_type":"TICKET_PURCHASED","entity_id":"show-%d","ts":%d,"payload":{"seat":"A%d","price":12.50,"user_id":"user-%d"}}`,
			i, i%500, 1700000000000+i, i, i%1000)
	}
	return lines
}

func writeLines(t *testing.T, path string, lines []string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

func publish(t *testing.T, k *Kafka, path, data string, want Published) {
	t.Helper()
	got, err := PublishFile(t.Context(), k.Brokers(), childTopic, path, data)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Fatalf("got %+v, want %+v", got, want)
	}
}

func TestTopicsPersist(t *testing.T) {
	data := t.TempDir()
	path := filepath.Join(t.TempDir(), "events.ndjson")
	lines := eventLines(1000)
	writeLines(t, path, lines)
	k := startKafka(t, data)
	publish(t, k, path, "", Published{Lines: len(lines)})
	if _, err := StartKafka(t.Context(), KafkaConfig{DataDir: data}); !errors.Is(err, ErrInUse) {
		t.Errorf("second start: %v", err)
	}
	k.Stop()
	k.Stop()
	again, err := StartKafka(t.Context(), KafkaConfig{DataDir: data, Topics: map[string]int32{childTopic: 8}})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Stop()
	checkPublished(t, again, path, lines)
	client, err := kgo.NewClient(kgo.SeedBrokers(again.Brokers()...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	topics, err := kadm.NewClient(client).ListTopics(t.Context())
	if err != nil || len(topics[childTopic].Partitions) != 4 || len(topics["other"].Partitions) != 1 {
		t.Errorf("topics %v, %v", topics, err)
	}
	configs, err := kadm.NewClient(client).DescribeTopicConfigs(t.Context(), childTopic)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range configs[0].Configs {
		if c.Key == "retention.ms" && c.MaybeValue() != "-1" {
			t.Errorf("retention %q", c.MaybeValue())
		}
	}
}

func TestBrokerListensOnLoopbackOnly(t *testing.T) {
	for _, broker := range startKafka(t, "").Brokers() {
		if !strings.HasPrefix(broker, "127.0.0.1:") {
			t.Errorf("listens on %s", broker)
		}
	}
}
