package fuse

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Bounds of programs whose arrays are kept in registers, an element a value.
const (
	smallArray   = 16   // elements
	smallProgram = 2048 // elements of all results
)

// A small is an array in registers: the components of each element, row-major.
type small [][]ir.Ref

type smallKey struct{}

// isSmall reports whether a program can be unrolled. It is memoized in j.
func isSmall(j *jaxpr.Jaxpr) bool {
	return j.Memo(smallKey{}, func() any { n := 0; return countSmall(j, &n) }).(bool)
}

// countSmall adds the elements that j computes to n and reports whether all of j can be
// unrolled.
func countSmall(j *jaxpr.Jaxpr, n *int) bool {
	if len(j.Consts) > 0 {
		return false
	}
	for _, v := range j.Ins {
		if !fitsSmall(v.Type) {
			return false
		}
	}
	for _, e := range j.Eqns {
		for _, v := range e.Outs {
			if !fitsSmall(v.Type) {
				return false
			}
			*n += v.Type.Size()
		}
		for _, a := range e.Ins {
			if !fitsSmall(a.Aval()) {
				return false
			}
		}
		if *n > smallProgram || !unrolls(e, n) {
			return false
		}
	}
	return true
}

func fitsSmall(a core.ShapedArray) bool { return unfit(a) == "" && a.Size() <= smallArray }

// unrolls reports whether an equation on small arrays can be unrolled.
func unrolls(e *jaxpr.Eqn, n *int) bool {
	switch p := e.Prim.(type) {
	case *jaxpr.Cond:
		if core.EffectsOf(p) != 0 {
			return false
		}
		for _, b := range p.Branches {
			if !countSmall(b, n) {
				return false
			}
		}
		return true
	case *jaxpr.Scan, *jaxpr.While:
		return false
	case prim.DynamicSliceP, prim.GatherP, prim.RandomBitsP, prim.RandomSplitP, prim.RandomFoldInP, prim.RandomSeedP, prim.RandomCloneP,
		prim.RandomUnwrapP, prim.RandomWrapP, prim.Threefry2x32P, prim.PadP:
		return false
	}
	switch c, _ := classOf(e); c {
	case movement, source, reduction:
		return true
	case pointwise:
		return expand.Has(e.Prim) || isBitcast(e.Prim)
	}
	return false
}

func isBitcast(p core.Primitive) bool {
	_, ok := p.(prim.BitcastConvertTypeP)
	return ok
}

// unroller writes the equations of small programs.
type unroller struct{ *emitter }

func newUnroller(b *ir.Builder) unroller {
	e := &emitter{b: b}
	e.m.ops = e
	return unroller{e}
}

// program writes a program and returns its results.
func (u unroller) program(j *jaxpr.Jaxpr, args []small) []small {
	env := make(map[*jaxpr.Var]small, len(j.Ins)+len(j.Eqns))
	for i, v := range j.Ins {
		env[v] = args[i]
	}
	read := func(as []jaxpr.Atom) []small {
		out := make([]small, len(as))
		for i, a := range as {
			switch a := a.(type) {
			case *jaxpr.Var:
				out[i] = env[a]
			case core.Literal:
				out[i] = small{u.literal(a)}
			}
		}
		return out
	}
	for _, e := range j.Eqns {
		out := u.eqn(e, read(e.Ins))
		for i, v := range e.Outs {
			env[v] = out[i]
		}
	}
	return read(j.Outs)
}

func (u unroller) eqn(e *jaxpr.Eqn, in []small) []small {
	if q, ok := e.Prim.(*jaxpr.Cond); ok {
		return u.cond(q, e, in)
	}
	if c, _ := classOf(e); c == reduction {
		return []small{u.reduce(e, in[0])}
	}
	out := make([]small, len(e.Outs))
	for i, v := range e.Outs {
		shape := dims(v.Type.Shape)
		for k := range v.Type.Size() {
			out[i] = append(out[i], u.elementOf(e, i, fixed(shape, int64(k)), in))
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

// elementOf writes one element of a result.
func (u unroller) elementOf(e *jaxpr.Eqn, result int, x index, in []small) []ir.Ref {
	us, ok := usesOf(&u.m, e, result, x, func(jaxpr.Atom, index) ir.Ref { panic("BUG: a computed index in a small program") })
	if !ok {
		panic("BUG: an element has no index in a small program")
	}
	get := func(k int) []ir.Ref { return in[k][u.m.linear(us[k].at.shape, us[k].at.co).base] }
	switch p := e.Prim.(type) {
	case prim.ConcatenateP:
		return u.piece(in, us, p.Dimension, false, x)
	case prim.StackP:
		return u.piece(in, us, p.Axis, true, x)
	case prim.IotaP:
		return u.counted(p.DType, x.co[p.Dimension])
	case prim.EmptyP, prim.Empty2P:
		return u.literal(core.Literal{Num: core.IntNumber(0), Type: e.Outs[result].Type.DType})
	case prim.BitcastConvertTypeP:
		r := get(0)[0]
		if t := scalar.Stored(e.Outs[0].Type.DType); u.b.TypeOf(r) != t {
			r = u.op(scalar.OpBitcast, t, r)
		}
		return []ir.Ref{r}
	}
	if isMove(e.Prim) {
		return get(0)
	}
	args := make([][]ir.Ref, len(us))
	for k := range us {
		args[k] = get(k)
	}
	return u.b.Inline(programOf(e), args)
}

// piece returns the element of the piece that has it.
func (u unroller) piece(in []small, us []use, axis int, stacked bool, x index) []ir.Ref {
	at := x.co[axis].base
	for k, w := range us {
		if stacked {
			if at == int64(k) {
				return in[k][u.m.linear(w.at.shape, w.at.co).base]
			}
			continue
		}
		if i := w.at.co[axis].base; i >= 0 && i < w.at.shape[axis] {
			return in[k][u.m.linear(w.at.shape, w.at.co).base]
		}
	}
	panic("BUG: no piece has the element")
}

// cond writes a choice between branches: nested choices between two.
func (u unroller) cond(q *jaxpr.Cond, e *jaxpr.Eqn, in []small) []small {
	var pick func(k int) []ir.Ref
	pick = func(k int) []ir.Ref {
		if k == len(q.Branches)-1 {
			return flat(u.program(q.Branches[k], in[1:]))
		}
		first := u.op(scalar.OpLe, scalar.Bool, in[0][0][0], u.b.Const(scalar.I32, uint64(k)))
		return u.b.If(first, func() []ir.Ref { return flat(u.program(q.Branches[k], in[1:])) }, func() []ir.Ref { return pick(k + 1) })
	}
	return unflat(pick(0), e.Outs)
}

// flat lists the components of all elements.
func flat(ss []small) []ir.Ref {
	var out []ir.Ref
	for _, s := range ss {
		for _, r := range s {
			out = append(out, r...)
		}
	}
	return out
}

// unflat takes a list of components apart.
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
