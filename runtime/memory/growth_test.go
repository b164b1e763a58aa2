package memory_test

import (
	"testing"

	"github.com/causetc/causetc/ir"
	"github.com/causetc/causetc/runtime/memory"
	"github.com/causetc/causetc/runtime/oracle"
)

// TestGrowth: the reference keeps the rules of topics that grow.
func TestGrowth(t *testing.T) {
	for _, class := range []ir.Class{ir.Convergent, ir.Ordered} {
		if err := oracle.CheckGrowth(t.Context(), memory.New(seats(t, class, false), 100), class == ir.Ordered); err != nil {
			t.Errorf("%s: %v", class, err)
		}
	}
}
