package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower"
)

// unsigned returns the unsigned integer type of the given number of bits, Invalid if there is none.
func unsigned(bits int) core.DType {
	return map[int]core.DType{2: core.Uint2, 4: core.Uint4, 8: core.Uint8, 16: core.Uint16, 32: core.Uint32, 64: core.Uint64}[bits]
}

// bits returns a bitcast that kernels do not have: between types of different sizes, or between types
// of one size below a byte of which one is signed. It returns nil for other bitcasts.
func bits(p prim.BitcastConvertTypeP, x core.ShapedArray) lower.Expansion {
	from, to := x.DType, p.NewDType
	n, m := from.Bits(), to.Bits()
	if f := ofSixBits(p, x); f != nil {
		return f
	}
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

func fromUnsigned(x core.Value, dt core.DType) core.Value {
	switch {
	case dt == x.Aval().DType:
		return x
	case signed(dt):
		return prim.Convert(x, dt, false)
	}
	return prim.BitcastConvert(x, dt)
}

// sixBits are the floats of six bits: the number of mantissa bits, and by how much the biased exponent of a
// normal number is larger in f32.
var sixBits = map[core.DType]struct{ mantissa, exponent int }{
	core.Float6E2M3FN: {3, 126}, core.Float6E3M2FN: {2, 124},
}

// ofSixBits returns a bitcast between floats of six bits and integers of two bits, three of which make a float;
// nil for other types. Codes are computed from numbers of f32, since no integer has six bits.
func ofSixBits(p prim.BitcastConvertTypeP, x core.ShapedArray) lower.Expansion {
	from, to := x.DType, p.NewDType
	if f, ok := sixBits[from]; ok && to.IsInteger() && to.Bits() == 2 {
		return func(in []core.Value) []core.Value {
			b := prim.BitcastConvert(prim.Convert(in[0], core.Float32, false), core.Uint32)
			num := func(k int) core.Value { return filled(number(k, core.Uint32), x.Shape) }
			sign := prim.ShiftLeft(prim.ShiftRightLogical(b, num(31)), num(5))
			b = prim.And(b, num(1<<31-1))
			normal := prim.Sub(prim.ShiftRightLogical(b, num(23-f.mantissa)), num(f.exponent<<f.mantissa))
			// The least normal number has code 1 << mantissa; below it, a number is its code times
			// the least number.
			least := filled(core.Lit(core.FloatNumber(float64(int(1)<<f.mantissa)), core.Float32), x.Shape)
			one := prim.BitcastConvert(num((f.exponent+1)<<23), core.Float32)
			small := prim.BitcastConvert(b, core.Float32)
			code := prim.Where(prim.Lt(small, one), prim.Convert(prim.Div(prim.Mul(small, least), one), core.Uint32, false), normal)
			code = prim.Or(code, sign)
			parts := make([]core.Value, 3)
			for k := range parts {
				parts[k] = prim.Convert(prim.ShiftRightLogical(code, num(2*k)), core.Uint2, false)
			}
			return []core.Value{fromUnsigned(prim.Stack(x.Rank(), parts...), to)}
		}
	}
	f, ok := sixBits[to]
	if !ok || !from.IsInteger() || from.Bits() != 2 {
		return nil
	}
	return func(in []core.Value) []core.Value {
		axis := x.Rank() - 1
		shape := x.Shape.Slice(0, axis)
		num := func(k int) core.Value { return filled(number(k, core.Uint32), shape) }
		wide := prim.Convert(toUnsigned(in[0]), core.Uint32, false)
		code := num(0)
		for k := range 3 {
			start, limit := make([]int, axis+1), x.Shape.Ints()
			start[axis], limit[axis] = k, k+1
			part := prim.Squeeze(prim.Slice(wide, core.MakeDims(start...), core.MakeDims(limit...), core.Dims{}), core.MakeDims(axis))
			code = prim.Or(code, prim.ShiftLeft(part, num(2*k)))
		}
		sign := prim.ShiftLeft(prim.ShiftRightLogical(code, num(5)), num(31))
		code = prim.And(code, num(31))
		normal := prim.ShiftLeft(prim.Add(code, num(f.exponent<<f.mantissa)), num(23-f.mantissa))
		one := prim.BitcastConvert(num((f.exponent+1)<<23), core.Float32)
		least := filled(core.Lit(core.FloatNumber(float64(int(1)<<f.mantissa)), core.Float32), shape)
		small := prim.BitcastConvert(prim.Mul(prim.Div(prim.Convert(code, core.Float32, false), least), one), core.Uint32)
		b := prim.Or(prim.Where(prim.Lt(code, num(1<<f.mantissa)), small, normal), sign)
		return []core.Value{prim.Convert(prim.BitcastConvert(b, core.Float32), to, false)}
	}
}
