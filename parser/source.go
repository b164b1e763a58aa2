package parser

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// source is one file of the program.
type source struct {
	path     string // absolute; empty for standard input
	shown    string
	text     []byte       // set beforehand where the file is not read
	preset   bool         // text is set
	by       *spec.Scalar // the glob that found it, or nil
	asked    bool         // named by an argument
	walked   bool         // found below a folder that is an argument
	foreign  bool         // of another tool, so left out
	manifest bool
	err      error
	parsed
}

// parsed is what has been made of the text of a file.
type parsed struct {
	file       *spec.File
	tree       *yamltree.Tree
	program    *spec.Program // nil until the tree has been decoded
	diags      []spec.Diagnostic
	asManifest bool // it has been decoded as a manifest
}

// add notes a file once, however often and by whatever links it is reached. It returns nil for one that is known.
func (l *loader) add(path, real string) *source {
	if s := l.known[real]; s != nil {
		if path == real && s.path != real { // the file itself is a better name than a link to it
			s.path, s.shown = path, l.shown(path)
			s.file.Path = s.shown
		}
		return nil
	}
	if path != real {
		l.opts.Watcher.File(real)
	}
	s := &source{path: path, shown: l.shown(path)}
	if text, ok := l.texts[real]; ok {
		s.text, s.preset = text, true
	}
	if l.overlay != nil && l.overlay.real == real {
		s.text, s.preset = l.overlay.text, true
	}
	s.file = &spec.File{Path: s.shown}
	l.known[real] = s
	l.sources = append(l.sources, s)
	return s
}

// real returns the path with its symbolic links resolved; of a path that does not exist, as far as it does.
func (l *loader) real(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir := filepath.Dir(path)
	if dir == path {
		return path
	}
	return filepath.Join(l.realDir(dir), filepath.Base(path))
}

func (l *loader) realDir(dir string) string {
	real, ok := l.reals[dir]
	if !ok {
		real = l.real(dir)
		l.reals[dir] = real
	}
	return real
}

// errTooLarge is the error of a file over the limit.
var errTooLarge = errors.New("too large")

// readAll reads up to the limit.
func (l *loader) readAll(r io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, int64(l.limits.FileBytes)+1))
	if err == nil && len(text) > l.limits.FileBytes {
		err = l.tooLarge()
	}
	return text, err
}

func (l *loader) tooLarge() error {
	return fmt.Errorf("%w: a file may have %d bytes", errTooLarge, l.limits.FileBytes)
}

// readFile reads a regular file; anything else, such as a pipe that might never end, is refused.
func (l *loader) readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, errors.New("is a folder")
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("is not a regular file but a %s", fileKind(info.Mode()))
	case info.Size() > int64(l.limits.FileBytes):
		return nil, l.tooLarge()
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text := make([]byte, info.Size()+1)
	n, err := io.ReadFull(f, text)
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		return text[:n], nil
	}
	if err != nil {
		return nil, err
	}
	rest, err := l.readAll(f) // the file has grown meanwhile
	if err == nil && n+len(rest) > l.limits.FileBytes {
		err = l.tooLarge()
	}
	return append(text, rest...), err
}

// parse makes the tree of a source, or takes over what is known of an equal text.
func (l *loader) parse(s *source) {
	if known, ok := l.opts.Cache.find(s.shown, s.text); ok {
		s.parsed = known
		return
	}
	s.file.Text = s.text
	s.tree = yamltree.Parse(s.file, yamltree.Limits{Depth: l.limits.Depth, Entries: l.limits.Entries, Aliased: l.limits.Aliased})
}

func fileKind(m fs.FileMode) string {
	switch {
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	case m&fs.ModeDevice != 0:
		return "device"
	}
	return "special file"
}

// read reads the text and the tree of each source.
func (l *loader) read(sources []*source) error {
	err := l.parallel(sources, func(s *source) {
		if !s.preset {
			s.text, s.err = l.readFile(s.path)
		}
		if s.err == nil {
			l.parse(s)
		}
		s.text = nil
	})
	if err != nil {
		return err
	}
	for _, s := range sources {
		if s.err == nil {
			continue
		}
		err := s.err
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		switch {
		case errors.Is(err, errTooLarge):
			l.report(ruleTooLarge, nil, s, "the file is %s", err)
		case s.asked:
			return &InputError{Path: s.shown, Err: s.err}
		case s.by != nil:
			l.report(ruleFile, s.by, nil, "the file %s can't be read: %s", s.shown, err)
		default:
			l.report(ruleFile, nil, s, "the file can't be read: %s", err)
		}
	}
	return nil
}

// parallel runs f for all sources on all processors, until the context ends.
func (l *loader) parallel(sources []*source, f func(*source)) error {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(sources)) {
		wait.Go(func() {
			for l.ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(sources) {
					return
				}
				f(sources[i])
			}
		})
	}
	wait.Wait()
	return l.ctx.Err()
}
