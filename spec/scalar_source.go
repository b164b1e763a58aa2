package spec

// Span returns the place of the scalar as written, quotes included.
func (s *Scalar) Span() Span {
	return s.File.Span(s.Start, s.Start+len(s.Value))
}

// Sub returns the place of the bytes [from, to) of the decoded value; where the source can't be mapped, that of the
// whole scalar.
func (s *Scalar) Sub(from, to int) Span {
	return s.File.Span(s.Start+from, s.Start+to)
}
