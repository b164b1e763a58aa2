package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/kafka"
	"github.com/causetc/causetc/runtime/postgres"
	"github.com/causetc/causetc/runtime/worker"
)

func statusCommand() *cli.Command {
	return &cli.Command{
		Name:      "status",
		Usage:     "tell how the groups of a program stand in each partition",
		ArgsUsage: "SPEC|app.ir.json",
		Description: `Without --brokers the ends of the partitions are not known, and neither is the lag. Exit code 1: something is stopped,
parked or dead.`,
		Flags:  joinFlags([]cli.Flag{formatFlag("text", "json"), allowOutsideFlag()}, embeddedFlags(), kafkaFlags(), databaseFlags()),
		Action: statusAction,
	}
}

// statusResult is what status prints: one JSON document, or the same for people.
type statusResult struct {
	Version int           `json:"version"` // of this document
	App     string        `json:"app"`
	Topic   string        `json:"topic"`
	Groups  []groupStatus `json:"groups"`
}

// The healths of a group.
const (
	healthOK      = "ok"
	healthParked  = "parked"  // events are tried again
	healthDead    = "dead"    // dead letters wait for somebody
	healthStopped = "stopped" // what is deployed does not fit
)

type groupStatus struct {
	Group      string            `json:"group"`
	Version    int               `json:"version"` // 0: not deployed
	Health     string            `json:"health"`
	Error      string            `json:"error,omitempty"`
	Partitions []partitionStatus `json:"partitions"`
}

// partitionStatus has null for what is not known.
type partitionStatus struct {
	Partition   int32  `json:"partition"`
	Position    *int64 `json:"position"`
	End         *int64 `json:"end"`
	Lag         *int64 `json:"lag"`
	Health      string `json:"health"`
	Parked      int    `json:"parked"`
	Waiting     int    `json:"waiting"`
	DeadLetters int    `json:"deadLetters"`
	Unpublished int    `json:"unpublished"`
}

func statusAction(c *cli.Context) error {
	path, err := oneArgument(c, "a spec or a compiled program")
	if err != nil {
		return err
	}
	format, err := formatOf(c, "text", "json")
	if err != nil {
		return err
	}
	if err := checkStatusServices(c); err != nil {
		return err
	}
	program, err := loadProgram(c, path)
	if err != nil {
		return err
	}
	services, err := startServices(c.Context, c)
	if err != nil {
		return err
	}
	defer services.stop()
	var result statusResult
	err = useDatabase(c, services, func(db *postgres.DB) (err error) {
		result, err = readStatus(c.Context, db, services.kafka, program, c.String("fork"))
		return err
	})
	if err != nil {
		return err
	}
	if err := result.print(c.App.Writer, format == "json"); err != nil {
		return err
	}
	for _, g := range result.Groups {
		if g.Health != healthOK {
			return errFindings
		}
	}
	return nil
}

// checkStatusServices looks at the flags; brokers may be missing.
func checkStatusServices(c *cli.Context) error {
	if err := checkKeptDatabase(c); err != nil {
		return err
	}
	if conf := kafkaConfig(c, getenv); !c.Bool("embedded") && len(conf.Brokers) == 0 {
		return nil
	}
	return checkServices(c)
}

// topicTimeout bounds the questions to the brokers.
const topicTimeout = 15 * time.Second

func readStatus(ctx context.Context, db *postgres.DB, brokers kafka.Config, p *ir.Program, fork string) (statusResult, error) {
	result := statusResult{Version: 1, App: p.App, Topic: brokers.Topic}
	deployed, err := db.Check(ctx, p, fork)
	if err != nil {
		return result, err
	}
	rows, err := db.Status(ctx, brokers.Topic)
	if err != nil {
		return result, err
	}
	var topic *kafka.Topic
	if len(brokers.Brokers) > 0 {
		if topic, err = describeTopic(ctx, brokers); err != nil {
			return result, &usageError{err: err}
		}
	}
	for i, d := range deployed.Groups {
		if d.Err == nil {
			d.Err = lookupError(&p.Groups[i])
		}
		result.Groups = append(result.Groups, groupStatusOf(d, rows, topic))
	}
	return result, nil
}

func describeTopic(ctx context.Context, conf kafka.Config) (*kafka.Topic, error) {
	client, err := conf.NewClient()
	if err != nil {
		return nil, err
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(ctx, topicTimeout)
	defer cancel()
	return kafka.DescribeTopic(ctx, client, conf.Topic)
}

// groupStatusOf puts together what the database and the brokers say of a group. topic is nil where the brokers were not
// asked.
func groupStatusOf(d postgres.GroupDeployment, rows []postgres.PartitionStatus, topic *kafka.Topic) groupStatus {
	g := groupStatus{Group: d.Name, Version: d.Version, Health: healthOK, Partitions: []partitionStatus{}}
	stopped := d.Err
	for _, row := range withPartitions(d.Name, rows, topic) {
		p := partitionStatus{Partition: row.Cursor.Partition, Parked: row.Parked, Waiting: row.Waiting, DeadLetters: row.Dead, Unpublished: row.Unpublished}
		known := row.Cursor.Next >= 0
		if known {
			p.Position = &row.Cursor.Next
		}
		p.judge()
		if topic != nil {
			p.measure(row.Cursor.Next, topic.Partitions[row.Cursor.Partition])
			if err := worker.CheckCursor(row.Cursor, topic); known && stopped == nil {
				stopped = err
			}
		}
		g.Partitions = append(g.Partitions, p)
		if p.Health == healthDead || g.Health == healthOK {
			g.Health = p.Health
		}
	}
	if stopped != nil {
		g.Health, g.Error = healthStopped, stopped.Error()
		for i := range g.Partitions {
			g.Partitions[i].Health = healthStopped
		}
	}
	return g
}

// judge decides the health of a partition of a group that is not stopped.
func (p *partitionStatus) judge() {
	switch {
	case p.DeadLetters > 0:
		p.Health = healthDead
	case p.Parked+p.Waiting > 0:
		p.Health = healthParked
	default:
		p.Health = healthOK
	}
}

// measure notes the end and the lag; a partition without a position is read from its start.
func (p *partitionStatus) measure(next int64, e kafka.Extent) {
	if next < 0 {
		next = e.Start
	}
	lag := max(e.End-next, 0)
	p.End, p.Lag = &e.End, &lag
}

// withPartitions returns the rows of a group, with those of partitions that it has nothing to tell of yet.
func withPartitions(group string, all []postgres.PartitionStatus, topic *kafka.Topic) []postgres.PartitionStatus {
	var rows []postgres.PartitionStatus
	for _, row := range all {
		if row.Group == group {
			rows = append(rows, row)
		}
	}
	if topic == nil {
		return rows
	}
	for _, number := range topic.Numbers() {
		i, found := slices.BinarySearchFunc(rows, number, func(r postgres.PartitionStatus, n int32) int { return int(r.Cursor.Partition) - int(n) })
		if !found {
			row := postgres.PartitionStatus{Group: group}
			row.Cursor.Partition, row.Cursor.Next = number, -1
			rows = slices.Insert(rows, i, row)
		}
	}
	return rows
}

func (r *statusResult) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w).Encode(r)
	}
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tab, "partition\tposition\tend\tlag\tparked\twaiting\tdead letters\t  health\t  group")
	for _, g := range r.Groups {
		for _, p := range g.Partitions {
			fmt.Fprintf(tab, "%d\t%s\t%s\t%s\t%d\t%d\t%d\t  %s\t  %s\n", p.Partition, known(p.Position), known(p.End), known(p.Lag),
				p.Parked, p.Waiting, p.DeadLetters, p.Health, escaped(g.Group))
		}
		if len(g.Partitions) == 0 {
			fmt.Fprintf(tab, "-\t-\t-\t-\t-\t-\t-\t  %s\t  %s\n", g.Health, escaped(g.Group))
		}
	}
	if err := tab.Flush(); err != nil {
		return err
	}
	for _, g := range r.Groups {
		if g.Error != "" {
			fmt.Fprintf(w, "%s\n", escaped(g.Error))
		}
	}
	return nil
}

func known(n *int64) string {
	if n == nil {
		return "-"
	}
	return strconv.FormatInt(*n, 10)
}
