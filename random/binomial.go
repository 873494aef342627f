package random

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// Binomial returns how many of n trials succeed, each with probability p, as floating numbers: ∞
// where n is ∞, NaN where n is negative or p is outside [0, 1]. It draws f16 and bf16 in f32.
func Binomial[A, B weft.Operand](k Key, n A, p B, dims ...int) weft.Array {
	const op = "Binomial"
	dt := k.floatOf(op, n, p)
	formatOf(op, dt)
	wide := drawn(dt)
	count, prob := lax.StopGradient(param(op, wide, n)), lax.StopGradient(param(op, wide, p))
	shape := shapeOf(op, dims, count.Shape(), prob.Shape())
	return lax.ConvertElementType(binomial(k.single(op), count.BroadcastTo(shape...), prob.BroadcastTo(shape...)), dt)
}

// drawn returns dt, or f32 if dt is narrower: samplers whose steps would lose too much in f16 compute in that type.
func drawn(dt weft.DType) weft.DType {
	if dt.Bits() < 32 {
		return weft.Float32
	}
	return dt
}

// binomial draws for counts and probabilities of one shape and type. It draws the rarer of
// successes and failures.
func binomial(key, count, p weft.Array) weft.Array {
	dt := p.DType()
	like := func(v float64) weft.Array { return lax.FullLike(p, v) }
	few := lax.Lt(p, num(dt, 0.5))
	q := lax.Select(few, p, lax.Sub(num(dt, 1), p))
	never := lax.BitwiseOr(lax.BitwiseNot(lax.Ge(q, num(dt, 0))), lax.BitwiseNot(lax.Ge(count, num(dt, 0)))) // or NaN
	endless := lax.Eq(count, num(dt, math.Inf(1)))
	count = lax.Floor(lax.Select(lax.BitwiseOr(never, endless), like(0), count))
	q = lax.Abs(lax.Select(never, like(0.01), q)) // −0 would count backwards without end

	short := lax.Le(lax.Mul(count, q), num(dt, 10))
	counted := binomialCounted(key, lax.Select(short, count, like(0)), q)
	rejected := binomialRejected(lax.RandomClone(key), lax.Select(short, like(1e4), count), lax.Select(short, like(0.5), q))
	x := lax.Select(short, counted, rejected)
	x = lax.Select(few, x, lax.Sub(count, x))
	x = lax.Select(endless, like(math.Inf(1)), x)
	return lax.Select(never, like(math.NaN()), x)
}

// binomialCounted draws the numbers of trials from each success to the next, which have the
// geometric distribution, and returns how many of them sum to at most count.
func binomialCounted(key, count, p weft.Array) weft.Array {
	type state struct{ N, Sum, Key weft.Array }
	dt, shape := p.DType(), p.Shape()
	fail := lax.Log1p(lax.Neg(p))
	s := weft.While(
		func(s state) weft.Array { return lax.ReduceOr(lax.Le(s.Sum, count), axes(len(shape))...) },
		func(s state) state {
			sub, key := pair(s.Key)
			n := lax.Select(lax.Le(s.Sum, count), lax.Add(s.N, num(dt, 1)), s.N)
			trials := lax.Ceil(lax.Div(lax.Log(unit(sub, dt, shape)), fail))
			return state{n, lax.Add(s.Sum, trials), key}
		},
		state{weft.ZerosLike(p), weft.ZerosLike(p), key})
	return lax.Sub(s.N, num(dt, 1))
}

// binomialRejected draws by the transformed rejection BTRS of Hörmann (Journal of Statistical
// Computation and Simulation 46, 1993), for count·p of at least 10 and p of at most ½.
func binomialRejected(key, count, p weft.Array) weft.Array {
	dt, shape := p.DType(), p.Shape()
	f := func(v float64) weft.Array { return num(dt, v) }
	mean, fail := lax.Mul(count, p), lax.Sub(f(1), p)
	deviation := lax.Sqrt(lax.Mul(mean, fail))
	b := lax.Add(f(1.15), lax.Mul(f(2.53), deviation))
	a := lax.Add(lax.Add(f(-0.0873), lax.Mul(f(0.0248), b)), lax.Mul(f(0.01), p))
	c := lax.Add(mean, f(0.5))
	quick := lax.Sub(f(0.92), lax.Div(f(4.2), b))
	odds := lax.Div(p, fail)
	alpha := lax.Mul(lax.Add(f(2.83), lax.Div(f(5.1), b)), deviation)
	mode := lax.Floor(lax.Mul(lax.Add(count, f(1)), p))
	// The logarithm of the probability of k relative to that of the mode.
	beside := func(k weft.Array) weft.Array {
		one := func(x weft.Array) weft.Array { return lax.Add(x, f(1)) }
		failed := func(k weft.Array) weft.Array { return lax.Sub(count, k) }
		terms := []weft.Array{
			lax.Mul(lax.Add(mode, f(0.5)), lax.Log(lax.Div(one(mode), lax.Mul(odds, one(failed(mode)))))),
			lax.Mul(one(count), lax.Log(lax.Div(one(failed(mode)), one(failed(k))))),
			lax.Mul(lax.Add(k, f(0.5)), lax.Log(lax.Div(lax.Mul(odds, one(failed(k))), one(k)))),
			stirlingTail(mode), stirlingTail(failed(mode)), lax.Neg(stirlingTail(k)), lax.Neg(stirlingTail(failed(k))),
		}
		sum := terms[0]
		for _, t := range terms[1:] {
			sum = lax.Add(sum, t)
		}
		return sum
	}
	type state struct{ N, Accepted, Key weft.Array }
	s := weft.While(
		func(s state) weft.Array { return lax.ReduceOr(lax.BitwiseNot(s.Accepted), axes(len(shape))...) },
		func(s state) state {
			keys := lax.RandomSplit(s.Key, 3)
			part := func(i int) weft.Array { return lax.IndexInDim(keys, i, 0, false) }
			u := lax.Sub(unit(part(1), dt, shape), f(0.5))
			v := unit(part(2), dt, shape)
			us := lax.Sub(f(0.5), lax.Abs(u))
			k := lax.Floor(lax.Add(lax.Mul(lax.Add(lax.Div(lax.Mul(f(2), a), us), b), u), c))
			within := lax.BitwiseAnd(lax.Ge(k, f(0)), lax.Le(k, count))
			height := lax.Log(lax.Div(lax.Mul(v, alpha), lax.Add(lax.Div(a, lax.Mul(us, us)), b)))
			at := lax.BitwiseAnd(lax.Ge(us, f(0.07)), lax.Le(v, quick))
			accept := lax.BitwiseOr(at, lax.BitwiseAnd(within, lax.Le(height, beside(k))))
			return state{lax.Select(accept, k, s.N), lax.BitwiseOr(s.Accepted, accept), part(0)}
		},
		state{lax.FullLike(p, -1.), lax.Full(shape, false, weft.Bool), key})
	return s.N
}

// stirlingTail returns log k! less Stirling's formula for it,
// (k+½)·log(k+1) − (k+1) + ½·log 2π. It is looked up for k up to 9. Larger k get, as in JAX, the
// first terms of the series at k = 9.
func stirlingTail(k weft.Array) weft.Array {
	dt := k.DType()
	f := func(v float64) weft.Array { return num(dt, v) }
	table := make([]float64, 10)
	for i := range table {
		x := float64(i + 1)
		log, _ := math.Lgamma(x)
		table[i] = log - (x-0.5)*math.Log(x) + x - math.Log(2*math.Pi)/2
	}
	small := lax.Le(k, f(9))
	k = lax.Clamp(f(0), k, f(9))
	near := lax.ConvertElementType(weft.FromSlice(table), dt).Index(lax.ConvertElementType(k, weft.Int32))
	next := lax.Add(k, f(1))
	square := lax.Mul(next, next)
	inner := lax.Sub(f(1./360), lax.Div(f(1./1260), square))
	far := lax.Div(lax.Sub(f(1./12), lax.Div(inner, square)), next)
	return lax.Select(small, near, far)
}

// Multinomial returns the number of times that each of several outcomes occurs in n trials. The
// last axis of p holds the probabilities of the outcomes, or weights in proportion to them. dims
// are the sizes of the axes before that of the outcomes.
func Multinomial[A weft.Operand](k Key, n A, p weft.Array, dims ...int) weft.Array {
	const op = "Multinomial"
	present(op, p)
	dt := k.floatOf(op, n, p)
	formatOf(op, dt)
	wide := drawn(dt)
	prob, trials := lax.StopGradient(param(op, wide, p)), lax.StopGradient(param(op, wide, n))
	if prob.Rank() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{p.Value().Aval()}, "the probabilities have no axis; give those of all outcomes along the last one")
	}
	outcomes := prob.Dim(-1)
	batch := shapeOf(op, dims, trials.Shape(), prob.Shape()[:prob.Rank()-1])
	prob = prob.BroadcastTo(append(append([]int(nil), batch...), outcomes)...)
	key := k.single(op)
	if outcomes == 0 {
		return lax.Full(prob.Shape(), 0, dt)
	}
	// Outcome by outcome, draw how many of the trials that are left have it.
	prob = prob.MoveAxis(-1, 0)
	left := lax.Cumsum(prob, 0, true)
	none := lax.Eq(left, num(wide, 0))
	share := lax.Div(prob, lax.Select(none, weft.OnesLike(left), left))
	share = lax.Clamp(num(wide, 0), share, num(wide, 1))
	type outcome struct{ Share, Key weft.Array }
	_, counts := weft.Scan(func(trials weft.Array, o outcome) (weft.Array, weft.Array) {
		n := binomial(o.Key, trials, o.Share)
		return lax.Sub(trials, n), n
	}, trials.BroadcastTo(batch...), outcome{share, lax.RandomSplit(key, outcomes)})
	return lax.ConvertElementType(counts.MoveAxis(0, -1), dt)
}
