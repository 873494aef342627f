package indexed

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// back returns the gather that reads from an array of type x what a scatter of updates
// of type u writes; 0 where the scatter drops.
func (s Scattering) back(x, u core.ShapedArray) GatherP {
	sizes := make([]int, x.Rank())
	k := 0
	for i := range sizes {
		if s.single(i) {
			sizes[i] = 1
			continue
		}
		sizes[i] = u.Shape.At(s.UpdateWindowDims.At(k))
		k++
	}
	p := GatherP{
		OffsetDims:               s.UpdateWindowDims,
		CollapsedSliceDims:       s.InsertedWindowDims,
		StartIndexMap:            s.ScatterDimsToOperandDims,
		OperandBatchingDims:      s.OperandBatchingDims,
		StartIndicesBatchingDims: s.ScatterIndicesBatchingDims,
		SliceSizes:               core.MakeDims(sizes...),
		Mode:                     s.Mode,
		Sorted:                   s.Sorted,
		Unique:                   s.Unique,
	}
	if p.Mode == FillOrDrop {
		p.Fill = core.IntNumber(0)
	}
	return p
}

// gatherBack gathers from y with back. If there are no elements it returns zeros, since a gather
// would fail.
func (s Scattering) gatherBack(y, idx core.Value, u core.ShapedArray) core.Value {
	a := y.Aval()
	if a.Size() == 0 || u.Size() == 0 {
		return prim.Zeros(u.WithDType(a.DType))
	}
	return Gather(y, idx, s.back(a, u))
}

// linearScatter returns the derivative of p, which is linear in array and updates.
func linearScatter(p core.Primitive, in, t []core.Value) []core.Value {
	if t[0] == nil && t[2] == nil {
		return make([]core.Value, 1)
	}
	av := core.AvalsOf(in)
	tt := prim.OrZeros([]core.Value{t[0], t[2]}, []core.ShapedArray{av[0], av[2]})
	return core.Bind(p, tt[0], in[1], tt[1])
}

// JVP returns the scatter of the tangents where p is linear, the product rule for CombineMul, and
// for CombineMin and CombineMax the mean of the tangents of the elements and updates that equal
// the result.
func (p ScatterP) JVP(in, out, t []core.Value) []core.Value {
	switch p.Combine {
	case CombineMul:
		return p.productJVP(in, t)
	case CombineMin, CombineMax:
		return p.extremumJVP(in, out, t)
	}
	return linearScatter(p, in, t)
}

// Transpose gathers the cotangents of the updates at their positions, negated for CombineSub. The
// cotangent of the array is the whole cotangent, or for CombineSet its part where nothing was
// written. CombineMul can be transposed only with respect to the array: it multiplies the
// cotangent by the updates. CombineMin and CombineMax are not linear.
func (p ScatterP) Transpose(ct, in []core.Value, lin []bool, av []core.ShapedArray) []core.Value {
	out := make([]core.Value, 3)
	switch p.Combine {
	case CombineSet:
		return p.transposeSet(ct, in, lin, av)
	case CombineMul:
		if lin[2] {
			core.Failf(core.ErrNoRule, "is not linear in its updates; multiply by a scatter-add of them instead")
		}
		out[0] = core.Bind1(p, ct[0], in[1], in[2])
		return out
	case CombineMin, CombineMax:
		core.Failf(core.ErrNoRule, "is not linear and cannot be transposed; stop the gradient before it")
	}
	if lin[0] {
		out[0] = ct[0]
	}
	if lin[2] {
		out[2] = p.gatherBack(ct[0], in[1], av[2])
		if p.Combine == CombineSub {
			out[2] = prim.Neg(out[2])
		}
	}
	return out
}

// transposeSet passes to each update the cotangent at its position if that update is the one
// written there. If no two updates can coincide (Unique, except under Clip) that is a gather; else
// updates are numbered, and the numbers, once scattered, tell which update was written.
func (p ScatterP) transposeSet(ct, in []core.Value, lin []bool, av []core.ShapedArray) []core.Value {
	idx, u := in[1], av[2]
	out := make([]core.Value, 3)
	if lin[0] {
		out[0] = Scatter(ct[0], idx, prim.Zeros(u), p.Scattering)
	}
	if !lin[2] {
		return out
	}
	out[2] = p.gatherBack(ct[0], idx, u)
	if !p.Unique || p.Mode == Clip { // two indices outside may be clipped to one position
		ids := p.ids(u)
		who := Scatter(prim.Zeros(av[0].Strong().WithDType(ids.Aval().DType)), idx, ids, p.Scattering)
		won := prim.Eq(ids, p.gatherBack(who, idx, u))
		out[2] = prim.SelectN(won, prim.Zeros(out[2].Aval()), out[2])
	}
	return out
}

// ids numbers the windows of updates of type u, from 1: an array of u's shape. One window reaches
// each element at most once, so that its number suffices.
func (s Scattering) ids(u core.ShapedArray) core.Value {
	dt := core.Uint32
	if int64(u.Size()) >= 1<<32-1 {
		dt = core.Uint64
	}
	if u.Rank() == 0 || u.Size() == 0 {
		return prim.Full(core.ShapedArray{Shape: u.Shape, DType: dt}, 1)
	}
	places := u.Shape.Remove(s.UpdateWindowDims.Ints()...)
	n := places.Size()
	ids := prim.Iota(dt, core.MakeDims(n), 0)
	ids = prim.Reshape(prim.Add(ids, prim.Num(ids.Aval(), 1)), places)
	var dims []int
	for i := range u.Rank() {
		if !s.UpdateWindowDims.Has(i) {
			dims = append(dims, i)
		}
	}
	return prim.BroadcastInDim(ids, u.Shape, core.MakeDims(dims...))
}

// productJVP returns d(x·u) = dx·u + x·du. Where updates share a position, du would also be
// multiplied by the others, so du demands the promise of unique indices.
func (p ScatterP) productJVP(in, t []core.Value) []core.Value {
	x, idx, u := in[0], in[1], in[2]
	var dx, du core.Value
	if t[0] != nil {
		dx = core.Bind1(p, t[0], idx, u)
	}
	if t[2] != nil {
		if !p.Unique {
			core.Failf(core.ErrNoRule, "has a derivative with respect to the updates only if no two of them share a position; promise unique indices if that is so")
		}
		du = prim.Mul(x, ScatterAdd(prim.Zeros(x.Aval()), idx, t[2], p.Scattering))
	}
	switch {
	case dx == nil:
		return rule.One(du)
	case du == nil:
		return rule.One(dx)
	}
	return rule.One(prim.AddAny(dx, du))
}

// extremumJVP returns the derivative of min and max: the mean of the tangents of the
// elements and updates that equal the result. A NaN among the updates has no
// tangent; one in the array keeps its own.
func (p ScatterP) extremumJVP(in, out, t []core.Value) []core.Value {
	if t[0] == nil && t[2] == nil {
		return make([]core.Value, 1)
	}
	x, idx, u, y := in[0], in[1], in[2], out[0]
	a := x.Aval()
	kept := prim.Convert(prim.Or(prim.Eq(x, y), prim.Ne(x, x)), a.DType, a.Weak)
	won := prim.Convert(prim.Eq(u, p.gatherBack(y, idx, u.Aval())), a.DType, a.Weak)
	scatterAdd := func(x, u core.Value) core.Value { return ScatterAdd(x, idx, u, p.Scattering) }
	count := prim.Max(scatterAdd(kept, won), prim.Num(a.WithShape(core.Dims{}), 1)) // the sum is 0 where a NaN update won
	sum := prim.Zeros(a)
	if t[0] != nil {
		sum = prim.Mul(t[0], kept)
	}
	if t[2] != nil {
		sum = scatterAdd(sum, prim.Mul(t[2], won))
	}
	return rule.One(prim.Div(sum, count))
}

func (ScatterApplyP) NoJVP() string {
	return "the update program is not differentiated; gather, apply the function and scatter instead"
}

// scattering reads the parameters that all scatters show.
func scattering(r *jaxpr.ParamReader) Scattering {
	const dims = "dimension_numbers"
	r.MustBe("update_consts", "()")
	s := Scattering{
		UpdateWindowDims:         r.Field(dims, "update_window_dims"),
		InsertedWindowDims:       r.Field(dims, "inserted_window_dims"),
		ScatterDimsToOperandDims: r.Field(dims, "scatter_dims_to_operand_dims"),
		Mode:                     indexMode(r),
		Sorted:                   r.Bool("indices_are_sorted"),
		Unique:                   r.Bool("unique_indices"),
	}
	s.OperandBatchingDims = r.Field(dims, "operand_batching_dims")
	s.ScatterIndicesBatchingDims = r.Field(dims, "scatter_indices_batching_dims")
	return s
}

// read reads a scatter. Its update program must be the operation in its name; "scatter" has any
// program, or none.
func (p ScatterP) read(r *jaxpr.ParamReader) core.Primitive {
	s, c := scattering(r), p.Combine
	if c == CombineSet {
		if r.IsNone("update_jaxpr") {
			return s.By(c, core.Invalid)
		}
		return ScatterApplyP{s, r.Jaxpr("update_jaxpr")}
	}
	op := combiners[c].op.Name()
	j := r.Jaxpr("update_jaxpr")
	ok := len(j.Consts) == 0 && len(j.Ins) == 2 && len(j.Eqns) == 1 && len(j.Outs) == 1
	if ok {
		e := j.Eqns[0]
		ok = e.Prim.Name() == op && len(e.Ins) == 2 && e.Ins[0] == jaxpr.Atom(j.Ins[0]) && e.Ins[1] == jaxpr.Atom(j.Ins[1]) &&
			len(e.Outs) == 1 && j.Outs[0] == jaxpr.Atom(e.Outs[0])
	}
	if !ok {
		core.Failf(core.ErrParse, "update_jaxpr must be the program of %s on two scalars; leave it out or write that program", op)
	}
	return s.By(c, j.Ins[0].Type.DType)
}
