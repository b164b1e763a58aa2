package parser

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// found is a file below a folder.
type found struct {
	path string // absolute
	rel  string // relative to the folder, with slashes
	real string // with links resolved
}

// walker collects the files below a folder.
type walker struct {
	*loader
	base, root string
	files      []found
	seen       map[string]bool // real paths of the folders on the way, since links may lead in circles
}

// walk returns the files below dir in the order of their names, folders that start with a dot left out. Links to folders
// are followed unless they lead out of root. What can't be read is left out.
func (l *loader) walk(dir, root string) ([]found, error) {
	if files, ok := l.walked[dir]; ok {
		return files, nil
	}
	w := &walker{loader: l, base: dir, root: root, seen: map[string]bool{}}
	if err := w.folder(dir, l.realDir(dir)); err != nil {
		return nil, err
	}
	if o := l.overlay; o != nil && within(dir, o.path) {
		if _, err := os.Stat(o.path); err != nil { // a file that is not saved yet
			w.add(o.path, o.real)
		}
	}
	l.walked[dir] = w.files
	return w.files, nil
}

func (w *walker) add(path, real string) {
	rel, err := filepath.Rel(w.base, path)
	if err != nil {
		return
	}
	w.files = append(w.files, found{path: path, rel: filepath.ToSlash(rel), real: real})
}

func (w *walker) folder(dir, real string) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if w.seen[real] || !w.opts.AllowOutside && !within(w.realDir(w.root), real) {
		return nil
	}
	w.seen[real] = true
	w.opts.Watcher.Folder(dir, isSpecFile)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if err := w.entry(dir, real, e); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) entry(dir, real string, e fs.DirEntry) error {
	path := filepath.Join(dir, e.Name())
	target := filepath.Join(real, e.Name())
	isDir := e.IsDir()
	if e.Type()&fs.ModeSymlink != 0 {
		info, err := os.Stat(path)
		if err != nil {
			w.add(path, target) // a dangling link: reading it says so
			return nil
		}
		isDir = info.IsDir()
		target = w.real(path)
	}
	switch {
	case !isDir:
		w.add(path, target)
	case !strings.HasPrefix(e.Name(), "."):
		return w.folder(path, target)
	}
	return nil
}
