package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
)

// The format has features on axis 1; processors compute convolutions with features last. Frames
// keep the results of convolutions, and of elementwise operators on them, with features last, and
// move the features where a node wants them on axis 1.

// lastOps are the operators that take and return arrays with features last.
var lastOps map[string]func(f *frame, n *node) weft.Array

func init() { // in init, since these functions evaluate nodes, which read lastOps
	lastOps = map[string]func(f *frame, n *node) weft.Array{
		"Conv": lastConv, "BatchNormalization": lastBatchNorm, "GlobalAveragePool": lastAverage, "Concat": lastConcat,
	}
	for _, op := range []string{"Relu", "LeakyRelu", "Sigmoid", "Tanh", "HardSigmoid", "HardSwish", "Elu", "Clip", "Erf", "Softplus", "Mish", "Gelu", "Swish", "Sqrt", "Exp", "Abs", "Neg", "Identity"} {
		lastOps[op] = lastUnary
	}
	for _, op := range []string{"Add", "Sub", "Mul", "Div", "Max", "Min"} {
		lastOps[op] = lastBroadcast
	}
}

// featuresLast evaluates a node on arrays with features last, if it can and one operand is such
// an array; a convolution makes one.
func (f *frame) featuresLast(n *format.Node) bool {
	op := lastOps[n.Op]
	if op == nil || n.Domain != "" || len(n.Outputs) != 1 || f.model.functions[opName{n.Domain, n.Op, n.Overload}] != nil {
		return false
	}
	if n.Op != "Conv" && !slices.ContainsFunc(n.Inputs, func(name string) bool { return !f.last[name].IsZero() }) {
		return false
	}
	y := op(f, &node{Node: n, f: f, version: f.opsets[n.Domain]})
	if y.IsZero() {
		return false
	}
	f.last[n.Outputs[0]] = y
	return true
}

// moved returns input i with features last. If it has features on axis 1 and fewer axes than rank, axes of
// size 1 are added in front. It returns the zero Array if the input is absent or cannot be brought to that
// rank.
func (n *node) moved(i, rank int) weft.Array {
	if x := n.f.last[n.Inputs[i]]; !x.IsZero() {
		if x.Rank() != rank {
			return weft.Array{}
		}
		return x
	}
	x, ok := n.f.lookup(n.Inputs[i])
	switch {
	case !ok || x.IsZero() || x.Rank() > rank:
		return weft.Array{}
	case x.Size() == 1:
		return x.Reshape(repeated(1, rank)...)
	}
	return x.Reshape(slices.Concat(repeated(1, rank-x.Rank()), []int(x.Shape()))...).MoveAxis(1, -1)
}

func lastConv(f *frame, n *node) weft.Array {
	if len(n.Inputs) < 2 {
		return weft.Array{}
	}
	x := f.last[n.Inputs[0]]
	if x.IsZero() {
		first, ok := f.lookup(n.Inputs[0])
		if !ok || first.IsZero() || constant(first) || first.Rank() < 3 {
			return weft.Array{}
		}
		x = first.MoveAxis(1, -1)
	}
	n.in = []weft.Array{x}
	for _, name := range n.Inputs[1:] {
		w, ok := f.lookup(name)
		if !ok && name != "" {
			return weft.Array{}
		}
		n.in = append(n.in, w)
	}
	n.fits()
	return n.plus(n.convolveLast(x, n.x(1)), 2)
}

func lastBatchNorm(f *frame, n *node) weft.Array {
	x := f.last[n.Inputs[0]]
	if x.IsZero() || n.version < 9 || n.int("training_mode", 0) != 0 {
		return weft.Array{}
	}
	n.in = []weft.Array{x}
	for _, name := range n.Inputs[1:] {
		p, ok := f.lookup(name)
		if !ok || p.IsZero() {
			return weft.Array{}
		}
		n.in = append(n.in, p)
	}
	if len(n.in) != 5 {
		return weft.Array{}
	}
	t := wide(x.DType())
	scale, shift := n.affine(t)
	return x.AsType(t).Mul(scale).Add(shift).AsType(x.DType())
}

func lastAverage(f *frame, n *node) weft.Array {
	x := f.last[n.Inputs[0]]
	if x.IsZero() || len(n.Inputs) != 1 {
		return weft.Array{}
	}
	axes := iotas(x.Rank() - 1)[1:]
	return keepdims(mean(x.AsType(wide(x.DType())), axes).AsType(x.DType()), x, axes)
}

func lastConcat(f *frame, n *node) weft.Array {
	if n.Attrs["axis"] == nil { // what that means depends on the version
		return weft.Array{}
	}
	rank := n.lastRank()
	axis := n.axis(n.int("axis", 0), rank)
	var parts []weft.Array
	for i, name := range n.Inputs {
		x := n.moved(i, rank)
		if x.IsZero() || f.last[name].IsZero() && n.rankOf(i) != rank {
			return weft.Array{}
		}
		parts = append(parts, x)
	}
	switch {
	case axis == 1:
		axis = rank - 1
	case axis > 1:
		axis--
	}
	return weft.Concat(axis, parts...)
}

// lastRank returns the greatest rank of the inputs that have their features last.
func (n *node) lastRank() int {
	rank := 0
	for _, name := range n.Inputs {
		if x, ok := n.f.last[name]; ok {
			rank = max(rank, x.Rank())
		}
	}
	return rank
}

// rankOf returns the rank of input i, which must have a value.
func (n *node) rankOf(i int) int {
	x, _ := n.f.lookup(n.Inputs[i])
	return x.Rank()
}

// lastUnary applies an operator whose other inputs are single numbers. For other inputs it returns the zero Array.
func lastUnary(f *frame, n *node) weft.Array {
	x := f.last[n.Inputs[0]]
	if x.IsZero() {
		return x
	}
	n.in = []weft.Array{x}
	for _, name := range n.Inputs[1:] {
		p, ok := f.lookup(name)
		if name != "" && (!ok || !p.IsZero() && p.Size() != 1) {
			return weft.Array{}
		}
		n.in = append(n.in, p)
	}
	n.fits()
	return operators[opKey{"", n.Op}](n)[0]
}

func lastBroadcast(f *frame, n *node) weft.Array {
	if n.version < 7 {
		return weft.Array{}
	}
	rank := n.lastRank()
	for i := range n.Inputs {
		x := n.moved(i, rank)
		if x.IsZero() {
			return x
		}
		n.in = append(n.in, x)
	}
	n.fits()
	return operators[opKey{"", n.Op}](n)[0]
}
