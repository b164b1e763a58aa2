package embedded

import (
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
)

// spawn starts the server through pg_ctl, which gives up administrator rights (the server refuses them).
func (s *starter) spawn(ctx context.Context, port int, _ stopMode) (*process, error) {
	var quoted []string
	for _, option := range s.serverOptions(port)[2:] { // pg_ctl names the data folder itself
		quoted = append(quoted, syscall.EscapeArg(option))
	}
	starter, err := startProcess(s.command("pg_ctl", []string{"start", "-W", "-D", s.cluster, "-o", strings.Join(quoted, " ")}, stopKill))
	if err != nil {
		return nil, err
	}
	if err := starter.wait(ctx); err != nil {
		return nil, err
	}
	server := findServer(s.cluster)
	if server == nil {
		return nil, errors.New("it left no process id")
	}
	return adopt(server), nil
}

// adopt makes a process of a server that pg_ctl started.
func adopt(server *os.Process) *process {
	p := &process{os: server, exited: make(chan struct{})}
	go func() {
		_, p.err = server.Wait()
		close(p.exited)
	}()
	return p
}
