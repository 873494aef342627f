package cpu_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
)

// Numbers rounded to bfloat16 and widened again have the reference's bits for every upper half of
// f32 with lower halves around the ties, NaN of any bits included, alone and within longer programs.
func TestRoundings(t *testing.T) {
	var bits []uint32
	for top := range uint32(1 << 16) {
		for _, low := range []uint32{0, 1, 0x7fff, 0x8000, 0x8001, 0xffff} {
			bits = append(bits, top<<16|low)
		}
	}
	x := lax.BitcastConvertType(weft.FromSlice(bits), weft.Float32)
	small := func(x weft.Array) weft.Array { return x.AsType(weft.BFloat16) }
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"alone": func(x weft.Array) weft.Array { return small(x).AsType(weft.Float32) },
		"bits": func(x weft.Array) weft.Array {
			return lax.BitcastConvertType(small(x).AsType(weft.Float32), weft.Uint32)
		},
		"of f64":       func(x weft.Array) weft.Array { return small(x).AsType(weft.Float32).AsType(weft.Float64) },
		"to integers":  func(x weft.Array) weft.Array { return small(x).AsType(weft.Float32).AsType(weft.Int32) },
		"sign":         func(x weft.Array) weft.Array { return weft.Copysign(small(x).Add(0), small(x).Mul(2)) },
		"chain":        func(x weft.Array) weft.Array { b := small(x); return b.Mul(b).Add(b).Neg().Sub(1.5).Mul(0.75) },
		"stored, too":  func(x weft.Array) weft.Array { b := small(x).Mul(3); return weft.Concat(0, b, b.Add(1)) },
		"rare regions": func(x weft.Array) weft.Array { b := small(x); return weft.Sin(b).Add(weft.Cos(b)).Mul(weft.Exp(b)) },
		"sums":         func(x weft.Array) weft.Array { b := small(x); return b.Mul(b).Reshape(-1, 6).Sum(1) },
	} {
		j, args := traced(t, func(x []weft.Array) []weft.Array { return []weft.Array{f(x[0])} }, []weft.Array{x})
		matches(t, name, j, args)
	}
}
