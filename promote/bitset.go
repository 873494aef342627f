package promote

import "math/bits"

type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) has(i int) bool { return s[i/64]>>(i%64)&1 != 0 }
func (s bitset) add(i int)      { s[i/64] |= 1 << (i % 64) }

func (s bitset) or(t bitset) {
	for i, w := range t {
		s[i] |= w
	}
}

func (s bitset) andNot(t bitset) {
	for i, w := range t {
		s[i] &^= w
	}
}

// meet sets s to the common members of a and b and returns the least of them, or -1.
func (s bitset) meet(a, b bitset) int {
	first := -1
	for i := range s {
		s[i] = a[i] & b[i]
		if first < 0 && s[i] != 0 {
			first = i*64 + bits.TrailingZeros64(s[i])
		}
	}
	return first
}

func (s bitset) least() int {
	for i, w := range s {
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (s bitset) equal(t bitset) bool {
	for i, w := range s {
		if w != t[i] {
			return false
		}
	}
	return true
}
