package fuse

import (
	"slices"

	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Bounds of the division of a loop into segments.
const (
	maxSegments     = 8
	leastSegmented  = 32   // iterations of a loop that is divided
	maxSegmentStmts = 3000 // statements of all segments
)

// segmented returns a kernel whose vector loops are divided where a comparison of the
// loop's axis with a constant changes: the pieces of a concatenation and the border of a
// padded array. In a segment the comparison is known, so that it reads one piece only,
// without clamped coordinates. It returns k itself where there is no such loop.
func segmented(k *ir.Kernel) *ir.Kernel {
	s := &segmenter{k: k, bits: map[ir.Ref]uint64{}}
	for _, d := range k.Grid {
		s.extent(d.Axis, d.Extent)
	}
	s.constants(k.Body)
	if len(s.bits) == 0 {
		return k
	}
	var body ir.Block
	found := false
	for _, st := range k.Body {
		if l, ok := st.(*ir.Loop); ok {
			if cuts := s.cuts(l); cuts != nil {
				body = append(body, s.divide(l, cuts)...)
				found = true
				continue
			}
		}
		body = append(body, st)
	}
	if !found {
		return k
	}
	q := *k
	q.Body, q.Types, q.Axes = body, s.types, s.axes
	c := &canonDropper{uses: make([]int, len(q.Types))}
	q.Body = c.swept(q.Body)
	renumberAxes(&q)
	if err := q.Check(); err != nil {
		panic("BUG: " + err.Error() + "\n" + q.String())
	}
	return &q
}

// A segmenter divides the loops of one kernel.
type segmenter struct {
	k       *ir.Kernel
	bits    map[ir.Ref]uint64 // of constants
	extents []int64           // by axis; 0: not known
	types   []scalar.Type     // of the new kernel's values
	axes    int               // of the new kernel

	axis    ir.Axis // of the loop that is divided
	low     int64   // where the segment begins
	segment ir.Axis
	to      map[ir.Ref]ir.Ref   // values of the segment
	axisTo  map[ir.Axis]ir.Axis // axes of loops in the segment
	known   map[ir.Ref]bool     // booleans of the old kernel that the segment knows
	index   map[ir.Ref]int64    // values of the old kernel that are the axis plus a constant: that constant
}

func (s *segmenter) extent(a ir.Axis, n ir.Size) {
	for len(s.extents) <= int(a) {
		s.extents = append(s.extents, 0)
	}
	if n.IsConst() {
		s.extents[a] = n.Value
	}
}

// constants notes the integers among the constants of a block.
func (s *segmenter) constants(b ir.Block) {
	visit(b, func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Let:
			if st.Inst.Op == scalar.OpConst && st.Inst.Type == scalar.I64 {
				s.bits[st.Dst] = st.Inst.Imm
			}
		case *ir.Loop:
			s.extent(st.Axis, st.Extent)
		case *ir.Reduce:
			s.extent(st.Axis, st.Extent)
		}
	})
}

// cuts returns the iterations at which segments of a loop begin, and its end; nil if it is
// not to be divided.
func (s *segmenter) cuts(l *ir.Loop) []int64 {
	n := l.Extent.Value
	if l.Kind != ir.Vector || l.Tail != nil || !l.Extent.IsConst() || n < leastSegmented {
		return nil
	}
	s.axis, s.index = l.Axis, map[ir.Ref]int64{}
	cuts := []int64{0, n}
	stmts, ok := 0, true
	visit(l.Body, func(st ir.Stmt) {
		stmts++
		switch st := st.(type) {
		case *ir.Index:
			s.noteIndex(st)
		case *ir.Let:
			if at, _, is := s.comparison(st); is && at > 0 && at < n {
				cuts = append(cuts, at)
			}
		case *ir.While, *ir.If, *ir.Cumulate:
			ok = false
		case *ir.Loop:
			ok = ok && st.Kind == ir.Vector && st.Tail == nil
		case *ir.Reduce:
			ok = ok && st.Tail == nil
		}
	})
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if !ok || len(cuts) == 2 || len(cuts)-1 > maxSegments || stmts*(len(cuts)-1) > maxSegmentStmts {
		return nil
	}
	return cuts
}

// noteIndex notes a value that is the loop's axis plus a constant.
func (s *segmenter) noteIndex(x *ir.Index) {
	if s.k.Types[x.Dst] == scalar.I64 && x.Base.IsConst() && len(x.Terms) == 1 && x.Terms[0].Axis == s.axis && x.Terms[0].Coeff == ir.Const(1) {
		s.index[x.Dst] = x.Base.Value
	}
}

// comparison returns the iteration from which a comparison of the axis with a constant has
// another result, and whether it is true before it.
func (s *segmenter) comparison(l *ir.Let) (at int64, below, ok bool) {
	op, a, b := l.Inst.Op, l.Inst.Args[0], l.Inst.Args[1]
	if op != scalar.OpLt && op != scalar.OpLe {
		return 0, false, false
	}
	if x, is := s.index[a]; is {
		if c, is := s.bits[b]; is { // axis + x < c
			at = int64(c) - x
			if op == scalar.OpLe {
				at++
			}
			return at, true, true
		}
	}
	if x, is := s.index[b]; is {
		if c, is := s.bits[a]; is { // c < axis + x
			at = int64(c) - x
			if op == scalar.OpLt {
				at++
			}
			return at, false, true
		}
	}
	return 0, false, false
}

// divide returns the segments of a loop.
func (s *segmenter) divide(l *ir.Loop, cuts []int64) ir.Block {
	if s.types == nil {
		s.types, s.axes = slices.Clone(s.k.Types), s.k.Axes
	}
	var out ir.Block
	for i, lo := range cuts[:len(cuts)-1] {
		hi := cuts[i+1]
		s.low, s.segment = lo, s.newAxis(hi-lo)
		s.to, s.axisTo, s.known = map[ir.Ref]ir.Ref{}, map[ir.Axis]ir.Axis{}, map[ir.Ref]bool{}
		out = append(out, &ir.Loop{Axis: s.segment, Extent: ir.Const(hi - lo), Kind: ir.Vector, Body: s.block(l.Body, lo)})
	}
	return out
}

func (s *segmenter) newAxis(n int64) ir.Axis {
	a := ir.Axis(s.axes)
	s.axes++
	s.extent(a, ir.Const(n))
	return a
}

// value returns the segment's copy of a value that it defines.
func (s *segmenter) value(r ir.Ref) ir.Ref {
	if r == ir.NoRef {
		return r
	}
	s.types = append(s.types, s.k.Types[r])
	s.to[r] = ir.Ref(len(s.types) - 1)
	return s.to[r]
}

// use returns the segment's value of r: its copy, or r where it is defined before the loop.
func (s *segmenter) use(r ir.Ref) ir.Ref {
	if x, ok := s.to[r]; ok {
		return x
	}
	return r
}

func (s *segmenter) uses(rs []ir.Ref) []ir.Ref {
	out := make([]ir.Ref, len(rs))
	for i, r := range rs {
		out[i] = s.use(r)
	}
	return out
}

// block copies the statements of a loop's body for the segment that begins at lo.
func (s *segmenter) block(b ir.Block, lo int64) ir.Block {
	var out ir.Block
	for _, st := range b {
		switch st := st.(type) {
		case *ir.Let:
			if r, ok := s.chosen(st, lo); ok {
				s.to[st.Dst] = r
				continue
			}
			c := *st
			copy(c.Inst.Args[:], s.uses(st.Inst.Args[:]))
			c.Dst = s.value(st.Dst)
			out = append(out, &c)
		case *ir.Apply:
			c := &ir.Apply{Func: st.Func, Args: s.uses(st.Args)}
			for _, r := range st.Dst {
				c.Dst = append(c.Dst, s.value(r))
			}
			out = append(out, c)
		case *ir.Index:
			s.noteIndex(st)
			c := *st
			c.Base, c.Terms = s.place(st.Base, st.Terms)
			c.Dst = s.value(st.Dst)
			out = append(out, &c)
		case *ir.Load:
			c := *st
			c.At, c.Else = s.access(st.At), s.use(st.Else)
			c.Dst = s.value(st.Dst)
			out = append(out, &c)
		case *ir.Store:
			out = append(out, &ir.Store{At: s.access(st.At), Value: s.use(st.Value)})
		case *ir.Loop:
			c := *st
			c.Axis = s.within(st.Axis, st.Extent)
			c.Body = s.block(st.Body, lo)
			out = append(out, &c)
		case *ir.Reduce:
			c := *st
			c.Axis = s.within(st.Axis, st.Extent)
			c.Body = s.block(st.Body, lo)
			c.Folds = slices.Clone(st.Folds)
			for i := range c.Folds {
				f := &c.Folds[i]
				f.Value, f.Second = s.use(f.Value), s.use(f.Second)
				f.Result, f.Other = s.value(f.Result), s.value(f.Other)
			}
			out = append(out, &c)
		}
	}
	return out
}

// within makes the segment's axis of a loop in it.
func (s *segmenter) within(a ir.Axis, n ir.Size) ir.Axis {
	x := s.newAxis(0)
	s.extent(x, n)
	s.axisTo[a] = x
	return x
}

// chosen returns what an operation selects where the segment knows its condition. It
// notes the conditions that the segment knows.
func (s *segmenter) chosen(l *ir.Let, lo int64) (ir.Ref, bool) {
	a, b := l.Inst.Args[0], l.Inst.Args[1]
	x, knowsX := s.known[a]
	y, knowsY := s.known[b]
	if at, below, ok := s.comparison(l); ok {
		s.known[l.Dst] = (lo < at) == below
		return ir.NoRef, false
	}
	switch {
	case l.Inst.Op == scalar.OpAnd && l.Inst.Type == scalar.Bool && knowsX && knowsY:
		s.known[l.Dst] = x && y
	case l.Inst.Op == scalar.OpAnd && l.Inst.Type == scalar.Bool && (knowsX && !x || knowsY && !y):
		s.known[l.Dst] = false
	case l.Inst.Op == scalar.OpAnd && l.Inst.Type == scalar.Bool && knowsX:
		return s.use(b), true
	case l.Inst.Op == scalar.OpAnd && l.Inst.Type == scalar.Bool && knowsY:
		return s.use(a), true
	case l.Inst.Op == scalar.OpSelect && knowsX && x:
		return s.use(b), true
	case l.Inst.Op == scalar.OpSelect && knowsX:
		return s.use(l.Inst.Args[2]), true
	}
	return ir.NoRef, false
}

// place returns an affine place in the segment's axes.
func (s *segmenter) place(base ir.Size, ts []ir.Term) (ir.Size, []ir.Term) {
	out := slices.Clone(ts)
	for i := range out {
		switch t := &out[i]; {
		case t.Axis == s.axis && t.Coeff.IsConst() && base.IsConst():
			base.Value += t.Coeff.Value * s.low
			t.Axis = s.segment
		default:
			if x, ok := s.axisTo[t.Axis]; ok {
				t.Axis = x
			}
		}
	}
	return base, out
}

// access returns a place in the segment. Coordinates that cannot leave their bounds there
// are not clamped.
func (s *segmenter) access(a ir.Access) ir.Access {
	a.Coords = slices.Clone(a.Coords)
	for i := range a.Coords {
		c := &a.Coords[i]
		c.Base, c.Terms = s.place(c.Base, c.Terms)
		c.Value = s.use(c.Value)
		if c.Value != ir.NoRef || c.Mode == ir.Proved || !c.Base.IsConst() || !c.Bound.IsConst() {
			continue
		}
		lo, hi, ok := c.Base.Value, c.Base.Value, true
		for _, t := range c.Terms {
			n := s.extents[t.Axis]
			ok = ok && n > 0 && t.Coeff.IsConst()
			if reach := t.Coeff.Value * (n - 1); reach < 0 {
				lo += reach
			} else {
				hi += reach
			}
		}
		if ok && lo >= 0 && hi < c.Bound.Value {
			c.Mode = ir.Proved
		}
	}
	return a
}
