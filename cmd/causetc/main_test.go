package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/causetc/causetc/runtime/embedded"
)

// asCommand makes the test binary behave as the command, for tests that kill it.
const asCommand = "CAUSETC_TEST_AS_COMMAND"

func TestMain(m *testing.M) {
	embedded.RunJanitorIfAsked()
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	code := m.Run()
	server.stop()
	os.Exit(code)
}

// command returns a process that runs causetc with the arguments.
func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	return commandContext(t.Context(), t, args...)
}

func commandContext(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, exe, args...)
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// result is what one command line did.
type result struct {
	code           int
	stdout, stderr string
}

// causetc runs a command line in this process.
func causetc(t *testing.T, args ...string) result {
	t.Helper()
	return causetcWith(t, "", args...)
}

// causetcWith runs a command line with a text as standard input.
func causetcWith(t *testing.T, stdin string, args ...string) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code := execute(t.Context(), append([]string{"causetc"}, args...), strings.NewReader(stdin), &stdout, &stderr)
	return result{code: code, stdout: stdout.String(), stderr: stderr.String()}
}

// want checks the exit code and that the output, standard and error, holds all texts.
func (r result) want(t *testing.T, code int, texts ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("exit code %d, want %d\nstdout: %s\nstderr: %s", r.code, code, r.stdout, r.stderr)
	}
	for _, text := range texts {
		if !strings.Contains(r.stdout+r.stderr, text) {
			t.Errorf("the output lacks %q\nstdout: %s\nstderr: %s", text, r.stdout, r.stderr)
		}
	}
}
