package postgres

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/runtime/failpoint"
)

// statements are the SQL texts by which the rows of one physical table are read and written. Rows are handed over as one
// array a column, in the order of rowArrays.
type statements struct {
	merge  string // adds what a batch gave to each key of a convergent table, and counts the rows whose newest write is from outside of a span; $1... are all the arrays, then the span's ends
	put    string // replaces the rows of an ordered table; $1... are all the arrays
	touch  string // inserts an invisible row for each absent key; $1... are the arrays of the key
	lock   string // locks and reads the rows of keys, in the keys' order; $1... are the arrays of the key
	hide   string // takes rows out of the unique indexes; $1... are the arrays of the key
	scan   string // reads all rows that are live; conditions are added to it
	freeze string // keeps others from writing the table until the end of the transaction
	bury   string // removes the rows that are not live
	share  string // waits for whoever has frozen the table, and keeps others from freezing it
}

// column is one column of the physical table and the type of its array.
type column struct {
	name string
	cast string // what an item of a text array is cast to; empty: the array is of bytea
}

// rowColumns lists the physical columns in the order in which rows are encoded: keys, orders of the row, each plain
// column with its order, sums.
func rowColumns(p *sql.Physical) []column {
	columns := keyColumns(p)
	columns = append(columns, column{name: p.Created})
	if p.First != "" {
		columns = append(columns, column{name: p.First})
	}
	if p.Deleted != "" {
		columns = append(columns, column{name: p.Deleted})
	}
	for _, c := range p.Plain {
		columns = append(columns, column{c.Column.Name, sql.CastSQL(c.Type)}, column{name: c.Order})
	}
	for _, c := range p.Sums {
		columns = append(columns, column{c.Column.Name, sql.CastSQL(c.Type)})
	}
	return columns
}

func keyColumns(p *sql.Physical) []column {
	var columns []column
	for _, c := range p.Keys {
		columns = append(columns, column{c.Column.Name, sql.CastSQL(c.Type)})
	}
	return columns
}

func newStatements(p *sql.Physical, schema string) *statements {
	name := sql.Qualified(schema, p.Name)
	keys, all := keyColumns(p), rowColumns(p)
	conflict := "ON CONFLICT (" + identList(keys) + ") DO "
	insert := func(columns []column) string {
		return fmt.Sprintf("INSERT INTO %s AS t (%s)\nSELECT %s\nFROM %s\nORDER BY u.n\n",
			name, identList(columns), castList(columns), unnest(columns))
	}
	live := p.Live("t")
	if live == "" {
		live = "true"
	}
	return &statements{
		merge: "WITH merged AS (" + insert(all) + conflict + "UPDATE SET " + strings.Join(mergeAssignments(p), ",\n  ") +
			"\nRETURNING " + newestWrite(p) + " AS newest)\nSELECT count(*) FROM merged WHERE " +
			fmt.Sprintf("substring(newest FROM 9 FOR 12) NOT BETWEEN $%d::bytea AND $%d::bytea", len(all)+1, len(all)+2),
		put:   insert(all) + conflict + "UPDATE SET " + strings.Join(putAssignments(all[len(keys):]), ", "),
		touch: insert(keys) + conflict + "NOTHING",
		lock: fmt.Sprintf("SELECT u.n, %s\nFROM %s JOIN %s AS t ON %s\nORDER BY u.n FOR UPDATE OF t",
			readList(all[len(keys):]), unnest(keys), name, keyMatch(keys)),
		hide: fmt.Sprintf("UPDATE %s AS t SET %s = '' FROM %s WHERE %s",
			name, sql.Ident(p.Created), unnest(keys), keyMatch(keys)),
		scan:   fmt.Sprintf("SELECT %s\nFROM %s AS t WHERE %s", readList(all), name, live),
		freeze: "LOCK TABLE " + name + " IN SHARE ROW EXCLUSIVE MODE",
		bury:   fmt.Sprintf("DELETE FROM %s AS t WHERE NOT (%s)", name, live),
		share:  "LOCK TABLE " + name + " IN ROW EXCLUSIVE MODE",
	}
}

func identList(columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = sql.Ident(c.name)
	}
	return strings.Join(names, ", ")
}

// unnest makes a table u of the arrays, with columns c1, c2, ... and the row's number n.
func unnest(columns []column) string {
	arrays, names := make([]string, len(columns)), make([]string, len(columns))
	for i, c := range columns {
		typ := "bytea[]"
		if c.cast != "" {
			typ = "text[]"
		}
		arrays[i] = fmt.Sprintf("$%d::%s", i+1, typ)
		names[i] = fmt.Sprintf("c%d", i+1)
	}
	return fmt.Sprintf("unnest(%s) WITH ORDINALITY AS u(%s, n)", strings.Join(arrays, ", "), strings.Join(names, ", "))
}

func castItem(i int, c column) string {
	if c.cast == "" {
		return fmt.Sprintf("u.c%d", i+1)
	}
	return fmt.Sprintf("u.c%d::%s", i+1, c.cast)
}

func castList(columns []column) string {
	items := make([]string, len(columns))
	for i, c := range columns {
		items[i] = castItem(i, c)
	}
	return strings.Join(items, ", ")
}

func keyMatch(keys []column) string {
	terms := make([]string, len(keys))
	for i, c := range keys {
		terms[i] = fmt.Sprintf("t.%s = %s", sql.Ident(c.name), castItem(i, c))
	}
	return strings.Join(terms, " AND ")
}

// readList reads values as text, the form that is read back exactly.
func readList(columns []column) string {
	items := make([]string, len(columns))
	for i, c := range columns {
		items[i] = "t." + sql.Ident(c.name)
		if c.cast != "" {
			items[i] += "::text"
		}
	}
	return strings.Join(items, ", ")
}

func putAssignments(columns []column) []string {
	assignments := make([]string, len(columns))
	for i, c := range columns {
		assignments[i] = fmt.Sprintf("%s = EXCLUDED.%s", sql.Ident(c.name), sql.Ident(c.name))
	}
	return assignments
}

// mergeAssignments is fold.Table.Merge in SQL: the newest of each, the oldest of the first creations, the sums added. A
// cell that is not newer than the newest delete is reset, since it never shows again.
func mergeAssignments(p *sql.Physical) []string {
	created := newest(p.Created)
	assignments := []string{sql.Ident(p.Created) + " = " + created}
	if p.First != "" {
		// NULL stands for never, and LEAST passes over it.
		assignments = append(assignments, fmt.Sprintf("%s = %s", sql.Ident(p.First), both("LEAST", p.First)))
	}
	if p.Deleted != "" {
		assignments = append(assignments, sql.Ident(p.Deleted)+" = "+newest(p.Deleted))
	}
	for _, c := range p.Plain {
		assignments = append(assignments, mergeCell(p, c, created)...)
	}
	for _, c := range p.Sums {
		name := sql.Ident(c.Column.Name)
		assignments = append(assignments, fmt.Sprintf("%s = t.%s + EXCLUDED.%s", name, name, name))
	}
	return assignments
}

// newestWrite is fold.Row.Newest in SQL.
func newestWrite(p *sql.Physical) string {
	orders := []string{"t." + sql.Ident(p.Created)}
	if p.Deleted != "" {
		orders = append(orders, "t."+sql.Ident(p.Deleted))
	}
	for _, c := range p.Plain {
		orders = append(orders, "t."+sql.Ident(c.Order))
	}
	return "GREATEST(" + strings.Join(orders, ", ") + ")"
}

func newest(name string) string { return both("GREATEST", name) }

func both(function, name string) string {
	return fmt.Sprintf("%s(t.%s, EXCLUDED.%s)", function, sql.Ident(name), sql.Ident(name))
}

func mergeCell(p *sql.Physical, c sql.PhysicalColumn, created string) []string {
	value, order := sql.Ident(c.Column.Name), sql.Ident(c.Order)
	before := fmt.Sprintf("COALESCE(t.%s, t.%s)", order, sql.Ident(p.Created))
	after := fmt.Sprintf("COALESCE(EXCLUDED.%s, EXCLUDED.%s)", order, sql.Ident(p.Created))
	winner := fmt.Sprintf("GREATEST(%s, %s)", before, after)
	reset, kept := "", winner
	if p.Deleted != "" {
		dead := fmt.Sprintf("%s <= %s", winner, newest(p.Deleted))
		reset = fmt.Sprintf(" WHEN %s THEN %s", dead, defaultOf(c))
		kept = fmt.Sprintf("CASE WHEN %s THEN '' ELSE %s END", dead, winner)
	}
	return []string{
		fmt.Sprintf("%s = CASE%s WHEN %s THEN EXCLUDED.%s ELSE t.%s END", value, reset, unlessOff(failpoint.OrderGuard, after+" > "+before), value, value),
		fmt.Sprintf("%s = NULLIF(%s, %s)", order, kept, created),
	}
}

func defaultOf(c sql.PhysicalColumn) string {
	if c.Column.Default == "" {
		return "NULL"
	}
	return sql.Literal(c.Column.Default) + "::" + sql.CastSQL(c.Type)
}
