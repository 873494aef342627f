package onnx

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
)

type node struct {
	*format.Node
	f       *frame
	version int64 // of the operator's domain
	in      []weft.Array
}

// fail panics with an error, to which frame.node adds the name of the node.
func (n *node) fail(kind error, format string, args ...any) {
	core.FailOp(kind, "", nil, format, args...)
}

// x returns a required input.
func (n *node) x(i int) weft.Array {
	if !n.has(i) {
		n.fail(core.ErrTree, "input %d is missing; add it to the node", i+1)
	}
	return n.in[i]
}

// atLeast returns an input whose rank must be at least the given rank.
func (n *node) atLeast(i, rank int) weft.Array {
	x := n.x(i)
	if x.Rank() < rank {
		n.fail(core.ErrShape, "input %d is %v, want at least %d axes; reshape it", i+1, x.Shape(), rank)
	}
	return x
}

// has reports whether the node has input i: inputs may be left off, also by an empty name.
func (n *node) has(i int) bool { return i < len(n.in) && !n.in[i].IsZero() }

func (n *node) wants(i int) bool { return i < len(n.Outputs) && n.Outputs[i] != "" }

// attr returns an attribute, nil if it is left off. It must have the given type.
func (n *node) attr(name string, t format.AttrType) *format.Attr {
	a := n.f.attr(n.Attrs[name])
	if a != nil && a.Type != t {
		n.fail(core.ErrParse, "attribute %q is of type %v, want %v; write it with that type", name, a.Type, t)
	}
	if a != nil && (t == format.AttrTensor && a.Tensor == nil || t == format.AttrGraph && a.Graph == nil || t == format.AttrSparse && a.Sparse == nil) {
		n.fail(core.ErrParse, "attribute %q is of type %v and has no value; add it to the node", name, a.Type)
	}
	return a
}

func (n *node) int(name string, def int) int {
	if a := n.attr(name, format.AttrInt); a != nil {
		return int(a.Int)
	}
	return def
}

func (n *node) float(name string, def float64) float64 {
	if a := n.attr(name, format.AttrFloat); a != nil {
		return float64(a.Float)
	}
	return def
}

func (n *node) text(name, def string) string {
	if a := n.attr(name, format.AttrString); a != nil {
		return a.String
	}
	return def
}

// ints returns an attribute that lists integers, nil if it is left off.
func (n *node) ints(name string) []int {
	a := n.attr(name, format.AttrInts)
	if a == nil {
		return nil
	}
	out := make([]int, len(a.Ints))
	for i, v := range a.Ints {
		out[i] = int(v)
	}
	return out
}

func (n *node) floats(name string) []float64 {
	a := n.attr(name, format.AttrFloats)
	if a == nil {
		return nil
	}
	out := make([]float64, len(a.Floats))
	for i, v := range a.Floats {
		out[i] = float64(v)
	}
	return out
}

func (n *node) texts(name string) []string {
	if a := n.attr(name, format.AttrStrings); a != nil {
		return a.Strings
	}
	return nil
}

// dtype returns the dtype that an attribute names, or def if it is left off.
func (n *node) dtype(name string, def weft.DType) weft.DType {
	a := n.attr(name, format.AttrInt)
	if a == nil {
		return def
	}
	dt := format.Elem(a.Int).DType()
	if dt == core.Invalid {
		n.fail(core.ErrNoRule, "attribute %q asks for elements of type %v, which arrays cannot have; export the model without it", name, format.Elem(a.Int))
	}
	return dt
}

// body returns the graph that is an attribute, which must be there.
func (n *node) body(name string) *format.Graph {
	a := n.attr(name, format.AttrGraph)
	if a == nil {
		n.fail(core.ErrTree, "graph %q is missing; add it to the node", name)
	}
	return a.Graph
}

// known returns the integers of an input whose value decides a shape.
func (n *node) known(i int) []int {
	x := n.x(i)
	var out []int
	if err := core.Catch(func() {
		for _, v := range weft.ToSlice[int64](x.AsType(weft.Int64).Ravel()) {
			out = append(out, int(v))
		}
	}); err != nil {
		n.fail(core.ErrConcrete, "the value of input %d (%q) decides a shape, and is not known while the model is traced; pass it to Bind, or call the model without Jit", i+1, n.Inputs[i])
	}
	return out
}

// knownOne returns the integer of an input of one element whose value decides a shape.
func (n *node) knownOne(i int) int {
	v := n.known(i)
	if len(v) != 1 {
		n.fail(core.ErrShape, "input %d is %v, want one number; reshape or slice it", i+1, n.x(i).Shape())
	}
	return v[0]
}

// knownOr returns [node.known] of an input, or def if it is left off.
func (n *node) knownOr(i int, def []int) []int {
	if !n.has(i) {
		return def
	}
	return n.known(i)
}

// number returns the value of an input of one element, which must be known while the model is traced.
func (n *node) number(i int) float64 {
	x := n.x(i)
	var v float64
	if err := core.Catch(func() { v = x.AsType(weft.Float64).Reshape().Float() }); err != nil {
		n.fail(core.ErrConcrete, "the value of input %d (%q) must be known while the model is traced; pass it to Bind, or call the model without Jit", i+1, n.Inputs[i])
	}
	return v
}

// axis returns an axis as a number from 0 on.
func (n *node) axis(a, rank int) int {
	if a < -rank || a >= rank {
		n.fail(core.ErrAxis, "axis %d is out of range for an operand of rank %d; correct the attribute, or the operand's rank", a, rank)
	}
	if a < 0 {
		a += rank
	}
	return a
}

// axes returns axes as numbers from 0 on; each may occur once.
func (n *node) axes(as []int, rank int) []int {
	out := make([]int, len(as))
	seen := map[int]bool{}
	for i, a := range as {
		out[i] = n.axis(a, rank)
		if seen[out[i]] {
			n.fail(core.ErrAxis, "axis %d occurs twice; list each once", a)
		}
		seen[out[i]] = true
	}
	return out
}

func one(x weft.Array) []weft.Array { return []weft.Array{x} }

// iotas returns 0, 1, …, n−1.
func iotas(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func repeated(v, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = v
	}
	return out
}

func scalar(v float64, dt weft.DType) weft.Array { return weft.Scalar(v).AsType(dt) }

// lowest returns the least value of a dtype; for floats it is −∞, converted to the dtype.
func lowest(dt weft.DType) weft.Array {
	switch {
	case dt == weft.Bool:
		return weft.Scalar(false)
	case !dt.IsInteger():
		return scalar(math.Inf(-1), dt)
	case !dt.IsSigned():
		return weft.Scalar(uint64(0)).AsType(dt)
	}
	return weft.Scalar(int64(-1) << (dt.Bits() - 1)).AsType(dt)
}

// highest returns the greatest value of a dtype; for floats it is ∞, converted to the dtype.
func highest(dt weft.DType) weft.Array {
	switch {
	case dt == weft.Bool:
		return weft.Scalar(true)
	case !dt.IsInteger():
		return scalar(math.Inf(1), dt)
	case !dt.IsSigned():
		return weft.Scalar(^uint64(0) >> (64 - dt.Bits())).AsType(dt)
	}
	return weft.Scalar(int64(1)<<(dt.Bits()-1) - 1).AsType(dt)
}
