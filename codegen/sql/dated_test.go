package sql_test

import (
	"strings"
	"testing"
	"time"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
)

func datedTable(interval string, typ ir.TypeName) *sql.Physical {
	return sql.NewPhysical(&ir.Table{Name: "t", Class: ir.Convergent, Key: []string{"id", "at"},
		Columns:   []ir.Column{{Name: "at", Type: ir.SQLType{Name: typ}, Role: ir.RoleKey}, {Name: "id", Type: ir.SQLType{Name: ir.Text}, Role: ir.RoleKey}},
		Partition: &ir.Partition{Strategy: "range", Field: "at", Interval: interval}}, 1)
}

func TestDatedPartitions(t *testing.T) {
	for _, c := range []struct{ interval, moment, name, bounds string }{
		{"1 month", "2024-02-29T23:59:59Z", "t@1@20240201T000000", "FROM ('2024-02-01 00:00:00+00') TO ('2024-03-01 00:00:00+00')"},
		{"1 month", "1969-12-31T23:59:59Z", "t@1@19691201T000000", "FROM ('1969-12-01 00:00:00+00') TO ('1970-01-01 00:00:00+00')"},
		{"3 months", "2024-02-29T00:00:00+02:00", "t@1@20240101T000000", "TO ('2024-04-01 00:00:00+00')"},
		{"1 year", "2024-07-01T00:00:00Z", "t@1@20240101T000000", "TO ('2025-01-01 00:00:00+00')"},
		{"1 week", "2024-05-05T12:00:00Z", "t@1@20240429T000000", "TO ('2024-05-06 00:00:00+00')"},
		{"1 DAY", "2024-05-05T12:00:00Z", "t@1@20240505T000000", "TO ('2024-05-06 00:00:00+00')"},
		{"6h", "2024-05-05T12:00:00Z", "t@1@20240505T120000", "TO ('2024-05-05 18:00:00+00')"},
		{"100 years", "0001-01-01T00:00:00Z", "", "FROM (MINVALUE) TO ('0070-01-01 00:00:00+00')"},
		{"1 month", "9999-12-31T00:00:00Z", "t@1@99991201T000000", "TO (MAXVALUE)"},
	} {
		p := datedTable(c.interval, ir.TimestampTZ)
		if p.DatedColumn() != 1 {
			t.Errorf("%s: column %d", c.interval, p.DatedColumn())
			continue
		}
		moment, err := time.Parse(time.RFC3339, c.moment)
		if err != nil {
			t.Fatal(err)
		}
		got := p.Dated(moment, sql.Options{})
		if (c.name != "" && got.Name != c.name) || !strings.Contains(got.Attach, c.bounds) {
			t.Errorf("%s of %s: %+v", c.interval, c.moment, got)
		}
	}
}

func TestNoDatedPartitions(t *testing.T) {
	for _, p := range []*sql.Physical{datedTable("", ir.Date), datedTable("soon", ir.Date), datedTable("0 days", ir.Date),
		datedTable("99999999999999999999 days", ir.Date), datedTable("1 day", ir.BigInt), datedTable("36 hours", ir.Date), sql.NewPhysical(&ir.Table{Name: "t"}, 1)} {
		if n := p.DatedColumn(); n != -1 {
			t.Errorf("%+v: column %d", p.Table.Partition, n)
		}
	}
}
