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
	return y.Sub(spreadZero(zero.AsType(t), x, axis))
}

// spreadZero returns zero points of x in a shape that broadcasts to it: those of rows or columns lie along an axis.
func spreadZero(z, x weft.Array, axis int) weft.Array {
	if z.Rank() == 1 && z.Dim(0) > 1 && x.Rank() > 1 {
		dims := repeated(1, x.Rank())
		dims[axis] = z.Dim(0)
		return z.Reshape(dims...)
	} else if z.Size() == 1 {
		return z.Reshape()
	}
	return z
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
	if !isByte(a) || !isByte(b) {
		n.fail(core.ErrDType, "the operands are %v and %v, want 8-bit integers; dequantize them, and use MatMul", a.DType(), b.DType())
	}
	if b.Rank() != 2 {
		x, y := centered(a, azero, max(a.Rank()-2, 0)), centered(b, bzero, b.Rank()-1)
		r := x.Rank()
		if r > 2 && r == y.Rank() && slices.Equal([]int(x.Shape())[:r-2], []int(y.Shape())[:r-2]) {
			batch := iotas(r - 2)
			return lax.DotGeneral(x, y, lax.DotConfig{LhsContract: []int{r - 1}, RhsContract: []int{r - 2}, LhsBatch: batch, RhsBatch: batch, Preferred: weft.Int32})
		}
		return x.AsType(weft.Int32).MatMul(y.AsType(weft.Int32))
	}
	if a.Dim(-1) != b.Dim(0) {
		n.fail(core.ErrShape, "the operands are %v and %v; columns of the first must be as many as rows of the second", a.Shape(), b.Shape())
	}
	return n.byteProduct(a, azero, b, bzero)
}

func isByte(x weft.Array) bool { return x.DType().IsInteger() && x.DType().Bits() == 8 }

// The numbers of bytes that processors multiply at once: of a word and, if they multiply matrices, of a row of one.
const (
	wordBytes = 4
	lineBytes = 64
)

// byteProduct is integerProduct with a matrix of weights. With a as u8 and b as i8, which processors multiply four at a
// time, and with the zero points p and q moved likewise,
//
//	Σ (a−p)·(b−q) = Σ a·b − p·Σ (b−q) − q·Σ a
//
// modulo 2³². The weights are transposed and padded, so that neighbours along k lie side by side and fill whole words, or whole rows of
// matrices if that adds little: elements beyond these take another pass over the results.
func (n *node) byteProduct(a, azero, b, bzero weft.Array) weft.Array {
	k := b.Dim(0)
	words := func(x weft.Array) weft.Array { // the axis k is the last
		more := (wordBytes - k%wordBytes) % wordBytes
		if line := (lineBytes - k%lineBytes) % lineBytes; 16*line <= k {
			more = line
		}
		if more == 0 {
			return x
		}
		widths := make([][3]int, x.Rank())
		widths[x.Rank()-1] = [3]int{0, more, 0}
		return lax.Pad(x, scalar(0, x.DType()), widths...)
	}
	weights := n.once(1, func() weft.Array { return words(moved(b, weft.Int8).T()) }, b)
	x := moved(a, weft.Uint8)
	y := lax.DotGeneral(words(x), weights, lax.DotConfig{LhsContract: []int{x.Rank() - 1}, RhsContract: []int{1}, Preferred: weft.Int32})
	p, q := n.movedZero(4, azero, a, max(a.Rank()-2, 0), weft.Uint8), n.movedZero(5, bzero, b, 1, weft.Int8)
	if !p.IsZero() {
		if p.Rank() > 0 && p.Dim(-1) > 1 {
			n.fail(core.ErrShape, "the first operand, %v, has zero points %v; give it one, or one for each row", a.Shape(), azero.Shape())
		}
		sums := n.once(2, func() weft.Array { return lax.ReduceSum(centered(b, bzero, 1).AsType(weft.Int32), 0) }, b, bzero)
		p = p.Mul(sums)
	}
	if !q.IsZero() {
		if q.Rank() > 1 && q.Dim(-2) > 1 {
			n.fail(core.ErrShape, "the second operand, %v, has zero points %v; give it one, or one for each column", b.Shape(), bzero.Shape())
		}
		if a.Rank() == 1 && q.Rank() > 0 {
			q = q.Reshape(-1)
		}
		sums := lax.ReduceSum(x.AsType(weft.Int32), x.Rank()-1)
		q = lax.ExpandDims(sums, sums.Rank()).Mul(q)
	}
	for _, x := range []weft.Array{q, p} { // q first: sums of rows are made in the kernel that subtracts both
		if !x.IsZero() {
			y = y.Sub(x)
		}
	}
	return y
}

// moved returns bytes as another type of bytes. Between types with and without a sign the numbers change by 128.
func moved(x weft.Array, dt weft.DType) weft.Array {
	if x.DType() == dt {
		return x
	}
	return x.View(weft.Uint8).Xor(128).View(dt)
}

// movedZero returns the zero point of x, along an axis if there are several, for moved(x, dt): an i32, the zero Array if it is
// known to be 0.
func (n *node) movedZero(part int, zero, x weft.Array, axis int, dt weft.DType) weft.Array {
	by := 0
	if x.DType() != dt {
		by = 128
		if dt == weft.Int8 {
			by = -128
		}
	}
	if zero.IsZero() {
		if by == 0 {
			return zero
		}
		return scalar(float64(by), weft.Int32)
	}
	return n.once(part, func() weft.Array {
		z := spreadZero(zero.AsType(weft.Int32), x, axis).Add(by)
		if constant(z) && !z.Ne(0).Any().Bool() {
			return weft.Array{}
		}
		return z
	}, zero)
}
