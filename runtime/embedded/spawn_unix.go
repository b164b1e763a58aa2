//go:build unix

package embedded

import "context"

// spawn starts the server as a child.
func (s *starter) spawn(_ context.Context, port int, onParentDeath stopMode) (*process, error) {
	return startProcess(s.command("postgres", s.serverOptions(port), onParentDeath))
}
