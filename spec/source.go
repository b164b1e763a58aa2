// Package spec is the typed syntax tree of a Causet program: every section of every file, each node with the place it
// came from. It holds no checks and no meaning beyond what the author wrote; parser makes it, analyzer and codegen read
// it.
package spec

import (
	"cmp"
	"slices"
	"sort"
	"sync"
	"unicode/utf8"
)

// Pos is a byte offset into a FileSet. The zero Pos is no place.
type Pos int

// NoPos is the absence of a place.
const NoPos Pos = 0

// Span is the half-open range [Start, End) of a FileSet. A span lies within one file.
type Span struct {
	Start, End Pos
}

// IsValid reports whether the span names a place.
func (s Span) IsValid() bool { return s.Start != NoPos }

// Contains reports whether t lies within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Join returns the smallest span that covers both; an invalid one counts for nothing.
func (s Span) Join(t Span) Span {
	if !s.IsValid() {
		return t
	}
	if !t.IsValid() {
		return s
	}
	return Span{min(s.Start, t.Start), max(s.End, t.End)}
}

// File is one source file as bytes, registered in a FileSet.
type File struct {
	Path string // slash-separated, as shown to people
	Base Pos    // the Pos of the first byte
	Text []byte

	linesOnce sync.Once
	lines     []int // byte offset of the start of each line, as editors count lines (LF, CRLF, CR)
}

// Pos returns the place of a byte offset, clamped to the file.
func (f *File) Pos(offset int) Pos { return f.Base + Pos(max(0, min(offset, len(f.Text)))) }

// Span returns the span of two byte offsets.
func (f *File) Span(from, to int) Span { return Span{f.Pos(from), f.Pos(to)} }

// TextOf returns the text of a span of the file, which must not be changed.
func (f *File) TextOf(s Span) []byte { return f.Text[f.Offset(s.Start):f.Offset(s.End)] }

// Offset returns the byte offset of a place in this file.
func (f *File) Offset(p Pos) int { return max(0, min(int(p-f.Base), len(f.Text))) }

// Position is a place as people and editors name it. All counts are of the same place.
type Position struct {
	Line   int // 1-based; lines end at LF, CRLF or a lone CR
	Column int // 1-based, in code points
	UTF16  int // 1-based, in UTF-16 code units
	Offset int // 0-based, in bytes
}

// Position computes line and columns of a place in this file. Invalid UTF-8 counts a column a byte.
func (f *File) Position(p Pos) Position {
	off := f.Offset(p)
	lines := f.lineStarts()
	line := sort.SearchInts(lines, off+1) - 1
	pos := Position{Line: line + 1, Column: 1, UTF16: 1, Offset: off}
	for i := lines[line]; i < off; {
		r, n := utf8.DecodeRune(f.Text[i:])
		i += n
		pos.Column++
		pos.UTF16++
		if r > 0xFFFF {
			pos.UTF16++
		}
	}
	return pos
}

// Line returns the text of a 1-based line without its line break, and the byte offset where it starts.
func (f *File) Line(n int) (text []byte, offset int) {
	lines := f.lineStarts()
	if n < 1 || n > len(lines) {
		return nil, 0
	}
	start, end := lines[n-1], len(f.Text)
	if n < len(lines) {
		end = lines[n]
	}
	for end > start && (f.Text[end-1] == '\n' || f.Text[end-1] == '\r') {
		end--
	}
	return f.Text[start:end], start
}

// LineCount returns the number of lines; an empty file has one.
func (f *File) LineCount() int { return len(f.lineStarts()) }

func (f *File) lineStarts() []int {
	f.linesOnce.Do(func() {
		f.lines = append(f.lines, 0)
		for i := 0; i < len(f.Text); i++ {
			switch {
			case f.Text[i] == '\n', f.Text[i] == '\r' && (i+1 == len(f.Text) || f.Text[i+1] != '\n'):
				f.lines = append(f.lines, i+1)
			}
		}
	})
	return f.lines
}

// FileSet gives files their place in one space of positions, behind those that are there. It is not safe for concurrent Add.
type FileSet struct {
	files []*File
	next  Pos
}

// Add registers a file.
func (s *FileSet) Add(path string, text []byte) *File {
	f := &File{Path: path, Text: text}
	s.Register(f)
	return f
}

// Register gives its place to a file that was made without one.
func (s *FileSet) Register(f *File) {
	if s.next == NoPos {
		s.next = 1
	}
	f.Base = s.next
	s.next += Pos(len(f.Text)) + 1
	s.files = append(s.files, f)
}

// With returns a set of files that have their places in s. They keep them, and no file that is added later gets the place
// of any file of s.
func (s *FileSet) With(files []*File) *FileSet {
	t := &FileSet{files: slices.Clone(files), next: s.next}
	slices.SortFunc(t.files, func(a, b *File) int { return cmp.Compare(a.Base, b.Base) })
	return t
}

// Files returns the files in the order of positions.
func (s *FileSet) Files() []*File { return s.files }

// File returns the file that holds p, or nil.
func (s *FileSet) File(p Pos) *File {
	if p == NoPos {
		return nil
	}
	i := sort.Search(len(s.files), func(i int) bool { return s.files[i].Base > p })
	if i == 0 {
		return nil
	}
	return s.files[i-1]
}
