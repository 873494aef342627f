package onnx

import (
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/linalg"
)

// products are those of matrices.
var products = map[string]operator{
	"Gemm": gemm, "MatMulInteger": matMulInteger,
	"MatMul": func(n *node) []weft.Array { return one(n.x(0).MatMul(n.x(1))) },
	"Einsum": func(n *node) []weft.Array {
		return one(weft.Einsum(strings.ReplaceAll(n.text("equation", ""), " ", ""), n.in...))
	},
	"Det": func(n *node) []weft.Array { return one(linalg.Det(n.x(0))) },
}

// gemm returns α·A·B + β·C.
func gemm(n *node) []weft.Array {
	a, b := n.x(0), n.x(1)
	if a.Rank() != 2 || b.Rank() != 2 {
		n.fail(core.ErrShape, "the operands are %v and %v, want matrices; correct the node or its inputs", a.Shape(), b.Shape())
	}
	if n.int("transA", 0) != 0 {
		a = a.T()
	}
	if n.int("transB", 0) != 0 {
		b = b.T()
	}
	y := a.MatMul(b).AsType(a.DType())
	if alpha := n.float("alpha", 1); alpha != 1 {
		y = y.Mul(number(alpha, y.DType()))
	}
	if n.has(2) {
		c := n.x(2)
		if beta := n.float("beta", 1); beta != 1 {
			c = c.Mul(number(beta, c.DType()))
		}
		if !slices.Equal(n.together(y.Shape(), c.Shape()), []int(y.Shape())) {
			n.fail(core.ErrShape, "C is %v, the product %v", c.Shape(), y.Shape())
		}
		y = y.Add(c)
	}
	return one(y)
}

// centered returns integers less their zero point, as 32-bit ones. Zero points of rows or
// columns lie along an axis.
func centered(x, zero weft.Array, axis int) weft.Array {
	y := x.AsType(weft.Int32)
	if zero.IsZero() {
		return y
	}
	z := zero.AsType(weft.Int32)
	if z.Rank() == 1 && z.Dim(0) > 1 && x.Rank() > 1 {
		dims := repeated(1, x.Rank())
		dims[axis] = z.Dim(0)
		z = z.Reshape(dims...)
	} else if z.Size() == 1 {
		z = z.Reshape()
	}
	return y.Sub(z)
}

// input returns an input that may be left off.
func (n *node) input(i int) weft.Array {
	if n.has(i) {
		return n.in[i]
	}
	return weft.Array{}
}

func matMulInteger(n *node) []weft.Array {
	a, b := n.x(0), n.x(1)
	return one(integerProduct(a, n.input(2), b, n.input(3)))
}

// integerProduct is a product of integers less their zero points, exact in 32 bits.
func integerProduct(a, azero, b, bzero weft.Array) weft.Array {
	x, y := centered(a, azero, max(a.Rank()-2, 0)), centered(b, bzero, b.Rank()-1)
	return x.MatMul(y)
}
