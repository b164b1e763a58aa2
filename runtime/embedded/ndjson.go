package embedded

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// LineTooLongError says that a line of a file is longer than a topic takes.
type LineTooLongError struct {
	Path  string
	Line  int
	Limit int // bytes
}

// Error starts with the place.
func (e *LineTooLongError) Error() string {
	return fmt.Sprintf("%s:%d: the line is longer than %d bytes, the most that the topic takes", e.Path, e.Line, e.Limit)
}

// errUTF16 says that a file is in the wrong encoding.
var errUTF16 = errors.New("the file is UTF-16, but events must be UTF-8")

// errLongLine says that a line exceeds the reader's limit.
var errLongLine = errors.New("line too long")

// lineReader reads the lines of a file without their ends (LF or CRLF) and without a byte order mark, holding one at a time.
type lineReader struct {
	in     *bufio.Reader
	limit  int    // the longest line, in bytes
	number int    // of the line read last, from 1
	buffer []byte // of that line
}

func newLineReader(in io.Reader, limit int) (*lineReader, error) {
	r := &lineReader{in: bufio.NewReaderSize(in, 256<<10), limit: limit}
	start, err := r.in.Peek(3)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if bytes.HasPrefix(start, []byte{0xFE, 0xFF}) || bytes.HasPrefix(start, []byte{0xFF, 0xFE}) {
		return nil, errUTF16
	}
	if bytes.Equal(start, []byte{0xEF, 0xBB, 0xBF}) {
		_, err = r.in.Discard(len(start))
		return r, err
	}
	return r, nil
}

// next returns the next line, valid until the next call; io.EOF after the last, errLongLine for one beyond the limit.
func (r *lineReader) next() ([]byte, error) {
	r.buffer = r.buffer[:0]
	r.number++
	for {
		part, err := r.in.ReadSlice('\n')
		r.buffer = append(r.buffer, part...)
		// The limit is for the line without its end of up to two bytes.
		if len(r.buffer) > r.limit+2 {
			return nil, errLongLine
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(r.buffer) > 0, err == nil:
			line := bytes.TrimSuffix(bytes.TrimSuffix(r.buffer, []byte("\n")), []byte("\r"))
			if len(line) > r.limit {
				return nil, errLongLine
			}
			return line, nil
		default:
			return nil, err
		}
	}
}

// entityKey is the entity that an event belongs to, as the key of its record; nil if the line does not say.
func entityKey(line []byte) []byte {
	var event map[string]json.RawMessage
	if err := json.Unmarshal(line, &event); err != nil {
		return nil
	}
	for _, name := range []string{"entity_id", "entityId"} {
		raw := event[name]
		if len(raw) == 0 {
			continue
		}
		switch raw[0] {
		case '"':
			var text string
			if err := json.Unmarshal(raw, &text); err == nil && text != "" {
				return []byte(text)
			}
		case '{', '[', 'n':
		default:
			return bytes.Clone(raw)
		}
	}
	return nil
}
