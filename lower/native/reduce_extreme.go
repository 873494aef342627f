package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// extremes finds the greatest or least floats in any order where [Model.SlowExtremes] is set: the
// extreme of each lane as the machine finds it, and besides that what the machine loses: NaN and the sign of
// zeros.
type extremes struct {
	folder
	one lanes // the lanes of one copy
	// The extreme of each lane and copy, if no element is NaN; a zero may have either sign without
	// [Model.SignedExtremes].
	found Value
	// Where zeros may have either sign, of each lane: the conjunction of the bits of all elements, for the least their
	// disjunction. Where the extreme is a zero, its sign bit is that of the result.
	signs Value
	nan   Value // of each lane: whether an element is NaN
}

// extremesOf returns the accumulators of a reduction in lanes l. They are nil if it finds no extreme of floats, the
// machine's own extremes are as fast, or a copy has several registers.
func (g *Gen) extremesOf(d folder, l lanes) *extremes {
	if !g.model.SlowExtremes || !d.t.IsFloat() || d.op != ir.Max && d.op != ir.Min {
		return nil
	}
	x := &extremes{folder: d, one: lanes{N: l.N, U: 1}}
	g.withLanes(&l, ir.NoAxis, func() {
		x.found = d.variable(d.identity())[0]
	})
	if len(x.found.R) != l.U { // several registers a copy
		return nil
	}
	g.withLanes(&x.one, ir.NoAxis, func() {
		if !g.model.SignedExtremes {
			all := uint64(0)
			if !x.least() {
				all = 1<<d.t.Bits() - 1
			}
			x.signs = g.variable(g.Splat(d.t.Unsigned(), all))
		}
		zero := g.Splat(d.t, 0)
		x.nan = g.variable(g.Unordered(zero, zero))
	})
	return x
}

func (x *extremes) least() bool { return x.op == ir.Min }

func (x *extremes) of(a, b Value) Value {
	if x.model.SignedExtremes {
		return x.Target.(SignedTarget).SignedExtreme(a, b, x.least())
	}
	return x.Extreme(a, b, x.least())
}

// add takes the elements y of all copies into account.
func (x *extremes) add(y Value) {
	g := x.Gen
	g.withLanes(&x.one, ir.NoAxis, func() {
		copyOf := func(y Value, u int) Value { return Value{T: y.T, R: y.R[u : u+1]} }
		for u := 0; u < len(y.R); u += 2 {
			first, second := copyOf(y, u), copyOf(y, min(u+1, len(y.R)-1))
			if !g.model.SignedExtremes {
				bits := first.As(x.t.Unsigned())
				if u+1 < len(y.R) {
					bits = x.join(bits, second.As(bits.T))
				}
				x.set(x.signs, x.join(x.signs, bits))
			}
			x.set(x.nan, g.Logic(scalar.OpOr, x.nan, g.Unordered(first, second)))
			for i := u; i < min(u+2, len(y.R)); i++ {
				found := copyOf(x.found, i)
				x.set(found, x.of(found, copyOf(y, i)))
			}
		}
	})
}

func (x *extremes) set(acc, to Value) { x.folder.set(element{acc}, element{to}) }

// join returns the conjunction of bits, for the least number their disjunction: see signs.
func (x *extremes) join(a, b Value) Value {
	if x.least() {
		return x.IntOp(scalar.OpOr, a, b)
	}
	return x.IntOp(scalar.OpAnd, a, b)
}

func (x *extremes) result() element {
	g := x.Gen
	most := Value{T: x.t, R: x.found.R[:1]}
	g.withLanes(&x.one, ir.NoAxis, func() {
		for u := range x.found.R[1:] {
			most = x.of(most, Value{T: x.t, R: x.found.R[u+1 : u+2]})
		}
	})
	signs := x.signs
	for n := x.one.N / 2; n >= 1; n /= 2 {
		upper := func(v Value) Value { return Value{T: v.T, R: []VReg{g.UpperLanes(v, n)}, W: v.W} }
		half := lanes{N: n, U: 1}
		g.withLanes(&half, ir.NoAxis, func() {
			most = x.of(most, upper(most))
			if !g.model.SignedExtremes {
				signs = x.join(signs, upper(signs))
			}
		})
	}
	if !g.model.SignedExtremes {
		u := x.t.Unsigned()
		zero := g.IntOp(scalar.OpAnd, signs, g.Splat(u, 1<<(x.t.Bits()-1))).As(x.t)
		most = g.Choose(g.Compare(scalar.OpEq, most, g.Splat(x.t, 0)), zero, most)
	}
	r := g.variable(most)
	done := g.newLabel()
	g.withLanes(&x.one, ir.NoAxis, func() { g.BranchIfNone(x.nan, done) })
	g.Put(Inst{Kind: KindRareStart})
	g.Move(r.R[0], g.NaN(x.t).R[0])
	g.Put(Inst{Kind: KindRareEnd})
	g.bind(done)
	return element{r}
}
