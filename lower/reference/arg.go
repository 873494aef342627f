package reference

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// argTo writes the position of the greatest (or least) element of x along the axis,
// of equal ones the first. A NaN is beyond every number; −0 and +0 are equal;
// complex numbers go by real part, then by imaginary part.
func argTo(greatest bool, y, x *block.Tensor, axis int) { numericOf(x.DType).arg(greatest, y, x, axis) }

func argOf[A block.Integer | block.Float](greatest bool, y, x *block.Tensor, axis int) {
	argInto(greatest, y, block.Rows[A]{Plain: block.View[A](x)}, x.Shape, axis)
}

func argOfSmall(greatest bool, y, x *block.Tensor, axis int) {
	argInto(greatest, y, block.Rows[float32]{Small: block.SmallRowsOf(x).At}, x.Shape, axis)
}

func argOfComplex(greatest bool, y, x *block.Tensor, axis int) {
	z, l := block.ElementsAs[complex128](x)
	argComplex(greatest, y, z, x.Shape, axis)
	l.Back()
}

// around returns the shape as outer × n × inner, where n is the size of the axis.
func around(shape core.Dims, axis int) (outer, n, inner int) {
	outer, inner = 1, 1
	for i, m := range shape.All() {
		switch {
		case i < axis:
			outer *= m
		case i == axis:
			n = m
		default:
			inner *= m
		}
	}
	return outer, n, inner
}

func argInto[A block.Integer | block.Float](greatest bool, y *block.Tensor, x block.Rows[A], shape core.Dims, axis int) {
	outer, n, inner := around(shape, axis)
	if outer == 0 || inner == 0 || n == 0 {
		return
	}
	if inner == 1 {
		pos, lp := block.Borrow[int](outer)
		buf, l := block.Borrow[A](n)
		for o := range outer {
			pos[o] = argRow(greatest, x.At(o*n, n, buf))
		}
		putPositions(y, 0, pos)
		l.Back()
		lp.Back()
		return
	}
	best, lb := block.Borrow[A](inner)
	pos, lp := block.Borrow[int](inner)
	buf, l := block.Borrow[A](inner)
	for o := range outer {
		copy(best, x.At(o*n*inner, inner, buf))
		clear(pos)
		for i := 1; i < n; i++ {
			row := x.At((o*n+i)*inner, inner, buf)
			if greatest {
				for j, v := range row {
					if b := best[j]; v > b || v != v && b == b {
						best[j], pos[j] = v, i
					}
				}
			} else {
				for j, v := range row {
					if b := best[j]; v < b || v != v && b == b {
						best[j], pos[j] = v, i
					}
				}
			}
		}
		putPositions(y, o*inner, pos)
	}
	l.Back()
	lp.Back()
	lb.Back()
}

// argRow is not inlined: inlining leaves the loop too few registers.
//
//go:noinline
func argRow[A block.Integer | block.Float](greatest bool, x []A) int {
	at, b := 0, x[0]
	for i, v := range x {
		if b != b {
			return at
		}
		if v != v || greatest && v > b || !greatest && v < b {
			at, b = i, v
		}
	}
	return at
}

func argComplex(greatest bool, y *block.Tensor, x []complex128, shape core.Dims, axis int) {
	outer, n, inner := around(shape, axis)
	pos, lp := block.Borrow[int](inner)
	for o := range outer {
		for j := range inner {
			at, b := 0, x[o*n*inner+j]
			for i := 1; i < n; i++ {
				v := x[(o*n+i)*inner+j]
				beyond := real(v) < real(b) || real(v) == real(b) && imag(v) < imag(b)
				if greatest {
					beyond = real(v) > real(b) || real(v) == real(b) && imag(v) > imag(b)
				}
				if b == b && (beyond || v != v) {
					at, b = i, v
				}
			}
			pos[j] = at
		}
		putPositions(y, o*inner, pos)
	}
	lp.Back()
}

func putPositions(y *block.Tensor, off int, pos []int) {
	switch y.DType.Size() {
	case 1:
		v := block.View[uint8](y)[off:]
		for i, p := range pos {
			v[i] = uint8(p)
		}
		switch bits := uint(y.DType.Bits()); {
		case bits == 8:
		case y.DType.IsSigned():
			shorten(foldSum, block.View[int8](y)[off:off+len(pos)], bits)
		default:
			shorten(foldSum, v[:len(pos)], bits)
		}
	case 2:
		v := block.View[uint16](y)[off:]
		for i, p := range pos {
			v[i] = uint16(p)
		}
	case 4:
		v := block.View[uint32](y)[off:]
		for i, p := range pos {
			v[i] = uint32(p)
		}
	case 8:
		v := block.View[uint64](y)[off:]
		for i, p := range pos {
			v[i] = uint64(p)
		}
	}
}
