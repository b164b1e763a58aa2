// Package ops tells the outside how a worker is: health, readiness and metrics over HTTP.
package ops

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/causetc/causetc/runtime/worker"
)

// stuckAfter is how long a loop of the worker may work on one step, while nothing fails by the surroundings, before the
// process counts as stuck.
const stuckAfter = 5 * time.Minute

// Monitor gathers what a worker tells. It is safe for use by many goroutines.
type Monitor struct {
	metrics *metrics
	now     func() time.Time

	mu        sync.Mutex
	assigned  bool // a rebalance has given this worker its share, be it nothing
	owned     map[int32]bool
	stopped   map[string]string // by group: why
	failing   int               // steps that the surroundings make fail now
	outages   map[string]int    // by group: such steps that have failed for a whole retry schedule
	busySince map[string]time.Time
}

// NewMonitor returns a monitor of a worker with the groups of a program.
func NewMonitor(version string, groups []string) *Monitor {
	m := &Monitor{metrics: newMetrics(version), now: time.Now, owned: map[int32]bool{}, stopped: map[string]string{},
		outages: map[string]int{}, busySince: map[string]time.Time{}}
	for _, g := range groups {
		m.metrics.groupUp.WithLabelValues(g).Set(1)
	}
	m.metrics.ready.Set(0)
	return m
}

// Observer returns what the worker is to be given.
func (m *Monitor) Observer() worker.Observer {
	return worker.Observer{
		Assigned:    m.addPartitions,
		Revoked:     m.removePartitions,
		Standing:    m.metrics.standing,
		Wrote:       m.metrics.wrote,
		Stopped:     m.Stop,
		OutageBegan: m.outageBegan,
		OutageLasts: m.outageLasts,
		OutageEnded: m.outageEnded,
		Busy:        m.busy,
		Idle:        m.idle,
	}
}

// Stop notes that a group is not worked for, by reason of what is deployed.
func (m *Monitor) Stop(group string, err error) {
	m.change(func() { m.stopped[group] = err.Error() })
	m.metrics.groupUp.WithLabelValues(group).Set(0)
}

// change changes the state, and brings what depends on it up to date.
func (m *Monitor) change(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f()
	ready := 1.0
	if len(m.unready()) > 0 {
		ready = 0
	}
	m.metrics.ready.Set(ready)
	m.metrics.partitions.Set(float64(len(m.owned)))
}

func (m *Monitor) addPartitions(partitions []int32) {
	m.change(func() {
		m.assigned = true
		for _, p := range partitions {
			m.owned[p] = true
		}
	})
}

func (m *Monitor) removePartitions(partitions []int32) {
	m.change(func() {
		for _, p := range partitions {
			delete(m.owned, p)
			m.metrics.forget(p)
		}
	})
}

func (m *Monitor) outageBegan(group string) {
	m.change(func() { m.failing++ })
	m.metrics.outages.WithLabelValues(group).Inc()
}

func (m *Monitor) outageLasts(group string) { m.change(func() { m.outages[group]++ }) }

func (m *Monitor) outageEnded(group string, lasted bool) {
	m.change(func() {
		m.failing--
		if !lasted {
			return
		}
		if m.outages[group]--; m.outages[group] == 0 {
			delete(m.outages, group)
		}
	})
}

func (m *Monitor) busy(loop string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.busySince[loop] = m.now()
}

func (m *Monitor) idle(loop string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.busySince, loop)
}

// Unready says why the worker is not ready, a line each; nothing where it is.
func (m *Monitor) Unready() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unready()
}

func (m *Monitor) unready() []string {
	var reasons []string
	if !m.assigned {
		reasons = append(reasons, "the worker has not joined its consumer group yet")
	}
	for _, g := range slices.Sorted(maps.Keys(m.outages)) {
		what := "group " + g
		if g == "" {
			what = "the worker"
		}
		reasons = append(reasons, what+": the database or the brokers have failed for a whole retry schedule; trying on")
	}
	for _, g := range slices.Sorted(maps.Keys(m.stopped)) {
		reasons = append(reasons, fmt.Sprintf("group %s is stopped: %s", g, m.stopped[g]))
	}
	return reasons
}

// Stuck names the loops that have worked on one step for too long. A step that is tried again because the surroundings
// fail is not stuck.
func (m *Monitor) Stuck() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.failing > 0 {
		return nil
	}
	var loops []string
	for loop, since := range m.busySince {
		if m.now().Sub(since) > stuckAfter {
			loops = append(loops, strings.ToValidUTF8(loop, "?"))
		}
	}
	slices.Sort(loops)
	return loops
}
