package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/scalar"
)

// A sortKey computes unsigned integers with the order of numbers. Only bits `low` to `high`−1 decide their order.
type sortKey struct {
	*scalar.Prog
	low, high int
}

func (k sortKey) Type() scalar.Type { return k.Code[k.Results[0]].Type }

// keyOf returns the key of numbers of a type, or of one component of complex numbers. Where greatest is true the
// order is the opposite of IEEE 754's total order; else zeros are equal, and NaNs are equal and come last.
func keyOf(dt core.DType, greatest bool) sortKey {
	switch dt {
	case core.Complex64:
		dt = core.Float32
	case core.Complex128:
		dt = core.Float64
	}
	b := scalar.NewBuilder(dt)
	x := b.Param(0, 0)
	t := b.TypeOf(x)
	u, unsigned := scalar.U32, core.Uint32
	if t.Size() == 8 {
		u, unsigned = scalar.U64, core.Uint64
	}
	k := sortKey{high: u.Bits()}
	var r scalar.Ref
	switch {
	case dt.IsFloat():
		if !t.IsFloat() { // the bits of a small float
			x = b.Widen(dt, x)
			if dt == core.BFloat16 {
				k.low = 16
			}
		}
		top := b.Const(u, 1<<(u.Bits()-1))
		bits := b.Bitcast(u, x)
		if !greatest {
			bits = b.Select(b.Eq(x, b.Const(b.TypeOf(x), 0)), b.Const(u, 0), bits)
		}
		r = b.Select(b.Le(top, bits), b.Not(bits), b.Or(bits, top))
		if !greatest {
			r = b.Select(b.IsNaN(x), b.Const(u, ^uint64(0)>>(64-u.Bits())), r)
		}
	case t.IsSigned():
		k.high = t.Bits()
		r = b.Convert(u, x)
		if t.Size() < 4 {
			r = b.And(r, b.Const(u, 1<<t.Bits()-1))
		}
		r = b.Xor(r, b.Const(u, 1<<(t.Bits()-1)))
	default:
		k.high = t.Bits()
		if r = x; t != u {
			r = b.Convert(u, x)
		}
	}
	if greatest {
		r = b.Not(r)
	}
	k.Prog = b.Finish([]core.DType{unsigned}, []scalar.Ref{r})
	return k
}

// identity returns the key of elements that are keys themselves.
func identity(t scalar.Type) *scalar.Prog {
	dt := core.Uint32
	if t == scalar.U64 {
		dt = core.Uint64
	}
	b := scalar.NewBuilder(dt)
	return b.Finish([]core.DType{dt}, []scalar.Ref{b.Param(0, 0)})
}
