package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/store"
	"github.com/causetc/causetc/runtime/worker"
)

func dlqReplayCommand() *cli.Command {
	return &cli.Command{
		Name:      "replay",
		Usage:     "try dead letters again, once each, in their group only and with their original place in the order",
		ArgsUsage: "SPEC|app.ir.json [ID...]",
		Description: `A letter is marked in the transaction that applies it: a replay may be repeated, also beside running workers. What fails again
stays a dead letter, with the attempt added to its history, and is published again. Letters of an older version of a group can't be
replayed: the rebuild that made the newer one has read their events from the topic. Exit code 1: not all were replayed.`,
		Flags: joinFlags([]cli.Flag{
			&cli.BoolFlag{Name: "all", Usage: "replay all that are open"},
			&cli.BoolFlag{Name: "yes", Usage: "also into ordered tables, and by rules that differ from those deployed"},
			formatFlag("text", "json"),
			allowOutsideFlag(),
		}, letterFlags(), embeddedFlags(), databaseFlags(), retryFlags()),
		Action: dlqReplayAction,
	}
}

func dlqReplayAction(c *cli.Context) error {
	if !c.Args().Present() {
		return usagef("replay needs a spec or a compiled program as its first argument")
	}
	if err := noEmptyArguments(c); err != nil {
		return err
	}
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	filter, err := chosenLetters(c, c.Args().Tail())
	if err != nil {
		return err
	}
	retry, err := retryPolicy(c)
	if err != nil {
		return err
	}
	if err := checkKeptDatabase(c); err != nil {
		return err
	}
	log, err := newLog(c)
	if err != nil {
		return err
	}
	program, err := loadProgram(c, c.Args().First())
	if err != nil {
		return err
	}
	return withDatabase(c, func(db *postgres.DB) error {
		r := &replay{db: db, program: program, yes: c.Bool("yes"), notes: c.App.ErrWriter,
			conf: worker.Config{Fork: c.String("fork"), Retry: retry, UntilEnd: true, Log: log}}
		err := r.run(c.Context, filter)
		return errors.Join(r.print(c.App.Writer, format == "json"), err)
	})
}

// replay is one run of the command.
type replay struct {
	db      *postgres.DB
	program *ir.Program
	yes     bool
	notes   io.Writer
	conf    worker.Config
	results []replayResult
}

// The outcomes of a replay.
const (
	replayDone   = "replayed"
	replayFailed = "failed"
	replayLeft   = "left" // untouched, for the reason given
)

// replayResult is what became of one letter.
type replayResult struct {
	ID       string `json:"id"`
	Group    string `json:"group"`
	Outcome  string `json:"outcome"`
	Error    string `json:"error,omitempty"`
	Attempts int    `json:"attempts"`
}

// replayGroup is a group with the letters that it is to try, in the order of its events.
type replayGroup struct {
	group   worker.Group
	letters []postgres.Letter // without their records
}

func (r *replay) run(ctx context.Context, filter postgres.LetterFilter) error {
	letters, err := r.db.Letters(ctx, filter)
	if err != nil {
		return err
	}
	if err := unopenLetters(filter.IDs, letters); err != nil {
		return err
	}
	byGroup := map[string][]postgres.Letter{}
	var names []string
	for _, l := range letters {
		if byGroup[l.Group] == nil {
			names = append(names, l.Group)
		}
		byGroup[l.Group] = append(byGroup[l.Group], l)
	}
	slices.Sort(names)
	var groups []replayGroup
	var warnings []string
	for _, name := range names {
		g, warning, err := r.prepare(ctx, name, byGroup[name])
		if err != nil {
			return err
		}
		if len(g.letters) > 0 {
			groups, warnings = append(groups, g), append(warnings, warning...)
		}
	}
	if err := r.warn(warnings); err != nil {
		return err
	}
	for _, g := range groups {
		if err := r.replayGroup(ctx, g); err != nil {
			return err
		}
	}
	return r.verdict()
}

// warn says what may go wrong, and refuses to go on without --yes.
func (r *replay) warn(warnings []string) error {
	for _, w := range warnings {
		fmt.Fprintf(r.notes, "causetc: %s\n", w)
	}
	if len(warnings) > 0 && !r.yes {
		return usagef("nothing was replayed; give --yes to do it all the same")
	}
	return nil
}

// prepare makes a group ready to try letters, and sorts out those that it can't. The group's letters are empty where it
// can try none.
func (r *replay) prepare(ctx context.Context, name string, letters []postgres.Letter) (g replayGroup, warnings []string, err error) {
	at := slices.IndexFunc(r.program.Groups, func(g ir.Group) bool { return g.Name == name })
	if at < 0 {
		r.leave(letters, "the program has no group "+name)
		return g, nil, nil
	}
	deployed, version, found, err := r.db.Deployed(ctx, name)
	if err != nil {
		return g, nil, err
	}
	if !found {
		r.leave(letters, "group "+name+" is not deployed")
		return g, nil, nil
	}
	for _, l := range letters {
		if l.Version != version {
			r.leave([]postgres.Letter{l}, fmt.Sprintf("it is of version %d of group %s, and version %d is deployed, whose rebuild has read the event from the topic", l.Version, name, version))
		} else {
			g.letters = append(g.letters, l)
		}
	}
	source := r.program.Groups[at]
	warnings, err = r.compare(&source, deployed)
	if err == nil {
		g.group, err = r.ready(ctx, &source, deployed.Hash)
	}
	var deployment *store.DeploymentError
	if errors.As(err, &deployment) {
		r.leave(g.letters, err.Error())
		return replayGroup{}, nil, nil
	}
	return g, warnings, err
}

// compare says what to think of before the letters of a group are tried by the rules of source. The error is a
// *store.DeploymentError where that can't be.
func (r *replay) compare(source, deployed *ir.Group) (warnings []string, err error) {
	if source.Hash != deployed.Hash {
		if same, difference := postgres.SameLayout(source, deployed); !same {
			return nil, &store.DeploymentError{Message: fmt.Sprintf("group %s: %s between the program and what is deployed: rebuild the group", source.Name, difference)}
		}
		warnings = append(warnings, fmt.Sprintf("group %s: the rules of the program differ from those deployed. The letters are tried by the program's; "+
			"the rows of all other events stay as the deployed rules made them, until the group is rebuilt", source.Name))
	}
	for i := range source.Tables {
		if source.Tables[i].Class == ir.Ordered {
			warnings = append(warnings, fmt.Sprintf("table %s is ordered: what a late event does to it depends on the events that came before it (%s)",
				source.Tables[i].Name, strings.Join(source.Tables[i].Reasons, "; ")))
		}
	}
	return warnings, nil
}

// ready makes a group ready by its own rules, in the tables of those that are deployed.
func (r *replay) ready(ctx context.Context, source *ir.Group, deployedHash string) (worker.Group, error) {
	asDeployed := *source
	asDeployed.Hash = deployedHash
	p := *r.program
	p.Groups = []ir.Group{asDeployed}
	d, err := r.db.Check(ctx, &p, r.conf.Fork)
	if err != nil {
		return worker.Group{}, err
	}
	return readyGroup(r.program, source, r.db, d.Groups[0])
}

// replayPart is how many letters are loaded at a time; each holds a whole record.
const replayPart = 500

func (r *replay) replayGroup(ctx context.Context, g replayGroup) error {
	slices.SortFunc(g.letters, func(a, b postgres.Letter) int {
		return cmp.Or(cmp.Compare(a.Clock, b.Clock), cmp.Compare(a.Position.Partition, b.Position.Partition),
			cmp.Compare(a.Position.Offset, b.Position.Offset))
	})
	for part := range slices.Chunk(g.letters, replayPart) {
		ids := make([]string, len(part))
		for i := range part {
			ids[i] = part[i].ID
		}
		whole, err := r.db.Letters(ctx, postgres.LetterFilter{IDs: ids, State: postgres.LetterOpen, Group: g.group.Fold.Name, Whole: true})
		if err != nil {
			return err
		}
		letters := make([]store.DeadLetter, len(whole))
		for i := range whole {
			letters[i] = whole[i].DeadLetter
		}
		done, err := worker.Replay(ctx, r.conf, g.group, letters)
		r.note(done)
		if err != nil {
			return fmt.Errorf("group %s: %w; what was replayed stays so, and the command may be repeated", g.group.Fold.Name, err)
		}
	}
	return nil
}

func (r *replay) note(done []worker.Replayed) {
	for _, d := range done {
		result := replayResult{ID: d.Letter.ID, Group: d.Letter.Group, Outcome: replayDone, Attempts: d.Letter.Attempts}
		switch d.Outcome {
		case store.Dead:
			result.Outcome, result.Error = replayFailed, d.Letter.Message
		case store.Duplicate:
			result.Outcome, result.Error = replayLeft, "it was replayed, dropped or tried by somebody else meanwhile"
		}
		r.results = append(r.results, result)
	}
}

func (r *replay) leave(letters []postgres.Letter, reason string) {
	for i := range letters {
		r.results = append(r.results, replayResult{ID: letters[i].ID, Group: letters[i].Group, Outcome: replayLeft, Error: reason, Attempts: letters[i].Attempts})
	}
}

func (r *replay) count(outcome string) (n int) {
	for i := range r.results {
		if r.results[i].Outcome == outcome {
			n++
		}
	}
	return n
}

// verdict ends the command with findings where not all letters were replayed.
func (r *replay) verdict() error {
	if r.count(replayDone) < len(r.results) {
		return errFindings
	}
	return nil
}

// replayDocument is the JSON form of what a replay did.
type replayDocument struct {
	Version  int            `json:"version"` // of this document
	Replayed int            `json:"replayed"`
	Failed   int            `json:"failed"`
	Left     int            `json:"left"`
	Letters  []replayResult `json:"letters"`
}

func (r *replay) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(replayDocument{Version: 1, Replayed: r.count(replayDone), Failed: r.count(replayFailed),
			Left: r.count(replayLeft), Letters: append([]replayResult{}, r.results...)})
	}
	for _, result := range r.results {
		switch result.Outcome {
		case replayFailed:
			fmt.Fprintf(w, "%s failed again, attempt %d: %s\n", result.ID, result.Attempts, escaped(result.Error))
		case replayLeft:
			fmt.Fprintf(w, "%s left as it is: %s\n", result.ID, escaped(result.Error))
		}
	}
	_, err := fmt.Fprintf(w, "%d replayed, %d failed again, %d left as they are\n", r.count(replayDone), r.count(replayFailed), r.count(replayLeft))
	return err
}
