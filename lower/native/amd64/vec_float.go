package amd64

import (
	"github.com/weft-go/weft/lower/scalar"
)

// byType returns the f32 form of an instruction or the f64 form, which follows it.
func byType(f32 Op, t scalar.Type) Op {
	if t == scalar.F64 {
		return f32 + 1
	}
	return f32
}

// floatOp computes an operation on floats other than comparisons and conversions.
func (g *x86) floatOp(op scalar.Op, x, y, z value) value {
	t := x.t
	sign := uint64(1) << (t.Bits() - 1)
	switch op {
	case scalar.OpAdd:
		return g.bin(byType(Vaddps, t), x, y)
	case scalar.OpSub:
		return g.bin(byType(Vsubps, t), x, y)
	case scalar.OpMul:
		return g.bin(byType(Vmulps, t), x, y)
	case scalar.OpDiv:
		return g.bin(byType(Vdivps, t), x, y)
	case scalar.OpNeg:
		return g.bin(byType(Vxorps, t), x, g.konst(t, sign))
	case scalar.OpAbs:
		return g.bin(byType(Vandps, t), x, g.konst(t, sign-1))
	case scalar.OpMin:
		// Equal zeros and NaN come from the second operand: both orders together
		// have the sign of −0 and the bits of NaN.
		return g.bin(byType(Vorps, t), g.bin(byType(Vminps, t), x, y), g.bin(byType(Vminps, t), y, x))
	case scalar.OpMax:
		if g.isa == AVX512 {
			return g.choose(g.unordered(x, y), g.nan(t), g.binI(byType(Vrangeps, t), x, y, rangeMax))
		}
		r := g.bin(byType(Vandps, t), g.bin(byType(Vmaxps, t), x, y), g.bin(byType(Vmaxps, t), y, x))
		return g.choose(g.unordered(x, y), g.nan(t), r)
	case scalar.OpFMA:
		return g.fmaOf(byType(Vfmadd132ps, t), x, y, z)
	case scalar.OpSqrt:
		return g.un(byType(Vsqrtps, t), t, x)
	case scalar.OpFloor:
		return g.round(x, 9)
	case scalar.OpCeil:
		return g.round(x, 10)
	case scalar.OpTrunc:
		return g.round(x, 11)
	case scalar.OpRint:
		return g.round(x, 8)
	case scalar.OpCanon:
		return g.choose(g.unordered(x, x), g.nan(t), x)
	}
	panic("BUG: " + op.String() + " of " + t.String())
}

// rangeMax makes vrangeps return the greater number with its sign, +0 of two zeros.
const rangeMax = 5

func (g *x86) fmaOf(op Op, x, y, z value) value {
	_, length := g.layout(x.t.Size())
	v := g.newValue(x.t)
	for i := range x.r {
		d := g.newV(length)
		hints := [...]vreg{z.r[i], x.r[i], y.r[i]}
		k := 0
		for _, h := range hints { // the register of a constant stays in use
			if !g.regs[h].konst {
				hints[k] = h
				k++
			}
		}
		if k > 0 {
			g.regs[d].hint = hints[0]
		}
		if k > 1 {
			g.regs[d].hint2 = hints[1]
		}
		g.put(minst{kind: kindFMA, op: op, len: length, d: d, a: x.r[i], b: y.r[i], c: z.r[i]})
		v.r = append(v.r, d)
	}
	return v
}

// round rounds to integral floats; mode is the immediate.
func (g *x86) round(x value, mode int64) value {
	if g.isa == AVX512 {
		return g.unI(byType(Vrndscaleps, x.t), x, mode)
	}
	return g.unI(byType(Vroundps, x.t), x, mode)
}

// extreme returns the greater or the lesser number of two, y where one is NaN or both are zeros.
func (g *x86) extreme(x, y value, least bool) value {
	if least {
		return g.bin(byType(Vminps, x.t), x, y)
	}
	return g.bin(byType(Vmaxps, x.t), x, y)
}
