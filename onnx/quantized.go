package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

// quantized are operators that convert between floats and the small integers that stand for them, or
// compute with these integers.
var quantized = map[string]operator{
	"QuantizeLinear": quantizeLinear, "DequantizeLinear": dequantizeLinear, "DynamicQuantizeLinear": dynamicQuantize,
	"QLinearMatMul": func(n *node) []weft.Array {
		y := n.integerProduct(n.x(0), n.x(2), n.x(3), n.x(5)).AsType(weft.Float32)
		scale := oneOrRows(n.x(1)).Mul(oneOrColumns(n.x(4))).Div(oneOrColumns(n.x(6)))
		return one(quantize(y.Mul(scale), n.x(7), n.x(7).DType()))
	},
	"QLinearConv": func(n *node) []weft.Array {
		y := n.integerConv(n.x(0), n.x(2), n.x(3), n.x(5))
		dims := slices.Concat([]int{1, -1}, repeated(1, y.Rank()-2))
		if n.has(8) {
			y = y.Add(n.x(8).Reshape(dims...))
		}
		ws := oneOrColumns(n.x(4))
		if ws.Rank() > 0 {
			ws = ws.Reshape(dims...)
		}
		scale := ws.Mul(n.x(1).Reshape()).Div(n.x(6).Reshape())
		return one(quantize(y.AsType(weft.Float32).Mul(scale), n.x(7), n.x(7).DType()))
	},
}

// oneOrRows returns a scale of all elements of a product as a scalar, and scales of its rows as a
// column.
func oneOrRows(s weft.Array) weft.Array {
	switch {
	case s.Size() == 1:
		return s.Reshape()
	case s.Rank() == 1:
		return s.Reshape(-1, 1)
	}
	return s
}

// oneOrColumns returns a scale of all elements as a scalar, and scales of columns as they are.
func oneOrColumns(s weft.Array) weft.Array {
	if s.Size() == 1 {
		return s.Reshape()
	}
	return s
}

// quantize rounds to the nearest integer, ties to even, adds the zero point and saturates. To a float
// type it only converts, with saturation.
func quantize(y, zero weft.Array, dt weft.DType) weft.Array {
	if !dt.IsInteger() {
		return castTo(y, dt, true)
	}
	z := weft.Round(y)
	if !zero.IsZero() {
		if zero.Size() == 1 {
			zero = zero.Reshape()
		}
		z = z.Add(zero.AsType(y.DType()))
	}
	lo, hi := lowest(dt).AsType(y.DType()), highest(dt).AsType(y.DType())
	return weft.Minimum(weft.Maximum(z, lo), hi).AsType(dt)
}

// spread returns scales or zero points in a shape that broadcasts to x: one for all elements, one
// for each position along an axis, or one for each block of positions.
func (n *node) spread(s, x weft.Array) weft.Array {
	switch {
	case s.IsZero():
		return s
	case s.Size() == 1 && s.Rank() <= 1:
		return s.Reshape()
	}
	axis := n.axis(n.int("axis", 1), x.Rank())
	if s.Rank() == 1 && x.Rank() > 0 && n.int("block_size", 0) == 0 {
		if s.Dim(0) != x.Dim(axis) {
			n.fail(core.ErrShape, "there are %d scales for axis %d of %v; give one for each place of the axis, or correct attribute axis", s.Dim(0), axis, x.Shape())
		}
		dims := repeated(1, x.Rank())
		dims[axis] = -1
		return s.Reshape(dims...)
	}
	if s.Rank() != x.Rank() || s.Dim(axis) == 0 {
		n.fail(core.ErrShape, "the scales are %v for %v; blocks need scales with as many axes, others one scale or a row of them", s.Shape(), x.Shape())
	}
	block := n.int("block_size", 0)
	if block <= 0 {
		block = (x.Dim(axis) + s.Dim(axis) - 1) / s.Dim(axis)
	}
	places := make([]int, x.Dim(axis))
	for i := range places {
		places[i] = i / block
	}
	return weft.Take(s, longs(places), axis)
}

func quantizeLinear(n *node) []weft.Array {
	x, scale, zero := n.x(0), n.spread(n.x(1), n.x(0)), n.spread(n.input(2), n.x(0))
	dt := n.dtype("output_dtype", weft.Uint8)
	if n.Attrs["output_dtype"] != nil && n.int("output_dtype", 0) == 0 {
		dt = weft.Uint8
	}
	if !zero.IsZero() {
		dt = zero.DType()
	}
	t := n.dtypeOr("precision", scale.DType())
	y := x.AsType(t).Div(scale.AsType(t))
	if !dt.IsInteger() {
		return one(castTo(y, dt, n.int("saturate", 1) != 0))
	}
	return one(quantize(y, zero, dt))
}

// dtypeOr returns the dtype that an attribute names, or def if it is 0 or left off.
func (n *node) dtypeOr(name string, def weft.DType) weft.DType {
	if n.int(name, 0) == 0 {
		return def
	}
	return n.dtype(name, def)
}

func dequantizeLinear(n *node) []weft.Array {
	x, scale, zero := n.x(0), n.spread(n.x(1), n.x(0)), n.spread(n.input(2), n.x(0))
	dt := n.dtypeOr("output_dtype", scale.DType())
	if !x.DType().IsInteger() {
		return one(x.AsType(scale.DType()).Mul(scale).AsType(dt))
	}
	y := x.AsType(weft.Int32)
	if !zero.IsZero() {
		y = y.Sub(zero.AsType(weft.Int32))
	}
	return one(y.AsType(scale.DType()).Mul(scale).AsType(dt))
}

// dynamicQuantize quantizes to u8 with the scale that just fits the range of the elements and 0.
func dynamicQuantize(n *node) []weft.Array {
	y, scale, zero := dynamic(n.x(0))
	return []weft.Array{y, scale, zero}
}

func dynamic(x weft.Array) (y, scale, zero weft.Array) {
	lo, hi := weft.Minimum(x.Min(), 0.0), weft.Maximum(x.Max(), 0.0)
	scale = hi.Sub(lo).Div(255.0)
	safe := weft.Where(scale.Eq(0.0), weft.OnesLike(scale), scale)
	zero = weft.Clip(weft.Round(lo.Neg().Div(safe)), 0.0, 255.0).AsType(weft.Uint8)
	return quantize(x.Div(safe), zero, weft.Uint8), scale, zero
}
