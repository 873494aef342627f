package random

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// Poisson returns numbers of events where lambda are expected: the type's largest number where
// lambda is ∞ or exceeds that number, and −1 where lambda is negative or NaN, which an unsigned
// type represents as its largest number.
func Poisson[A weft.Operand](k Key, lambda A, dims ...int) weft.Array {
	const op = "Poisson"
	dt := k.typeOr(defaultInt())
	if !dt.IsInteger() || dt.Bits() < 8 {
		core.FailOp(core.ErrDType, op, nil, "draws integers of 8 to 64 bits, not %v; convert the result with AsType", dt)
	}
	mean := weft.StopGradient(param(op, weft.Float32, lambda))
	shape := shapeOf(op, dims, mean.Shape())
	mean = mean.BroadcastTo(shape...)
	endless := lax.Eq(mean, num(weft.Float32, math.Inf(1)))
	mean = lax.Select(endless, weft.ZerosLike(mean), mean)
	key := k.single(op)
	f := func(v float64) weft.Array { return num(weft.Float32, v) }
	like := func(v float64) weft.Array { return lax.FullLike(mean, v) }

	few := lax.BitwiseOr(lax.Ne(mean, mean), lax.Lt(mean, f(10)))
	counted := poissonCounted(key, lax.Select(few, mean, like(0)), dt)
	rejected := poissonRejected(lax.RandomClone(key), lax.Select(few, like(1e5), mean), dt)
	n := lax.Select(few, counted, rejected)
	n = lax.Select(lax.Eq(mean, f(0)), weft.ZerosLike(n), n)
	_, most := limits(dt)
	return lax.Select(endless, whole(dt, most).BroadcastTo(shape...), n)
}

// poissonCounted draws by Knuth's method: how many uniform numbers multiply to more than
// e^−mean.
func poissonCounted(key, mean weft.Array, dt weft.DType) weft.Array {
	type state struct{ I, N, Key, Log weft.Array }
	shape := mean.Shape()
	most, limit := limit(dt), lax.Neg(mean)
	s := weft.While(
		func(s state) weft.Array {
			more := lax.ReduceOr(lax.Gt(s.Log, limit), axes(len(shape))...)
			return lax.BitwiseAnd(more, lax.Lt(s.I, most))
		},
		func(s state) state {
			key, sub := pair(s.Key)
			one := lax.ConvertElementType(1, dt)
			n := lax.Select(lax.Gt(s.Log, limit), lax.Add(s.N, one), s.N)
			return state{lax.Add(s.I, one), n, key, lax.Add(s.Log, lax.Log(unit(sub, weft.Float32, shape)))}
		},
		state{lax.ConvertElementType(0, dt), lax.Full(shape, 0, dt), key, weft.ZerosLike(mean)})
	return lax.Sub(s.N, lax.ConvertElementType(1, dt))
}

// poissonRejected draws by the transformed rejection of Hörmann (Insurance: Mathematics and
// Economics 12, 1993), for means of at least 10.
func poissonRejected(key, mean weft.Array, dt weft.DType) weft.Array {
	f := func(v float64) weft.Array { return num(weft.Float32, v) }
	shape := mean.Shape()
	logMean := lax.Log(mean)
	b := lax.Add(f(0.931), lax.Mul(f(2.53), lax.Sqrt(mean)))
	a := lax.Add(f(-0.059), lax.Mul(f(0.02483), b))
	inverse := lax.Add(f(1.1239), lax.Div(f(1.1328), lax.Sub(b, f(3.4))))
	quick := lax.Sub(f(0.9277), lax.Div(f(3.6224), lax.Sub(b, f(2))))

	type state struct{ I, N, Accepted, Key weft.Array }
	most := limit(dt)
	s := weft.While(
		func(s state) weft.Array {
			more := lax.ReduceOr(lax.BitwiseNot(s.Accepted), axes(len(shape))...)
			return lax.BitwiseAnd(more, lax.Lt(s.I, most))
		},
		func(s state) state {
			keys := lax.RandomSplit(s.Key, 3)
			part := func(i int) weft.Array { return lax.IndexInDim(keys, i, 0, false) }
			u := lax.Sub(unit(part(1), weft.Float32, shape), f(0.5))
			v := unit(part(2), weft.Float32, shape)
			us := lax.Sub(f(0.5), lax.Abs(u))
			n := lax.Floor(lax.Add(lax.Add(lax.Mul(lax.Add(lax.Div(lax.Mul(f(2), a), us), b), u), mean), f(0.43)))
			left := lax.Log(lax.Div(lax.Mul(v, inverse), lax.Add(lax.Div(a, lax.Mul(us, us)), b)))
			right := lax.Sub(lax.Add(lax.Neg(mean), lax.Mul(n, logMean)), lax.Lgamma(lax.Add(n, f(1))))
			at := lax.BitwiseAnd(lax.Ge(us, f(0.07)), lax.Le(v, quick))
			never := lax.BitwiseOr(lax.Lt(n, f(0)), lax.BitwiseAnd(lax.Lt(us, f(0.013)), lax.Gt(v, us)))
			accept := lax.BitwiseOr(at, lax.BitwiseAnd(lax.BitwiseNot(never), lax.Le(left, right)))
			return state{
				lax.Add(s.I, lax.ConvertElementType(1, dt)),
				lax.Select(accept, n, s.N),
				lax.BitwiseOr(s.Accepted, accept),
				part(0),
			}
		},
		state{lax.ConvertElementType(0, dt), lax.FullLike(mean, -1.), lax.Full(shape, false, weft.Bool), key})
	return lax.ConvertElementType(s.N, dt)
}

// limit returns the number of rounds after which a sampler stops: the largest number of
// the type, or of an int if that is smaller.
func limit(dt weft.DType) weft.Array {
	_, most := limits(dt)
	return whole(dt, smaller(most, mustInt(math.MaxInt)))
}

func axes(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
