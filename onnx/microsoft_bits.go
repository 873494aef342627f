package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// A bitMatrix is the matrix of a MatMulNBits: columns are divided into blocks of integers of few bits, and each block
// has a scale and a zero point. An element is (integer − zero point)·scale.
type bitMatrix struct {
	*node
	rows, cols, blocks, block, bits int
	t                               weft.DType // in which it is multiplied
}

// leastBits is the number of elements from which a bitMatrix is assumed not to fit the cache as floats.
const leastBits = 1 << 17

// matMulBits multiplies by a bitMatrix. For any number of rows the sums are the same as in a product
// with the matrix of numbers.
func matMulBits(n *node) []weft.Array {
	x := n.x(0)
	w := &bitMatrix{node: n, rows: n.int("K", 0), cols: n.int("N", 0), block: n.int("block_size", 0), bits: n.int("bits", 4), t: wide(x.DType())}
	if w.rows < 1 || w.cols < 1 || w.block < 1 || x.Rank() < 1 || x.Dim(-1) != w.rows {
		n.fail(core.ErrShape, "the operand is %v for K = %d, N = %d and blocks of %d; its last axis must be K, and all three positive", x.Shape(), w.rows, w.cols, w.block)
	}
	n.checkBits(w.bits)
	w.blocks = (w.rows + w.block - 1) / w.block
	if n.int("weight_prepacked", 0) != 0 {
		n.fail(core.ErrNoRule, "weight_prepacked is not supported; export the model without it")
	}
	if want := w.cols * w.blocks * ((w.block*w.bits + 7) / 8); n.x(1).Size() != want {
		n.fail(core.ErrShape, "B is %v, want %d bytes for %d columns of %d blocks; check N, K, block_size and bits", n.x(1).Shape(), want, w.cols, w.blocks)
	}
	y, ok := w.inPanels(x.AsType(w.t))
	if !ok {
		y = lax.DotGeneral(x.AsType(w.t), w.numbers(), lax.DotConfig{LhsContract: []int{x.Rank() - 1}, RhsContract: []int{1}})
	}
	return one(n.plus(y.AsType(x.DType()), 5))
}

// zeros returns the zero points as elements of type t. Without an input they are in the middle of the range.
func (w *bitMatrix) zeros(t weft.DType) weft.Array {
	if !w.has(3) {
		return scalar(float64(int(1)<<(w.bits-1)), t)
	}
	z := w.x(3)
	if !z.DType().IsFloat() {
		z = lax.SliceInDim(w.unpacked(z.Reshape(w.cols, -1), w.bits), 0, w.blocks, 1, 1)
	}
	return z.Reshape(w.cols, w.blocks, 1).AsType(t)
}

// numbers returns the matrix, transposed.
func (w *bitMatrix) numbers() weft.Array {
	v := w.unpacked(w.x(1).Reshape(w.cols, w.blocks, -1), w.bits).AsType(w.t)
	scales, zeros := w.x(2).Reshape(w.cols, w.blocks, 1).AsType(w.t), w.zeros(w.t)
	if w.has(4) { // input 4 lists the block of each row
		of := func(s weft.Array) weft.Array {
			return weft.Take(s.BroadcastTo(w.cols, w.blocks, 1).Reshape(w.cols, w.blocks), w.x(4), 1)
		}
		v = lax.SliceInDim(v.Reshape(w.cols, -1), 0, w.rows, 1, 1)
		return v.Sub(of(zeros)).Mul(of(scales))
	}
	v = v.Sub(zeros).Mul(scales).Reshape(w.cols, w.blocks*w.block)
	if w.blocks*w.block != w.rows {
		v = lax.SliceInDim(v, 0, w.rows, 1, 1)
	}
	return v
}

// inPanels multiplies by integers that are packed in words and lie in panels of columns. The kernel of a product of few rows,
// which takes as long as reading the matrix, converts them to floats in its registers; other products read floats of a
// part of a panel at a time. It reports false for products by a small matrix or outside of programs.
func (w *bitMatrix) inPanels(x weft.Array) (weft.Array, bool) {
	word := 32 / w.bits // integers of a word
	if w.bits == 8 {
		word = 1
	}
	k := w.rows
	if !core.Tracing() || w.has(4) || w.blocks*w.block != k || w.block%word != 0 || k*w.cols < leastBits {
		return weft.Array{}, false
	}
	panels := (w.cols + panel - 1) / panel
	laid := func(x weft.Array) weft.Array { // [columns, blocks, words] as [panels, blocks, words, 1, columns of a panel]
		if more := panels*panel - w.cols; more > 0 {
			x = lax.Pad(x, scalar(0, x.DType()), [3]int{0, more, 0}, [3]int{}, [3]int{})
		}
		return viewed(x, panels, panel, w.blocks, x.Dim(2), 1).Transpose(0, 2, 3, 4, 1)
	}
	v := w.once(1, func() weft.Array {
		v := w.x(1)
		if word > 1 {
			v = inWords(v)
		}
		return laid(viewed(v, w.cols, w.blocks, w.block/word))
	}, w.x(1))
	scales := w.once(2, func() weft.Array { return laid(viewed(w.x(2), w.cols, w.blocks, 1).AsType(w.t)) }, w.x(2))
	zeros := w.zeros(w.t)
	if w.has(3) {
		zeros = w.once(3, func() weft.Array { return laid(w.zeros(w.t)) }, w.x(3))
	}
	if word > 1 {
		shifts := weft.Iota(weft.Int32, 0, word, 1).Mul(int32(w.bits))
		v = v.Shr(shifts).And(int32(1)<<w.bits - 1)
	}
	v = v.AsType(w.t).Sub(zeros).Mul(scales)
	m := x.Size() / k
	y := lax.DotGeneral(x.Reshape(m, w.blocks, w.block/word, word), v, lax.DotConfig{LhsContract: []int{1, 2, 3}, RhsContract: []int{1, 2, 3}})
	y = lax.SliceInDim(y.Reshape(m, panels*panel), 0, w.cols, 1, 1)
	return y.Reshape(append(slices.Clone([]int(x.Shape())[:x.Rank()-1]), w.cols)...), true
}
