//go:build !failpoints

package failpoint

// Enabled says whether this is the test build.
const Enabled = false

// Reach is told that the work comes by a point.
func Reach(Point) {}

// Refusal returns the SQLSTATE that the transaction at this point is to fail with, or nothing.
func Refusal(Point) string { return "" }

// Off reports whether a mechanism is taken out.
func Off(Mechanism) bool { return false }
