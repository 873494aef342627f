package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A small is an array in registers: the components of each element, row-major.
type small [][]ir.Ref

// An operand of an unrolled program is an array in registers, or one in memory of which only some
// elements are read or changed.
type operand struct {
	small
	held *held
}

type held struct {
	buffer int
	comps  int
	size   int64 // elements
}

func heldIn(buffer int, t core.ShapedArray) *held {
	return &held{buffer: buffer, comps: scalar.Components(t.DType), size: int64(t.Size())}
}

// place returns the access to component c of the element at a position.
func (h *held) place(c int, at coord) ir.Access {
	return ir.Access{Buffer: h.buffer, Offset: ir.Const(int64(c)), Coords: []ir.Coord{
		{Stride: ir.Const(int64(h.comps)), Bound: ir.Const(h.size), Mode: ir.Clamp, Base: ir.Const(at.base), Value: at.value}}}
}

func inRegisters(ss []small) []operand {
	out := make([]operand, len(ss))
	for i, s := range ss {
		out[i].small = s
	}
	return out
}

type unroller struct{ *emitter }

func newUnroller(b *ir.Builder) unroller {
	e := &emitter{b: b}
	e.m.ops = e
	return unroller{e}
}

func (u unroller) program(j *jaxpr.Jaxpr, args []operand) []small {
	outer := u.env
	defer func() { u.env = outer }()
	u.env = make(map[*jaxpr.Var]operand, len(j.Ins)+len(j.Eqns))
	for i, v := range j.Ins {
		u.env[v] = args[i]
	}
	read := func(as []jaxpr.Atom) []operand {
		out := make([]operand, len(as))
		for i, a := range as {
			switch a := a.(type) {
			case *jaxpr.Var:
				out[i] = u.env[a]
			case core.Literal:
				out[i].small = small{u.literal(a)}
			}
		}
		return out
	}
	for _, e := range j.Eqns {
		in := read(e.Ins)
		if _, ok := e.Prim.(indexed.DynamicUpdateSliceP); ok {
			u.env[e.Outs[0]] = u.update(e, in)
			continue
		}
		out := u.eqn(e, in)
		for i, v := range e.Outs {
			u.env[v] = operand{small: out[i]}
		}
	}
	outs := make([]small, len(j.Outs))
	for i, x := range read(j.Outs) {
		outs[i] = x.small
	}
	return outs
}

func (u unroller) eqn(e *jaxpr.Eqn, in []operand) []small {
	switch q := e.Prim.(type) {
	case *jaxpr.Cond:
		return u.cond(q, e, in)
	case *jaxpr.Scan:
		return u.scan(q, in)
	case prim.DotGeneralP:
		return []small{u.product(e, q, in)}
	case matrices.CholeskyP:
		return []small{u.cholesky(e, in[0].small)}
	case matrices.TriangularSolveP:
		return []small{u.triangularSolve(e, q, in[0].small, in[1].small)}
	case matrices.LUP:
		return u.lu(e, in[0].small)
	case matrices.LUPivotsToPermutationP:
		return []small{u.permutation(e, in[0].small)}
	}
	if c, _ := classOf(e); c == reduction {
		return []small{u.reduce(e, in[0].small)}
	}
	out := make([]small, len(e.Outs))
	for i, v := range e.Outs {
		shape := dims(v.Type.Shape)
		for k := range v.Type.Size() {
			out[i] = append(out[i], u.elementOf(e, i, fixed(shape, int64(k))))
		}
	}
	return out
}

// fixed returns the index of the element at a row-major position.
func fixed(shape []int64, at int64) index {
	x := index{shape: shape, co: make([]coord, len(shape))}
	for i := len(shape) - 1; i >= 0; i-- {
		x.co[i] = constant(at % shape[i])
		at /= shape[i]
	}
	return x
}

// elementOf computes an element of a result. The position is constant, so that the piece of a
// concatenation that contains it is known.
func (u unroller) elementOf(e *jaxpr.Eqn, result int, x index) []ir.Ref {
	switch p := e.Prim.(type) {
	case prim.PadP:
		return u.padded(p, x, e)
	case prim.ConcatenateP:
		return u.piece(e, p.Dimension, false, x)
	case prim.StackP:
		return u.piece(e, p.Axis, true, x)
	}
	return u.fromOperands(e, result, x)
}

func (e *emitter) pick(a operand, x index) []ir.Ref {
	at := e.m.linear(x.shape, x.co)
	switch {
	case a.held != nil:
		out := make([]ir.Ref, a.held.comps)
		for c := range out {
			out[c] = e.b.Load(a.held.place(c, at))
		}
		return out
	case at.affine():
		return a.small[at.base]
	}
	position := e.at(scalar.I64, at)
	r := a.small[0]
	for k := 1; k < len(a.small); k++ {
		here := e.op(scalar.OpEq, scalar.Bool, position, e.b.Const(scalar.I64, uint64(k)))
		r = e.choose(here, a.small[k], r)
	}
	return r
}

// update writes a dynamic_update_slice: where a large array lies, or by choosing each element of a
// small one.
func (u unroller) update(e *jaxpr.Eqn, in []operand) operand {
	shape, part := dims(e.Outs[0].Type.Shape), dims(e.Ins[1].Aval().Shape)
	starts := make([]coord, len(shape))
	for i, n := range shape {
		starts[i] = constant(0)
		if room := n - part[i]; room > 0 { // else it starts at 0
			starts[i].value = u.bounded(in[2+i].small[0][0], room)
		}
	}
	if in[0].held != nil {
		for k, r := range in[1].small {
			x := fixed(part, int64(k))
			for i := range x.co {
				x.co[i] = u.m.sum(x.co[i], starts[i])
			}
			for c, v := range r {
				u.b.Store(in[0].held.place(c, u.m.linear(shape, x.co)), v)
			}
		}
		return in[0]
	}
	var out small
	for k, r := range in[0].small {
		x := fixed(shape, int64(k))
		for o, v := range in[1].small {
			y := fixed(part, int64(o))
			here := ir.NoRef
			never := false
			for i := range shape {
				at := x.co[i].base - y.co[i].base
				switch {
				case at < 0 || at > shape[i]-part[i]:
					never = true
				case starts[i].value != ir.NoRef:
					here = u.and(here, u.op(scalar.OpEq, scalar.Bool, u.convert(scalar.I64, starts[i].value), u.b.Const(scalar.I64, uint64(at))))
				}
			}
			switch {
			case never:
			case here == ir.NoRef:
				r = v
			default:
				r = u.choose(here, v, r)
			}
		}
		out = append(out, r)
	}
	return operand{small: out}
}

func (u unroller) padded(p prim.PadP, x index, e *jaxpr.Eqn) []ir.Ref {
	shape := dims(e.Ins[0].Aval().Shape)
	y := index{shape: shape, co: make([]coord, len(shape))}
	for i, n := range shape {
		at, step := x.co[i].base-int64(p.Config.At(3*i)), int64(p.Config.At(3*i+2))+1
		if at < 0 || at%step != 0 || at/step >= n {
			return u.element(e.Ins[1], index{})
		}
		y.co[i] = constant(at / step)
	}
	return u.element(e.Ins[0], y)
}

// piece returns an element of a concatenation or a stack, from the piece that contains it.
func (u unroller) piece(e *jaxpr.Eqn, axis int, stacked bool, x index) []ir.Ref {
	us, _ := usesOf(&u.m, e, 0, x, nil)
	at := x.co[axis].base
	for k, w := range us {
		if stacked {
			if at == int64(k) {
				return u.element(w.atom, w.at)
			}
			continue
		}
		if i := w.at.co[axis].base; i >= 0 && i < w.at.shape[axis] {
			return u.element(w.atom, w.at)
		}
	}
	panic("BUG: no piece has the element")
}

// cond writes a choice between branches: nested choices between two.
func (u unroller) cond(q *jaxpr.Cond, e *jaxpr.Eqn, in []operand) []small {
	var pick func(k int) []ir.Ref
	pick = func(k int) []ir.Ref {
		if k == len(q.Branches)-1 {
			return flat(u.program(q.Branches[k], in[1:]))
		}
		first := u.op(scalar.OpLe, scalar.Bool, in[0].small[0][0], u.b.Const(scalar.I32, uint64(k)))
		return u.b.If(first, func() []ir.Ref { return flat(u.program(q.Branches[k], in[1:])) }, func() []ir.Ref { return pick(k + 1) })
	}
	return unflat(pick(0), e.Outs)
}

func (u unroller) scan(q *jaxpr.Scan, in []operand) []small {
	nc, nk := q.NumConsts, q.NumConsts+q.NumCarry
	args := append([]operand(nil), in...)
	rows := make([][]small, len(q.Jaxpr.Outs)-q.NumCarry)
	for i := range rows {
		rows[i] = make([]small, q.Length)
	}
	for k := range q.Length {
		at := k
		if q.Reverse {
			at = q.Length - 1 - k
		}
		for i := nk; i < len(in); i++ {
			n := q.Jaxpr.Ins[i].Type.Size()
			args[i].small = in[i].small[at*n : (at+1)*n]
		}
		out := u.program(q.Jaxpr, args)
		copy(args[nc:nk], inRegisters(out[:q.NumCarry]))
		for i, y := range out[q.NumCarry:] {
			rows[i][at] = y
		}
	}
	var out []small
	for _, x := range args[nc:nk] {
		out = append(out, x.small)
	}
	for _, r := range rows {
		var y small
		for _, x := range r {
			y = append(y, x...)
		}
		out = append(out, y)
	}
	return out
}

func flat(ss []small) []ir.Ref {
	var out []ir.Ref
	for _, s := range ss {
		for _, r := range s {
			out = append(out, r...)
		}
	}
	return out
}

func unflat(rs []ir.Ref, vars []*jaxpr.Var) []small {
	out := make([]small, len(vars))
	for i, v := range vars {
		c := scalar.Components(v.Type.DType)
		for range v.Type.Size() {
			out[i] = append(out[i], rs[:c:c])
			rs = rs[c:]
		}
	}
	return out
}
