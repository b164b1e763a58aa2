package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/runtime/postgres"
)

func dlqCommand() *cli.Command {
	return &cli.Command{
		Name:      "dlq",
		Usage:     "look at dead letters, try them again, or drop them",
		UsageText: "causetc dlq list|show|replay|drop [FLAGS] [ARGUMENTS]",
		Description: `The database keeps every dead letter, whether or not it was published on the topic of dead letters. One that was replayed or
dropped stays in the list of --state all.`,
		Subcommands: []*cli.Command{dlqListCommand(), dlqShowCommand(), dlqReplayCommand(), dlqDropCommand()},
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usagef("unknown command %q of dlq; use list, show, replay or drop", c.Args().First())
			}
			return usagef("dlq needs a command: list, show, replay or drop")
		},
	}
}

// letterFlags select dead letters.
func letterFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "group", Usage: "only those of the table `GROUP`"},
		&cli.StringFlag{Name: "projection", Usage: "only those of the `PROJECTION`"},
		&cli.StringFlag{Name: "type", Usage: "only events of the `TYPE`"},
		&cli.StringFlag{Name: "entity", Usage: "only events of the `ENTITY` id"},
		&cli.StringFlag{Name: "error", Usage: "only those whose error holds the `TEXT`, in any case"},
		&cli.StringFlag{Name: "class", Usage: "only errors of the `CLASS`: event or undecodable"},
		&cli.DurationFlag{Name: "older", Usage: "only those whose last attempt was more than this `TIME` ago, such as 24h", DefaultText: "any"},
		&cli.DurationFlag{Name: "newer", Usage: "only those whose last attempt was less than this `TIME` ago", DefaultText: "any"},
	}
}

// letterFilter reads the flags; ids are the arguments that name letters.
func letterFilter(c *cli.Context, ids []string) (postgres.LetterFilter, error) {
	f := postgres.LetterFilter{Group: c.String("group"), Projection: c.String("projection"), EventType: c.String("type"),
		EntityID: c.String("entity"), ErrorContains: c.String("error"), ErrorClass: c.String("class"), State: postgres.LetterOpen}
	if len(ids) > 0 {
		f.IDs = ids
	}
	if f.ErrorClass != "" && f.ErrorClass != "event" && f.ErrorClass != "undecodable" {
		return f, usagef("--class %q: use event or undecodable", f.ErrorClass)
	}
	now := time.Now()
	for _, age := range []struct {
		flag string
		at   *time.Time
	}{{"older", &f.Before}, {"newer", &f.After}} {
		if !c.IsSet(age.flag) {
			continue
		}
		if c.Duration(age.flag) < 0 {
			return f, usagef("--%s is %s; use a time such as 30m or 24h", age.flag, c.Duration(age.flag))
		}
		*age.at = now.Add(-c.Duration(age.flag))
	}
	return f, nil
}

// chosenLetters reads which letters a command is to change: those named, those that flags select, or all of them.
func chosenLetters(c *cli.Context, ids []string) (postgres.LetterFilter, error) {
	f, err := letterFilter(c, ids)
	if err != nil {
		return f, err
	}
	chosen := len(ids) > 0
	for _, flag := range letterFlags() {
		chosen = chosen || c.IsSet(flag.Names()[0])
	}
	if chosen == c.Bool("all") {
		return f, usagef("%s needs the ids of dead letters, or flags that select them, or --all", c.Command.Name)
	}
	return f, nil
}

func dlqListCommand() *cli.Command {
	return &cli.Command{
		Name:  "list",
		Usage: "list dead letters, oldest first",
		Flags: joinFlags([]cli.Flag{
			&cli.StringFlag{Name: "state", Usage: "those in the `STATE`: open, replayed, dropped or all", Value: "open"},
			&cli.IntFlag{Name: "rows", Usage: "list at most `N`, 0: all", Value: 100},
			formatFlag("text", "json"),
		}, letterFlags(), embeddedFlags(), databaseFlags()),
		Action: dlqListAction,
	}
}

func dlqListAction(c *cli.Context) error {
	if err := noArguments(c); err != nil {
		return err
	}
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	rows, err := rowsOf(c)
	if err != nil {
		return err
	}
	f, err := letterFilter(c, nil)
	if err != nil {
		return err
	}
	switch state := postgres.LetterState(c.String("state")); state {
	case postgres.LetterOpen, postgres.LetterReplayed, postgres.LetterDropped:
		f.State = state
	case "all":
		f.State = ""
	default:
		return usagef("--state %q: use open, replayed, dropped or all", state)
	}
	if rows > 0 {
		f.Limit = rows + 1
	}
	if err := checkKeptDatabase(c); err != nil {
		return err
	}
	return withDatabase(c, func(db *postgres.DB) error {
		letters, err := db.Letters(c.Context, f)
		if err != nil {
			return err
		}
		more := rows > 0 && len(letters) > rows
		if more {
			letters = letters[:rows]
		}
		if format == "json" {
			return printLettersJSON(c.App.Writer, letters, more)
		}
		return printLetters(c.App.Writer, letters, more)
	})
}

// longestCell is how much of an error a line of the list shows, in characters.
const longestCell = 100

func printLetters(w io.Writer, letters []postgres.Letter, more bool) error {
	if len(letters) == 0 {
		_, err := fmt.Fprintln(w, "no dead letters")
		return err
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tab, "id\tlast attempt\tgroup\tprojection\tevent type\tentity\tclass\tattempts\tstate\terror")
	for i := range letters {
		l := &letters[i]
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", l.ID, l.LastAt.Format(time.RFC3339), cell(l.Group), cell(l.Projection), cell(l.EventType),
			cell(l.EntityID), l.ErrorClass, l.Attempts, l.State(), cell(l.Message))
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	if more {
		fmt.Fprintln(w, "... and more; --rows 0 lists all")
	}
	return nil
}

// cell shows data in a line.
func cell(s string) string {
	if s == "" {
		return "-"
	}
	if r := []rune(s); len(r) > longestCell {
		s = string(r[:longestCell]) + "..."
	}
	return escaped(s)
}

func dlqShowCommand() *cli.Command {
	return &cli.Command{
		Name:      "show",
		Usage:     "print all that is known of dead letters, the original records included",
		ArgsUsage: "ID...",
		Flags:     joinFlags([]cli.Flag{formatFlag("text", "json")}, embeddedFlags(), databaseFlags()),
		Action:    dlqShowAction,
	}
}

func dlqShowAction(c *cli.Context) error {
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	ids := c.Args().Slice()
	if len(ids) == 0 {
		return usagef("show needs the ids of dead letters; `causetc dlq list` lists them")
	}
	if err := errors.Join(noEmptyArguments(c), checkKeptDatabase(c)); err != nil {
		return err
	}
	return withDatabase(c, func(db *postgres.DB) error {
		letters, err := db.Letters(c.Context, postgres.LetterFilter{IDs: ids, Whole: true})
		if err != nil {
			return err
		}
		if format == "json" {
			err = printLettersJSON(c.App.Writer, letters, false)
		} else {
			err = showLetters(c.App.Writer, letters)
		}
		return errors.Join(err, unknownLetters(ids, letters))
	})
}

// unknownLetters refuses ids that no letter has.
func unknownLetters(ids []string, letters []postgres.Letter) error {
	known := map[string]bool{}
	for i := range letters {
		known[letters[i].ID] = true
	}
	var unknown []string
	for _, id := range ids {
		if !known[id] {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > 0 {
		return usagef("there is no dead letter %s", strings.Join(unknown, ", "))
	}
	return nil
}

func dlqDropCommand() *cli.Command {
	return &cli.Command{
		Name:      "drop",
		Usage:     "mark dead letters as dropped: they are not listed as open any more and can't be replayed",
		ArgsUsage: "[ID...]",
		Flags:     joinFlags([]cli.Flag{&cli.BoolFlag{Name: "all", Usage: "drop all that are open"}}, letterFlags(), embeddedFlags(), databaseFlags()),
		Action:    dlqDropAction,
	}
}

func dlqDropAction(c *cli.Context) error {
	if err := noEmptyArguments(c); err != nil {
		return err
	}
	f, err := chosenLetters(c, c.Args().Slice())
	if err != nil {
		return err
	}
	if err := checkKeptDatabase(c); err != nil {
		return err
	}
	return withDatabase(c, func(db *postgres.DB) error {
		letters, err := db.Letters(c.Context, f)
		if err != nil {
			return err
		}
		ids := make([]string, len(letters))
		for i := range letters {
			ids[i] = letters[i].ID
		}
		dropped, err := db.DropLetters(c.Context, ids)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.App.Writer, "%s dropped\n", countOf(len(dropped), "dead letter"))
		return unopenLetters(f.IDs, letters)
	})
}

// unopenLetters refuses ids that no open letter has.
func unopenLetters(ids []string, letters []postgres.Letter) error {
	if err := unknownLetters(ids, letters); err != nil {
		return usagef("%w that is open", err)
	}
	return nil
}

// lettersResult is the JSON form of a list of letters.
type lettersResult struct {
	Version int          `json:"version"` // of this document
	More    bool         `json:"more"`    // there are more than were asked for
	Letters []letterJSON `json:"letters"`
}

// letterJSON is a letter as it is on the topic of dead letters, and where it stands.
type letterJSON struct {
	State       postgres.LetterState `json:"state"`
	PublishedAt *time.Time           `json:"publishedAt"`
	ReplayedAt  *time.Time           `json:"replayedAt"`
	DroppedAt   *time.Time           `json:"droppedAt"`
	Message     json.RawMessage      `json:"message"`
}
