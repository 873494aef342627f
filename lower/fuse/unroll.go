package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
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

// unflat is the inverse of flat.
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
