// Command lint measures lint on a generated program with all kinds of references: the CPU time against that of yaml.v3's
// bare parse of the same files, how it grows when the program doubles, and the peak memory. Each measurement is a process
// of its own, and the two are taken in turn. With -watch it measures instead how much faster lint --watch is once it knows
// the program.
//
//	go run ./benchmarks/lint [-watch] [-n 10000] [-rounds 3]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/benchmarks/peak"
	"github.com/causetc/causetc/codegen"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "lint:", err)
		os.Exit(1)
	}
}

func run() error {
	n := flag.Int("n", 10_000, "projections of the program; it is measured with twice as many, too")
	rounds := flag.Int("rounds", 3, "measurements of each kind, of which the fastest counts")
	watch := flag.Bool("watch", false, "measure the second lint of lint --watch against the first")
	profile := flag.String("cpuprofile", "", "write a CPU profile of one lint to this file, and measure nothing")
	lintDir := flag.String("lint", "", "lint the program in this folder, once")
	yamlDir := flag.String("yaml", "", "parse the YAML files in this folder, once")
	flag.Parse()
	switch {
	case *lintDir != "":
		return lint(*lintDir)
	case *yamlDir != "":
		return bare(*yamlDir)
	case *profile != "":
		return profileLint(*profile, *n)
	case *watch:
		return compareWatch(*n, max(*rounds, 1))
	}
	return compare(*n, max(*rounds, 1))
}

// compare measures n and 2n projections, and prints both.
func compare(n, rounds int) error {
	var times []time.Duration
	for _, size := range []int{n, 2 * n} {
		lintTime, err := measureSize(size, rounds)
		if err != nil {
			return err
		}
		times = append(times, lintTime)
	}
	fmt.Printf("twice as many projections take %.2f times the CPU time\n", ratio(times[1], times[0]))
	return nil
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// measureSize measures one program, and returns the CPU time of its lint.
func measureSize(n, rounds int) (time.Duration, error) {
	dir, err := os.MkdirTemp("", "causetc-lint-*")
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	files, size, err := generate(dir, n)
	if err != nil {
		return 0, err
	}
	var lints, bares []usage
	for range rounds {
		b, err := measure("-yaml", dir)
		if err != nil {
			return 0, err
		}
		l, err := measure("-lint", dir)
		if err != nil {
			return 0, err
		}
		bares, lints = append(bares, b), append(lints, l)
	}
	l, b := fastest(lints), fastest(bares)
	fmt.Printf("%d projections in %d files, %.1f MB\n", n, files, float64(size)/1e6)
	fmt.Printf("  yaml.v3, bare  %6.2f s CPU, %5d MiB\n", b.cpu.Seconds(), b.memory>>20)
	fmt.Printf("  lint           %6.2f s CPU, %5d MiB, %.2f times the bare parse\n", l.cpu.Seconds(), l.memory>>20, ratio(l.cpu, b.cpu))
	return l.cpu, nil
}

// usage is what one process used.
type usage struct {
	cpu    time.Duration // user and system
	memory int64         // the most resident bytes; 0 where that can't be told
}

func fastest(list []usage) usage {
	return slices.MinFunc(list, func(a, b usage) int { return int(a.cpu - b.cpu) })
}

// measure runs this program once more with one task.
func measure(task, dir string) (usage, error) {
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	cmd := exec.Command(self, task, dir)
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s: %w", task, err)
	}
	return usage{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), peak.Memory(cmd.ProcessState)}, nil
}

// lint judges a program as the command does: by the rules, and by compiling it. It must have no errors and no warnings: else something else is measured.
func lint(dir string) error {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // as the command does
	loaded, err := parser.Load(context.Background(), parser.Options{Args: []string{dir}})
	if err != nil {
		return err
	}
	found, err := analyzer.Run(context.Background(), loaded, analyzer.Options{})
	if err != nil {
		return err
	}
	for _, d := range found {
		if d.Severity >= spec.Warning {
			f := loaded.Program.Set.File(d.Span.Start)
			return fmt.Errorf("the generated program has a finding: %s:%d: %s [%s]", f.Path, f.Position(d.Span.Start).Line, d.Message, d.Rule)
		}
	}
	if _, problems := codegen.Compile(loaded.Program, codegen.Options{CheckOnly: true}); len(problems) > 0 {
		return fmt.Errorf("the generated program does not compile: %s", problems[0].Message)
	}
	return nil
}

// bare parses all files of a folder and forgets them.
func bare(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var n yaml.Node
		return yaml.Unmarshal(text, &n)
	})
}

func profileLint(path string, n int) error {
	dir, err := os.MkdirTemp("", "causetc-lint-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if _, _, err := generate(dir, n); err != nil {
		return err
	}
	out, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	err = lint(dir)
	pprof.StopCPUProfile()
	return errors.Join(err, out.Close())
}

// perFile is how many projections a part has.
var perFile = strings.Count(part[strings.Index(part, "\nprojections:"):strings.Index(part, "\nqueries:")], "source_events:")
