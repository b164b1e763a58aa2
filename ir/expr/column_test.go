package expr

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/causetc/causetc/ir"
)

func varchar(n int) ir.SQLType    { return ir.SQLType{Name: ir.Varchar, Length: n} }
func char(n int) ir.SQLType       { return ir.SQLType{Name: ir.Char, Length: n} }
func numeric(p, s int) ir.SQLType { return ir.SQLType{Name: ir.Numeric, Precision: p, Scale: s} }
func plain(name ir.TypeName) ir.SQLType {
	return ir.SQLType{Name: name}
}

func TestCoerce(t *testing.T) {
	tests := []struct {
		value string // JSON
		typ   ir.SQLType
		want  string // SQLText
	}{
		{`"abc"`, plain(ir.Text), `abc`},
		{`""`, plain(ir.Text), ``},
		{`1.50`, plain(ir.Text), `1.5`},
		{`1e3`, plain(ir.Text), `1000`},
		{`true`, plain(ir.Text), `true`},
		{`"né😀"`, varchar(3), `né😀`},
		{`"abc"`, varchar(0), `abc`},
		{`"a "`, varchar(2), `a `},
		{`12`, varchar(2), `12`},
		{`"ab   "`, char(3), `ab`},
		{`"ab   "`, char(2), `ab`},
		{`"a"`, char(0), `a`},
		{`"  "`, char(1), ``},

		{`32767`, plain(ir.SmallInt), `32767`},
		{`-32768`, plain(ir.SmallInt), `-32768`},
		{`2147483647`, plain(ir.Integer), `2147483647`},
		{`-9223372036854775808`, plain(ir.BigInt), `-9223372036854775808`},
		{`-9223372036854775808.0`, plain(ir.BigInt), `-9223372036854775808`},
		{`1.0`, plain(ir.BigInt), `1`},
		{`1e3`, plain(ir.BigInt), `1000`},
		{`"12"`, plain(ir.BigInt), `12`},
		{`"-1.0"`, plain(ir.Integer), `-1`},

		{`12345678901234567890.123`, plain(ir.Numeric), `12345678901234567890.123`},
		{`7`, plain(ir.Numeric), `7`},
		{`"0.10"`, plain(ir.Numeric), `0.1`},
		{`99.99`, numeric(4, 2), `99.99`},
		{`99.990000`, numeric(4, 2), `99.99`},
		{`-0.00`, numeric(4, 2), `0`},
		{`1e2`, numeric(3, 0), `100`},
		{`0.00123`, numeric(3, 5), `0.00123`},

		{`0.1`, plain(ir.Double), `0.1`},
		{`123456789012345678`, plain(ir.Double), `1.2345678901234568e+17`},
		{`1e308`, plain(ir.Double), `1e+308`},
		{`1e-400`, plain(ir.Double), `0`},
		{`-0.0`, plain(ir.Double), `0`},
		{`-1e-999`, plain(ir.Double), `0`},
		{`16777217`, plain(ir.Real), `1.6777216e+07`},
		{`0.1`, plain(ir.Real), `0.1`},
		{`1.000000059604644775390625001`, plain(ir.Real), `1.0000001`}, // above the middle of two floats, but only as a decimal
		{`"2.5"`, plain(ir.Double), `2.5`},

		{`true`, plain(ir.Boolean), `true`},
		{`"false"`, plain(ir.Boolean), `false`},

		{`0`, plain(ir.TimestampTZ), `1970-01-01 00:00:00+00`},
		{`1700000000123`, plain(ir.TimestampTZ), `2023-11-14 22:13:20.123+00`},
		{`1700000000123`, plain(ir.Timestamp), `2023-11-14 22:13:20.123`},
		{`1700000000000.5`, plain(ir.Timestamp), `2023-11-14 22:13:20.0005`},
		{`-1`, plain(ir.Timestamp), `1969-12-31 23:59:59.999`},
		{`-62135596800000`, plain(ir.Timestamp), `0001-01-01 00:00:00`},
		{`253402300799999`, plain(ir.Timestamp), `9999-12-31 23:59:59.999`},
		{`"2024-02-29T23:59:59.123456789+05:30"`, plain(ir.TimestampTZ), `2024-02-29 18:29:59.123456+00`},
		{`"2024-02-29t00:00:00z"`, plain(ir.TimestampTZ), `2024-02-29 00:00:00+00`},
		{`"2024-02-29 00:00:00-00:00"`, plain(ir.TimestampTZ), `2024-02-29 00:00:00+00`},
		{`"2024-02-29"`, plain(ir.Timestamp), `2024-02-29 00:00:00`},
		{`1700000000123`, plain(ir.Date), `2023-11-14`},
		{`"2024-01-01T00:30:00+01:00"`, plain(ir.Date), `2023-12-31`},
		{`"0001-01-01"`, plain(ir.Date), `0001-01-01`},
		{`-1`, plain(ir.Date), `1969-12-31`},

		{`"A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11"`, plain(ir.UUID), `a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11`},
		{`"a0eebc999c0b4ef8bb6d6bb9bd380a11"`, plain(ir.UUID), `a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11`},

		{`"\\xDEadbe"`, plain(ir.Bytea), `\xdeadbe`},
		{`"\\x"`, plain(ir.Bytea), `\x`},
		{`""`, plain(ir.Bytea), `\x`},
		{`"AP8="`, plain(ir.Bytea), `\x00ff`},

		{`{"b": 1.0, "a": ["x", null]}`, plain(ir.JSONB), `{"a":["x",null],"b":1}`},
		{`"x"`, plain(ir.JSONB), `"x"`},
		{`1.50`, plain(ir.JSON), `1.5`},
		{`true`, plain(ir.JSON), `true`},
	}
	for _, tt := range tests {
		cell, err := Coerce(jsonValue(t, tt.value), tt.typ)
		if err != nil {
			t.Errorf("Coerce(%s, %s): %v", tt.value, typeText(tt.typ), err)
			continue
		}
		text := SQLText(cell, tt.typ)
		if text != tt.want {
			t.Errorf("Coerce(%s, %s) = %s, want %s", tt.value, typeText(tt.typ), text, tt.want)
		}
		checkCell(t, cell, tt.typ)
	}
}

// checkCell checks what holds for every cell of a column.
func checkCell(t *testing.T, cell Value, typ ir.SQLType) {
	t.Helper()
	if again, err := Coerce(cell, typ); err != nil || !again.Equal(cell) || again.kind != cell.kind {
		t.Errorf("Coerce of the cell %s again, %s: %s, %v", cell, typeText(typ), again, err)
	}
	if cell.IsNull() {
		return
	}
	text := SQLText(cell, typ)
	back, err := FromSQLText(text, typ)
	if err != nil || !back.Equal(cell) {
		t.Errorf("FromSQLText(%q, %s) = %s, %v, want %s", text, typeText(typ), back, err, cell)
	}
	if !bytes.Equal(KeyBytes(back), KeyBytes(cell)) {
		t.Errorf("the key of %s, %s, changes on the way through text", cell, typeText(typ))
	}
	if err := ValidText(text); err != nil {
		t.Errorf("SQLText of %s, %s: %v", cell, typeText(typ), err)
	}
}

func TestCoerceErrors(t *testing.T) {
	deep := strings.Repeat("[", MaxJSONDepth) + strings.Repeat("]", MaxJSONDepth)
	tests := []struct {
		value string
		typ   ir.SQLType
		want  Code
	}{
		{`[1]`, plain(ir.Text), CodeType},
		{`{}`, varchar(9), CodeType},
		{`"a\u0000b"`, plain(ir.Text), CodeText},
		{`"\ud83d"`, plain(ir.Text), CodeText},
		{"\"\xff\"", varchar(9), CodeText},
		{`"abcd"`, varchar(3), CodeLength},
		{`"abc "`, varchar(3), CodeLength},
		{`1234`, varchar(3), CodeLength},
		{`"abc"`, char(2), CodeLength},
		{`" a"`, char(1), CodeLength},
		{`"ab"`, char(0), CodeLength},

		{`32768`, plain(ir.SmallInt), CodeRange},
		{`-2147483649`, plain(ir.Integer), CodeRange},
		{`9223372036854775808`, plain(ir.BigInt), CodeRange},
		{`1e30`, plain(ir.BigInt), CodeRange},
		{`1.5`, plain(ir.BigInt), CodePrecision},
		{`"1.5"`, plain(ir.Integer), CodePrecision},
		{`12345678901234567890.5`, plain(ir.BigInt), CodePrecision},
		{`"007"`, plain(ir.BigInt), CodeFormat},
		{`" 7"`, plain(ir.BigInt), CodeFormat},
		{`""`, plain(ir.BigInt), CodeFormat},
		{`"1e999999999"`, plain(ir.BigInt), CodeRange},
		{`true`, plain(ir.BigInt), CodeType},
		{`[1]`, plain(ir.Integer), CodeType},

		{`99.999`, numeric(4, 2), CodePrecision},
		{`100`, numeric(4, 2), CodeRange},
		{`1e2`, numeric(2, 0), CodeRange},
		{`0.5`, numeric(5, 0), CodePrecision},
		{`0.01`, numeric(3, 5), CodeRange},
		{`"abc"`, plain(ir.Numeric), CodeFormat},
		{`"NaN"`, plain(ir.Numeric), CodeFormat},
		{`false`, plain(ir.Numeric), CodeType},

		{`1e309`, plain(ir.Double), CodeRange},
		{`1e39`, plain(ir.Real), CodeRange},
		{`"Infinity"`, plain(ir.Double), CodeFormat},
		{`true`, plain(ir.Double), CodeType},

		{`1`, plain(ir.Boolean), CodeType},
		{`"yes"`, plain(ir.Boolean), CodeType},

		{`253402300800000`, plain(ir.Timestamp), CodeRange},
		{`-62135596800001`, plain(ir.Timestamp), CodeRange},
		{`9223372036854775807`, plain(ir.Timestamp), CodeRange},
		{`1e300`, plain(ir.Timestamp), CodeRange},
		{`-1e300`, plain(ir.Date), CodeRange},
		{`0.0001`, plain(ir.Timestamp), CodePrecision},
		{`"2024-02-30"`, plain(ir.Timestamp), CodeFormat},
		{`"2024-02-29T24:00:00Z"`, plain(ir.Timestamp), CodeFormat},
		{`"2024-02-29T10:00:60Z"`, plain(ir.Timestamp), CodeFormat},
		{`"2024-02-29T10:00:00"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00:00."`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00:00.Z"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00:00+5:00"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00:00+05:30:"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00:00+05:30:600"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00:00+0530"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00:00+05:60"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-02-29T10:00Z"`, plain(ir.TimestampTZ), CodeFormat},
		{`"2024-2-9"`, plain(ir.Date), CodeFormat},
		{`"0000-12-31"`, plain(ir.Date), CodeRange},
		{`"0001-01-01T00:00:00+01:00"`, plain(ir.Timestamp), CodeRange},
		{`"1700000000000"`, plain(ir.Timestamp), CodeFormat},
		{`true`, plain(ir.Timestamp), CodeType},

		{`"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a1"`, plain(ir.UUID), CodeFormat},
		{`"a0eebc999-c0b-4ef8-bb6d-6bb9bd380a11"`, plain(ir.UUID), CodeFormat},
		{`"g0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, plain(ir.UUID), CodeFormat},
		{`1`, plain(ir.UUID), CodeType},

		{`"\\x0"`, plain(ir.Bytea), CodeFormat},
		{`"AP8"`, plain(ir.Bytea), CodeFormat},
		{`"AP\n8="`, plain(ir.Bytea), CodeFormat},
		{`"AP9="`, plain(ir.Bytea), CodeFormat},
		{`"é"`, plain(ir.Bytea), CodeFormat},
		{`1`, plain(ir.Bytea), CodeType},

		{`["a\u0000"]`, plain(ir.JSON), CodeText},
		{`{"\ud83d": 1}`, plain(ir.JSONB), CodeText},
		{`1`, plain("MONEY"), CodeType},
	}
	for _, tt := range tests {
		cell, err := Coerce(jsonValue(t, tt.value), tt.typ)
		if got := codeOf(t, err); got != tt.want {
			t.Errorf("Coerce(%s, %s) = %s, %v, want code %s", tt.value, typeText(tt.typ), cell, err, tt.want)
		}
	}
	nested := Array([]Value{jsonValue(t, deep)})
	if _, err := Coerce(nested, plain(ir.JSONB)); codeOf(t, err) != CodeDepth {
		t.Errorf("deep JSON: %v", err)
	}
	if _, err := Coerce(jsonValue(t, deep), plain(ir.JSONB)); err != nil {
		t.Errorf("JSON of the greatest depth: %v", err)
	}
}

func TestCoerceKeepsNullAndMissing(t *testing.T) {
	for _, typ := range everyType() {
		if v, err := Coerce(Null(), typ); err != nil || v.Kind() != KindNull {
			t.Errorf("null into %s: %s, %v", typeText(typ), v, err)
		}
		if v, err := Coerce(Missing(), typ); err != nil || !v.IsMissing() {
			t.Errorf("missing into %s: %s, %v", typeText(typ), v, err)
		}
	}
}

// everyType returns each column type at least once.
func everyType() []ir.SQLType {
	return []ir.SQLType{
		plain(ir.Text), varchar(0), varchar(5), char(0), char(4), plain(ir.SmallInt), plain(ir.Integer), plain(ir.BigInt), plain(ir.Boolean),
		plain(ir.Real), plain(ir.Double), plain(ir.Numeric), numeric(10, 3), numeric(20, 0), numeric(2, 4), plain(ir.JSON), plain(ir.JSONB),
		plain(ir.UUID), plain(ir.Timestamp), plain(ir.TimestampTZ), plain(ir.Date), plain(ir.Bytea),
	}
}

// What Postgres prints in other forms than SQLText has.
func TestFromSQLText(t *testing.T) {
	tests := []struct {
		text string
		typ  ir.SQLType
		want string
	}{
		{"t", plain(ir.Boolean), "true"}, {"f", plain(ir.Boolean), "false"},
		{"ab  ", char(4), "ab"},
		{"1.500", numeric(10, 3), "1.5"},
		{"1e+20", plain(ir.Double), "1e+20"}, {"1e-07", plain(ir.Real), "1e-07"}, {"-0", plain(ir.Double), "0"},
		{"2024-05-01 12:00:00.5+02", plain(ir.TimestampTZ), "2024-05-01 10:00:00.5+00"},
		{"2024-05-01 12:00:00+05:30", plain(ir.TimestampTZ), "2024-05-01 06:30:00+00"},
		{"1900-01-01 00:00:00+00:19:32", plain(ir.TimestampTZ), "1899-12-31 23:40:28+00"},
		{"2024-05-01 12:00:00-07", plain(ir.TimestampTZ), "2024-05-01 19:00:00+00"},
		{"2024-05-01 12:00:00.000001", plain(ir.Timestamp), "2024-05-01 12:00:00.000001"},
		{`{"a": 1.00, "bb": [1, 2]}`, plain(ir.JSONB), `{"a":1,"bb":[1,2]}`},
	}
	for _, tt := range tests {
		v, err := FromSQLText(tt.text, tt.typ)
		if err != nil || SQLText(v, tt.typ) != tt.want {
			t.Errorf("FromSQLText(%q, %s) = %s, %v, want %s", tt.text, typeText(tt.typ), SQLText(v, tt.typ), err, tt.want)
		}
	}
	for _, tt := range []struct {
		text string
		typ  ir.SQLType
	}{{"NaN", plain(ir.Double)}, {"Infinity", plain(ir.Real)}, {"infinity", plain(ir.Timestamp)}, {"NaN", plain(ir.Numeric)},
		{"{", plain(ir.JSON)}, {"x", plain(ir.Boolean)}, {"2024-05-01 12:00:00 BC", plain(ir.Timestamp)}} {
		if v, err := FromSQLText(tt.text, tt.typ); err == nil {
			t.Errorf("FromSQLText(%q, %s) = %s", tt.text, typeText(tt.typ), v)
		}
	}
}

func TestCoerceRoundTrip(t *testing.T) {
	r := randomSource(t)
	taken := map[ir.TypeName]int{}
	for range 4_000 {
		v := randomValue(r, 2)
		switch r.IntN(4) {
		case 0: // a moment
			v = Int(r.Int64N(2*maxMoment/microsPerMilli) - maxMoment/microsPerMilli)
		case 1: // a short number
			v, _ = ParseNumber([]string{"0.5", "12", "-7", "1234567.125", "0.0012", "3e7"}[r.IntN(6)])
		}
		for _, typ := range everyType() {
			cell, err := Coerce(v, typ)
			if err != nil || cell.IsNull() {
				codeOf(t, err)
				continue
			}
			taken[typ.Name]++
			checkCell(t, cell, typ)
		}
		if t.Failed() {
			return
		}
	}
	for _, name := range []ir.TypeName{ir.Text, ir.Varchar, ir.Char, ir.BigInt, ir.Numeric, ir.Double, ir.Real, ir.JSONB, ir.Timestamp, ir.Date} {
		if taken[name] < 100 {
			t.Errorf("only %d cells of %s", taken[name], name)
		}
	}
}

func TestEveryMicrosecondHasItsText(t *testing.T) {
	r := randomSource(t)
	for range 20_000 {
		cell := Value{kind: KindTime, n: minMoment + r.Int64N(maxMoment-minMoment)}
		for _, typ := range []ir.SQLType{plain(ir.Timestamp), plain(ir.TimestampTZ)} {
			checkCell(t, cell, typ)
		}
		text, _ := cell.AsMoment()
		if back, err := momentOf(String(text.Format("2006-01-02T15:04:05.999999Z07:00"))); err != nil || back != cell.n {
			t.Fatalf("%v: %d, %v", text, back, err)
		}
	}
}

func TestEveryFloatHasItsText(t *testing.T) {
	r := randomSource(t)
	for range 20_000 {
		if f := math.Float64frombits(r.Uint64()); !math.IsNaN(f) && !math.IsInf(f, 0) {
			checkCell(t, floatCell(f), plain(ir.Double))
		}
		if f := math.Float32frombits(r.Uint32()); f == f && !math.IsInf(float64(f), 0) {
			checkCell(t, floatCell(float64(f)), plain(ir.Real))
		}
	}
}

func TestKeyBytes(t *testing.T) {
	cell := func(text string, typ ir.SQLType) Value {
		v, err := Coerce(jsonValue(t, text), typ)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	same := [][2]Value{
		{cell("1.0", plain(ir.Numeric)), cell("1.00", plain(ir.Numeric))},
		{cell("1", plain(ir.Numeric)), cell("1e0", plain(ir.Numeric))},
		{cell(`"a  "`, char(4)), cell(`"a"`, char(4))},
		{cell("-0.0", plain(ir.Double)), cell("0", plain(ir.Double))},
		{cell("-0.0", plain(ir.Numeric)), cell("0", plain(ir.Numeric))},
		{cell(`{"a":1.0,"b":2}`, plain(ir.JSONB)), cell(`{"b":2,"a":1}`, plain(ir.JSONB))},
		{cell(`"2024-01-01T00:00:00.1234567Z"`, plain(ir.TimestampTZ)), cell(`1704067200123.456`, plain(ir.TimestampTZ))},
		{cell(`"A0EEBC999C0B4EF8BB6D6BB9BD380A11"`, plain(ir.UUID)), cell(`"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, plain(ir.UUID))},
	}
	for _, pair := range same {
		if !bytes.Equal(KeyBytes(pair[0]), KeyBytes(pair[1])) {
			t.Errorf("%s and %s have different keys", pair[0], pair[1])
		}
	}
	differ := [][2][]Value{
		{{String("a"), String("bc")}, {String("ab"), String("c")}},
		{{String("1")}, {Int(1)}},
		{{String("a ")}, {String("a")}},
		{{String("null")}, {Null()}},
		{{String("")}, {Null()}},
		{{Bool(true)}, {Int(1)}},
		{{String("a"), Null()}, {String("a")}},
		{{cell(`"x"`, plain(ir.JSONB))}, {cell(`["x"]`, plain(ir.JSONB))}},
	}
	for _, pair := range differ {
		if bytes.Equal(KeyBytes(pair[0]...), KeyBytes(pair[1]...)) {
			t.Errorf("%v and %v have one key", pair[0], pair[1])
		}
	}
}

func TestCheckKey(t *testing.T) {
	text := func(n int) Value { return String(strings.Repeat("x", n)) }
	for _, cells := range [][]Value{{text(2680)}, {text(1000), text(1600), Int(1)}, {Null()}, {jsonValue(t, "1e999")}} {
		if err := CheckKey(cells...); err != nil {
			t.Errorf("%d cells: %v", len(cells), err)
		}
	}
	for _, cells := range [][]Value{{text(2700)}, {text(1000), text(1700)}, {Array([]Value{text(2700)})}} {
		if err := CheckKey(cells...); codeOf(t, err) != CodeLength {
			t.Errorf("%d cells: %v", len(cells), err)
		}
	}
}

func TestCellsAsJSON(t *testing.T) {
	for _, tt := range []struct {
		value string
		typ   ir.SQLType
		want  string
	}{
		{"1700000000123", plain(ir.TimestampTZ), `"2023-11-14T22:13:20.123Z"`}, {"0", plain(ir.Date), `"1970-01-01"`},
		{"0.1", plain(ir.Double), "0.1"}, {`"AP8="`, plain(ir.Bytea), `"\\x00ff"`},
	} {
		v, err := Coerce(jsonValue(t, tt.value), tt.typ)
		if got := v.String(); err != nil || got != tt.want {
			t.Errorf("%s in %s: %s, %v", tt.value, typeText(tt.typ), got, err)
		}
	}
}

// FuzzCoerce: whatever the value and type, Coerce refuses it with an EvalError or gives a cell that keeps its promises.
func FuzzCoerce(f *testing.F) {
	for _, seed := range []string{`"2024-02-29T10:00:00.5+01:00"`, `1e3`, `"\\x00"`, `"AP8="`, `{"a":[1,"x"]}`, `"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"`, `-1.25`, `"1.50"`, `true`} {
		for i := range len(everyType()) {
			f.Add([]byte(seed), uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, which uint8) {
		v, err := ParseJSON(data)
		if err != nil {
			return
		}
		typ := everyType()[int(which)%len(everyType())]
		cell, err := Coerce(v, typ)
		if codeOf(t, err) == "" {
			checkCell(t, cell, typ)
		}
		if s, ok := v.AsString(); ok {
			if cell, err := FromSQLText(s, typ); codeOf(t, err) == "" {
				checkCell(t, cell, typ)
			}
		}
	})
}
