package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
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
			source := header(r, SourceHeader)
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

func TestPublishFileByteForByte(t *testing.T) {
	k := startKafka(t, "")
	path := filepath.Join(t.TempDir(), "events.ndjson")
	content := "\uFEFF" + `{"entity_id":"a","x":1}` + "\r\n" +
		"\n" +
		`  {"entityId": "b\u0063"}  ` + "\n" +
		" \t\r\n" +
		"{broken\n" +
		`{"entity_id":7}` + "\n" +
		`{"entity_id":null,"entityId":"d"}` + "\n" +
		"\xff\xfe not UTF-8\r\r\n" +
		`{"entity_id":"last"}`
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	before := time.Now().Add(-time.Second)
	publish(t, k, path, "", Published{Lines: 7})
	want := map[string]struct{ key, value string }{
		"1": {"a", `{"entity_id":"a","x":1}`},
		"3": {"bc", `  {"entityId": "b\u0063"}  `},
		"5": {"", "{broken"},
		"6": {"7", `{"entity_id":7}`},
		"7": {"d", `{"entity_id":null,"entityId":"d"}`},
		"8": {"", "\xff\xfe not UTF-8\r"},
		"9": {"last", `{"entity_id":"last"}`},
	}
	found := 0
	for _, records := range readTopic(t, k) {
		for _, r := range records {
			line := strings.TrimPrefix(header(r, SourceHeader), path+":")
			w, ok := want[line]
			if !ok || string(r.Key) != w.key || string(r.Value) != w.value || (r.Key == nil) != (w.key == "") {
				t.Errorf("line %s: key %q, value %q", line, r.Key, r.Value)
			}
			if r.Timestamp.Before(before) || r.Timestamp.After(time.Now().Add(time.Second)) {
				t.Errorf("line %s: timestamp %v", line, r.Timestamp)
			}
			found++
		}
	}
	if found != len(want) {
		t.Errorf("%d records", found)
	}
}

func TestKeysGoWhereKafkasDefaultSendsThem(t *testing.T) {
	k := startKafka(t, "")
	path := filepath.Join(t.TempDir(), "events.ndjson")
	writeLines(t, path, eventLines(600))
	publish(t, k, path, "", Published{Lines: 600})
	usual := kgo.StickyKeyPartitioner(nil).ForTopic(childTopic)
	for partition, records := range readTopic(t, k) {
		for _, r := range records {
			if want := usual.Partition(r, 4); int32(want) != partition {
				t.Fatalf("key %s is in partition %d, not %d", r.Key, partition, want)
			}
		}
	}
}

func TestLongLines(t *testing.T) {
	k := startKafka(t, t.TempDir())
	path := filepath.Join(t.TempDir(), "events.ndjson")
	// The longest line, once without a key and once as nearly all key.
	for name, make := range map[string]func(n int) string{
		"value": func(n int) string { return strings.Repeat("x", n) },
		"key":   func(n int) string { return `{"entity_id":"` + strings.Repeat("k", n/2-20) + `"}` },
	} {
		var tooLong *LineTooLongError
		writeLines(t, path, []string{`{"entity_id":"a"}`, make(2 << 20), `{"entity_id":"b"}`})
		got, err := PublishFile(t.Context(), k.Brokers(), childTopic, path, "")
		if !errors.As(err, &tooLong) || tooLong.Line != 2 || got.Lines != 1 || !strings.HasPrefix(err.Error(), path+":2: ") {
			t.Fatalf("%s: got %+v, %v", name, got, err)
		}
		writeLines(t, path, []string{`{"entity_id":"a"}`, make(tooLong.Limit), `{"entity_id":"b"}`})
		publish(t, k, path, "", Published{Lines: 3})
	}
	writeLines(t, path, []string{`{"entity_id":"` + strings.Repeat("k", 600_000) + `"}`})
	var tooLong *LineTooLongError
	if _, err := PublishFile(t.Context(), k.Brokers(), childTopic, path, ""); !errors.As(err, &tooLong) || tooLong.Line != 1 {
		t.Fatalf("a key that takes the record over the limit: %v", err)
	}
}

func TestPublishBadInput(t *testing.T) {
	k := startKafka(t, "")
	dir := t.TempDir()
	path := filepath.Join(dir, "events.ndjson")
	if _, err := PublishFile(t.Context(), k.Brokers(), childTopic, path, ""); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := PublishFile(t.Context(), k.Brokers(), childTopic, dir, ""); err == nil {
		t.Error("a folder is published")
	}
	if err := os.WriteFile(path, []byte("\xff\xfe{\x00}\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := PublishFile(t.Context(), k.Brokers(), childTopic, path, ""); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("UTF-16: %v", err)
	}
	writeLines(t, path, eventLines(1))
	if _, err := PublishFile(t.Context(), k.Brokers(), "nowhere", path, ""); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("unknown topic: %v", err)
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	publish(t, k, path, dir, Published{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	writeLines(t, path, eventLines(10))
	if _, err := PublishFile(ctx, k.Brokers(), childTopic, path, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestResumeAppendedFile(t *testing.T) {
	data := t.TempDir()
	path := filepath.Join(t.TempDir(), "events.ndjson")
	lines := eventLines(50)
	lines[3], lines[20] = "", "broken"
	k := startKafka(t, data)
	// The first time the last line lacks its end.
	if err := os.WriteFile(path, []byte(strings.Join(lines[:30], "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	publish(t, k, path, data, Published{Lines: 29})
	publish(t, k, path, data, Published{Skipped: 29})
	writeLines(t, path, lines)
	k.Stop()
	k = startKafka(t, data)
	t.Chdir(filepath.Dir(path)) // another name of the same file
	publish(t, k, filepath.Base(path), data, Published{Lines: 20, Skipped: 29})
	publish(t, k, path, data, Published{Skipped: 49})
	other := filepath.Join(t.TempDir(), "events.ndjson")
	writeLines(t, other, lines[:5])
	publish(t, k, other, data, Published{Lines: 4})
}

func TestResumeWithoutNote(t *testing.T) {
	data := t.TempDir()
	path := filepath.Join(t.TempDir(), "events.ndjson")
	lines := eventLines(100)
	writeLines(t, path, lines[:60])
	k := startKafka(t, data)
	publish(t, k, path, data, Published{Lines: 60})
	notes, err := filepath.Glob(filepath.Join(data, "published-*.json"))
	if err != nil || len(notes) != 1 {
		t.Fatalf("%q, %v", notes, err)
	}
	if err := os.Remove(notes[0]); err != nil {
		t.Fatal(err)
	}
	writeLines(t, path, lines)
	publish(t, k, path, data, Published{Lines: 40, Skipped: 60})
	checkPublished(t, k, path, lines)
}

func TestChangedFileIsRefused(t *testing.T) {
	lines := eventLines(40)
	changes := map[string]func() []string{
		"edited": func() []string {
			return append(append(append([]string{}, lines[:9]...), `{"entity_id":"x"}`), lines[10:]...)
		},
		"shorter": func() []string { return lines[:20] },
		"empty":   func() []string { return nil },
		"line inserted at the front": func() []string {
			return append([]string{`{"entity_id":"x"}`}, lines...)
		},
	}
	for name, change := range changes {
		for _, noted := range []bool{true, false} {
			data := t.TempDir()
			path := filepath.Join(t.TempDir(), "events.ndjson")
			writeLines(t, path, lines)
			k := startKafka(t, "")
			publish(t, k, path, data, Published{Lines: 40})
			if !noted {
				if err := os.RemoveAll(data); err != nil {
					t.Fatal(err)
				}
			}
			writeLines(t, path, change())
			var changed *FileChangedError
			got, err := PublishFile(t.Context(), k.Brokers(), childTopic, path, data)
			if !errors.As(err, &changed) || got.Lines != 0 || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%s, noted %v: got %+v, %v", name, noted, got, err)
			}
		}
	}
}

func TestNoteOfAnotherTopicIsVoid(t *testing.T) {
	data := t.TempDir()
	path := filepath.Join(t.TempDir(), "events.ndjson")
	lines := eventLines(30)
	writeLines(t, path, lines)
	publish(t, startKafka(t, ""), path, data, Published{Lines: 30})
	fresh := startKafka(t, "") // a topic of the same name that is another one
	publish(t, fresh, path, data, Published{Lines: 30})
	checkPublished(t, fresh, path, lines)
}

// TestPublishSurvivesKills kills the program that holds broker and publisher again and again.
func TestPublishSurvivesKills(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 2))
	data, temp := t.TempDir(), t.TempDir()
	path := filepath.Join(t.TempDir(), "events.ndjson")
	lines := eventLines(100_000)
	for range 200 {
		lines[random.IntN(len(lines))] = []string{"", "broken", "\t"}[random.IntN(3)]
	}
	writeLines(t, path, lines)
	kills := 0
	for {
		start := logSize(data)
		c := startChild(t, childConfig{mode: "publish", temp: temp, data: data, env: []string{"CHILD_FILE=" + path}})
		goal := start + int64(random.IntN(1_500_000))
		said := ""
		eventually(t, "more in the log, or the end", func() bool {
			select {
			case said = <-c.lines:
			default:
			}
			return said != "" || logSize(data) > goal
		})
		c.kill(t)
		if said != "" {
			t.Logf("after %d kills: %s", kills, said)
			if !strings.HasPrefix(said, "published ") {
				t.Fatal(said)
			}
			break
		}
		kills++
	}
	if kills == 0 {
		t.Error("nothing was killed")
	}
	checkPublished(t, startKafka(t, data), path, lines)
}

// logSize is the size of the broker's log.
func logSize(data string) int64 {
	var size int64
	files, _ := filepath.Glob(filepath.Join(data, "kafka", "partitions", "*", "*.dat"))
	for _, name := range files {
		if info, err := os.Stat(name); err == nil {
			size += info.Size()
		}
	}
	return size
}

func BenchmarkPublishFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "events.ndjson")
	lines := strings.Join(eventLines(100_000), "\n")
	if err := os.WriteFile(path, []byte(lines), 0o644); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(lines)))
	for _, kept := range []bool{false, true} {
		b.Run(fmt.Sprintf("kept=%v", kept), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				data := ""
				if kept {
					data = b.TempDir()
				}
				k, err := StartKafka(b.Context(), KafkaConfig{DataDir: data, Topics: map[string]int32{childTopic: 4}})
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				if _, err := PublishFile(b.Context(), k.Brokers(), childTopic, path, data); err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				k.Stop()
				b.StartTimer()
			}
		})
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\nb\r\n\n\xef\xbb\xbfc"), 3)
	f.Add([]byte("\xef\xbb\xbfa"), 1)
	f.Add([]byte("\xff\xfea"), 1)
	f.Fuzz(func(t *testing.T, content []byte, limit int) {
		limit = max(limit%1000, 0)
		r, err := newLineReader(bytes.NewReader(content), limit)
		if err != nil {
			return
		}
		var got [][]byte
		for {
			line, err := r.next()
			if err != nil {
				if errors.Is(err, errLongLine) {
					return
				}
				break
			}
			got = append(got, bytes.Clone(line))
		}
		rest := bytes.TrimPrefix(content, []byte("\uFEFF"))
		want := bytes.Split(rest, []byte("\n"))
		if len(want[len(want)-1]) == 0 {
			want = want[:len(want)-1]
		}
		if len(got) != len(want) {
			t.Fatalf("%d lines, not %d", len(got), len(want))
		}
		for i := range want {
			if !bytes.Equal(got[i], bytes.TrimSuffix(want[i], []byte("\r"))) {
				t.Fatalf("line %d is %q", i+1, got[i])
			}
		}
	})
}
