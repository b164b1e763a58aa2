package sql

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/causetc/causetc/ir"
)

// Dated is a partition of a range-partitioned table for one interval of time.
type Dated struct {
	Name   string    // in the schema of ours
	To     time.Time // the end of the interval, exclusive
	Create string    // makes the partition as a table of its own
	// Attach makes it part of the parent. It fails with a check violation where the default partition holds rows of its
	// interval, which then stay there.
	Attach string
}

// DatedColumn returns the key column whose moments decide the partition, or -1 where the table has no dated partitions.
func (p *Physical) DatedColumn() int {
	part := p.Table.Partition
	if part == nil || part.Strategy != strategyRange {
		return -1
	}
	n, unit, ok := parseInterval(part.Interval)
	if !ok {
		return -1
	}
	wholeDays := time.Duration(n)*unit%day == 0
	for i, key := range p.Keys {
		if key.Column.Name != part.Field {
			continue
		}
		switch key.Type.Name {
		case ir.Timestamp, ir.TimestampTZ:
			return i
		case ir.Date:
			if wholeDays {
				return i
			}
		}
	}
	return -1
}

const day = 24 * time.Hour

// Dated returns the partition that a moment falls into. It is for tables that have a DatedColumn.
func (p *Physical) Dated(moment time.Time, o Options) Dated {
	n, unit, _ := parseInterval(p.Table.Partition.Interval)
	from, to := floorMoment(moment.UTC(), n, unit)
	parent := Qualified(o.schema(), p.Name)
	name := Fit(p.Name, "@"+from.Format(datedFormat))
	part := Qualified(o.schema(), name)
	return Dated{
		Name:   name,
		To:     to,
		Create: fmt.Sprintf("CREATE TABLE %s (LIKE %s INCLUDING DEFAULTS INCLUDING CONSTRAINTS)", part, parent),
		Attach: fmt.Sprintf("ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%s) TO (%s)",
			parent, part, boundary(from), boundary(to)),
	}
}

// datedFormat is how the name of a partition tells the beginning of its interval.
const datedFormat = "20060102T150405"

// Horizon returns the beginning of the first interval that the table's retention keeps at the moment now, and false where
// rows are kept for ever. It is for tables that have a DatedColumn.
func (p *Physical) Horizon(now time.Time) (time.Time, bool) {
	kept, keptUnit, ok := parseInterval(p.Table.Partition.Retention)
	if !ok {
		return time.Time{}, false
	}
	now = now.UTC()
	oldest := now.AddDate(0, -kept, 0)
	if keptUnit != 0 {
		oldest = now.Add(-time.Duration(kept) * keptUnit)
	} else if oldest.Day() != now.Day() { // such as two months before April 30: the end of February
		oldest = oldest.AddDate(0, 0, -oldest.Day())
	}
	n, unit, _ := parseInterval(p.Table.Partition.Interval)
	from, _ := floorMoment(oldest, n, unit)
	return from, true
}

// Expired reports whether name is a dated partition of the table whose interval ended at the horizon or before.
func (p *Physical) Expired(name string, horizon time.Time) bool {
	at := strings.LastIndexByte(name, '@')
	from, err := time.Parse(datedFormat, name[at+1:])
	if err != nil {
		return false
	}
	n, unit, _ := parseInterval(p.Table.Partition.Interval)
	_, to := floorMoment(from, n, unit)
	return !to.After(horizon)
}

// DefaultPartition names the partition that takes the rows which no other one does.
func (p *Physical) DefaultPartition() string { return Fit(p.Name, defaultSuffix) }

// boundary is a moment that means the same as DATE, TIMESTAMP and TIMESTAMPTZ. Beyond the years that moments have it is
// the end of all values.
func boundary(t time.Time) string {
	switch {
	case t.Year() < 1:
		return "MINVALUE"
	case t.Year() > 9999:
		return "MAXVALUE"
	default:
		return Literal(t.Format("2006-01-02 15:04:05+00"))
	}
}

// intervalUnits are the units of a partition's interval: seconds, or months where the calendar decides.
var intervalUnits = map[string]time.Duration{"hour": time.Hour, "day": day, "week": 7 * day,
	"month": 0, "year": 0, "h": time.Hour, "d": day, "w": 7 * day}

// maxInterval bounds the number of units, so that no bound overflows.
const maxInterval = 10_000

// parseInterval reads an interval such as "1 month". The unit is 0 where n counts months.
func parseInterval(text string) (n int, unit time.Duration, ok bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	word := strings.TrimLeft(text, "0123456789")
	n, err := strconv.Atoi(text[:len(text)-len(word)])
	word = strings.TrimSpace(word)
	unit, known := intervalUnits[word]
	if !known {
		word = strings.TrimSuffix(word, "s")
		unit, known = intervalUnits[word]
	}
	if word == "year" {
		n *= 12
	}
	return n, unit, known && err == nil && n >= 1 && n <= maxInterval
}

// floorMoment returns the interval around a moment: months are counted from January 1970, everything else from a Monday.
func floorMoment(t time.Time, n int, unit time.Duration) (from, to time.Time) {
	if unit == 0 {
		months := (t.Year()-1970)*12 + int(t.Month()) - 1
		first := floorDiv(int64(months), int64(n)) * int64(n)
		start := func(month int64) time.Time {
			return time.Date(1970, time.Month(1+month), 1, 0, 0, 0, 0, time.UTC)
		}
		return start(first), start(first + int64(n))
	}
	monday := time.Date(1970, 1, 5, 0, 0, 0, 0, time.UTC).Unix()
	length := int64(unit/time.Second) * int64(n)
	first := monday + floorDiv(t.Unix()-monday, length)*length
	return time.Unix(first, 0).UTC(), time.Unix(first+length, 0).UTC()
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
