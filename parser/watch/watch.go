// Package watch tells when files that a program is read from may have changed.
package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Programs write a file in several steps, and tools change many files at once: a change counts when nothing has followed it
// for a moment, or when this has gone on for long.
const (
	quiet   = 50 * time.Millisecond
	longest = time.Second
)

// Watcher watches files and folders. Those who read them tell it before they look, so that no change falls in between. A nil
// *Watcher takes what it is told and does nothing.
type Watcher struct {
	system  *fsnotify.Watcher
	changed chan struct{} // holds one change that Wait has not seen
	ended   chan struct{}

	mu      sync.Mutex
	folders map[string]*folder // by path with its links resolved
	names   map[string]bool    // files and folders that matter wherever they are
	err     error              // the first failure
}

// folder is a folder that the system watches.
type folder struct {
	info    fs.FileInfo            // to know it from another one that takes its place
	matters func(path string) bool // tells which of its files count; nil for those in names alone
}

// New returns a watcher that watches nothing yet. Whoever gets it must close it.
func New() (*Watcher, error) {
	system, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("the system can't watch files: %w", err)
	}
	w := &Watcher{system: system, changed: make(chan struct{}, 1), ended: make(chan struct{}), folders: map[string]*folder{}, names: map[string]bool{}}
	go w.listen()
	return w, nil
}

// Close ends the watching.
func (w *Watcher) Close() error {
	err := w.system.Close()
	<-w.ended
	return err
}

// File watches for changes of one file, which need not exist.
func (w *Watcher) File(path string) {
	if w == nil {
		return
	}
	dir := filepath.Dir(path)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	w.name(filepath.Join(dir, filepath.Base(path)))
	if dir != path {
		w.Folder(dir, nil)
	}
}

// Folder watches for files in a folder that come, go or change, those for which matters reports true, and for folders in it
// that come or go. The folder need not exist.
func (w *Watcher) Folder(path string, matters func(path string) bool) {
	if w == nil {
		return
	}
	w.name(path)
	for !w.add(path, matters) {
		w.File(path) // so that its coming is noticed
		if _, err := os.Stat(path); err != nil {
			return
		}
	}
}

func (w *Watcher) name(path string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.names[path] = true
}

// add has the system watch a folder, and reports false if there is none.
func (w *Watcher) add(path string, matters func(string) bool) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	info, err := os.Stat(real)
	if err != nil || !info.IsDir() {
		return false
	}
	if w.has(real, info, matters) {
		return true
	}
	_ = w.system.Remove(real) // another folder that had this path
	switch err := w.system.Add(real); {
	case errors.Is(err, fs.ErrNotExist):
		w.forget(real)
		return false
	case err != nil && !errors.Is(err, fs.ErrPermission): // what may not be watched can't be read either
		w.fail(fmt.Errorf("%s can't be watched: %w", real, err))
	}
	return true
}

// has reports whether a folder is watched, and notes what matters in it.
func (w *Watcher) has(real string, info fs.FileInfo, matters func(string) bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := w.folders[real]
	known := f != nil && os.SameFile(f.info, info)
	switch {
	case !known:
		w.folders[real] = &folder{info: info, matters: matters}
	case matters != nil:
		f.matters = matters
	}
	return known
}

func (w *Watcher) forget(real string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.folders, real)
}

func (w *Watcher) fail(err error) {
	w.mu.Lock()
	if w.err == nil {
		w.err = err
	}
	w.mu.Unlock()
	w.signal()
}

func (w *Watcher) signal() {
	select {
	case w.changed <- struct{}{}:
	default: // Wait has not seen the one before
	}
}

// listen takes what the system tells until the watcher is closed.
func (w *Watcher) listen() {
	defer close(w.ended)
	for {
		select {
		case e, ok := <-w.system.Events:
			if !ok {
				return
			}
			if w.counts(e) {
				w.signal()
			}
		case err, ok := <-w.system.Errors:
			switch {
			case !ok:
				return
			case errors.Is(err, fsnotify.ErrEventOverflow): // something has changed, whatever it was
				w.signal()
			case err != nil:
				w.fail(fmt.Errorf("watching files: %w", err))
			}
		}
	}
}

// counts reports whether an event is about something that matters.
func (w *Watcher) counts(e fsnotify.Event) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.folders[e.Name] != nil {
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			delete(w.folders, e.Name)
		}
		return true
	}
	if w.names[e.Name] {
		return true
	}
	f := w.folders[filepath.Dir(e.Name)]
	if f == nil || f.matters == nil {
		return false
	}
	if f.matters(e.Name) {
		return true
	}
	info, err := os.Stat(e.Name)
	return err == nil && info.IsDir()
}

// Wait returns when something has changed since the last Wait, or the watching has begun, and nothing more has for a moment.
// The error is that of the context, or a failure after which changes may go unnoticed.
func (w *Watcher) Wait(ctx context.Context) error {
	select {
	case <-w.changed:
	case <-ctx.Done():
		return ctx.Err()
	}
	pause, end := time.NewTimer(quiet), time.NewTimer(longest)
	defer pause.Stop()
	defer end.Stop()
	for {
		select {
		case <-w.changed:
			pause.Reset(quiet)
			continue
		case <-pause.C:
		case <-end.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		return w.err
	}
}
