package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ticks are the units of /proc in a second.
const ticks = 100

// postgresCPU is the CPU time that all processes of the server have used so far, 0 where that can't be told.
func (s *services) postgresCPU(ctx context.Context) (time.Duration, error) {
	var backend int
	if err := s.db.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&backend); err != nil {
		return 0, err
	}
	server, found := readProcess(backend)
	if !found {
		return 0, nil
	}
	for ctx.Err() == nil {
		before, _ := readProcess(server.parent)
		running, err := spentByChildren(server.parent)
		if err != nil {
			return 0, err
		}
		if after, _ := readProcess(server.parent); after.children == before.children {
			return before.own + before.children + running, nil // none has ended meanwhile, which would be missing or counted twice
		}
	}
	return 0, ctx.Err()
}

// spentByChildren adds up what the children of a process that run have used themselves.
func spentByChildren(parent int) (total time.Duration, err error) {
	all, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, folder := range all {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			continue
		}
		if p, found := readProcess(pid); found && p.parent == parent {
			total += p.own
		}
	}
	return total, nil
}

// process is what /proc tells.
type process struct {
	parent        int
	own, children time.Duration // children: of those that have ended
}

func readProcess(pid int) (p process, found bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return p, false
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return p, false
	}
	p.parent, _ = strconv.Atoi(fields[1])
	p.own, p.children = spent(fields[11], fields[12]), spent(fields[13], fields[14])
	return p, true
}

func spent(user, system string) time.Duration {
	u, _ := strconv.Atoi(user)
	s, _ := strconv.Atoi(system)
	return time.Duration(u+s) * time.Second / ticks
}
