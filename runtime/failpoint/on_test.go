//go:build failpoints

package failpoint

import "testing"

func TestScripts(t *testing.T) {
	s := mustParse("off=window,kill=after-commit:3,refuse=before-commit:2:40001")
	if !s.off[Window] || len(s.off) != 1 || len(s.actions) != 2 || s.actions[1] != (action{"refuse", BeforeCommit, 2, "40001"}) {
		t.Errorf("%+v", s)
	}
	for _, wrong := range []string{"off=nothing", "kill=after-commit", "kill=nowhere:1", "kill=after-commit:x", "refuse=before-commit:1", "halt=after-commit:1"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q is taken", wrong)
				}
			}()
			mustParse(wrong)
		}()
	}
}

func TestRefusalComesOnce(t *testing.T) {
	before := current
	defer func() { current = before }()
	current = mustParse("refuse=before-commit:2:40001")
	var got string
	for range 3 {
		Reach(BeforeCommit)
		got += Refusal(BeforeCommit) + "/"
	}
	if got != "/40001//" {
		t.Errorf("refusals %q", got)
	}
}

func TestDisable(t *testing.T) {
	enable := Disable(Relay)
	if !Off(Relay) || Off(Window) {
		t.Error("another mechanism is off")
	}
	enable()
	if Off(Relay) {
		t.Error("the mechanism stays off")
	}
}
