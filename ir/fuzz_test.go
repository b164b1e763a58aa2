package ir_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/causetc/causetc/ir"
)

// FuzzDecode holds the reader to its promise: no panic, a typed error, and what is accepted is written back as it was.
func FuzzDecode(f *testing.F) {
	for n := range uint64(8) {
		text, err := ir.Encode(generator{rand.New(rand.NewPCG(n, 1))}.program())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{"", "{}", "null", `{"format":1}`, `{"format":2}`, `{"format":1,"app":"a","hash":"","groups":[{}]}`,
		`{"format":1,"app":"a","hash":"","groups":[{"tables":[{"columns":[null]}],"projections":[{"handlers":[{"set":[{}]}]}]}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ir.Decode(data)
		if err == nil {
			checkAccepted(t, p)
			return
		}
		var version *ir.VersionError
		var corrupt *ir.CorruptError
		var invalid *ir.InvalidError
		if !errors.As(err, &version) && !errors.As(err, &corrupt) && !errors.As(err, &invalid) {
			t.Fatalf("untyped error %v", err)
		}
	})
}

func checkAccepted(t *testing.T, p *ir.Program) {
	t.Helper()
	text, err := ir.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ir.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ir.Encode(back)
	if err != nil || !bytes.Equal(text, again) {
		t.Fatalf("not stable: %v", err)
	}
	if err := ir.Print(io.Discard, back); err != nil {
		t.Fatal(err)
	}
}

// FuzzValidate reaches behind the hashes: it seals whatever can be read, and asks what the checks make of it.
func FuzzValidate(f *testing.F) {
	for n := range uint64(8) {
		text, err := ir.Encode(generator{rand.New(rand.NewPCG(n, 2))}.program())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readLoosely(data)
		if err != nil {
			return
		}
		if ir.Validate(p) == nil {
			checkAccepted(t, p)
		}
		if err := ir.Print(io.Discard, p); err != nil {
			t.Fatal(err)
		}
	})
}
