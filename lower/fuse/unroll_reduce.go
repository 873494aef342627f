package fuse

import (
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// reduce writes a reduction in its canonical order.
func (u unroller) reduce(e *jaxpr.Eqn, x small) small {
	return u.reduceSpans(e, x, spansOf(e.Ins[0].Aval().Shape, foldOf(e).axes))
}

// reduceSpans reduces, as e does, an array whose axes are the spans.
func (u unroller) reduceSpans(e *jaxpr.Eqn, x small, spans []span) small {
	f := foldOf(e)
	in := e.Ins[0].Aval()
	if f.op == ir.ArgMax || f.op == ir.ArgMin {
		return u.arg(e, f, x, spans)
	}
	wide := make(small, len(x))
	for i, r := range x {
		wide[i] = u.widened(in.DType, r)
	}
	shape := make([]int64, len(spans))
	for i, s := range spans {
		shape[i] = s.n
	}
	first := true
	for i := len(spans) - 1; i >= 0; i-- {
		if spans[i].reduced {
			wide = u.reduceAxis(e, f, wide, shape, i, first && f.lanes)
			first = false
			shape[i] = 1
		}
	}
	out := make(small, len(wide))
	for i, r := range wide {
		if first { // axes of size 1 only
			r = u.combine(e, u.identity(e, r), r)
		}
		out[i] = u.rounded(e.Outs[0].Type.DType, r)
	}
	return out
}

func (u unroller) reduceAxis(e *jaxpr.Eqn, f fold, x small, shape []int64, axis int, lanes bool) small {
	n, inner := int(shape[axis]), 1
	for _, m := range shape[axis+1:] {
		inner *= int(m)
	}
	order, w := orderOf(e, f, lanes)
	var out small
	for o := 0; o < len(x); o += n * inner {
		for i := range inner {
			elems := make(small, n)
			for k := range n {
				elems[k] = x[o+k*inner+i]
			}
			switch order {
			case ir.Lanes:
				out = append(out, u.inLanes(e, elems, w))
			case ir.Chunks:
				out = append(out, u.inChunks(e, elems))
			default:
				out = append(out, u.inOrder(e, elems))
			}
		}
	}
	return out
}

// inOrder combines elements from the first to the last, from the identity.
func (u unroller) inOrder(e *jaxpr.Eqn, x small) []ir.Ref {
	acc := u.identity(e, x[0])
	for _, r := range x {
		acc = u.combine(e, acc, r)
	}
	return acc
}

// inLanes combines at most [ir.BlockSize] elements in w lanes.
func (u unroller) inLanes(e *jaxpr.Eqn, x small, w int) []ir.Ref {
	acc := make(small, min(w, len(x)))
	for l := range acc {
		acc[l] = u.identity(e, x[0])
	}
	for k, r := range x {
		acc[k%w] = u.combine(e, acc[k%w], r)
	}
	for h := w / 2; h > 0; h /= 2 {
		for l := h; l < len(acc); l++ {
			acc[l-h] = u.combine(e, acc[l-h], acc[l])
		}
		acc = acc[:min(len(acc), h)]
	}
	return acc[0]
}

// inChunks combines chunks of [ir.ChunkSize] elements in order, and neighbouring results pairwise.
func (u unroller) inChunks(e *jaxpr.Eqn, x small) []ir.Ref {
	var parts small
	for ; len(x) > 0; x = x[min(len(x), ir.ChunkSize):] {
		parts = append(parts, u.inOrder(e, x[:min(len(x), ir.ChunkSize)]))
	}
	for len(parts) > 1 {
		var next small
		for ; len(parts) > 1; parts = parts[2:] {
			next = append(next, u.combine(e, parts[0], parts[1]))
		}
		parts = append(next, parts...)
	}
	return parts[0]
}

func operationOf(e *jaxpr.Eqn) ir.FoldOp {
	op := foldOf(e).op
	if op == ir.Prod && e.Ins[0].Aval().DType.IsComplex() {
		return ir.ComplexProd
	}
	return op
}

// combine returns x ∘ y. The parts of complex numbers that an operation does not combine with each
// other are elements of two folds.
func (u unroller) combine(e *jaxpr.Eqn, x, y []ir.Ref) []ir.Ref {
	f := ir.Folding{Op: operationOf(e), Value: u.b.TypeOf(x[0])}
	if f.Op == ir.ComplexProd {
		z := ir.Combine(u, f, ir.Element[ir.Ref](x), ir.Element[ir.Ref](y))
		return z[:]
	}
	out := make([]ir.Ref, len(x))
	for i := range x {
		out[i] = ir.Combine(u, f, ir.Element[ir.Ref]{x[i]}, ir.Element[ir.Ref]{y[i]})[0]
	}
	return out
}

// identity returns the element that a fold starts from, with as many components as like.
func (u unroller) identity(e *jaxpr.Eqn, like []ir.Ref) []ir.Ref {
	op, t := operationOf(e), u.b.TypeOf(like[0])
	out := make([]ir.Ref, len(like))
	for i := range out {
		bits := op.Identity(t)
		if i > 0 && op == ir.ComplexProd {
			bits = 0
		}
		out[i] = u.b.Const(t, bits)
	}
	return out
}

// The methods of [ir.Arith].

func (u unroller) Apply(o scalar.Op, t scalar.Type, x, y ir.Ref) ir.Ref { return u.op(o, t, x, y) }

func (u unroller) Compare(o scalar.Op, _ scalar.Type, x, y ir.Ref) ir.Ref {
	return u.op(o, scalar.Bool, x, y)
}

func (u unroller) IsNaN(_ scalar.Type, x ir.Ref) ir.Ref {
	return u.op(scalar.OpNe, scalar.Bool, x, x)
}

func (u unroller) Logic(o scalar.Op, x, y ir.Ref) ir.Ref { return u.op(o, scalar.Bool, x, y) }

func (u unroller) Choose(t scalar.Type, c, x, y ir.Ref) ir.Ref {
	return u.op(scalar.OpSelect, t, c, x, y)
}

// arg writes the position of an extreme along the reduced span.
func (u unroller) arg(e *jaxpr.Eqn, f fold, x small, spans []span) small {
	in := e.Ins[0].Aval()
	n, inner := 1, 1
	for _, s := range spans {
		if inner *= int(s.n); s.reduced {
			n, inner = int(s.n), 1
		}
	}
	t := scalar.Stored(f.index)
	var out small
	for o := 0; o < len(x); o += n * inner {
		for i := range inner {
			at := func(k int) ir.Element[ir.Ref] {
				return ir.Element[ir.Ref]{u.widened(in.DType, x[o+k*inner+i])[0], u.b.Const(t, uint64(k))}
			}
			best := at(0)
			folding := ir.Folding{Op: f.op, Value: u.b.TypeOf(best[0]), Second: t}
			for k := 1; k < n; k++ {
				best = ir.CombineLater(u, folding, best, at(k))
			}
			out = append(out, []ir.Ref{best[1]})
		}
	}
	return out
}
