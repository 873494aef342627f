package fuse

import (
	"encoding/binary"
	"strconv"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

func itoa(n int) string { return strconv.Itoa(n) }

func bitsAt(b []byte, size int) uint64 {
	switch size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(b))
	case 4:
		return uint64(binary.NativeEndian.Uint32(b))
	}
	return binary.NativeEndian.Uint64(b)
}

// programs are scalar programs of primitives, by primitive and dtypes.
var programs sync.Map // programKey → *scalar.Prog

// programKey is a primitive with the dtypes of its operands and its result. With more than four
// operands, all but the first have the same type.
type programKey struct {
	p   core.Primitive
	n   int
	in  [4]core.DType
	out core.DType
}

func programOf(e *jaxpr.Eqn) *scalar.Prog {
	k := programKey{p: e.Prim, n: len(e.Ins), out: e.Outs[0].Type.DType}
	for i, a := range e.Ins {
		dt := a.Aval().DType
		if i >= len(k.in) && dt != k.in[1] {
			panic("BUG: " + e.Prim.Name() + " has operands of several types")
		}
		k.in[min(i, len(k.in)-1)] = dt
	}
	if v, ok := programs.Load(k); ok {
		return v.(*scalar.Prog)
	}
	in := make([]core.DType, len(e.Ins))
	for i, a := range e.Ins {
		in[i] = a.Aval().DType
	}
	prog, ok := expand.Program(e.Prim, in, k.out)
	if !ok {
		panic("BUG: " + e.Prim.Name() + " has no expansion")
	}
	v, _ := programs.LoadOrStore(k, prog)
	return v.(*scalar.Prog)
}

// compute computes element x of a node. It recurses along chains of operations, which may be as
// long as a kernel, so elementwise operations have a function of their own, with a small stack frame.
func (e *emitter) compute(n *node, x index) []ir.Ref {
	if n.prog != nil {
		return e.elementwise(n, x)
	}
	return e.computeOther(n, x)
}

func (e *emitter) computeOther(n *node, x index) []ir.Ref {
	if n.class == reduction {
		return e.reduceHere(n.eqn, x)
	}
	return e.fromOperands(n.eqn, n.out, x)
}

// noIndex panics. Only a bug leads to it: the planner makes sure that the elements of an equation have an index.
func (e *emitter) noIndex(q *jaxpr.Eqn) {
	var top *jaxpr.Jaxpr
	if e.p != nil {
		top = e.p.j
	}
	panic("BUG: an element has no index in " + jaxpr.EquationText(top, q))
}

// fromOperands computes element x of a result of an equation that is no reduction.
func (e *emitter) fromOperands(q *jaxpr.Eqn, result int, x index) []ir.Ref {
	us, ok := usesOf(&e.m, q, result, x, func(a jaxpr.Atom, at index) ir.Ref { return e.coordinate(q, a, at) })
	if !ok {
		e.noIndex(q)
	}
	out, dt := dims(q.Outs[result].Type.Shape), q.Outs[result].Type.DType
	switch p := q.Prim.(type) {
	case prim.PadP:
		return e.padded(q, p, us, x)
	case prim.ConcatenateP, prim.StackP:
		return e.chosen(q, us, x)
	case indexed.DynamicSliceP:
		u := us[len(us)-1]
		return e.element(u.atom, u.at)
	case indexed.GatherP:
		return e.gathered(q, p, us)
	case prim.IotaP:
		y, _ := e.m.as(x, out)
		return e.counted(dt, q.Outs[0].Type.Shape.At(p.Dimension), y.co[p.Dimension])
	case prim.EmptyP, prim.Empty2P:
		return e.literal(core.Literal{Num: core.IntNumber(0), Type: dt})
	}
	if isMove(q.Prim) {
		return e.element(us[0].atom, us[0].at)
	}
	args := make([][]ir.Ref, len(us))
	for i, u := range us {
		args[i] = e.element(u.atom, u.at)
	}
	counter := func() coord { // the row-major position along the axes after the key's
		k := q.Ins[0].Aval().Rank()
		if k == 0 {
			return e.m.linear(x.shape, x.co)
		}
		y, _ := e.m.as(x, out)
		return e.m.linear(y.shape[k:], y.co[k:])
	}
	switch p := q.Prim.(type) {
	case prim.BitcastConvertTypeP:
		if t := scalar.Stored(dt); e.b.TypeOf(args[0][0]) != t {
			return []ir.Ref{e.op(scalar.OpBitcast, t, args[0][0])}
		}
		return args[0]
	case rng.RandomCloneP:
		return args[0]
	case prim.RandomWrapP:
		return []ir.Ref{e.keyOf(args[0][0], args[1][0])}
	case prim.RandomUnwrapP:
		y, _ := e.m.as(x, out)
		lo, hi := e.words(args[0][0])
		which := e.at(scalar.I64, y.co[len(y.co)-1])
		first := e.op(scalar.OpEq, scalar.Bool, which, e.b.Const(scalar.I64, 0))
		return []ir.Ref{e.op(scalar.OpSelect, scalar.U32, first, lo, hi)}
	case rng.RandomSeedP:
		return []ir.Ref{e.seed(q.Ins[0].Aval().DType, args[0][0])}
	case rng.RandomSplitP:
		k0, k1 := e.words(args[0][0])
		a, b := e.threefry(k0, k1, e.b.Const(scalar.U32, 0), e.at(scalar.U32, counter()))
		return []ir.Ref{e.keyOf(a, b)}
	case rng.RandomFoldInP:
		k0, k1 := e.words(args[0][0])
		a, b := e.threefry(k0, k1, e.b.Const(scalar.U32, 0), args[1][0])
		return []ir.Ref{e.keyOf(a, b)}
	case rng.RandomBitsP:
		k0, k1 := e.words(args[0][0])
		a, b := e.threefry(k0, k1, e.b.Const(scalar.U32, 0), e.at(scalar.U32, counter()))
		if p.BitWidth == 64 {
			return []ir.Ref{e.keyOf(b, a)}
		}
		return []ir.Ref{e.convert(scalar.Stored(dt), e.op(scalar.OpXor, scalar.U32, a, b))}
	case rng.Threefry2x32P:
		a, b := e.threefry(args[0][0], args[1][0], args[2][0], args[3][0])
		if result == 0 {
			return []ir.Ref{a}
		}
		return []ir.Ref{b}
	}
	return e.inline(programOf(q), args)
}

func (e *emitter) elementwise(n *node, x index) []ir.Ref {
	q := n.eqn
	shape := n.v.Type.Shape
	base := len(e.args)
	for _, a := range q.Ins {
		at := x
		if t := a.Aval(); t.Shape != shape {
			y, ok := e.m.aligned(a, dims(shape), x)
			if !ok {
				e.noIndex(q)
			}
			at = y
		}
		r := e.element(a, at) // it uses e.args, too
		e.args = append(e.args, r)
	}
	r := e.inline(n.prog, e.args[base:])
	e.args = e.args[:base]
	return r
}

// coordinate computes a coordinate that usesOf requests.
func (e *emitter) coordinate(q *jaxpr.Eqn, a jaxpr.Atom, at index) ir.Ref {
	if a == nil { // a position among dilated elements
		return e.op(scalar.OpDiv, scalar.I64, e.at(scalar.I64, at.co[0]), e.b.Const(scalar.I64, uint64(at.shape[1])))
	}
	r := e.element(a, index{shape: at.shape[1:], co: at.co, loose: at.loose})[0]
	return e.bounded(r, at.shape[0])
}

// bounded returns the start of a window that is nearest to r among 0 … room.
func (e *emitter) bounded(r ir.Ref, room int64) ir.Ref {
	t := scalar.I64
	if int64(int32(room)) == room && e.b.TypeOf(r) == scalar.I32 {
		t = scalar.I32 // a vector has twice as many lanes
	} else {
		r = e.indexValue(r)
	}
	return e.op(scalar.OpMin, t, e.op(scalar.OpMax, t, r, e.b.Const(t, 0)), e.b.Const(t, uint64(room)))
}

// start computes an element of an integer array as an i64.
func (e *emitter) start(a jaxpr.Atom, at index) ir.Ref {
	return e.indexValue(e.element(a, at)[0])
}

func (e *emitter) choose(c ir.Ref, x, y []ir.Ref) []ir.Ref {
	out := make([]ir.Ref, len(x))
	for i := range x {
		out[i] = x[i]
		if x[i] != y[i] {
			out[i] = e.op(scalar.OpSelect, e.b.TypeOf(x[i]), c, x[i], y[i])
		}
	}
	return out
}

func (e *emitter) and(a, b ir.Ref) ir.Ref {
	if a == ir.NoRef {
		return b
	}
	return e.op(scalar.OpAnd, scalar.Bool, a, b)
}

// within returns whether 0 ≤ r < n.
func (e *emitter) within(r ir.Ref, n int64) ir.Ref {
	above := e.op(scalar.OpLe, scalar.Bool, e.b.Const(scalar.I64, 0), r)
	return e.op(scalar.OpAnd, scalar.Bool, above, e.op(scalar.OpLt, scalar.Bool, r, e.b.Const(scalar.I64, uint64(n))))
}

func (e *emitter) padded(q *jaxpr.Eqn, p prim.PadP, us []use, x index) []ir.Ref {
	x, _ = e.m.as(x, dims(q.Outs[0].Type.Shape))
	in := us[0].at
	inside := ir.NoRef
	for i, c := range x.co {
		lo, hi, interior := int64(p.Config.At(3*i)), int64(p.Config.At(3*i+1)), int64(p.Config.At(3*i+2))
		if lo <= 0 && hi <= 0 && interior == 0 && !x.loose {
			continue
		}
		step := interior + 1
		at := e.at(scalar.I64, c.plus(-lo))
		inside = e.and(inside, e.within(at, (in.shape[i]-1)*step+1))
		if interior > 0 {
			rest := e.op(scalar.OpRem, scalar.I64, at, e.b.Const(scalar.I64, uint64(step)))
			inside = e.and(inside, e.op(scalar.OpEq, scalar.Bool, rest, e.b.Const(scalar.I64, 0)))
		}
	}
	r := e.element(us[0].atom, in)
	if inside == ir.NoRef {
		return r
	}
	return e.choose(inside, r, e.element(us[1].atom, us[1].at))
}

// chosen computes an element of a concatenation or a stack: the element of the last piece,
// replaced by that of an earlier piece if the position lies in it.
func (e *emitter) chosen(q *jaxpr.Eqn, us []use, x index) []ir.Ref {
	x, _ = e.m.as(x, dims(q.Outs[0].Type.Shape))
	axis, stacked := 0, false
	switch p := q.Prim.(type) {
	case prim.ConcatenateP:
		axis = p.Dimension
	case prim.StackP:
		axis, stacked = p.Axis, true
	}
	at := e.at(scalar.I64, x.co[axis])
	end := make([]int64, len(us))
	n := int64(0)
	for i, u := range us {
		if stacked {
			n++
		} else {
			n += u.at.shape[axis]
		}
		end[i] = n
	}
	r := e.element(us[len(us)-1].atom, us[len(us)-1].at)
	for i := len(us) - 2; i >= 0; i-- {
		before := e.op(scalar.OpLt, scalar.Bool, at, e.b.Const(scalar.I64, uint64(end[i])))
		r = e.choose(before, e.element(us[i].atom, us[i].at), r)
	}
	return r
}

func (e *emitter) gathered(q *jaxpr.Eqn, p indexed.GatherP, us []use) []ir.Ref {
	k := len(us) - 1
	r := e.element(us[k].atom, us[k].at)
	if p.Mode != indexed.FillOrDrop {
		return r
	}
	inside := ir.NoRef
	for i, u := range us[:k] {
		d := p.StartIndexMap.At(i)
		room := int64(q.Ins[0].Aval().Shape.At(d) - p.SliceSizes.At(d))
		inside = e.and(inside, e.within(e.start(u.atom, u.at), room+1))
	}
	if inside == ir.NoRef {
		return r
	}
	dt := q.Outs[0].Type.DType
	return e.choose(inside, r, e.literal(core.Lit(p.FillFor(dt), dt)))
}

// counted returns a coordinate along an axis of the given length as an element of a dtype.
func (e *emitter) counted(dt core.DType, length int, c coord) []ir.Ref {
	t := scalar.Stored(dt)
	var r ir.Ref
	switch {
	case dt.IsComplex():
		r = e.op(scalar.OpConvert, t, e.at(scalar.I64, c))
		return []ir.Ref{r, e.b.Const(t, 0)}
	case scalar.IsSmallFloat(dt) && length > 1<<24: // f32 cannot hold all these numbers, which must be rounded only once
		prog, _ := expand.Program(prim.ConvertElementTypeP{NewDType: dt}, []core.DType{core.Int64}, dt)
		return e.b.Inline(prog, [][]ir.Ref{{e.at(scalar.I64, c)}})
	case scalar.IsSmallFloat(dt):
		r = e.op(scalar.OpConvert, scalar.F32, e.at(scalar.I64, c))
		in := scalar.Inst{Op: scalar.OpNarrow, Type: t, DType: dt, Args: [3]ir.Ref{r, ir.NoRef, ir.NoRef}}
		return []ir.Ref{e.b.Op(in)}
	case dt.IsFloat():
		return []ir.Ref{e.op(scalar.OpConvert, t, e.at(scalar.I64, c))}
	}
	return []ir.Ref{e.wrap(dt, e.at(t, c))}
}

// wrap brings an integer into a dtype narrower than a byte.
func (e *emitter) wrap(dt core.DType, r ir.Ref) ir.Ref {
	t := e.b.TypeOf(r)
	if !dt.IsInteger() || dt.Bits() == t.Bits() {
		return r
	}
	n := e.b.Const(t, uint64(t.Bits()-dt.Bits()))
	return e.op(scalar.OpShr, t, e.op(scalar.OpShl, t, r, n), n)
}
