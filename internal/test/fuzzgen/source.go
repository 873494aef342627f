package fuzzgen

import "math/rand/v2"

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

// in256 is true for k of the 256 values of a byte, and false when the bytes are used up.
func (s *source) in256(k int) bool { return s.n(256) >= 256-k }

// RandomBytes returns n bytes for a program, the same ones for the same seed.
func RandomBytes(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, n)
	for k := range b {
		b[k] = byte(r.Uint32())
	}
	return b
}
