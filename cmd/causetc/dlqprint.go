package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
)

func printLettersJSON(w io.Writer, letters []postgres.Letter, more bool) error {
	result := lettersResult{Version: 1, More: more, Letters: []letterJSON{}}
	for i := range letters {
		l := &letters[i]
		record, err := kafka.DeadLetterRecord("", l.DeadLetter)
		if err != nil {
			return err
		}
		result.Letters = append(result.Letters, letterJSON{State: l.State(), PublishedAt: orNull(l.PublishedAt),
			ReplayedAt: orNull(l.ReplayedAt), DroppedAt: orNull(l.DroppedAt), Message: record.Value})
	}
	return json.NewEncoder(w).Encode(result)
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// showLetters prints letters whole, each a list of names and values.
func showLetters(w io.Writer, letters []postgres.Letter) error {
	for i := range letters {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := showLetter(w, &letters[i]); err != nil {
			return err
		}
	}
	return nil
}

func showLetter(w io.Writer, l *postgres.Letter) error {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	line := func(name, value string) { fmt.Fprintf(tab, "%s\t%s\n", name, value) }
	line("id", l.ID)
	line("state", string(l.State()))
	line("group", fmt.Sprintf("%s, version %d", escaped(l.Group), l.Version))
	line("projection", escaped(l.Projection))
	line("event id", escaped(l.EventID))
	line("event type", escaped(l.EventType))
	line("entity", escaped(l.EntityID))
	line("fork", escaped(l.ForkID))
	line("attempts", strconv.Itoa(l.Attempts))
	line("first attempt", timeText(l.FirstAt))
	line("last attempt", timeText(l.LastAt))
	line("published", timeText(l.PublishedAt))
	if !l.ReplayedAt.IsZero() {
		line("replayed", timeText(l.ReplayedAt))
	}
	if !l.DroppedAt.IsZero() {
		line("dropped", timeText(l.DroppedAt))
	}
	line("error class", l.ErrorClass)
	line("SQLSTATE", l.SQLState)
	line("error", escaped(l.Message))
	line("topic", escaped(l.Position.Topic))
	line("partition, offset", fmt.Sprintf("%d, %d", l.Position.Partition, l.Position.Offset))
	line("record time", timeText(time.UnixMilli(l.Timestamp)))
	for _, h := range l.Headers {
		line("header "+escaped(h.Key), bytesText(h.Value))
	}
	line("key", bytesText(l.Key))
	line("value", bytesText(l.Value))
	return tab.Flush()
}

func timeText(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// bytesText shows bytes of a record: a text as it is, but for control characters, anything else in base64.
func bytesText(b []byte) string {
	switch {
	case b == nil:
		return "(none)"
	case utf8.Valid(b):
		return escaped(string(b))
	}
	return "base64 " + base64.StdEncoding.EncodeToString(b)
}
