package onnx

import (
	"slices"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
)

var products = map[string]operator{
	"Gemm": gemm, "MatMulInteger": matMulInteger,
	"MatMul": func(n *node) []weft.Array { return one(n.x(0).MatMul(n.x(1))) },
	"Einsum": func(n *node) []weft.Array {
		return one(weft.Einsum(strings.ReplaceAll(n.text("equation", ""), " ", ""), n.in...))
	},
	"Det": func(n *node) []weft.Array { return one(linalg.Det(n.x(0))) },
}

// gemm returns α·A·B + β·C, with Aᵀ or Bᵀ if the node asks for that.
func gemm(n *node) []weft.Array {
	a, b := n.x(0), n.x(1)
	if a.Rank() != 2 || b.Rank() != 2 {
		n.fail(core.ErrShape, "the operands are %v and %v, want matrices; reshape them, or use MatMul", a.Shape(), b.Shape())
	}
	if n.int("transA", 0) != 0 {
		a = a.T()
	}
	if n.int("transB", 0) != 0 {
		b = n.once(1, b.T, b)
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
			n.fail(core.ErrShape, "C is %v, which does not broadcast to the product %v; reshape C", c.Shape(), y.Shape())
		}
		y = y.Add(c)
	}
	return one(y)
}

// centered returns integers minus their zero point: as i16, which holds the differences, if they have
// at most 8 bits, else as i32. Zero points of rows or columns lie along an axis.
func centered(x, zero weft.Array, axis int) weft.Array {
	t := weft.Int32
	if x.DType().Bits() <= 8 {
		t = weft.Int16
	}
	y := x.AsType(t)
	if zero.IsZero() {
		return y
	}
	z := zero.AsType(t)
	if z.Rank() == 1 && z.Dim(0) > 1 && x.Rank() > 1 {
		dims := repeated(1, x.Rank())
		dims[axis] = z.Dim(0)
		z = z.Reshape(dims...)
	} else if z.Size() == 1 {
		z = z.Reshape()
	}
	return y.Sub(z)
}

// input returns an optional input, the zero Array if it is left off.
func (n *node) input(i int) weft.Array {
	if n.has(i) {
		return n.in[i]
	}
	return weft.Array{}
}

func matMulInteger(n *node) []weft.Array {
	return one(n.integerProduct(n.x(0), n.input(2), n.x(1), n.input(3)))
}

// integerProduct is a product of integers minus their zero points, exact in 32 bits.
func (n *node) integerProduct(a, azero, b, bzero weft.Array) weft.Array {
	if a.Rank() < 1 || b.Rank() < 1 {
		n.fail(core.ErrShape, "the operands are %v and %v, want matrices; reshape them, or use MatMul", a.Shape(), b.Shape())
	}
	x := centered(a, azero, max(a.Rank()-2, 0))
	if b.Rank() != 2 {
		y := centered(b, bzero, b.Rank()-1)
		r := x.Rank()
		if r > 2 && r == y.Rank() && slices.Equal([]int(x.Shape())[:r-2], []int(y.Shape())[:r-2]) {
			batch := iotas(r - 2)
			return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: []int{r - 1}, RhsContract: []int{r - 2}, LhsBatch: batch, RhsBatch: batch, Preferred: weft.Int32})
		}
		return x.AsType(weft.Int32).MatMul(y.AsType(weft.Int32))
	}
	if x.Dim(-1) != b.Dim(0) {
		n.fail(core.ErrShape, "the operands are %v and %v; columns of the first must be as many as rows of the second", a.Shape(), b.Shape())
	}
	// Processors multiply neighbours along k in pairs, so the weights are transposed: neighbours along k
	// then lie side by side.
	odd := x.DType() == weft.Int16 && b.Dim(0)%2 != 0
	y := n.once(1, func() weft.Array {
		y := centered(b, bzero, 1).T()
		if odd {
			y = lax.Pad(y, scalar(0, y.DType()), [3]int{}, [3]int{0, 1, 0})
		}
		return y
	}, b, bzero)
	if odd {
		widths := make([][3]int, x.Rank())
		widths[x.Rank()-1] = [3]int{0, 1, 0}
		x = lax.Pad(x, scalar(0, x.DType()), widths...)
	}
	return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: []int{x.Rank() - 1}, RhsContract: []int{1}, Preferred: weft.Int32})
}
