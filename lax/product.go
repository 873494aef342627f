package lax

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
)

// Precision is the precision that a program requests for products on units that round their
// operands. Programs show it, but Weft computes in the precision of the dtype unless
// [weft.Precision] permits other bits. Then products and convolutions with HighestPrecision stay exact, and the
// algorithms TF32_TF32_F32, BF16_BF16_F32 and F16_F16_F32 select how operands are rounded; a
// product with another algorithm is exact.
type Precision string

// The precisions; the zero Precision requests nothing.
const (
	DefaultPrecision Precision = "DEFAULT"
	HighPrecision    Precision = "HIGH"
	HighestPrecision Precision = "HIGHEST"
)

// Precisions requests one precision for the left operand and another for the right.
func Precisions(left, right Precision) Precision {
	return "(Precision." + left + ", Precision." + right + ")"
}

// text returns the precision as programs show it: one for each operand, or an algorithm.
func (p Precision) text() string {
	switch p {
	case DefaultPrecision, HighPrecision, HighestPrecision:
		p = Precisions(p, p)
	}
	return string(p)
}

// DotConfig lists the axes of two operands that are contracted, pairwise, and the batch axes,
// also pairwise.
type DotConfig struct {
	LhsContract, RhsContract []int
	LhsBatch, RhsBatch       []int
	Precision                Precision
	Preferred                weft.DType // of the result; the zero DType is that of the operands
}

// DotGeneral returns the sums of products of the elements of x and y along the contracted axes.
// The result has the batch axes, the other axes of x, then the other axes of y.
func DotGeneral[A, B weft.Operand](x A, y B, c DotConfig) weft.Array {
	return wrap(prim.DotGeneral(value(x), value(y), prim.DotGeneralP{
		LhsContract: core.MakeDims(c.LhsContract...), RhsContract: core.MakeDims(c.RhsContract...),
		LhsBatch: core.MakeDims(c.LhsBatch...), RhsBatch: core.MakeDims(c.RhsBatch...),
		Precision: c.Precision.text(), Preferred: c.Preferred,
	}))
}

// Dot returns the product of two matrices, of a matrix and a vector, or of two vectors.
func Dot(x, y weft.Array) weft.Array {
	a, b := x.Value().Aval(), y.Value().Aval()
	if a.Rank() < 1 || a.Rank() > 2 || b.Rank() < 1 || b.Rank() > 2 {
		core.FailOp(core.ErrShape, "dot", []core.ShapedArray{a, b}, "multiplies vectors and matrices, got %v and %v; use DotGeneral for more axes, and Mul for scalars", a.Full(), b.Full())
	}
	return DotGeneral(x, y, DotConfig{LhsContract: []int{a.Rank() - 1}, RhsContract: []int{0}})
}

// BatchMatmul returns the products of matrices, the last two axes; all axes before are batch
// axes.
func BatchMatmul(x, y weft.Array) weft.Array {
	a, b := x.Value().Aval(), y.Value().Aval()
	if a.Rank() < 2 || a.Rank() != b.Rank() {
		core.FailOp(core.ErrShape, "batch_matmul", []core.ShapedArray{a, b}, "operands must be stacks of matrices of equal ranks, at least 2 (got %v and %v); reshape them", a.Full(), b.Full())
	}
	return wrap(prim.MatMul(x.Value(), y.Value()))
}

// ConvConfig describes how a kernel moves over an array. Lists have one element for each spatial
// axis; those left out are ones.
type ConvConfig struct {
	Strides                  []int
	Padding                  Padding
	LhsDilation, RhsDilation []int
	// Lhs, Rhs and Out name the axes: N the batch, C the features, O and I output and
	// input features of the kernel, any other letters the spatial axes. Left out they
	// are NC, OI and NC, followed by the spatial axes.
	Lhs, Rhs, Out              string
	FeatureGroups, BatchGroups int // 0 stands for 1
	Precision                  Precision
	Preferred                  weft.DType
}

// ConvGeneralDilated moves the kernel w over x: see windows.ConvP for its definition.
func ConvGeneralDilated(x, w weft.Array, c ConvConfig) weft.Array {
	const op = "conv_general_dilated"
	a, b := x.Value().Aval(), w.Value().Aval()
	if a.Rank() != b.Rank() || a.Rank() < 2 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "array and kernel must have equal ranks, at least 2, got %v and %v; add axes with ExpandDims", a.Full(), b.Full())
	}
	n := a.Rank() - 2
	p := windows.ConvP{
		Strides:       orOnes(op, "strides", c.Strides, n),
		LhsDilation:   orOnes(op, "dilations of the array", c.LhsDilation, n),
		RhsDilation:   orOnes(op, "dilations of the kernel", c.RhsDilation, n),
		LhsSpec:       core.Range(0, n+2),
		RhsSpec:       core.Range(0, n+2),
		OutSpec:       core.Range(0, n+2),
		FeatureGroups: orOne(c.FeatureGroups), BatchGroups: orOne(c.BatchGroups),
		Precision: c.Precision.text(), Preferred: c.Preferred,
	}
	if c.Lhs != "" || c.Rhs != "" || c.Out != "" {
		if len(c.Lhs) != n+2 || len(c.Rhs) != n+2 || len(c.Out) != n+2 {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "the dimension numbers (%s, %s, %s) must have a letter for each of %s; write for example NHWC, HWIO, NHWC", c.Lhs, c.Rhs, c.Out, core.Count(n+2, "axis"))
		}
		p.LhsSpec, p.RhsSpec, p.OutSpec = windows.ConvSpecs(c.Lhs, c.Rhs, c.Out)
	}
	spatial := func(s, spec core.Dims) core.Dims { return spec.Slice(2, n+2).Map(s.At) }
	p.Padding = c.Padding.of(op, dilate(spatial(a.Shape, p.LhsSpec), p.LhsDilation), dilate(spatial(b.Shape, p.RhsSpec), p.RhsDilation), p.Strides)
	return wrap(windows.ConvGeneralDilated(x.Value(), w.Value(), p))
}

func orOne(n int) int {
	if n == 0 {
		return 1
	}
	return n
}

// Conv moves the kernel w over x with the given strides and padding. The axes of x are batch,
// features, space; those of the kernel are output features, input features, space.
func Conv(x, w weft.Array, strides []int, padding Padding) weft.Array {
	return ConvGeneralDilated(x, w, ConvConfig{Strides: strides, Padding: padding})
}

// ConvTranspose returns the convolution whose strides spread x instead of skipping positions: the
// transpose of a convolution, up to the kernel's direction. The axes of x are batch, space,
// features; those of the kernel are space, input features, output features. With Same, n
// positions become n·stride.
func ConvTranspose(x, w weft.Array, strides []int, padding Padding) weft.Array {
	const op = "conv_transpose"
	b := w.Value().Aval()
	n := b.Rank() - 2
	if n < 0 || n > 3 || len(strides) != n {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{b}, "needs a kernel of up to three spatial axes and a stride for each (got %v and %v); reshape the kernel or pass strides", b.Full(), core.MakeDims(strides...))
	}
	space := "HWD"[:n]
	c := ConvConfig{LhsDilation: strides, Padding: padding, Lhs: "N" + space + "C", Rhs: space + "IO", Out: "N" + space + "C"}
	if padding.rule != "pairs" {
		var pairs [][2]int
		for i, s := range strides {
			k := b.Shape.At(i)
			total, before := k+s-2, k-1
			switch {
			case padding.rule == "":
				total += max(k-s, 0)
			case padding.rule == "SAME_LOWER":
				core.FailOp(core.ErrShape, op, nil, "unknown padding; pass Valid, Same or pairs of numbers")
			case s <= k-1:
				before = (total + 1) / 2
			}
			pairs = append(pairs, [2]int{before, total - before})
		}
		c.Padding = Pads(pairs...)
	}
	return ConvGeneralDilated(x, w, c)
}

// ConvGeneralDilatedPatches lists, as features, the elements that lie under a kernel of the given
// sizes at each of its positions: all elements of the first feature, then all of the second. Axes
// are batch, features, space. A call writes a convolution and the equations of its kernel of ones
// and zeros.
func ConvGeneralDilatedPatches(x weft.Array, sizes []int, c ConvConfig) weft.Array {
	a := x.Value().Aval()
	if a.Rank() != len(sizes)+2 || c.Lhs != "" || c.FeatureGroups > 1 || c.BatchGroups > 1 {
		core.FailOp(core.ErrShape, "conv_general_dilated_patches", []core.ShapedArray{a}, "arrays must have axes batch, features and one for each of the %s, without groups (got %v); reshape them", core.Count(len(sizes), "size"), a.Full())
	}
	n := core.MakeDims(sizes...).Size()
	features := a.Shape.At(1)
	// The kernel of output feature k is 1 at its k-th element and 0 elsewhere.
	square := core.MakeDims(n, n)
	row := prim.Add(prim.Iota(core.Int32, square, 0), prim.Num(core.Aval(core.Int32), 0))
	eye := prim.Convert(prim.Eq(row, prim.Iota(core.Int32, square, 1)), a.DType, false)
	eye = prim.BroadcastInDim(eye, square.Prepend(features), core.MakeDims(1, 2))
	c.FeatureGroups = features
	return ConvGeneralDilated(x, wrap(prim.Reshape(eye, core.MakeDims(sizes...).Prepend(features*n, 1))), c)
}
