package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// checkReach makes sure that the account can enter a folder, by having it run the server's version there.
func checkReach(ctx context.Context, folder string, b binaries, as *account) error {
	if as == nil || canEnter(ctx, folder, b.program("postgres"), as) {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return unreachable(ctx, folder, as)
}

func canEnter(ctx context.Context, folder, program string, as *account) bool {
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Dir = folder
	confine(cmd, as, stopKill)
	return !errors.Is(cmd.Run(), os.ErrPermission)
}

// unreachable makes the error for a folder, naming the first one on the way that shuts the account out.
func unreachable(ctx context.Context, folder string, as *account) error {
	var way []string
	for dir := folder; ; dir = filepath.Dir(dir) {
		way = append([]string{dir}, way...)
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if !canEnter(ctx, way[0], trueProgram, as) {
		return fmt.Errorf("root may not run Postgres, and this root may not act as the user %s: run as an ordinary user", as.name)
	}
	for _, dir := range way {
		if !canEnter(ctx, dir, trueProgram, as) {
			return &UnreachableError{Folder: folder, Blocker: dir, Account: as.name}
		}
	}
	return &UnreachableError{Folder: folder, Blocker: folder, Account: as.name}
}

// trueProgram is a harmless program that every system with accounts has.
const trueProgram = "/bin/sh"
