package rowsort

// A Team does parts of the work on one long row at the same time. The result is the same with any
// number of parts.
type Team struct {
	Parts int
	Run   func(parts int, do func(part int)) // does all parts
	count []uint32                           // of digits, by part
}

// leastShared is the number of elements of a row from which a team works on it.
const leastShared = 1 << 16

// shares reports whether the team works on a row of n elements.
func (t *Team) shares(n int) bool { return t != nil && t.Parts > 1 && n >= leastShared }

// each calls do for all elements of a row, some of them in each part.
func (t *Team) each(n int, do func(lo, hi int)) {
	if !t.shares(n) {
		do(0, n)
		return
	}
	t.Run(t.Parts, func(i int) { do(t.bounds(i, n)) })
}

func (t *Team) bounds(i, n int) (lo, hi int) { return n * i / t.Parts, n * (i + 1) / t.Parts }

// starts counts the digits of each part and returns the positions where the parts write the elements of each
// digit: in the order of the digits, and for each digit in the order of the parts. It returns nil if all digits
// are equal.
func (t *Team) starts(n int, count func(lo, hi int, of []uint32)) []uint32 {
	const digits = 1 << wideDigit
	all := sized(&t.count, t.Parts*digits)
	t.Run(t.Parts, func(i int) {
		of := all[i*digits : (i+1)*digits]
		clear(of)
		lo, hi := t.bounds(i, n)
		count(lo, hi, of)
	})
	at := uint32(0)
	for d := range digits {
		first := at
		for i := d; i < len(all); i += digits {
			c := all[i]
			all[i] = at
			at += c
		}
		if int(at-first) == n {
			return nil
		}
	}
	return all
}

// teamPass is widePass by a team.
func teamPass[W word](t *Team, dst, src []W, shift int) bool {
	const mask = 1<<wideDigit - 1
	at := t.starts(len(src), func(lo, hi int, of []uint32) {
		of = of[: 1<<wideDigit : 1<<wideDigit]
		for _, w := range src[lo:hi] {
			of[(w>>shift)&mask]++
		}
	})
	if at == nil {
		return false
	}
	t.Run(t.Parts, func(i int) {
		lo, hi := t.bounds(i, len(src))
		to := at[i<<wideDigit : (i+1)<<wideDigit]
		for _, w := range src[lo:hi] {
			d := (w >> shift) & mask
			dst[to[d]] = w
			to[d]++
		}
	})
	return true
}

func (t *Team) pairs(k2, k []uint64, p2, p []uint32, shift int) bool {
	const mask = 1<<wideDigit - 1
	at := t.starts(len(k), func(lo, hi int, of []uint32) {
		for _, w := range k[lo:hi] {
			of[(w>>shift)&mask]++
		}
	})
	if at == nil {
		return false
	}
	t.Run(t.Parts, func(i int) {
		lo, hi := t.bounds(i, len(k))
		to := at[i<<wideDigit : (i+1)<<wideDigit]
		for j := lo; j < hi; j++ {
			d := (k[j] >> shift) & mask
			k2[to[d]], p2[to[d]] = k[j], p[j]
			to[d]++
		}
	})
	return true
}
