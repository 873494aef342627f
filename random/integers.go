package random

import (
	"math/big"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// RandInt returns integers from lo up to, but not including, hi, or lo where hi ≤ lo. Bounds are
// Go integers or integer Arrays. [As] chooses an integer type of 8 to 64 bits; otherwise the type
// is that of the Arrays, or the default one. Bounds that are Go numbers must fit the type, except
// that hi may be one more than its largest number. Bounds that are Arrays are clamped to the
// type's limits.
//
// The numbers are remainders of random bits. Let w be the bits of the type, or 32 for a narrower one. Where hi − lo
// is at most 2^(w/2), 2w bits are drawn and the bias is tiny. For wider ranges only w bits count, as in JAX: the
// lower numbers of the range may be up to twice as likely as the others.
func RandInt[A, B weft.Operand](k Key, lo A, hi B, dims ...int) weft.Array {
	const op = "RandInt"
	dt := k.as
	for _, b := range [2]any{lo, hi} {
		if x, ok := isArray(b); ok && k.as == 0 && !x.IsZero() && x.DType().IsInteger() && !x.Weak() {
			if dt != 0 && dt != x.DType() {
				core.FailOp(core.ErrDType, op, nil, "the bounds have the types %v and %v; choose one with As, or convert them", dt, x.DType())
			}
			dt = x.DType()
		}
	}
	if dt == 0 {
		dt = defaultInt()
	}
	if !dt.IsInteger() || dt.Bits() < 8 {
		core.FailOp(core.ErrDType, op, nil, "draws integers of 8 to 64 bits, not %v; convert the result with AsType", dt)
	}
	if dt.Bits() < 32 { // drawn as i32, where one more than the largest is a number, too
		a, b := bound(op, dt, weft.Int32, lo), bound(op, dt, weft.Int32, hi)
		shape := shapeOf(op, dims, a.low.Shape(), b.low.Shape())
		return lax.ConvertElementType(integers(k.single(op), weft.Int32, a.low, endpoint{low: b.orMore}, shape), dt)
	}
	a, b := bound(op, dt, dt, lo), bound(op, dt, dt, hi)
	shape := shapeOf(op, dims, a.low.Shape(), b.low.Shape())
	return integers(k.single(op), dt, a.low, b, shape)
}

type endpoint struct {
	low    weft.Array // the bound, clamped to the type's limits
	orMore weft.Array // the bound, clamped to one more than the largest number; set if a wider type is drawn
	beyond weft.Array // whether the bound is more than the largest number; the zero Array means no
}

// bound returns v as a bound of numbers of type dt, which are drawn in the type `as`. Arrays
// are clamped to dt's limits; Go numbers beyond them are refused.
func bound(op string, dt, as weft.DType, v any) endpoint {
	least, most := limits(dt)
	above := new(big.Int).Add(most, big.NewInt(1))
	if x, ok := isArray(v); ok {
		present(op, x)
		from := x.DType()
		if !from.IsInteger() {
			core.FailOp(core.ErrDType, op, []core.ShapedArray{x.Value().Aval()}, "the bounds are integers, got %v; convert them with AsType", from)
		}
		fromLeast, fromMost := limits(from)
		clip := func(most *big.Int) weft.Array {
			y := lax.Max(x, whole(from, larger(least, fromLeast)))
			return lax.ConvertElementType(lax.Min(y, whole(from, smaller(most, fromMost))), as)
		}
		e := endpoint{low: clip(most)}
		if dt != as {
			e.orMore = clip(above)
		} else if fromMost.Cmp(most) > 0 {
			e.beyond = lax.Gt(x, whole(from, most))
		}
		return e
	}
	n, ok := integer(v)
	if !ok {
		core.FailOp(core.ErrDType, op, nil, "the bounds are Go integers or integer Arrays, got %T; convert them", v)
	}
	if n.Cmp(least) < 0 || n.Cmp(above) > 0 {
		core.FailOp(core.ErrDType, op, nil, "the bound %v is none of %v, whose numbers go from %v to %v; choose a wider type with As", n, dt, least, most)
	}
	e := endpoint{low: whole(as, smaller(n, most))}
	if dt != as {
		e.orMore = whole(as, n)
	} else if n.Cmp(above) == 0 {
		e.beyond = weft.Scalar(true)
	}
	return e
}

// integers returns lo + offset, where offset is the remainder of a random number of 2w bits, the
// words h and l of w bits, by the span hi−lo:
//
//	offset = ((h mod span)·(2^w mod span) + l mod span) mod span
//
// For a span above 2^(w/2) the factor 2^w wraps to 0: then l alone decides.
func integers(key weft.Array, dt weft.DType, lo weft.Array, hi endpoint, shape []int) weft.Array {
	u := unsignedOf[dt.Bits()]
	one := lax.ConvertElementType(1, u)
	lo, top := spread(lo, shape), spread(hi.low, shape)
	span := lax.BitcastConvertType(lax.Sub(top, lo), u)
	empty := lax.Le(top, lo)
	span = lax.Select(empty, weft.OnesLike(span), span)
	if !hi.beyond.IsZero() { // for the whole range the span is 0, and x mod 0 is x
		more := lax.BitwiseAnd(spread(hi.beyond, span.Shape()), lax.Gt(top, lo))
		span = lax.Select(more, lax.Add(span, one), span)
	}
	k1, k2 := pair(key)
	h, l := lax.RandomBits(k1, dt.Bits(), shape...), lax.RandomBits(k2, dt.Bits(), shape...)
	factor := lax.Rem(lax.ConvertElementType(uint64(1)<<(dt.Bits()/2), u), span)
	factor = lax.Rem(lax.Mul(factor, factor), span)
	offset := lax.Rem(lax.Add(lax.Mul(lax.Rem(h, span), factor), lax.Rem(l, span)), span)
	return lax.Add(lo, lax.BitcastConvertType(offset, dt))
}

var unsignedOf = map[int]weft.DType{8: weft.Uint8, 16: weft.Uint16, 32: weft.Uint32, 64: weft.Uint64}

func limits(dt weft.DType) (least, most *big.Int) {
	one := big.NewInt(1)
	if dt.IsUnsigned() {
		return new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, uint(dt.Bits())), one)
	}
	half := new(big.Int).Lsh(one, uint(dt.Bits()-1))
	return new(big.Int).Neg(half), new(big.Int).Sub(half, one)
}

func larger(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

// whole returns n as type dt, which must be able to hold it.
func whole(dt weft.DType, n *big.Int) weft.Array {
	if n.Sign() < 0 {
		return lax.ConvertElementType(n.Int64(), dt)
	}
	return lax.ConvertElementType(n.Uint64(), dt)
}

// Bernoulli returns truth values that hold with probability p.
func Bernoulli[P weft.Operand](k Key, p P, dims ...int) weft.Array {
	const op = "Bernoulli"
	dt := floatOf(op, p)
	formatOf(op, dt)
	q := param(op, dt, p)
	shape := shapeOf(op, dims, q.Shape())
	return lax.Lt(unit(k.single(op), dt, shape), spread(q, shape))
}

// Rademacher returns −1 and 1, each with probability ½. [As] chooses a type with a sign, except
// integers of fewer than 8 bits and minor floats such as the f8 formats.
func Rademacher(k Key, dims ...int) weft.Array {
	dt := k.typeOr(defaultInt())
	if !dt.IsSigned() && !dt.IsInexact() || dt.Bits() < 8 || dt.IsMinorFloat() {
		core.FailOp(core.ErrDType, "Rademacher", nil, "draws −1 and 1, which %v does not hold; name a type with a sign", dt)
	}
	shapeOf("Rademacher", dims)
	return signs(k.single("Rademacher"), dt, dims)
}

func signs(key weft.Array, dt weft.DType, shape []int) weft.Array {
	f := defaultFloat()
	up := lax.Lt(unit(key, f, shape), num(f, 0.5))
	one := func(v float64) weft.Array { return weft.Full(weft.Shape(shape), lax.ConvertElementType(v, dt)) }
	return lax.Select(up, one(1), one(-1))
}
