package sql

import (
	"fmt"
	"strconv"
	"strings"
)

// windowUnits are the units of a window in seconds, by their letter and by their word.
var windowUnits = map[string]int64{
	"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800,
	"second": 1, "minute": 60, "hour": 3600, "day": 86_400, "week": 604_800,
	"seconds": 1, "minutes": 60, "hours": 3600, "days": 86_400, "weeks": 604_800,
}

// maxWindowSeconds bounds a window to what a moment can be moved by: 10,000 years.
const maxWindowSeconds = 315_360_000_000

// parseWindow turns a length of time such as 24h or 7d into the text of an interval in seconds, which does not depend on
// the session's time zone.
func parseWindow(text string) (string, error) {
	trimmed := strings.TrimSpace(text)
	digits := strings.TrimLeft(trimmed, "0123456789")
	number := trimmed[:len(trimmed)-len(digits)]
	unit, known := windowUnits[strings.ToLower(strings.TrimSpace(digits))]
	n, err := strconv.ParseInt(number, 10, 64)
	if !known || err != nil || n > maxWindowSeconds/unit {
		return "", fmt.Errorf("%q is not a window such as 30m, 24h or 7d", text)
	}
	return strconv.FormatInt(n*unit, 10) + " seconds", nil
}
