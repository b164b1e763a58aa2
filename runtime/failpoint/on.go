//go:build failpoints

package failpoint

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Enabled says whether this is the test build.
const Enabled = true

// Variable holds what is to happen in a process, separated by commas: off=MECHANISM; kill=POINT:N, stop=POINT:N (until a
// SIGCONT) and refuse=POINT:N:SQLSTATE, at the N-th time that the work comes by.
const Variable = "CAUSETC_FAILPOINTS"

// script is what is to happen in this process.
type script struct {
	mu      sync.Mutex
	off     map[Mechanism]bool
	actions []action
	seen    map[Point]int
}

type action struct {
	kind     string
	point    Point
	at       int
	sqlState string
}

var current = mustParse(os.Getenv(Variable))

func mustParse(text string) *script {
	s := &script{off: map[Mechanism]bool{}, seen: map[Point]int{}}
	for _, item := range strings.Split(text, ",") {
		if item == "" {
			continue
		}
		if err := s.add(item); err != nil {
			panic(fmt.Sprintf("%s: %q: %v", Variable, item, err))
		}
	}
	return s
}

func (s *script) add(item string) error {
	kind, rest, _ := strings.Cut(item, "=")
	if kind == "off" {
		if !slices.Contains(Mechanisms, Mechanism(rest)) {
			return fmt.Errorf("no such mechanism")
		}
		s.off[Mechanism(rest)] = true
		return nil
	}
	parts := strings.Split(rest, ":")
	if (kind == "kill" || kind == "stop") && len(parts) == 2 {
		parts = append(parts, "")
	}
	if (kind != "kill" && kind != "stop" && kind != "refuse") || len(parts) != 3 || !slices.Contains(Points, Point(parts[0])) {
		return fmt.Errorf("no such action or point")
	}
	at, err := strconv.Atoi(parts[1])
	s.actions = append(s.actions, action{kind, Point(parts[0]), at, parts[2]})
	return err
}

// Reach is told that the work comes by a point; the process may end there as by kill -9, or stand still.
func Reach(p Point) { current.reach(p) }

func (s *script) reach(p Point) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[p]++
	for _, a := range s.actions {
		if a.kind == "refuse" || a.point != p || a.at != s.seen[p] {
			continue
		}
		fmt.Fprintf(os.Stderr, `{"event":"failpoint",%q:%q}`+"\n", a.kind, p)
		if a.kind == "kill" {
			kill()
		} else {
			stop()
		}
	}
}

// Refusal returns the SQLSTATE that the transaction at this point is to fail with, or nothing. It counts with Reach, which
// must come first.
func Refusal(p Point) string {
	current.mu.Lock()
	defer current.mu.Unlock()
	for _, a := range current.actions {
		if a.kind == "refuse" && a.point == p && a.at == current.seen[p] {
			return a.sqlState
		}
	}
	return ""
}

// Off reports whether a mechanism is taken out.
func Off(m Mechanism) bool {
	current.mu.Lock()
	defer current.mu.Unlock()
	return current.off[m]
}

// Disable takes a mechanism out of this process, until the function is called that it returns.
func Disable(m Mechanism) (enable func()) {
	set := func(off bool) {
		current.mu.Lock()
		defer current.mu.Unlock()
		current.off[m] = off
	}
	set(true)
	return func() { set(false) }
}
