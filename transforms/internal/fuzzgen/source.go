package fuzzgen

// source draws choices, a byte each. When the bytes are used up every choice is the
// first: programs end.
type source struct {
	data []byte
	at   int
}

// n returns a choice of n.
func (s *source) n(n int) int {
	if s.at >= len(s.data) || n < 2 {
		return 0
	}
	b := s.data[s.at]
	s.at++
	return int(b) % n
}

// in256 is true for k of 256 bytes, false when they are used up.
func (s *source) in256(k int) bool { return s.n(256) >= 256-k }
