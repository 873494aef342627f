//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Operations that some targets write together have the bits that they have alone: signs that are taken and flipped,
// tests of bits, exponents, opposites of comparisons, and canonical NaNs of values that are signaling NaNs and of
// values that cannot be.
func TestJoints(t *testing.T) {
	for _, c := range []struct{ f, u, i scalar.Type }{{scalar.F32, scalar.U32, scalar.I32}, {scalar.F64, scalar.U64, scalar.I64}} {
		width := uint64(c.u.Bits())
		sign, mantissa := uint64(1)<<(width-1), uint64(23)
		if width == 64 {
			mantissa = 52
		}
		exponent := (uint64(1)<<(width-mantissa) - 1) << mantissa
		for name, body := range map[string]func(b *ir.Builder, x, y, n ir.Ref) ir.Ref{
			"sign of another": func(b *ir.Builder, x, y, _ ir.Ref) ir.Ref {
				size := b.Op(op(scalar.OpBitcast, c.u, b.Op(op(scalar.OpAbs, c.f, x))))
				return b.Op(op(scalar.OpOr, c.u, size, b.Op(op(scalar.OpAnd, c.u, b.Op(op(scalar.OpBitcast, c.u, y)), b.Const(c.u, sign)))))
			},
			"signs flipped": func(b *ir.Builder, x, y, n ir.Ref) ir.Ref {
				once := b.Op(op(scalar.OpShl, c.u, b.Op(op(scalar.OpAnd, c.u, n, b.Const(c.u, 4))), b.Const(c.u, width-3)))
				bits := b.Op(op(scalar.OpXor, c.u, b.Op(op(scalar.OpBitcast, c.u, x)), once))
				return b.Op(op(scalar.OpXor, c.u, bits, b.Op(op(scalar.OpAnd, c.u, b.Op(op(scalar.OpBitcast, c.u, y)), b.Const(c.u, sign)))))
			},
			"bits tested": func(b *ir.Builder, x, y, n ir.Ref) ir.Ref {
				set := b.Op(op(scalar.OpNe, scalar.Bool, b.Op(op(scalar.OpAnd, c.u, n, b.Const(c.u, 5))), b.Const(c.u, 0)))
				return b.Op(op(scalar.OpBitcast, c.u, b.Op(op(scalar.OpSelect, c.f, set, x, y))))
			},
			"not zero": func(b *ir.Builder, x, y, n ir.Ref) ir.Ref {
				set := b.Op(op(scalar.OpNe, scalar.Bool, b.Op(op(scalar.OpShr, c.u, n, b.Const(c.u, width-1))), b.Const(c.u, 0)))
				return b.Op(op(scalar.OpBitcast, c.u, b.Op(op(scalar.OpSelect, c.f, set, x, y))))
			},
			"not less": func(b *ir.Builder, x, y, n ir.Ref) ir.Ref {
				less := b.Op(op(scalar.OpLt, scalar.Bool, n, b.Op(op(scalar.OpBitcast, c.u, x))))
				return b.Op(op(scalar.OpBitcast, c.u, b.Op(op(scalar.OpSelect, c.f, b.Op(op(scalar.OpNot, scalar.Bool, less)), x, y))))
			},
			"exponent": func(b *ir.Builder, x, _, n ir.Ref) ir.Ref {
				high := b.Op(op(scalar.OpAnd, c.u, n, b.Const(c.u, exponent)))
				e := b.Op(op(scalar.OpShr, c.i, b.Op(op(scalar.OpBitcast, c.i, n)), b.Const(c.i, mantissa)))
				f := b.Op(op(scalar.OpConvert, c.f, e))
				return b.Op(op(scalar.OpAdd, c.u, b.Op(op(scalar.OpBitcast, c.u, f)), high))
			},
			"exact product": func(b *ir.Builder, x, _, n ir.Ref) ir.Ref {
				return productTwice(b, c.f, c.u, c.i, x, n, mantissa, 0)
			},
			"rounded product": func(b *ir.Builder, x, _, n ir.Ref) ir.Ref {
				return productTwice(b, c.f, c.u, c.i, x, n, mantissa, 1)
			},
			"canonical after arithmetic": func(b *ir.Builder, x, y, n ir.Ref) ir.Ref {
				sum := b.Op(op(scalar.OpBitcast, c.u, b.Op(op(scalar.OpAdd, c.f, x, y))))
				flip := b.Op(op(scalar.OpAnd, c.u, n, b.Const(c.u, sign)))
				return b.Op(op(scalar.OpBitcast, c.u, canon(b, b.Op(op(scalar.OpBitcast, c.f, b.Op(op(scalar.OpXor, c.u, sum, flip)))))))
			},
			"canonical after bits": func(b *ir.Builder, x, y, n ir.Ref) ir.Ref {
				flipped := b.Op(op(scalar.OpXor, c.u, b.Op(op(scalar.OpBitcast, c.u, x)), b.Op(op(scalar.OpAnd, c.u, n, b.Const(c.u, 1<<(mantissa-1))))))
				return b.Op(op(scalar.OpBitcast, c.u, canon(b, b.Op(op(scalar.OpBitcast, c.f, flipped)))))
			},
			"zero added": func(b *ir.Builder, x, _, n ir.Ref) ir.Ref {
				return b.Op(op(scalar.OpSub, c.u, b.Op(op(scalar.OpAdd, c.u, n, b.Const(c.u, 0))), b.Const(c.u, 0)))
			},
			"shifted and added": func(b *ir.Builder, x, _, n ir.Ref) ir.Ref {
				shifted := func(r ir.Ref, k uint64) ir.Ref { return b.Op(op(scalar.OpShl, c.u, r, b.Const(c.u, k))) }
				bits, one := b.Op(op(scalar.OpBitcast, c.u, x)), b.Const(c.u, exponent>>1&exponent)
				power := b.Op(op(scalar.OpAdd, c.u, shifted(n, mantissa), one))
				inverse := b.Op(op(scalar.OpSub, c.u, one, shifted(n, mantissa)))
				other := b.Op(op(scalar.OpSub, c.u, shifted(bits, width-1), one))
				twice := shifted(bits, 1)
				sum := b.Op(op(scalar.OpXor, c.u, power, b.Op(op(scalar.OpAdd, c.u, one, twice))))
				return b.Op(op(scalar.OpXor, c.u, b.Op(op(scalar.OpXor, c.u, inverse, other)), b.Op(op(scalar.OpXor, c.u, sum, twice))))
			},
			"compared with zero": func(b *ir.Builder, x, y, n ir.Ref) ir.Ref {
				bits := b.Const(c.u, 0)
				zero, none := b.Const(c.f, 0), b.Const(c.i, 0)
				i := b.Op(op(scalar.OpBitcast, c.i, n))
				for k, p := range []scalar.Op{scalar.OpEq, scalar.OpLt, scalar.OpLe, scalar.OpNe} {
					for m, args := range [][2]ir.Ref{{x, zero}, {zero, x}, {i, none}, {none, i}} {
						r := b.Op(op(p, scalar.Bool, args[0], args[1]))
						bit := b.Op(op(scalar.OpSelect, c.u, r, b.Const(c.u, 1<<(4*k+m)), b.Const(c.u, 0)))
						bits = b.Op(op(scalar.OpOr, c.u, bits, bit))
					}
				}
				return bits
			},
		} {
			k := mapKernel([]scalar.Type{c.f, c.f, c.u}, []scalar.Type{c.u}, func(b *ir.Builder, a []ir.Ref) []ir.Ref {
				return []ir.Ref{body(b, a[0], a[1], a[2])}
			})
			k.Name = name
			code := compile(t, k)
			rng := rand.New(rand.NewPCG(3, width))
			for range 20 {
				code.checkRandom(t, rng, 1+rng.IntN(200))
			}
		}
	}
}

// productTwice adds the bits of s = e·c + x and of e·−c + s for the exponent e of n and for c = 1.375, with the given
// bits at its end.
func productTwice(b *ir.Builder, f, u, i scalar.Type, x, n ir.Ref, mantissa, end uint64) ir.Ref {
	one := uint64(1)<<(f.Bits()-2) - 1<<mantissa
	short := one | 3<<(mantissa-3) | end
	e := b.Op(op(scalar.OpConvert, f, b.Op(op(scalar.OpShr, i, b.Op(op(scalar.OpBitcast, i, n)), b.Const(i, mantissa)))))
	s := b.Op(op(scalar.OpFMA, f, e, b.Const(f, short), x))
	t := b.Op(op(scalar.OpFMA, f, e, b.Const(f, short|1<<(f.Bits()-1)), s))
	bits := func(r ir.Ref) ir.Ref { return b.Op(op(scalar.OpBitcast, u, canon(b, r))) }
	return b.Op(op(scalar.OpAdd, u, bits(s), bits(t)))
}
