// Package nearest finds the known word that an unknown one was probably meant to be.
package nearest

import "strings"

// Word returns the candidate that is nearest to word, or "" where none is near enough to be worth suggesting. Letter case
// counts little; of equally near candidates the first wins.
func Word(word string, candidates []string) string {
	limit := (len(word) + 2) / 4 // one edit from three letters on, two from six, three from ten
	if limit > 3 {
		limit = 3
	}
	if len(word) > 64 || word == "" {
		return ""
	}
	best, found := limit+1, ""
	lower := strings.ToLower(word)
	for _, c := range candidates {
		if c == word || len(c)-len(word) > limit || len(word)-len(c) > limit {
			continue
		}
		if d := Distance(lower, strings.ToLower(c)); d < best {
			best, found = d, c
		}
	}
	return found
}

// IsSlip reports whether a word is so near to one of some candidates that it is that one written with a slip: one edit, or two
// in a long word, and letter case, where no digit differs and no other candidate is as near.
func IsSlip(word, near string, candidates []string) bool {
	const short, long = 4, 8
	if len(near) < short || digits(word) != digits(near) {
		return false
	}
	limit := 1
	if len(near) >= long {
		limit = 2
	}
	lower := strings.ToLower(word)
	d := Distance(lower, strings.ToLower(near))
	if d > limit {
		return false
	}
	for _, c := range candidates {
		if c != near && max(len(c)-len(word), len(word)-len(c)) <= d && Distance(lower, strings.ToLower(c)) <= d {
			return false
		}
	}
	return true
}

// digits returns the digits of a word.
func digits(word string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, word)
}

// Distance returns the number of edits that turn a into b: an inserted, deleted or replaced byte, or two neighbours
// swapped (the restricted Damerau-Levenshtein distance).
func Distance(a, b string) int {
	before := make([]int, len(b)+1)
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(above[j]+1, row[j-1]+1, above[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
