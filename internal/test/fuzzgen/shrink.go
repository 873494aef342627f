package fuzzgen

import "slices"

// Shrink looks for fewer and smaller bytes for which fails still holds. It stops
// after the given number of attempts.
func Shrink(data []byte, attempts int, fails func([]byte) bool) []byte {
	best := slices.Clone(data)
	try := func(b []byte) bool {
		if attempts <= 0 || slices.Equal(b, best) {
			return false
		}
		attempts--
		if fails(b) {
			best = b
			return true
		}
		return false
	}
	for again := true; again && attempts > 0; {
		again = false
		for n := len(best); n > 0; n /= 2 { // cut the end off
			if n < len(best) && try(slices.Clone(best[:len(best)-n])) {
				again = true
			}
		}
		for n := max(len(best)/2, 1); n > 0; n /= 2 {
			for at := 0; at+n <= len(best); at += n {
				if try(slices.Delete(slices.Clone(best), at, at+n)) {
					again = true
					continue
				}
				zero := slices.Clone(best)
				clear(zero[at : at+n])
				if try(zero) {
					again = true
				}
			}
		}
		for at := range best {
			for _, b := range []byte{0, 1, 2, 3, best[at] / 2} {
				if at < len(best) && b < best[at] {
					smaller := slices.Clone(best)
					smaller[at] = b
					if try(smaller) {
						again = true
						break
					}
				}
			}
		}
	}
	return best
}
