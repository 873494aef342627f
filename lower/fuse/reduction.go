package fuse

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Reduction is a reduction whose kernel takes its extents as symbols.
type Reduction struct {
	Key     string // of the kernel, among reductions
	Symbols []int64
	Kept    int64 // elements of the result
	Last    int64 // elements of the innermost reduced axes, 0 if an axis behind them is kept
	eqn     *jaxpr.Eqn
	spans   []span
}

// mostSpans bounds the spans of a Reduction.
const mostSpans = 5

// ReductionOf returns an operation as a Reduction, nil if it is none or cannot have a kernel for all extents.
func ReductionOf(p core.Primitive, in, out core.ShapedArray) *Reduction {
	q := &jaxpr.Eqn{Prim: p, Ins: []jaxpr.Atom{jaxpr.NewVar(in)}, Outs: []*jaxpr.Var{jaxpr.NewVar(out)}}
	if c, _ := classOf(q); c != reduction {
		return nil
	}
	f := foldOf(q)
	r := &Reduction{eqn: q, spans: spansOf(in.Shape, f.axes), Kept: int64(out.Size())}
	n := len(r.spans)
	if n == 0 || n > mostSpans || n == 1 && !r.spans[0].reduced {
		return nil
	}
	r.Key = fmt.Sprint(p.Name(), in.DType, out.DType, n, r.spans[0].reduced, f.lanes)
	c := int64(scalar.Components(in.DType))
	from, to := int64(in.Size())*c, int64(out.Size())*int64(scalar.Components(out.DType))
	r.Symbols = []int64{from, to}
	for _, s := range r.spans {
		from /= s.n
		r.Symbols = append(r.Symbols, s.n, from)
		if !s.reduced {
			to /= s.n
			r.Symbols = append(r.Symbols, to)
		}
	}
	if s := r.spans[n-1]; s.reduced {
		r.Last = s.n
	}
	return r
}

// Kernel returns the kernel. Its grid is the kept axes.
func (r *Reduction) Kernel() *ir.Kernel {
	q := r.eqn
	f, in, out := foldOf(q), q.Ins[0].Aval().DType, q.Outs[0].Type.DType
	e := &emitter{b: ir.NewBuilder(q.Prim.Name())}
	b := e.b
	nx, ny := b.Symbol("nx"), b.Symbol("ny")
	from := ir.Access{Buffer: b.Buffer("x", ir.In, scalar.Stored(in), nx)}
	to := ir.Access{Buffer: b.Buffer("y", ir.Out, scalar.Stored(out), ny)}
	var reduced []int // indices into from.Coords
	for i, s := range r.spans {
		n, stride := b.Symbol(fmt.Sprint("n", i)), b.Symbol(fmt.Sprint("stride", i))
		c := ir.Coord{Stride: stride, Bound: n, Value: ir.NoRef}
		if s.reduced {
			reduced = append(reduced, i)
		} else {
			c.Terms = []ir.Term{{Axis: b.Grid(n), Coeff: ir.Const(1)}}
			at := c
			at.Stride = b.Symbol(fmt.Sprint("step", i))
			to.Coords = append(to.Coords, at)
		}
		from.Coords = append(from.Coords, c)
	}
	var level func(k int) []ir.Ref
	level = func(k int) []ir.Ref {
		if k == len(reduced) {
			var x []ir.Ref
			for c := range scalar.Components(in) {
				at := from
				at.Coords = append([]ir.Coord(nil), from.Coords...)
				at.Offset = ir.Const(int64(c))
				x = append(x, b.Load(at))
			}
			return e.widened(in, x)
		}
		order, lanes := orderOf(q, f, f.lanes && k == len(reduced)-1)
		c := &from.Coords[reduced[k]]
		return b.Reduce(order, lanes, c.Bound, nil, func(a ir.Axis) []ir.Elem {
			c.Terms = []ir.Term{{Axis: a, Coeff: ir.Const(1)}}
			return e.combined(f, in, level(k+1), a)
		})
	}
	for c, x := range e.reduced(q, level(0)) {
		to.Offset = ir.Const(int64(c))
		b.Store(to, x)
	}
	return b.Finish()
}
