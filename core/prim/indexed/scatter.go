package indexed

import (
	"fmt"
	"iter"
	"sync"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Scattering specifies where a scatter writes; all scatters have it as a parameter. The operands
// are an array, an array of integers, and the updates.
//
// As in gather, the last axis of the index array contains vectors, whose component k
// is the start of a window along axis ScatterDimsToOperandDims[k] of the array.
// The axes UpdateWindowDims of the updates are those of a window, without the axes
// InsertedWindowDims and OperandBatchingDims of the array, along which a window
// has size 1. The updates' other axes are those of the index array but the last.
// Along axis OperandBatchingDims[k] a window starts at the position along axis
// ScatterIndicesBatchingDims[k] of the index array.
//
// Mode selects what happens to windows that reach out of the array. Updates are applied one after
// the other in the row-major order of the update array, and each rounds to the dtype.
type Scattering struct {
	UpdateWindowDims, InsertedWindowDims, ScatterDimsToOperandDims core.Dims
	OperandBatchingDims, ScatterIndicesBatchingDims                core.Dims
	Mode                                                           IndexMode
	Sorted, Unique                                                 bool // promises: the index vectors are sorted; no two updates reach one element
}

// A Combiner is how a scatter combines an element with an update.
type Combiner uint8

// The combiners: the update alone, and operations on element and update. With CombineMin and
// CombineMax NaN wins, and −0 < +0.
const (
	CombineSet Combiner = iota
	CombineAdd
	CombineSub
	CombineMul
	CombineMin
	CombineMax
)

// combiners[c] names the scatter and, but for CombineSet, the operation on scalars.
var combiners = [...]struct {
	name string
	op   core.Primitive
}{
	CombineSet: {"scatter", nil},
	CombineAdd: {"scatter-add", prim.AddP{}},
	CombineSub: {"scatter-sub", prim.SubP{}},
	CombineMul: {"scatter-mul", prim.MulP{}},
	CombineMin: {"scatter-min", prim.MinP{}},
	CombineMax: {"scatter-max", prim.MaxP{}},
}

// ScatterP combines the array's elements with the updates, one update after the other.
// Its names are scatter, scatter-add, scatter-sub, scatter-mul, scatter-min and
// scatter-max.
//
//prim:word scatter ScatterP{}
//prim:word scatter-add ScatterP{Combine: CombineAdd}
//prim:word scatter-sub ScatterP{Combine: CombineSub}
//prim:word scatter-mul ScatterP{Combine: CombineMul}
//prim:word scatter-min ScatterP{Combine: CombineMin}
//prim:word scatter-max ScatterP{Combine: CombineMax}
type ScatterP struct {
	Scattering
	Combine Combiner
	DType   core.DType // of the operands, for the program that text shows; Invalid if Combine is CombineSet
}

// ScatterApplyP replaces elements by a function of element and update: a program
// of two scalars. Its name is scatter, too: the read method of ScatterP reads both.
//
//prim:word -
type ScatterApplyP struct {
	Scattering
	F *jaxpr.Jaxpr
}

// By returns the scatter of operands of type dt that combines by c.
func (s Scattering) By(c Combiner, dt core.DType) ScatterP {
	if c == CombineSet {
		dt = core.Invalid
	}
	return ScatterP{s, c, dt}
}

// ScatterBy returns x combined with updates at the positions idx.
func ScatterBy(c Combiner, x, idx, updates core.Value, s Scattering) core.Value {
	return core.Bind1(s.By(c, x.Aval().DType), x, idx, updates)
}

// Scatter returns x with updates written at the positions idx; the last of several wins.
func Scatter(x, idx, updates core.Value, s Scattering) core.Value {
	return ScatterBy(CombineSet, x, idx, updates, s)
}

// ScatterAdd returns x with updates added at the positions idx.
func ScatterAdd(x, idx, updates core.Value, s Scattering) core.Value {
	return ScatterBy(CombineAdd, x, idx, updates, s)
}

// ScatterApply returns x with f applied at the positions idx: f takes element and update.
func ScatterApply(x, idx, updates core.Value, f *jaxpr.Jaxpr, s Scattering) core.Value {
	return core.Bind1(ScatterApplyP{s, f}, x, idx, updates)
}

// Name returns "scatter", followed by a hyphen and the operation unless Combine is CombineSet.
func (p ScatterP) Name() string { return combiners[p.Combine].name }

func (ScatterApplyP) Name() string { return "scatter" }

// paramsWith returns the parameters of a scatter; update is a program or "None".
func (s Scattering) paramsWith(update any) []core.Param {
	dims := fmt.Sprintf("ScatterDimensionNumbers(update_window_dims=%v, inserted_window_dims=%v, scatter_dims_to_operand_dims=%v, operand_batching_dims=%v, scatter_indices_batching_dims=%v)",
		s.UpdateWindowDims, s.InsertedWindowDims, s.ScatterDimsToOperandDims, s.OperandBatchingDims, s.ScatterIndicesBatchingDims)
	return []core.Param{
		rule.Param("dimension_numbers", dims),
		rule.Param("indices_are_sorted", rule.PyBool(s.Sorted)),
		rule.Param("mode", s.Mode),
		rule.Param("unique_indices", rule.PyBool(s.Unique)),
		rule.Param("update_consts", "()"),
		rule.Param("update_jaxpr", update),
	}
}

func (p ScatterP) Params() []core.Param {
	if p.Combine == CombineSet {
		return p.paramsWith("None")
	}
	return p.paramsWith(combine(combiners[p.Combine].op, p.DType))
}

func (p ScatterApplyP) Params() []core.Param { return p.paramsWith(p.F) }

// Programs returns the update program.
func (p ScatterApplyP) Programs() []*jaxpr.Jaxpr { return []*jaxpr.Jaxpr{p.F} }

func (p ScatterApplyP) Effects() core.Effect { return p.F.Effects() }

func (p ScatterApplyP) AxisNames() iter.Seq[string] { return p.F.AxisNames() }

type combination struct {
	p  core.Primitive
	dt core.DType
}

var combinations sync.Map // combination → *jaxpr.Jaxpr

// combine returns the program of p on two scalars of type dt. There is one object for each p and
// dt, so that a text shows it once.
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

func (s Scattering) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 3)
	x, idx, u := in[0], in[1], in[2]
	rule.SameDType(x, u)
	batch := indexShape(idx)
	numbersFit("scatter_dims_to_operand_dims", s.ScatterDimsToOperandDims, x, idx.Shape.At(-1))
	batchingFits(s.OperandBatchingDims, s.ScatterIndicesBatchingDims, s.ScatterDimsToOperandDims, s.InsertedWindowDims, x, idx)
	if !rule.Increasing(s.UpdateWindowDims, u.Rank()) {
		core.Failf(core.ErrIndex, "update_window_dims %v must be increasing axes of the updates %v; sort them", s.UpdateWindowDims, u.Full())
	}
	if got := s.UpdateWindowDims.Len() + s.InsertedWindowDims.Len() + s.OperandBatchingDims.Len(); got != x.Rank() {
		core.Failf(core.ErrIndex, "window, inserted and batching axes are %d together, but %v has %s; name each axis once", got, x.Full(), core.Count(x.Rank(), "axis"))
	}
	if places := u.Shape.Remove(s.UpdateWindowDims.Ints()...); places != batch {
		core.Failf(core.ErrIndex, "the updates %v have windows for positions of shape %v, but the index array %v has %v; make them equal", u.Full(), places, idx.Full(), batch)
	}
	k := 0
	for i, n := range x.Shape.All() {
		if s.single(i) {
			continue
		}
		if w := u.Shape.At(s.UpdateWindowDims.At(k)); w > n {
			core.Failf(core.ErrIndex, "a window of %s does not fit axis %d of %v; use a smaller one", core.Count(w, "element"), i, x.Full())
		}
		k++
	}
	return []core.ShapedArray{x}
}

// single reports whether windows have no axis for axis i of the array.
func (s Scattering) single(i int) bool {
	return s.InsertedWindowDims.Has(i) || s.OperandBatchingDims.Has(i)
}

func (p ScatterP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	out := p.Scattering.Abstract(in)
	if p.Combine == CombineSet {
		return out
	}
	dt := p.DType
	if in[0].DType != dt {
		core.Failf(core.ErrDType, "operands must be %v (got %v); convert first", dt, in[0].Full())
	}
	ordered := p.Combine == CombineMin || p.Combine == CombineMax
	if !dt.IsNumber() && !(ordered && dt.IsBool()) {
		core.Failf(core.ErrDType, "%v has no such arithmetic; convert it first", in[0].Full())
	}
	return out
}

func (p ScatterApplyP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	out := p.Scattering.Abstract(in)
	a := core.Aval(in[0].DType)
	if len(p.F.Ins) != 2 || !p.F.Ins[0].Type.SameType(a) || !p.F.Ins[1].Type.SameType(a) ||
		len(p.F.Outs) != 1 || !p.F.Outs[0].Aval().SameType(a) {
		core.Failf(core.ErrCheck, "the update program must map two %v to one; change its types", a)
	}
	return out
}

// withBatchAxis returns s for an array and updates with a leading batch axis. indexed reports
// whether the index array has one too.
func (s Scattering) withBatchAxis(indexed bool) Scattering {
	s.InsertedWindowDims = s.InsertedWindowDims.Next()
	s.ScatterDimsToOperandDims = s.ScatterDimsToOperandDims.Next()
	if !indexed {
		// All of the batch writes to the same positions: one more window axis.
		s.UpdateWindowDims = rule.BatchAxisThen(s.UpdateWindowDims)
		s.OperandBatchingDims = s.OperandBatchingDims.Next()
		return s
	}
	s.UpdateWindowDims = s.UpdateWindowDims.Next()
	s.OperandBatchingDims = rule.BatchAxisThen(s.OperandBatchingDims)
	s.ScatterIndicesBatchingDims = rule.BatchAxisThen(s.ScatterIndicesBatchingDims)
	return s
}

// batched binds p, whose axes are moved already, to operands with the batch's axis.
func batched(p core.Primitive, n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(p, prim.AtFront(n, in[0], mapped[0]), in[1], prim.AtFront(n, in[2], mapped[2]))
}

func (p ScatterP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	p.Scattering = p.withBatchAxis(mapped[1])
	return batched(p, n, in, mapped)
}

func (p ScatterApplyP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return batched(ScatterApplyP{p.withBatchAxis(mapped[1]), p.F}, n, in, mapped)
}
