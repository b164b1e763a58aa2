package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// BinDirVariable is the environment variable that names the folder of the Postgres server's binaries.
const BinDirVariable = "CAUSETC_POSTGRES_BIN"

// oldestMajor is the oldest Postgres that is used.
const oldestMajor = 13

// places says where server binaries are looked for.
type places struct {
	path    string   // as the variable PATH
	folders []string // glob patterns of the systems' usual folders
}

// usualPlaces are those of this machine.
func usualPlaces() places {
	p := places{path: os.Getenv("PATH")}
	if runtime.GOOS == "windows" {
		p.folders = []string{filepath.Join(os.Getenv("ProgramFiles"), "PostgreSQL", "*", "bin")}
		return p
	}
	p.folders = []string{
		"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
		"/usr/lib/postgresql*/bin",  // Gentoo, SUSE
		"/usr/libexec/postgresql*",  // Alpine
		"/usr/pgsql-*/bin",          // the project's own packages for Red Hat
		"/usr/local/pgsql/bin",      // built from source
		"/opt/homebrew/opt/postgresql*/bin",
		"/usr/local/opt/postgresql*/bin",
		"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
		"/opt/local/lib/postgresql*/bin", // MacPorts
		"/Applications/Postgres.app/Contents/Versions/*/bin",
		"/Library/PostgreSQL/*/bin",
	}
	return p
}

// binaries is a folder with the programs of one Postgres server.
type binaries struct {
	dir   string
	major int
}

func (b binaries) program(name string) string { return filepath.Join(b.dir, programFile(name)) }

func programFile(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// candidates lists the folders that hold both programs we need: first those of PATH, then the usual ones, newest first.
func (p places) candidates() []string {
	var found []string
	add := func(dir string) {
		if hasPrograms(dir) && !slices.Contains(found, dir) {
			found = append(found, dir)
		}
	}
	for _, dir := range filepath.SplitList(p.path) {
		for _, name := range []string{"postgres", "initdb"} {
			if real, err := filepath.EvalSymlinks(filepath.Join(dir, programFile(name))); err == nil && filepath.IsAbs(real) {
				add(filepath.Dir(real))
			}
		}
	}
	var usual []string
	for _, pattern := range p.folders {
		matches, _ := filepath.Glob(pattern)
		usual = append(usual, matches...)
	}
	slices.SortStableFunc(usual, func(a, b string) int { return cmp.Compare(folderVersion(b), folderVersion(a)) })
	for _, dir := range usual {
		add(dir)
	}
	return found
}

func hasPrograms(dir string) bool {
	for _, name := range []string{"postgres", "initdb"} {
		if info, err := os.Stat(filepath.Join(dir, programFile(name))); err != nil || info.IsDir() {
			return false
		}
	}
	return true
}

// folderVersion is the last number in a path, for order only; a folder without one comes last.
func folderVersion(dir string) float64 {
	numbers := regexp.MustCompile(`\d+(\.\d+)?`).FindAllString(dir, -1)
	if len(numbers) == 0 {
		return 0
	}
	version, _ := strconv.ParseFloat(numbers[len(numbers)-1], 64)
	return version
}

// examine asks the server for its version, as the account that will run it.
func examine(ctx context.Context, dir string, as *account) (binaries, error) {
	if !hasPrograms(dir) {
		return binaries{}, fmt.Errorf("%s does not hold both postgres and initdb", dir)
	}
	b := binaries{dir: dir}
	cmd := exec.CommandContext(ctx, b.program("postgres"), "--version")
	cmd.Env = serverEnvironment()
	cmd.Dir = filepath.VolumeName(dir) + string(filepath.Separator)
	confine(cmd, as, stopKill)
	out, err := cmd.Output()
	if err != nil {
		if as != nil && errors.Is(err, os.ErrPermission) {
			return binaries{}, unreachable(ctx, dir, as)
		}
		return binaries{}, fmt.Errorf("%s: %w", b.program("postgres"), err)
	}
	// As in "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)" or "... 19beta1".
	match := regexp.MustCompile(`\) (\d+)`).FindSubmatch(out)
	if match == nil {
		return binaries{}, fmt.Errorf("%s: no version in %q", b.program("postgres"), strings.TrimSpace(string(out)))
	}
	b.major, err = strconv.Atoi(string(match[1]))
	return b, err
}

// suits says why binaries can't be used for a cluster of the given major version (0: a new one).
func (b binaries) suits(clusterMajor int) error {
	if b.major < oldestMajor {
		return fmt.Errorf("%s is Postgres %d, older than %d", b.dir, b.major, oldestMajor)
	}
	if clusterMajor != 0 && clusterMajor != b.major {
		return fmt.Errorf("%s is Postgres %d, but the data was made by Postgres %d", b.dir, b.major, clusterMajor)
	}
	return nil
}

// findBinaries takes the folder that the caller or the variable names, else the first suitable one of this machine, else
// fetches one.
func (s *starter) findBinaries(ctx context.Context, clusterMajor int) (binaries, error) {
	if dir := cmp.Or(s.cfg.BinDir, os.Getenv(BinDirVariable)); dir != "" {
		dir, err := filepath.Abs(dir)
		if err != nil {
			return binaries{}, err
		}
		return tryBinaries(ctx, dir, s.account, clusterMajor)
	}
	var refused []error
	for _, dir := range s.places.candidates() {
		b, err := tryBinaries(ctx, dir, s.account, clusterMajor)
		if err == nil || ctx.Err() != nil {
			return b, err
		}
		refused = append(refused, err)
	}
	b, err := s.fetchBinaries(ctx, clusterMajor)
	if err != nil {
		return binaries{}, errors.Join(append([]error{err}, refused...)...)
	}
	return b, nil
}

func tryBinaries(ctx context.Context, dir string, as *account, clusterMajor int) (binaries, error) {
	b, err := examine(ctx, dir, as)
	if err == nil {
		err = b.suits(clusterMajor)
	}
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", ErrNoPostgres, err)
	}
	return b, err
}
