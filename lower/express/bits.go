package express

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower"
)

// unsigned returns the unsigned integer of so many bits.
func unsigned(bits int) core.DType {
	return map[int]core.DType{2: core.Uint2, 4: core.Uint4, 8: core.Uint8, 16: core.Uint16, 32: core.Uint32, 64: core.Uint64}[bits]
}

// bits returns a change of type between sizes as shifts, nil where the sizes are equal and
// kernels have it.
func bits(p prim.BitcastConvertTypeP, x core.ShapedArray) lower.Expansion {
	from, to := x.DType, p.NewDType
	n, m := from.Bits(), to.Bits()
	if from == to || unsigned(n) == core.Invalid || unsigned(m) == core.Invalid || n == m && (n >= 8 || !signed(from) && !signed(to)) {
		return nil
	}
	return func(in []core.Value) []core.Value {
		u := toUnsigned(in[0])
		axis := x.Rank()
		switch {
		case n > m:
			parts := make([]core.Value, n/m)
			for k := range parts {
				parts[k] = prim.Convert(prim.ShiftRightLogical(u, number(k*m, unsigned(n))), unsigned(m), false)
			}
			u = prim.Stack(axis, parts...)
		case n < m:
			var all core.Value
			wide := prim.Convert(u, unsigned(m), false)
			for k := range m / n {
				start, limit := make([]int, axis), x.Shape.Ints()
				start[axis-1], limit[axis-1] = k, k+1
				part := prim.Squeeze(prim.Slice(wide, core.MakeDims(start...), core.MakeDims(limit...), core.Dims{}), core.MakeDims(axis-1))
				part = prim.ShiftLeft(part, number(k*n, unsigned(m)))
				if all == nil {
					all = part
				} else {
					all = prim.Or(all, part)
				}
			}
			u = all
		}
		return []core.Value{fromUnsigned(u, to)}
	}
}

// signed reports whether a type narrower than a byte lies in its byte with its sign extended.
func signed(dt core.DType) bool { return dt.Bits() < 8 && dt.IsInteger() && !dt.IsUnsigned() }

// toUnsigned returns the bits of elements as unsigned integers.
func toUnsigned(x core.Value) core.Value {
	dt := x.Aval().DType
	u := unsigned(dt.Bits())
	switch {
	case dt == u:
		return x
	case signed(dt):
		return prim.Convert(x, u, false)
	}
	return prim.BitcastConvert(x, u)
}

// fromUnsigned returns bits as elements of a type of their size.
func fromUnsigned(x core.Value, dt core.DType) core.Value {
	switch {
	case dt == x.Aval().DType:
		return x
	case signed(dt):
		return prim.Convert(x, dt, false)
	}
	return prim.BitcastConvert(x, dt)
}
