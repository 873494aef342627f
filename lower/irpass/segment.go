package irpass

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Bounds of the division of a loop into segments.
const (
	maxSegments     = 8
	leastSegmented  = 32   // iterations of a loop that is divided, at least
	maxSegmentStmts = 3000 // statements of all segments, at most
)

// Segment returns a kernel whose vector loops, unless they are in other loops, are divided where a
// comparison of the loop's axis with a constant changes: the pieces of a concatenation and the border
// of a padded array. In a segment the comparison is known, so that it reads one piece only,
// without clamped coordinates. It returns k itself if it divides no loop.
func Segment(k *ir.Kernel) *ir.Kernel {
	if len(k.Symbols) > 0 {
		return k
	}
	s := newSegmenter(k)
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
	return s.finish(k.Grid, body)
}

func (s *segmenter) finish(grid []ir.Dim, body ir.Block) *ir.Kernel {
	body = body.Copy(slices.Clone[[]ir.Term]) // k keeps its statements and their axes
	q := *s.k
	q.Grid, q.Body, q.Types, q.Axes = slices.Clone(grid), body, s.types, s.axes
	sweep(&q)
	renumberAxes(&q)
	if err := q.Check(); err != nil {
		panic("BUG: " + err.Error() + "\n" + q.String())
	}
	return &q
}

// A segmenter divides the loops of one kernel, or its grid.
type segmenter struct {
	k       *ir.Kernel
	bits    map[ir.Ref]uint64    // of constants
	index   map[ir.Ref]axisIndex // values that are affine in one axis
	extents []int64              // by axis; 0: not known
	types   []scalar.Type        // of the new kernel's values
	axes    int                  // of the new kernel

	parts map[ir.Axis]part  // of the axes that are divided
	to    map[ir.Ref]ir.Ref // the segment's values, by value of k
	axis  map[ir.Axis]ir.Axis
	known map[ir.Ref]bool // booleans of the old kernel that are known in the segment
}

// axisIndex is base + coeff·axis.
type axisIndex struct {
	axis        ir.Axis
	base, coeff int64
}

// part is a part of a divided axis, from lo up to hi: its own axis is 0 at lo.
type part struct {
	axis   ir.Axis
	lo, hi int64
}

func newSegmenter(k *ir.Kernel) *segmenter {
	s := &segmenter{k: k, bits: map[ir.Ref]uint64{}, index: map[ir.Ref]axisIndex{}}
	for _, d := range k.Grid {
		s.extent(d.Axis, d.Extent)
	}
	k.Body.Walk(func(st ir.Stmt) {
		switch st := st.(type) {
		case *ir.Let:
			if st.Inst.Op == scalar.OpConst && st.Inst.Type == scalar.I64 {
				s.bits[st.Dst] = st.Inst.Imm
			}
		case *ir.Index:
			if k.Types[st.Dst] == scalar.I64 && st.Base.IsConst() && len(st.Terms) == 1 && st.Terms[0].Coeff.IsConst() && st.Terms[0].Coeff.Value > 0 {
				s.index[st.Dst] = axisIndex{st.Terms[0].Axis, st.Base.Value, st.Terms[0].Coeff.Value}
			}
		case *ir.Loop:
			s.extent(st.Axis, st.Extent)
		case *ir.Reduce:
			s.extent(st.Axis, st.Extent)
		}
	})
	return s
}

func (s *segmenter) extent(a ir.Axis, n ir.Size) {
	for len(s.extents) <= int(a) {
		s.extents = append(s.extents, 0)
	}
	if n.IsConst() {
		s.extents[a] = n.Value
	}
}

// cuts returns the iterations at which segments of a loop begin, and its end; nil if it is
// not to be divided.
func (s *segmenter) cuts(l *ir.Loop) []int64 {
	n := l.Extent.Value
	if l.Kind != ir.Vector || l.Tail != nil || !l.Extent.IsConst() || n < leastSegmented {
		return nil
	}
	cuts := []int64{0, n}
	stmts, ok := 0, true
	l.Body.Walk(func(st ir.Stmt) {
		stmts++
		ok = ok && divisible(st)
		if l2, is := st.(*ir.Let); is {
			if at, a, _, is := s.comparison(l2); is && a == l.Axis && at > 0 && at < n {
				cuts = append(cuts, at)
			}
		}
	})
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if !ok || len(cuts) == 2 || len(cuts)-1 > maxSegments || stmts*(len(cuts)-1) > maxSegmentStmts {
		return nil
	}
	return cuts
}

// divisible reports whether a statement can be copied for a segment.
func divisible(st ir.Stmt) bool {
	switch st := st.(type) {
	case *ir.While, *ir.If, *ir.Cumulate:
		return false
	case *ir.Loop:
		return st.Kind == ir.Vector && st.Tail == nil
	case *ir.Reduce:
		return st.Tail == nil
	}
	return true
}

// comparison returns the iteration of an axis from which a comparison with a constant has another
// result, and whether it is true before that.
func (s *segmenter) comparison(l *ir.Let) (at int64, a ir.Axis, below, ok bool) {
	op, x, y := l.Inst.Op, l.Inst.Args[0], l.Inst.Args[1]
	if op != scalar.OpLt && op != scalar.OpLe {
		return 0, 0, false, false
	}
	if i, is := s.index[x]; is {
		if c, is := s.bits[y]; is { // index < c
			n := int64(c)
			if op == scalar.OpLe {
				n++
			}
			return i.reaches(n), i.axis, true, true
		}
	}
	if i, is := s.index[y]; is {
		if c, is := s.bits[x]; is { // c < index
			n := int64(c)
			if op == scalar.OpLt {
				n++
			}
			return i.reaches(n), i.axis, false, true
		}
	}
	return 0, 0, false, false
}

// reaches returns the first iteration at which the index is at least n.
func (i axisIndex) reaches(n int64) int64 {
	d := n - i.base
	q := d / i.coeff
	if d%i.coeff > 0 {
		q++
	}
	return q
}

// begin starts a segment. take adds the parts of its axes.
func (s *segmenter) begin() {
	if s.types == nil {
		s.types, s.axes = slices.Clone(s.k.Types), s.k.Axes
	}
	s.parts, s.to, s.axis, s.known = map[ir.Axis]part{}, map[ir.Ref]ir.Ref{}, map[ir.Axis]ir.Axis{}, map[ir.Ref]bool{}
}

// take defines the segment's axis for a part of an axis.
func (s *segmenter) take(a ir.Axis, lo, hi int64) ir.Axis {
	x := s.newAxis(hi - lo)
	s.parts[a] = part{x, lo, hi}
	return x
}

func (s *segmenter) divide(l *ir.Loop, cuts []int64) ir.Block {
	var out ir.Block
	for i, lo := range cuts[:len(cuts)-1] {
		hi := cuts[i+1]
		s.begin()
		a := s.take(l.Axis, lo, hi)
		out = append(out, &ir.Loop{Axis: a, Extent: ir.Const(hi - lo), Kind: ir.Vector, Body: s.block(l.Body)})
	}
	return out
}

func (s *segmenter) newAxis(n int64) ir.Axis {
	a := ir.Axis(s.axes)
	s.axes++
	s.extent(a, ir.Const(n))
	return a
}

// value defines the segment's copy of a value of the kernel.
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

func (s *segmenter) block(b ir.Block) ir.Block {
	var out ir.Block
	for _, st := range b {
		switch st := st.(type) {
		case *ir.Let:
			if r, ok := s.chosen(st); ok {
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
			c := *st
			c.Base, c.Terms = s.place(st.Base, st.Terms)
			c.Dst = s.value(st.Dst)
			out = append(out, &c)
		case *ir.Load:
			c := *st
			c.At = s.access(st.At)
			c.Dst = s.value(st.Dst)
			out = append(out, &c)
		case *ir.Store:
			out = append(out, &ir.Store{At: s.access(st.At), Value: s.use(st.Value)})
		case *ir.Loop:
			c := *st
			c.Axis = s.within(st.Axis, st.Extent)
			c.Body = s.block(st.Body)
			out = append(out, &c)
		case *ir.Reduce:
			c := *st
			c.Axis = s.within(st.Axis, st.Extent)
			c.Body = s.block(st.Body)
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

// within defines the segment's axis for a loop in it.
func (s *segmenter) within(a ir.Axis, n ir.Size) ir.Axis {
	x := s.newAxis(0)
	s.extent(x, n)
	s.axis[a] = x
	return x
}

// chosen returns the operand that an operation selects, if its condition is known in the segment.
// It notes the conditions that are known.
func (s *segmenter) chosen(l *ir.Let) (ir.Ref, bool) {
	a, b := l.Inst.Args[0], l.Inst.Args[1]
	x, knowsX := s.known[a]
	y, knowsY := s.known[b]
	if at, axis, below, ok := s.comparison(l); ok {
		if p, is := s.parts[axis]; is && (at <= p.lo || at >= p.hi) {
			s.known[l.Dst] = (p.lo < at) == below
		}
		return ir.NoRef, false
	}
	and := l.Inst.Op == scalar.OpAnd && l.Inst.Type == scalar.Bool
	switch {
	case and && knowsX && knowsY:
		s.known[l.Dst] = x && y
	case and && (knowsX && !x || knowsY && !y):
		s.known[l.Dst] = false
	case and && knowsX:
		return s.use(b), true
	case and && knowsY:
		return s.use(a), true
	case l.Inst.Op == scalar.OpSelect && knowsX && x:
		return s.use(b), true
	case l.Inst.Op == scalar.OpSelect && knowsX:
		return s.use(l.Inst.Args[2]), true
	}
	return ir.NoRef, false
}

// place returns an affine position in terms of the segment's axes.
func (s *segmenter) place(base ir.Size, ts []ir.Term) (ir.Size, []ir.Term) {
	out := slices.Clone(ts)
	for i := range out {
		t := &out[i]
		if p, ok := s.parts[t.Axis]; ok {
			base.Value += t.Coeff.Value * p.lo
			t.Axis = p.axis
		} else if x, ok := s.axis[t.Axis]; ok {
			t.Axis = x
		}
	}
	return base, out
}

// access returns a position in the segment. Coordinates without a computed value that cannot
// leave their bounds there become Proved.
func (s *segmenter) access(a ir.Access) ir.Access {
	a.Coords = slices.Clone(a.Coords)
	for i := range a.Coords {
		c := &a.Coords[i]
		c.Base, c.Terms = s.place(c.Base, c.Terms)
		c.Value = s.use(c.Value)
		if c.Value != ir.NoRef || c.Mode == ir.Proved {
			continue
		}
		lo, hi, ok := c.Base.Value, c.Base.Value, true
		for _, t := range c.Terms {
			n := s.extents[t.Axis]
			ok = ok && n > 0
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
