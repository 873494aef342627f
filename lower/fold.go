package lower

import (
	"bytes"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
)

// NewConstant makes a value of a tensor: a constant of a lowered program. Package
// runtime sets it. While it is nil, only scalars are folded.
var NewConstant func(t *reference.Tensor) core.Value

// Bounds of folding: bytes of one result and of all results of a program, and the
// product of the numbers of elements of all operands and results of an equation.
const (
	maxFoldBytes = 16 << 10
	maxFoldTotal = 256 << 10
	maxFoldWork  = 1 << 20
)

// fold evaluates equations whose operands are all literals or results of folded equations, by the
// reference's kernels, within the bounds above. Captured arrays are not folded: the caller may
// donate them. In programs within programs only scalars are folded: those programs take constants
// from outside. Powers of floats whose exponents are literals 1 or 2, or became them by folding,
// become integer powers.
func fold(j *jaxpr.Jaxpr, top bool) *jaxpr.Jaxpr {
	f := folder{
		j: j, known: map[*jaxpr.Var]*reference.Tensor{}, r: replacementsFor(j),
		results: resultsOf(j, top),
		arrays:  top && NewConstant != nil && len(j.ConstVals) == len(j.Consts),
	}
	out := withEqns(j, nil)
	f.out = out
	for i, e := range j.Eqns {
		d := e
		if len(f.known) > 0 {
			d = f.r.eqn(e)
		}
		d = knownPower(d)
		if f.eqn(d) {
			d = nil
		}
		if d != e {
			if !f.changed {
				f.changed = true
				out.Eqns = append(make([]*jaxpr.Eqn, 0, len(j.Eqns)), j.Eqns[:i]...)
			}
			if d == nil {
				continue
			}
		}
		if f.changed {
			out.Eqns = append(out.Eqns, d)
		}
	}
	if !f.changed {
		return j
	}
	out.Outs = f.r.all(j.Outs)
	return out
}

// knownPower replaces a float to the power of a literal 1 or 2 by the integer power, which has the same bits at a
// fraction of the cost: programs and derivatives contain many such powers.
func knownPower(e *jaxpr.Eqn) *jaxpr.Eqn {
	if _, ok := e.Prim.(prim.PowP); !ok {
		return e
	}
	y, ok := e.Ins[1].(core.Literal)
	x := e.Ins[0]
	if !ok || x.Aval() != e.Outs[0].Type || !x.Aval().DType.IsFloat() {
		return e
	}
	switch y.Num.Complex() {
	case 1:
		return &jaxpr.Eqn{Outs: e.Outs, Prim: prim.IntegerPowP{Y: 1}, Ins: []jaxpr.Atom{x}, Site: e.Site}
	case 2:
		return &jaxpr.Eqn{Outs: e.Outs, Prim: prim.IntegerPowP{Y: 2}, Ins: []jaxpr.Atom{x}, Site: e.Site}
	}
	return e
}

type folder struct {
	j, out  *jaxpr.Jaxpr
	known   map[*jaxpr.Var]*reference.Tensor
	r       replacements
	results *results
	arrays  bool // array results may become constants
	changed bool
	kept    bool // the last equation stays: a result needs it, or computing is cheaper than reading
	total   int
}

// eqn folds e if it can, and reports whether e is no longer needed.
func (f *folder) eqn(e *jaxpr.Eqn) bool {
	if !f.constant(e) {
		return false
	}
	out := f.evaluate(e)
	if out == nil {
		return false
	}
	f.kept = false
	for _, v := range e.Outs {
		f.kept = f.kept || f.results.has(v) // each call returns an array of its own
	}
	with := make([]jaxpr.Atom, len(out))
	for i, t := range out {
		if l, ok := literal(t, e.Outs[i].Type); ok {
			with[i] = l
		} else if cheap(e.Prim) {
			f.kept = true
		} else if !f.arrays {
			return false
		}
	}
	for i, v := range e.Outs {
		f.known[v] = out[i]
		f.total += len(out[i].Data)
		switch {
		case f.kept:
		case with[i] != nil:
			f.r.set(v, with[i])
		default:
			f.constantVar(v, out[i])
		}
	}
	return !f.kept
}

func (f *folder) constantVar(v *jaxpr.Var, t *reference.Tensor) {
	if len(f.out.Consts) == len(f.j.Consts) { // the lists are still shared with j
		f.out.Consts = append([]*jaxpr.Var(nil), f.j.Consts...)
		f.out.ConstVals = append([]core.Value{}, f.j.ConstVals...)
	}
	f.out.Consts = append(f.out.Consts, v)
	f.out.ConstVals = append(f.out.ConstVals, NewConstant(t))
}

// cheap reports whether fused code computes p's arrays where it uses them, so that no constant
// takes their place.
func cheap(p core.Primitive) bool {
	switch p.(type) {
	case core.Elementwise, prim.SelectNP, prim.IotaP, prim.BroadcastInDimP, prim.ReshapeP, prim.SqueezeP, prim.TransposeP,
		prim.RevP, prim.SliceP, prim.PadP, prim.ConcatenateP, prim.TileP, indexed.DynamicSliceP:
		return true
	}
	return false
}

// constant reports whether e may be folded: all operands are constant, e is repeatable, and the work and the results
// are within bounds.
func (f *folder) constant(e *jaxpr.Eqn) bool {
	if len(e.Outs) == 0 {
		return false
	}
	for _, a := range e.Ins {
		switch a := a.(type) {
		case core.Literal:
		case *jaxpr.Var:
			if len(f.known) == 0 || f.known[a] == nil {
				return false
			}
		}
	}
	if _, holds := e.Prim.(jaxpr.Holder); holds || !repeatable(e) {
		return false
	}
	work := 1
	for _, a := range e.Ins {
		work *= max(a.Aval().Size(), 1) // at most maxFoldBytes elements each
		if work > maxFoldWork {
			return false
		}
	}
	for _, v := range e.Outs {
		n := v.Type.Size()
		if n < 0 || n > maxFoldBytes || v.Type.DType.Size() == 0 {
			return false
		}
		bytes := n * v.Type.DType.Size()
		if work *= max(n, 1); work > maxFoldWork || bytes > maxFoldBytes || f.total+bytes > maxFoldTotal {
			return false
		}
	}
	return true
}

// evaluate computes the results of e; nil if it cannot, so that the error arises where
// the program runs.
func (f *folder) evaluate(e *jaxpr.Eqn) []*reference.Tensor {
	in := make([]*reference.Tensor, len(e.Ins))
	avals := make([]core.ShapedArray, len(e.Ins))
	for i, a := range e.Ins {
		switch a := a.(type) {
		case core.Literal:
			in[i] = reference.NewTensor(a.Aval())
			if len(in[i].Data) > 0 {
				elem.Put(in[i].Data, a.Num, a.Type)
			}
		case *jaxpr.Var:
			in[i] = f.known[a]
		}
		avals[i] = in[i].ShapedArray
	}
	types := make([]core.ShapedArray, len(e.Outs))
	out := make([]*reference.Tensor, len(e.Outs))
	for i, v := range e.Outs {
		types[i] = v.Type
		out[i] = reference.NewTensor(v.Type)
	}
	err := core.Catch(func() {
		for i, t := range core.AbstractOf(e.Prim, avals) {
			if i >= len(types) || !t.SameType(types[i]) {
				core.Failf(core.ErrCheck, "result %d of %s is %v, but the program declares another type; check the program", i, e.Prim.Name(), t.Full())
			}
		}
		k, ok := reference.Prepare(e.Prim, avals, types)
		if !ok {
			core.Failf(core.ErrNoRule, "%s has no kernel; leave it to the executor", e.Prim.Name())
		}
		k(e.Prim, in, out)
	})
	if err != nil {
		return nil
	}
	return out
}

// literal returns a scalar as a literal; ok is false for arrays, and if no literal has the
// same bits.
func literal(t *reference.Tensor, as core.ShapedArray) (l core.Literal, ok bool) {
	if as.Rank() > 0 || as.DType.Size() == 0 || as.Ref {
		return l, false
	}
	n, ok := elem.Get(t.Data, as.DType)
	if !ok {
		return l, false
	}
	var back [16]byte
	elem.Put(back[:], n, as.DType)
	return core.Literal{Num: n, Type: as.DType, Weak: as.Weak}, bytes.Equal(back[:len(t.Data)], t.Data)
}
