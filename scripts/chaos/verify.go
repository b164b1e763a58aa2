//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"github.com/twmb/franz-go/pkg/kadm"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/runtime/invariant"
)

// outcome is what a trial found.
type outcome struct {
	violations []string
	report     *invariant.Report // before the dead letters are replayed
}

func (o *outcome) blame(format string, args ...any) {
	o.violations = append(o.violations, fmt.Sprintf(format, args...))
}

// verify looks at what the trial has left, replays dead letters and looks again, and ends with what must stop every worker.
func (t *trial) verify(ctx context.Context) (*outcome, error) {
	o := &outcome{violations: t.fleet.faults}
	t.deployment.DSN = t.database.dsn()
	var err error
	if o.report, err = t.check(ctx, o); err != nil {
		return o, err
	}
	if err := t.replay(ctx); err != nil {
		return o, err
	}
	if _, err := t.check(ctx, o); err != nil {
		return o, err
	}
	return o, t.outside(ctx, o)
}

func (t *trial) check(ctx context.Context, o *outcome) (*invariant.Report, error) {
	report, err := t.deployment.Check(ctx, true)
	if err != nil {
		return nil, err
	}
	for _, v := range report.Violations {
		o.blame("%s: %s", v.Invariant, v.Text)
	}
	return report, nil
}

// explain tells which invariants are broken already where the workers don't come to rest.
func (t *trial) explain(ctx context.Context, cause error) error {
	if !errors.Is(cause, errRestless) {
		return nil
	}
	t.deployment.DSN = t.database.dsn()
	report, err := t.deployment.Check(ctx, false)
	if err != nil {
		return err
	}
	for _, v := range report.Violations {
		err = errors.Join(err, fmt.Errorf("%s: %s", v.Invariant, v.Text))
	}
	return err
}

// replay lets the database accept everything, and replays the dead letters of convergent tables twice: with ordered ones the
// time of the replay would count.
func (t *trial) replay(ctx context.Context) error {
	for _, table := range invariant.RefusingTables {
		if err := t.database.exec(ctx, "ALTER TABLE "+sql.Qualified("causetc", table+"@1")+" DROP CONSTRAINT no_refused_notes"); err != nil {
			return err
		}
	}
	for _, group := range []string{"balances", "profiles", "balances"} {
		out, err := exec.CommandContext(ctx, t.binary, "dlq", "replay", t.program, "--group", group, "--db-url", t.proxy.dsn()).CombinedOutput()
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 { // what can't be evaluated fails again
			continue
		}
		if err != nil {
			return fmt.Errorf("replaying %s: %w: %s", group, err, out)
		}
	}
	return nil
}

// outside is I12: the log loses what was not consumed, and then is made anew. Both stop every worker, and move nothing.
func (t *trial) outside(ctx context.Context, o *outcome) error {
	if err := t.producer.connect(); err != nil {
		return err
	}
	if err := t.producer.batch(ctx, 200); err != nil {
		return err
	}
	err := t.admin(ctx, func(admin *kadm.Client) error {
		ends, err := admin.ListEndOffsets(ctx, topic)
		if err != nil {
			return err
		}
		_, err = admin.DeleteRecords(ctx, ends.Offsets())
		return err
	})
	if err != nil {
		return err
	}
	if err := t.mustStop(ctx, o, "records were deleted before they were consumed", "deleted before they were consumed"); err != nil {
		return err
	}
	err = t.admin(ctx, func(admin *kadm.Client) error {
		_, err := admin.DeleteTopics(ctx, topic)
		return err
	})
	if err != nil {
		return err
	}
	if err := t.createTopics(ctx, map[string]int32{topic: partitions}); err != nil {
		return err
	}
	return t.mustStop(ctx, o, "the topic was made anew", "made anew")
}

// mustStop runs a worker that has to end with exit code 2 and a reason.
func (t *trial) mustStop(ctx context.Context, o *outcome, what, reason string) error {
	before, err := t.cursors(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	out, _ := exec.CommandContext(ctx, t.binary, t.workerArgs()...).CombinedOutput() // the exit code and the reason tell
	if ctx.Err() != nil || !strings.Contains(string(out), reason) {
		o.blame("I12: %s, and the worker did not stop for that: %v: %s", what, ctx.Err(), out)
	}
	after, err := t.cursors(ctx)
	if before != after {
		o.blame("I12: %s, and the cursors went from %s to %s", what, before, after)
	}
	return err
}

func (t *trial) cursors(ctx context.Context) (text string, err error) {
	err = t.database.query(ctx, "SELECT string_agg(concat_ws('/', group_name, partition, next), ' ' ORDER BY group_name, partition) FROM causetc.cursors", &text)
	return text, err
}
