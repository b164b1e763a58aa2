package main

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// builtIR is the compiled form of the tickets app.
func builtIR(t *testing.T) []byte {
	t.Helper()
	out := t.TempDir()
	causetc(t, "build", filepath.Join(specs, "tickets"), "-o", out).want(t, exitClean)
	data, err := os.ReadFile(filepath.Join(out, "app.ir.json"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestHostileIR gives files that are no program, or no longer one, to run and to query.
func TestHostileIR(t *testing.T) {
	good := string(builtIR(t))
	for name, test := range map[string]struct{ text, message string }{
		"empty":             {"", "line 1"},
		"white space":       {" \n\n", "not a valid IR file"},
		"a word":            {"hello", "line 1"},
		"binary":            {"\x7fELF\x00\x01\xff", "line 1"},
		"UTF-16":            {"\xff\xfe{\x00}\x00", "line 1"},
		"a list":            {"[]", "array"},
		"null":              {"null", "format"},
		"nothing in it":     {"{}", "format"},
		"a text as version": {`{"format": "one"}`, "format"},
		"a huge version":    {`{"format": 1` + strings.Repeat("0", 1000) + `}`, "format"},
		"a newer version":   {strings.Replace(good, `"format": 1`, `"format": 2`, 1), "newer causetc"},
		"version 0":         {strings.Replace(good, `"format": 1`, `"format": 0`, 1), "version 0"},
		"an unknown key":    {strings.Replace(good, `"app":`, `"nobody": 1, "app":`, 1), "nobody"},
		"a wrong hash":      {strings.Replace(good, `"app": "tickets"`, `"app": "tickest"`, 1), "corrupted"},
		"a second program":  {good + good, "line"},
		"a NUL at the end":  {good + "\x00", "line"},
		"deep":              {strings.Repeat("[", 100_000), "nested"},
		"deep in a program": {`{"format": 1, "groups": ` + strings.Repeat("[", 100_000), "nested"},
		"CRLF and a mark":   {"\ufeff" + good, "line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.ir.json")
			write(t, path, test.text)
			causetc(t, "run", "--embedded", "--until-end", path).want(t, exitUsage, path, test.message)
			causetc(t, "query", "--embedded", "--data", t.TempDir(), path, "get_ticket").want(t, exitUsage, path, test.message)
		})
	}
}

// TestTruncatedIR cuts a program anywhere.
func TestTruncatedIR(t *testing.T) {
	good := bytes.TrimSpace(builtIR(t))
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "app.ir.json")
	for range 100 {
		write(t, path, string(good[:r.IntN(len(good))]))
		causetc(t, "run", "--embedded", path).want(t, exitUsage, path)
	}
}

// TestDamagedIR changes bits and bytes anywhere: what is changed but white space is noticed, and nothing is started.
func TestDamagedIR(t *testing.T) {
	good := builtIR(t)
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "app.ir.json")
	rounds := 400
	if testing.Short() {
		rounds = 50
	}
	harmless := 0
	for range rounds {
		damaged := damage(r, good)
		write(t, path, string(damaged))
		got := causetc(t, "query", "--embedded", "--data", t.TempDir(), path, "no_such_query")
		if sameJSON(good, damaged) {
			harmless++
			got.want(t, exitUsage, "no_such_query")
			continue
		}
		got.want(t, exitUsage, path)
		if strings.Contains(got.stderr, "no_such_query") {
			t.Errorf("the damage was not noticed: %s", firstDifference(string(good), string(damaged)))
		}
	}
	if harmless > rounds/2 {
		t.Errorf("%d of %d changes were harmless", harmless, rounds)
	}
}

// damage changes up to three places of a text.
func damage(r *rand.Rand, text []byte) []byte {
	damaged := bytes.Clone(text)
	for range 1 + r.IntN(3) {
		at := r.IntN(len(damaged))
		switch r.IntN(4) {
		case 0:
			damaged[at] ^= 1 << r.IntN(8)
		case 1:
			damaged[at] = byte(r.IntN(256))
		case 2:
			damaged = append(damaged[:at], damaged[at+1:]...)
		default: // a piece again
			end := min(len(damaged), at+1+r.IntN(200))
			damaged = append(damaged[:end], append(bytes.Clone(damaged[at:end]), damaged[end:]...)...)
		}
	}
	return damaged
}

// sameJSON reports whether two texts differ in white space between tokens at most.
func sameJSON(a, b []byte) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, a) == nil && json.Compact(&y, b) == nil && bytes.Equal(x.Bytes(), y.Bytes())
}

// TestBigIR gives the largest files that are read, made of what costs most, to a process whose memory is watched.
func TestBigIR(t *testing.T) {
	if testing.Short() {
		t.Skip("large files")
	}
	const full = 32 << 20
	for name, text := range map[string]string{
		"too large":  strings.Repeat(" ", full+1),
		"empty maps": `{"format": 1, "groups": [` + strings.Repeat("{},", 1<<20-100) + "{}]}",
		"a text":     `{"format": 1, "app": "` + strings.Repeat("x", full-100) + `"}`,
		"escapes":    `{"format": 1, "app": "` + strings.Repeat(`\u0001`, full/6-100) + `"}`,
		"a number":   `{"format": ` + strings.Repeat("1", full-100) + `}`,
		"lists":      `{"format": 1, "groups": [` + strings.Repeat("[],", 1<<20-100) + "[]]}",
		"names":      `{"format": 1, "groups": [{` + strings.Repeat(`"name":"aaaaaaaa",`, 1<<20-100) + `"name":"b"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "app.ir.json")
			write(t, path, text)
			r := runBounded(t, "run", "--embedded", path)
			r.want(t, exitUsage, path)
			if len(r.stderr) > 20_000 {
				t.Errorf("a message of %d bytes: %.300s", len(r.stderr), r.stderr)
			}
		})
	}
}

// TestNoFiles names programs that can't be read.
func TestNoFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{filepath.Join(dir, "missing.json"), filepath.Join(dir, "missing.causet"), dir, os.DevNull} {
		causetc(t, "run", "--embedded", name).want(t, exitUsage, filepath.Base(name))
		causetc(t, "lint", name).want(t, exitUsage, filepath.Base(name))
		causetc(t, "build", name, "-o", filepath.Join(dir, "out")).want(t, exitUsage, filepath.Base(name))
	}
	folder := filepath.Join(dir, "app.ir.json")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	causetc(t, "run", "--embedded", folder).want(t, exitUsage, folder)
}
