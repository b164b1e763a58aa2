package analyzer_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/causetc/causetc/analyzer"
	"github.com/causetc/causetc/parser"
	"github.com/causetc/causetc/spec"
)

// mistake is one wrong name in a test spec.
type mistake struct {
	spec, file string
	old, wrong string
}

// mistakes are wrong names, each of which many rules could complain about: of a definition, which then all uses miss, and
// of uses, which then leave the definition unused.
var mistakes = []mistake{
	{"everything", "events.causet", "  JOB_OPENED:", "  JOB_OPEND:"},
	{"everything", "events.causet", "  PART_FITTED:", "  PART_FITED:"},
	{"everything", "states.causet", "  mechanic:", "  mechnic:"},
	{"everything", "states.causet", "name: cost/cents", "name: cost/cnts"},
	{"everything", "resources.causet", "  grades:", "  grads:"},
	{"everything", "models.causet", "  sort_job:", "  sort_jobs:"},
	{"everything", "models.causet", "  triage:", "  triag:"},
	{"everything", "models.causet", "  past_jobs:", "  past_job:"},
	{"everything", "models.causet", "  sorter:", "  sortr:"},
	{"everything", "links.causet", "  works_on:", "  work_on:"},
	{"everything", "links.causet", "created: WORK_STARTED", "created: WORK_STARTD"},
	{"everything", "projections/jobs.causet", "sku: event.payload.sku", "sk: event.payload.sku"},
	{"everything", "projections/jobs.causet", "{ fitting_id: TEXT, job_id: TEXT, sku: TEXT", "{ fitting_id: TEXT, job_id: TEXT, sk: TEXT"},
	{"everything", "projections/shop.causet", "  counted:\n", "  counte:\n"},
	{"everything", "projections/shop.causet", "bucket: { field: event.ts", "bucket: { field: evnt.ts"},
	{"everything", "queries.causet", "from: fittings", "from: fitings"},
	{"everything", "queries.causet", "input.job_id", "input.jobid"},
	{"everything", "queries.causet", "    input: { job_id: { type: string, required: true } }", "    input: { jobid: { type: string, required: true } }"},
	{"everything", "actions/jobs.causet", "      customer_id: { type: string, required: true }", "      custmer_id: { type: string, required: true }"},
	{"everything", "actions/jobs.causet", "into: mechanic,", "into: mechanik,"},
	{"everything", "actions/jobs.causet", "event_type: PART_FITTED", "event_type: PART_FITED"},
	{"everything", "actions/jobs.causet", "action: TAKE_JOB", "action: TAK_JOB"},
	{"everything", "payment.causet", "  PAYMENT_TICK:", "  PAYMENT_TIK:"},
	{"everything", "payment.causet", "  PAY:\n", "  PAYY:\n"},
	{"everything", "payment.causet", "      - name: payer\n        state: account", "      - name: payer\n        state: acount"},
	{"everything", "actions/jobs.causet", "  REMIND:", "  REMND:"},
	{"tickets", "projections/sales.causet", "TICKET_PURCHASED]", "TICKET_PURCHASD]"},
}

// TestOneFindingACause makes one mistake at a time: there is one finding more than before, whatever its severity.
func TestOneFindingACause(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.spec+" "+strings.TrimSpace(m.wrong), func(t *testing.T) {
			root := filepath.Join("../testdata/specs", m.spec)
			before := findingsOf(t, root, mistake{})
			more := findingsOf(t, root, m)
			for _, line := range before {
				if i := slices.Index(more, line); i >= 0 {
					more = slices.Delete(more, i, i+1)
				}
			}
			if len(more) != 1 {
				t.Errorf("%d findings:\n%s", len(more), strings.Join(more, "\n"))
			}
		})
	}
}

// findingsOf lints a copy of a test spec with a mistake in it.
func findingsOf(t *testing.T, root string, m mistake) []string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(root)); err != nil {
		t.Fatal(err)
	}
	if m.file != "" {
		path := filepath.Join(dir, m.file)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), m.old) {
			t.Fatalf("%s does not hold %q", m.file, m.old)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(text), m.old, m.wrong, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, err := parser.Load(context.Background(), parser.Options{Args: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, d := range run(t, r, analyzer.Options{}) {
		lines = append(lines, line(d))
	}
	return lines
}

func line(d spec.Diagnostic) string {
	return d.Severity.String() + ": " + d.Message + " [" + d.Rule + "]"
}
