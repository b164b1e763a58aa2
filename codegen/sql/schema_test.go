package sql_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// programs returns the programs of testdata by name.
func programs(t *testing.T) map[string]*ir.Program {
	t.Helper()
	files, err := filepath.Glob("testdata/*.ir.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	found := make(map[string]*ir.Program)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p ir.Program
		if err := json.Unmarshal(data, &p); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		found[strings.TrimSuffix(filepath.Base(file), ".ir.json")] = &p
	}
	return found
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	path := filepath.Join("testdata", file)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; run with -update and look at the difference\n%s", file, got)
	}
}

func TestSchemaGolden(t *testing.T) {
	for name, p := range programs(t) {
		got, err := sql.Schema(p, sql.Options{})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".schema.sql", got)
		golden(t, name+".hosted.sql", sql.HostedSchema(p))
	}
}

func TestSchemaPlacement(t *testing.T) {
	p := programs(t)["tickets"]
	got, err := sql.Schema(p, sql.Options{Schema: "my own", ViewSchema: "read", Fork: "o'fork"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`CREATE SCHEMA IF NOT EXISTS "my own";`, `CREATE TABLE "my own"."tickets@1"`,
		`CREATE VIEW "read"."tickets" AS`, `FROM "my own"."tickets@1"`, `'o''fork'`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(got, `"causetc".`) {
		t.Error("the default schema is used beside the one asked for")
	}
}

func TestFit(t *testing.T) {
	long := strings.Repeat("é", 40)
	seen := make(map[string]string)
	for _, name := range []string{"a", "a@1", long, long + "x", "x" + long, "nul\x00", "nul?", "bad\xff"} {
		for _, suffix := range []string{"", "@", "@12"} {
			got := sql.Fit(name, suffix)
			if len(got) > 63 || !strings.HasSuffix(got, suffix) || strings.ContainsRune(got, 0) || strings.ToValidUTF8(got, "") != got {
				t.Errorf("Fit(%q, %q) = %q", name, suffix, got)
			}
			if before, ok := seen[got]; ok && before != name+suffix {
				t.Errorf("%q and %q are both %q", before, name+suffix, got)
			}
			seen[got] = name + suffix
		}
	}
}

func TestLiteral(t *testing.T) {
	for in, want := range map[string]string{"": "''", "it's": "'it''s'", `\'; --`: `E'\\''; --'`} {
		if got := sql.Literal(in); got != want {
			t.Errorf("Literal(%q) = %s, want %s", in, got, want)
		}
	}
}
