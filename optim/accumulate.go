package optim

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// Accumulate collects gradients and passes their mean to another optimizer every few steps, so
// that a large batch fits into memory piece by piece.
type Accumulate[P any] struct {
	Every int
	Inner Optimizer[P] // a pointer, such as *Adam[P]
	Mean  P            // of the gradients so far
	Count weft.Array   // of gradients in the mean
}

// NewAccumulate returns the state before the first gradient, for an optimizer made for p.
func NewAccumulate[P any](p P, inner Optimizer[P], every int) Accumulate[P] {
	if every < 1 {
		core.FailOp(core.ErrDType, "NewAccumulate", nil, "the number of gradients must be positive (got %d); use 1 or more", every)
	}
	if inner == nil {
		core.FailOp(core.ErrTree, "NewAccumulate", nil, "there is no optimizer; pass a pointer to one, as in &adam")
	}
	return Accumulate[P]{Every: every, Inner: inner, Mean: zeros(p, false), Count: start()}
}

// accumulated is the state that changes at the end of a round.
type accumulated[P any] struct {
	Params P
	Inner  Optimizer[P]
	Mean   P
}

// Update returns the parameters: changed at each Every-th call, and unchanged in between.
func (o *Accumulate[P]) Update(p, g P) P {
	requireNonNil("Accumulate.Update", o)
	n := o.Count
	each("Accumulate", p, g, func(_ int, w, g weft.Array, s []weft.Array) weft.Array {
		real := w.DType().Real()
		if w.DType().IsComplex() {
			g = weft.Conj(g) // as Grad returns it: the inner optimizer takes the conjugate
		}
		s[0] = s[0].Add(g.Sub(s[0]).Div(n.Add(1).AsType(real)))
		return w
	}, &o.Mean)
	mean := gradientOf(o.Mean, g)
	last := n.Eq(o.Every - 1)
	out := weft.Cond(last, func() accumulated[P] {
		inner := copied(o.Inner)
		return accumulated[P]{inner.Update(p, mean), inner, zeros(p, false)}
	}, func() accumulated[P] { return accumulated[P]{p, copied(o.Inner), o.Mean} })
	settled(func() { o.Count = weft.Where(last, 0, n.Add(1)).AsType(weft.Int32) })
	o.Inner, o.Mean = out.Inner, out.Mean
	return out.Params
}

// gradientOf returns the mean as a gradient: float0 where g is.
func gradientOf[P any](mean, g P) P {
	ms := leavesOf(mean)
	for i, x := range leavesOf(g) {
		if x.DType() == weft.Float0 {
			ms[i] = x
		}
	}
	return rebuild(g, ms)
}

// copied returns a copy of o with a state of its own.
func copied[P any](o Optimizer[P]) Optimizer[P] {
	return weft.TreeMap(func(x weft.Array) weft.Array { return x }, o)
}
