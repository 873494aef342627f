package windows

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ConvP slides the right operand, the kernel, over the left one.
//
//	z[b, o, s] = Σ_{t, c} x[b, c, s·stride + t·rhsDilation − lo] · w[o, c, t]
//
// where x has lhsDilation−1 zeros between neighbours and counts as zero outside,
// s and t are spatial positions, c an input and o an output feature. Negative
// padding cuts elements off. With FeatureGroups g the features of x and the output
// features of w are g equal parts, and part i of w is applied to part i of x. With
// BatchGroups g the batch of x and the output features of w are g equal parts, and the
// results of parts i stand side by side in the output features. The specs state which axis is which:
// batch (w: output feature), feature (w: input feature), then the spatial ones.
//
// Elements are converted and added as in DotGeneralP; the products run over t in
// row-major order of the spatial axes as RhsSpec lists them, then over c; those
// that read padding or the zeros between neighbours are skipped, but counted: the
// chunks are the same for every result.
type ConvP struct {
	Strides                    core.Dims // one for each spatial axis, as are the dilations
	Padding                    core.Dims // lo, hi of each axis
	LhsDilation, RhsDilation   core.Dims
	LhsSpec, RhsSpec, OutSpec  core.Dims
	FeatureGroups, BatchGroups int
	Precision                  string // as text has it, "" for None; changes no numbers here
	Preferred                  core.DType
}

// ConvGeneralDilated convolves x with the kernel w as p specifies.
func ConvGeneralDilated(x, w core.Value, p ConvP) core.Value { return core.Apply2(p, x, w) }

func (ConvP) Name() string { return "conv_general_dilated" }

func (ConvP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("out_sharding", "None")
	p := ConvP{
		Strides:       r.Dims("window_strides"),
		LhsDilation:   r.Dims("lhs_dilation"),
		RhsDilation:   r.Dims("rhs_dilation"),
		LhsSpec:       r.Field("dimension_numbers", "lhs_spec"),
		RhsSpec:       r.Field("dimension_numbers", "rhs_spec"),
		OutSpec:       r.Field("dimension_numbers", "out_spec"),
		FeatureGroups: r.Int("feature_group_count"),
		BatchGroups:   r.Int("batch_group_count"),
		Preferred:     r.OptDType("preferred_element_type"),
	}
	p.Padding = rule.ReadPairs(r, "padding")
	if !r.IsNone("precision") {
		p.Precision = r.Text("precision")
	}
	return p
}

func (p ConvP) Params() []core.Param {
	orNone := func(s string, ok bool) string {
		if !ok {
			return "None"
		}
		return s
	}
	return []core.Param{
		rule.Param("batch_group_count", strconv.Itoa(p.BatchGroups)),
		rule.Param("dimension_numbers", fmt.Sprintf("ConvDimensionNumbers(lhs_spec=%v, rhs_spec=%v, out_spec=%v)", p.LhsSpec, p.RhsSpec, p.OutSpec)),
		rule.Param("feature_group_count", strconv.Itoa(p.FeatureGroups)),
		rule.Param("lhs_dilation", p.LhsDilation),
		rule.Param("out_sharding", "None"),
		rule.Param("padding", rule.Tuples(p.Padding, 2)),
		rule.Param("precision", orNone(p.Precision, p.Precision != "")),
		rule.Param("preferred_element_type", orNone(p.Preferred.Long(), p.Preferred != core.Invalid)),
		rule.Param("rhs_dilation", p.RhsDilation),
		rule.Param("window_strides", p.Strides),
	}
}

func (p ConvP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	x, w := in[0], in[1]
	if x.Rank() != w.Rank() || x.Rank() < 2 {
		core.Failf(core.ErrShape, "the operands must have equal ranks, at least 2, got %v and %v; add axes with ExpandDims", x.Full(), w.Full())
	}
	p.check(x.Rank())
	p.checkGroups(x, w)
	if x.DType != w.DType && p.Preferred == core.Invalid {
		rule.SameDType(x, w)
	}
	dt := rule.ProductDType(x, w, p.Preferred)
	shape := make([]int, x.Rank())
	shape[p.OutSpec.At(0)] = x.Shape.At(p.LhsSpec.At(0)) / p.BatchGroups
	shape[p.OutSpec.At(1)] = w.Shape.At(p.RhsSpec.At(0))
	for i := range p.Strides.Len() {
		in := rule.Total(dilated(x.Shape.At(p.LhsSpec.At(i+2)), p.LhsDilation.At(i)), p.Padding.At(2*i), p.Padding.At(2*i+1))
		shape[p.OutSpec.At(i+2)] = places(in, dilated(w.Shape.At(p.RhsSpec.At(i+2)), p.RhsDilation.At(i)), p.Strides.At(i))
	}
	return []core.ShapedArray{{Shape: core.MakeDims(shape...), DType: dt, Weak: x.Weak && w.Weak}}
}

// dilated returns the extent of n elements with step−1 others between neighbours.
func dilated(n, step int) int {
	if n == 0 {
		return 0
	}
	return rule.Total(rule.Times(n-1, step), 1)
}

// places returns the number of positions that a window has in n elements.
func places(n, window, stride int) int {
	if n < window {
		return 0
	}
	return (n-window)/stride + 1
}

func (p ConvP) check(rank int) {
	for _, spec := range []core.Dims{p.LhsSpec, p.RhsSpec, p.OutSpec} {
		if !rule.Permutation(spec, rank) {
			core.Failf(core.ErrShape, "each of the dimension numbers %v, %v, %v must be a permutation of the axes 0 to %d; list every axis once", p.LhsSpec, p.RhsSpec, p.OutSpec, rank-1)
		}
	}
	if n := rank - 2; p.Padding.Len() != 2*n {
		core.Failf(core.ErrShape, "the padding %v has no pair for each of %s; give as many", p.Padding, core.Count(n, "spatial axis"))
	}
	perAxis("strides", p.Strides, rank-2)
	perAxis("dilations of the left operand", p.LhsDilation, rank-2)
	perAxis("dilations of the kernel", p.RhsDilation, rank-2)
}

// perAxis demands one positive number for each axis.
func perAxis(what string, d core.Dims, n int) {
	if d.Len() != n {
		core.Failf(core.ErrShape, "the %s %v do not go with %s; give one an axis", what, d, core.Count(n, "axis"))
	}
	for _, k := range d.All() {
		if k <= 0 {
			core.Failf(core.ErrShape, "%s must be positive (got %v); use 1 for none", what, d)
		}
	}
}

func (p ConvP) checkGroups(x, w core.ShapedArray) {
	batch, features := x.Shape.At(p.LhsSpec.At(0)), x.Shape.At(p.LhsSpec.At(1))
	out, in := w.Shape.At(p.RhsSpec.At(0)), w.Shape.At(p.RhsSpec.At(1))
	f, b := p.FeatureGroups, p.BatchGroups
	switch {
	case f <= 0 || b <= 0:
		core.Failf(core.ErrShape, "group counts must be positive (got %d feature groups and %d batch groups); use 1 for none", f, b)
	case f > 1 && b > 1:
		core.Failf(core.ErrShape, "feature groups and batch groups cannot be combined (got %d and %d); set one of them to 1", f, b)
	case features%f != 0:
		core.Failf(core.ErrShape, "%d feature groups do not divide the %d features of %v; change the number of groups", f, features, x.Full())
	case features/f != in:
		core.Failf(core.ErrShape, "the kernel %v takes %d input features, %v has %d in each of %d groups; make them equal, or set the number of groups", w.Full(), in, x.Full(), features/f, f)
	case out%f != 0:
		core.Failf(core.ErrShape, "%d feature groups do not divide the %d output features of %v; change the number of groups", f, out, w.Full())
	case batch%b != 0:
		core.Failf(core.ErrShape, "%d batch groups do not divide the batch of %d of %v; change the number of groups", b, batch, x.Full())
	case out%b != 0:
		core.Failf(core.ErrShape, "%d batch groups do not divide the %d output features of %v; change the number of groups", b, out, w.Full())
	}
}

// SamePadding returns the padding that makes a window of the given extents, dilation included, take
// ⌈n/stride⌉ positions over n elements. If the padding of an axis is odd, the extra element is
// at the end.
func SamePadding(in, window, strides core.Dims) core.Dims {
	return samePadding(in, window, strides, false)
}

// SameLowerPadding is [SamePadding] with the extra element before.
func SameLowerPadding(in, window, strides core.Dims) core.Dims {
	return samePadding(in, window, strides, true)
}

func samePadding(in, window, strides core.Dims, lower bool) core.Dims {
	var v []int
	for i, n := range in.All() {
		s := strides.At(i)
		total := max((prim.CeilDiv(n, s)-1)*s+window.At(i)-n, 0)
		lo := total / 2
		if lower {
			lo = total - lo
		}
		v = append(v, lo, total-lo)
	}
	return core.MakeDims(v...)
}

// ConvSpecs reads dimension numbers as letters: NCHW of the left operand and the result, OIHW of
// the kernel, any letters for the spatial axes. The specs list the spatial axes in the kernel's
// order.
func ConvSpecs(lhs, rhs, out string) (lhsSpec, rhsSpec, outSpec core.Dims) {
	read := func(spec string, two string) core.Dims {
		v := []int{strings.IndexByte(spec, two[0]), strings.IndexByte(spec, two[1])}
		for _, c := range rhs {
			if c != 'O' && c != 'I' {
				v = append(v, strings.IndexRune(spec, c))
			}
		}
		d := core.MakeDims(v...)
		if !rule.Permutation(d, len(spec)) {
			core.FailOp(core.ErrShape, "conv_general_dilated", nil, "the dimension numbers (%s, %s, %s) must name the same spatial axes, and N and C (O and I in the kernel) once each; write for example NHWC, HWIO, NHWC", lhs, rhs, out)
		}
		return d
	}
	return read(lhs, "NC"), read(rhs, "OI"), read(out, "NC")
}
