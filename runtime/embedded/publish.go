package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/causetc/causetc/runtime/event"
)

// fileHeader is the header that identifies the file, by whatever path it was named.
const fileHeader = "causetc-file"

// recordOverhead is more than what a record, its batch and our headers (less the path) need beside key and value.
const recordOverhead = 256

// defaultMaxMessage is Kafka's own limit for a batch in bytes, where the topic does not tell its.
const defaultMaxMessage = 1048588

// noteInterval is after how many published lines the position is noted.
const noteInterval = 20_000

// Published counts the lines of a file, blank ones left out.
type Published struct {
	Lines   int // published now
	Skipped int // found published already
}

// PublishFile publishes a file of events, one JSON text a line, byte for byte and one record a line. A record's key is the
// line's entity_id (or entityId), so that an entity's events stay in one partition in their order; a line without one, even
// one that is no JSON, is published all the same. Each record carries event.SourceHeader. Blank lines are left out, a byte order
// mark and the ends of lines are no part of a record.
//
// With a dataDir a later call goes on after the last published line, also when this one was killed at any moment: the topic
// itself tells what it holds, and a note in dataDir spares reading it from the start.
//
// Errors: *LineTooLongError (what stands before that line is published), *FileChangedError, the context's, or what the
// broker says.
func PublishFile(ctx context.Context, brokers []string, topic, path string, dataDir string) (Published, error) {
	file, err := os.Open(path)
	if err != nil {
		return Published{}, fmt.Errorf("events: %w", err)
	}
	defer func() { _ = file.Close() }()
	target, err := describeTopic(ctx, brokers, topic)
	if err != nil {
		return Published{}, err
	}
	p := &publisher{path: path, target: target}
	if p.file, err = fileIdentity(path); err != nil {
		return Published{}, fmt.Errorf("events: %w", err)
	}
	if p.resume, err = newResume(ctx, brokers, target, p.file, dataDir); err != nil {
		return Published{}, err
	}
	return p.publish(ctx, brokers, file)
}

// topicTarget is the topic that is published to.
type topicTarget struct {
	name       string
	id         string
	partitions int
	maxMessage int // bytes of a batch
}

func describeTopic(ctx context.Context, brokers []string, topic string) (topicTarget, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...))
	if err != nil {
		return topicTarget{}, err
	}
	defer client.Close()
	admin := kadm.NewClient(client)
	details, err := admin.ListTopics(ctx, topic)
	if err == nil {
		err = details[topic].Err
	}
	if err == nil && len(details[topic].Partitions) == 0 {
		err = kerr.UnknownTopicOrPartition
	}
	if err != nil {
		return topicTarget{}, fmt.Errorf("topic %s: %w", topic, err)
	}
	target := topicTarget{name: topic, id: details[topic].ID.String(), partitions: len(details[topic].Partitions), maxMessage: defaultMaxMessage}
	configs, err := admin.DescribeTopicConfigs(ctx, topic)
	if err != nil {
		return target, nil // who may write need not be allowed to read settings
	}
	config, err := configs.On(topic, nil)
	if err != nil {
		return target, nil
	}
	for _, c := range config.Configs {
		if limit, err := strconv.Atoi(c.MaybeValue()); err == nil && c.Key == "max.message.bytes" {
			target.maxMessage = min(limit, 64<<20)
		}
	}
	return target, nil
}

// publisher publishes one file.
type publisher struct {
	path   string
	file   string // identity
	target topicTarget
	resume *resume // what is published already; nil: nobody asks

	client *kgo.Client
	keyed  kgo.TopicPartitioner
	acked  atomic.Int64
	fail   context.CancelCauseFunc
	done   Published
}

func (p *publisher) publish(ctx context.Context, brokers []string, file io.Reader) (Published, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p.fail = cancel
	p.keyed = kgo.StickyKeyPartitioner(nil).ForTopic(p.target.name)
	client, err := kgo.NewClient(kgo.SeedBrokers(brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.SnappyCompression()), kgo.ProducerBatchMaxBytes(int32(p.target.maxMessage)),
		kgo.MaxBufferedRecords(20_000), kgo.MaxBufferedBytes(max(32<<20, 2*p.target.maxMessage)))
	if err != nil {
		return Published{}, err
	}
	defer client.Close()
	p.client = client
	err = p.publishLines(ctx, file)
	if err != nil && ctx.Err() == nil {
		// The lines before the faulty one count: see them through. The note need not: the log tells.
		err = errors.Join(err, client.Flush(ctx))
	}
	if cause := context.Cause(ctx); cause != nil {
		err = fmt.Errorf("publishing %s: %w", p.path, cause)
	}
	p.done.Lines = int(p.acked.Load())
	return p.done, err
}

func (p *publisher) publishLines(ctx context.Context, file io.Reader) error {
	lines, err := newLineReader(file, p.target.maxMessage-recordOverhead-len(p.path))
	if err != nil {
		return fmt.Errorf("%s: %w", p.path, err)
	}
	for sent := 0; ; {
		line, err := lines.next()
		switch {
		case errors.Is(err, io.EOF):
			return p.finish(ctx)
		case errors.Is(err, errLongLine):
			return p.tooLong(lines)
		case err != nil:
			return fmt.Errorf("%s:%d: %w", p.path, lines.number, err)
		}
		isNew, err := p.publishLine(ctx, line, lines)
		if err != nil {
			return err
		}
		if isNew {
			sent++
		}
		if isNew && sent%noteInterval == 0 {
			if err := p.settle(ctx); err != nil {
				return err
			}
		}
	}
}

// publishLine hands one line to the client, unless the topic has it. It returns whether it did.
func (p *publisher) publishLine(ctx context.Context, line []byte, lines *lineReader) (bool, error) {
	known, err := p.resume.meet(lines.number, line)
	if err != nil {
		return false, p.changed(err, lines.number)
	}
	switch {
	case len(bytes.TrimSpace(line)) == 0:
		return false, nil
	case known:
		p.done.Skipped++
		return false, nil
	}
	key := entityKey(line)
	if len(line)+len(key) > lines.limit {
		return false, p.tooLong(lines)
	}
	record := &kgo.Record{
		Topic: p.target.name, Key: key, Value: bytes.Clone(line), Timestamp: time.Now(),
		Headers: []kgo.RecordHeader{
			{Key: event.SourceHeader, Value: fmt.Appendf(nil, "%s:%d", p.path, lines.number)},
			{Key: fileHeader, Value: []byte(p.file)},
		},
	}
	record.Partition = p.partition(record, lines.number)
	p.client.Produce(ctx, record, p.onAcked)
	return true, ctx.Err()
}

// partition is Kafka's usual one for the key. It follows from the line alone, so that what a partition holds of a file is
// always a beginning of what belongs there, and going on keeps the order.
func (p *publisher) partition(record *kgo.Record, line int) int32 {
	if record.Key == nil {
		return int32(line % p.target.partitions)
	}
	return int32(p.keyed.Partition(record, p.target.partitions))
}

// onAcked runs for every record, one at a time.
func (p *publisher) onAcked(record *kgo.Record, err error) {
	if err != nil {
		p.fail(err)
		return
	}
	p.acked.Add(1)
	p.resume.acked(record.Partition, record.Offset)
}

// settle waits until everything handed over is in the log, and notes the position.
func (p *publisher) settle(ctx context.Context) error {
	if err := p.client.Flush(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.resume.save()
}

// finish is settle at the end of the file, where nothing may be left that was published before.
func (p *publisher) finish(ctx context.Context) error {
	if line, ok := p.resume.unmet(); ok {
		return p.changed(errChanged, line)
	}
	return p.settle(ctx)
}

func (p *publisher) tooLong(lines *lineReader) error {
	return &LineTooLongError{Path: p.path, Line: lines.number, Limit: lines.limit}
}

func (p *publisher) changed(err error, line int) error {
	if errors.Is(err, errChanged) {
		return &FileChangedError{Path: p.path, Line: line}
	}
	return err
}
