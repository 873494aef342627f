package prim

import (
	"fmt"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Scattering says where a scatter writes; it is the parameter of the family. The
// operands are an array, an array of integers, and the updates.
//
// As in gather, the last axis of the index array holds vectors, whose component k
// is the start of a window along axis ScatterDimsToOperandDims[k] of the array.
// The axes UpdateWindowDims of the updates are those of a window, without the axes
// InsertedWindowDims and OperandBatchingDims of the array, along which a window
// has size 1. The updates' other axes are those of the index array but the last.
// Along axis OperandBatchingDims[k] a window starts at the position along axis
// ScatterIndicesBatchingDims[k] of the index array.
//
// Mode says what happens to windows that reach out of the array. Updates are
// applied one after the other in the row-major order of the update array, and each
// rounds to the dtype.
type Scattering struct {
	UpdateWindowDims, InsertedWindowDims, ScatterDimsToOperandDims core.Dims
	OperandBatchingDims, ScatterIndicesBatchingDims                core.Dims
	Mode                                                           IndexMode
	Sorted, Unique                                                 bool // promises about the index vectors
}

// Accumulation is a scatter that combines elements with updates. The dtype is the
// operands': the text shows a program of it.
type Accumulation struct {
	Scattering
	DType core.DType
}

// ScatterP writes the updates into the array; the last of several wins.
type ScatterP struct{ Scattering }

// ScatterAddP adds the updates to the array's elements.
type ScatterAddP struct{ Accumulation }

// ScatterSubP subtracts the updates from the array's elements.
type ScatterSubP struct{ Accumulation }

// ScatterMulP multiplies the array's elements by the updates.
type ScatterMulP struct{ Accumulation }

// ScatterMinP takes the lesser of element and update; NaN wins, −0 < +0.
type ScatterMinP struct{ Accumulation }

// ScatterMaxP takes the greater of element and update; NaN wins, −0 < +0.
type ScatterMaxP struct{ Accumulation }

// ScatterApplyP replaces elements by a function of element and update: a program
// of two scalars.
type ScatterApplyP struct {
	Scattering
	F *jaxpr.Jaxpr
}

// Scatter is x with updates written at the places idx.
func Scatter(x, idx, updates Value, s Scattering) Value {
	return core.Bind1(ScatterP{s}, x, idx, updates)
}

// ScatterAdd is x with updates added at the places idx.
func ScatterAdd(x, idx, updates Value, s Scattering) Value {
	return core.Bind1(ScatterAddP{Accumulation{s, x.Aval().DType}}, x, idx, updates)
}

// ScatterSub is x with updates subtracted at the places idx.
func ScatterSub(x, idx, updates Value, s Scattering) Value {
	return core.Bind1(ScatterSubP{Accumulation{s, x.Aval().DType}}, x, idx, updates)
}

// ScatterMul is x multiplied by updates at the places idx.
func ScatterMul(x, idx, updates Value, s Scattering) Value {
	return core.Bind1(ScatterMulP{Accumulation{s, x.Aval().DType}}, x, idx, updates)
}

// ScatterMin is the lesser of x and updates at the places idx.
func ScatterMin(x, idx, updates Value, s Scattering) Value {
	return core.Bind1(ScatterMinP{Accumulation{s, x.Aval().DType}}, x, idx, updates)
}

// ScatterMax is the greater of x and updates at the places idx.
func ScatterMax(x, idx, updates Value, s Scattering) Value {
	return core.Bind1(ScatterMaxP{Accumulation{s, x.Aval().DType}}, x, idx, updates)
}

// ScatterApply is x with f applied at the places idx: f takes element and update.
func ScatterApply(x, idx, updates Value, f *jaxpr.Jaxpr, s Scattering) Value {
	return core.Bind1(ScatterApplyP{s, f}, x, idx, updates)
}

// Name is "scatter".
func (ScatterP) Name() string { return "scatter" }

// Name is "scatter-add".
func (ScatterAddP) Name() string { return "scatter-add" }

// Name is "scatter-sub".
func (ScatterSubP) Name() string { return "scatter-sub" }

// Name is "scatter-mul".
func (ScatterMulP) Name() string { return "scatter-mul" }

// Name is "scatter-min".
func (ScatterMinP) Name() string { return "scatter-min" }

// Name is "scatter-max".
func (ScatterMaxP) Name() string { return "scatter-max" }

// Name is "scatter".
func (ScatterApplyP) Name() string { return "scatter" }

// shown are the parameters of a scatter; update is a program or "None".
func (s Scattering) shown(update any) []core.Param {
	dims := fmt.Sprintf("ScatterDimensionNumbers(update_window_dims=%v, inserted_window_dims=%v, scatter_dims_to_operand_dims=%v, operand_batching_dims=%v, scatter_indices_batching_dims=%v)",
		s.UpdateWindowDims, s.InsertedWindowDims, s.ScatterDimsToOperandDims, s.OperandBatchingDims, s.ScatterIndicesBatchingDims)
	return []core.Param{
		param("dimension_numbers", dims),
		param("indices_are_sorted", pyBool(s.Sorted)),
		param("mode", s.Mode),
		param("unique_indices", pyBool(s.Unique)),
		param("update_consts", "()"),
		param("update_jaxpr", update),
	}
}

// Params are the parameters in alphabetical order; there is no update program.
func (p ScatterP) Params() []core.Param { return p.shown("None") }

// Params are the parameters in alphabetical order.
func (p ScatterApplyP) Params() []core.Param { return p.shown(p.F) }

// Programs is the update program.
func (p ScatterApplyP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.F} }

// Effects are those of the update program.
func (p ScatterApplyP) Effects() core.Effect { return p.F.Effects() }

// AxisNames are those of the update program.
func (p ScatterApplyP) AxisNames() []string { return p.F.AxisNames() }

// Params are the parameters in alphabetical order.
func (p ScatterAddP) Params() []core.Param { return p.shown(combine(AddP{}, p.DType)) }

// Params are the parameters in alphabetical order.
func (p ScatterSubP) Params() []core.Param { return p.shown(combine(SubP{}, p.DType)) }

// Params are the parameters in alphabetical order.
func (p ScatterMulP) Params() []core.Param { return p.shown(combine(MulP{}, p.DType)) }

// Params are the parameters in alphabetical order.
func (p ScatterMinP) Params() []core.Param { return p.shown(combine(MinP{}, p.DType)) }

// Params are the parameters in alphabetical order.
func (p ScatterMaxP) Params() []core.Param { return p.shown(combine(MaxP{}, p.DType)) }

type combination struct {
	p  core.Primitive
	dt core.DType
}

var combinations sync.Map // combination → *jaxpr.Jaxpr

// combine is the program of p on two scalars of the operand's dtype: one object
// for each, so that a text shows it once.
func combine(p core.Primitive, dt core.DType) *jaxpr.Jaxpr {
	key := combination{p, dt}
	if j, ok := combinations.Load(key); ok {
		return j.(*jaxpr.Jaxpr)
	}
	a := core.Aval(key.dt)
	x, y, z := jaxpr.NewVar(a), jaxpr.NewVar(a), jaxpr.NewVar(a)
	j := &jaxpr.Jaxpr{
		Ins:  []*jaxpr.Var{x, y},
		Eqns: []*jaxpr.Eqn{{Outs: []*jaxpr.Var{z}, Prim: p, Ins: []jaxpr.Atom{x, y}}},
		Outs: []jaxpr.Atom{z},
	}
	got, _ := combinations.LoadOrStore(key, j)
	return got.(*jaxpr.Jaxpr)
}

// Abstract gives the array's type, having checked everything.
func (s Scattering) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 3)
	x, idx, u := in[0], in[1], in[2]
	sameDType(x, u)
	batch := indexShape(idx)
	numbersFit("scatter_dims_to_operand_dims", s.ScatterDimsToOperandDims, x, idx.Shape.At(-1))
	batchingFits(s.OperandBatchingDims, s.ScatterIndicesBatchingDims, s.ScatterDimsToOperandDims, s.InsertedWindowDims, x, idx)
	if !increasing(s.UpdateWindowDims, u.Rank()) {
		core.Failf(core.ErrIndex, "update_window_dims %v must be axes of the updates %v, in increasing order", s.UpdateWindowDims, u.Full())
	}
	if got := s.UpdateWindowDims.Len() + s.InsertedWindowDims.Len() + s.OperandBatchingDims.Len(); got != x.Rank() {
		core.Failf(core.ErrIndex, "windows, inserted and batching axes are %d together, %v has %s", got, x.Full(), core.Count(x.Rank(), "axis"))
	}
	if places := u.Shape.Remove(s.UpdateWindowDims.Ints()...); places != batch {
		core.Failf(core.ErrIndex, "the updates %v have windows for places of shape %v, the index array %v has %v", u.Full(), places, idx.Full(), batch)
	}
	k := 0
	for i, n := range x.Shape.All() {
		if s.single(i) {
			continue
		}
		if w := u.Shape.At(s.UpdateWindowDims.At(k)); w > n {
			core.Failf(core.ErrIndex, "a window of %s does not fit axis %d of %v", core.Count(w, "element"), i, x.Full())
		}
		k++
	}
	return []ShapedArray{x}
}

// single reports whether windows have no axis for axis i of the array.
func (s Scattering) single(i int) bool {
	return s.InsertedWindowDims.Has(i) || s.OperandBatchingDims.Has(i)
}

// abstract is Abstract for dtypes that fit.
func (p Accumulation) abstract(fits func(core.DType) bool, in []ShapedArray) []ShapedArray {
	out := p.Scattering.Abstract(in)
	if in[0].DType != p.DType {
		core.Failf(core.ErrDType, "combines %v, got %v", p.DType, in[0].Full())
	}
	if !fits(p.DType) {
		core.Failf(core.ErrDType, "%v has no such arithmetic; convert it first", in[0].Full())
	}
	return out
}

// up is Scattering's.
func (p Accumulation) up(indexed bool) Accumulation {
	p.Scattering = p.Scattering.up(indexed)
	return p
}

func isOrdered(dt core.DType) bool { return dt.IsNumber() || dt.IsBool() }

// Abstract gives the array's type.
func (p ScatterAddP) Abstract(in []ShapedArray) []ShapedArray {
	return p.abstract(core.DType.IsNumber, in)
}

// Abstract gives the array's type.
func (p ScatterSubP) Abstract(in []ShapedArray) []ShapedArray {
	return p.abstract(core.DType.IsNumber, in)
}

// Abstract gives the array's type.
func (p ScatterMulP) Abstract(in []ShapedArray) []ShapedArray {
	return p.abstract(core.DType.IsNumber, in)
}

// Abstract gives the array's type.
func (p ScatterMinP) Abstract(in []ShapedArray) []ShapedArray {
	return p.abstract(isOrdered, in)
}

// Abstract gives the array's type.
func (p ScatterMaxP) Abstract(in []ShapedArray) []ShapedArray {
	return p.abstract(isOrdered, in)
}

// Abstract gives the array's type.
func (p ScatterApplyP) Abstract(in []ShapedArray) []ShapedArray {
	out := p.Scattering.Abstract(in)
	a := core.Aval(in[0].DType)
	if len(p.F.Ins) != 2 || !p.F.Ins[0].Type.SameType(a) || !p.F.Ins[1].Type.SameType(a) ||
		len(p.F.Outs) != 1 || !p.F.Outs[0].Aval().SameType(a) {
		core.Failf(core.ErrCheck, "the update program must map two %v to one", a)
	}
	return out
}

// up makes room for the batch's axis: indexed says whether the index array has it.
func (s Scattering) up(indexed bool) Scattering {
	s.InsertedWindowDims = up(s.InsertedWindowDims)
	s.ScatterDimsToOperandDims = up(s.ScatterDimsToOperandDims)
	if !indexed {
		// All of the batch writes to the same places: one more window axis.
		s.UpdateWindowDims = upWith(s.UpdateWindowDims)
		s.OperandBatchingDims = up(s.OperandBatchingDims)
		return s
	}
	s.UpdateWindowDims = up(s.UpdateWindowDims)
	s.OperandBatchingDims = upWith(s.OperandBatchingDims)
	s.ScatterIndicesBatchingDims = upWith(s.ScatterIndicesBatchingDims)
	return s
}

// batched binds p, which is already moved up, to operands with the batch's axis.
func batched(p core.Primitive, n int, in []Value, mapped []bool) ([]Value, []bool) {
	return bound(p, atFront(n, in[0], mapped[0]), in[1], atFront(n, in[2], mapped[2]))
}

// Batch keeps the batch's axis in front.
func (p ScatterP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return batched(ScatterP{p.up(mapped[1])}, n, in, mapped)
}

// Batch keeps the batch's axis in front.
func (p ScatterAddP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return batched(ScatterAddP{p.up(mapped[1])}, n, in, mapped)
}

// Batch keeps the batch's axis in front.
func (p ScatterSubP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return batched(ScatterSubP{p.up(mapped[1])}, n, in, mapped)
}

// Batch keeps the batch's axis in front.
func (p ScatterMulP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return batched(ScatterMulP{p.up(mapped[1])}, n, in, mapped)
}

// Batch keeps the batch's axis in front.
func (p ScatterMinP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return batched(ScatterMinP{p.up(mapped[1])}, n, in, mapped)
}

// Batch keeps the batch's axis in front.
func (p ScatterMaxP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return batched(ScatterMaxP{p.up(mapped[1])}, n, in, mapped)
}

// Batch keeps the batch's axis in front.
func (p ScatterApplyP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return batched(ScatterApplyP{p.up(mapped[1]), p.F}, n, in, mapped)
}
