package sql

import (
	"fmt"
	"strings"

	"github.com/causetc/causetc/ir"
)

// QueryError says why a named query can't be turned into SQL.
type QueryError struct {
	Query   string
	Message string
}

// Error names the query.
func (e *QueryError) Error() string { return fmt.Sprintf("query %s: %s", e.Query, e.Message) }

// Statement is a named query in SQL.
type Statement struct {
	// SQL is the statement with all its conditions. Bind leaves out those whose optional input is not given.
	SQL string
	// Params are the parameters of SQL: Params[0] is $1.
	Params []Param
	// Columns are the result's columns as the author named them; Postgres cuts names beyond 63 bytes, this list does not.
	Columns []string

	query      string
	inputs     []input
	head, tail string // around the conditions
	conditions []condition
	limitInput string
	limit      int64
}

// Param is a parameter of a statement.
type Param struct {
	Input  string     // the input that gives it; empty for the moment
	Moment bool       // it is the moment that a window ends at
	Window []string   // it is the length of a window, one of these
	List   bool       // it takes a list
	Type   ir.SQLType // what the value is converted to
}

// Tables are the tables of a program by name.
type Tables map[string]*ir.Table

// TablesOf returns the tables of a program.
func TablesOf(p *ir.Program) Tables {
	tables := Tables{}
	for i := range p.Groups {
		for j := range p.Groups[i].Tables {
			t := &p.Groups[i].Tables[j]
			tables[t.Name] = t
		}
	}
	return tables
}

// Query compiles a named query of the program that has these tables. Errors are of type *QueryError.
func Query(tables Tables, q *ir.Query, o Options) (*Statement, error) {
	c := &queryCompiler{query: q, options: o, tables: make(map[string]*ir.Table)}
	s, err := c.compile(tables)
	if err != nil {
		return nil, &QueryError{Query: q.Name, Message: err.Error()}
	}
	return s, nil
}

// limitName is the input that sets a query's limit.
const limitName = "limit"

type queryCompiler struct {
	query   *ir.Query
	options Options
	tables  map[string]*ir.Table // those that the query reads, by name
	order   []string             // their names, From first
	results []result
}

// result is a column of the result.
type result struct {
	name      string
	sql       string
	source    string // the qualified column, or empty for an aggregate
	aggregate bool
}

func (c *queryCompiler) compile(tables Tables) (*Statement, error) {
	if err := c.openTables(tables); err != nil {
		return nil, err
	}
	s := &Statement{query: c.query.Name, limit: c.query.Limit}
	var err error
	if s.inputs, err = compileInputs(c.query.Inputs); err != nil {
		return nil, err
	}
	if err := c.selectColumns(); err != nil {
		return nil, err
	}
	from, err := c.fromClause()
	if err != nil {
		return nil, err
	}
	for i := range c.query.Where {
		condition, err := c.condition(&c.query.Where[i])
		if err != nil {
			return nil, fmt.Errorf("where %s: %w", c.query.Where[i].Column, err)
		}
		s.conditions = append(s.conditions, condition)
	}
	if s.tail, err = c.tailClauses(); err != nil {
		return nil, err
	}
	s.head = c.selectClause() + from
	s.Columns = make([]string, len(c.results))
	for i, r := range c.results {
		s.Columns[i] = r.name
	}
	if c.input(limitName) != nil {
		s.limitInput = limitName
	}
	s.SQL, s.Params = s.render(func(string) bool { return true })
	return s, nil
}

func (c *queryCompiler) openTables(tables Tables) error {
	names := []string{c.query.From}
	for _, join := range c.query.Joins {
		names = append(names, join.Table)
	}
	for _, name := range names {
		table := tables[name]
		if table == nil {
			return fmt.Errorf("no table %s", name)
		}
		if c.tables[name] != nil {
			return fmt.Errorf("reads the table %s twice", name)
		}
		c.tables[name] = table
	}
	c.order = names
	return nil
}

// column resolves a qualified name: the column and how SQL refers to it.
func (c *queryCompiler) column(qualified string) (*ir.Column, string, error) {
	for _, table := range c.order {
		name, ok := strings.CutPrefix(qualified, table+".")
		if !ok {
			continue
		}
		for i := range c.tables[table].Columns {
			if column := &c.tables[table].Columns[i]; column.Name == name {
				return column, Qualified(table, name), nil
			}
		}
	}
	return nil, "", fmt.Errorf("no column %s in the tables that the query reads", qualified)
}

func (c *queryCompiler) input(name string) *ir.Input {
	for i := range c.query.Inputs {
		if c.query.Inputs[i].Name == name {
			return &c.query.Inputs[i]
		}
	}
	return nil
}

var joinWords = map[string]string{"left": "LEFT JOIN", "right": "RIGHT JOIN", "inner": "JOIN", "cross": "CROSS JOIN"}

func (c *queryCompiler) fromClause() (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "\nFROM %s", c.reference(c.query.From))
	for _, join := range c.query.Joins {
		word, ok := joinWords[join.Type]
		if !ok {
			return "", fmt.Errorf("join %s: unknown type %q", join.Table, join.Type)
		}
		fmt.Fprintf(&b, "\n%s %s", word, c.reference(join.Table))
		if join.Type == "cross" {
			if len(join.On) > 0 {
				return "", fmt.Errorf("join %s: a cross join takes no \"on\"", join.Table)
			}
			continue
		}
		on, err := c.joinCondition(join)
		if err != nil {
			return "", fmt.Errorf("join %s: %w", join.Table, err)
		}
		b.WriteString(on)
	}
	return b.String(), nil
}

// reference names a table in FROM; it is then known by its own name alone.
func (c *queryCompiler) reference(table string) string {
	return Qualified(c.options.ViewSchema, table)
}

func (c *queryCompiler) joinCondition(join ir.Join) (string, error) {
	if len(join.On) == 0 {
		return "", fmt.Errorf("needs \"on\"")
	}
	pairs := make([]string, len(join.On))
	for i, pair := range join.On {
		_, left, err := c.column(pair.Left)
		if err != nil {
			return "", err
		}
		_, right, err := c.column(pair.Right)
		if err != nil {
			return "", err
		}
		pairs[i] = left + " = " + right
	}
	return " ON " + strings.Join(pairs, " AND "), nil
}
