package onnx

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
)

// A quantum is a value that a node makes from 8-bit integers, (x − zero point)·scale. It is not
// computed until a node wants numbers: products want the integers.
type quantum struct {
	node  *node
	fixed bool
}

// quantized keeps the result of a DequantizeLinear of 8-bit integers to f32 as a quantum, and reports whether
// it did. It does not if scales are those of blocks, or their number is not that of the zero points.
func (f *frame) quantized(n *format.Node, in []weft.Array, fixed bool) bool {
	if n.Op != "DequantizeLinear" || n.Domain != "" && n.Domain != microsoft || len(in) < 2 || len(n.Outputs) != 1 || in[0].IsZero() || in[1].IsZero() {
		return false
	}
	a := &node{Node: n, f: f, version: f.opsets[n.Domain], in: in}
	x, scale := in[0], in[1]
	if !isByte(x) || scale.DType() != weft.Float32 || a.dtypeOr("output_dtype", weft.Float32) != weft.Float32 {
		return false
	}
	if one := scale.Size() == 1; !one && (scale.Rank() != 1 || a.int("block_size", 0) != 0 || scale.Size() != x.Dim(a.axis(a.int("axis", 1), x.Rank()))) {
		return false
	}
	if zero := a.input(2); !zero.IsZero() && zero.Size() != scale.Size() { // the zero points may lie along another axis
		return false
	}
	f.quanta[n.Outputs[0]] = &quantum{a, fixed}
	return true
}

// numbers returns the floats that the integers stand for.
func (q *quantum) numbers() weft.Array { return q.node.f.apply(q.node.Node, q.node.in, q.fixed)[0] }

// along reports whether there is one scale, or one for each position along the given axis.
func (q *quantum) along(axis int) bool {
	x, scale := q.node.in[0], q.node.in[1]
	return scale.Size() == 1 || q.node.axis(q.node.int("axis", 1), x.Rank()) == axis
}

// mostTerms is the greatest number of products of 8-bit integers minus zero points whose sum always fits in 32 bits.
const mostTerms = math.MaxInt32 / (255 * 255)

// integerNode evaluates a product of two quanta with their integers, and reports whether it did. The sum of
// products of integers is exact, while that of rounded floats is not; but floats do not overflow.
func (f *frame) integerNode(n *format.Node) bool {
	if n.Domain != "" || len(n.Inputs) < 2 || len(n.Outputs) != 1 || !slices.Contains([]string{"MatMul", "Gemm", "Conv"}, n.Op) {
		return false
	}
	qx, qw := f.quanta[n.Inputs[0]], f.quanta[n.Inputs[1]]
	if qx == nil || qw == nil || qx.node.in[1].Size() != 1 {
		return false
	}
	a := &node{Node: n, f: f, version: f.opsets[""], in: []weft.Array{qx.node.in[0], qw.node.in[0]}}
	for _, name := range n.Inputs[2:] {
		c, ok := f.lookup(name)
		if name != "" && !ok {
			return false
		}
		a.in = append(a.in, c)
	}
	x, w := a.in[0], a.in[1]
	xzero, wzero := qx.node.input(2), qw.node.input(2)
	scale := qx.node.in[1].Reshape().Mul(oneOrColumns(qw.node.in[1]))
	var y weft.Array
	switch n.Op {
	case "MatMul":
		if w.Rank() < 2 || !qw.along(w.Rank()-1) || x.Rank() < 1 || x.Dim(-1) > mostTerms {
			return false
		}
		y = a.integerProduct(x, xzero, w, wzero).AsType(weft.Float32).Mul(scale)
	case "Gemm":
		axis := 1 - min(1, a.int("transB", 0))
		if x.Rank() != 2 || w.Rank() != 2 || x.Dim(1) > mostTerms || a.int("transA", 0) != 0 || a.float("alpha", 1) != 1 || a.float("beta", 1) != 1 || !qw.along(axis) {
			return false
		}
		if axis == 0 {
			w = a.once(3, w.T, w)
		}
		y = a.integerProduct(x, xzero, w, wzero).AsType(weft.Float32).Mul(scale)
		if a.has(2) {
			if !slices.Equal(a.together(y.Shape(), a.x(2).Shape()), []int(y.Shape())) {
				return false
			}
			y = y.Add(a.x(2))
		}
	case "Conv":
		if x.Rank() < 3 || w.Rank() != x.Rank() || w.Size() > mostTerms*w.Dim(0) || !qw.along(0) {
			return false
		}
		dims := slices.Concat([]int{1, -1}, repeated(1, x.Rank()-2))
		if scale.Rank() > 0 {
			scale = scale.Reshape(dims...)
		}
		y = a.integerConv(x, xzero, w, wzero).AsType(weft.Float32).Mul(scale)
		if a.has(2) {
			y = y.Add(a.x(2).Reshape(dims...))
		}
	}
	f.values[n.Outputs[0]] = y
	return true
}
