package postgres

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// fillTickets puts rows into the physical tables of the program tickets.
func fillTickets(t *testing.T, cfg Config) {
	t.Helper()
	exec(t, "INSERT INTO "+sql.Qualified(cfg.Schema, "tickets@1")+` (ticket_id, show_id, seat, price, paid, tags, bought_at, "@created", "@deleted") VALUES
		('t1', 's1', 'A1', 10.50, true, '{"a": 1}', '2024-05-01 10:00:00+00', '\x02', '\x01'),
		('t2', 's1', 'a2', 20.00, false, NULL, '2024-05-02 10:00:00+00', '\x02', ''),
		('t3', 's2', 'B1', 30.25, NULL, NULL, '2024-05-03 10:00:00+00', '\x02', ''),
		('t4', 's3', 'C1', NULL, true, NULL, NULL, '\x02', ''),
		('gone', 's1', 'A3', 99, true, NULL, '2024-05-03 10:00:00+00', '\x02', '\x03')`)
	exec(t, "INSERT INTO "+sql.Qualified(cfg.Schema, "sales@1")+` (show_id, sold, revenue, weight, status, "@created", "@first", "status@") VALUES
		('s1', 2, 30.5, 0.25, 'open', '\x05', '\x03', NULL),
		('s2', 1, 30.25, 1.5, 'early', '\x05', '\x03', '\x02'),
		('never', 1, 1, 1, 'x', '', NULL, '\x02')`)
}

func ticketsQuery(t *testing.T, p *ir.Program, cfg Config, name string) *sql.Statement {
	t.Helper()
	for i := range p.Queries {
		if p.Queries[i].Name == name {
			s, err := sql.Query(sql.TablesOf(p), &p.Queries[i], sql.Options{ViewSchema: cfg.ViewSchema})
			if err != nil {
				t.Fatal(err)
			}
			return s
		}
	}
	t.Fatalf("no query %s", name)
	return nil
}

func render(r Result) string {
	lines := []string{strings.Join(r.Columns, "|")}
	for _, row := range r.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = "NULL"
			if !v.IsNull() {
				cells[i] = v.Kind().String() + ":" + v.Text()
			}
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	return strings.Join(lines, "\n")
}

func TestQueries(t *testing.T) {
	p := samples(t)["tickets"]
	cfg := newConfig(t)
	db := open(t, cfg)
	migrate(t, db, p)
	fillTickets(t, cfg)
	text := func(pairs ...string) map[string]expr.Value {
		values := make(map[string]expr.Value)
		for i := 0; i < len(pairs); i += 2 {
			values[pairs[i]] = expr.String(pairs[i+1])
		}
		return values
	}
	for _, c := range []struct {
		query string
		args  sql.Arguments
		want  string
	}{
		{"by_show", sql.Arguments{Inputs: text("show_id", "s1")}, "tickets.ticket_id|seat\nstring:t1|string:A1\nstring:t2|string:a2"},
		{"by_show", sql.Arguments{Inputs: text("show_id", "s1", "seat", "a%", "limit", "1")}, "tickets.ticket_id|seat\nstring:t1|string:A1"},
		{"by_show", sql.Arguments{Inputs: text("show_id", "x' OR 'a'='a")}, "tickets.ticket_id|seat"},
		{"expensive", sql.Arguments{Inputs: text("shows", `["s1","s3"]`)}, "ticket_id|show_id|seat|price|paid|tags|bought_at\n" +
			"string:t1|string:s1|string:A1|decimal:10.5|bool:true|object:{\"a\":1}|time:2024-05-01T10:00:00Z\n" +
			"string:t2|string:s1|string:a2|decimal:20|bool:false|NULL|time:2024-05-02T10:00:00Z"},
		{"expensive", sql.Arguments{Inputs: text("window", "24h"), Moment: expr.String("2024-05-04T10:00:00Z")},
			"ticket_id|show_id|seat|price|paid|tags|bought_at\nstring:t3|string:s2|string:B1|decimal:30.25|NULL|NULL|time:2024-05-03T10:00:00Z"},
		{"paid_flags", sql.Arguments{}, "paid\nbool:false\nbool:true"},
		{"totals", sql.Arguments{}, "tickets.show_id|sales.sold|count|total|mean|lowest|highest|first_seat|last_seat\n" +
			"string:s1|int:2|int:2|decimal:30.5|decimal:15.25|decimal:10.5|decimal:20|string:A1|string:a2\n" +
			"string:s2|int:1|int:1|decimal:30.25|decimal:30.25|decimal:30.25|decimal:30.25|string:B1|string:B1\n" +
			"string:s3|int:0|int:1|decimal:0|NULL|NULL|NULL|string:C1|string:C1"},
	} {
		got, err := db.Query(context.Background(), ticketsQuery(t, p, cfg, c.query), c.args)
		if text := render(got); err != nil || text != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.query, err, text, c.want)
		}
	}
	everything, err := db.Query(context.Background(), ticketsQuery(t, p, cfg, "everything"), sql.Arguments{})
	if err != nil || len(everything.Rows) != 8 || len(everything.Columns) != 14 || len(everything.Rows[0]) != 14 {
		t.Errorf("everything: %d rows, %v", len(everything.Rows), err)
	}
	_, err = db.Query(context.Background(), ticketsQuery(t, p, cfg, "by_show"), sql.Arguments{})
	var bindErr *sql.BindError
	if !errors.As(err, &bindErr) {
		t.Errorf("without its parameter: %v", err)
	}
}

func TestHostileQueryRuns(t *testing.T) {
	p := samples(t)["hostile"]
	cfg := newConfig(t)
	db := open(t, cfg)
	migrate(t, db, p)
	s, err := sql.Query(sql.TablesOf(p), &p.Queries[0], sql.Options{ViewSchema: cfg.ViewSchema})
	if err != nil {
		t.Fatal(err)
	}
	got, err := db.Query(context.Background(), s, sql.Arguments{Inputs: map[string]expr.Value{`x"'`: expr.String(`'; --`)}})
	if err != nil || len(got.Rows) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

// TestHiddenAndDeadRows looks through the views at what is not to be seen.
func TestHiddenAndDeadRows(t *testing.T) {
	p := samples(t)["tickets"]
	cfg := newConfig(t)
	db := open(t, cfg)
	migrate(t, db, p)
	fillTickets(t, cfg)
	sales, err := db.Rows(context.Background(), &p.Groups[0].Tables[0])
	if err != nil || len(sales) != 2 {
		t.Fatalf("%v, %v", sales, err)
	}
	// An update that came before the first creation does not show, and the defaults do.
	if !sales[1][4].IsNull() || sales[0][4].Text() != "open" || sales[0][2].Kind() != expr.KindFloat {
		t.Errorf("%v", sales)
	}
	tickets, err := db.Rows(context.Background(), &p.Groups[1].Tables[0])
	if err != nil || len(tickets) != 4 {
		t.Errorf("%v, %v", tickets, err)
	}
}

// TestQueriesUseTheIndexes asks the planner about queries through the views, hidden columns and casts included.
func TestQueriesUseTheIndexes(t *testing.T) {
	p := samples(t)["tickets"]
	cfg := newConfig(t)
	migrate(t, open(t, cfg), p)
	conn, err := cluster.admin.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	defer func() { _, _ = conn.Exec(context.Background(), "RESET enable_seqscan") }()
	if _, err := conn.Exec(context.Background(), "SET enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	for condition, index := range map[string]string{
		`"sales" WHERE "status" = 'open'`:                     "sales@1@status@index",
		`"sales" WHERE "revenue" > 5::double precision`:       "sales@1@revenue@desc",
		`"sales" WHERE "show_id" = 'x'`:                       "sales@1@key",
		`"tickets" WHERE "show_id" = 'x' AND "seat" = 'y'`:    "tickets@1@show_id,seat@index",
		`"tickets" WHERE "bought_at" >= '2024-01-01'`:         "tickets@1@bought_at@desc",
		`"tickets" WHERE "bought_at" < '2024-01-01 10:00:00'`: "tickets@1@bought_at@desc",
	} {
		rows, err := conn.Query(context.Background(), "EXPLAIN SELECT * FROM "+sql.Ident(cfg.ViewSchema)+"."+condition, simple)
		if err != nil {
			t.Fatal(err)
		}
		var plan string
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				t.Fatal(err)
			}
			plan += line + "\n"
		}
		if rows.Err() != nil || !strings.Contains(plan, index) || !strings.Contains(plan, "Index Cond") {
			t.Errorf("%s: %v\n%s", condition, rows.Err(), plan)
		}
	}
}
