package fuse

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference/linalg"
)

// smallSystems finds many small systems of equations: a factorization, the exchange of the right
// sides' rows, and two triangular solves, whose results nothing else reads. They are one step, as
// [symmetricRoots] are.
func smallSystems(j *jaxpr.Jaxpr, refused Refusals) (found map[*jaxpr.Eqn]*jaxpr.Eqn) {
	many := func(e *jaxpr.Eqn) bool {
		_, ok := e.Prim.(prim.LUP)
		return ok && linalg.HasSmallSystem(e.Outs[0].Type, 1)
	}
	if !slices.ContainsFunc(j.Eqns, many) {
		return nil
	}
	f := newFinder(j, refused)
	for _, e := range j.Eqns {
		if parts, a, b := f.system(e); parts != nil {
			if found == nil {
				found = map[*jaxpr.Eqn]*jaxpr.Eqn{}
			}
			for _, p := range parts {
				found[p] = nil
			}
			found[e] = &jaxpr.Eqn{Outs: e.Outs, Prim: linalg.SmallSystemP{}, Ins: []jaxpr.Atom{a, b}, Site: e.Site}
		}
	}
	return found
}

// system returns the equations of the system whose solution upper computes, its matrices and its
// right sides; nil if there is none.
func (f *equationFinder) system(upper *jaxpr.Eqn) (parts []*jaxpr.Eqn, a, b jaxpr.Atom) {
	if upper.Prim != core.Primitive(prim.TriangularSolveP{LeftSide: true}) {
		return nil, nil, nil
	}
	lu := f.by(upper.Ins[0])
	lower := f.made(upper.Ins[1], 1)
	if lu == nil || lower == nil || lower.Prim != core.Primitive(prim.TriangularSolveP{LeftSide: true, Lower: true, UnitDiagonal: true}) {
		return nil, nil, nil
	}
	if _, ok := lu.Prim.(prim.LUP); !ok || lower.Ins[0] != upper.Ins[0] || upper.Ins[0] != jaxpr.Atom(lu.Outs[0]) {
		return nil, nil, nil
	}
	if f.uses[lu.Outs[0]] != 2 || f.uses[lu.Outs[1]] != 0 || f.uses[lu.Outs[2]] != 3 {
		return nil, nil, nil
	}
	x := upper.Outs[0].Type
	if !linalg.HasSmallSystem(lu.Outs[0].Type, x.Shape.At(x.Rank()-1)) {
		return nil, nil, nil
	}
	rows := f.made(lower.Ins[1], 1)
	if rows == nil || !isRowGather(rows) {
		return nil, nil, nil
	}
	index := f.rowNumbers(rows.Ins[1], lu.Outs[2])
	if index == nil {
		return nil, nil, nil
	}
	b = rows.Ins[0]
	if e := f.by(b); e != nil { // one matrix for all
		n := x.Rank()
		if p, ok := e.Prim.(prim.BroadcastInDimP); ok && p.Dims == core.MakeDims(n-2, n-1) && e.Ins[0].Aval().Shape == x.Shape.Slice(n-2, n) {
			b = e.Ins[0]
		}
	}
	return append(index, lu, rows, lower), lu.Ins[0], b
}

// isRowGather reports whether an equation takes rows of the matrices of a batch, as a whole.
func isRowGather(e *jaxpr.Eqn) bool {
	p, ok := e.Prim.(prim.GatherP)
	if !ok {
		return false
	}
	x := e.Ins[0].Aval().Shape
	r := x.Len()
	sizes := make([]int, r)
	for i := range sizes {
		sizes[i] = 1
	}
	sizes[r-1] = x.At(r - 1)
	row, batch := core.MakeDims(r-2), core.Range(0, r-2)
	return x == e.Outs[0].Type.Shape && p.OffsetDims == core.MakeDims(r-1) && p.CollapsedSliceDims == row && p.StartIndexMap == row &&
		p.OperandBatchingDims == batch && p.StartIndicesBatchingDims == batch && p.SliceSizes == core.MakeDims(sizes...)
}

// rowNumbers returns the equations that make the index array of a gather from a permutation of n
// rows, those included that let negative numbers count from the end; nil if they are others.
func (f *equationFinder) rowNumbers(index jaxpr.Atom, perm *jaxpr.Var) []*jaxpr.Eqn {
	column := f.made(index, 1)
	if column == nil {
		return nil
	}
	r := perm.Type.Rank()
	if p, ok := column.Prim.(prim.BroadcastInDimP); !ok || p.Dims != core.Range(0, r) || column.Outs[0].Type.Shape != perm.Type.Shape.Append(1) {
		return nil
	}
	choice := f.made(column.Ins[0], 1)
	if choice == nil || len(choice.Ins) != 3 || choice.Ins[1] != jaxpr.Atom(perm) {
		return nil
	}
	if _, ok := choice.Prim.(prim.SelectNP); !ok {
		return nil
	}
	negative, end := f.made(choice.Ins[0], 1), f.made(choice.Ins[2], 1)
	if negative == nil || end == nil || negative.Ins[0] != jaxpr.Atom(perm) || end.Ins[0] != jaxpr.Atom(perm) {
		return nil
	}
	if _, ok := negative.Prim.(prim.LtP); !ok || !isNumber(negative, 1, 0) {
		return nil
	}
	if _, ok := end.Prim.(prim.AddP); !ok || len(end.Ins) != 2 {
		return nil
	}
	return []*jaxpr.Eqn{column, choice, negative, end}
}
