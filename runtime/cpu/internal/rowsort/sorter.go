package rowsort

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// Most is the greatest number of elements of a row.
const Most = 1<<32 - 1

// A Sorter sorts rows, one at a time. The next row reuses its memory.
type Sorter struct {
	Team        *Team // works on long rows; nil: the caller alone
	k32, k32b   []uint32
	k64, k64b   []uint64
	perm, perm2 []uint32
}

// Scratch returns the bytes of memory in which rows of n elements are sorted.
func Scratch(n int) int { return (4+8+8+4+4)*n + 5*align }

const align = 64

// In returns a Sorter of rows of n elements that works in mem, of Scratch(n) bytes aligned to 8,
// and allocates no memory.
func In(mem []byte, n int) *Sorter {
	s := &Sorter{}
	take := func(size int) []byte {
		part := mem[: n*size : n*size]
		mem = mem[(n*size+align-1)/align*align:]
		return part
	}
	words := take(8)
	s.k64, s.k64b = view[uint64](words)[:0], view[uint64](take(8))[:0]
	s.k32, s.perm, s.perm2 = view[uint32](take(4))[:0], view[uint32](take(4))[:0], view[uint32](take(4))[:0]
	s.k32b = view[uint32](words)[:0] // shares memory with k64: no row needs both
	return s
}

// sized returns s with n elements, with new memory if it is too short.
func sized[T any](s *[]T, n int) []T {
	if cap(*s) < n {
		*s = make([]T, n)
	}
	*s = (*s)[:n]
	return *s
}

// Row sorts n elements of each operand as package reference does. The first `keys` operands are compared: −0
// and +0 are equal, NaNs are last, and elements with equal keys keep their order. dst and src do not overlap.
func (s *Sorter) Row(dst, src [][]byte, types []core.DType, keys, n int) {
	dt := types[0]
	if len(src) == 1 && !dt.IsComplex() && (!scalar.IsSmallFloat(dt) || dt.Size() == 2) {
		s.sortByKeys(dst[0], src[0], dt, n)
		return
	}
	perm := s.permutation(src, types, keys, n, false)
	for i, dt := range types {
		size := dt.Size()
		s.Team.each(n, func(lo, hi int) { permute(dst[i][size*lo:size*hi], src[i], perm[lo:hi], size) })
	}
}

// sortByKeys sorts the keys of elements and makes the elements from them again: see restore for zeros and NaNs.
func (s *Sorter) sortByKeys(dst, src []byte, dt core.DType, n int) {
	if dt.Size() == 8 {
		k := sized(&s.k64, n)
		s.keys64(k, src, dt, 0, false)
		k = sortWords(s.Team, k, sized(&s.k64b, n), 0, 64)
		s.Team.each(n, func(lo, hi int) { elements64(dst[8*lo:8*hi], k[lo:hi], dt) })
	} else {
		k := sized(&s.k32, n)
		s.keys32(k, src, dt, 0, false)
		k = sortWords(s.Team, k, sized(&s.k32b, n), 0, keyBits(dt, false))
		size := dt.Size()
		s.Team.each(n, func(lo, hi int) { elements32(dst[size*lo:size*hi], k[lo:hi], dt) })
	}
	switch {
	case dt == core.Float32:
		restore(s.Team, view[uint32](dst)[:n], view[uint32](src)[:n], 0x7f800000)
	case dt == core.Float64:
		restore(s.Team, view[uint64](dst)[:n], view[uint64](src)[:n], 0x7ff0_0000_0000_0000)
	case scalar.IsSmallFloat(dt):
		restore(s.Team, view[uint16](dst)[:n], view[uint16](src)[:n], infinity16(dt))
	}
}

func (s *Sorter) keys32(dst []uint32, src []byte, dt core.DType, part int, total bool) {
	size := dt.Size()
	s.Team.each(len(dst), func(lo, hi int) { keys32(dst[lo:hi], src[size*lo:size*hi], dt, part, total) })
}

func (s *Sorter) keys64(dst []uint64, src []byte, dt core.DType, part int, total bool) {
	size := dt.Size()
	s.Team.each(len(dst), func(lo, hi int) { keys64(dst[lo:hi], src[size*lo:size*hi], dt, part, total) })
}

// permutation returns the order of a row. If reverse, the greatest elements come first, in
// IEEE 754's totalOrder, and equal ones keep their order.
func (s *Sorter) permutation(src [][]byte, types []core.DType, keys, n int, reverse bool) []uint32 {
	perm := sized(&s.perm, n)
	fresh := true
	for k := keys - 1; k >= 0; k-- {
		dt := types[k]
		last := 0
		if dt.IsComplex() {
			last = 1
		}
		for part := last; part >= 0; part-- {
			if keyBits(dt, reverse) > 32 {
				perm = s.by64(perm, src[k], dt, part, n, fresh, reverse)
			} else {
				perm = s.by32(perm, src[k], dt, part, n, fresh, reverse)
			}
			fresh = false
		}
	}
	return perm
}

// by32 returns perm, or the identity if fresh, sorted by keys of at most 32 bits.
func (s *Sorter) by32(perm []uint32, src []byte, dt core.DType, part, n int, fresh, reverse bool) []uint32 {
	bits := keyBits(dt, reverse)
	k := sized(&s.k32, n)
	words := sized(&s.k64, n)
	flip := uint32(0)
	if reverse {
		flip = uint32(1<<bits - 1)
	}
	s.keys32(k, src, dt, part, reverse)
	s.Team.each(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			p := uint32(i)
			if !fresh {
				p = perm[i]
			}
			words[i] = uint64(k[p]^flip)<<32 | uint64(p)
		}
	})
	words = sortWords(s.Team, words, sized(&s.k64b, n), 32, 32+bits)
	s.Team.each(n, func(lo, hi int) {
		for i, w := range words[lo:hi] {
			perm[lo+i] = uint32(w)
		}
	})
	return perm
}

func (s *Sorter) by64(perm []uint32, src []byte, dt core.DType, part, n int, fresh, reverse bool) []uint32 {
	k := sized(&s.k64, n)
	s.keys64(k, src, dt, part, reverse)
	if reverse {
		for i := range k {
			k[i] = ^k[i]
		}
	}
	if fresh {
		for i := range perm {
			perm[i] = uint32(i)
		}
	} else {
		ordered := sized(&s.k64b, n)
		for i, p := range perm {
			ordered[i] = k[p]
		}
		s.k64, s.k64b = s.k64b, s.k64
		k = ordered
	}
	_, sorted := sortPairs(s.Team, k, sized(&s.k64b, n), perm, sized(&s.perm2, n))
	if len(sorted) > 0 && &sorted[0] != &s.perm[0] {
		s.perm, s.perm2 = s.perm2, s.perm
	}
	return sorted
}

// permute is dst[i] = src[perm[i]] for elements of the given size.
func permute(dst, src []byte, perm []uint32, size int) {
	switch size {
	case 1:
		permuteElements(dst, src, perm)
	case 2:
		permuteElements(view[uint16](dst), view[uint16](src), perm)
	case 4:
		permuteElements(view[uint32](dst), view[uint32](src), perm)
	case 8:
		permuteElements(view[uint64](dst), view[uint64](src), perm)
	case 16:
		permuteElements(view[[2]uint64](dst), view[[2]uint64](src), perm)
	}
}

func permuteElements[T any](dst, src []T, perm []uint32) {
	dst = dst[:len(perm)]
	for i, p := range perm {
		dst[i] = src[p]
	}
}

// TopK writes the k greatest of n elements and their positions in descending order; equal
// elements keep their order.
func (s *Sorter) TopK(values, positions, src []byte, dt core.DType, k, n int) {
	var perm []uint32
	short := keyBits(dt, true) <= 32
	if room := max(4*k, 512); short && n <= few {
		perm = s.inserted(src, dt, n)[:k]
	} else if short && room < n {
		perm = s.greatest(src, dt, k, room, n)
	} else {
		perm = s.permutation([][]byte{src}, []core.DType{dt}, 1, n, true)[:k]
	}
	permute(values, src, perm, dt.Size())
	copy(view[uint32](positions), perm)
}

// few is the greatest number of elements that TopK sorts by insertion.
const few = 16

// inserted returns the positions of the elements in descending order, equal ones in the order in which they stand. Keys
// have at most 32 bits.
func (s *Sorter) inserted(src []byte, dt core.DType, n int) []uint32 {
	keys, perm := sized(&s.k32, n), sized(&s.perm, n)
	keys32(keys, src, dt, 0, true)
	for i, x := range keys {
		at := i
		for ; at > 0 && keys[perm[at-1]] < x; at-- {
			perm[at] = perm[at-1]
		}
		perm[at] = uint32(i)
	}
	return perm
}

// greatest returns the positions of the k greatest elements in order. It collects up to room
// candidates, then keeps the best k of them.
func (s *Sorter) greatest(src []byte, dt core.DType, k, room, n int) []uint32 {
	bits := keyBits(dt, true)
	keys := sized(&s.k32, n)
	keys32(keys, src, dt, 0, true)
	other := sized(&s.k64b, room)
	best := sized(&s.k64, room)[:0]
	limit := uint64(1) << 32 // keys below may be among the best
	flip := uint32(1<<bits - 1)
	for i, x := range keys {
		x ^= flip
		if uint64(x) >= limit {
			continue
		}
		best = append(best, uint64(x)<<32|uint64(i))
		if len(best) == room {
			best = append(best[:0], sortWords(nil, best, other, 32, 32+bits)[:k]...)
			limit = best[k-1] >> 32
		}
	}
	perm := sized(&s.perm, k)
	for i, w := range sortWords(nil, best, other[:len(best)], 32, 32+bits)[:k] {
		perm[i] = uint32(w)
	}
	return perm
}
