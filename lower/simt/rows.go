package simt

import (
	"fmt"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// A rowKernel is a kernel each of whose points is a row of elements that it goes through several
// times: reductions in lanes or in any order, and loops over its elements. A team of threads of
// one warp takes a row, or a block of a long one. Each thread keeps its elements in registers
// from one pass to the next, so that a row is loaded once and stored once; each lane of a
// reduction belongs to one thread of the team, and lanes are combined in the canonical order by
// exchanges between threads.
type rowKernel struct {
	k      *ir.Kernel
	n      int64 // elements of a row
	lanes  int64 // lanes of the reductions
	vec    int64 // elements of an access
	team   int64 // threads of a row, or of a block of a long row
	rows   int64
	ops    int64 // operations for an element, in all passes
	passes []rowPass
	keys   map[ir.Stmt]string // of loads and stores of elements: the element that they access
	once   map[ir.Stmt]bool   // loads that are the same for all elements of a row
	again  map[ir.Stmt]bool   // stores to places that are loaded

	// Of rows of more than a block:
	teams   int64 // teams of a group, a power of two; 0: the row is no longer than a block
	blocks  int64 // blocks that a team takes, a power of two
	least   int64 // groups for which a multiprocessor must have registers
	cluster int64 // groups that share a row, a power of two
}

type rowPass struct {
	loads, stores map[string]scalar.Type // by key
}

// Bounds of rows that teams take.
const (
	leastRow    = 32
	rowThreads  = 128 // of a group
	wideOps     = 24  // operations for an element above which a thread takes fewer elements
	wideArrays  = 2   // arrays of elements above which a thread takes fewer elements
	heldBytes   = 256 // bytes of the elements of a thread above which it takes fewer
	rarePacked  = 8   // elements that share the code of a branch that is seldom taken
	rowLaneSize = 64  // lanes where no reduction has an order
)

// rowsOf returns a kernel as a row kernel of a device, nil if it has another form, no rows or short ones, or rows too long for the
// registers of the threads that would share one.
func rowsOf(k *ir.Kernel, d schedule.Device) *rowKernel {
	if len(k.Symbols) > 0 {
		return nil
	}
	r := &rowKernel{k: k, rows: 1, keys: map[ir.Stmt]string{}, once: map[ir.Stmt]bool{}, again: map[ir.Stmt]bool{}}
	for _, d := range k.Grid {
		r.rows *= d.Extent.Value
	}
	if r.rows == 0 || !r.shape() || r.n < leastRow || !r.accesses() || r.n > ir.BlockSize && !r.long(d) {
		return nil
	}
	return r
}

// shape finds the length of a row and its lanes. It reports false if the kernel has another form.
func (r *rowKernel) shape() bool {
	reduces := 0
	for _, s := range r.k.Body {
		switch s := s.(type) {
		case *ir.Let, *ir.Index, *ir.Load, *ir.Store:
		case *ir.Reduce:
			if s.Order != ir.Lanes && s.Order != ir.Any {
				if !s.Extent.IsConst() || s.Extent.Value > ir.ChunkSize || s.Tail != nil || s.Order == ir.Chain || hasMemory(s.Body) {
					return false
				}
				continue
			}
			reduces++
			if s.Tail != nil || !r.length(s.Extent.Value) {
				return false
			}
			if s.Order == ir.Lanes {
				if r.lanes != 0 && r.lanes != int64(s.Lanes) {
					return false
				}
				r.lanes = int64(s.Lanes)
			}
			for _, f := range s.Folds {
				if f.Second != ir.NoRef || f.Other != ir.NoRef {
					return false
				}
			}
			if !elementwise(s.Body, false) {
				return false
			}
		case *ir.Loop:
			if s.Kind != ir.Vector || s.Tail != nil || !r.length(s.Extent.Value) || !elementwise(s.Body, true) {
				return false
			}
		default:
			return false
		}
	}
	if r.lanes == 0 {
		r.lanes = rowLaneSize
	}
	return reduces > 0
}

func (r *rowKernel) length(n int64) bool {
	if r.n == 0 {
		r.n = n
	}
	return r.n == n
}

func hasMemory(b ir.Block) bool {
	loads, stores := accesses(b)
	return loads || stores
}

// elementwise reports whether a block consists of scalar operations and loads, or also of stores if they are permitted.
func elementwise(b ir.Block, stores bool) bool {
	for _, s := range b {
		switch s.(type) {
		case *ir.Let, *ir.Index, *ir.Load:
		case *ir.Store:
			if !stores {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// pass returns the axis and the body of a statement that goes through a row, and whether it is one that the threads of a row can share.
func pass(s ir.Stmt) (ir.Axis, ir.Block, bool) {
	switch s := s.(type) {
	case *ir.Reduce:
		return s.Axis, s.Body, s.Order == ir.Lanes || s.Order == ir.Any
	case *ir.Loop:
		return s.Axis, s.Body, true
	}
	return ir.NoAxis, nil, false
}

// accesses finds what each access reads or writes, and decides on teams. It reports false if an access to elements may leave its
// bounds or does not follow the row, if a buffer that is written is used again at another place, if a team would have more threads
// than lanes, or if a thread would have too many elements.
func (r *rowKernel) accesses() bool {
	written := map[int]string{} // by buffer
	arrays := map[string]int{}  // loads and stores of elements, by key
	loaded := map[string]bool{} // places
	ops, most := 0, 0
	r.vec = 4
	fit := func(a *ir.Access) {
		for size := int64(r.k.Buffers[a.Buffer].Type.Size()); r.vec > 1 && r.vec*size > VecBytes; {
			r.vec /= 2
		}
		divide := func(n int64) {
			for r.vec > 1 && n%r.vec != 0 {
				r.vec /= 2
			}
		}
		divide(base(a))
		divide(r.n)
		for _, d := range r.k.Grid {
			n, _ := stride(a, d.Axis)
			divide(n)
		}
	}
	for _, s := range r.k.Body {
		switch s := s.(type) {
		case *ir.Load:
			if written[s.At.Buffer] != "" {
				return false
			}
			loaded[placeOf(&s.At, ir.NoAxis)] = true
		case *ir.Store:
			if written[s.At.Buffer] != "" {
				return false
			}
			written[s.At.Buffer] = "row"
			r.again[s] = loaded[placeOf(&s.At, ir.NoAxis)] || r.k.Buffers[s.At.Buffer].Role == ir.InOut
		}
		axis, body, ok := pass(s)
		if !ok {
			continue
		}
		ops = 0
		p := rowPass{map[string]scalar.Type{}, map[string]scalar.Type{}}
		r.passes = append(r.passes, p)
		for _, s := range body {
			var a *ir.Access
			switch s := s.(type) {
			case *ir.Let:
				ops += weight(s.Inst.Op)
				continue
			case *ir.Index:
				continue
			case *ir.Load:
				a = &s.At
			case *ir.Store:
				a = &s.At
			}
			n, ok := stride(a, axis)
			for i := range a.Coords {
				ok = ok && a.Coords[i].Mode == ir.Proved
			}
			_, store := s.(*ir.Store)
			if !ok || n != 1 && (n != 0 || store) {
				return false
			}
			if n == 0 {
				if written[a.Buffer] != "" {
					return false
				}
				r.once[s] = true
				loaded[placeOf(a, ir.NoAxis)] = true
				continue
			}
			fit(a)
			key := keyOf(a, axis)
			r.keys[s] = key
			if w := written[a.Buffer]; w != "" && w != key {
				return false
			}
			if place := placeOf(a, axis); store {
				p.stores[key] = r.k.Types[s.(*ir.Store).Value]
				written[a.Buffer] = key
				r.again[s] = loaded[place]
			} else {
				p.loads[key] = r.k.Types[s.(*ir.Load).Dst]
				loaded[place] = true
			}
			arrays[key]++
		}
		most = max(most, ops)
		r.ops += int64(ops)
	}
	size := int64(ir.LaneBytes) / r.lanes // of a number that is accumulated
	r.team = 16
	if r.n > ir.BlockSize || r.vec*r.team < r.lanes || r.elements()*size > heldBytes || most > wideOps || len(arrays) > wideArrays {
		r.team = 32
	}
	r.vec = min(r.vec, max(r.lanes/r.team, 1))
	return r.team <= r.lanes && r.elements() <= 64 // a lane has one thread
}

// weight returns roughly the number of instructions of an operation.
func weight(o scalar.Op) int {
	switch o {
	case scalar.OpConst:
		return 0
	case scalar.OpDiv, scalar.OpSqrt, scalar.OpScale:
		return 10
	}
	return 1
}

// span returns the number of elements that a team goes through.
func (r *rowKernel) span() int64 { return min(r.n, ir.BlockSize*max(r.blocks, 1)) }

func (r *rowKernel) elements() int64 {
	return (r.span() + r.lanes - 1) / r.lanes * (r.lanes / r.team)
}

// keyOf returns a text that is equal for accesses of the same element, apart from the
// axis that counts the elements of a row.
func keyOf(a *ir.Access, axis ir.Axis) string { return fmt.Sprint(a.Buffer) + placeOf(a, axis) }

// placeOf is keyOf without the buffer: two buffers may share memory if they are loaded and
// stored at the same place.
func placeOf(a *ir.Access, axis ir.Axis) string {
	text := fmt.Sprint(" ", a.Offset)
	for i := range a.Coords {
		c := &a.Coords[i]
		text += fmt.Sprint(" ", c.Stride, c.Base)
		for _, t := range c.Terms {
			if t.Axis == axis {
				t.Axis = ir.NoAxis
			}
			text += fmt.Sprint(t)
		}
	}
	return text
}
