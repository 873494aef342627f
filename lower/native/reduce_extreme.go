package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// extremes finds the greatest or least floats in any order where [Model.SlowExtremes] is set: the
// extreme of each lane as the machine finds it, and apart from that what it loses, NaN and the sign of
// zeros.
type extremes struct {
	folder
	one lanes // of one copy
	// Of each lane and copy, unless an element is NaN; zeros have any sign.
	found Value
	// Of each lane: the conjunction of the bits of all elements, for the least their disjunction.
	// Where the extreme is a zero, its sign bit is that of the result.
	signs Value
	nan   Value // of each lane: whether an element is NaN
}

// extremesOf returns the accumulators of a reduction in lanes l, nil if it has none of these.
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
		all := uint64(0)
		if !x.least() {
			all = 1<<d.t.Bits() - 1
		}
		x.signs = g.variable(g.Splat(d.t.Unsigned(), all))
		zero := g.Splat(d.t, 0)
		x.nan = g.variable(g.Unordered(zero, zero))
	})
	return x
}

func (x *extremes) least() bool { return x.op == ir.Min }

// add takes the elements y of all copies into account.
func (x *extremes) add(y Value) {
	g := x.Gen
	g.assign(x.found, g.Extreme(x.found, y, x.least()))
	g.withLanes(&x.one, ir.NoAxis, func() {
		join := scalar.OpAnd
		if x.least() {
			join = scalar.OpOr
		}
		copyOf := func(u int) Value { return Value{T: y.T, R: y.R[u : u+1]} }
		signs, nan := x.signs, x.nan
		for u := range y.R {
			signs = g.IntOp(join, signs, copyOf(u).As(x.t.Unsigned()))
		}
		for u := 0; u < len(y.R); u += 2 {
			nan = g.Logic(scalar.OpOr, nan, g.Unordered(copyOf(u), copyOf(min(u+1, len(y.R)-1))))
		}
		g.assign(x.signs, signs)
		g.assign(x.nan, nan)
	})
}

// result returns the extremes of all lanes, in one copy.
func (x *extremes) result() (r element) {
	g := x.Gen
	g.withLanes(&x.one, ir.NoAxis, func() {
		most := Value{T: x.t, R: x.found.R[:1]}
		for u := range x.found.R[1:] {
			most = g.Extreme(most, Value{T: x.t, R: x.found.R[u+1 : u+2]}, x.least())
		}
		u := x.t.Unsigned()
		zero := g.IntOp(scalar.OpAnd, x.signs, g.Splat(u, 1<<(x.t.Bits()-1))).As(x.t)
		most = g.Choose(g.Compare(scalar.OpEq, most, g.Splat(x.t, 0)), zero, most)
		nan := uint64(scalar.NaNBits32)
		if x.t == scalar.F64 {
			nan = scalar.NaNBits64
		}
		r[0] = g.Choose(x.nan, g.Splat(x.t, nan), most)
	})
	return r
}
