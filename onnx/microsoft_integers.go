package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/nn"
)

// contributedIntegers are operators of ONNX Runtime's domain on small integers that stand for
// numbers. An operand of a QLinear operator, its scale and its zero point are three inputs in a row.
var contributedIntegers = map[string]operator{
	"MatMulNBits": matMulBits, "GatherBlockQuantized": gatherBlocks, "QGemm": quantizedGemm,
	"QuantizeLinear": quantizeLinear, "DequantizeLinear": dequantizeLinear,
	"DynamicQuantizeMatMul": func(n *node) []weft.Array {
		a, scale, zero := dynamic(n.x(0))
		y := n.integerProduct(a, zero, n.x(1), n.input(3)).AsType(weft.Float32).Mul(scale.Mul(oneOrColumns(n.x(2))))
		return one(n.plus(y, 4))
	},
	"MatMulIntegerToFloat": func(n *node) []weft.Array {
		y := n.integerProduct(n.x(0), n.input(4), n.x(1), n.input(5)).AsType(weft.Float32)
		return one(n.plus(y.Mul(oneOrRows(n.x(2)).Mul(oneOrColumns(n.x(3)))), 6))
	},
	"MatMulInteger16": func(n *node) []weft.Array {
		return one(n.x(0).AsType(weft.Int32).MatMul(n.x(1).AsType(weft.Int32)))
	},
	"QLinearAdd":       quantizedPair(func(x, y weft.Array) weft.Array { return x.Add(y) }),
	"QLinearMul":       quantizedPair(func(x, y weft.Array) weft.Array { return x.Mul(y) }),
	"QLinearSigmoid":   quantizedUnary(func(_ *node, x weft.Array) weft.Array { return nn.Sigmoid(x) }),
	"QLinearLeakyRelu": quantizedUnary(func(n *node, x weft.Array) weft.Array { return leaky(x, n.float("alpha", 0.01)) }),
	"QLinearSoftmax": quantizedUnary(func(n *node, x weft.Array) weft.Array {
		m := *n
		m.in, m.version = one(x), int64(n.int("opset", 13))
		return operators[opKey{"", "Softmax"}](&m)[0]
	}),
	"QLinearAveragePool": func(n *node) []weft.Array { // the mean and the zero point are added before rounding
		y := n.featuresFirst(n.real(0), func(m *node) weft.Array { return averagePool(m)[0] }).Div(n.x(3).Reshape())
		if n.has(4) {
			y = y.Add(n.x(4).Reshape().AsType(weft.Float32))
		}
		return one(quantize(y, weft.Array{}, n.x(0).DType()))
	},
	"QLinearGlobalAveragePool": quantizedUnary(func(n *node, x weft.Array) weft.Array {
		return n.featuresFirst(x, func(m *node) weft.Array { return global(mean)(m)[0] })
	}),
	"QLinearConcat": func(n *node) []weft.Array {
		var parts []weft.Array
		for i := 2; i+2 < len(n.in); i += 3 {
			parts = append(parts, n.real(i))
		}
		if len(parts) == 0 {
			n.fail(core.ErrTree, "there are no inputs to concatenate; add some to the node")
		}
		return one(n.stored(weft.Concat(n.axis(n.int("axis", 0), parts[0].Rank()), parts...), 0))
	},
	"QLinearWhere": func(n *node) []weft.Array {
		return one(n.stored(weft.Where(n.x(0), n.real(1), n.real(4)), 7))
	},
}

// real returns the floats that input i stands for. Its scale and zero point are the next inputs.
func (n *node) real(i int) weft.Array {
	x := n.x(i).AsType(weft.Int32)
	if n.has(i + 2) {
		x = x.Sub(n.x(i + 2).Reshape().AsType(weft.Int32))
	}
	return x.AsType(weft.Float32).Mul(n.x(i + 1).Reshape())
}

// stored quantizes floats with the scale in input i and the zero point in the next input.
func (n *node) stored(y weft.Array, i int) weft.Array {
	dt := weft.Uint8
	if n.has(i + 1) {
		dt = n.x(i + 1).DType()
	} else if !n.x(0).DType().IsFloat() && n.x(0).DType().Bits() == 8 {
		dt = n.x(0).DType()
	}
	return quantize(y.Div(n.x(i).Reshape()), n.input(i+1), dt)
}

func quantizedUnary(f func(n *node, x weft.Array) weft.Array) operator {
	return func(n *node) []weft.Array { return one(n.stored(f(n, n.real(0)), 3)) }
}

func quantizedPair(f func(x, y weft.Array) weft.Array) operator {
	return func(n *node) []weft.Array { return one(n.stored(f(n.real(0), n.real(3)), 6)) }
}

// featuresFirst applies f to the node with x as its only input. If the node has features last, they are moved to axis 1 for
// f, and back in its result.
func (n *node) featuresFirst(x weft.Array, f func(m *node) weft.Array) weft.Array {
	m := *n
	last := n.int("channels_last", 0) != 0
	if last {
		x = x.MoveAxis(-1, 1)
	}
	m.in = one(x)
	y := f(&m)
	if last {
		y = y.MoveAxis(1, -1)
	}
	return y
}

// quantizedGemm returns floats if the result has no scale. C has the scale of the product.
func quantizedGemm(n *node) []weft.Array {
	a, b, scale := n.x(0), n.x(3), n.x(4)
	if n.int("transA", 0) != 0 {
		a = a.T()
	}
	if n.int("transB", 0) != 0 {
		b = n.once(3, b.T, b)
	}
	y := n.plus(n.integerProduct(a, n.input(2), b, n.input(5)), 6)
	z := y.AsType(weft.Float32).Mul(oneOrColumns(scale).Mul(n.x(1).Reshape()).Mul(n.float("alpha", 1)))
	if !n.has(7) {
		return one(z)
	}
	return one(n.stored(z, 7))
}

func (n *node) checkBits(bits int) {
	if bits != 2 && bits != 4 && bits != 8 {
		n.fail(core.ErrNoRule, "weights of %d bits are not supported (want 2, 4 or 8); quantize the model to one of these", bits)
	}
}

// unpacked returns integers of some bits that are packed in bytes along the last axis, the lowest
// bits first.
func (n *node) unpacked(x weft.Array, bits int) weft.Array {
	if n.checkBits(bits); bits == 8 {
		return x
	}
	var parts []weft.Array
	for shift := 0; shift < 8; shift += bits {
		parts = append(parts, x.Shr(shift).And(1<<bits-1))
	}
	dims := slices.Clone([]int(x.Shape()))
	dims[len(dims)-1] *= 8 / bits
	return weft.Stack(-1, parts...).Reshape(dims...)
}

// gatherBlocks gathers along gather_axis from integers that share scales in blocks along
// quantize_axis, and returns the numbers that they stand for.
func gatherBlocks(n *node) []weft.Array {
	data, at, scales := n.x(0), n.x(1), n.x(2)
	bits, block := n.int("bits", 4), n.int("block_size", 128)
	axis, blocked := n.axis(n.int("gather_axis", 0), data.Rank()), n.axis(n.int("quantize_axis", 1), data.Rank())
	packed := data.DType() == weft.Uint8 && bits < 8
	if packed && axis == data.Rank()-1 {
		n.fail(core.ErrAxis, "gather_axis %d is the one along which %d bits are packed; gather along another one", axis, bits)
	}
	if scales.Rank() != data.Rank() {
		n.fail(core.ErrShape, "the scales are %v for %v; give them as many axes", scales.Shape(), data.Shape())
	}
	taken := func(x weft.Array, packed bool) weft.Array {
		x = weft.Take(x, fromEnd(at, x.Dim(axis)), axis)
		if packed {
			x = n.unpacked(x, bits)
		}
		return x
	}
	x, s := taken(data, packed), taken(scales, false)
	if blocked > axis {
		blocked += at.Rank() - 1
	}
	places := make([]int, x.Dim(blocked))
	for i := range places {
		places[i] = i / max(1, block)
	}
	spread := func(s weft.Array) weft.Array { return weft.Take(s, longs(places), blocked) }
	y := x.AsType(weft.Int32)
	switch {
	case n.has(3):
		y = y.Sub(spread(taken(n.x(3), packed)).AsType(weft.Int32))
	case data.DType() == weft.Uint8:
		y = y.Sub(1 << (bits - 1))
	}
	return one(y.AsType(scales.DType()).Mul(spread(s)))
}
