package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SliceP takes the elements from Start up to, not including, Limit, every
// Strides[i]th of axis i. Empty Strides are ones and print as None.
type SliceP struct{ Start, Limit, Strides core.Dims }

// Slice takes a part of x. Empty strides are ones.
func Slice(x Value, start, limit, strides core.Dims) Value {
	return core.Apply1(SliceP{start, limit, strides}, x)
}

func (SliceP) Name() string { return "slice" }

func (SliceP) read(r *jaxpr.ParamReader) core.Primitive {
	p := SliceP{Start: r.Dims("start_indices"), Limit: r.Dims("limit_indices")}
	if !r.IsNone("strides") {
		p.Strides = r.Dims("strides")
	}
	return p
}

func (p SliceP) Params() []core.Param {
	strides := "None"
	if p.Strides.Len() > 0 {
		strides = p.Strides.String()
	}
	return []core.Param{rule.Param("limit_indices", p.Limit), rule.Param("start_indices", p.Start), rule.Param("strides", strides)}
}

// Stride returns the stride of axis i.
func (p SliceP) Stride(i int) int {
	if p.Strides.Len() == 0 {
		return 1
	}
	return p.Strides.At(i)
}

func (p SliceP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	n := x.Rank()
	if p.Start.Len() != n || p.Limit.Len() != n || p.Strides.Len() != 0 && p.Strides.Len() != n {
		core.Failf(core.ErrIndex, "%v needs %d starts, limits and strides (got %v, %v and %v); pass one for each axis", x.Full(), n, p.Start, p.Limit, p.Strides)
	}
	s := make([]int, n)
	for i := range s {
		lo, hi, by := p.Start.At(i), p.Limit.At(i), p.Stride(i)
		if lo < 0 || lo > hi || hi > x.Shape.At(i) {
			core.Failf(core.ErrIndex, "the range from %d to %d is not within axis %d of %v; use limits from 0 to the size", lo, hi, i, x.Full())
		}
		if by <= 0 {
			core.Failf(core.ErrIndex, "the strides %v must be positive; reverse the axis to go backwards", p.Strides)
		}
		s[i] = CeilDiv(hi-lo, by)
	}
	return []ShapedArray{x.WithShape(core.MakeDims(s...))}
}

func (p SliceP) JVP(in, _, t []Value) []Value { return rule.LinearFirst(p, in, t) }

// Transpose puts the cotangent back in its place among zeros.
func (p SliceP) Transpose(ct, _ []Value, _ []bool, av []ShapedArray) []Value {
	y := ct[0].Aval()
	config := make([]int, 0, 3*y.Rank())
	for i, n := range y.Shape.All() {
		lo, by := p.Start.At(i), p.Stride(i)
		end := lo + max((n-1)*by+1, 0)
		config = append(config, lo, av[0].Shape.At(i)-end, by-1)
	}
	return rule.One(Pad(ct[0], Num(y.WithShape(core.Dims{}), 0), core.MakeDims(config...)))
}

func (p SliceP) Batch(n int, in []Value, _ []bool) ([]Value, []bool) {
	q := SliceP{Start: p.Start.Prepend(0), Limit: p.Limit.Prepend(n)}
	if p.Strides.Len() > 0 {
		q.Strides = p.Strides.Prepend(1)
	}
	return rule.Bound(q, in[0])
}

// CeilDiv returns ⌈n/step⌉ for step > 0, and 0 for n ≤ 0.
func CeilDiv(n, step int) int {
	if n <= 0 {
		return 0
	}
	return (n-1)/step + 1
}
