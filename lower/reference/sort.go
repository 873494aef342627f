package reference

import (
	"github.com/weft-go/weft/lower/reference/internal/block"
	"math"
)

// A sort works on keys: unsigned integers whose order is that of the elements.

// sortKeys fills dst with the keys of elements of x, which are `stride` apart from position `off` on. The key of a complex number
// is that of its real part or, if imaginary is set, of its imaginary part. −0 and +0 have one key, and all NaNs have
// the greatest, unless total is set: then the order is that of IEEE 754's totalOrder. The result is the number of
// bytes of a key.
func sortKeys(dst []uint64, x *block.Tensor, off, stride int, imaginary, total bool) int {
	return numericOf(x.DType).keys(dst, x, off, stride, imaginary, total)
}

func keysF32(dst []uint64, x *block.Tensor, off, stride int, _, total bool) int {
	v := block.View[float32](x)
	for i := range dst {
		dst[i] = key32(v[off+i*stride], total)
	}
	return 4
}

func keysF64(dst []uint64, x *block.Tensor, off, stride int, _, total bool) int {
	v := block.View[float64](x)
	for i := range dst {
		dst[i] = key64(v[off+i*stride], total)
	}
	return 8
}

func keysC64(dst []uint64, x *block.Tensor, off, stride int, imaginary, total bool) int {
	v := block.View[complex64](x)
	for i := range dst {
		part := real(v[off+i*stride])
		if imaginary {
			part = imag(v[off+i*stride])
		}
		dst[i] = key32(part, total)
	}
	return 4
}

func keysC128(dst []uint64, x *block.Tensor, off, stride int, imaginary, total bool) int {
	v := block.View[complex128](x)
	for i := range dst {
		part := real(v[off+i*stride])
		if imaginary {
			part = imag(v[off+i*stride])
		}
		dst[i] = key64(part, total)
	}
	return 8
}

// keysSmall orders floats of fewer than 32 bits as the f32 of the same value.
func keysSmall(dst []uint64, x *block.Tensor, off, stride int, _, total bool) int {
	r := block.SmallRowsOf(x)
	buf, l := block.Borrow[float32](len(dst))
	defer l.Back()
	if stride == 1 {
		for i, v := range r.At(off, len(dst), buf) {
			dst[i] = key32(v, total)
		}
		return 4
	}
	for i := range dst {
		dst[i] = key32(r.At(off+i*stride, 1, buf)[0], total)
	}
	return 4
}

func unsignedKeysOf[A block.Unsigned](dst []uint64, x *block.Tensor, off, stride int, _, _ bool) int {
	return unsignedKeys(dst, block.View[A](x), off, stride)
}

func signedKeysOf[A block.Signed](dst []uint64, x *block.Tensor, off, stride int, _, _ bool) int {
	return signedKeys(dst, block.View[A](x), off, stride)
}

func unsignedKeys[A block.Unsigned](dst []uint64, x []A, off, stride int) int {
	for i := range dst {
		dst[i] = uint64(x[off+i*stride])
	}
	return block.ElementBytes[A]()
}

func signedKeys[A block.Signed](dst []uint64, x []A, off, stride int) int {
	size := block.ElementBytes[A]()
	mask := uint64(math.MaxUint64) >> (64 - 8*size)
	for i := range dst {
		dst[i] = uint64(x[off+i*stride])&mask ^ 1<<(8*size-1)
	}
	return size
}

func key32(x float32, total bool) uint64 {
	b := math.Float32bits(x)
	if !total {
		if x != x {
			return math.MaxUint32
		}
		if x == 0 {
			b = 0
		}
	}
	if b>>31 != 0 {
		return uint64(^b)
	}
	return uint64(b | 1<<31)
}

func key64(x float64, total bool) uint64 {
	b := math.Float64bits(x)
	if !total {
		if x != x {
			return math.MaxUint64
		}
		if x == 0 {
			b = 0
		}
	}
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// A sorter finds the order of rows. In rows of more than `few` elements, keys of four bytes
// and fewer stand in the high half of a word whose low half is the element's position, so
// that a key and its position move as one word.
type sorter struct {
	keys, keys2 []uint64
	perm, perm2 []int
	loans       [4]*block.Loan
}

func (s *sorter) open(n int) {
	s.keys, s.loans[0] = block.Borrow[uint64](n)
	s.keys2, s.loans[1] = block.Borrow[uint64](n)
	s.perm, s.loans[2] = block.Borrow[int](n)
	s.perm2, s.loans[3] = block.Borrow[int](n)
}

func (s *sorter) close() {
	for _, l := range s.loans {
		l.Back()
	}
}

// few is the length up to which rows are sorted by insertion.
const few = 32

// sortBy sorts perm by keys, which are in the order of perm and have the given number of bytes, and keeps the
// order of equal ones. It leaves keys in an arbitrary state.
func (s *sorter) sortBy(bytes int) {
	n := len(s.perm)
	switch {
	case n <= few:
		s.insert()
	case bytes <= 4 && int64(n) < 1<<32:
		for i, p := range s.perm {
			s.keys[i] = s.keys[i]<<32 | uint64(p)
		}
		for shift := 32; shift < 32+8*bytes; shift += 8 {
			count, ok := s.digits(shift)
			if !ok {
				continue
			}
			for _, k := range s.keys {
				d := uint8(k >> shift)
				s.keys2[count[d]] = k
				count[d]++
			}
			s.keys, s.keys2 = s.keys2, s.keys
		}
		for i, k := range s.keys {
			s.perm[i] = int(uint32(k))
		}
	default:
		for shift := 0; shift < 8*bytes; shift += 8 {
			count, ok := s.digits(shift)
			if !ok {
				continue
			}
			for i, k := range s.keys {
				d := uint8(k >> shift)
				j := count[d]
				count[d]++
				s.keys2[j], s.perm2[j] = k, s.perm[i]
			}
			s.keys, s.keys2 = s.keys2, s.keys
			s.perm, s.perm2 = s.perm2, s.perm
		}
	}
}

func (s *sorter) insert() {
	for i := 1; i < len(s.perm); i++ {
		k, p := s.keys[i], s.perm[i]
		j := i
		for ; j > 0 && s.keys[j-1] > k; j-- {
			s.keys[j], s.perm[j] = s.keys[j-1], s.perm[j-1]
		}
		s.keys[j], s.perm[j] = k, p
	}
}

// digits counts the keys with each value of the byte at shift, and returns where each
// begins; false if all have one value.
func (s *sorter) digits(shift int) (count [256]int, ok bool) {
	for _, k := range s.keys {
		count[uint8(k>>shift)]++
	}
	if count[uint8(s.keys[0]>>shift)] == len(s.keys) {
		return count, false
	}
	at := 0
	for d, c := range count {
		count[d] = at
		at += c
	}
	return count, true
}

// sortRow finds the order of a row of the operands. The first `keys` operands are compared.
func (s *sorter) sortRow(in []*block.Tensor, keys, off, stride int) {
	for i := range s.perm {
		s.perm[i] = i
	}
	fresh := true
	for k := keys - 1; k >= 0; k-- {
		x := in[k]
		parts := 1
		if x.DType.IsComplex() {
			parts = 2
		}
		for part := parts - 1; part >= 0; part-- {
			size := sortKeys(s.keys, x, off, stride, part == 1, false)
			if !fresh {
				for i, p := range s.perm {
					s.keys2[i] = s.keys[p]
				}
				s.keys, s.keys2 = s.keys2, s.keys
			}
			s.sortBy(size)
			fresh = false
		}
	}
}

// sortAlong sorts the operands along the axis. The first `keys` operands are compared.
func sortAlong(out, in []*block.Tensor, dim, keys int) {
	outer, n, inner := around(in[0].Shape, dim)
	if in[0].Size() == 0 {
		return
	}
	var s sorter
	s.open(n)
	for o := range outer {
		for j := range inner {
			off := o*n*inner + j
			s.sortRow(in, keys, off, inner)
			for i, x := range in {
				permuteRow(out[i], x, s.perm, off, off, inner)
			}
		}
	}
	s.close()
}

// topK takes the k greatest elements along the axis by totalOrder, the greatest first, and their positions.
func topK(values, positions, x *block.Tensor, dim int) {
	outer, n, inner := around(x.Shape, dim)
	k := values.Shape.At(dim)
	if values.Size() == 0 {
		return
	}
	var s sorter
	s.open(n)
	pos := block.View[int32](positions)
	for o := range outer {
		for j := range inner {
			for i := range s.perm {
				s.perm[i] = i
			}
			size := sortKeys(s.keys, x, o*n*inner+j, inner, false, true)
			mask := uint64(math.MaxUint64) >> (64 - 8*size)
			for i, v := range s.keys {
				s.keys[i] = v ^ mask // the greatest first, and of equal ones the first
			}
			s.sortBy(size)
			to := o*k*inner + j
			permuteRow(values, x, s.perm[:k], to, o*n*inner+j, inner)
			for i, p := range s.perm[:k] {
				pos[to+i*inner] = int32(p)
			}
		}
	}
	s.close()
}

// permuteRow is y[d + i·stride] = x[s + perm[i]·stride].
func permuteRow(y, x *block.Tensor, perm []int, d, s, stride int) {
	switch y.DType.Size() {
	case 1:
		permuteElements(block.View[uint8](y), block.View[uint8](x), perm, d, s, stride)
	case 2:
		permuteElements(block.View[uint16](y), block.View[uint16](x), perm, d, s, stride)
	case 4:
		permuteElements(block.View[uint32](y), block.View[uint32](x), perm, d, s, stride)
	case 8:
		permuteElements(block.View[uint64](y), block.View[uint64](x), perm, d, s, stride)
	case 16:
		permuteElements(block.View[[2]uint64](y), block.View[[2]uint64](x), perm, d, s, stride)
	}
}

func permuteElements[T any](y, x []T, perm []int, d, s, stride int) {
	for _, p := range perm {
		y[d] = x[s+p*stride]
		d += stride
	}
}
