package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/event"
)

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
			line := strings.TrimPrefix(header(r, event.SourceHeader), path+":")
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
