package worker

import (
	"errors"
	"fmt"
	"slices"

	"github.com/causetc/causetc/runtime/store"
)

// ended takes note of why a runner gave up. A group whose deployment is at fault is stopped, and the others go on;
// anything else ends the run.
func (w *Worker) ended(p *partition, r *runner, err error) {
	err = fmt.Errorf("group %s, partition %d: %w", r.group.Fold.Name, p.number, err)
	var deployment *store.DeploymentError
	if errors.As(err, &deployment) {
		w.stop(r.group, err)
		return
	}
	w.fail(err)
}

// stop ends the work for one group in all partitions, and the run where none is left.
func (w *Worker) stop(g Group, err error) {
	name := g.Fold.Name
	if !w.noteStop(name, err) {
		return
	}
	w.log.Error("group stopped; the other groups go on", "event", "group_stopped", "group", name, "error", err.Error())
	w.conf.Observer.stopped(name, err)
	for _, p := range w.assignedPartitions() {
		for _, r := range p.runners {
			if r.group.Fold.Name == name {
				r.stop()
			}
		}
	}
	if all := w.stopErrors(); len(all) == len(w.conf.Groups) {
		w.fail(errors.Join(all...))
	} else if w.ends != nil && w.ends.give(name) {
		w.cancel(errEndReached)
	}
}

// noteStop reports whether the group was not stopped before.
func (w *Worker) noteStop(name string, err error) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.stopped[name] != nil {
		return false
	}
	w.stopped[name] = err
	return true
}

func (w *Worker) isStopped(g Group) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.stopped[g.Fold.Name] != nil
}

// stopErrors returns why groups were stopped, in the order of their names.
func (w *Worker) stopErrors() []error {
	w.mu.Lock()
	defer w.mu.Unlock()
	names := make([]string, 0, len(w.stopped))
	for name := range w.stopped {
		names = append(names, name)
	}
	slices.Sort(names)
	errs := make([]error, len(names))
	for i, name := range names {
		errs[i] = w.stopped[name]
	}
	return errs
}

func (w *Worker) assignedPartitions() []*partition {
	w.mu.Lock()
	defer w.mu.Unlock()
	parts := make([]*partition, 0, len(w.parts))
	for _, p := range w.parts {
		parts = append(parts, p)
	}
	return parts
}
