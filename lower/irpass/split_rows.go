package irpass

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// The columns of a matrix that is larger than the caches are summed by reading whole rows: rowGroup
// rows at a time are added to sums in the first cache, and a part is a chunk of rows. If each vector of
// columns passed along all rows instead, memory would be read more slowly, since the rows
// are far from each other.
const (
	rowGroup    = 4        // rows that are added at once
	rowSums     = 16 << 10 // bytes of the sums of a reduction, at most
	leastRow    = 4 << 10  // bytes of a row, at least
	leastMatrix = 4 << 20  // bytes of the elements, at least
	rowOps      = 8        // operations on an element, at most
)

// rows reports whether the kernel is a loop over columns with one reduction, which reads a large
// matrix in chunks of rows. If so, it sets the body that is divided.
func (s *splitter) rows() bool {
	last, grid := len(s.k.Body)-1, len(s.k.Grid)-1
	lanes, ok := s.k.Body[last].(*ir.Loop)
	if grid < 0 || !ok || lanes.Kind != ir.Vector || lanes.Tail == nil || lanes.Tail.Outer != s.k.Grid[grid].Axis || !lanes.Tail.Total.IsConst() {
		return false
	}
	if slices.ContainsFunc(s.k.Body[:last], func(st ir.Stmt) bool { return !isOperation(st) }) {
		return false
	}
	var sum *ir.Reduce
	for _, st := range lanes.Body {
		switch st := st.(type) {
		case *ir.Reduce:
			if sum != nil {
				return false
			}
			sum = st
		case *ir.Store:
		default:
			if !isOperation(st) {
				return false
			}
		}
	}
	if sum == nil || !s.sumsRows(sum, lanes) || !s.countsColumns(lanes) {
		return false
	}
	s.around, s.lanes, s.body = s.k.Body[:last], lanes, lanes.Body
	s.points = s.points / s.k.Grid[grid].Extent.Value * lanes.Tail.Total.Value
	s.elems, s.least, s.byRows = ir.ChunkSize, ir.ChunkSize+1, true
	return true
}

// sumsRows reports whether a reduction sums or multiplies in chunks of rows, with few operations
// on each element of a large matrix.
func (s *splitter) sumsRows(r *ir.Reduce, lanes *ir.Loop) bool {
	n := r.Extent.Value
	if r.Order != ir.Chunks || r.Tail != nil || n < 2*ir.ChunkSize || n%rowGroup != 0 || n/ir.ChunkSize*lanes.Extent.Value > columnElems {
		return false
	}
	for _, f := range r.Folds {
		if f.Op != ir.Sum && f.Op != ir.Prod || f.Second != ir.NoRef || !s.k.Types[f.Value].IsFloat() {
			return false
		}
	}
	ops := 0
	var row int64 // bytes of a row in all arrays that are read
	for _, st := range r.Body {
		switch st := st.(type) {
		case *ir.Load:
			row += int64(s.k.Buffers[st.At.Buffer].Type.Size()) * lanes.Tail.Total.Value
		case *ir.Let:
			ops++
		default:
			return false
		}
	}
	return ops <= rowOps && row >= leastRow && row*n >= leastMatrix
}

// countsColumns reports whether the grid axis lanes.Tail.Outer and the axis of lanes only count
// columns: a column's number is outer · extent + inner.
func (s *splitter) countsColumns(lanes *ir.Loop) bool {
	ok := true
	s.k.Body.Copy(func(ts []ir.Term) []ir.Term {
		var outer, inner int64
		for _, t := range ts {
			switch t.Axis {
			case lanes.Tail.Outer:
				outer += t.Coeff.Value
			case lanes.Axis:
				inner += t.Coeff.Value
			}
			ok = ok && t.Coeff.IsConst()
		}
		ok = ok && outer == inner*lanes.Extent.Value
		return ts
	})
	return ok
}

// rowsOf returns the kernel that reduces chunks of rows; partial are the buffers of the results of
// the folds.
func (s *splitter) rowsOf(r *ir.Reduce, partial []int) (k ir.Kernel) {
	group, first, row := ir.Axis(s.k.Axes+1), ir.Axis(s.k.Axes+2), r.Axis
	chunks := s.partsOf(r.Extent.Value)
	var start, sums, stores ir.Block
	loop := &ir.Loop{Axis: row, Extent: ir.Const(rowGroup), Body: r.Body.Copy(func(ts []ir.Term) []ir.Term {
		var out []ir.Term
		for _, t := range ts {
			if c := t.Coeff.Value; t.Axis == row {
				out = append(out, ir.Term{Axis: s.part(), Coeff: ir.Const(c * ir.ChunkSize)}, ir.Term{Axis: group, Coeff: ir.Const(c * rowGroup)})
			}
			out = append(out, t)
		}
		return out
	})}
	for i, f := range r.Folds {
		t, at := s.k.Types[f.Value], s.at(partial[i], chunks, s.part())
		identity, c := s.ref(t), ir.Carry{Init: s.ref(t), Param: s.ref(t), Next: s.ref(t), Result: s.ref(t)}
		start = append(start, &ir.Let{Dst: identity, Inst: scalar.Inst{Op: scalar.OpConst, Type: t, Imm: f.Op.Identity(t), Args: [3]ir.Ref{ir.NoRef, ir.NoRef, ir.NoRef}}},
			&ir.Store{At: at, Value: identity})
		sums = append(sums, &ir.Load{Dst: c.Init, At: at})
		loop.Carry = append(loop.Carry, c)
		loop.Body = append(loop.Body, &ir.Let{Dst: c.Next, Inst: inst(f.Op.Scalar(t), t, c.Param, f.Value)})
		stores = append(stores, &ir.Store{At: at, Value: c.Result})
	}
	total := s.lanes.Tail.Total.Value
	width := min(total, rowSums/int64(s.k.Types[r.Folds[0].Value].Size()))
	over := func(a ir.Axis, b ir.Block) *ir.Loop {
		l := &ir.Loop{Axis: a, Extent: ir.Const(width), Tail: s.lanes.Tail.Copy(), Kind: ir.Vector}
		l.Body = b.Copy(func(ts []ir.Term) []ir.Term { // of the columns
			out := slices.Clone(ts)
			for i, t := range out {
				switch t.Axis {
				case s.lanes.Tail.Outer:
					out[i].Coeff = ir.Const(t.Coeff.Value / s.lanes.Extent.Value * width)
				case s.lanes.Axis:
					out[i].Axis = a
				}
			}
			return out
		})
		return l
	}
	k = *s.k
	k.Name += "_parts"
	k.Grid = append(slices.Clone(k.Grid), *s.dim(r.Extent.Value))
	k.Grid[len(k.Grid)-2].Extent = ir.Const((total + width - 1) / width)
	groups := &ir.Loop{Axis: group, Extent: ir.Const(ir.ChunkSize / rowGroup), Tail: &ir.Tail{Outer: s.part(), Total: ir.Const(r.Extent.Value / rowGroup)},
		Body: ir.Block{over(s.lanes.Axis, slices.Concat(s.prefix, sums, ir.Block{loop}, stores))}}
	k.Body = append(slices.Clone(s.around), over(first, start), groups)
	return k
}
