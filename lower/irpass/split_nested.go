package irpass

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
)

// Reductions of reductions, such as sums along the first and the last axis of an array, have few
// outer reductions, of elements that take long: too few to keep a device busy. A kernel with a point for
// each inner reduction computes these; the outer reductions read its results from memory.
const (
	nestedPoints = 1 << 14 // reductions of reductions are divided in kernels with fewer points
	leastNested  = 1 << 5  // the longest inner reduction has at least so many elements
)

// nests reports whether the kernel's reductions are reductions of reductions, in few points. If
// so, it sets the body that is divided.
func nests(s *splitter) bool {
	last, grid := len(s.k.Body)-1, len(s.k.Grid)-1
	body, points := s.k.Body, s.points
	lanes, ok := s.k.Body[last].(*ir.Loop)
	if ok {
		if lanes.Kind != ir.Vector || slices.ContainsFunc(s.k.Body[:last], func(st ir.Stmt) bool { return !isOperation(st) }) {
			return false
		}
		body, points = lanes.Body, points*lanes.Extent.Value
		if t := lanes.Tail; t != nil {
			if grid < 0 || t.Outer != s.k.Grid[grid].Axis || !s.countsColumns(lanes) {
				return false
			}
			points = s.points / s.k.Grid[grid].Extent.Value * t.Total.Value
		}
	}
	outer := 0
	for _, st := range body {
		switch st := st.(type) {
		case *ir.Reduce:
			if !hasReduction(st) {
				return false
			}
			outer++
		case *ir.Store:
		default:
			if !isOperation(st) {
				return false
			}
		}
	}
	if outer == 0 || points >= nestedPoints {
		return false
	}
	s.body, s.points, s.nested = body, points, true
	if lanes != nil {
		s.around, s.lanes = s.k.Body[:last], lanes
	}
	return true
}

// hasReduction reports whether the elements of a reduction are values of long reductions.
func hasReduction(r *ir.Reduce) bool {
	inner := int64(0)
	for _, st := range r.Body {
		if in, ok := st.(*ir.Reduce); ok {
			inner = max(inner, innerElements(in))
		} else if !isOperation(st) {
			return false
		}
	}
	return r.Tail == nil && r.Extent.Value > 1 && inner >= leastNested
}

// innerElements returns the elements of a reduction times those of its longest inner reduction; 0 if its body has
// other statements than operations and reductions.
func innerElements(r *ir.Reduce) int64 {
	inner := int64(1)
	for _, st := range r.Body {
		if in, ok := st.(*ir.Reduce); ok {
			inner = max(inner, innerElements(in))
		} else if !isOperation(st) {
			return 0
		}
	}
	return r.Extent.Value * inner
}

// outerReduce writes a kernel that stores the elements of a reduction in memory. The reduction
// then reads them: in the last kernel, or in one of its own if a later reduction may use its
// results.
func (s *splitter) outerReduce(r *ir.Reduce, last bool) {
	n, types := r.Extent.Value, len(s.k.Types)
	body := append(slices.Clone(s.prefix), r.Body.Copy(func(ts []ir.Term) []ir.Term {
		out := slices.Clone(ts)
		for i := range out {
			if out[i].Axis == r.Axis {
				out[i].Axis = s.part()
			}
		}
		return out
	})...)
	outer := *r
	outer.Body = nil
	var results, loads ir.Block
	kept := map[ir.Ref]bool{}
	element := func(v ir.Ref) {
		if v == ir.NoRef || kept[v] {
			return
		}
		kept[v] = true
		values := s.value(s.k.Types[v], s.points*n)
		body = append(body, &ir.Store{At: s.at(values, n, s.part()), Value: v})
		outer.Body = append(outer.Body, &ir.Load{Dst: v, At: s.at(values, n, r.Axis)})
	}
	result := func(v ir.Ref) {
		if v == ir.NoRef || last {
			return
		}
		values := s.value(s.k.Types[v], s.points)
		results = append(results, &ir.Store{At: s.at(values, 1, ir.NoAxis), Value: v})
		loads = append(loads, &ir.Load{Dst: v, At: s.at(values, 1, ir.NoAxis)})
	}
	for _, f := range r.Folds {
		element(f.Value)
		element(f.Second)
		result(f.Result)
		result(f.Other)
	}
	s.launchPoints("elements", &ir.Dim{Axis: s.part(), Extent: r.Extent}, body)
	if last {
		s.prefix = append(s.prefix, &outer)
	} else {
		s.launchPoints("outer", nil, append(ir.Block{&outer}, results...))
		s.prefix = append(s.prefix, loads...)
	}
	s.k.Types = s.k.Types[:types]
}

// launchPoints adds the parts of a kernel whose grid is that of s.k or, if there are lanes, has a point
// for each column. If dim is not nil, the grid has one more dimension, the outermost.
func (s *splitter) launchPoints(name string, dim *ir.Dim, body ir.Block) {
	k := *s.k
	k.Name += "_" + name
	k.Grid = slices.Clone(k.Grid)
	outer := ir.NoAxis
	if s.lanes != nil {
		columns := s.lanes.Extent
		if t := s.lanes.Tail; t != nil {
			k.Grid, columns, outer = k.Grid[:len(k.Grid)-1], t.Total, t.Outer
		}
		k.Grid = append(k.Grid, ir.Dim{Axis: s.lanes.Axis, Extent: columns})
	}
	if dim != nil {
		k.Grid = append([]ir.Dim{*dim}, k.Grid...)
	}
	k.Body = append(slices.Clone(s.around), body...).Copy(func(ts []ir.Term) []ir.Term {
		var out []ir.Term
		for _, t := range ts {
			if outer == ir.NoAxis || t.Axis != outer {
				out = append(out, t)
			}
		}
		return out
	})
	s.add(k)
}
