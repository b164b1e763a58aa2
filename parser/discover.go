package parser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/causetc/causetc/parser/yamltree"
	"github.com/causetc/causetc/spec"
)

// manifestName is the file that stands for a folder's program.
const manifestName = "app.causet"

// discover finds and reads the files of the program.
func (l *loader) discover() error {
	args, err := l.arguments()
	if err != nil {
		return err
	}
	for _, arg := range args {
		if err := l.argument(arg); err != nil {
			return err
		}
	}
	if err := l.read(l.sources); err != nil {
		return err
	}
	if err := l.dropForeign(); err != nil {
		return err
	}
	first := l.sources
	for _, s := range first {
		if err := l.includes(s); err != nil {
			return err
		}
	}
	if l.overlay != nil && l.known[l.overlay.real] == nil {
		s := l.add(l.overlay.path, l.overlay.real)
		if len(first) > 0 {
			l.report(ruleNotIncluded, nil, s, "the program %s does not include this file", first[0].shown)
		}
	}
	return l.read(l.sources[len(first):])
}

// arguments returns the arguments, or what stands for none.
func (l *loader) arguments() ([]string, error) {
	switch {
	case len(l.opts.Args) > 0:
		return l.opts.Args, nil
	case l.overlay != nil:
		if manifest := l.manifestAbove(l.overlay.path); manifest != "" {
			return []string{manifest}, nil
		}
		return nil, nil
	case l.opts.Stdin != nil:
		return []string{"-"}, nil
	}
	return []string{"."}, nil
}

// manifestAbove returns the nearest app.causet in the folder of a file or above it, or "".
func (l *loader) manifestAbove(path string) string {
	if filepath.Base(path) == manifestName {
		return path
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		manifest := filepath.Join(dir, manifestName)
		if info, err := os.Stat(manifest); err == nil && info.Mode().IsRegular() {
			return manifest
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
	}
}

// argument adds what one argument names.
func (l *loader) argument(arg string) error {
	if arg == "-" {
		return l.stdin()
	}
	path := l.abs(arg)
	l.opts.Watcher.File(path)
	isOverlay := l.overlay != nil && l.overlay.real == l.real(path)
	info, err := os.Stat(path)
	switch {
	case isOverlay:
	case err != nil:
		return &InputError{Path: arg, Err: err}
	case info.IsDir():
		return l.folder(arg, path)
	}
	if s := l.add(path, l.real(path)); s != nil {
		s.asked = true
		s.manifest = filepath.Base(path) == manifestName
	}
	return nil
}

// stdin adds standard input as a file of its own.
func (l *loader) stdin() error {
	switch {
	case l.opts.Stdin == nil:
		return &InputError{Path: "-", Err: errors.New("there is no standard input")}
	case l.overlay != nil:
		return &InputError{Path: "-", Err: errors.New("standard input stands in for a file already")}
	case l.known["-"] != nil:
		return nil
	}
	s := &source{shown: "<stdin>", asked: true, preset: true, parsed: parsed{file: &spec.File{Path: "<stdin>"}}}
	s.text, s.err = l.readAll(l.opts.Stdin)
	l.known["-"] = s
	l.sources = append(l.sources, s)
	return nil
}

// folder adds the manifest of a folder, or all spec files below.
func (l *loader) folder(arg, dir string) error {
	manifest := filepath.Join(dir, manifestName)
	l.opts.Watcher.File(manifest)
	info, err := os.Stat(manifest)
	if err == nil && !info.IsDir() || l.overlay != nil && l.overlay.path == manifest {
		if s := l.add(manifest, l.real(manifest)); s != nil {
			s.asked, s.manifest = true, true
		}
		return nil
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return &InputError{Path: arg, Err: err}
	}
	return l.below(arg, dir)
}

// below adds the spec files below a folder, or the only manifest that is there.
func (l *loader) below(arg, dir string) error {
	files, err := l.walk(dir, dir)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(slices.Clone(files), func(f found) bool { return !isSpecFile(f.path) || l.excludes(f.path) })
	var manifests []found
	for _, f := range files {
		if filepath.Base(f.path) == manifestName {
			manifests = append(manifests, f)
		}
	}
	switch {
	case len(files) == 0:
		return &InputError{Path: arg, Err: errors.New("there is no .causet, .yaml or .yml file below this folder")}
	case len(manifests) > 1:
		return &InputError{Path: arg, Err: l.severalPrograms(manifests)}
	case len(manifests) == 1:
		files = manifests
	}
	for _, f := range files {
		before := len(l.sources)
		if l.addFound(f, dir, nil); len(l.sources) > before {
			l.sources[before].walked = true
			l.sources[before].manifest = len(manifests) == 1
		}
	}
	return nil
}

func (l *loader) severalPrograms(manifests []found) error {
	const most = 5
	var names []string
	for _, f := range manifests[:min(most, len(manifests))] {
		names = append(names, l.shown(f.path))
	}
	text := strings.Join(names, ", ")
	if more := len(manifests) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf("there are several programs below this folder: %s; name one of them", text)
}

// dropForeign leaves YAML files out that are no specs, as their keys show, where a folder was asked for.
func (l *loader) dropForeign() error {
	walked, dropped := 0, 0
	for real, s := range l.known {
		if s.walked {
			walked++
		}
		if s.walked && s.isForeign() {
			dropped++
			s.foreign = true
			delete(l.known, real)
		}
	}
	l.sources = slices.DeleteFunc(l.sources, func(s *source) bool { return s.foreign })
	if walked > 0 && dropped == walked {
		return &InputError{Path: strings.Join(l.opts.Args, " "), Err: errors.New(
			"there is no Causet file below this folder: its YAML files have no sections such as state, events or projections")}
	}
	return nil
}

// isSpecFile reports whether a file is a spec by its name. YAML files whose names start with a dot configure tools.
func isSpecFile(path string) bool {
	switch filepath.Ext(path) {
	case ".causet":
		return true
	case ".yaml", ".yml":
		return !strings.HasPrefix(filepath.Base(path), ".")
	}
	return false
}

// excludes reports whether a file that was found, not named, is left out.
func (l *loader) excludes(path string) bool { return l.opts.Exclude != nil && l.opts.Exclude(path) }

// includes adds the files that a manifest lists.
func (l *loader) includes(s *source) error {
	if s.tree == nil {
		return nil
	}
	dir := l.cwd // of standard input
	if s.path != "" {
		dir = filepath.Dir(s.path)
	}
	for _, root := range s.tree.Roots {
		for _, section := range root.Entries {
			if section.Key.Value != "includes" || section.Value.Kind != yamltree.Map {
				continue
			}
			s.manifest = true
			for _, kind := range section.Value.Entries {
				if err := l.includeKind(dir, kind.Value); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (l *loader) includeKind(dir string, n *yamltree.Node) error {
	items := n.Items
	if n.Kind == yamltree.Scalar {
		items = []*yamltree.Node{n}
	}
	for _, item := range items {
		if item.Kind != yamltree.Scalar || item.Scalar.Value == "" {
			continue // the decoder reports it
		}
		if err := l.include(dir, item.Scalar); err != nil {
			return err
		}
	}
	return nil
}
