package simt

import (
	"fmt"
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// Options tell [Lower] about a device, and override decisions.
type Options struct {
	// Threads is the number of threads of a group, a power of two; 0 means that Lower chooses.
	// Where Mode is Auto, it does not apply to programs of rows and of columns, which have numbers of their own.
	Threads int
	Mode    Mode // who shares an item

	Device schedule.Device // all that Lower knows about the device
}

// auto reports whether Lower makes the decisions.
func (o Options) auto() bool { return o.Threads == 0 && o.Mode == Auto }

// Mode says whether a group or a thread takes an item.
type Mode uint8

// The modes.
const (
	Auto      Mode = iota // by the cost model
	PerThread             // each thread takes items of its own
	PerGroup              // the threads of a group share an item
)

// Lower writes a kernel as the program of a thread. The kernel has passed Check. If the program that Lower chooses needs more threads than a
// group may have, each thread takes items of its own.
func Lower(k *ir.Kernel, o Options) *Func {
	k = k.Inlined()
	ix := indexType(k)
	f := lowered(k, o, ix)
	if n := o.Device.Threads(f.Threads); n < f.Threads {
		return lowered(k, Options{Threads: n, Mode: PerThread, Device: o.Device}, ix)
	}
	return f
}

// lowered is Lower with positions of the type ix and groups of any number of threads.
func lowered(k *ir.Kernel, o Options, ix scalar.Type) *Func {
	if o.auto() {
		if r := rowFoldOf(k); r != nil {
			return r.lower()
		}
		if g := rowGatherOf(k); g != nil {
			return g.lower()
		}
	}
	f := &Func{Name: k.Name, Kernel: k, Threads: o.Threads}
	e := newEmitter(f, ix)
	e.count()
	if o.Mode != Auto || !e.shaped(o.Device) {
		e.lower(o)
	}
	f.Body = e.out
	return f
}

// shaped writes the kernel if its form has a program of its own, and reports whether it has.
func (e *emitter) shaped(d schedule.Device) bool {
	if s := streamOf(e.k); s != nil {
		if e.f.Threads == 0 {
			e.f.Threads = s.threads()
		}
		s.lower(e)
		return true
	}
	if r := rowsOf(e.k, d); r != nil {
		r.lower(e)
		return true
	}
	if c := columnsOf(e.k); c != nil {
		c.lower(e)
		return true
	}
	return false
}

func (e *emitter) lower(o Options) {
	items, body := outer(e.k)
	for _, d := range items {
		e.f.extents = append(e.f.extents, d.Extent)
	}
	plan := share(e.k, items, body)
	if e.f.Group = plan.group; o.Mode != Auto {
		e.f.Group = o.Mode == PerGroup
	}
	if e.f.Threads == 0 {
		e.f.Threads = plan.threads
	}
	e.items(items, body)
}

// outer returns the dimensions of a kernel's items and what is done for one. If the
// body is one loop of independent iterations behind values, the iterations of that
// loop are items of their own.
func outer(k *ir.Kernel) ([]ir.Dim, ir.Block) {
	items := append([]ir.Dim(nil), k.Grid...)
	var values ir.Block
	for i, s := range k.Body {
		switch s := s.(type) {
		case *ir.Let, *ir.Index:
			values = append(values, s)
			continue
		case *ir.Loop:
			if s.Kind == ir.Vector && s.Tail == nil && i == len(k.Body)-1 {
				return append(items, ir.Dim{Axis: s.Axis, Extent: s.Extent}), append(values, s.Body...)
			}
		}
		return items, k.Body
	}
	return items, k.Body
}

// indexType returns I32 if no size of the kernel is a symbol and no position, coordinate or count can
// reach 2³⁰, else I64.
func indexType(k *ir.Kernel) scalar.Type {
	const limit = 1 << 30
	extents := map[ir.Axis]float64{}
	big := len(k.Symbols) > 0
	items := 1.
	for _, d := range k.Grid {
		extents[d.Axis] = float64(d.Extent.Value)
		items *= max(1, float64(d.Extent.Value))
	}
	k.Body.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Loop:
			extents[s.Axis] = float64(s.Extent.Value)
			items *= max(1, float64(s.Extent.Value))
		case *ir.Reduce:
			extents[s.Axis] = float64(s.Extent.Value)
		case *ir.Cumulate:
			extents[s.Axis] = float64(s.Extent.Value)
		}
	})
	big = big || items >= limit
	reach := func(base ir.Size, terms []ir.Term) float64 {
		x := math.Abs(float64(base.Value))
		for _, t := range terms {
			x += math.Abs(float64(t.Coeff.Value)) * extents[t.Axis]
		}
		return x
	}
	k.Body.Walk(func(s ir.Stmt) {
		var at *ir.Access
		switch s := s.(type) {
		case *ir.Load:
			at = &s.At
		case *ir.Store:
			at = &s.At
		case *ir.Index:
			big = big || reach(s.Base, s.Terms) >= limit
		}
		if at == nil {
			return
		}
		x := math.Abs(float64(at.Offset.Value))
		for i := range at.Coords {
			c := &at.Coords[i]
			n := reach(c.Base, c.Terms)
			if c.Value != NoReg {
				n = max(n, float64(c.Bound.Value))
			}
			big = big || float64(c.Bound.Value) >= limit
			x += math.Abs(float64(c.Stride.Value)) * n
		}
		big = big || x >= limit
	})
	for _, b := range k.Buffers {
		big = big || b.Len.Value >= limit
	}
	for _, n := range extents {
		big = big || n >= limit
	}
	if big {
		return scalar.I64
	}
	return scalar.I32
}

// decision is a result of the cost model.
type decision struct {
	group   bool
	threads int
}

// share decides whether a group or a thread takes an item. A group does only if the item has loops
// to share. Where sizes are known, a loop must have at least 32 elements. A group then takes the
// item if there are too few items to keep a machine busy and their loops are long or wait often for
// loads, or if accesses are to neighbouring elements along the loops rather than from item to item.
func share(k *ir.Kernel, items []ir.Dim, body ir.Block) decision {
	const (
		busy       = 1 << 14 // threads that keep a machine busy
		few        = 1 << 12 // threads that would wait for one access after the other
		leastWaits = 6       // waits of a thread for its loads from which on groups take the items
	)
	n := 1.
	for _, d := range items {
		n *= float64(max(1, d.Extent.Value))
	}
	inner := int64(0)        // elements of an item's loops that threads would share
	pieces := int64(0)       // pieces of a reduction that is neither ordered nor in lanes
	waits := int64(0)        // waits of one thread for the loads of such a reduction
	beside, across := 0., 0. // accesses of an item
	var last ir.Axis = ir.NoAxis
	if len(items) > 0 {
		last = items[len(items)-1].Axis
	}
	type place struct {
		axis  ir.Axis // of the innermost vector loop, reduction or cumulative fold
		times float64 // how often an item runs the statements here
		owned bool    // a loop around is shared: one thread runs all loops here
	}
	var visit func(b ir.Block, in place)
	note := func(at *ir.Access, in place) {
		for _, c := range at.Coords {
			for _, t := range c.Terms {
				switch {
				case c.Stride.Value*t.Coeff.Value != 1:
				case t.Axis == in.axis:
					beside += in.times
				case t.Axis == last:
					across += in.times
				}
			}
		}
	}
	visit = func(b ir.Block, in place) {
		share := func(n int64, a ir.Axis, all bool) place {
			if all && !in.owned {
				inner = max(inner, n)
			}
			return place{a, in.times * float64(max(1, n)), in.owned || all}
		}
		for _, s := range b {
			switch s := s.(type) {
			case *ir.Load:
				note(&s.At, in)
			case *ir.Store:
				note(&s.At, in)
			case *ir.Loop:
				if s.Kind == ir.Vector {
					visit(s.Body, share(s.Extent.Value, s.Axis, true))
				} else {
					visit(s.Body, share(s.Extent.Value, in.axis, false))
				}
			case *ir.While:
				visit(s.Cond, in)
				visit(s.Body, in)
			case *ir.If:
				visit(s.Then, in)
				visit(s.Else, in)
			case *ir.Reduce:
				if s.Order != ir.Ordered && s.Order != ir.Lanes && !in.owned {
					pieces = max(pieces, s.Extent.Value/pieceSize(s.Order))
					waits = max(waits, s.Extent.Value/loadsUnderWay(s.Order))
				}
				visit(s.Body, share(s.Extent.Value, s.Axis, s.Order != ir.Ordered))
			case *ir.Cumulate:
				inside := share(s.Extent.Value, s.Axis, true)
				visit(s.Body, inside)
				visit(s.Then, inside)
			}
		}
	}
	visit(body, place{ir.NoAxis, 1, false})
	if len(k.Symbols) > 0 {
		return decision{group: inner == 0 && hasShared(body), threads: 128}
	}
	d := decision{threads: 128}
	switch {
	case inner < 32:
	case n < busy && inner >= 256, n <= few && pieces >= 32, n <= few && waits >= leastWaits && n*float64(inner) <= fewElements:
		d.group = true
	case n < busy:
		d.group = beside >= across
	default:
		d.group = beside > across
	}
	if d.group {
		d.threads = 64
		for d.threads < 256 && int64(d.threads)*4 <= inner {
			d.threads *= 2
		}
	}
	return d
}

// loadsUnderWay returns how many loads of a reduction a thread has under way at once.
func loadsUnderWay(o ir.Order) int64 {
	switch o {
	case ir.Chunks:
		return ir.ChunkSize
	case ir.Chain: // a thread computes whole chains
		return ir.ChainSize
	case ir.Tree:
		return 2 * straightTree
	}
	return 4 // the iterations of a loop that the assembler unrolls
}

// hasShared reports whether a block has a vector loop, a reduction or a cumulative fold.
func hasShared(b ir.Block) bool {
	found := false
	b.Walk(func(s ir.Stmt) {
		switch s := s.(type) {
		case *ir.Reduce, *ir.Cumulate:
			found = true
		case *ir.Loop:
			found = found || s.Kind == ir.Vector
		}
	})
	return found
}

func bug(format string, args ...any) { panic(fmt.Sprintf("BUG: "+format, args...)) }
