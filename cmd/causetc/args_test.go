package main

import (
	"bytes"
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// TestFlagsOnBothSides tries every flag of every command after the arguments: it must mean the same as before them.
func TestFlagsOnBothSides(t *testing.T) {
	var out bytes.Buffer
	for _, cmd := range newApp(&out, &out, &out).Commands {
		for _, flag := range cmd.Flags {
			for _, name := range flag.Names() {
				t.Run(cmd.Name+"/"+name, func(t *testing.T) { tryFlag(t, cmd.Name, flag, name) })
			}
		}
	}
}

func tryFlag(t *testing.T, command string, flag cli.Flag, name string) {
	dashes := "--"
	if len(name) == 1 {
		dashes = "-"
	}
	words := []string{dashes + name}
	if _, isBool := flag.(*cli.BoolFlag); !isBool {
		words = append(words, sampleValue(flag))
	}
	before := append(append([]string{"causetc", command}, words...), "one", "two,three")
	after := append([]string{"causetc", command, "one", "two,three"}, words...)
	between := append(append([]string{"causetc", command, "one"}, words...), "two,three")
	want := parsed(t, before, command, name)
	if !reflect.DeepEqual(want.args, []string{"one", "two,three"}) || !want.set {
		t.Fatalf("flags first: got %+v", want)
	}
	for _, args := range [][]string{after, between} {
		if got := parsed(t, args, command, name); !reflect.DeepEqual(got, want) {
			t.Errorf("%v: got %+v, want %+v", args, got, want)
		}
	}
}

type parsedLine struct {
	args  []string
	set   bool
	value string
}

// parsed runs a command line with the command's action replaced by one that looks at what arrived.
func parsed(t *testing.T, args []string, command, flag string) parsedLine {
	var out bytes.Buffer
	app := newApp(&out, &out, &out)
	var got parsedLine
	app.Command(command).Action = func(c *cli.Context) error {
		got = parsedLine{args: c.Args().Slice(), set: c.IsSet(flag), value: strings.TrimSpace(flagText(c, flag))}
		return nil
	}
	if err := app.RunContext(context.Background(), flagsFirst(app, args)); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	return got
}

func flagText(c *cli.Context, name string) string {
	if s := c.StringSlice(name); len(s) > 0 {
		return strings.Join(s, "|")
	}
	return c.String(name)
}

func sampleValue(flag cli.Flag) string {
	switch flag.(type) {
	case *cli.IntFlag, *cli.Int64Flag, *cli.Float64Flag:
		return "7"
	case *cli.DurationFlag:
		return "7s"
	}
	return "a,b"
}

// TestDoubleDashEndsFlags keeps an argument that looks like a flag.
func TestDoubleDashEndsFlags(t *testing.T) {
	var out bytes.Buffer
	app := newApp(&out, &out, &out)
	got := flagsFirst(app, []string{"causetc", "lint", "a", "--", "--format", "b"})
	want := []string{"causetc", "lint", "--", "a", "--format", "b"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestUnknownFlagsAndCommands end with the code for wrong use and a message that names the word.
func TestUnknownFlagsAndCommands(t *testing.T) {
	for _, args := range [][]string{
		{"causetc", "lint", ".", "--formt", "json"},
		{"causetc", "lnt"},
		{"causetc", "version", "extra"},
		{"causetc", "build"},
		{"causetc", "query"},
		{"causetc", "run"},
	} {
		var stdout, stderr bytes.Buffer
		if code := execute(t.Context(), args, strings.NewReader(""), &stdout, &stderr); code != exitUsage {
			t.Errorf("%v: exit code %d, want %d; stderr: %s", args, code, exitUsage, stderr.String())
		}
		if stderr.Len() == 0 {
			t.Errorf("%v: no message", args)
		}
	}
}
