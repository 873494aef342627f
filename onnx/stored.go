package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/runtime"
)

// A stored value is a constant matrix of floats that a model keeps as 8-bit integers:
// (x − zero point)·scale, written as DequantizeLinear, as Cast, or as Cast and Mul. Lookups of rows and products
// of few rows, which are limited by reading the matrix, read the integers. For other nodes the floats are computed once.
type stored struct {
	ints, zero, scale weft.Array // zero and scale may be absent; they are numbers, or one for each column
	byRow             bool       // zero and scale have one for each row, and two axes
	numbers           func() weft.Array
}

const (
	leastStored    = 1 << 14 // least number of elements of a matrix that is kept as integers
	mostStoredRows = 32      // of an operand that is multiplied by the integers
	panel          = 64      // the columns of a panel: in each row, their elements are adjacent in memory
)

// stored keeps the integers if the node casts a large constant 8-bit matrix to f32, and reports whether it does.
func (f *frame) stored(n *format.Node, in []weft.Array, fixed bool) bool {
	if !fixed || n.Op != "Cast" || !f.plain(n, 1) || !storable(in[0]) || (&node{Node: n, f: f, in: in}).dtype("to", weft.Int32) != weft.Float32 {
		return false
	}
	f.kept[n.Outputs[0]] = &stored{ints: in[0], numbers: func() weft.Array { return f.apply(n, in, true)[0] }}
	return true
}

// plain reports whether a node is one of the format's operators, with a number of inputs and one result.
func (f *frame) plain(n *format.Node, inputs int) bool {
	return n.Domain == "" && len(n.Inputs) == inputs && len(n.Outputs) == 1 && f.model.functions[opName{n.Domain, n.Op, n.Overload}] == nil
}

func storable(x weft.Array) bool {
	return !x.IsZero() && (x.DType() == weft.Int8 || x.DType() == weft.Uint8) && x.Rank() == 2 && x.Size() >= leastStored
}

// storedNode evaluates a node on a matrix that is kept as integers (Mul by a scale, MatMul, Gather) if it can, and reports
// whether it did.
func (f *frame) storedNode(n *format.Node) bool {
	if !f.plain(n, 2) {
		return false
	}
	switch n.Op {
	case "Mul":
		return f.storedMul(n, 0) || f.storedMul(n, 1)
	case "MatMul":
		return f.storedMatMul(n)
	case "Gather":
		return f.storedGather(n)
	}
	return false
}

// storedOf returns the stored matrix called name, or nil if there is none.
func (f *frame) storedOf(name string) *stored {
	if s := f.kept[name]; s != nil {
		return s
	}
	q := f.quanta[name]
	if q == nil || !q.fixed || !storable(q.node.in[0]) {
		return nil
	}
	s := &stored{ints: q.node.in[0], zero: q.node.input(2), scale: q.node.in[1], numbers: q.numbers}
	if !q.along(1) {
		s.byRow, s.scale = true, s.scale.Reshape(-1, 1)
		if !s.zero.IsZero() {
			s.zero = s.zero.Reshape(-1, 1)
		}
	}
	return s
}

// storedMul multiplies input i, if it is a stored matrix without a scale, by the other input, if that is a
// scale. The product is a stored matrix, too.
func (f *frame) storedMul(n *format.Node, i int) bool {
	s := f.kept[n.Inputs[i]]
	if s == nil || !s.scale.IsZero() {
		return false
	}
	scale, ok := f.lookup(n.Inputs[1-i])
	rows, columns := s.ints.Dim(0), s.ints.Dim(1)
	if !ok || scale.IsZero() || !constant(scale) || scale.DType() != weft.Float32 || scale.Rank() > 2 {
		return false
	}
	byRow := false
	switch {
	case scale.Size() == 1, scale.Size() == columns && scale.Dim(-1) == columns:
		scale = scale.Reshape(-1)
	case scale.Size() == rows && scale.Rank() == 2 && scale.Dim(0) == rows:
		byRow = true
	default:
		return false
	}
	f.kept[n.Outputs[0]] = &stored{ints: s.ints, scale: scale, byRow: byRow, numbers: func() weft.Array {
		in := []weft.Array{scale, scale}
		in[i] = s.numbers()
		return f.apply(n, in, true)[0]
	}}
	return true
}

// numbersOf returns the floats for which some of the integers stand. The function `of` brings the scales and the zero points
// that belong to them into a shape that broadcasts to ints.
func (s *stored) numbersOf(ints weft.Array, of func(x weft.Array) weft.Array) weft.Array {
	spread := func(x weft.Array) weft.Array {
		if x.Size() == 1 {
			return x.Reshape()
		}
		return of(x)
	}
	y := ints.AsType(weft.Float32)
	if !s.zero.IsZero() {
		y = y.Sub(spread(s.zero).AsType(weft.Float32)) // exact
	}
	if !s.scale.IsZero() {
		y = y.Mul(spread(s.scale))
	}
	return y
}

// storedMatMul multiplies few rows by a stored matrix, if it can, and reports whether it did. The integers lie
// in panels of columns, and the product's kernel computes the floats from them as it reads them.
func (f *frame) storedMatMul(n *format.Node) bool {
	s := f.storedOf(n.Inputs[1])
	if s == nil || s.byRow || !core.Tracing() {
		return false
	}
	x, ok := f.lookup(n.Inputs[0])
	k, panels := s.ints.Dim(0), s.ints.Dim(1)/panel
	if !ok || x.IsZero() || constant(x) || x.DType() != weft.Float32 || x.Rank() < 1 || x.Dim(-1) != k || x.Size() > mostStoredRows*k || s.ints.Dim(1)%panel != 0 {
		return false
	}
	a := &node{Node: n, f: f}
	w := a.once(3, func() weft.Array { return inPanels(s.ints) }, s.ints)
	w = s.numbersOf(w, func(x weft.Array) weft.Array { return x.Reshape(panels, 1, panel) })
	y := lax.DotGeneral(x.Reshape(x.Size()/k, k), w, lax.DotConfig{LhsContract: []int{1}, RhsContract: []int{1}})
	f.values[n.Outputs[0]] = y.Reshape(append(slices.Clone([]int(x.Shape())[:x.Rank()-1]), panels*panel)...)
	return true
}

func (f *frame) storedGather(n *format.Node) bool {
	s := f.storedOf(n.Inputs[0])
	if s == nil {
		return false
	}
	at, ok := f.lookup(n.Inputs[1])
	a := &node{Node: n, f: f}
	if !ok || at.IsZero() || !core.Tracing() || a.int("axis", 0) != 0 {
		return false
	}
	take := func(x weft.Array) weft.Array { return f.apply(n, []weft.Array{x, at}, false)[0] }
	of := take
	if !s.byRow { // scales and zero points do not depend on the row
		of = func(x weft.Array) weft.Array { return x }
	}
	f.values[n.Outputs[0]] = a.once(0, func() weft.Array { return s.numbersOf(take(s.ints), of) }, s.ints, s.zero, s.scale, at)
	return true
}

// inPanels returns a constant matrix of bytes as panels of columns. It copies a panel's part of a row at once; an operation
// would move byte by byte.
func inPanels(x weft.Array) weft.Array {
	k, n := x.Dim(0), x.Dim(1)
	y := runtime.NewUncleared(core.ShapedArray{Shape: core.MakeDims(n/panel, k, panel), DType: x.DType()})
	from, to := x.Value().(*runtime.Array).Tensor().Data, y.Tensor().Data
	for row := range k {
		for p := range n / panel {
			copy(to[(p*k+row)*panel:][:panel], from[row*n+p*panel:])
		}
	}
	return weft.FromValue(y)
}
