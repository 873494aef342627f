package fuse

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference/linalg"
)

// symmetricRoots finds Cholesky factorizations of many small matrices, where each matrix is (x +
// xᵀ)/2 and only the lower triangle of its root is used. One step replaces these equations, which
// would pass all the matrices to each other through memory. The result maps the equations of the
// triangles to that step, and the others to nil.
func symmetricRoots(j *jaxpr.Jaxpr, refused Refusals) (found map[*jaxpr.Eqn]*jaxpr.Eqn) {
	var f *equationFinder
	for _, e := range j.Eqns {
		if _, ok := e.Prim.(prim.CholeskyP); !ok || !linalg.HasSymmetricRoot(e.Outs[0].Type) {
			continue
		}
		if f == nil {
			f, found = newFinder(j, refused), map[*jaxpr.Eqn]*jaxpr.Eqn{}
		}
		if x := f.symmetrized(e.Ins[0]); x != nil {
			found[e] = &jaxpr.Eqn{Prim: linalg.SymmetricRootP{}, Ins: []jaxpr.Atom{x}, Site: e.Site}
		}
	}
	if len(found) == 0 {
		return nil
	}
	for _, e := range j.Eqns {
		if _, ok := e.Prim.(prim.SelectNP); !ok || len(e.Ins) != 3 {
			continue
		}
		root := f.made(e.Ins[2], 1)
		if step := found[root]; step != nil && f.lowerTriangle(e.Ins[0]) && f.zeros(e.Ins[1]) {
			step.Outs = e.Outs
			half := f.by(root.Ins[0])
			found[e], found[root], found[half], found[f.by(half.Ins[0])] = step, nil, nil, nil
		}
	}
	for e, step := range found {
		if step != nil && step.Outs == nil {
			delete(found, e)
		}
	}
	return found
}

// by returns the equation that makes an operand, nil if there is none.
func (f *equationFinder) by(a jaxpr.Atom) *jaxpr.Eqn {
	v, ok := a.(*jaxpr.Var)
	if !ok {
		return nil
	}
	return f.defs[v]
}

// symmetrized returns x if an operand is (x + xᵀ)/2 and has one use, else nil.
func (f *equationFinder) symmetrized(a jaxpr.Atom) jaxpr.Atom {
	half := f.made(a, 1)
	if half == nil || !isNumber(half, 1, 2) {
		return nil
	}
	if _, ok := half.Prim.(prim.DivP); !ok {
		return nil
	}
	sum := f.made(half.Ins[0], 1)
	if sum == nil {
		return nil
	}
	if _, ok := sum.Prim.(prim.AddP); !ok {
		return nil
	}
	for i, x := range sum.Ins {
		e := f.by(sum.Ins[1-i])
		if e == nil || e.Ins[0] != x {
			continue
		}
		if t, ok := e.Prim.(prim.TransposeP); ok {
			n := t.Perm.Len()
			if t.Perm == core.Range(0, n-2).Append(n-1, n-2) {
				return x
			}
		}
	}
	return nil
}

// isNumber reports whether an operand of an equation is the number v.
func isNumber(e *jaxpr.Eqn, operand int, v float64) bool {
	if operand >= len(e.Ins) {
		return false
	}
	l, ok := e.Ins[operand].(core.Literal)
	return ok && math.Float64bits(l.Num.Float()) == math.Float64bits(v)
}

// zeros reports whether all elements of an operand are zero.
func (f *equationFinder) zeros(a jaxpr.Atom) bool {
	e := f.by(a)
	if e == nil {
		return false
	}
	_, ok := e.Prim.(prim.BroadcastInDimP)
	return ok && isNumber(e, 0, 0)
}

// lowerTriangle reports whether an operand is true on and below the diagonals of matrices, and
// nowhere else.
func (f *equationFinder) lowerTriangle(a jaxpr.Atom) bool {
	e := f.by(a)
	if e == nil {
		return false
	}
	if b, ok := e.Prim.(prim.BroadcastInDimP); ok {
		if n := e.Outs[0].Type.Rank(); b.Dims != core.MakeDims(n-2, n-1) {
			return false
		}
		if e = f.by(e.Ins[0]); e == nil {
			return false
		}
	}
	if _, ok := e.Prim.(prim.GeP); !ok || e.Outs[0].Type.Rank() != 2 {
		return false
	}
	for axis, x := range e.Ins {
		count := f.by(x)
		if count == nil {
			return false
		}
		if p, ok := count.Prim.(prim.IotaP); !ok || p.Dimension != axis {
			return false
		}
	}
	return true
}
