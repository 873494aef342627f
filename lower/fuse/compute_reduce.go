package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// orderOf returns the order in which a reduction combines elements along one of its reduced spans, and the
// number of lanes in the order [ir.Lanes], else 0. lanes tells whether floats are reduced in lanes there.
func orderOf(q *jaxpr.Eqn, f fold, lanes bool) (ir.Order, int) {
	dt := q.Ins[0].Aval().DType
	if !f.op.Rounds() || !dt.IsInexact() {
		return ir.Any, 0
	}
	if !lanes {
		return ir.Chunks, 0
	}
	size := dt.Size()
	if scalar.IsSmallFloat(dt) {
		size = 4
	}
	return ir.Lanes, ir.LaneBytes / size
}

// folded returns the elements that the folds of a reduction combine for an element r of the
// operand. axis is the reduced axis.
func (e *emitter) folded(q *jaxpr.Eqn, r []ir.Ref, axis ir.Axis) []ir.Elem {
	return e.combined(foldOf(q), q.Ins[0].Aval().DType, e.widened(q.Ins[0].Aval().DType, r), axis)
}

// widened returns an element as reductions accumulate it: small floats as f32.
func (e *emitter) widened(dt core.DType, r []ir.Ref) []ir.Ref {
	if !scalar.IsSmallFloat(dt) {
		return r
	}
	return []ir.Ref{e.b.Op(scalar.Inst{Op: scalar.OpWiden, Type: scalar.F32, DType: dt, Args: [3]ir.Ref{r[0], ir.NoRef, ir.NoRef}})}
}

func (e *emitter) combined(f fold, dt core.DType, r []ir.Ref, axis ir.Axis) []ir.Elem {
	switch {
	case f.op == ir.ArgMax || f.op == ir.ArgMin:
		i := e.b.Index(scalar.I64, ir.Const(0), ir.Term{Axis: axis, Coeff: ir.Const(1)})
		return []ir.Elem{{Op: f.op, Value: r[0], Second: i}}
	case dt.IsComplex() && f.op == ir.Prod:
		return []ir.Elem{{Op: ir.ComplexProd, Value: r[0], Second: r[1]}}
	case dt.IsComplex():
		return []ir.Elem{{Op: f.op, Value: r[0], Second: ir.NoRef}, {Op: f.op, Value: r[1], Second: ir.NoRef}}
	}
	return []ir.Elem{{Op: f.op, Value: r[0], Second: ir.NoRef}}
}

// results returns how many values the folds of a reduction return.
func results(q *jaxpr.Eqn, folds int) int {
	f := foldOf(q)
	if f.op == ir.ArgMax || f.op == ir.ArgMin || f.op == ir.Prod && q.Ins[0].Aval().DType.IsComplex() {
		return 2
	}
	return folds
}

// reduced returns an element of the result from the values of the last folds: rounded to small
// floats, wrapped to small integers, NaN canonical.
func (e *emitter) reduced(q *jaxpr.Eqn, r []ir.Ref) []ir.Ref {
	f := foldOf(q)
	if f.op == ir.ArgMax || f.op == ir.ArgMin {
		return []ir.Ref{e.wrap(f.index, e.convert(scalar.Stored(f.index), r[1]))}
	}
	return e.rounded(q.Outs[0].Type.DType, r)
}

// rounded returns an element of dtype dt with the accumulated value r.
func (e *emitter) rounded(dt core.DType, r []ir.Ref) []ir.Ref {
	out := make([]ir.Ref, len(r))
	for i, v := range r {
		switch {
		case scalar.IsSmallFloat(dt):
			out[i] = e.b.Op(scalar.Inst{Op: scalar.OpNarrow, Type: scalar.Stored(dt), DType: dt, Args: [3]ir.Ref{v, ir.NoRef, ir.NoRef}})
		case dt.IsInexact():
			out[i] = e.op(scalar.OpCanon, e.b.TypeOf(v), v)
		default:
			out[i] = e.wrap(dt, v)
		}
	}
	return out
}

// reduceHere writes the loops of a reduction that computes one element, one loop for each reduced
// span, the innermost span innermost.
func (e *emitter) reduceHere(q *jaxpr.Eqn, x index) []ir.Ref {
	f := foldOf(q)
	spans := spansOf(q.Ins[0].Aval().Shape, f.axes)
	var reduced []span
	for _, s := range spans {
		if s.reduced {
			reduced = append(reduced, s)
		}
	}
	if e.foldsFew(q, reduced) {
		return e.foldFew(q, spans, reduced, x)
	}
	dt := q.Ins[0].Aval().DType
	var axes []ir.Axis
	if len(reduced) == 0 && results(q, 1) > 1 { // an ArgMax, an ArgMin or a complex product has two values: a fold over one element combines them with the identity
		spans = append(spans, span{1, true})
		reduced = spans[len(spans)-1:]
	}
	var level func(k int) []ir.Ref
	level = func(k int) []ir.Ref {
		if k == len(reduced) {
			y, ok := e.m.across(spans, x, axes)
			if !ok {
				e.noIndex(q)
			}
			return e.widened(dt, e.element(q.Ins[0], y))
		}
		order, lanes := orderOf(q, f, f.lanes && k == len(reduced)-1)
		return e.b.Reduce(order, lanes, ir.Const(reduced[k].n), nil, func(a ir.Axis) []ir.Elem {
			e.push()
			defer e.pop()
			axes = append(axes, e.axis(a, reduced[k].n))
			return e.combined(f, dt, level(k+1), a)
		})
	}
	r := level(0)
	if len(reduced) == 0 {
		r = e.fromIdentity(f.op, dt, r)
	}
	return e.reduced(q, r)
}

// fromIdentity returns a reduction of one element: the element combined with the identity, which changes it
// only in sums, where −0 becomes +0.
func (e *emitter) fromIdentity(op ir.FoldOp, dt core.DType, r []ir.Ref) []ir.Ref {
	if op != ir.Sum || !dt.IsInexact() {
		return r
	}
	out := make([]ir.Ref, len(r))
	for i, x := range r {
		t := e.b.TypeOf(x)
		out[i] = e.op(scalar.OpAdd, t, e.b.Const(t, 0), x)
	}
	return out
}

// longFold is the least number of elements of a running fold along the last axis that may run alone, its chunks side
// by side in vectors. Folds side by side would read elements that lie apart.
const longFold = 256

// foldBlock is about the number of elements that a point of the grid computes in folds side by side, so that
// threads can share the work. A point has at least leastBlock folds, if there are as many.
const foldBlock = 1 << 16

func (e *emitter) runningFold(n *node) {
	q := n.eqn
	spans := e.g.cum
	shape := e.full.shape
	dt := q.Ins[0].Aval().DType
	_, reverse := cumAxis(q)
	k := len(shape) - 1
	side := shape[k] // folds that run side by side
	if spans[2].n == 1 && spans[1].n >= longFold && !reverse && !dt.IsComplex() && dt.Size() >= 4 {
		k, side = k+1, 1 // the chunks of one fold run side by side
	}
	for _, s := range shape[:k] {
		e.full.co = append(e.full.co, e.grid(s))
	}
	block := int64(leastBlock)
	for block < blockElems && block*spans[1].n < foldBlock {
		block *= 2
	}
	e.blocks(side, block, func(c coord) {
		if k < len(shape) {
			e.full.co = append(e.full.co[:k:k], c)
		}
		across := func(a ir.Axis) index {
			y, ok := e.m.across(spans, e.full, []ir.Axis{e.axis(a, spans[1].n)})
			if !ok {
				e.noIndex(q)
			}
			return y
		}
		e.b.Cumulate(foldOf(q).op, ir.Const(spans[1].n), reverse, func(a ir.Axis) ir.Ref {
			e.push()
			defer e.pop()
			return e.widened(dt, e.element(q.Ins[0], across(a)))[0]
		}, func(a ir.Axis, r ir.Ref) {
			e.store(n.value, across(a), e.rounded(dt, []ir.Ref{r}))
		})
	})
}
