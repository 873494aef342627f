package native

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Rows at computed positions come from anywhere in a large array: the processor cannot predict them, and it
// executes only a few rows at once. Kernels that loop over such rows request the lines of later rows in
// advance. Requests have no effect on results, and a request of an invalid address is ignored.

const (
	rowsAhead    = 24        // iterations between a request and the use
	linesAhead   = 8         // most lines of a row that are requested
	computedSize = 16        // most operations and loads that compute the positions of all requests
	requestFrom  = 512 << 10 // least bytes of an array whose rows are requested
)

// A rowRequest is an access whose position depends on an index in memory.
type rowRequest struct {
	at    *ir.Access
	lines int64
}

// aheadPlan finds the accesses of a kernel whose rows are requested.
type aheadPlan struct {
	g        *Gen
	last     ir.Axis            // the grid's innermost axis
	defs     map[ir.Ref]ir.Stmt // operations and loads of the kernel's outermost block
	needed   map[ir.Ref]bool    // operations and loads that compute the requested positions
	requests []rowRequest
}

// requestRows writes the requests of the rows of a later point of the grid.
func (g *Gen) requestRows() {
	last := g.k.Grid[len(g.k.Grid)-1]
	if !last.Extent.IsConst() || last.Extent.Value < 4*rowsAhead {
		return
	}
	p := aheadPlan{g: g, last: last.Axis}
	p.block(g.k.Body, nil)
	if len(p.requests) == 0 {
		return
	}
	listing := g.listing
	g.listing = false
	g.enter()
	now := g.axes[last.Axis]
	later := g.gAddConst(now.reg, rowsAhead)
	end := g.GConst(last.Extent.Value - 1)
	g.axes[last.Axis] = axis{g.GMin(later, end), len(g.scopes) - 1}
	for _, s := range g.k.Body {
		switch s := s.(type) {
		case *ir.Let:
			if p.needed[s.Dst] {
				g.let(s)
			}
		case *ir.Load:
			if p.needed[s.Dst] {
				g.bindRef(s.Dst, g.load(s))
			}
		}
	}
	for _, r := range p.requests {
		p.request(r)
	}
	g.listing = listing
	g.axes[last.Axis] = now
	g.leave()
}

// request writes the requests of one row. Positions outside of the array are not moved
// inside.
func (p *aheadPlan) request(r rowRequest) {
	g := p.g
	size := int64(g.k.Buffers[r.at.Buffer].Type.Size())
	var lin linear
	lin.affine(r.at.Offset, nil, coef{c: size})
	var sum VReg
	for i := range r.at.Coords {
		c := &r.at.Coords[i]
		stride := coef{c: size}.times(c.Stride)
		var terms []ir.Term
		for _, t := range c.Terms {
			if g.axes[t.Axis].reg != 0 { // inner axes are at their starts
				terms = append(terms, t)
			}
		}
		lin.affine(c.Base, terms, stride)
		if c.Value == ir.NoRef {
			continue
		}
		x := g.scaled(g.general(p.beforeClamp(c.Value)), stride)
		if sum != 0 {
			x = g.gAdd(sum, x)
		}
		sum = x
	}
	base, _, _ := g.sum(r.at.Buffer, lin.terms, false)
	base = g.gAddConst(base, lin.konst)
	for i := range r.lines {
		g.Put(Inst{Op: Prefetch, Mem: true, Base: base, Index: sum, Disp: int32(64 * i)})
	}
}

// A vector loop that reads an array at several distances, as windows do, waits for the load that is ahead of
// the others: the processor's own requests follow streams, and each distance looks like a stream of its own.
// The lines that follow those of that load are requested in advance.
const (
	leastTaps   = 4    // least loads of an array in a loop
	bytesBeyond = 4096 // from a loaded address to the one requested with it
)

// A lead is a load with which the lines that lie some bytes beyond its own are requested.
type lead struct {
	load  *ir.Load
	bytes int64
}

// leadingLoads returns the loads of a vector loop that are ahead of several others of the same array, and those
// that nextRows returns.
func (g *Gen) leadingLoads(l *ir.Loop) []lead {
	leads := g.nextRows(l)
	type stream struct {
		buffer, loads int
		lead          *ir.Load
		offset        int64
	}
	var streams []stream
next:
	for _, s := range l.Body {
		l, ok := s.(*ir.Load)
		if !ok {
			continue
		}
		buf := g.k.Buffers[l.At.Buffer]
		offset := l.At.Offset.Value
		for _, c := range l.At.Coords {
			if c.Value != ir.NoRef || !c.Stride.IsConst() || !c.Base.IsConst() {
				continue next
			}
			offset += c.Base.Value * c.Stride.Value
		}
		if !buf.Len.IsConst() || buf.Len.Value*int64(buf.Type.Size()) < requestFrom {
			continue
		}
		i := slices.IndexFunc(streams, func(s stream) bool { return s.buffer == l.At.Buffer })
		if i < 0 {
			i, streams = len(streams), append(streams, stream{buffer: l.At.Buffer, lead: l, offset: offset})
		}
		streams[i].loads++
		if offset > streams[i].offset {
			streams[i].lead, streams[i].offset = l, offset
		}
	}
	for _, s := range streams {
		if s.loads >= leastTaps {
			leads = append(leads, lead{s.lead, bytesBeyond})
		}
	}
	return leads
}

// A reduction of a large array waits for memory: the operations that wait for elements fill the processor before it
// has requested many.
const (
	reducedFrom = 4 << 20 // least bytes of such an array
	reducedRead = 8 << 10 // bytes from a loaded address to the one requested with it
)

// reducedLoads returns the loads of a reduction that go from one element to the next through a large input that
// nextRows does not request.
func (g *Gen) reducedLoads(r *ir.Reduce) (leads []lead) {
	for _, s := range r.Body {
		load, ok := s.(*ir.Load)
		if !ok {
			continue
		}
		buf := g.k.Buffers[load.At.Buffer]
		if buf.Role != ir.In || !buf.Len.IsConst() || buf.Len.Value*int64(buf.Type.Size()) < reducedFrom || !neighbours(&load.At, r.Axis) {
			continue
		}
		if !slices.ContainsFunc(g.k.Body, func(s ir.Stmt) bool {
			l, ok := s.(*ir.Loop)
			return ok && slices.ContainsFunc(g.nextRows(l), func(x lead) bool { return x.load.At.Buffer == load.At.Buffer })
		}) {
			leads = append(leads, lead{load, reducedRead})
		}
	}
	return leads
}

// neighbours reports whether an access goes from one element to the next along an axis.
func neighbours(a *ir.Access, axis ir.Axis) bool {
	step := int64(0)
	for _, c := range a.Coords {
		for _, t := range c.Terms {
			if t.Axis != axis {
				continue
			}
			if !t.Coeff.IsConst() || !c.Stride.IsConst() {
				return false
			}
			step += t.Coeff.Value * c.Stride.Value
		}
	}
	return step == 1
}

// Rows that a kernel reads several times, as softmax and normalizations do, come from memory when a reduction reads
// them first, and it waits for them. So the last loop over a row, which finds the row in a cache, requests the next.
const (
	leastRow = 2 << 10   // bytes of a row; the processor's own requests go beyond shorter ones
	mostRow  = 128 << 10 // a row, the next one and one that is written fit into the second-level cache
)

// nextRows returns the first load of each large input in a vector loop over its rows. The rows must have leastRow to
// mostRow bytes; a reduction before the loop must read the input, and no statement after the loop may read it.
func (g *Gen) nextRows(l *ir.Loop) []lead {
	at := slices.IndexFunc(g.k.Body, func(s ir.Stmt) bool { return s == ir.Stmt(l) })
	if at < 1 || len(g.k.Grid) == 0 {
		return nil
	}
	reads := func(b ir.Block, buffer int) (found bool) {
		b.Walk(func(s ir.Stmt) {
			l, ok := s.(*ir.Load)
			found = found || ok && l.At.Buffer == buffer
		})
		return found
	}
	var leads []lead
	for _, s := range l.Body {
		load, ok := s.(*ir.Load)
		if !ok || g.k.Buffers[load.At.Buffer].Role != ir.In {
			continue
		}
		bytes := g.rowBytes(&load.At, l.Axis)
		if bytes < leastRow || bytes > mostRow || reads(g.k.Body[at+1:], load.At.Buffer) ||
			slices.ContainsFunc(leads, func(x lead) bool { return x.load.At.Buffer == load.At.Buffer }) {
			continue
		}
		if slices.ContainsFunc(g.k.Body[:at], func(s ir.Stmt) bool {
			r, ok := s.(*ir.Reduce)
			return ok && reads(r.Body, load.At.Buffer)
		}) {
			leads = append(leads, lead{load, bytes})
		}
	}
	return leads
}

// rowBytes returns the distance between accesses of neighbouring points of the grid to a large array whose elements
// along an axis are neighbours; 0 for other accesses.
func (g *Gen) rowBytes(a *ir.Access, axis ir.Axis) (bytes int64) {
	buf := g.k.Buffers[a.Buffer]
	size := int64(buf.Type.Size())
	if !buf.Len.IsConst() || buf.Len.Value*size < requestFrom {
		return 0
	}
	step := int64(0)
	for _, c := range a.Coords {
		if c.Value != ir.NoRef || !c.Stride.IsConst() {
			return 0
		}
		for _, t := range c.Terms {
			if !t.Coeff.IsConst() {
				return 0
			}
			switch t.Axis {
			case axis:
				step += t.Coeff.Value * c.Stride.Value
			case g.k.Grid[len(g.k.Grid)-1].Axis:
				bytes += t.Coeff.Value * c.Stride.Value * size
			}
		}
	}
	if step != 1 {
		return 0
	}
	return bytes
}

func (p *aheadPlan) block(b ir.Block, loops []*ir.Loop) {
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Load:
			p.access(&s.At, loops)
		case *ir.Store:
			p.access(&s.At, loops)
		case *ir.Loop:
			p.block(s.Body, append(loops[:len(loops):len(loops)], s))
		case *ir.If:
			p.block(s.Then, loops)
			p.block(s.Else, loops)
		}
	}
}

// define records the operations and loads of the kernel's outermost block.
func (p *aheadPlan) define() {
	if p.defs != nil {
		return
	}
	p.defs, p.needed = map[ir.Ref]ir.Stmt{}, map[ir.Ref]bool{}
	for _, s := range p.g.k.Body {
		switch s := s.(type) {
		case *ir.Let:
			p.defs[s.Dst] = s
		case *ir.Load:
			p.defs[s.Dst] = s
		}
	}
}

// access adds a request if the position of the access can be computed for later points. An array gets
// none if it is small, of unknown size, or has one already; nor do long rows. A kernel has at most four requests.
func (p *aheadPlan) access(a *ir.Access, loops []*ir.Loop) {
	b := p.g.k.Buffers[a.Buffer]
	size := int64(b.Type.Size())
	if !b.Len.IsConst() || b.Len.Value*size < requestFrom || len(p.requests) == 4 {
		return
	}
	for _, r := range p.requests {
		if r.at.Buffer == a.Buffer {
			return // mostly an access to another component of the same element, or a store behind its load
		}
	}
	if !slices.ContainsFunc(a.Coords, func(c ir.Coord) bool { return c.Value != ir.NoRef }) {
		return
	}
	p.define()
	needed := map[ir.Ref]bool{} // operations and loads, and whether their results differ at the next point
	moves, row := false, int64(1)
	for i := range a.Coords {
		c := &a.Coords[i]
		if !c.Stride.IsConst() {
			return
		}
		if c.Value != ir.NoRef {
			varies, ok := p.index(p.beforeClamp(c.Value), needed)
			if !ok {
				return
			}
			moves = moves || varies
		}
		for _, t := range c.Terms {
			for _, l := range loops {
				if l.Axis != t.Axis {
					continue
				}
				if !l.Extent.IsConst() || !t.Coeff.IsConst() || l.Tail != nil {
					return
				}
				row += (l.Extent.Value - 1) * t.Coeff.Value * c.Stride.Value
			}
		}
	}
	lines := (row*size + 63) / 64
	if !moves || lines < 1 || lines > 4*linesAhead || len(p.needed)+len(needed) > computedSize {
		return
	}
	for r := range needed {
		p.needed[r] = true
	}
	p.requests = append(p.requests, rowRequest{a, min(lines, linesAhead)})
}

// beforeClamp returns the index from which minima and maxima with constants compute a value.
func (p *aheadPlan) beforeClamp(r ir.Ref) ir.Ref {
	for {
		s, ok := p.defs[r].(*ir.Let)
		if !ok || s.Inst.Op != scalar.OpMin && s.Inst.Op != scalar.OpMax {
			return r
		}
		i := 0
		if p.isConst(s.Inst.Args[0]) {
			i = 1
		}
		if !p.isConst(s.Inst.Args[1-i]) {
			return r
		}
		r = s.Inst.Args[i]
	}
}

func (p *aheadPlan) isConst(r ir.Ref) bool {
	s, ok := p.defs[r].(*ir.Let)
	return ok && s.Inst.Op == scalar.OpConst
}

// index reports whether a value is computed by statements in defs, from constants and from inputs at positions that
// the axes of the grid determine, and whether it differs at the next point of the innermost axis. It notes the latter
// for each statement in needed, and gives up when needed has computedSize of them.
func (p *aheadPlan) index(r ir.Ref, needed map[ir.Ref]bool) (varies, ok bool) {
	if varies, ok = needed[r]; ok {
		return varies, true
	}
	if len(needed) >= computedSize {
		return false, false
	}
	defer func() {
		if ok {
			needed[r] = varies
		}
	}()
	switch s := p.defs[r].(type) {
	case *ir.Let:
		if s.Inst.Op == scalar.OpRare || s.Inst.Op == scalar.OpLookup {
			return false, false
		}
		for _, a := range s.Inst.Args[:s.Inst.Op.Args()] {
			v, ok := p.index(a, needed)
			if !ok {
				return false, false
			}
			varies = varies || v
		}
		return varies, true
	case *ir.Load:
		if p.g.k.Buffers[s.At.Buffer].Role != ir.In {
			return false, false
		}
		for _, c := range s.At.Coords {
			if c.Value != ir.NoRef || c.Mode != ir.Proved {
				return false, false
			}
			for _, t := range c.Terms {
				if t.Axis == p.last {
					varies = true
				}
				if !p.isGrid(t.Axis) {
					return false, false
				}
			}
		}
		return varies, true
	}
	return false, false
}

func (p *aheadPlan) isGrid(a ir.Axis) bool {
	for _, d := range p.g.k.Grid {
		if d.Axis == a {
			return true
		}
	}
	return false
}
