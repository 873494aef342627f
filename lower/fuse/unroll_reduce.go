package fuse

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// reduce writes a reduction in its canonical order.
func (u unroller) reduce(e *jaxpr.Eqn, x small) small {
	f := foldOf(e)
	in := e.Ins[0].Aval()
	spans := spansOf(in.Shape, f.axes)
	if f.op == ir.ArgMax || f.op == ir.ArgMin {
		return u.arg(e, f, x)
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
			r = u.combine(f.op, in.DType, u.identity(f.op, r, in.DType), r)
		}
		out[i] = u.rounded(e.Outs[0].Type.DType, r)
	}
	return out
}

// reduceAxis reduces one axis of an array of the given shape.
func (u unroller) reduceAxis(e *jaxpr.Eqn, f fold, x small, shape []int64, axis int, lanes bool) small {
	n, inner := int(shape[axis]), 1
	for _, m := range shape[axis+1:] {
		inner *= int(m)
	}
	dt := e.Ins[0].Aval().DType
	order, w := orderOf(e, f, lanes)
	var out small
	for o := 0; o < len(x); o += n * inner {
		for i := range inner {
			elems := make(small, n)
			for k := range n {
				elems[k] = x[o+k*inner+i]
			}
			if order != ir.Lanes {
				w = 1
			}
			acc := make(small, min(w, n))
			for l := range acc {
				acc[l] = u.identity(f.op, elems[0], dt)
			}
			for k, r := range elems {
				acc[k%w] = u.combine(f.op, dt, acc[k%w], r)
			}
			for h := w / 2; h > 0; h /= 2 {
				for l := h; l < len(acc); l++ {
					acc[l-h] = u.combine(f.op, dt, acc[l-h], acc[l])
				}
				acc = acc[:min(len(acc), h)]
			}
			out = append(out, acc[0])
		}
	}
	return out
}

// combine returns x ∘ y.
func (u unroller) combine(op ir.FoldOp, dt core.DType, x, y []ir.Ref) []ir.Ref {
	t := u.b.TypeOf(x[0])
	two := func(o scalar.Op, a, b ir.Ref) ir.Ref { return u.op(o, t, a, b) }
	if op == ir.Prod && dt.IsComplex() {
		a, b, c, d := x[0], x[1], y[0], y[1]
		return []ir.Ref{
			two(scalar.OpSub, two(scalar.OpMul, a, c), two(scalar.OpMul, b, d)),
			two(scalar.OpAdd, two(scalar.OpMul, a, d), two(scalar.OpMul, b, c)),
		}
	}
	ops := [...]scalar.Op{ir.Sum: scalar.OpAdd, ir.Prod: scalar.OpMul, ir.Max: scalar.OpMax, ir.Min: scalar.OpMin,
		ir.And: scalar.OpAnd, ir.Or: scalar.OpOr, ir.Xor: scalar.OpXor}
	o := ops[op]
	if t == scalar.Bool && op == ir.Max {
		o = scalar.OpOr
	} else if t == scalar.Bool && op == ir.Min {
		o = scalar.OpAnd
	}
	out := make([]ir.Ref, len(x))
	for i := range x {
		out[i] = two(o, x[i], y[i])
	}
	return out
}

// identity returns the element that a fold starts from.
func (u unroller) identity(op ir.FoldOp, like []ir.Ref, dt core.DType) []ir.Ref {
	t := u.b.TypeOf(like[0])
	out := make([]ir.Ref, len(like))
	for i := range out {
		var bits uint64
		switch op {
		case ir.Prod:
			if i == 0 || !dt.IsComplex() {
				bits = u.number(t, 1)
			}
		case ir.Max:
			bits = u.extreme(t, -1)
		case ir.Min:
			bits = u.extreme(t, 1)
		case ir.And:
			if bits = ^uint64(0); t == scalar.Bool {
				bits = 1
			}
		}
		out[i] = u.b.Const(t, bits)
	}
	return out
}

func (u unroller) number(t scalar.Type, x float64) uint64 {
	switch t {
	case scalar.F32:
		return uint64(math.Float32bits(float32(x)))
	case scalar.F64:
		return math.Float64bits(x)
	}
	return uint64(int64(x))
}

// extreme returns the least value of a type, or the greatest if sign is positive.
func (u unroller) extreme(t scalar.Type, sign int) uint64 {
	switch {
	case t.IsFloat():
		return u.number(t, math.Inf(sign))
	case t == scalar.Bool:
		return uint64((sign + 1) / 2)
	case t.IsSigned():
		if sign > 0 {
			return 1<<(t.Bits()-1) - 1
		}
		return 1 << (t.Bits() - 1)
	}
	if sign > 0 {
		return ^uint64(0)
	}
	return 0
}

// arg writes the position of an extreme along one axis.
func (u unroller) arg(e *jaxpr.Eqn, f fold, x small) small {
	in := e.Ins[0].Aval()
	shape := dims(in.Shape)
	axis := f.axes.At(0)
	n, inner := int(shape[axis]), 1
	for _, m := range shape[axis+1:] {
		inner *= int(m)
	}
	t := scalar.Stored(f.index)
	var out small
	for o := 0; o < len(x); o += n * inner {
		for i := range inner {
			best, at := u.widened(in.DType, x[o+i])[0], u.b.Const(t, 0)
			for k := 1; k < n; k++ {
				v := u.widened(in.DType, x[o+k*inner+i])[0]
				beats := u.op(scalar.OpLt, scalar.Bool, best, v)
				if f.op == ir.ArgMin {
					beats = u.op(scalar.OpLt, scalar.Bool, v, best)
				}
				if u.b.TypeOf(v).IsFloat() {
					nan := u.op(scalar.OpNe, scalar.Bool, v, v)
					number := u.op(scalar.OpEq, scalar.Bool, best, best)
					beats = u.op(scalar.OpOr, scalar.Bool, beats, u.op(scalar.OpAnd, scalar.Bool, nan, number))
				}
				best = u.op(scalar.OpSelect, u.b.TypeOf(v), beats, v, best)
				at = u.op(scalar.OpSelect, t, beats, u.b.Const(t, uint64(k)), at)
			}
			out = append(out, []ir.Ref{at})
		}
	}
	return out
}
