// Package config reads .causetc.yaml, in which a project says how it wants to be linted.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/causetc/causetc/spec"
)

// FileName is the name of the file that is looked for.
const FileName = ".causetc.yaml"

// Level is what a configuration makes of the findings of a rule.
type Level uint8

// The levels.
const (
	Off  Level = iota + 1 // they are not reported
	On                    // they keep the severity that the rule gives them
	Hint                  // they have this severity, and so on
	Info
	Warning
	Error
)

// levelWords are the levels as they are written, in their order.
var levelWords = []string{"off", "on", "hint", "info", "warning", "error"}

// ParseLevel reads a level.
func ParseLevel(word string) (Level, bool) {
	for i, w := range levelWords {
		if w == word {
			return Level(i + 1), true
		}
	}
	return 0, false
}

// Levels returns the words that ParseLevel knows.
func Levels() []string { return append([]string(nil), levelWords...) }

// apply returns the severity of a finding, or false if it is not reported.
func (l Level) apply(own spec.Severity) (spec.Severity, bool) {
	switch l {
	case Off:
		return 0, false
	case Hint:
		return spec.Hint, true
	case Info:
		return spec.Info, true
	case Warning:
		return spec.Warning, true
	case Error:
		return spec.Error, true
	}
	return own, true
}

// Override changes rules for some files.
type Override struct {
	Paths []string // globs, relative to the configuration's folder
	Rules map[string]Level
}

// Config is how a project wants to be linted. The zero Config changes nothing.
type Config struct {
	Path      string // of the file, as given to Read
	Target    string // hosted or causetc; empty where the file does not say
	FailOn    string // a severity or never; empty where the file does not say
	Exclude   []string
	Rules     map[string]Level
	Overrides []Override // of those that match a file, a later one wins
	// Forced wins over all of the above; it is for the command line.
	Forced map[string]Level

	dir string // absolute
}

// Find returns the nearest .causetc.yaml in the folder of a file, or in the folder itself, or above; or "" where there is
// none.
func Find(start string) (string, error) {
	dir, err := filepath.Abs(start)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = filepath.Dir(dir)
	}
	for {
		file := filepath.Join(dir, FileName)
		_, err := os.Stat(file)
		switch {
		case err == nil:
			return shown(file), nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return "", err
		case dir == filepath.Dir(dir):
			return "", nil
		}
		dir = filepath.Dir(dir)
	}
}

// shown returns a path as people see it: relative to the working directory.
func shown(path string) string {
	cwd, err := os.Getwd()
	if err != nil {
		return path
	}
	rel, err := filepath.Rel(cwd, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// Excludes reports whether the file at an absolute path is left out of the program where a folder or a glob finds it.
func (c *Config) Excludes(path string) bool {
	rel, ok := c.rel(path)
	return ok && matches(c.Exclude, rel)
}

// rel returns a path relative to the folder of the configuration, with slashes.
func (c *Config) rel(path string) (string, bool) {
	if c.dir == "" {
		return "", false
	}
	rel, err := filepath.Rel(c.dir, path)
	return filepath.ToSlash(rel), err == nil
}

// matches reports whether one of some globs means a path. A glob that means a folder means all that is below it.
func matches(globs []string, path string) bool {
	for _, g := range globs {
		g = strings.TrimSuffix(strings.TrimPrefix(g, "./"), "/")
		if doublestar.MatchUnvalidated(g, path) || doublestar.MatchUnvalidated(g+"/**", path) {
			return true
		}
	}
	return false
}

// Apply gives findings the severity that the configuration says, and drops those of rules that are off.
func (c *Config) Apply(set *spec.FileSet, findings []spec.Diagnostic) []spec.Diagnostic {
	if len(c.Rules) == 0 && len(c.Overrides) == 0 && len(c.Forced) == 0 {
		return findings
	}
	levels := map[*spec.File]map[string]Level{}
	kept := make([]spec.Diagnostic, 0, len(findings))
	for _, d := range findings {
		f := set.File(d.Span.Start)
		if levels[f] == nil {
			levels[f] = c.levels(f)
		}
		severity, ok := levels[f][d.Rule].apply(d.Severity)
		if !ok {
			continue
		}
		d.Severity = severity
		kept = append(kept, d)
	}
	return kept
}

// levels returns the levels of the rules in one file, or those of findings without a place.
func (c *Config) levels(f *spec.File) map[string]Level {
	levels := map[string]Level{}
	maps.Copy(levels, c.Rules)
	if f != nil {
		if abs, err := filepath.Abs(filepath.FromSlash(f.Path)); err == nil {
			c.override(levels, abs)
		}
	}
	maps.Copy(levels, c.Forced)
	return levels
}

func (c *Config) override(levels map[string]Level, path string) {
	rel, ok := c.rel(path)
	if !ok {
		return
	}
	for _, o := range c.Overrides {
		if matches(o.Paths, rel) {
			maps.Copy(levels, o.Rules)
		}
	}
}

// Problem is one thing that is wrong in a configuration.
type Problem struct {
	Line, Column int
	Message      string
}

// InvalidError tells what is wrong in a configuration.
type InvalidError struct {
	Path     string
	Problems []Problem
}

// Error lists the problems, each on a line that begins with its place.
func (e *InvalidError) Error() string {
	lines := []string{fmt.Sprintf("the configuration %s can't be used", e.Path)}
	for _, p := range e.Problems {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: error: %s", e.Path, p.Line, p.Column, p.Message))
	}
	return strings.Join(lines, "\n")
}
