package embedded

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"hash/maphash"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/event"
)

// FileChangedError says that a file is no longer what was published from it.
type FileChangedError struct {
	Path string
	Line int // up to where the file should be as it was
}

// Error names the place and the ways out.
func (e *FileChangedError) Error() string {
	return fmt.Sprintf("%s: the file changed at or before line %d after that was published: only append to it, give the new events another file, "+
		"or start with an empty data folder", e.Path, e.Line)
}

// errChanged says that a line is not the published one.
var errChanged = errors.New("the file changed")

// fileIdentity is the same for every path that leads to a file, and short.
func fileIdentity(path string) (string, error) {
	full, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if full, err = filepath.EvalSymlinks(full); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(full))
	return hex.EncodeToString(sum[:8]), nil
}

// note is what dataDir keeps about a file: that the log holds all of its lines up to one. It may be older than the log.
type note struct {
	Version int             `json:"version"`
	Topic   string          `json:"topic"`
	TopicID string          `json:"topicId"`
	Line    int             `json:"line"`    // all lines up to this one are in the log
	Prefix  string          `json:"prefix"`  // SHA-256 of those lines
	Offsets map[int32]int64 `json:"offsets"` // by partition: what stands before needs no reading again
}

const noteVersion = 1

// resume knows which lines of a file a topic holds: those of the note, and those that the log shows behind the note's
// offsets. All methods of a nil resume know nothing.
type resume struct {
	name  string // of the note's file
	topic topicTarget
	noted note
	tail  map[int]uint64 // hashes of published lines behind the note, until they are met
	seed  maphash.Seed

	prefix hash.Hash // of the lines met
	line   int       // met last

	mutex sync.Mutex
	next  map[int32]int64 // offset behind the last acknowledged record, by partition
}

// newResume reads the note and the log behind it; nil without a dataDir.
func newResume(ctx context.Context, brokers []string, target topicTarget, file, dataDir string) (*resume, error) {
	if dataDir == "" {
		return nil, nil
	}
	id := sha256.Sum256([]byte(target.name + "\x00" + file))
	r := &resume{
		name:  filepath.Join(dataDir, "published-"+hex.EncodeToString(id[:8])+".json"),
		topic: target, tail: map[int]uint64{}, seed: maphash.MakeSeed(), prefix: sha256.New(), next: map[int32]int64{},
	}
	if err := r.load(target); err != nil {
		return nil, err
	}
	if err := r.scan(ctx, brokers, target, file); err != nil {
		return nil, fmt.Errorf("reading what topic %s holds: %w", target.name, err)
	}
	return r, nil
}

// load reads the note. One about another topic of that name says nothing about this one.
func (r *resume) load(target topicTarget) error {
	text, err := os.ReadFile(r.name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("position in the events: %w", err)
	}
	var read note
	if err := json.Unmarshal(text, &read); err != nil {
		return fmt.Errorf("position in the events: %s: %w", r.name, err)
	}
	if read.Version != noteVersion {
		return fmt.Errorf("position in the events: %s is of version %d, not %d: a newer causetc made it", r.name, read.Version, noteVersion)
	}
	if read.TopicID == target.id {
		r.noted = read
	}
	return nil
}

// scan finds the file's lines in the log behind the note's offsets.
func (r *resume) scan(ctx context.Context, brokers []string, target topicTarget, file string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...))
	if err != nil {
		return err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	starts, err := admin.ListStartOffsets(ctx, target.name)
	if err = errors.Join(err, starts.Error()); err != nil {
		return err
	}
	ends, err := admin.ListEndOffsets(ctx, target.name)
	if err = errors.Join(err, ends.Error()); err != nil {
		return err
	}
	from, to := r.positions(starts, ends, target.name)
	return readRange(ctx, brokers, target.name, from, to, func(record *kgo.Record) {
		if line, ok := lineOf(record, file); ok && line > r.noted.Line {
			r.tail[line] = maphash.Bytes(r.seed, record.Value)
		}
	})
}

// positions are where reading starts and ends, by partition. A log that ends before the note's offsets lost records, and the note is void.
func (r *resume) positions(starts, ends kadm.ListedOffsets, topic string) (from, to map[int32]int64) {
	from, to = map[int32]int64{}, map[int32]int64{}
	ends.Each(func(end kadm.ListedOffset) {
		to[end.Partition] = end.Offset
		if r.noted.Offsets[end.Partition] > end.Offset {
			r.noted = note{}
		}
	})
	starts.Each(func(start kadm.ListedOffset) {
		from[start.Partition] = max(start.Offset, r.noted.Offsets[start.Partition])
		r.next[start.Partition] = to[start.Partition]
	})
	return from, to
}

// readRange reads the records of each partition from one offset to another, and markers too, which take up offsets.
func readRange(ctx context.Context, brokers []string, topic string, from, to map[int32]int64, each func(*kgo.Record)) error {
	offsets := map[int32]kgo.Offset{}
	for partition, start := range from {
		if start < to[partition] {
			offsets[partition] = kgo.NewOffset().At(start)
		}
	}
	if len(offsets) == 0 {
		return nil
	}
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.KeepControlRecords(),
		kgo.ConsumePartitions(map[string]map[int32]kgo.Offset{topic: offsets}))
	if err != nil {
		return err
	}
	defer client.Close()
	for left := len(offsets); left > 0; {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err0(); err != nil {
			return err
		}
		if errs := fetches.Errors(); len(errs) > 0 {
			return errs[0].Err
		}
		fetches.EachRecord(func(record *kgo.Record) {
			if record.Offset >= to[record.Partition] {
				return
			}
			if !record.Attrs.IsControl() {
				each(record)
			}
			if record.Offset == to[record.Partition]-1 {
				left--
			}
		})
	}
	return nil
}

// lineOf tells which line of a file a record holds.
func lineOf(record *kgo.Record, file string) (int, bool) {
	var source []byte
	ours := false
	for _, header := range record.Headers {
		switch header.Key {
		case event.SourceHeader:
			source = header.Value
		case fileHeader:
			ours = string(header.Value) == file
		}
	}
	line, err := strconv.Atoi(string(source[bytes.LastIndexByte(source, ':')+1:]))
	return line, ours && err == nil
}

// meet takes the next line of the file, blank ones too, and tells whether the topic holds it; errChanged if it holds another one.
func (r *resume) meet(number int, line []byte) (bool, error) {
	if r == nil {
		return false, nil
	}
	r.line = number
	r.prefix.Write(line)
	r.prefix.Write([]byte("\n"))
	if number == r.noted.Line && r.sum() != r.noted.Prefix {
		return true, errChanged
	}
	if number <= r.noted.Line {
		return true, nil
	}
	published, ok := r.tail[number]
	if !ok {
		return false, nil
	}
	delete(r.tail, number)
	if published != maphash.Bytes(r.seed, line) {
		return true, errChanged
	}
	return true, nil
}

func (r *resume) sum() string { return hex.EncodeToString(r.prefix.Sum(nil)) }

// unmet is a published line that the file, read to its end, does not have.
func (r *resume) unmet() (int, bool) {
	if r == nil {
		return 0, false
	}
	for line := range r.tail {
		return line, true
	}
	return r.noted.Line, r.line < r.noted.Line
}

// acked takes the place of a record in the log.
func (r *resume) acked(partition int32, offset int64) {
	if r == nil {
		return
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.next[partition] = max(r.next[partition], offset+1)
}

// save notes that the log holds everything up to the line met last. The note is replaced as a whole.
func (r *resume) save() error {
	if r == nil || r.line <= r.noted.Line {
		return nil
	}
	r.mutex.Lock()
	defer r.mutex.Unlock()
	saved := note{Version: noteVersion, Topic: r.topic.name, TopicID: r.topic.id, Line: r.line, Prefix: r.sum(), Offsets: maps.Clone(r.next)}
	text, err := json.Marshal(saved)
	if err != nil {
		return err
	}
	if err := replaceFile(r.name, text); err != nil {
		return fmt.Errorf("position in the events: %w", err)
	}
	return nil
}

// replaceFile writes a file so that there is always the old one or the new one.
func replaceFile(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	// One name: a leftover of a killed program is overwritten.
	file, err := os.Create(name + ".new")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		_ = os.Remove(file.Name())
	}
	return err
}
