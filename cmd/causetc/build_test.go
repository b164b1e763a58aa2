package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
)

// TestBuildIsReproducible builds copies of the test apps in other folders, from files in another order, on one processor:
// the bytes are the same.
func TestBuildIsReproducible(t *testing.T) {
	for _, app := range []string{"tickets", "wallet", "compile-ops", "compile-queries"} {
		t.Run(app, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(specs, app)
			want := build(t, nil, dir)
			twin := filepath.Join(t.TempDir(), "a very different name", "x")
			if err := os.CopyFS(twin, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			if got := build(t, []string{"GOMAXPROCS=1", "TZ=Asia/Kathmandu", "LANG=tr_TR.UTF-8"}, twin); got != want {
				t.Errorf("another folder: %s", firstDifference(want, got))
			}
			if got := build(t, nil, dir); got != want {
				t.Errorf("again: %s", firstDifference(want, got))
			}
			reverseManifest(t, filepath.Join(twin, "app.causet"))
			if got := build(t, nil, twin); got != want {
				t.Errorf("includes in another order: %s", firstDifference(want, got))
			}
		})
	}
}

// build returns both files of a build in a process of its own.
func build(t *testing.T, env []string, spec string) string {
	t.Helper()
	out := t.TempDir()
	cmd := command(t, "build", spec, "-o", out)
	cmd.Env = append(cmd.Env, env...)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	var both strings.Builder
	for _, name := range []string{"app.ir.json", "schema.sql"} {
		data, err := os.ReadFile(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		both.Write(data)
	}
	return both.String()
}

// reverseManifest turns the order of the includes round, in the kinds and in their lists.
func reverseManifest(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	root := doc.Content[0]
	for i := 0; i < len(root.Content); i += 2 {
		if root.Content[i].Value == "includes" {
			reverseNodes(root.Content[i+1])
		}
	}
	data, err = yaml.Marshal(&doc)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, string(data))
}

func reverseNodes(n *yaml.Node) {
	step := 1
	if n.Kind == yaml.MappingNode {
		step = 2
	}
	var turned []*yaml.Node
	for i := len(n.Content) - step; i >= 0; i -= step {
		turned = append(turned, n.Content[i:i+step]...)
	}
	n.Content = turned
	for _, child := range n.Content {
		reverseNodes(child)
	}
}

// TestBuildsAtOnce writes two programs to one place at the same time: whoever wins, each file is whole.
func TestBuildsAtOnce(t *testing.T) {
	t.Parallel()
	out := t.TempDir()
	for range 5 {
		var wait sync.WaitGroup
		for _, app := range []string{"tickets", "wallet", "tickets", "wallet"} {
			wait.Go(func() { causetc(t, "build", filepath.Join(specs, app), "-o", out).want(t, exitClean) })
		}
		wait.Wait()
		causetc(t, "query", filepath.Join(out, "app.ir.json"), "no_such_query", "--embedded", "--data", out).want(t, exitUsage, "no_such_query")
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 2 {
		t.Errorf("left behind: %v %v", entries, err)
	}
}

// TestSchemaSQLIsWhatMigrationMakes applies schema.sql with the program that operators use, where it is installed, and runs
// without --auto-migrate.
func TestSchemaSQLIsWhatMigrationMakes(t *testing.T) {
	t.Parallel()
	psql, err := exec.LookPath("psql")
	if err != nil {
		t.Skip("no psql")
	}
	out, db := t.TempDir(), server.database(t)
	causetc(t, "build", filepath.Join(specs, "tickets"), "-o", out).want(t, exitClean)
	if text, err := exec.Command(psql, "-v", "ON_ERROR_STOP=1", "-f", filepath.Join(out, "schema.sql"), db).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	args := append([]string{"run", filepath.Join(out, "app.ir.json"), "--db-url", db, "--brokers",
		broker(t, "causet.projection-events.v1", "causet.projection-dlq.v1")}, once...)
	causetc(t, args...).want(t, exitClean)
}

// TestSpecSchemaAcceptsGoodSpecs holds the schema for editors to all test specs that lint without an error.
func TestSpecSchemaAcceptsGoodSpecs(t *testing.T) {
	schema := commandSchema(t, "spec")
	files, err := filepath.Glob(filepath.Join(specs, "*", "good.causet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"app.causet", "*/*.causet"} {
		more, err := filepath.Glob(filepath.Join(specs, "*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	if len(files) < 20 {
		t.Fatalf("only %d specs", len(files))
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var tree any
		if err := yaml.Unmarshal(data, &tree); err != nil {
			continue // what this library refuses and we read
		}
		encoded, err := json.Marshal(tree)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		if err := json.NewDecoder(bytes.NewReader(encoded)).Decode(&tree); err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(tree); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

// TestIRSchemaAcceptsBuilds holds the schema of IR files to what build writes.
func TestIRSchemaAcceptsBuilds(t *testing.T) {
	var tree any
	if err := json.Unmarshal(builtIR(t), &tree); err != nil {
		t.Fatal(err)
	}
	if err := commandSchema(t, "ir").Validate(tree); err != nil {
		t.Error(err)
	}
}

// TestFindingsSchema holds the schema of findings to the findings of all bad test specs, and makes sure that it refuses
// something.
func TestFindingsSchema(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(specs, "*", "bad.causet"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d specs, %v", len(files), err)
	}
	for _, file := range files {
		r := causetc(t, "lint", "--format", "json", "--fail-on", "never", file)
		r.want(t, exitClean)
		if doc := decodeFindings(t, r.stdout); len(doc.Findings) == 0 {
			t.Errorf("%s: no findings", file)
		}
	}
	for _, text := range []string{`{}`, `{"version": 1, "findings": [{}], "summary": {}}`} {
		var tree any
		if err := json.Unmarshal([]byte(text), &tree); err != nil {
			t.Fatal(err)
		}
		if findingsSchema(t).Validate(tree) == nil {
			t.Errorf("the schema accepts %s", text)
		}
	}
}
