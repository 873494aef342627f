package fuse

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// selecting returns the window and the comparison of a primitive that chooses an element
// in each window; ok is false for other primitives.
func selecting(p core.Primitive) (w windows.Window, sel windows.Select, ok bool) {
	switch q := p.(type) {
	case windows.SelectAndScatterAddP:
		return windows.SimpleWindow(q.Dims, q.Strides, q.Padding), q.Select, true
	case windows.SelectAndGatherAddP:
		return q.Window, q.Select, true
	}
	return w, sel, false
}

// selectWindow expresses an operation on the elements that windows choose: in row-major order
// of a window, an element stays chosen as long as its comparison with the next element holds.
func (p *planner) selectWindow(e *jaxpr.Eqn) {
	w, sel, _ := selecting(e.Prim)
	x := p.stored(e.Ins[1])
	places := e.Outs[0].Type.Shape
	scatters := false
	if _, scatters = e.Prim.(windows.SelectAndScatterAddP); scatters {
		places = e.Ins[0].Aval().Shape
	}
	s := &slider{p: p, e: e, window: w, in: x.Aval().Shape, out: places}
	c := &chooser{slider: s, x: x, compare: prim.GeP{}}
	if sel != windows.SelectGe {
		c.compare = prim.LeP{}
	}
	if scatters {
		if c.besideEachOther() {
			c.collect()
		} else {
			c.scatter()
		}
		return
	}
	t := p.stored(e.Ins[0])
	zero := core.Lit(core.IntNumber(0), t.Aval().DType)
	p.finish(e, c.choose(zero, func(at []int) jaxpr.Atom { return s.taken(t, zero, at) }))
}

// A chooser finds the elements that windows choose, and other values at their positions.
type chooser struct {
	*slider
	x       jaxpr.Atom
	compare core.Primitive
}

func (c *chooser) apply(q core.Primitive, in ...jaxpr.Atom) jaxpr.Atom {
	return c.p.apply(c.e, q, in...)
}

func (c *chooser) spread(x core.Literal) jaxpr.Atom {
	return c.apply(prim.BroadcastInDimP{Shape: c.out}, x)
}

// choose returns, for each output position, `of(at)`, where the window's tap at position `at` reads the
// chosen element, or the literal none if the window contains no element.
func (c *chooser) choose(none core.Literal, of func(at []int) jaxpr.Atom) jaxpr.Atom {
	zero, no := core.Lit(core.IntNumber(0), c.x.Aval().DType), core.Lit(core.BoolNumber(false), core.Bool)
	yes := c.p.apply(c.e, prim.BroadcastInDimP{Shape: c.in}, core.Lit(core.BoolNumber(true), core.Bool))
	var best, result jaxpr.Atom // of the positions so far
	var some jaxpr.Atom         // whether one of them read an element; nil: at all output positions
	c.each(func(at []int) {
		v, mine := c.taken(c.x, zero, at), of(at)
		var inside jaxpr.Atom // nil: at all output positions
		if !c.inside(at) {
			inside = c.taken(yes, no, at)
		}
		if best == nil {
			best, result, some = v, mine, inside
			if inside != nil {
				result = c.apply(prim.SelectNP{}, inside, c.spread(none), mine)
			}
			return
		}
		keep := c.apply(c.compare, best, v)
		if some != nil {
			keep = c.apply(prim.AndP{}, keep, some)
		}
		if inside != nil {
			keep = c.apply(prim.OrP{}, keep, c.apply(prim.NotP{}, inside))
		}
		best, result = c.apply(prim.SelectNP{}, keep, v, best), c.apply(prim.SelectNP{}, keep, mine, result)
		if some != nil && inside != nil {
			some = c.apply(prim.OrP{}, some, inside)
		} else {
			some = nil
		}
	})
	return result
}

// scatter adds each element of the source to the element that its window chooses.
func (c *chooser) scatter() {
	x := c.in
	strides := rowMajor(x)
	n := x.Size()
	last := 0 // position of the last window's first element, without padding
	for d, m := range c.out.All() {
		last += (m - 1) * c.window.Strides.At(d) * strides[d]
	}
	dt := core.Int32
	if int64(2*(last+n)) > math.MaxInt32 {
		dt = core.Int64
	}
	number := func(k int) core.Literal { return core.Lit(core.IntNumber(int64(k)), dt) }
	// The position of an element is the position of the window's first element plus a number
	// for each position of the window.
	offset := c.choose(number(-last-1), func(at []int) jaxpr.Atom {
		k := 0
		for d, t := range at {
			k += (t*c.window.WindowDilation.At(d) - c.window.Padding.At(2*d)) * strides[d]
		}
		return c.spread(number(k))
	})
	for d := range c.out.Len() {
		if c.out.At(d) > 1 {
			i := c.apply(prim.IotaP{DType: dt, Shape: c.out, Dimension: d})
			i = c.apply(prim.MulP{}, i, number(c.window.Strides.At(d)*strides[d]))
			offset = c.apply(prim.AddP{}, offset, i)
		}
	}
	base := wide(c.e.Outs[0].Type.DType)
	source := c.p.converted(c.e, c.e.Ins[0], base)
	m := c.out.Size()
	d := core.MakeDims
	zeros := c.p.apply(c.e, prim.BroadcastInDimP{Shape: d(n)}, core.Lit(core.IntNumber(0), base))
	where := c.apply(prim.ReshapeP{Shape: d(m, 1)}, offset)
	q := indexed.Scattering{InsertedWindowDims: d(0), ScatterDimsToOperandDims: d(0), Mode: indexed.FillOrDrop}.By(indexed.CombineAdd, base)
	y := c.apply(q, zeros, where, c.apply(prim.ReshapeP{Shape: d(m)}, source))
	c.p.finish(c.e, c.apply(prim.ReshapeP{Shape: x}, y))
}
