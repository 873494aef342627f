package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A stream is a kernel that computes each element of its results from elements of its
// operands, without reductions. Its axes are merged where every access allows it; threads
// take neighbouring elements of the innermost one, in accesses of up to VecBytes.
type stream struct {
	k      *ir.Kernel
	prefix ir.Block // values that do not depend on the innermost axis
	body   ir.Block
	dims   []ir.Dim // merged; the innermost last
	gone   []ir.Axis
	beside map[ir.Stmt]bool // loads and stores of neighbouring elements
	same   map[ir.Stmt]bool // loads that do not depend on the innermost axis
	vec    int64            // elements of an access
	unroll int64            // accesses that a thread has in flight
	axis   bool             // an index, or an access in neither map, may depend on the innermost axis

	// work emits n accesses of vec elements each. Their numbers are first and those that follow it at distances of the
	// group's number of threads.
	work func(e *emitter, first Reg, n int, vec int64)
}

// Bounds of streams.
const (
	streamBytes = 64      // bytes of the loads that a thread has in flight, if it has several accesses in flight
	streamOps   = 1200    // operations of these accesses
	streamWave  = 1 << 18 // threads that there are at least if a thread has several accesses in flight
	prefixOps   = 64      // operations in front of the loop, which each thread repeats
)

// streamOf returns a kernel as a stream, nil if it has another form, no points or too many.
func streamOf(k *ir.Kernel) *stream {
	if len(k.Symbols) > 0 {
		return nil
	}
	s := &stream{k: k, dims: append([]ir.Dim(nil), k.Grid...), body: k.Body, beside: map[ir.Stmt]bool{}, same: map[ir.Stmt]bool{}}
	var tail *ir.Tail
	if n := len(k.Body); n > 0 {
		if l, ok := k.Body[n-1].(*ir.Loop); ok && l.Kind == ir.Vector {
			s.prefix, s.body, tail = k.Body[:n-1], l.Body, l.Tail
			s.dims = append(s.dims, ir.Dim{Axis: l.Axis, Extent: l.Extent})
		}
	}
	if len(s.dims) == 0 || !s.simple() || !s.merge(tail) {
		return nil
	}
	s.vectors()
	s.work = s.chunks
	return s
}

// simple reports whether the statements are scalar operations, few of them before the innermost loop, and accesses,
// among them a store; and whether no buffer is stored to twice, or loaded from in prefix or after its store.
func (s *stream) simple() bool {
	stored := map[int]bool{}
	ops := 0
	for _, st := range s.prefix {
		switch st := st.(type) {
		case *ir.Let:
			if st.Inst.Op != scalar.OpConst {
				ops++
			}
		case *ir.Index, *ir.Load:
		default:
			return false
		}
	}
	if ops > prefixOps {
		return false
	}
	for _, st := range s.body {
		switch st := st.(type) {
		case *ir.Let, *ir.Index:
		case *ir.Load:
			if stored[st.At.Buffer] {
				return false
			}
		case *ir.Store:
			if stored[st.At.Buffer] {
				return false
			}
			stored[st.At.Buffer] = true
		default:
			return false
		}
	}
	for _, st := range s.prefix {
		if l, ok := st.(*ir.Load); ok && stored[l.At.Buffer] {
			return false
		}
	}
	return len(stored) > 0
}

// terms calls f for the terms of each coordinate and index of the kernel.
func (s *stream) terms(f func(ts []ir.Term)) {
	access := func(a *ir.Access) {
		for i := range a.Coords {
			f(a.Coords[i].Terms)
		}
	}
	for _, b := range []ir.Block{s.prefix, s.body} {
		for _, st := range b {
			switch st := st.(type) {
			case *ir.Index:
				f(st.Terms)
			case *ir.Load:
				access(&st.At)
			case *ir.Store:
				access(&st.At)
			}
		}
	}
}

func coeff(ts []ir.Term, a ir.Axis) int64 {
	n := int64(0)
	for _, t := range ts {
		if t.Axis == a {
			n += t.Coeff.Value
		}
	}
	return n
}

// merge makes one dimension of two neighbouring ones where every use of them is a use of
// outer·extent + inner. It reports false if a tail's dimensions cannot be merged, or if the
// kernel has no points or too many.
func (s *stream) merge(tail *ir.Tail) bool {
	last := len(s.dims) - 1
	if tail != nil && (last == 0 || tail.Outer != s.dims[last-1].Axis) {
		return false
	}
	for i := last; i > 0; i-- {
		outer, inner := s.dims[i-1], s.dims[i]
		ok := true
		s.terms(func(ts []ir.Term) { ok = ok && coeff(ts, outer.Axis) == inner.Extent.Value*coeff(ts, inner.Axis) })
		if tail != nil && i == last {
			if !ok {
				return false
			}
			inner.Extent = tail.Total
		} else if ok {
			inner.Extent = ir.Const(outer.Extent.Value * inner.Extent.Value)
		}
		if ok {
			s.gone = append(s.gone, outer.Axis)
			s.dims[i-1] = inner
			s.dims = append(s.dims[:i], s.dims[i+1:]...)
		}
	}
	n := 1.
	for _, d := range s.dims {
		n *= float64(d.Extent.Value)
	}
	return n > 0 && n < 1<<60
}

// stride returns by how many elements an access moves with an axis. ok is false if it may
// move otherwise.
func stride(a *ir.Access, axis ir.Axis) (n int64, ok bool) {
	for i := range a.Coords {
		c := &a.Coords[i]
		x := coeff(c.Terms, axis)
		if c.Value != ir.NoRef || c.Mode != ir.Proved && x != 0 {
			return 0, false
		}
		n += c.Stride.Value * x
	}
	return n, true
}

// base returns the constant part of the position of an access whose axes are all 0.
func base(a *ir.Access) int64 {
	n := a.Offset.Value
	for i := range a.Coords {
		n += a.Coords[i].Stride.Value * a.Coords[i].Base.Value
	}
	return n
}

// vectors decides which accesses are of neighbouring elements, and of how many.
func (s *stream) vectors() {
	inner := s.dims[len(s.dims)-1]
	s.vec = 4
	ops, bytes := int64(1), int64(0)
	fit := func(a *ir.Access) {
		t := s.k.Buffers[a.Buffer].Type
		for s.vec > 1 && s.vec*int64(t.Size()) > VecBytes {
			s.vec /= 2
		}
		divide := func(n int64) {
			for s.vec > 1 && n%s.vec != 0 {
				s.vec /= 2
			}
		}
		divide(base(a))
		for _, d := range s.dims[:len(s.dims)-1] {
			n, _ := stride(a, d.Axis)
			divide(n)
		}
	}
	note := func(st ir.Stmt, a *ir.Access) {
		clamped := false // or dropped, by some coordinate
		for i := range a.Coords {
			clamped = clamped || a.Coords[i].Mode != ir.Proved
		}
		n, ok := stride(a, inner.Axis)
		switch {
		case ok && n == 1 && !clamped:
			s.beside[st] = true
			fit(a)
		case ok && n == 0:
			s.same[st] = true
		default:
			s.axis = true
		}
	}
	for _, st := range s.body {
		switch st := st.(type) {
		case *ir.Let:
			if st.Inst.Op != scalar.OpConst {
				ops++
			}
		case *ir.Index:
			s.axis = s.axis || coeff(st.Terms, inner.Axis) != 0
		case *ir.Load:
			note(st, &st.At)
			bytes += int64(s.k.Buffers[st.At.Buffer].Type.Size())
		case *ir.Store:
			note(st, &st.At)
		}
	}
	// A chunk has elements of one row.
	for len(s.dims) > 1 && s.vec > 1 && inner.Extent.Value%s.vec != 0 {
		s.vec /= 2
	}
	total := int64(1)
	for _, d := range s.dims {
		total *= d.Extent.Value
	}
	for s.unroll = 4; s.unroll > 1; s.unroll /= 2 {
		n := s.unroll * s.vec
		if n*bytes <= streamBytes && n*ops <= streamOps && total/n >= streamWave {
			break
		}
	}
}
