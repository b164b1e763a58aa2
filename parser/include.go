package parser

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/causetc/causetc/parser/nearest"
	"github.com/causetc/causetc/spec"
)

// include adds the files of one glob of a manifest in the folder root.
func (l *loader) include(root string, glob *spec.Scalar) error {
	pattern := path.Clean(glob.Value)
	switch {
	case !doublestar.ValidatePattern(pattern):
		l.report(ruleFile, glob, nil, "%q is not a glob: a bracket or a brace is not closed", glob.Value)
		return nil
	case isOutside(pattern) && !l.opts.AllowOutside:
		l.report(ruleOutside, glob, nil, "%q leads out of the manifest's folder; --allow-outside permits that", glob.Value)
		return nil
	case !strings.ContainsAny(pattern, `*?[{\`):
		l.includeFile(root, pattern, glob)
		return nil
	}
	base, rest := doublestar.SplitPattern(pattern)
	files, err := l.walk(l.join(root, base), root)
	if err != nil {
		return err
	}
	matched := false
	for _, f := range files {
		if isSpecFile(f.path) && doublestar.MatchUnvalidated(rest, f.rel) {
			matched = true
			if l.excludes(f.path) {
				continue
			}
			l.addFound(f, root, glob)
		}
	}
	if !matched {
		l.report(ruleEmptyGlob, glob, nil, "no .causet, .yaml or .yml file matches %q", glob.Value)
	}
	return nil
}

// isOutside reports whether a cleaned pattern starts above its folder, or anywhere.
func isOutside(pattern string) bool {
	return pattern == ".." || strings.HasPrefix(pattern, "../") || path.IsAbs(pattern) || filepath.IsAbs(pattern)
}

func (l *loader) join(root, pattern string) string {
	pattern = filepath.FromSlash(pattern)
	if filepath.IsAbs(pattern) {
		return pattern
	}
	return filepath.Join(root, pattern)
}

// includeFile adds a file that a manifest names without a glob.
func (l *loader) includeFile(root, name string, at *spec.Scalar) {
	file := l.join(root, name)
	l.opts.Watcher.File(file)
	f := found{path: file, real: l.real(file)}
	info, err := os.Stat(file)
	switch {
	case l.overlay != nil && l.overlay.real == f.real:
	case errors.Is(err, fs.ErrNotExist):
		near := nearest.Word(filepath.Base(file), l.namesBeside(file))
		if near != "" {
			l.report(ruleFile, at, nil, "the file %s does not exist; did you mean %q?", l.shown(file), near)
			return
		}
		l.report(ruleFile, at, nil, "the file %s does not exist", l.shown(file))
		return
	case err == nil && info.IsDir():
		l.report(ruleFile, at, nil, "%s is a folder; write %q for the files below it", l.shown(file), name+"/**/*.causet")
		return
	}
	l.addFound(f, root, at)
}

// namesBeside returns the names in the folder of a file.
func (l *loader) namesBeside(file string) []string {
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil || len(entries) > 1000 {
		return nil
	}
	var names []string
	for _, e := range entries {
		if e.Name() != manifestName {
			names = append(names, e.Name())
		}
	}
	return names
}

// addFound adds a file below root, unless a link leads out of root or there are too many.
func (l *loader) addFound(f found, root string, glob *spec.Scalar) {
	if !l.opts.AllowOutside && !within(l.realDir(root), f.real) {
		message := "%s is a link to a file outside of the folder; --allow-outside permits that"
		if glob == nil {
			if s := l.add(f.path, f.real); s != nil {
				s.preset = true
				l.report(ruleOutside, nil, s, message, s.shown)
			}
			return
		}
		l.report(ruleOutside, glob, nil, message, l.shown(f.path))
		return
	}
	if len(l.sources) >= l.limits.Files && l.known[f.real] == nil {
		l.tooManyFiles(glob)
		return
	}
	if s := l.add(f.path, f.real); s != nil {
		s.by = glob
	}
}

func (l *loader) tooManyFiles(glob *spec.Scalar) {
	if l.full {
		return
	}
	l.full = true
	l.report(ruleTooLarge, glob, l.sources[0], "a program may have %d files; the rest is left out", l.limits.Files)
}

// within reports whether a real path lies in a real folder.
func within(dir, file string) bool {
	rel, err := filepath.Rel(dir, file)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
