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

// mistake is one change of a test spec.
type mistake struct {
	spec, file string
	old, wrong string
}

// mistakes are each such that many rules could complain: wrong names of a definition, which then all uses miss, and of uses,
// which then leave the definition unused; and parts that can't be read, which then seem to be missing.
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
	{"everything", "states.causet", "name: reminders, type", "name: remindrs, type"},
	{"everything", "states.causet", "        item_type: object\n", "        item_type: string\n"},
	{"everything", "events.causet", "    entity_expr: event.mechanic_id\n    payload: { mechanic_id: string }", "    entity_expr:\n    payload: { mechanic_id: string }"},
	{"everything", "actions/jobs.causet", "entity.decisions.triage.output.severity > 3", "entity.decisions/triage > 3"},
	{"everything", "actions/jobs.causet", "cents: entity.cost.cents", "cents: entity.cost/cents"},
	{"everything", "actions/jobs.causet", "cents: entity.cost.cents", "cents: entity/cost/cents"},
	{"everything", "actions/jobs.causet", "            - { op: compute_regen }\n", "            - { op: continue }\n"},
	{"everything", "actions/shop.causet", "          then:\n            - { op: set, path: /active, value: false }", "          than:\n            - { op: set, path: /active, value: false }"},
	{"everything", "actions/shop.causet", "op: emit, event_type: MECHANIC_LEFT, ", "op: emit, "},
	{"everything", "actions/shop.causet", "event_type: MECHANIC_LEFT, payload: { mechanic_id: intent.mechanic_id }", "event_type: MECHANIC_LEFT, payload: x"},
	{"everything", "actions/shop.causet", "expr: known != null\n", "exp: known != null\n"},
	{"everything", "links.causet", "created: WORK_STARTED", "creatd: WORK_STARTED"},
	{"everything", "models.causet", "    prompt: thank\n", ""},
	{"everything", "models.causet", "    input: { job_id: string, customer_id: string }\n", ""},
	{"everything", "models.causet", "    provider: sorter\n", ""},
	{"everything", "payment.causet", "abort_event: PAYMENT_FAILED", "abort_evnt: PAYMENT_FAILED"},
	{"everything", "projections/jobs.causet", "- { columns: [customer_id, status] }", "- { unique: true }"},
	{"everything", "projections/jobs.causet", "field: shard_id, partitions: 4", "field: shard_id, partitions: four"},
	{"everything", "projections/jobs.causet", "primary_key: [shard_id, job_id]", "primary_key: [shard_idd, job_id]"},
	{"everything", "projections/shop.causet", "bucket: { field: event.ts, interval: 1h }", "bucket: 1h"},
	{"everything", "projections/shop.causet", "      WORK_ENDED: { op: upsert }", "      WORK_ENDED: insert"},
	{"everything", "projections/shop.causet", "        deliveries: add", "        deliveries: max"},
	{"everything", "projections/shop.causet", "    source_events: [WORK_ENDED]\n", ""},
	{"everything", "queries.causet", "    from: hourly", "    from:"},
	{"everything", "queries.causet", "    where: { job_id: { eq: input.job_id } }", "    where: { job_id: input.job_id }"},
	{"everything", "queries.causet", "window: { allowed: [1h, 24h, 7d] }", "window: { alowed: [1h, 24h, 7d] }"},
	{"everything", "queries.causet", "{ left: fittings.job_id, right: jobs.job_id }", "{ left: fittings.job_id, rigth: jobs.job_id }"},
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
