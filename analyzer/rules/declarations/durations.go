package declarations

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/causetc/causetc/analyzer/analysis"
	"github.com/causetc/causetc/spec"
)

var (
	bucketLength = regexp.MustCompile(`^[1-9][0-9]{0,8}[smhdw]$`)
	calendar     = regexp.MustCompile(`^[1-9][0-9]{0,4} ?(hour|day|week|month|year)s?$`)
	timeout      = regexp.MustCompile(`^([1-9][0-9]*|[0-9]+\.[0-9]*[1-9][0-9]*)(ms|s|m|h)$`)
)

// runDurations finds texts that are to be lengths of time and are none.
func runDurations(p *analysis.Pass) error {
	check := func(s *spec.Scalar, form *regexp.Regexp, want string) {
		if s != nil && s.Value != "" && !form.MatchString(s.Value) {
			p.Reportf(s.Span(), "%q is no length of time here; write a number and a unit, such as %s", s.Value, want)
		}
	}
	for _, pr := range p.Program.Projections {
		if pr.Bucket != nil {
			check(pr.Bucket.Interval, bucketLength, "5m, 1h, 24h or 1d")
			unevenBucket(p, pr.Bucket.Interval)
		}
		if pr.Partition != nil {
			check(pr.Partition.Interval, calendar, "1 month or 7 days")
			check(pr.Partition.Retention, calendar, "6 months or 90 days")
		}
	}
	for _, x := range p.Program.Providers {
		check(x.Timeout, timeout, "45s or 2m")
	}
	for _, d := range p.Program.Decisions {
		check(d.Timeout, timeout, "45s or 2m")
	}
	return nil
}

// unevenBucket warns of a bucket that does not divide a day: the last of a day runs into the next, so a day is not the sum of its
// buckets.
func unevenBucket(p *analysis.Pass, s *spec.Scalar) {
	if s == nil || !bucketLength.MatchString(s.Value) {
		return
	}
	last := len(s.Value) - 1
	n, err := strconv.Atoi(s.Value[:last])
	unit := map[byte]int{'s': 24 * 60 * 60, 'm': 24 * 60, 'h': 24}[s.Value[last]]
	if err != nil || unit == 0 || unit%n == 0 || n%unit == 0 {
		return
	}
	next := n
	for next = min(n, unit); unit%next != 0; next-- {
	}
	p.Report(spec.Diagnostic{Span: s.Span(), Severity: spec.Warning, Message: fmt.Sprintf(
		"a bucket of %s does not divide a day, so its buckets start at other times every day; write %d%c, or another length that does",
		s.Value, next, s.Value[last])})
}
