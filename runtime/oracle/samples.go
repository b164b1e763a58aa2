package oracle

import (
	"math/rand/v2"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/ir/expr"
)

var keyTypes = []ir.SQLType{
	{Name: ir.Text}, {Name: ir.Text}, {Name: ir.BigInt}, {Name: ir.Char, Length: 4}, {Name: ir.Numeric, Precision: 20, Scale: 4},
	{Name: ir.TimestampTZ}, {Name: ir.UUID}, {Name: ir.Boolean}, {Name: ir.Double},
}

var plainTypes = []ir.SQLType{
	{Name: ir.Text}, {Name: ir.Varchar, Length: 5}, {Name: ir.SmallInt}, {Name: ir.Integer}, {Name: ir.BigInt}, {Name: ir.Boolean},
	{Name: ir.Real}, {Name: ir.Double}, {Name: ir.Numeric}, {Name: ir.Numeric, Precision: 10, Scale: 2}, {Name: ir.JSONB},
	{Name: ir.JSON}, {Name: ir.Timestamp}, {Name: ir.TimestampTZ}, {Name: ir.Date}, {Name: ir.Bytea}, {Name: ir.UUID},
}

var sumTypes = []ir.SQLType{
	{Name: ir.SmallInt}, {Name: ir.Integer}, {Name: ir.BigInt}, {Name: ir.BigInt}, {Name: ir.Numeric},
	{Name: ir.Numeric, Precision: 12, Scale: 2}, {Name: ir.Double}, {Name: ir.Real},
}

// samples returns values for a column as a payload has them, some of them equal though they are written differently, and
// one that the column refuses (missing if it takes everything).
func samples(r *rand.Rand, c ir.Column) (pool []expr.Value, bad expr.Value) {
	texts, refused := sampleTexts(c)
	for _, text := range texts {
		pool = append(pool, mustJSON(text))
	}
	r.Shuffle(len(pool), func(i, j int) { pool[i], pool[j] = pool[j], pool[i] })
	if c.Role == ir.RoleKey {
		pool = pool[:min(len(pool), 3)]
	}
	if refused == "" {
		return pool, expr.Missing()
	}
	return pool, mustJSON(refused)
}

func mustJSON(text string) expr.Value {
	v, err := expr.ParseJSON([]byte(text))
	if err != nil {
		panic(err) // a constant of this file
	}
	return v
}

// sampleTexts returns JSON texts.
func sampleTexts(c ir.Column) (pool []string, bad string) {
	if c.Role == ir.RoleSum || c.KeepOnReplace {
		return sumTexts(c.Type)
	}
	switch c.Type.Name {
	case ir.Text:
		return []string{`"a"`, `"A"`, `"b"`, `"äöü"`, `""`, `1`, `1.0`, `9007199254740993`, `true`, `"日本"`}, `["no text"]`
	case ir.Varchar, ir.Char:
		return []string{`"a"`, `"a "`, `"A"`, `"b"`, `"ab"`, `1`, `"1"`}, `"too long a text"`
	case ir.SmallInt:
		return []string{`0`, `1`, `1.0`, `"1"`, `-32768`, `32767`}, `40000`
	case ir.Integer:
		return []string{`0`, `1`, `2.0`, `-2147483648`, `2147483647`}, `0.5`
	case ir.BigInt:
		return []string{`0`, `1`, `1.0`, `-9223372036854775808`, `9223372036854775807`, `9007199254740993`}, `9223372036854775808`
	case ir.Boolean:
		return []string{`true`, `false`, `"true"`}, `1`
	case ir.Real, ir.Double:
		return []string{`0`, `-0.0`, `1`, `1.0`, `0.1`, `1e30`, `-2.5`}, `"text"`
	case ir.Numeric:
		return numericTexts(c.Type)
	case ir.JSON, ir.JSONB:
		return []string{`{"a":1,"b":[1,2]}`, `{"b":[1,2],"a":1.0}`, `[]`, `"text"`, `1`, `true`}, ""
	case ir.Timestamp, ir.TimestampTZ:
		return []string{`0`, `"1970-01-01T00:00:00Z"`, `1700000000123`, `"2023-11-14T22:13:20.123456Z"`, `"2023-11-14T23:13:20+01:00"`}, `"yesterday"`
	case ir.Date:
		return []string{`0`, `"1970-01-01T23:59:59Z"`, `1700000000123`, `"2024-02-29T00:00:00Z"`}, `"yesterday"`
	case ir.Bytea:
		return []string{`"\\x00ff"`, `"AP8="`, `""`, `"\\x61"`}, `"no bytes"`
	default: // UUID
		return []string{`"6f9619ff-8b86-d011-b42d-00c04fc964ff"`, `"6F9619FF8B86D011B42D00C04FC964FF"`,
			`"00000000-0000-0000-0000-000000000000"`, `"ffffffff-ffff-ffff-ffff-ffffffffffff"`}, `"6f9619ff"`
	}
}

func numericTexts(t ir.SQLType) (pool []string, bad string) {
	pool = []string{`0`, `1`, `1.0`, `1.00`, `-0.25`, `12345678.9`}
	if t.Precision > 0 {
		return pool, `0.123456`
	}
	return append(pool, `123456789012345678901234567890.000000000000000000001`, `0.1`), `"1,5"`
}

// sumTexts returns numbers of which hundreds add up within the type.
func sumTexts(t ir.SQLType) (pool []string, bad string) {
	switch t.Name {
	case ir.SmallInt:
		return []string{`1`, `2`, `-3`, `1.0`, `"4"`, `7`}, `0.5`
	case ir.Integer:
		return []string{`1`, `-1`, `20000`, `-30000`, `1.0`}, `3000000000`
	case ir.BigInt:
		return []string{`1`, `-1`, `9007199254740993`, `-1125899906842624`, `3`}, `9223372036854775808`
	case ir.Numeric:
		if t.Precision > 0 {
			return []string{`0.01`, `-0.02`, `12345.67`, `1`, `"0.10"`}, `0.001`
		}
		return []string{`0.1`, `-0.2`, `12345678901234567890.0000000001`, `-98765432109876543210987654321`, `1`}, `"much"`
	case ir.Real:
		return []string{`0.1`, `0.2`, `-0.3`, `1e10`, `1`, `1e-10`}, `1e39`
	default: // DOUBLE PRECISION
		return []string{`0.1`, `0.2`, `-0.3`, `1e15`, `1e-15`, `1`}, `1e309`
	}
}
