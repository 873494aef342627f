package prim

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// ConcatenateP puts arrays one after the other along an axis. All have one dtype
// and agree in the sizes of the other axes.
type ConcatenateP struct{ Dimension int }

// Concatenate puts arrays one after the other along an axis. It returns a single array as it is.
func Concatenate(axis int, xs ...Value) Value {
	if len(xs) == 1 {
		return xs[0]
	}
	return core.Bind1(ConcatenateP{axis}, xs...)
}

func (ConcatenateP) Name() string { return "concatenate" }

func (ConcatenateP) read(r *jaxpr.ParamReader) core.Primitive {
	return ConcatenateP{r.Int("dimension")}
}

func (p ConcatenateP) Params() []core.Param {
	return []core.Param{rule.Param("dimension", strconv.Itoa(p.Dimension))}
}

func (p ConcatenateP) Abstract(in []ShapedArray) []ShapedArray {
	if len(in) == 0 {
		core.Failf(core.ErrShape, "no arrays; pass at least one")
	}
	x := in[0]
	if p.Dimension < 0 || p.Dimension >= x.Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", p.Dimension, x.Full())
	}
	sizes, n := x.Shape.Ints(), 0
	for _, a := range in {
		if a.Rank() != x.Rank() || a.Shape.Remove(p.Dimension) != x.Shape.Remove(p.Dimension) {
			core.Failf(core.ErrShape, "%v and %v differ in another axis than %d, along which they are joined; make the other axes equal", x.Full(), a.Full(), p.Dimension)
		}
		n = rule.Total(n, a.Shape.At(p.Dimension))
	}
	rule.SameDType(in...)
	sizes[p.Dimension] = n
	return []ShapedArray{{Shape: core.MakeDims(sizes...), DType: x.DType, Weak: rule.AllWeak(in)}}
}

func (p ConcatenateP) JVP(in, _, t []Value) []Value { return linearAll(p, in, t, 1) }

// Transpose cuts the cotangent apart.
func (p ConcatenateP) Transpose(ct, _ []Value, lin []bool, av []ShapedArray) []Value {
	out := make([]Value, len(av))
	y := ct[0].Aval().Shape
	lo, hi, at := make([]int, y.Len()), y.Ints(), 0
	for i, a := range av {
		lo[p.Dimension] = at
		at += a.Shape.At(p.Dimension)
		hi[p.Dimension] = at
		if lin[i] {
			out[i] = Slice(ct[0], core.MakeDims(lo...), core.MakeDims(hi...), core.Dims{})
		}
	}
	return out
}

func (p ConcatenateP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return rule.Bound(ConcatenateP{p.Dimension + 1}, AllAtFront(n, in, mapped)...)
}

// SplitP cuts an array along an axis into pieces of the given sizes.
type SplitP struct {
	Axis  int
	Sizes core.Dims
}

// Split cuts x along an axis into pieces of the given sizes.
func Split(x Value, axis int, sizes core.Dims) []Value { return core.Bind(SplitP{axis, sizes}, x) }

func (SplitP) Name() string { return "split" }

func (SplitP) read(r *jaxpr.ParamReader) core.Primitive {
	return SplitP{r.Int("axis"), r.Dims("sizes")}
}

func (p SplitP) Params() []core.Param {
	return []core.Param{rule.Param("axis", strconv.Itoa(p.Axis)), rule.Param("sizes", p.Sizes)}
}

func (p SplitP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if p.Axis < 0 || p.Axis >= x.Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", p.Axis, x.Full())
	}
	out, sum := make([]ShapedArray, p.Sizes.Len()), 0
	for i, n := range p.Sizes.All() {
		if n < 0 {
			core.Failf(core.ErrShape, "negative size (got %v); sizes are 0 or more", p.Sizes)
		}
		s := x.Shape.Ints()
		s[p.Axis] = n
		sum += n
		out[i] = x.WithShape(core.MakeDims(s...))
	}
	if n := x.Shape.At(p.Axis); sum != n {
		core.Failf(core.ErrShape, "the sizes %v have the sum %d, but axis %d of %v has size %d; make the sum equal to the size", p.Sizes, sum, p.Axis, x.Full(), n)
	}
	return out
}

func (p SplitP) JVP(in, _, t []Value) []Value {
	return linearAll(p, in, t, p.Sizes.Len())
}

func (p SplitP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	return rule.One(Concatenate(p.Axis, OrZeros(ct, p.Abstract(av))...))
}

func (p SplitP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(SplitP{p.Axis + 1, p.Sizes}, in[0])
}

// StackP puts arrays of one type beside each other along a new axis.
type StackP struct{ Axis int }

// Stack puts arrays of one type beside each other along a new axis.
func Stack(axis int, xs ...Value) Value { return core.Bind1(StackP{axis}, xs...) }

func (StackP) Name() string { return "stack" }

func (StackP) read(r *jaxpr.ParamReader) core.Primitive { return StackP{r.Int("axis")} }

func (p StackP) Params() []core.Param { return []core.Param{rule.Param("axis", strconv.Itoa(p.Axis))} }

func (p StackP) Abstract(in []ShapedArray) []ShapedArray {
	if len(in) == 0 {
		core.Failf(core.ErrShape, "no arrays; pass at least one")
	}
	x := in[0]
	for _, a := range in {
		if a.Shape != x.Shape {
			core.Failf(core.ErrShape, "arrays must have equal shapes (got %v and %v); reshape or broadcast them", x.Full(), a.Full())
		}
	}
	rule.SameDType(in...)
	if p.Axis < 0 || p.Axis > x.Rank() {
		core.Failf(core.ErrShape, "the new axis %d is out of range for a result of rank %d; use an axis from 0 to the rank - 1", p.Axis, x.Rank()+1)
	}
	s := x.Shape.Slice(0, p.Axis).Append(len(in)).Append(x.Shape.Slice(p.Axis, x.Rank()).Ints()...)
	return []ShapedArray{{Shape: s, DType: x.DType, Weak: rule.AllWeak(in)}}
}

func (p StackP) JVP(in, _, t []Value) []Value { return linearAll(p, in, t, 1) }

func (p StackP) Transpose(ct, _ []Value, lin []bool, _ []ShapedArray) []Value {
	out := Unstack(ct[0], p.Axis)
	for i := range out {
		if !lin[i] {
			out[i] = nil
		}
	}
	return out
}

func (p StackP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return rule.Bound(StackP{p.Axis + 1}, AllAtFront(n, in, mapped)...)
}

// UnstackP takes an array apart along an axis, which the pieces do not have.
type UnstackP struct{ Axis int }

// Unstack takes x apart along an axis, which the pieces do not have.
func Unstack(x Value, axis int) []Value { return core.Bind(UnstackP{axis}, x) }

func (UnstackP) Name() string { return "unstack" }

func (UnstackP) read(r *jaxpr.ParamReader) core.Primitive { return UnstackP{r.Int("axis")} }

func (p UnstackP) Params() []core.Param {
	return []core.Param{rule.Param("axis", strconv.Itoa(p.Axis))}
}

func (p UnstackP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if p.Axis < 0 || p.Axis >= x.Rank() {
		core.Failf(core.ErrShape, "axis %d is out of range for %v; use an axis from 0 to the rank - 1", p.Axis, x.Full())
	}
	out := make([]ShapedArray, x.Shape.At(p.Axis))
	for i := range out {
		out[i] = x.WithShape(x.Shape.Remove(p.Axis))
	}
	return out
}

func (p UnstackP) JVP(in, out, t []Value) []Value { return linearAll(p, in, t, len(out)) }

func (p UnstackP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	return rule.One(Stack(p.Axis, OrZeros(ct, p.Abstract(av))...))
}

func (p UnstackP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(UnstackP{p.Axis + 1}, in[0])
}
