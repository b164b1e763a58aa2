package embedded

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
