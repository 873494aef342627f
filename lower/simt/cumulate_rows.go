package simt

import (
	"github.com/weft-go/weft/lower/ir"
)

// A rowFold is a kernel that consists of running folds along rows. 32 threads share a span of
// 32·32 elements. They read it in the order of memory into shared memory, fold a chunk each, and
// write it in the order of memory.
type rowFold struct {
	running
	k     *ir.Kernel
	items []int64   // extents of the dimensions of the rows
	axes  []ir.Axis // of the dimensions
	outer ir.Axis   // axis that numbers the parts of the last dimension; NoAxis: it is not divided
	part  int64     // rows of a part
	body  ir.Block  // values that the fold uses
}

const (
	leastRowFold = 256 // elements of a row that threads share
	foldSpan     = ir.CumChunk * ir.CumChunk
	foldRow      = ir.CumChunk + 1 // elements from chunk to chunk in shared memory: no two threads use one bank
	foldUnroll   = 16
)

// rowFoldOf returns the running folds along rows that a kernel consists of, nil if it has another
// form, short rows, or rows whose elements lie far apart.
func rowFoldOf(k *ir.Kernel) *rowFold {
	if r := runningOf(k); r != nil && r.length >= leastRowFold && besideEachOther(r.s) {
		return r
	}
	return nil
}

// runningOf returns the running folds that a kernel consists of, wherever their elements lie,
// nil if it has another form.
func runningOf(k *ir.Kernel) *rowFold {
	r := &rowFold{k: k, outer: ir.NoAxis}
	if len(k.Symbols) > 0 {
		return nil
	}
	for _, d := range k.Grid {
		r.items, r.axes = append(r.items, d.Extent.Value), append(r.axes, d.Axis)
	}
	values := func(b ir.Block) ir.Stmt { // returns the statement after the values, if it is the last one
		for i, s := range b {
			switch s.(type) {
			case *ir.Let, *ir.Index, *ir.Load:
				r.body = append(r.body, s)
			default:
				if i == len(b)-1 {
					return s
				}
				return nil
			}
		}
		return nil
	}
	last := values(k.Body)
	if l, ok := last.(*ir.Loop); ok && l.Kind == ir.Vector {
		switch t := l.Tail; {
		case t == nil:
			r.items, r.axes = append(r.items, l.Extent.Value), append(r.axes, l.Axis)
		case len(k.Grid) > 0 && k.Grid[len(k.Grid)-1].Axis == t.Outer && l.Extent.Value > 0 && l.Extent.Value&(l.Extent.Value-1) == 0:
			d := len(k.Grid) - 1
			r.items[d], r.axes[d] = t.Total.Value, l.Axis
			r.outer, r.part = t.Outer, l.Extent.Value
		default:
			return nil
		}
		last = values(l.Body)
	}
	s, ok := last.(*ir.Cumulate)
	if !ok || !elementwise(s.Body, false) || !elementwise(s.Then, true) {
		return nil
	}
	r.running = running{s: s, f: fold{Op: s.Op, Value: k.Types[s.Value]}, length: s.Extent.Value}
	return r
}

// besideEachOther reports whether a step along the fold's axis moves every coordinate of its accesses by at most two elements.
func besideEachOther(s *ir.Cumulate) bool {
	ok := true
	check := func(st ir.Stmt) {
		var at *ir.Access
		switch st := st.(type) {
		case *ir.Load:
			at = &st.At
		case *ir.Store:
			at = &st.At
		default:
			return
		}
		for _, c := range at.Coords {
			for _, t := range c.Terms {
				if x := c.Stride.Value * t.Coeff.Value; t.Axis == s.Axis && (x > 2 || x < -2) {
					ok = false
				}
			}
		}
	}
	s.Body.Walk(check)
	s.Then.Walk(check)
	return ok
}

func (r *rowFold) lower() *Func {
	if r.length <= foldSpan {
		return r.spans("", 1, 0).elements()
	}
	most := int64(8) // spans of a round
	if r.f.Value.Size() == 8 {
		most = 4
	}
	spans := int64(2)
	for spans < most && spans*foldSpan < r.length {
		spans *= 2
	}
	k := r.k
	f := &Func{Name: k.Name, Kernel: k, Threads: int(spans * ir.CumChunk), Group: true}
	r.emitter = newEmitter(f, indexType(k))
	w := &spanFold{rowFold: r, board: r.array(true, r.f.Value, int(spans*ir.CumChunk*foldRow)), spans: spans}
	w.sums, w.offsets, w.firsts = r.array(true, r.f.Value, int(spans)), r.array(true, r.f.Value, int(spans)), r.array(true, r.f.Value, int(spans))
	items := r.items
	if len(items) == 0 {
		items = []int64{1}
	}
	r.points(items, func(at []Reg) {
		r.enter(at)
		r.stmts(r.body)
		w.row()
	})
	return f
}

func (r *rowFold) enter(at []Reg) {
	for d, a := range r.axes {
		x := at[d]
		if d == len(r.axes)-1 && r.outer != ir.NoAxis {
			r.emitter.axes[r.outer] = r.over(x, r.part)
			x = r.rest(x, r.part)
		}
		r.emitter.axes[a] = x
	}
}
