package ireval

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// Each sets the elements of dst that mask holds to what [Apply] makes of those of the operands, which have
// dst's length. What kernels compute most has loops of its own: they are most of the time of tests.
func Each(in scalar.Inst, t scalar.Type, mask []bool, dst, a, b, c []uint64) {
	dst, a, b, c = dst[:len(mask)], a[:len(mask)], b[:len(mask)], c[:len(mask)]
	whole := in.Type.IsInt() || in.Type == scalar.Bool
	low := ^uint64(0) >> (64 - in.Type.Bits()) // the result's bits
	if in.Type == scalar.Bool {
		low = 1
	}
	switch op := in.Op; {
	case op == scalar.OpConst:
		for i, m := range mask {
			if m {
				dst[i] = in.Imm
			}
		}
	case op == scalar.OpSelect, op == scalar.OpRare:
		for i, m := range mask {
			if m {
				x := c[i]
				if a[i] != 0 {
					x = b[i]
				}
				dst[i] = x
			}
		}
	case !t.IsFloat() && (op == scalar.OpEq || op == scalar.OpNe || op == scalar.OpLt || op == scalar.OpLe):
		compareEach(op, t, mask, dst, a, b)
	case whole && op == scalar.OpAdd:
		for i, m := range mask {
			if m {
				dst[i] = (a[i] + b[i]) & low
			}
		}
	case whole && op == scalar.OpSub:
		for i, m := range mask {
			if m {
				dst[i] = (a[i] - b[i]) & low
			}
		}
	case whole && op == scalar.OpMul:
		for i, m := range mask {
			if m {
				dst[i] = a[i] * b[i] & low
			}
		}
	case whole && op == scalar.OpAnd:
		for i, m := range mask {
			if m {
				dst[i] = a[i] & b[i] & low
			}
		}
	case whole && op == scalar.OpNot:
		for i, m := range mask {
			if m {
				dst[i] = ^a[i] & low
			}
		}
	case in.Type == scalar.F32 && op == scalar.OpFMA:
		for i, m := range mask {
			if m {
				x, y, z := math.Float32frombits(uint32(a[i])), math.Float32frombits(uint32(b[i])), math.Float32frombits(uint32(c[i]))
				dst[i] = uint64(math.Float32bits(scalar.FMA32(x, y, z)))
			}
		}
	default:
		for i, m := range mask {
			if m {
				dst[i] = Apply(in, t, a[i], b[i], c[i])
			}
		}
	}
}

// compareEach sets elements of dst to the truth of a comparison of integers of type t, or of bools.
func compareEach(op scalar.Op, t scalar.Type, mask []bool, dst, a, b []uint64) {
	up, flip := 64-t.Bits(), uint64(0)
	if t.IsSigned() {
		flip = 1 << 63
	}
	for i, m := range mask {
		if !m {
			continue
		}
		x, y := a[i]<<up^flip, b[i]<<up^flip
		r := x == y
		switch op {
		case scalar.OpNe:
			r = !r
		case scalar.OpLt:
			r = x < y
		case scalar.OpLe:
			r = x <= y
		}
		dst[i] = 0
		if r {
			dst[i] = 1
		}
	}
}
