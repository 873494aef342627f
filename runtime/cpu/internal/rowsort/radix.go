// Package rowsort sorts rows of arrays. The sort is stable, by keys whose order as unsigned
// integers is the order of the elements.
package rowsort

// A word is a key, or a key with the position of its element in the low half.
type word interface{ uint32 | uint64 }

// sortWords sorts at most fewWords words by insertion, more than manyWords by digits of
// wideDigit bits, others by digits of 8 bits.
const (
	fewWords  = 40
	manyWords = 6000
	wideDigit = 11
)

// sortWords sorts words by their bits from low to high−1 and returns them: the words lie in
// a or in b afterwards. It keeps the order of words with equal bits. The bits from high on must be zero.
func sortWords[W word](team *Team, a, b []W, low, high int) []W {
	switch n := len(a); {
	case n <= fewWords:
		insert(a, low)
		return a
	case n <= manyWords:
		for shift := low; shift < high; shift += 8 {
			if narrowPass(b, a, shift) {
				a, b = b, a
			}
		}
		return a
	}
	pass := widePass[W]
	if team.shares(len(a)) {
		pass = func(dst, src []W, shift int) bool { return teamPass(team, dst, src, shift) }
	}
	for shift := low; shift < high; shift += wideDigit {
		if pass(b, a, shift) {
			a, b = b, a
		}
	}
	return a
}

// insert sorts words by their bits from low on.
func insert[W word](a []W, low int) {
	for i := 1; i < len(a); i++ {
		w := a[i]
		k := w >> low
		j := i
		for ; j > 0 && a[j-1]>>low > k; j-- {
			a[j] = a[j-1]
		}
		a[j] = w
	}
}

// narrowPass writes src to dst in the order of the 8 bits from shift on. It reports false, and
// writes nothing, if all words have the same digit.
func narrowPass[W word](dst, src []W, shift int) bool {
	var count [256]uint32
	for _, w := range src {
		count[uint8(w>>shift)]++
	}
	if int(count[uint8(src[0]>>shift)]) == len(src) {
		return false
	}
	at := uint32(0)
	for d, c := range count {
		count[d] = at
		at += c
	}
	for _, w := range src {
		d := uint8(w >> shift)
		dst[count[d]] = w
		count[d]++
	}
	return true
}

// widePass is narrowPass for digits of wideDigit bits.
func widePass[W word](dst, src []W, shift int) bool {
	const mask = 1<<wideDigit - 1
	var count [1 << wideDigit]uint32
	for _, w := range src {
		count[(w>>shift)&mask]++
	}
	if int(count[(src[0]>>shift)&mask]) == len(src) {
		return false
	}
	at := uint32(0)
	for d, c := range count {
		count[d] = at
		at += c
	}
	for _, w := range src {
		d := (w >> shift) & mask
		dst[count[d]] = w
		count[d]++
	}
	return true
}

func sortPairs(team *Team, k, k2 []uint64, p, p2 []uint32) ([]uint64, []uint32) {
	n := len(k)
	if n <= fewWords {
		for i := 1; i < n; i++ {
			x, y := k[i], p[i]
			j := i
			for ; j > 0 && k[j-1] > x; j-- {
				k[j], p[j] = k[j-1], p[j-1]
			}
			k[j], p[j] = x, y
		}
		return k, p
	}
	for shift := 0; shift < 64; shift += wideDigit {
		if team.shares(n) {
			if team.pairs(k2, k, p2, p, shift) {
				k, k2, p, p2 = k2, k, p2, p
			}
			continue
		}
		const mask = 1<<wideDigit - 1
		var count [1 << wideDigit]uint32
		for _, w := range k {
			count[(w>>shift)&mask]++
		}
		if int(count[(k[0]>>shift)&mask]) == n {
			continue
		}
		at := uint32(0)
		for d, c := range count {
			count[d] = at
			at += c
		}
		for i, w := range k {
			d := (w >> shift) & mask
			j := count[d]
			count[d]++
			k2[j], p2[j] = w, p[i]
		}
		k, k2, p, p2 = k2, k, p2, p
	}
	return k, p
}
