package irpass

import (
	"slices"
	"strconv"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Long loops are divided, so that one call of a kernel is short and several threads share a row.
// The number of blocks of lanes, or of chunks, in a part is a power of two: a pairwise tree over all
// of them is a pairwise tree over the trees of the parts, the last of which may be incomplete.

// A Part is one of the kernels that Split returns.
type Part struct {
	Kernel  *ir.Kernel
	Buffers []int // by buffer of Kernel: a buffer of the kernel that was divided or, after those, a Temp
}

// A Temp is an array that parts pass to each other.
type Temp struct {
	Type scalar.Type
	Len  int64
}

// Split returns kernels that together do what k does, in order: the parts of its long loops
// and the combinations of their results, or k itself. Temp i is buffer len(k.Buffers) + i of the parts.
func Split(k *ir.Kernel, m Machine) ([]Part, []Temp) {
	s := &splitter{Machine: m, k: k, given: len(k.Buffers), points: 1, elems: partElems, body: k.Body}
	for i := range k.Buffers {
		s.buffers = append(s.buffers, i)
	}
	for _, d := range k.Grid {
		s.points *= d.Extent.Value
	}
	if m.whole(k) || !m.special(s) && !s.columns() && !s.divides() {
		return []Part{{k, s.buffers}}, nil
	}
	for i, st := range s.body {
		switch st := st.(type) {
		case *ir.Reduce:
			switch {
			case s.nested:
				s.outerReduce(st, !slices.ContainsFunc(s.body[i+1:], func(st ir.Stmt) bool { _, ok := st.(*ir.Reduce); return ok }))
			case s.dividesReduce(st):
				s.reduce(st)
			default:
				s.prefix = append(s.prefix, st)
			}
		case *ir.Loop:
			s.loop(st)
		case *ir.Store:
			s.stores = append(s.stores, st)
		default:
			s.prefix = append(s.prefix, st)
		}
	}
	switch body := append(slices.Clone(s.prefix), s.stores...); {
	case len(s.stores) == 0:
	case s.nested:
		s.launchPoints("rows", nil, body)
	default:
		s.launch("rows", nil, body)
	}
	return s.out, s.temps
}

type splitter struct {
	Machine
	k       *ir.Kernel
	buffers []int // by buffer of k: its number in Part.Buffers
	temps   []Temp
	given   int      // buffers of the kernel before any was added
	points  int64    // points of the grid, or columns of all points together
	elems   int64    // of a part
	least   int64    // elements of a loop that is divided, at least
	byRows  bool     // parts are chunks of rows: see rows
	nested  bool     // reductions are of reductions: see nests
	around  ir.Block // statements in front of lanes
	lanes   *ir.Loop // a loop over columns, which are reduced side by side; nil: none
	body    ir.Block // body of lanes, or of the kernel
	prefix  ir.Block // statements whose values later statements use
	stores  ir.Block // stores of values that are computed once for each row
	out     []Part   // the parts so far
}

// divides reports whether the kernel has a loop to divide, and statements that can stand
// in several kernels.
func (s *splitter) divides() bool {
	loops := 0
	most := int64(0)
	for _, st := range s.k.Body {
		switch st := st.(type) {
		case *ir.Reduce:
			loops++
			most = max(most, st.Extent.Value)
		case *ir.Loop:
			if st.Kind != ir.Vector {
				return false
			}
			loops++
			most = max(most, st.Extent.Value)
		case *ir.While, *ir.If, *ir.Cumulate:
			return false
		}
	}
	s.elems, s.least = s.rowPart(s.points, most, loops)
	for _, st := range s.body {
		if r, ok := st.(*ir.Reduce); ok && s.dividesReduce(r) {
			return true
		}
		if l, ok := st.(*ir.Loop); ok && s.long(l.Extent, l.Tail) {
			return true
		}
	}
	return false
}

// columns reports whether the kernel is a loop over columns, side by side in vectors, with long
// reductions along them. If so, it sets the body that is divided.
func (s *splitter) columns() bool {
	last := len(s.k.Body) - 1
	lanes, ok := s.k.Body[last].(*ir.Loop)
	if !ok || lanes.Kind != ir.Vector || slices.ContainsFunc(s.k.Body[:last], func(st ir.Stmt) bool { return !isOperation(st) }) {
		return false
	}
	points, elems := s.points*lanes.Extent.Value, lanes.Extent.Value
	if t := lanes.Tail; t != nil {
		if len(s.k.Grid) == 0 || t.Outer != s.k.Grid[len(s.k.Grid)-1].Axis {
			return false
		}
		points = s.points / s.k.Grid[len(s.k.Grid)-1].Extent.Value * t.Total.Value
	}
	long, blocks := int64(1), false
	for _, st := range lanes.Body {
		switch st := st.(type) {
		case *ir.Reduce:
			st.Body.Walk(func(in ir.Stmt) { // reductions along several axes
				if in, ok := in.(*ir.Reduce); ok {
					elems = max(elems, lanes.Extent.Value*in.Extent.Value)
				}
			})
			long = max(long, st.Extent.Value)
			blocks = blocks || st.Order == ir.Lanes
		case *ir.Store:
		default:
			if !isOperation(st) {
				return false
			}
		}
	}
	part := s.columnPart(points, long, elems, blocks)
	if part == 0 {
		return false
	}
	s.around, s.lanes, s.body, s.points, s.elems, s.least = s.k.Body[:last], lanes, lanes.Body, points, part, part+1
	return slices.ContainsFunc(s.body, func(st ir.Stmt) bool { r, ok := st.(*ir.Reduce); return ok && s.dividesReduce(r) })
}

// isOperation reports whether a statement computes values and contains no block.
func isOperation(st ir.Stmt) bool {
	switch st.(type) {
	case *ir.Let, *ir.Index, *ir.Load, *ir.Apply:
		return true
	}
	return false
}

func (s *splitter) long(n ir.Size, t *ir.Tail) bool { return t == nil && n.Value >= s.least }

// dividesReduce reports whether a reduction is long and its order is a tree over parts, or any.
func (s *splitter) dividesReduce(r *ir.Reduce) bool {
	return s.long(r.Extent, r.Tail) && (r.Order == ir.Any || r.Order == ir.Lanes || r.Order == ir.Chunks || r.Order == ir.Tree)
}

// part returns the axis along the parts of a row in a kernel of parts.
func (s *splitter) part() ir.Axis { return ir.Axis(s.k.Axes) }

func (s *splitter) partsOf(n int64) int64 { return (n + s.elems - 1) / s.elems }

// dim returns the dimension of the grid along the parts into which n elements are divided.
func (s *splitter) dim(n int64) *ir.Dim {
	return &ir.Dim{Axis: s.part(), Extent: ir.Const(s.partsOf(n))}
}

// divided returns a copy of a loop's body in which the loop's axis counts within a part.
func (s *splitter) divided(b ir.Block, a ir.Axis) ir.Block {
	return b.Copy(func(ts []ir.Term) []ir.Term {
		var out []ir.Term
		for _, t := range ts {
			if t.Axis == a {
				out = append(out, ir.Term{Axis: s.part(), Coeff: ir.Const(t.Coeff.Value * s.elems)})
			}
			out = append(out, t)
		}
		return out
	})
}

func same(ts []ir.Term) []ir.Term { return slices.Clone(ts) }

// tail returns the Tail of a loop over one of the parts into which n elements are divided, nil if all parts have the
// same size.
func (s *splitter) tail(n ir.Size) *ir.Tail {
	if n.Value%s.elems == 0 {
		return nil
	}
	return &ir.Tail{Outer: s.part(), Total: n}
}

// loop writes a kernel of a vector loop, of its parts if it is long.
func (s *splitter) loop(l *ir.Loop) {
	part := *l
	if !s.long(l.Extent, l.Tail) {
		part.Body = l.Body.Copy(same)
		s.launch("loop", nil, append(slices.Clone(s.prefix), &part))
		return
	}
	part.Extent, part.Tail, part.Body = ir.Const(s.elems), s.tail(l.Extent), s.divided(l.Body, l.Axis)
	s.launch("loop", s.dim(l.Extent.Value), append(slices.Clone(s.prefix), &part))
}

// reduce writes a kernel that reduces the parts of each row and one that combines their results.
// Later statements read the combined results from memory.
func (s *splitter) reduce(r *ir.Reduce) {
	g := s.partsOf(r.Extent.Value)
	part := *r
	part.Extent, part.Tail, part.Body = ir.Const(s.elems), s.tail(r.Extent), s.divided(r.Body, r.Axis)
	body := append(slices.Clone(s.prefix), &part)
	join := &ir.Reduce{Axis: r.Axis, Extent: ir.Const(g), Order: ir.Tree, Folds: slices.Clone(r.Folds)}
	if r.Order == ir.Any {
		join.Order = ir.Any
	}
	var results, loads ir.Block
	types := len(s.k.Types)
	var partials []int
	keep := func(r, into ir.Ref) {
		t := s.k.Types[r]
		partial, result := s.value(t, s.points*g), s.value(t, s.points)
		partials = append(partials, partial)
		body = append(body, &ir.Store{At: s.at(partial, g, s.part()), Value: r})
		join.Body = append(join.Body, &ir.Load{Dst: into, At: s.at(partial, g, join.Axis)})
		results = append(results, &ir.Store{At: s.at(result, 1, ir.NoAxis), Value: r})
		loads = append(loads, &ir.Load{Dst: r, At: s.at(result, 1, ir.NoAxis)})
	}
	for i := range join.Folds {
		f := &join.Folds[i]
		f.Value = s.ref(s.k.Types[f.Result])
		keep(f.Result, f.Value)
		if f.Other != ir.NoRef {
			f.Second = s.ref(s.k.Types[f.Other])
			keep(f.Other, f.Second)
		}
	}
	if s.byRows {
		s.add(s.rowsOf(r, partials))
	} else {
		s.launch("parts", s.dim(r.Extent.Value), body)
	}
	if body := append(ir.Block{join}, results...); s.lanes != nil && s.columnsInGrid() {
		s.launchPoints("join", nil, body)
	} else {
		s.launch("join", nil, body)
	}
	s.k.Types = s.k.Types[:types]
	s.prefix = append(s.prefix, loads...)
}

// ref defines a value of the kernels that are written next.
func (s *splitter) ref(t scalar.Type) ir.Ref {
	s.k.Types = append(slices.Clip(s.k.Types), t)
	return ir.Ref(len(s.k.Types) - 1)
}

// value adds a Temp of n elements and returns its buffer.
func (s *splitter) value(t scalar.Type, n int64) int {
	s.k.Buffers = append(slices.Clip(s.k.Buffers), ir.Buffer{Name: "b" + strconv.Itoa(len(s.k.Buffers)), Role: ir.InOut, Type: t, Len: ir.Const(n)})
	s.buffers = append(slices.Clip(s.buffers), s.temp(Temp{t, n}))
	return len(s.buffers) - 1
}

func (s *splitter) temp(t Temp) int {
	s.temps = append(s.temps, t)
	return s.given + len(s.temps) - 1
}

// at returns the access to element a of the n elements that each point of the grid, or each column, has in a
// buffer, or to the first of them if a is NoAxis.
func (s *splitter) at(buffer int, n int64, a ir.Axis) ir.Access {
	if s.lanes != nil {
		return s.atLanes(buffer, n, a)
	}
	var ts []ir.Term
	stride := n
	for _, d := range slices.Backward(s.k.Grid) {
		ts = append(ts, ir.Term{Axis: d.Axis, Coeff: ir.Const(stride)})
		stride *= d.Extent.Value
	}
	if a != ir.NoAxis {
		ts = append(ts, ir.Term{Axis: a, Coeff: ir.Const(1)})
	}
	acc := ir.Access{Buffer: buffer}
	if len(ts) > 0 {
		acc.Coords = []ir.Coord{{Stride: ir.Const(1), Bound: ir.Const(s.points * n), Terms: ts, Value: ir.NoRef}}
	}
	return acc
}

// atLanes is at for columns. The elements of all columns at one index along a are contiguous.
func (s *splitter) atLanes(buffer int, n int64, a ir.Axis) ir.Access {
	acc := ir.Access{Buffer: buffer}
	stride := int64(1)
	coord := func(n int64, ts ...ir.Term) {
		acc.Coords = append(acc.Coords, ir.Coord{Stride: ir.Const(stride), Bound: ir.Const(n), Terms: ts, Value: ir.NoRef})
		stride *= n
	}
	one := func(x ir.Axis) ir.Term { return ir.Term{Axis: x, Coeff: ir.Const(1)} }
	grid := s.k.Grid
	if t := s.lanes.Tail; t != nil {
		grid = grid[:len(grid)-1]
		coord(t.Total.Value, ir.Term{Axis: t.Outer, Coeff: s.lanes.Extent}, one(s.lanes.Axis))
	} else {
		coord(s.lanes.Extent.Value, one(s.lanes.Axis))
	}
	for _, d := range slices.Backward(grid) {
		coord(d.Extent.Value, one(d.Axis))
	}
	if a != ir.NoAxis {
		coord(n, one(a))
	}
	return acc
}

// launch adds a part with the body and, if dim is not nil, one more dimension of the grid.
func (s *splitter) launch(name string, dim *ir.Dim, body ir.Block) {
	k := *s.k
	k.Name += "_" + name
	k.Grid = slices.Clone(k.Grid)
	switch {
	case dim != nil && s.lanes != nil && s.columnsInGrid(): // the columns' axes stay beside each other
		k.Grid = append([]ir.Dim{*dim}, k.Grid...)
	case dim != nil:
		k.Grid = append(k.Grid, *dim)
	}
	if s.lanes != nil {
		lanes := *s.lanes
		lanes.Body = body
		body = append(slices.Clone(s.around), &lanes)
	}
	k.Body = body
	s.add(k)
}

// add adds a kernel, whose body it copies, as a part, or as the parts into which Split divides it if
// reductions are nested.
func (s *splitter) add(k ir.Kernel) {
	k.Body = k.Body.Copy(same)
	sweep(&k)
	buffers := Compact(&k, s.buffers)
	renumberAxes(&k)
	if err := k.Check(); err != nil {
		panic("BUG: " + err.Error() + "\n" + k.String())
	}
	if !s.nested {
		s.out = append(s.out, Part{&k, buffers})
		return
	}
	parts, temps := Split(&k, s.Machine)
	for _, t := range temps {
		buffers = append(buffers, s.temp(t))
	}
	for _, p := range parts {
		for i, b := range p.Buffers {
			p.Buffers[i] = buffers[b]
		}
		s.out = append(s.out, p)
	}
}
