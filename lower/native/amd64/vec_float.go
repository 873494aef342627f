package amd64

import (
	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// byType returns the f32 form of an instruction or the f64 form, which follows it.
func byType(f32 Op, t scalar.Type) Op {
	if t == scalar.F64 {
		return f32 + 1
	}
	return f32
}

// FloatOp computes an operation on floats other than comparisons and conversions.
func (g *x86) FloatOp(op scalar.Op, x, y, z native.Value) native.Value {
	t := x.T
	sign := uint64(1) << (t.Bits() - 1)
	switch op {
	case scalar.OpAdd:
		return g.Bin(byType(Vaddps, t), x, y)
	case scalar.OpSub:
		return g.Bin(byType(Vsubps, t), x, y)
	case scalar.OpMul:
		return g.Bin(byType(Vmulps, t), x, y)
	case scalar.OpDiv:
		return g.Bin(byType(Vdivps, t), x, y)
	case scalar.OpNeg:
		return g.Bin(byType(Vxorps, t), x, g.Splat(t, sign))
	case scalar.OpAbs:
		return g.Bin(byType(Vandps, t), x, g.Splat(t, sign-1))
	case scalar.OpMin:
		// Equal zeros and NaN come from the second operand: both orders together
		// have the sign of −0 and the bits of NaN.
		return g.Bin(byType(Vorps, t), g.Bin(byType(Vminps, t), x, y), g.Bin(byType(Vminps, t), y, x))
	case scalar.OpMax:
		if g.isa == AVX512 {
			return g.Choose(g.Unordered(x, y), g.NaN(t), g.BinI(byType(Vrangeps, t), x, y, rangeMax))
		}
		r := g.Bin(byType(Vandps, t), g.Bin(byType(Vmaxps, t), x, y), g.Bin(byType(Vmaxps, t), y, x))
		return g.Choose(g.Unordered(x, y), g.NaN(t), r)
	case scalar.OpFMA:
		return g.fmaOf(byType(Vfmadd132ps, t), x, y, z)
	case scalar.OpSqrt:
		return g.Un(byType(Vsqrtps, t), t, x)
	case scalar.OpFloor:
		return g.round(x, 9)
	case scalar.OpCeil:
		return g.round(x, 10)
	case scalar.OpTrunc:
		return g.round(x, 11)
	case scalar.OpRint:
		return g.round(x, 8)
	case scalar.OpCanon:
		return g.Choose(g.Unordered(x, x), g.NaN(t), x)
	}
	panic("BUG: " + op.String() + " of " + t.String())
}

func (g *x86) Sum(x, y, z native.Value, lessProduct, lessOther bool) native.Value {
	op := Vfmadd132ps
	switch {
	case lessProduct && lessOther:
		op = Vfnmsub132ps
	case lessProduct:
		op = Vfnmadd132ps
	case lessOther:
		op = Vfmsub132ps
	}
	return g.fmaOf(byType(op, x.T), x, y, z)
}

// rangeMin and rangeMax make vrangeps return the lesser or the greater number with its sign, −0 or +0 of two zeros.
const rangeMin, rangeMax = 4, 5

func (g *x86) SignedExtreme(x, y native.Value, least bool) native.Value {
	if least {
		return g.BinI(byType(Vrangeps, x.T), x, y, rangeMin)
	}
	return g.BinI(byType(Vrangeps, x.T), x, y, rangeMax)
}

func (g *x86) fmaOf(op Op, x, y, z native.Value) native.Value {
	_, length := g.Layout(x.T.Size())
	v := g.NewValue(x.T)
	for i := range x.R {
		d := g.NewV(length)
		hints := [...]native.VReg{z.R[i], x.R[i], y.R[i]}
		k := 0
		for _, h := range hints { // the register of a constant stays in use
			if !g.Regs[h].Const {
				hints[k] = h
				k++
			}
		}
		if k > 0 {
			g.Regs[d].Hint = hints[0]
		}
		if k > 1 {
			g.Regs[d].Hint2 = hints[1]
		}
		g.Put(native.Inst{Kind: native.KindFMA, Op: op, Len: length, D: d, A: x.R[i], B: y.R[i], C: z.R[i]})
		v.R = append(v.R, d)
	}
	return v
}

// round rounds to integral floats; mode is the immediate.
func (g *x86) round(x native.Value, mode int64) native.Value {
	if g.isa == AVX512 {
		return g.UnI(byType(Vrndscaleps, x.T), x, mode)
	}
	return g.UnI(byType(Vroundps, x.T), x, mode)
}

func (g *x86) Extreme(x, y native.Value, least bool) native.Value {
	if least {
		return g.Bin(byType(Vminps, x.T), x, y)
	}
	return g.Bin(byType(Vmaxps, x.T), x, y)
}
