package prim

import (
	"fmt"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// PadP surrounds an array with copies of a scalar, its second operand. Config is
// low, high and interior padding of each axis, in one list: interior elements go
// between each two neighbours, then low and high ones before and after them. Negative
// low and high cut elements off.
type PadP struct{ Config core.Dims }

// Pad surrounds x with padding: config is low, high and interior of each axis.
func Pad(x, padding Value, config core.Dims) Value { return core.Apply2(PadP{config}, x, padding) }

func (PadP) Name() string { return "pad" }

func (PadP) read(r *jaxpr.ParamReader) core.Primitive {
	config, each := r.Pairs("padding_config")
	if each != 0 && each != 3 {
		core.Failf(core.ErrParse, "padding_config must contain a triple of low, high and interior padding for each axis; write ((1, 1, 0), …)")
	}
	return PadP{config}
}

func (p PadP) Params() []core.Param {
	return []core.Param{rule.Param("padding_config", rule.Tuples(p.Config, 3))}
}

// Axis returns low, high and interior padding of axis i.
func (p PadP) Axis(i int) (lo, hi, interior int) {
	return p.Config.At(3 * i), p.Config.At(3*i + 1), p.Config.At(3*i + 2)
}

func padded(n, lo, hi, interior int) int {
	return rule.Total(n, rule.Times(max(n-1, 0), interior), lo, hi)
}

func (p PadP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 2)
	x, v := in[0], in[1]
	if v.Rank() != 0 {
		core.Failf(core.ErrShape, "the padding value must be a scalar (got %v); pass one number", v.Full())
	}
	rule.SameDType(x, v)
	if p.Config.Len() != 3*x.Rank() {
		core.Failf(core.ErrShape, "%v needs low, high and interior padding for each of its %s, got %s; give three numbers an axis", x.Full(), core.Count(x.Rank(), "axis"), rule.Tuples(p.Config, min(3, max(p.Config.Len(), 1))))
	}
	s := x.Shape.Ints()
	for i, n := range s {
		lo, hi, interior := p.Axis(i)
		if interior < 0 {
			core.Failf(core.ErrShape, "negative interior padding (got %s); use 0 or more", rule.Tuples(p.Config, 3))
		}
		if s[i] = padded(n, lo, hi, interior); s[i] < 0 {
			core.Failf(core.ErrShape, "axis %d of %v would have %s after padding by %s; remove fewer elements", i, x.Full(), core.Count(s[i], "element"), fmt.Sprint(p.Config.Slice(3*i, 3*i+3)))
		}
	}
	return []ShapedArray{{Shape: core.MakeDims(s...), DType: x.DType, Weak: rule.AllWeak(in)}}
}

// JVP pads the tangent with the tangent of the padding.
func (p PadP) JVP(in, _, t []Value) []Value { return linearAll(p, in, t, 1) }

// Transpose cuts the padding off; the padding's cotangent is the sum of what
// stood there.
func (p PadP) Transpose(ct, _ []Value, lin []bool, av []ShapedArray) []Value {
	out := make([]Value, 2)
	if lin[0] {
		out[0] = p.unpad(ct[0], av[0].Shape)
	}
	if lin[1] {
		// Everything but the operand's elements: selected, not multiplied by 0, since the
		// cotangent may be infinite.
		y := ct[0].Aval()
		b := ShapedArray{DType: core.Bool}
		mask := Pad(Full(b.WithShape(av[0].Shape), 0), Num(b, 1), p.Config)
		out[1] = SelectN(mask, Zeros(y), ct[0])
		if y.Rank() > 0 {
			out[1] = ReduceSum(out[1], core.Range(0, y.Rank()))
		}
	}
	return out
}

// unpad takes from y, an array after padding, the elements of the array before
// it, whose shape is x; 0 for those that were cut off.
func (p PadP) unpad(y Value, x core.Dims) Value {
	n := x.Len()
	config, strides := make([]int, 3*n), make([]int, n)
	cut, dense := false, true
	for i := range n {
		lo, hi, interior := p.Axis(i)
		config[3*i], config[3*i+1] = -lo, -hi
		cut = cut || lo != 0 || hi != 0
		strides[i] = interior + 1
		dense = dense && interior == 0
	}
	if cut {
		y = Pad(y, Num(y.Aval().WithShape(core.Dims{}), 0), core.MakeDims(config...))
	}
	if dense {
		return y
	}
	return Slice(y, core.MakeDims(make([]int, n)...), y.Aval().Shape, core.MakeDims(strides...))
}

// Batch keeps the batch's axis in front. Padding that differs within the batch is put in by a
// select.
func (p PadP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	q := PadP{p.Config.Prepend(0, 0, 0)}
	if !mapped[1] {
		return rule.Bound(q, in...)
	}
	x := AtFront(n, in[0], mapped[0])
	b := ShapedArray{DType: core.Bool}
	mask := Pad(Full(b.WithShape(x.Aval().Shape), 0), Num(b, 1), q.Config)
	one := x.Aval().WithShape(core.Dims{})
	inside := Pad(x, Zeros(one), q.Config) // never chosen
	return []Value{SelectN(mask, inside, BroadcastInDim(in[1], mask.Aval().Shape, core.MakeDims(0)))}, []bool{true}
}
