package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

func (e *emitter) member(n *node) []ir.Ref {
	x := e.full
	if n.row {
		x = e.row
	}
	if e.unrolled {
		if r, ok := e.find(n, x); ok {
			return r
		}
		return e.noted(n, x, e.compute(n, x))
	}
	if e.visible(n.own.block) {
		return n.own.r
	}
	var r []ir.Ref
	if e.stored[n] {
		r = e.load(e.keptAt[n], x)
	} else {
		r = e.compute(n, x)
	}
	n.own = known{block: e.open[len(e.open)-1], r: r}
	return r
}

// atPlace reports whether x is the current position in the domain, or its row for a member that is a row.
func (e *emitter) atPlace(n *node, x index) bool {
	if n.row {
		return e.m.sameIndex(x, e.row)
	}
	return e.m.sameIndex(x, e.full)
}

// element returns an element of an operand, a value for each component. It loads nodes that earlier steps write to
// memory and computes others: virtual nodes, nodes that later steps write, which were virtual when this group was
// planned, and nodes of this group at other positions.
func (e *emitter) element(a jaxpr.Atom, x index) []ir.Ref {
	if l, ok := a.(core.Literal); ok {
		return e.literal(l)
	}
	v := a.(*jaxpr.Var)
	if e.env != nil {
		return e.pick(e.env[v], x)
	}
	n := e.p.of(v)
	if n.kind == member && n.group == e.g && (!n.cheap || e.atPlace(n, x)) {
		return e.member(n)
	}
	if r, ok := e.find(n, x); ok {
		return r
	}
	if n.kind != virtual && n.group != e.g && n.seq < e.g.seq {
		return e.noted(n, x, e.load(n.value, x))
	}
	return e.noted(n, x, e.compute(n, x))
}

func (e *emitter) literal(l core.Literal) []ir.Ref {
	var buf [16]byte
	elem.Put(buf[:], l.Num, l.Type)
	t := scalar.Stored(l.Type)
	out := make([]ir.Ref, scalar.Components(l.Type))
	for i := range out {
		out[i] = e.b.Const(t, bitsAt(buf[i*t.Size():], t.Size()))
	}
	return out
}

func (e *emitter) buffer(value int, role ir.Role) int {
	if i, ok := e.bufOf[value]; ok {
		return i
	}
	t := e.p.plan.Values[value].Type
	n := int64(t.Size() * scalar.Components(t.DType))
	if e.keptIn[value] {
		role = ir.InOut
	}
	i := e.b.Buffer("b"+itoa(len(e.buffers)), role, scalar.Stored(t.DType), ir.Const(n))
	e.buffers = append(e.buffers, value)
	e.bufOf[value] = i
	return i
}

// access returns the access to component c of an element. A coordinate that is computed
// or may be outside is clamped.
func (e *emitter) access(buffer int, comps int64, c int, x index) ir.Access {
	a := ir.Access{Buffer: buffer, Offset: ir.Const(int64(c))}
	total, stride := int64(1), int64(1)
	for _, n := range x.shape {
		total *= n
	}
	known := constant(0)
	for i := len(x.co) - 1; i >= 0; i-- {
		co := x.co[i]
		if co.affine() && !x.loose {
			known = e.m.sum(known, e.m.times(co, stride))
		} else {
			a.Coords = append(a.Coords, ir.Coord{Stride: ir.Const(stride * comps), Bound: ir.Const(x.shape[i]), Mode: ir.Clamp,
				Base: ir.Const(co.base), Terms: termsOf(co), Value: co.value})
		}
		stride *= x.shape[i]
	}
	if known.base != 0 || len(known.terms) > 0 {
		a.Coords = append(a.Coords, ir.Coord{Stride: ir.Const(comps), Bound: ir.Const(total), Base: ir.Const(known.base), Terms: termsOf(known), Value: ir.NoRef})
	}
	return a
}

func termsOf(c coord) []ir.Term {
	var ts []ir.Term
	for _, t := range c.terms {
		if t.coeff != 0 {
			ts = append(ts, ir.Term{Axis: t.axis, Coeff: ir.Const(t.coeff)})
		}
	}
	return ts
}

func (e *emitter) load(value int, x index) []ir.Ref {
	b := e.buffer(value, ir.In)
	out := make([]ir.Ref, scalar.Components(e.p.plan.Values[value].Type.DType))
	for c := range out {
		out[c] = e.b.Load(e.access(b, int64(len(out)), c, x))
	}
	return out
}

func (e *emitter) store(value int, x index, r []ir.Ref) {
	b := e.buffer(value, ir.Out)
	for c, v := range r {
		e.b.Store(e.access(b, int64(len(r)), c, x), v)
	}
}

// scale and sum implement valueOps.
func (e *emitter) scale(r ir.Ref, n int64) ir.Ref {
	return e.op(scalar.OpMul, scalar.I64, e.convert(scalar.I64, r), e.b.Const(scalar.I64, uint64(n)))
}

func (e *emitter) sum(a, b ir.Ref) ir.Ref {
	return e.op(scalar.OpAdd, scalar.I64, e.convert(scalar.I64, a), e.convert(scalar.I64, b))
}

//go:noinline // keeps programs small
func (e *emitter) op(o scalar.Op, t scalar.Type, args ...ir.Ref) ir.Ref {
	in := scalar.Inst{Op: o, Type: t}
	copy(in.Args[:], args)
	return e.b.Op(in)
}

func (e *emitter) at(t scalar.Type, c coord) ir.Ref {
	if c.affine() {
		if len(termsOf(c)) == 0 {
			return e.b.Const(t, uint64(c.base))
		}
		return e.b.Index(t, ir.Const(c.base), termsOf(c)...)
	}
	r := c.value
	if c.base != 0 || len(c.terms) > 0 {
		r = e.sum(r, e.at(scalar.I64, coord{base: c.base, terms: c.terms, value: ir.NoRef}))
	}
	return e.convert(t, r)
}

func (e *emitter) convert(t scalar.Type, r ir.Ref) ir.Ref {
	if e.b.TypeOf(r) == t {
		return r
	}
	return e.op(scalar.OpConvert, t, r)
}
