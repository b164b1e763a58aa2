package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"github.com/causetc/causetc/codegen/sql"
	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

// Rows returns the rows that the view of a table shows, sorted by key, each with its values in the order of the columns.
func (db *DB) Rows(ctx context.Context, t *ir.Table) ([][]expr.Value, error) {
	columns := make([]string, len(t.Columns))
	for i := range t.Columns {
		columns[i] = sql.Ident(t.Columns[i].Name) + "::text"
	}
	rows, err := db.pool.Query(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM "+sql.Qualified(db.viewSchema, t.Name))
	if err != nil {
		return nil, classify(ctx, err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) ([]expr.Value, error) { return scanRow(row, t) })
	if err != nil {
		return nil, classify(ctx, err)
	}
	keys := keyIndexes(t)
	slices.SortFunc(list, func(a, b []expr.Value) int {
		for _, key := range keys {
			if c := expr.Order(a[key], b[key]); c != 0 {
				return c
			}
		}
		return 0
	})
	return list, nil
}

// Rows returns the visible rows of a table of the group's live version, sorted by key.
func (g *Group) Rows(ctx context.Context, name string) ([][]expr.Value, error) {
	for _, t := range g.tables {
		if t.fold.Name == name {
			return g.db.Rows(ctx, t.physical.Table)
		}
	}
	return nil, fmt.Errorf("group %s has no table %s", g.fold.Name, name)
}

func scanRow(row pgx.CollectableRow, t *ir.Table) ([]expr.Value, error) {
	texts, pointers := make([]pgtype.Text, len(t.Columns)), make([]any, len(t.Columns))
	for i := range texts {
		pointers[i] = &texts[i]
	}
	if err := row.Scan(pointers...); err != nil {
		return nil, err
	}
	values := make([]expr.Value, len(texts))
	for i, text := range texts {
		values[i] = expr.Null()
		if !text.Valid {
			continue
		}
		value, err := expr.FromSQLText(text.String, t.Columns[i].Type)
		if err != nil {
			return nil, fmt.Errorf("table %s, column %s: %w", t.Name, t.Columns[i].Name, err)
		}
		values[i] = value
	}
	return values, nil
}

func keyIndexes(t *ir.Table) []int {
	indexes := make([]int, len(t.Key))
	for i, key := range t.Key {
		indexes[i] = slices.IndexFunc(t.Columns, func(c ir.Column) bool { return c.Name == key })
	}
	return indexes
}

// Result is what a named query returns.
type Result struct {
	Columns []string
	Rows    [][]expr.Value
}

// Query runs a named query.
func (db *DB) Query(ctx context.Context, s *sql.Statement, a sql.Arguments) (Result, error) {
	bound, err := s.Bind(a)
	if err != nil {
		return Result{}, err
	}
	args := append([]any{pgx.QueryResultFormats{pgx.TextFormatCode}}, bound.Args...)
	rows, err := db.pool.Query(ctx, bound.SQL, args...)
	if err != nil {
		return Result{}, classify(ctx, err)
	}
	list, err := pgx.CollectRows(rows, textRow)
	if err != nil {
		return Result{}, classify(ctx, err)
	}
	return Result{Columns: s.Columns, Rows: list}, nil
}

// typesByOID are the column types by their object id in Postgres; values of others are read as text.
var typesByOID = map[uint32]ir.TypeName{
	pgtype.BoolOID: ir.Boolean, pgtype.Int2OID: ir.SmallInt, pgtype.Int4OID: ir.Integer, pgtype.Int8OID: ir.BigInt,
	pgtype.NumericOID: ir.Numeric, pgtype.Float4OID: ir.Real, pgtype.Float8OID: ir.Double, pgtype.JSONOID: ir.JSON,
	pgtype.JSONBOID: ir.JSONB, pgtype.TimestampOID: ir.Timestamp, pgtype.TimestamptzOID: ir.TimestampTZ,
	pgtype.DateOID: ir.Date, pgtype.UUIDOID: ir.UUID, pgtype.ByteaOID: ir.Bytea,
}

// textRow reads a row in the text format, each value by its type.
func textRow(row pgx.CollectableRow) ([]expr.Value, error) {
	raw, fields := row.RawValues(), row.FieldDescriptions()
	values := make([]expr.Value, len(raw))
	for i, text := range raw {
		if text == nil {
			values[i] = expr.Null()
			continue
		}
		typ, known := typesByOID[fields[i].DataTypeOID]
		if !known {
			values[i] = expr.String(string(text))
			continue
		}
		value, err := expr.FromSQLText(string(text), ir.SQLType{Name: typ})
		if err != nil {
			return nil, fmt.Errorf("result column %s: %w", fields[i].Name, err)
		}
		values[i] = value
	}
	return values, nil
}
