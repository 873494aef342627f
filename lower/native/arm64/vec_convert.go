package arm64

import (
	"math"

	"github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/scalar"
)

// widenWith converts to elements of twice the size with an instruction that reads the lower half of a
// register, and one that reads the upper half.
func (g *neon) widenWith(low, high Op, t scalar.Type, x native.Value) native.Value {
	full := g.BytesOf(x.T.Size()) == vectorBytes
	v := g.NewValue(t)
	for _, r := range x.R {
		v.R = append(v.R, g.Op1(low, 0, r))
		if full {
			v.R = append(v.R, g.Op1(high, 0, r))
		}
	}
	return v
}

// narrowWith converts to elements of half the size with an instruction that writes the lower half of a
// register, and one that writes the upper half.
func (g *neon) narrowWith(low, high Op, t scalar.Type, x native.Value) native.Value {
	parts, _ := g.Layout(x.T.Size())
	v := g.NewValue(t)
	for i := 0; i < len(x.R); i++ {
		d := g.Op1(low, 0, x.R[i])
		if parts > 1 {
			i++
			d = g.tied(high, d, 0, x.R[i])
		}
		v.R = append(v.R, d)
	}
	return v
}

// resized returns the integer type of size bytes that is signed if t is.
func resized(t scalar.Type, size int) scalar.Type {
	if t.IsSigned() {
		return sized[size]
	}
	return sized[size].Unsigned()
}

// intToInt wraps or extends integers by the sign of their type.
func (g *neon) intToInt(t scalar.Type, x native.Value) native.Value {
	for size := x.T.Size(); size < t.Size(); size *= 2 {
		x = g.widenWith(ofSize(bySign(x.T, vSxtl, vUxtl), size), ofSize(bySign(x.T, vSxtl2, vUxtl2), size), resized(x.T, 2*size), x)
	}
	for size := x.T.Size() / 2; size >= t.Size(); size /= 2 {
		x = g.halve(x)
	}
	return x.As(t)
}

// halve keeps the low halves of integers.
func (g *neon) halve(x native.Value) native.Value {
	size := x.T.Size() / 2
	if parts, _ := g.Layout(x.T.Size()); parts == 1 {
		return g.Un(ofSize(vXtn, size), sized[size], x)
	}
	v := g.NewValue(sized[size])
	for i := 0; i < len(x.R); i += 2 {
		v.R = append(v.R, g.Op2(ofSize(vUzp1, size), 0, x.R[i], x.R[i+1]))
	}
	return v
}

func (g *neon) Convert(t scalar.Type, x native.Value) native.Value {
	switch {
	case x.T == scalar.Bool && t.IsFloat():
		one := uint64(math.Float32bits(1))
		if t == scalar.F64 {
			one = math.Float64bits(1)
		}
		return g.Bin(vAnd, g.Splat(t, one), g.width(x, t.Size()).As(t))
	case x.T == scalar.Bool:
		return g.BoolToInt(t, x)
	case x.T == t:
		return x
	case x.T == scalar.F32 && t == scalar.F64:
		return g.widenWith(vFcvtl+1, vFcvtl2+1, t, x)
	case x.T == scalar.F64 && t == scalar.F32:
		return g.narrowWith(vFcvtn+1, vFcvtn2+1, t, x)
	case t.IsFloat():
		return g.intToFloat(t, x)
	case x.T.IsFloat():
		return g.floatToInt(t, x)
	}
	return g.intToInt(t, x)
}

// intToFloat rounds integers to the nearest float.
func (g *neon) intToFloat(f scalar.Type, x native.Value) native.Value {
	t := x.T
	if f == scalar.F32 && t.Size() == 8 {
		return g.int64ToF32(x)
	}
	if t.Size() < f.Size() {
		x = g.intToInt(resized(t, f.Size()), x)
	}
	return g.Un(ofFloat(bySign(t, vScvtf, vUcvtf), f.Size()), f, x)
}

// int64ToF32 keeps what f64 cannot hold as one bit, so that the second rounding is the only one that
// counts.
func (g *neon) int64ToF32(x native.Value) native.Value {
	t := x.T
	const low = 1<<11 - 1
	fits := g.Compare(scalar.OpLt, g.IntOp(scalar.OpAbs, x, native.Value{}).As(scalar.U64), g.Splat(scalar.U64, 1<<53))
	rest := g.Bin(vAnd, x, g.Num(t, low))
	none := lanes(g.Compare(scalar.OpEq, rest, g.Num(t, 0)))
	sticky := g.Bin(vBic, g.Num(t, low+1), none)
	odd := g.Bin(vOrr, g.Bin(vBic, x, g.Num(t, low)), sticky)
	y := g.Un(ofFloat(bySign(t, vScvtf, vUcvtf), 8), scalar.F64, g.Choose(fits, x, odd))
	return g.Convert(scalar.F32, y)
}

// floatToInt truncates and saturates; NaN becomes 0.
func (g *neon) floatToInt(t scalar.Type, x native.Value) native.Value {
	if x.T == scalar.F32 && t.Size() == 8 {
		x = g.Convert(scalar.F64, x)
	}
	x = g.truncate(t, x)
	for size := x.T.Size() / 2; size >= t.Size(); size /= 2 {
		x = g.narrowWith(ofSize(bySign(t, vSqxtn, vUqxtn), size), ofSize(bySign(t, vSqxtn2, vUqxtn2), size), resized(t, size), x)
	}
	return x
}

// truncate converts floats to integers as large, with the sign of t.
func (g *neon) truncate(t scalar.Type, x native.Value) native.Value {
	size := x.T.Size()
	return g.Un(ofFloat(bySign(t, vFcvtzs, vFcvtzu), size), resized(t, size), x)
}

func (g *neon) Truncate(t scalar.Type, x native.Value) native.Value {
	return g.intToInt(t, g.truncate(t, x))
}

func (g *neon) WidenHalf(x native.Value) native.Value {
	return g.widenWith(vFcvtl, vFcvtl2, scalar.F32, x)
}

func (g *neon) NarrowHalf(x native.Value) native.Value {
	return g.narrowWith(vFcvtn, vFcvtn2, scalar.U16, x)
}

func (g *neon) Rounded(x native.Value) native.Value {
	r := g.Bin(vAnd, g.RoundTop(x), g.Splat(scalar.U32, 0xffff0000))
	return g.Choose(g.numbers(x, x), r.As(scalar.F32), x)
}
