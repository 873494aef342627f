package stablehlo

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
)

// structural writes operations with parameters and programs. It returns nil if there is no counterpart.
func (b *block) structural(p core.Primitive, in []operand, out []core.ShapedArray) []operand {
	one := func(x operand) []operand { return []operand{x} }
	attrOp := func(name, attrs string) []operand { return b.generic("stablehlo."+name, attrs, out, nil, in...) }
	retyped := func() []operand { return one(operand{in[0].name, out[0].Strong()}) }
	switch p := p.(type) {
	case prim.StopGradientP: // a composite keeps the operation for readers, since it changes derivatives
		if b.opt.Missing == Refuse || b.opt.Plain || in[0].aval.DType.IsKey() {
			return retyped()
		}
	case prim.CopyP, prim.NameP, prim.RandomWrapP, prim.RandomUnwrapP, rng.RandomCloneP:
		return retyped()
	case prim.SignP:
		if in[0].aval.DType.IsUnsigned() {
			return one(b.op("stablehlo.minimum", out[0], in[0], b.widen(b.number(1, in[0].aval.DType), out[0].Shape)))
		}
		return one(b.op("stablehlo.sign", out[0], in...))
	case prim.RoundP:
		name := "stablehlo.round_nearest_afz"
		if p.Method == prim.ToNearestEven {
			name = "stablehlo.round_nearest_even"
		}
		return one(b.op(name, out[0], in...))
	case prim.PowP:
		if in[0].aval.DType == in[1].aval.DType {
			return one(b.op("stablehlo.power", out[0], b.spread(in, out[0])...))
		}
	case prim.ConvertElementTypeP:
		if in[0].aval.DType == p.NewDType {
			return retyped()
		}
		return one(b.op("stablehlo.convert", out[0], in...))
	case prim.BitcastConvertTypeP:
		return one(b.op("stablehlo.bitcast_convert", out[0], in...))
	case prim.ReducePrecisionP:
		if p.MantissaBits > 0 {
			return attrOp("reduce_precision", fmt.Sprintf("exponent_bits = %d : i32, mantissa_bits = %d : i32", p.ExponentBits, p.MantissaBits))
		}
	case prim.SelectNP:
		return one(b.selectN(in, out[0]))
	case prim.ClampP:
		lo, hi := in[0], in[2]
		if s := in[1].aval.Shape; lo.aval.Rank() != hi.aval.Rank() {
			lo, hi = b.widen(lo, s), b.widen(hi, s)
		}
		if !in[1].aval.DType.IsBool() {
			return one(b.op("stablehlo.clamp", out[0], lo, in[1], hi))
		}
	case prim.IotaP:
		x := operand{b.fresh(), out[0]}
		b.line("%s = stablehlo.iota dim = %d : %s", x.name, p.Dimension, x.typ())
		return one(x)
	case prim.EmptyP, prim.Empty2P:
		return one(b.widen(b.number(0, out[0].DType), out[0].Shape))
	case prim.BroadcastInDimP:
		return one(b.broadcast(in[0], out[0].Shape, p.Dims))
	case prim.ReshapeP, prim.SqueezeP:
		return one(b.reshape(in[0], out[0].Shape))
	case prim.TransposeP:
		return attrOp("transpose", "permutation = "+i64s(p.Perm))
	case prim.RevP:
		return attrOp("reverse", "dimensions = "+i64s(p.Dims))
	case prim.ConcatenateP:
		return attrOp("concatenate", fmt.Sprintf("dimension = %d : i64", p.Dimension))
	case prim.SliceP:
		strides := make([]int, p.Start.Len())
		for i := range strides {
			strides[i] = p.Stride(i)
		}
		return attrOp("slice", "start_indices = "+i64s(p.Start)+", limit_indices = "+i64s(p.Limit)+", strides = "+i64s(dims(strides)))
	case prim.PadP:
		var lo, hi, interior []int
		for i := range in[0].aval.Rank() {
			l, h, k := p.Axis(i)
			lo, hi, interior = append(lo, l), append(hi, h), append(interior, k)
		}
		return attrOp("pad", "edge_padding_low = "+i64s(dims(lo))+", edge_padding_high = "+i64s(dims(hi))+", interior_padding = "+i64s(dims(interior)))
	case indexed.DynamicSliceP:
		return attrOp("dynamic_slice", "slice_sizes = "+i64s(p.Sizes))
	case indexed.DynamicUpdateSliceP:
		if b.opt.Division != nil {
			in = b.startInside(in)
		}
		return attrOp("dynamic_update_slice", "")
	case prim.OptimizationBarrierP:
		if len(in) == 0 {
			return []operand{}
		}
		return attrOp("optimization_barrier", "")
	case prim.DotGeneralP:
		if b.plainProduct(in, out[0]) {
			numbers := fmt.Sprintf("dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = %s, rhs_batching_dimensions = %s, lhs_contracting_dimensions = %s, rhs_contracting_dimensions = %s>",
				listText(p.LhsBatch), listText(p.RhsBatch), listText(p.LhsContract), listText(p.RhsContract))
			q := p
			q.Preferred = core.Invalid
			if isSeparate(in[0].aval, in[1].aval, q) {
				numbers += ", " + fusedAttr
			}
			return attrOp("dot_general", numbers)
		}
	case windows.ConvP:
		if in[0].aval.Size() == 0 || in[1].aval.Size() == 0 { // XLA refuses windows of size 0
			return one(b.widen(b.number(0, out[0].DType), out[0].Shape))
		}
		if b.plainProduct(in, out[0]) {
			return attrOp("convolution", convText(p))
		}
	case *lapackCall:
		return b.custom(p, in, out)
	case prim.FFTP:
		if in[0].aval.Size() > 0 && out[0].Size() > 0 {
			return attrOp("fft", fmt.Sprintf("fft_type = #stablehlo<fft_type %s>, fft_length = %s", fftName(p.Kind), i64s(p.Lengths)))
		}
		return one(b.widen(b.number(0, out[0].DType), out[0].Shape))
	case matrices.CholeskyP: // XLA leaves arbitrary elements in the other triangle; here they are the operand's, without a derivative
		above, x := in, in[0]
		if b.opt.Missing != Refuse {
			above = b.composite(prim.StopGradientP{}, in, []core.ShapedArray{x.aval})
		}
		if b.opt.Plain && x.aval.DType.IsComplex() {
			x = b.realDiagonal(x)
		}
		root := b.generic("stablehlo.cholesky", "lower = true", out, nil, x)[0]
		y := b.byDiagonal("GE", root, above[0])
		if b.opt.Plain && x.aval.Size() > 0 {
			y = b.notANumber(root, y)
		}
		return one(y)
	case matrices.TriangularSolveP:
		t := "NO_TRANSPOSE"
		if p.TransposeA {
			t = "TRANSPOSE"
			if p.ConjugateA {
				t = "ADJOINT"
			}
		} else if p.ConjugateA && in[0].aval.DType.IsComplex() {
			return nil
		}
		return attrOp("triangular_solve", fmt.Sprintf("left_side = %t, lower = %t, unit_diagonal = %t, transpose_a = #stablehlo<transpose %s>", p.LeftSide, p.Lower, p.UnitDiagonal, t))
	case indexed.TopKP:
		if p.Axis == in[0].aval.Rank()-1 && b.opt.Missing == CHLO && !in[0].aval.DType.IsBool() {
			v, i := operand{b.fresh(), out[0].Strong()}, operand{b.fresh(), out[1]}
			b.line("%s, %s = chlo.top_k(%s, k = %d) : %s -> (%s, %s)", v.name, i.name, in[0].name, p.K, in[0].typ(), v.typ(), i.typ())
			return []operand{v, i}
		}
	case indexed.GatherP:
		if p.Mode != indexed.FillOrDrop {
			return attrOp("gather", fmt.Sprintf("dimension_numbers = #stablehlo.gather<offset_dims = %s, collapsed_slice_dims = %s, operand_batching_dims = %s, start_indices_batching_dims = %s, start_index_map = %s, index_vector_dim = %d>, slice_sizes = %s, indices_are_sorted = %t",
				listText(p.OffsetDims), listText(p.CollapsedSliceDims), listText(p.OperandBatchingDims), listText(p.StartIndicesBatchingDims), listText(p.StartIndexMap), in[1].aval.Rank()-1, i64s(p.SliceSizes), p.Sorted))
		}
	}
	if x := b.reductions(p, in, out); x != nil {
		return x
	}
	return b.programs(p, in, out)
}

// byDiagonal takes elements of matrices from yes if their row compares with their column as direction says, else from no.
func (b *block) byDiagonal(direction string, yes, no operand) operand {
	a := yes.aval
	iota := func(axis int) operand {
		i := operand{b.fresh(), a.WithDType(core.Int32)}
		b.line("%s = stablehlo.iota dim = %d : %s", i.name, axis, i.typ())
		return i
	}
	r := a.Rank()
	return b.choose(b.compare(direction, false, a.WithDType(core.Bool), []operand{iota(r - 2), iota(r - 1)}), yes, no)
}

// realDiagonal returns matrices without the imaginary parts of their diagonals. XLA's Cholesky factor would contain them.
func (b *block) realDiagonal(x operand) operand {
	part := x.aval.WithDType(x.aval.DType.Real())
	zero := b.widen(b.number(0, part.DType), part.Shape)
	return b.byDiagonal("EQ", b.op("stablehlo.complex", x.aval, b.op("stablehlo.real", part, x), zero), x)
}

// notANumber returns y with NaN in each matrix for which the last element of root is NaN, as for a matrix that is not
// positive definite. XLA has NaN only in one triangle, and only in the real part.
func (b *block) notANumber(root, y operand) operand {
	a := root.aval
	r, n := a.Rank(), a.Shape.At(a.Rank()-1)
	start, limit := make([]int, r), a.Shape.Ints()
	start[r-2], start[r-1] = n-1, n-1
	last := a.Shape.Ints()
	last[r-2], last[r-1] = 1, 1
	x := b.generic("stablehlo.slice", fmt.Sprintf("limit_indices = %s, start_indices = %s, strides = %s", i64s(dims(limit)), i64s(dims(start)), i64s(dims(slices.Repeat([]int{1}, r)))),
		[]core.ShapedArray{a.WithShape(dims(last))}, nil, root)[0]
	x = b.reshape(x, a.Shape.Slice(0, r-2))
	bad := b.broadcast(b.compare("NE", false, x.aval.WithDType(core.Bool), []operand{x, x}), a.Shape, core.Range(0, r-2))
	nan := core.FloatNumber(math.NaN())
	if a.DType.IsComplex() {
		nan = core.ComplexNumber(complex(math.NaN(), math.NaN()))
	}
	return b.choose(bad, b.widen(b.literal(core.Lit(nan, a.DType)), a.Shape), y)
}

// plainProduct reports whether StableHLO's product takes the operands as they are.
func (b *block) plainProduct(in []operand, out core.ShapedArray) bool {
	x, y := in[0].aval.DType, in[1].aval.DType
	return x == y && !x.IsBool()
}

func convText(p windows.ConvP) string {
	spec := func(d core.Dims, first, second string) string {
		labels := make([]string, d.Len())
		for k, axis := range d.All() {
			switch k {
			case 0:
				labels[axis] = first
			case 1:
				labels[axis] = second
			default:
				labels[axis] = strconv.Itoa(k - 2)
			}
		}
		return "[" + strings.Join(labels, ", ") + "]"
	}
	return fmt.Sprintf("window_strides = %s, padding = %s, lhs_dilation = %s, rhs_dilation = %s, dimension_numbers = #stablehlo.conv<%sx%s->%s>, feature_group_count = %d : i64, batch_group_count = %d : i64",
		i64s(p.Strides), pairsText(p.Padding), i64s(p.LhsDilation), i64s(p.RhsDilation),
		spec(p.LhsSpec, "b", "f"), spec(p.RhsSpec, "o", "i"), spec(p.OutSpec, "b", "f"), p.FeatureGroups, p.BatchGroups)
}

// pairsText returns a list of pairs as dense.
func pairsText(d core.Dims) string {
	n := d.Len() / 2
	if n == 0 {
		return "dense<> : tensor<0x2xi64>"
	}
	rows := make([]string, n)
	for i := range rows {
		rows[i] = listText(d.Slice(2*i, 2*i+2))
	}
	return fmt.Sprintf("dense<[%s]> : tensor<%dx2xi64>", strings.Join(rows, ", "), n)
}
