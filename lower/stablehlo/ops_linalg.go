package stablehlo

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/windows"
)

var linalgOps map[string]operation

func linalgTable() {
	linalgOps = map[string]operation{
		"stablehlo.dot_general":          dotGeneralOp,
		"stablehlo.dot":                  dotOp,
		"stablehlo.convolution":          convolutionOp,
		"stablehlo.triangular_solve":     triangularSolveOp,
		"stablehlo.cholesky":             choleskyOp,
		"stablehlo.fft":                  fftOp,
		"stablehlo.batch_norm_inference": batchNormInferenceOp,
		"stablehlo.batch_norm_training":  batchNormTrainingOp,
		"stablehlo.batch_norm_grad":      batchNormGradOp,
	}
}

// dotGeneralOp contracts two arrays. The result has the declared element type.
func dotGeneralOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	p := prim.DotGeneralP{}
	if d := f.dict(o, "dot_dimension_numbers"); d != nil {
		p.LhsBatch, p.RhsBatch = dims(d.ints(f.translator, "lhs_batching_dimensions")), dims(d.ints(f.translator, "rhs_batching_dimensions"))
		p.LhsContract, p.RhsContract = dims(d.ints(f.translator, "lhs_contracting_dimensions")), dims(d.ints(f.translator, "rhs_contracting_dimensions"))
	} else {
		p.LhsContract, p.RhsContract = f.pair(o, "contracting_dims")
		p.LhsBatch, p.RhsBatch = f.pair(o, "batching_dims")
	}
	return []core.Value{f.dot(o, in[0], in[1], p)}
}

// pair reads [0] x [1].
func (f *frame) pair(o *op, key string) (x, y core.Dims) {
	a, ok := f.attr(o, key)
	if !ok {
		return x, y
	}
	p, ok := a.(pairAttr)
	if !ok {
		f.fail(core.ErrCheck, "%s must be two lists with x between; write it as [0] x [1]", key)
	}
	return dims(f.intsOf(key, p.x)), dims(f.intsOf(key, p.y))
}

// fusedAttr marks the contractions that Write writes, whose steps are fused: see isSeparate.
const fusedAttr = "weft_fused"

// dot contracts x and y into elements of the operation's result.
func (f *frame) dot(o *op, x, y core.Value, p prim.DotGeneralP) core.Value {
	x, y, p.Preferred = contracted(x, y, f.resultElem(o))
	if _, fused := o.attr(fusedAttr); !fused && isSeparate(x.Aval(), y.Aval(), p) {
		return separateDot(x, y, p)
	}
	return prim.DotGeneral(x, y, p)
}

// maxSeparate is the length of the longest contraction of complex numbers whose products are rounded
// before they are added. Such a program grows with the length: longer contractions are a dot_general,
// which is faster and whose steps are fused.
const maxSeparate = 8

// isSeparate reports whether p contracts few complex numbers. The specification defines a
// contraction as a multiplication, whose results have the element type, and a reduction by
// addition in an order that it leaves open. Steps that are fused round differently: where the
// parts of products cancel, results differ by up to 172 units in the last place from those
// that StableHLO's own programs expect, and these allow 3.
func isSeparate(x, y core.ShapedArray, p prim.DotGeneralP) bool {
	if !x.DType.IsComplex() || x.DType != y.DType || p.Preferred != core.Invalid ||
		p.LhsContract.Len() != p.RhsContract.Len() || p.LhsBatch.Len() != p.RhsBatch.Len() {
		return false
	}
	k := 1
	for i, a := range p.LhsContract.All() {
		b := p.RhsContract.At(i)
		if a < 0 || a >= x.Rank() || b < 0 || b >= y.Rank() || x.Shape.At(a) != y.Shape.At(b) || x.Shape.At(a) > maxSeparate {
			return false
		}
		k *= x.Shape.At(a)
	}
	return k > 0 && k <= maxSeparate
}

// separateDot returns a contraction as a sum of products in the order of the contracted
// elements, each product and sum an operation of its own.
func separateDot(x, y core.Value, p prim.DotGeneralP) core.Value {
	out := core.AbstractOf(p, []core.ShapedArray{x.Aval(), y.Aval()})[0].Shape
	batch := p.LhsBatch.Len()
	xs, k := rows(x, p.LhsBatch, p.LhsContract)
	ys, _ := rows(y, p.RhsBatch, p.RhsContract)
	left := xs.Aval().Rank() - 1 // the number of batch axes and of free axes of x
	toX, toY := core.Range(0, left), core.Range(0, batch).Append(core.Range(left, out.Len()).Ints()...)
	sum := prim.Zeros(core.Aval(x.Aval().DType, out.Ints()...))
	for i := range k {
		sum = prim.Add(sum, prim.Mul(prim.BroadcastInDim(lastAt(xs, i), out, toX), prim.BroadcastInDim(lastAt(ys, i), out, toY)))
	}
	return sum
}

// rows returns x with its batch axes first and its contracted axes as the last one, of
// length k.
func rows(x core.Value, batch, contract core.Dims) (y core.Value, k int) {
	shape := x.Aval().Shape
	free := core.Range(0, shape.Len()).Remove(append(batch.Ints(), contract.Ints()...)...)
	perm := batch.Append(free.Ints()...)
	k = 1
	for _, a := range contract.All() {
		k *= shape.At(a)
	}
	var sizes []int
	for _, a := range perm.All() {
		sizes = append(sizes, shape.At(a))
	}
	return prim.Reshape(prim.Transpose(x, perm.Append(contract.Ints()...)), dims(append(sizes, k))), k
}

func lastAt(x core.Value, i int) core.Value {
	shape := x.Aval().Shape
	last := shape.Len() - 1
	start, limit := make([]int, last+1), shape.Ints()
	start[last], limit[last] = i, i+1
	return prim.Reshape(prim.Slice(x, dims(start), dims(limit), core.Dims{}), shape.Remove(last))
}

// contracted makes a contraction return elements of type dt. If the operands share another type of its kind that is
// not wider, dt is the preferred type; operands of other types are converted.
func contracted(x, y core.Value, dt core.DType) (a, b core.Value, preferred core.DType) {
	s, t := x.Aval().DType, y.Aval().DType
	switch {
	case s == dt && t == dt:
		return x, y, core.Invalid
	case s == t && s.Bits() <= dt.Bits() && (s.IsFloat() && dt.IsFloat() || s.IsSigned() && dt.IsSigned() || s.IsUnsigned() && dt.IsUnsigned()):
		return x, y, dt
	}
	return convert(x, dt), convert(y, dt), core.Invalid
}

// dotOp contracts the last axis of the first operand with the first axis of the second.
func dotOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	n := in[0].Aval().Rank()
	if n == 0 || in[1].Aval().Rank() == 0 {
		f.fail(core.ErrShape, "takes vectors or matrices; multiply by a scalar with stablehlo.multiply")
	}
	return []core.Value{f.dot(o, in[0], in[1], prim.DotGeneralP{LhsContract: dims([]int{n - 1}), RhsContract: dims([]int{0})})}
}

func convolutionOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	return []core.Value{f.convolution(o, in[0], in[1], nil)}
}

// convolution slides w over x. padding is nil if it is an attribute and not an operand.
func (f *frame) convolution(o *op, x, w core.Value, padding []int) core.Value {
	rank := x.Aval().Rank()
	if rank < 2 || w.Aval().Rank() != rank {
		f.invalid(core.ErrShape, "takes operands of one rank, at least 2, got %s and %s", typeText(x.Aval()), typeText(w.Aval()))
	}
	n := rank - 2
	a, _ := f.attr(o, "dimension_numbers")
	c, ok := a.(convAttr)
	if !ok {
		f.missing("dimension_numbers")
	}
	if padding == nil {
		padding = f.intsOr(o, "padding", 2*n, 0)
	}
	if len(padding) != 2*n {
		f.fail(core.ErrShape, "the padding has %s, want %d; write two for each spatial axis", core.Count(len(padding), "entry"), 2*n)
	}
	p := windows.ConvP{
		Strides:       dims(f.intsOr(o, "window_strides", n, 1)),
		Padding:       dims(padding),
		LhsDilation:   dims(f.intsOr(o, "lhs_dilation", n, 1)),
		RhsDilation:   dims(f.intsOr(o, "rhs_dilation", n, 1)),
		LhsSpec:       f.convSpec(c.lhs, 'b', 'f', n),
		RhsSpec:       f.convSpec(c.rhs, 'o', 'i', n),
		OutSpec:       f.convSpec(c.out, 'b', 'f', n),
		FeatureGroups: f.intOr(o, "feature_group_count", 1),
		BatchGroups:   f.intOr(o, "batch_group_count", 1),
	}
	var reversed []int
	for i, r := range f.intsOr(o, "window_reversal", n, 0) {
		if r != 0 {
			reversed = append(reversed, p.RhsSpec.At(i+2))
		}
	}
	if len(reversed) > 0 {
		w = prim.Rev(w, f.axes(reversed, rank))
	}
	x, w, p.Preferred = contracted(x, w, f.resultElem(o))
	return windows.ConvGeneralDilated(x, w, p)
}

// convSpec returns the axes of an operand in order: those labeled first and second, then the spatial ones.
func (f *frame) convSpec(labels []string, first, second byte, spatial int) core.Dims {
	spec := make([]int, spatial+2)
	if len(labels) != len(spec) {
		f.fail(core.ErrShape, "the dimension numbers %v do not fit %d spatial axes; name each of these, and the two others", labels, spatial)
	}
	seen := make([]bool, len(spec))
	for axis, l := range labels {
		k := -1
		switch {
		case l == string(first):
			k = 0
		case l == string(second):
			k = 1
		default:
			if n, err := strconv.Atoi(l); err == nil && n >= 0 && n < spatial {
				k = n + 2
			}
		}
		if k < 0 || seen[k] {
			f.fail(core.ErrShape, "the dimension numbers %v must name each axis once; correct them, as in [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]", labels)
		}
		seen[k] = true
		spec[k] = axis
	}
	return dims(spec)
}

func triangularSolveOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	p := matrices.TriangularSolveP{
		LeftSide:     f.boolOr(o, "left_side", false),
		Lower:        f.boolOr(o, "lower", false),
		UnitDiagonal: f.boolOr(o, "unit_diagonal", false),
	}
	switch t := f.text(o, "transpose_a"); t {
	case "", "NO_TRANSPOSE":
	case "TRANSPOSE":
		p.TransposeA = true
	case "ADJOINT":
		p.TransposeA, p.ConjugateA = true, true
	default:
		f.fail(core.ErrCheck, "there is no transpose_a %q; use NO_TRANSPOSE, TRANSPOSE or ADJOINT", t)
	}
	return []core.Value{matrices.TriangularSolve(in[0], in[1], p)}
}

// lowerRoot returns the Cholesky factor with zeros above the diagonal.
func lowerRoot(x core.Value) core.Value {
	y := matrices.Cholesky(x)
	return prim.Where(onMatrices(y, prim.Ge), y, prim.Zeros(y.Aval()))
}

// choleskyOp computes the factor from the triangle that the attribute lower selects.
func choleskyOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	if f.boolOr(o, "lower", false) {
		return []core.Value{lowerRoot(in[0])}
	}
	return []core.Value{adjoint(lowerRoot(adjoint(in[0])))}
}

func adjoint(x core.Value) core.Value {
	a := x.Aval()
	n := a.Rank()
	if n < 2 {
		return x
	}
	x = prim.Transpose(x, core.Range(0, n-2).Append(n-1, n-2))
	if a.DType.IsComplex() {
		x = prim.Conj(x)
	}
	return x
}

// along spreads a vector along one axis of an array like x.
func along(v, x core.Value, axis int) core.Value {
	return prim.BroadcastInDim(v, x.Aval().Shape, dims([]int{axis}))
}

func (f *frame) feature(o *op, x core.Value) (axis int, others core.Dims) {
	axis = f.int(o, "feature_index")
	if n := x.Aval().Rank(); axis < 0 || axis >= n {
		f.invalid(core.ErrShape, "feature_index %d is not an axis of %s", axis, typeText(x.Aval()))
	}
	return axis, core.Range(0, x.Aval().Rank()).Remove(axis)
}

// normalized returns x − mean and √(variance + ε), both of the shape of x.
func normalized(x, mean, variance core.Value, epsilon float64, axis int) (centered, deviation core.Value) {
	a := variance.Aval()
	centered = prim.Sub(x, along(mean, x, axis))
	return centered, along(prim.Sqrt(prim.Add(variance, prim.Num(a, epsilon))), x, axis)
}

// batchNormInferenceOp returns scale · (x − mean) / √(variance + ε) + offset.
func batchNormInferenceOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 5)
	axis, _ := f.feature(o, in[0])
	c, d := normalized(in[0], in[3], in[4], f.float(o, "epsilon"), axis)
	return []core.Value{prim.Add(prim.Mul(along(in[1], in[0], axis), prim.Div(c, d)), along(in[2], in[0], axis))}
}

// moments returns mean and biased variance over all axes but one.
func moments(x core.Value, axis int, others core.Dims) (mean, variance core.Value) {
	a := x.Aval()
	n := prim.Num(a, float64(a.Size()/max(a.Shape.At(axis), 1)))
	mean = prim.Div(prim.ReduceSum(x, others), n)
	c := prim.Sub(x, along(mean, x, axis))
	return mean, prim.Div(prim.ReduceSum(prim.Mul(c, c), others), n)
}

func batchNormTrainingOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 3)
	axis, others := f.feature(o, in[0])
	mean, variance := moments(in[0], axis, others)
	c, d := normalized(in[0], mean, variance, f.float(o, "epsilon"), axis)
	y := prim.Add(prim.Mul(along(in[1], in[0], axis), prim.Div(c, d)), along(in[2], in[0], axis))
	return []core.Value{y, mean, variance}
}

// batchNormGradOp returns the derivative of batch_norm_training as the specification has it.
func batchNormGradOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 5)
	x, scale, mean, variance, grad := in[0], in[1], in[2], in[3], in[4]
	axis, others := f.feature(o, x)
	c, d := normalized(x, mean, variance, f.float(o, "epsilon"), axis)
	a := x.Aval()
	n := prim.Num(a, float64(a.Size()/max(a.Shape.At(axis), 1)))
	sum := func(v core.Value) core.Value { return prim.ReduceSum(v, others) }
	gradOffset := sum(grad)
	gradScale := sum(prim.Mul(grad, prim.Div(c, d)))
	i1 := prim.Mul(grad, n)
	i2 := along(sum(grad), x, axis)
	i3 := along(sum(prim.Mul(grad, c)), x, axis)
	i4 := prim.Mul(i3, c)
	i5 := prim.Div(i4, prim.Add(along(variance, x, axis), prim.Num(a, f.float(o, "epsilon"))))
	i6 := prim.Sub(prim.Sub(i1, i2), i5)
	gradX := prim.Mul(prim.Div(prim.Div(along(scale, x, axis), d), n), i6)
	return []core.Value{gradX, gradScale, gradOffset}
}
