package expr

import (
	"math"
	"strconv"
	"time"
)

const (
	microsPerSecond = int64(1_000_000)
	microsPerDay    = 86_400 * microsPerSecond
	microsPerMilli  = int64(1_000)
)

// The moments that the language holds: the years 1 to 9999 in UTC, in microseconds since the epoch.
const (
	minMoment = -62_135_596_800 * microsPerSecond
	maxMoment = 253_402_300_800*microsPerSecond - 1
)

// momentOf reads a moment as microseconds since the epoch: a number is milliseconds and must be whole in microseconds, a
// string is an RFC 3339 date or date and time, of which digits beyond the microsecond are cut.
func momentOf(v Value) (int64, error) {
	switch v.kind {
	case KindInt, KindDecimal:
		return momentOfMillis(v)
	case KindString:
		micros, ok := parseMoment(v.s)
		if !ok {
			return 0, evalErrorf(CodeFormat, "%s is not a moment: want milliseconds or RFC 3339, such as 2024-05-01T10:00:00Z", describe(v))
		}
		return checkMoment(micros, v)
	case KindTime:
		return v.n, nil
	case KindDate:
		return v.n * microsPerDay, nil
	default:
		return 0, evalErrorf(CodeType, "a moment is a number of milliseconds or RFC 3339 text, not %s", describe(v))
	}
}

func momentOfMillis(v Value) (int64, error) {
	if v.kind == KindInt {
		if v.n < minMoment/microsPerMilli || v.n > maxMoment/microsPerMilli {
			return 0, errMoment(v)
		}
		return v.n * microsPerMilli, nil
	}
	scaled, err := Mul(v, Int(microsPerMilli))
	if err != nil {
		return 0, errMoment(v)
	}
	micros, ok := scaled.AsInt()
	if whole, err := Floor(scaled); !ok && err == nil && whole.n >= minMoment && whole.n <= maxMoment {
		return 0, evalErrorf(CodePrecision, "%s milliseconds are not a whole number of microseconds", describe(v))
	}
	if !ok {
		return 0, errMoment(v)
	}
	return checkMoment(micros, v)
}

func checkMoment(micros int64, v Value) (int64, error) {
	if micros < minMoment || micros > maxMoment {
		return 0, errMoment(v)
	}
	return micros, nil
}

func errMoment(v Value) error {
	return evalErrorf(CodeRange, "%s is not a moment in the years 1 to 9999", describe(v))
}

// parseMoment reads an RFC 3339 full-date (midnight UTC) or date-time; between date and time it also takes the lower-case
// t or a space, and as zone also what Postgres prints. The result may be outside the range of moments.
func parseMoment(s string) (int64, bool) {
	days, ok := parseDate(s)
	if !ok {
		return 0, false
	}
	micros := days * microsPerDay
	if len(s) == 10 {
		return micros, true
	}
	if len(s) < 20 || (s[10] != 'T' && s[10] != 't' && s[10] != ' ') {
		return 0, false
	}
	clock, rest, ok := parseClock(s[11:])
	if !ok {
		return 0, false
	}
	offset, ok := parseZone(rest)
	return micros + clock - offset, ok
}

// parseDate reads YYYY-MM-DD at the start of s as days since the epoch.
func parseDate(s string) (int64, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return 0, false
	}
	year, ok1 := number(s[:4])
	month, ok2 := number(s[5:7])
	day, ok3 := number(s[8:10])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 {
		return 0, false
	}
	t := time.Date(int(year), time.Month(month), int(day), 0, 0, 0, 0, time.UTC)
	if t.Day() != int(day) {
		return 0, false
	}
	return floorDiv(t.Unix(), 86_400), true
}

// parseClock reads HH:MM:SS with an optional fraction as microseconds.
func parseClock(s string) (micros int64, rest string, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' {
		return 0, "", false
	}
	hour, ok1 := number(s[:2])
	minute, ok2 := number(s[3:5])
	second, ok3 := number(s[6:8])
	if !ok1 || !ok2 || !ok3 || hour > 23 || minute > 59 || second > 59 {
		return 0, "", false
	}
	micros = (hour*3600 + minute*60 + second) * microsPerSecond
	rest = s[8:]
	if rest == "" || rest[0] != '.' {
		return micros, rest, true
	}
	end := scanDigits(rest, 1)
	if end == 1 {
		return 0, "", false
	}
	unit := microsPerSecond / 10
	for i := 1; i < end && unit > 0; i++ {
		micros += int64(rest[i]-'0') * unit
		unit /= 10
	}
	return micros, rest[end:], true
}

// parseZone reads Z, z, +HH:MM, +HH and +HH:MM:SS (which Postgres prints of old moments) as microseconds east of UTC.
func parseZone(s string) (int64, bool) {
	if s == "Z" || s == "z" {
		return 0, true
	}
	if len(s) < 3 || (s[0] != '+' && s[0] != '-') {
		return 0, false
	}
	hour, ok := number(s[1:3])
	var minute, second int64
	if rest := s[3:]; rest != "" {
		var okMinute, okSecond bool
		minute, okMinute = colonNumber(rest, 0)
		second, okSecond = colonNumber(rest, 3)
		ok = ok && okMinute && (okSecond || len(rest) == 3) && len(rest) <= 6
	}
	if !ok || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	offset := (hour*3600 + minute*60 + second) * microsPerSecond
	if s[0] == '-' {
		offset = -offset
	}
	return offset, true
}

// colonNumber reads :NN at i.
func colonNumber(s string, i int) (int64, bool) {
	if len(s) < i+3 || s[i] != ':' {
		return 0, false
	}
	return number(s[i+1 : i+3])
}

// number reads a text of nothing but digits.
func number(s string) (int64, bool) {
	if s == "" || scanDigits(s, 0) != len(s) {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n <= math.MaxInt32
}

// appendDate appends a day as YYYY-MM-DD.
func appendDate(dst []byte, days int64) []byte {
	return time.Unix(days*86_400, 0).UTC().AppendFormat(dst, "2006-01-02")
}

// appendMoment appends a moment as YYYY-MM-DD, the separator, HH:MM:SS, the fraction that it has, and the zone.
func appendMoment(dst []byte, micros int64, separator byte, zone string) []byte {
	dst = appendDate(dst, floorDiv(micros, microsPerDay))
	dst = append(dst, separator)
	ofDay := micros - floorDiv(micros, microsPerDay)*microsPerDay
	seconds := ofDay / microsPerSecond
	dst = appendTwo(dst, seconds/3600)
	dst = appendTwo(append(dst, ':'), seconds/60%60)
	dst = appendTwo(append(dst, ':'), seconds%60)
	if fraction := ofDay % microsPerSecond; fraction != 0 {
		dst = append(dst, '.')
		for unit := microsPerSecond / 10; fraction > 0; unit /= 10 {
			dst = append(dst, '0'+byte(fraction/unit))
			fraction %= unit
		}
	}
	return append(dst, zone...)
}

func appendTwo(dst []byte, n int64) []byte { return append(dst, '0'+byte(n/10), '0'+byte(n%10)) }

// floorDiv divides by a positive d, rounding towards minus infinity.
func floorDiv(n, d int64) int64 {
	q := n / d
	if n%d < 0 {
		q--
	}
	return q
}
