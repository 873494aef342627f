package nd

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// gathering is an index in the form of gathers and scatters: vectors of starts, and the positions
// of the windows' axes.
type gathering struct {
	vectors   core.Value // last axis: the components
	axes      core.Dims  // axes of the array, one per component
	collapsed core.Dims  // axes of the array that the result does not have
	offset    core.Dims  // axes of the result that come from windows
	sizes     core.Dims  // of windows
	newAxes   core.Dims  // of the final result: axes of size 1
	reversed  core.Dims  // axes of the result that are reversed, as numbered before the new axes are inserted
	shape     core.Dims  // of the final result
	sorted    bool
	unique    bool
}

// component is a part of the index vectors, over some of their leading axes.
type component struct {
	v     core.Value
	first int // the axis of the vectors that v's first axis is aligned with
}

// gather computes the layout of an index. As in NumPy, the axes of scalars and arrays stand where
// the first of them is if all are adjacent, else in front.
func (n *indexer) gather() gathering {
	arrays := n.has(atArray)
	advanced := func(e entry) bool { return e.kind == atArray || arrays && (e.kind == atInt || e.kind == atScalar) }
	first, together := n.together(advanced)
	dt := n.indexType()

	var g gathering
	g.sorted, g.unique = !arrays, !arrays
	var parts []component
	var axes, collapsed, offset, sizes, fresh, reversed, shape, batch []int
	axis, out, plain := 0, 0, 0 // axes: of x, of the result, of the result without new axes
	for k, e := range n.idx {
		if arrays && (together && k == first || !together && k == 0) {
			vs, at := n.advanced(advanced, dt)
			b := vs[0].Aval().Shape
			for i, v := range vs {
				parts = append(parts, component{v, len(batch)})
				axes = append(axes, at[i])
			}
			collapsed = append(collapsed, at...)
			batch = append(batch, b.Ints()...)
			shape = append(shape, b.Ints()...)
			out, plain = out+b.Len(), plain+b.Len()
		}
		switch {
		case e.kind == newAxis:
			fresh = append(fresh, out)
			shape = append(shape, 1)
			out++
			continue
		case advanced(e):
			sizes = append(sizes, 1)
		case e.kind == atInt || e.kind == atScalar:
			v := e.v
			if e.kind == atInt {
				v = core.Lit(core.IntNumber(int64(e.n)), dt)
			}
			parts = append(parts, component{Convert(n.op, v, dt, false), len(batch)})
			axes, collapsed, sizes = append(axes, axis), append(collapsed, axis), append(sizes, 1)
		case e.kind == atRange && (e.step == 1 || e.step == -1 || e.count <= 1):
			if e.step < 0 {
				e.start += (e.count - 1) * e.step
				reversed = append(reversed, plain)
			}
			if e.start != 0 || e.count != n.aval.Shape.At(axis) {
				parts = append(parts, component{core.Lit(core.IntNumber(int64(max(e.start, 0))), dt), len(batch)})
				axes = append(axes, axis)
			}
			offset, sizes, shape = append(offset, plain), append(sizes, e.count), append(shape, e.count)
			out, plain = out+1, plain+1
		default: // a range with a step
			steps := prim.Mul(prim.Iota(dt, core.MakeDims(e.count), 0), core.Lit(core.IntNumber(int64(e.step)), dt))
			parts = append(parts, component{prim.Add(steps, core.Lit(core.IntNumber(int64(e.start)), dt)), len(batch)})
			axes, collapsed, sizes = append(axes, axis), append(collapsed, axis), append(sizes, 1)
			batch, shape = append(batch, e.count), append(shape, e.count)
			out, plain = out+1, plain+1
			g.sorted = g.sorted && e.step > 0
		}
		axis++
	}
	slices.Sort(collapsed)
	g.vectors = vectors(parts, batch, dt)
	g.axes, g.collapsed, g.offset, g.sizes = core.MakeDims(axes...), core.MakeDims(collapsed...), core.MakeDims(offset...), core.MakeDims(sizes...)
	g.newAxes, g.reversed, g.shape = core.MakeDims(fresh...), core.MakeDims(reversed...), core.MakeDims(shape...)
	return g
}

// together reports whether the advanced indices stand side by side, and where the
// first of them stands.
func (n *indexer) together(advanced func(entry) bool) (first int, ok bool) {
	first = -1
	last := -1
	ok = true
	for k, e := range n.idx {
		if !advanced(e) {
			continue
		}
		if first < 0 {
			first = k
		} else if k != last+1 {
			ok = false
		}
		last = k
	}
	return first, ok
}

// advanced returns the indices for which `is` holds, arrays and ints, as arrays of one shape and of type dt, and
// the axes that they index.
func (n *indexer) advanced(is func(entry) bool, dt core.DType) (vs []core.Value, axes []int) {
	axis := 0
	var avals []core.ShapedArray
	for _, e := range n.idx {
		if e.kind == newAxis {
			continue
		}
		if is(e) {
			v := e.v
			if e.kind == atInt {
				v = core.Lit(core.IntNumber(int64(e.n)), dt)
			}
			v = Convert(n.op, v, dt, false)
			vs, axes, avals = append(vs, v), append(axes, axis), append(avals, v.Aval())
		}
		axis++
	}
	s := BroadcastShapes(n.op, avals...)
	for i, v := range vs {
		vs[i] = Spread(n.op, v, s)
	}
	return vs, axes
}

// indexType returns the type of index vectors: that of the index arrays if they agree and it
// represents all sizes of the indexed array, else i64. Without index arrays it is i32 if that
// represents the sizes.
func (n *indexer) indexType() core.DType {
	dt := core.Invalid
	for _, e := range n.idx {
		if e.v == nil {
			continue
		}
		switch d := e.v.Aval().DType; {
		case dt == core.Invalid:
			dt = d
		case dt != d:
			dt = core.Int64
		}
	}
	for _, size := range n.aval.Shape.All() {
		if dt != core.Invalid && !core.IntNumber(int64(size)).Fits(dt) {
			dt = core.Int64
		}
		if dt == core.Invalid && !core.IntNumber(int64(size)).Fits(core.Int32) {
			return core.Int64
		}
	}
	if dt == core.Invalid {
		return core.Int32
	}
	return dt
}

// vectors joins components into vectors over the batch axes.
func vectors(parts []component, batch []int, dt core.DType) core.Value {
	if len(parts) == 0 {
		return prim.BroadcastInDim(core.Lit(core.IntNumber(0), dt), core.MakeDims(append(slices.Clone(batch), 0)...), core.Dims{})
	}
	shape := core.MakeDims(append(slices.Clone(batch), 1)...)
	vs := make([]core.Value, len(parts))
	for i, p := range parts {
		r := p.v.Aval().Rank()
		vs[i] = prim.BroadcastInDim(p.v, shape, core.Range(p.first, p.first+r))
	}
	if len(vs) == 1 {
		return vs[0]
	}
	return prim.Concatenate(len(batch), vs...)
}
