package expr

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseJSON(t *testing.T) {
	tests := map[string]string{
		` { "b" : [ 1 , 2.50 , true , null ] , "a" : { } } `: `{"a":{},"b":[1,2.5,true,null]}`,
		`[]`: `[]`, `"x"`: `"x"`, "\t1\n": "1", `-0`: `0`, `1E2`: `100`,
		`{"a": 1, "b": 2, "a": 3}`:                   `{"a":3,"b":2}`,
		`"\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00"`: `"\"\\/\b\f\n\r\tAé😀"`,
		`"\u0000\u001f\u007f\u2028"`:                 "\"\\u0000\\u001f\x7f\u2028\"",
		`{"\u0061": 1}`:                              `{"a":1}`,
		`12345678901234567890`:                       `12345678901234567890`,
	}
	for text, want := range tests {
		v, err := ParseJSON([]byte(text))
		if err != nil || v.String() != want {
			t.Errorf("ParseJSON(%s) = %s, %v, want %s", text, v, err, want)
		}
	}
}

func TestParseJSONKinds(t *testing.T) {
	for text, want := range map[string]Kind{
		"1": KindInt, "1.0": KindDecimal, "1e3": KindDecimal, "9223372036854775807": KindInt, "-9223372036854775808": KindInt,
		"9223372036854775808": KindDecimal, "null": KindNull, "false": KindBool, `""`: KindString, "[]": KindArray, "{}": KindObject,
	} {
		if v := jsonValue(t, text); v.Kind() != want {
			t.Errorf("%s is a %s, want %s", text, v.Kind(), want)
		}
	}
}

func TestParseJSONErrors(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	tests := []struct {
		text   string
		offset int
		want   string
	}{
		{``, 0, "end of text"}, {`  `, 2, "end of text"}, {`{`, 1, "end of text"}, {`[1,`, 3, "end of text"}, {`[1`, 2, "end of text"},
		{`{"a"`, 4, "end of text"}, {`{"a":`, 5, "end of text"}, {`{"a":1`, 6, "end of text"}, {`"abc`, 4, "without an end"},
		{`"a\`, 2, "without an end"}, {`"\ud83d`, 7, "without an end"},
		{`{a:1}`, 1, "key in double quotes"}, {`{"a" 1}`, 5, "':'"}, {`{"a":1 "b":2}`, 7, "','"}, {`[1 2]`, 3, "','"},
		{`[1,]`, 3, "after ','"}, {`{"a":1,}`, 7, "after ','"}, {`[,1]`, 1, "want a value"},
		{`1 2`, 2, "after the value"}, {`nul`, 0, "want a value"}, {`True`, 0, "want a value"}, {`'a'`, 0, "want a value"},
		{`01`, 0, "malformed number"}, {`-`, 0, "malformed number"}, {`1.`, 0, "malformed number"}, {`1e`, 0, "malformed number"},
		{`[1e999999999]`, 1, "out of range"},
		{"\"a\nb\"", 2, "control character"}, {"\"\\n\x00\"", 3, "control character"}, {`"\x"`, 1, "invalid escape"}, {`"\u12g4"`, 1, "invalid escape"},
		{"\ufeff{}", 0, "want a value"},
		{deep(MaxJSONDepth + 1), MaxJSONDepth, "deeper"},
		{strings.Repeat(`{"a":`, 100_000), 5 * MaxJSONDepth, "deeper"},
	}
	for _, tt := range tests {
		_, err := ParseJSON([]byte(tt.text))
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || !strings.Contains(syntax.Message, tt.want) || syntax.Offset != tt.offset {
			t.Errorf("ParseJSON(%.40q): %v, want %q at %d", tt.text, err, tt.want, tt.offset)
		}
	}
	if _, err := ParseJSON([]byte(deep(MaxJSONDepth))); err != nil {
		t.Errorf("depth %d: %v", MaxJSONDepth, err)
	}
}

func TestBadTextStaysDetectable(t *testing.T) {
	for _, text := range []string{`"\ud83d"`, `"\ude00\ud83d"`, `"\ud83dx"`, `"\ud83d\u0041"`, "\"a\xff\"", "\"\xed\xa0\x80\""} {
		v := jsonValue(t, text)
		if s, _ := v.AsString(); utf8.ValidString(s) {
			t.Errorf("%q became the valid text %q", text, s)
		}
		again, err := ParseJSON(v.AppendJSON(nil))
		if err != nil || !again.Equal(v) {
			t.Errorf("%q: canonical JSON gives %q, %v", text, again, err)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	r := randomSource(t)
	for range 3000 {
		v := randomValue(r, 4)
		text, err := v.MarshalJSON()
		if err != nil || !json.Valid(text) {
			t.Fatalf("%s is not valid: %v", text, err)
		}
		again, err := ParseJSON(text)
		if err != nil || !again.Equal(v) {
			t.Fatalf("%s gives %s, %v", text, again, err)
		}
		if twice := again.AppendJSON(nil); !bytes.Equal(text, twice) {
			t.Fatalf("%s is not canonical: %s", text, twice)
		}
	}
}

func TestJSONInStructs(t *testing.T) {
	var row struct{ A, B Value }
	if err := json.Unmarshal([]byte(`{"A": [1, 2.50], "B": 12345678901234567890}`), &row); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(row)
	if want := `{"A":[1,2.5],"B":12345678901234567890}`; err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}

// FuzzParseJSON holds the decoder to encoding/json: the same texts are accepted, but for the bounds, and canonical JSON
// is a fixed point.
func FuzzParseJSON(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e-3,"\u00e9\ud83d"],"a":null}`, `[[[]]]`, `"\ud83d\ude00"`, `-0.0`, `1e400`, "\"\xff\"", `{"a":1,}`, `tru`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := ParseJSON(data)
		if err != nil {
			bounded := strings.Contains(err.Error(), "deeper") || strings.Contains(err.Error(), "out of range")
			if json.Valid(data) && !bounded {
				t.Fatalf("refuses %q: %v", data, err)
			}
			return
		}
		if !json.Valid(data) {
			t.Fatalf("accepts %q", data)
		}
		text := v.AppendJSON(nil)
		again, err := ParseJSON(text)
		if err != nil || !again.Equal(v) || !bytes.Equal(again.AppendJSON(nil), text) {
			t.Fatalf("%q gives %s, then %s, %v", data, text, again, err)
		}
	})
}
