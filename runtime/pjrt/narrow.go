package pjrt

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
)

// narrowTranspositions is the version of the interface from which plugins are known to transpose
// numbers of fewer than eight bits. XLA of xla-cpu-pjrt 0.0.1, of version 81, ends the process where a
// program copies such numbers to memory with another order of the axes ("dims and
// input_strides_in_bytes must have equal sizes"). XLA chooses the order of the axes of all arrays that an
// operation which exchanges axes is connected with, so conversions around the operation do not help.
const narrowTranspositions = 106

// narrowProgram tells whether a program may copy numbers of fewer than eight bits with their axes
// in another order.
type narrowProgram struct {
	arrays   bool       // there are arrays of numbers of fewer than eight bits, with several axes
	permutes *jaxpr.Eqn // an equation for which XLA exchanges axes
}

// walk adds a program. It panics where an element type is one that XLA lacks.
func (n *narrowProgram) walk(j *jaxpr.Jaxpr, seen map[*jaxpr.Jaxpr]bool) {
	if seen[j] {
		return
	}
	seen[j] = true
	for _, a := range j.InAvals() {
		if _, err := typeOf(a); err != nil {
			core.Failf(core.ErrDType, "%v", err)
		}
		n.array(a)
	}
	for _, e := range j.Eqns {
		for _, a := range core.AvalsOf(e.Ins) { // captured arrays among them
			n.array(a)
		}
		for _, v := range e.Outs {
			if _, err := typeOf(v.Type); err != nil {
				panic(&core.Error{Kind: core.ErrDType, Op: e.Prim.Name(), Pos: e.Site.String(), Avals: core.AvalsOf(e.Ins), Msg: err.Error()})
			}
			n.array(v.Type)
		}
		if n.permutes == nil && exchangesAxes(e) {
			n.permutes = e
		}
		for _, q := range jaxpr.Programs(e.Prim) {
			n.walk(q, seen)
		}
	}
}

func (n *narrowProgram) array(a core.ShapedArray) {
	n.arrays = n.arrays || a.DType.Bits() < 8 && a.DType != core.Bool && a.DType != core.Float0 && a.Rank() > 1
}

// exchangesAxes reports whether XLA exchanges axes of an operand or a result. It does in transpositions and
// convolutions. It does not in products without batch axes that contract the last axes of the left operand
// with the first ones of the right, nor in gathers and scatters without batch axes where the axes of windows
// come last, and indexed axes first and in order.
func exchangesAxes(e *jaxpr.Eqn) bool {
	switch p := e.Prim.(type) {
	case prim.TransposeP, prim.ReshapePermutedP, windows.ConvP:
		return true
	case prim.DotGeneralP:
		last := e.Ins[0].Aval().Rank() - p.LhsContract.Len()
		return p.LhsBatch.Len() > 0 || !increases(p.LhsContract, last) || !increases(p.RhsContract, 0)
	case indexed.GatherP:
		return p.OperandBatchingDims.Len() > 0 || !increases(p.StartIndexMap, 0) || !increases(p.OffsetDims, e.Outs[0].Type.Rank()-p.OffsetDims.Len())
	case indexed.ScatterP:
		return scatterExchangesAxes(p.Scattering, e)
	case indexed.ScatterApplyP:
		return scatterExchangesAxes(p.Scattering, e)
	case indexed.ScatterWithP:
		return scatterExchangesAxes(p.Scattering, e)
	}
	return false
}

func scatterExchangesAxes(s indexed.Scattering, e *jaxpr.Eqn) bool {
	updates := e.Ins[2].Aval().Rank()
	return s.OperandBatchingDims.Len() > 0 || !increases(s.ScatterDimsToOperandDims, 0) || !increases(s.UpdateWindowDims, updates-s.UpdateWindowDims.Len())
}

// increases reports whether d is first, first+1, ….
func increases(d core.Dims, first int) bool {
	for i, axis := range d.All() {
		if axis != first+i {
			return false
		}
	}
	return true
}
