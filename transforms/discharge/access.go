package discharge

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
)

func (f *frame) access(p *jaxpr.RefOp, e *jaxpr.Eqn, in []jaxpr.Atom) {
	x, vars := in[0], in[1:]
	var val jaxpr.Atom
	if p.Op != "get" {
		val, vars = f.strong(vars[0]), vars[1:]
	}
	ix := readIndex(p, vars, x.Aval().Shape)
	parts := []jaxpr.Atom{x} // x, its part, that part's part …
	for _, at := range ix {
		parts = append(parts, f.read(parts[len(parts)-1], at))
	}
	old := parts[len(ix)]
	if len(e.Outs) > 0 {
		f.bind(e, []jaxpr.Atom{old})
	}
	if p.Op == "get" {
		return
	}
	if !val.Aval().SameType(old.Aval()) {
		core.FailOp(core.ErrShape, p.Op, core.AvalsOf(e.Ins), "the value has the type %v, and what is written %v; convert it", val.Aval(), old.Aval())
	}
	add := p.Op == "addupdate" && (len(ix) > 1 || !slices.ContainsFunc(ix[0], func(a axis) bool { return a.numbers() }))
	if add {
		val = f.one(prim.AddP{}, old, val)
	}
	for k, at := range slices.Backward(ix) {
		val = f.write(parts[k], val, at, p.Op == "addupdate" && !add)
	}
	f.env[e.Ins[0].(*jaxpr.Var)] = val
}

func (f *frame) read(x jaxpr.Atom, ix []axis) jaxpr.Atom {
	if all(ix, axis.whole) {
		return x
	}
	if slices.ContainsFunc(ix, axis.numbers) {
		w := f.window(ix)
		return f.one(indexed.GatherP{OffsetDims: w.offset, CollapsedSliceDims: w.taken, StartIndexMap: w.taken, SliceSizes: w.sizes}, x, w.starts)
	}
	var lo, hi, sizes, drop []int
	for i, a := range ix {
		lo, hi, sizes = append(lo, a.start), append(hi, a.start+a.size), append(sizes, a.size)
		if a.drop {
			drop = append(drop, i)
		}
	}
	if all(ix, func(a axis) bool { return a.at == nil }) {
		x = f.one(prim.SliceP{Start: core.MakeDims(lo...), Limit: core.MakeDims(hi...)}, x)
	} else {
		x = f.one(indexed.DynamicSliceP{Sizes: core.MakeDims(sizes...)}, append([]jaxpr.Atom{x}, f.starts(ix)...)...)
	}
	if len(drop) == 0 {
		return x
	}
	return f.one(prim.SqueezeP{Dims: core.MakeDims(drop...)}, x)
}

// write returns x with val in place of the part at an index or, if add is set, added to it.
func (f *frame) write(x, val jaxpr.Atom, ix []axis, add bool) jaxpr.Atom {
	if all(ix, axis.whole) {
		return val
	}
	if slices.ContainsFunc(ix, axis.numbers) {
		w, by := f.window(ix), indexed.CombineSet
		if add {
			by = indexed.CombineAdd
		}
		s := indexed.Scattering{UpdateWindowDims: w.offset, InsertedWindowDims: w.taken, ScatterDimsToOperandDims: w.taken, Mode: indexed.FillOrDrop}
		return f.one(s.By(by, x.Aval().DType), x, w.starts, val)
	}
	var sizes []int
	for _, a := range ix {
		sizes = append(sizes, a.size)
	}
	if to := core.MakeDims(sizes...); to != val.Aval().Shape {
		val = f.one(prim.ReshapeP{Shape: to}, val)
	}
	return f.one(indexed.DynamicUpdateSliceP{}, append([]jaxpr.Atom{x, val}, f.starts(ix)...)...)
}

func all(ix []axis, is func(axis) bool) bool {
	return !slices.ContainsFunc(ix, func(a axis) bool { return !is(a) })
}

func (f *frame) starts(ix []axis) []jaxpr.Atom {
	var as []jaxpr.Atom
	for _, a := range ix {
		if a.at == nil {
			as = append(as, number(a.start))
		} else {
			as = append(as, f.fromStart(a.at, a.dim))
		}
	}
	return as
}

func number(n int) core.Literal { return core.Lit(core.IntNumber(int64(n)), core.Int32) }

func (f *frame) int32(i jaxpr.Atom) jaxpr.Atom {
	if t := i.Aval(); t.DType == core.Int32 && !t.Weak {
		return i
	}
	return f.one(prim.ConvertElementTypeP{NewDType: core.Int32}, i)
}

// fromStart returns positions along an axis of size dim as i32 counted from its start: those that are negative as i32 count
// from its end.
func (f *frame) fromStart(i jaxpr.Atom, dim int) jaxpr.Atom {
	t := i.Aval()
	i = f.int32(i)
	if t.DType.IsUnsigned() && t.DType.Bits() < 32 {
		return i
	}
	zero, n := jaxpr.Atom(number(0)), jaxpr.Atom(number(dim))
	if t.Rank() > 0 {
		zero, n = f.spread(zero, t.Shape, 0), f.spread(n, t.Shape, 0)
	}
	return f.one(prim.SelectNP{}, f.one(prim.LtP{}, i, zero), i, f.one(prim.AddP{}, i, n))
}

// window is an index with arrays of positions, as gathers and scatters take it.
type window struct {
	starts               jaxpr.Atom
	offset, taken, sizes core.Dims
}

// window makes vectors of positions for all axes except those that are whole. w.offset lists the part's axes that come from
// whole ones.
func (f *frame) window(ix []axis) (w window) {
	lay := layout(ix)
	var offset, taken, sizes, batch []int
	place := make([]int, len(ix)) // where the axes of each index lie among those of the positions
	for i, a := range ix {
		switch {
		case a.whole():
			offset, sizes = append(offset, lay.at[i]), append(sizes, a.dim)
			continue
		case !a.drop:
			place[i] = lay.at[i]
		default:
			place[i] = lay.numbers
		}
		taken, sizes = append(taken, i), append(sizes, 1)
	}
	for d, n := range lay.shape.All() {
		if !slices.Contains(offset, d) {
			batch = append(batch, n)
		}
	}
	before := func(d int) (n int) { // axes of the positions before axis d of the part
		for k := range d {
			if !slices.Contains(offset, k) {
				n++
			}
		}
		return n
	}
	column := core.MakeDims(append(batch, 1)...)
	var columns []jaxpr.Atom
	for _, i := range taken {
		a := ix[i]
		var p jaxpr.Atom = number(a.start)
		if a.at != nil {
			p = f.int32(a.at)
		}
		if !a.drop { // some positions of a slice may be negative and others not
			run := f.one(prim.IotaP{Shape: core.MakeDims(a.size), DType: core.Int32})
			p = f.one(prim.AddP{}, run, f.spread(p, core.MakeDims(a.size), 0))
		}
		if a.at != nil {
			p = f.fromStart(p, a.dim)
		}
		columns = append(columns, f.spread(p, column, before(place[i])))
	}
	w = window{offset: core.MakeDims(offset...), taken: core.MakeDims(taken...), sizes: core.MakeDims(sizes...), starts: columns[0]}
	if len(columns) > 1 {
		w.starts = f.one(prim.ConcatenateP{Dimension: column.Len() - 1}, columns...)
	}
	return w
}
