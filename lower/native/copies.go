package native

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// live counts the registers that the values of a copy occupy.
type live struct{ vectors, masks int }

// Bounds of the copies that are computed side by side.
const (
	mostCopies = 8
	mostMasks  = 7
	mostOps    = 1600 // operations of all copies, which bounds the size of the code
	leastFirst = 48   // least operations of the first of two phases
	leastLast  = 16   // … and of the second
)

// copies chooses how many copies of a block of ops operations, of n lanes each, are computed side by side: as
// many as fit into registers, since the operations of one copy mostly wait for each other. Where the first part of
// a block needs few registers, as random bits do, the operations after it are computed for fewer copies at a time.
func (g *Gen) copies(b ir.Block, n, ops int) (u int, p *phase) {
	room := g.model.Room
	alive := g.liveness(b, n)
	var peak live
	for _, l := range alive {
		peak.vectors, peak.masks = max(peak.vectors, l.vectors), max(peak.masks, l.masks)
	}
	fits := func(u int) bool {
		// Masks in memory cost less than latencies that nothing hides. One more is allowed for
		// f64, whose polynomials are long.
		masks := u*peak.masks <= mostMasks || u == 2 && peak.masks < mostMasks || n <= 8 && u*peak.masks <= mostMasks+1
		return u*ops <= mostOps && u*peak.vectors <= room && masks
	}
	u = 1
	for 2*u <= mostCopies && fits(2*u) {
		u *= 2
	}
	for more := mostCopies; more > u && more*ops <= mostOps; more /= 2 {
		if p := g.twoPhases(b, alive, peak, more, room); p != nil {
			return more, p
		}
	}
	return u, nil
}

// A phase is the part of a block that is written for fewer copies at a time: the statements with the indices
// at, …, to−1.
type phase struct {
	block  *ir.Stmt // the first statement of the block
	at, to int
	size   int // copies at a time
}

// twoPhases returns the second phase of a block of u copies, if both phases are long, the first needs few registers,
// and the second consists of operations alone; else nil.
func (g *Gen) twoPhases(b ir.Block, alive []live, peak live, u, room int) *phase {
	end := len(b)
	for end > 0 && isStore(b[end-1]) {
		end--
	}
	at, ops, before := -1, 0, 0
	for i := range end {
		if u*alive[i].vectors > room || u*alive[i].masks > mostMasks {
			break
		}
		if l, ok := b[i].(*ir.Let); ok && l.Inst.Op != scalar.OpConst && !g.isDeferred(l.Dst) {
			ops++
		}
		if alive[i].masks == 0 && ops >= leastFirst && (at < 0 || alive[i].vectors <= alive[at].vectors) {
			at, before = i, ops
		}
	}
	if at < 0 {
		return nil
	}
	rest := 0
	for _, s := range b[at+1 : end] {
		l, ok := s.(*ir.Let)
		if !ok {
			return nil
		}
		if l.Inst.Op != scalar.OpConst && !g.isDeferred(l.Dst) {
			rest++
		}
	}
	if rest < leastLast || before < leastFirst {
		return nil
	}
	for size := u / 2; size > 0; size /= 2 {
		if (u-size)*alive[at].vectors+size*peak.vectors <= room && size*peak.masks <= mostMasks {
			return &phase{&b[0], at + 1, end, size}
		}
	}
	return nil
}

func isStore(s ir.Stmt) bool {
	_, ok := s.(*ir.Store)
	return ok
}

// liveness returns what is live behind each statement of a block, for a copy of n lanes. It counts the results of
// the block's operations, loads and indices until the last statement of the block that reads them, except
// constants and deferred operations.
func (g *Gen) liveness(b ir.Block, n int) []live {
	last := make([]int, len(g.k.Types)) // by ir.Ref: one more than the last statement that reads the value
	var use func(r ir.Ref, i int)
	use = func(r ir.Ref, i int) {
		if r == ir.NoRef || last[r] == i+1 {
			return
		}
		last[r] = i + 1
		if g.isDeferred(r) {
			for _, a := range g.deferred[r].Inst.Args {
				use(a, i)
			}
		}
	}
	for i, s := range b {
		if l, ok := s.(*ir.Let); ok && g.isDeferred(l.Dst) {
			continue
		}
		b[i : i+1].Walk(func(s ir.Stmt) { ir.Reads(s, func(r ir.Ref) { use(r, i) }) })
	}
	full := g.model.VectorBytes
	out, ends := make([]live, len(b)), make([]live, len(b)) // ends: by the statement that reads the values last
	var now live
	for i, s := range b {
		now.vectors -= ends[i].vectors
		now.masks -= ends[i].masks
		d := ir.NoRef
		switch s := s.(type) {
		case *ir.Let:
			if s.Inst.Op != scalar.OpConst && !g.isDeferred(s.Dst) {
				d = s.Dst
			}
		case *ir.Load:
			d = s.Dst
		case *ir.Index:
			d = s.Dst
		}
		end := 0
		if d != ir.NoRef {
			end = last[d] - 1
		}
		if end > i {
			if t := g.k.Types[d]; t == scalar.Bool && g.model.Masks {
				now.masks++
				ends[end].masks++
			} else {
				parts := max(1, n*t.Size()/full)
				now.vectors += parts
				ends[end].vectors += parts
			}
		}
		out[i] = now
	}
	return out
}

// inParts calls f for `size` of the present copies at a time. f reads the values in `reads` and defines those in
// `defines`, whose parts are joined after the calls. Operations that wait for a rare branch are written for each
// part.
func (g *Gen) inParts(reads, defines []ir.Ref, size int, f func(part func(Value) Value)) {
	seen := make([]bool, len(g.vals))
	var leaves []ir.Ref
	defs := make([]ir.Ref, 0, len(defines)+16) // deferred operations come first
	var walk func(r ir.Ref)
	walk = func(r ir.Ref) {
		if r == ir.NoRef || seen[r] {
			return
		}
		seen[r] = true
		if g.isDeferred(r) {
			defs = append(defs, r)
			for _, a := range g.deferred[r].Inst.Args {
				walk(a)
			}
		} else if b := &g.vals[r]; !b.konst && !b.one {
			leaves = append(leaves, r)
		}
	}
	for _, r := range defines {
		seen[r] = true
	}
	for _, r := range reads {
		walk(r)
	}
	waiting := make([]*ir.Let, len(defs))
	for i, r := range defs {
		waiting[i] = g.deferred[r]
	}
	defs = append(defs, defines...)
	joined, whole := make([]binding, len(defs)), make([]binding, len(leaves))
	for i, r := range leaves {
		whole[i] = g.vals[r]
	}
	cx := g.Lanes
	for at := 0; at < cx.U; at += size {
		part := func(x Value) Value {
			per := len(x.R) / cx.U
			x.R = x.R[at*per : (at+size)*per : (at+size)*per]
			return x
		}
		for i, l := range waiting {
			g.deferred[defs[i]] = l
		}
		for i, r := range leaves {
			g.vals[r].Value = part(whole[i].Value)
		}
		some := lanes{N: cx.N, U: size}
		if cx.Mask != nil {
			some.Mask = cx.Mask[at : at+size]
		}
		g.Lanes = &some
		f(part)
		g.Lanes = cx
		for i, r := range defs {
			if g.isDeferred(r) {
				continue // f did not need it
			}
			b := g.vals[r]
			if at > 0 && !b.konst && !b.one {
				b.R = append(joined[i].R[:len(joined[i].R):len(joined[i].R)], b.R...)
			}
			joined[i] = b
		}
	}
	for i, r := range leaves {
		g.vals[r] = whole[i]
	}
	for i, r := range defs {
		if !g.isDeferred(r) {
			g.vals[r] = joined[i]
		}
	}
}

// secondPhase writes operations for `size` copies at a time.
func (g *Gen) secondPhase(b ir.Block, size int) {
	var reads, defines []ir.Ref
	for _, s := range b {
		ir.Reads(s, func(r ir.Ref) {
			if !g.merged[r] {
				reads = append(reads, r)
			}
		})
		l := s.(*ir.Let)
		if r, ok := g.rotations[l.Dst]; ok { // its shifts may be in the first phase
			reads = append(reads, r.x)
		}
		if x, ok := g.roundings[l.Dst]; ok {
			reads = append(reads, x)
		}
		if f, ok := g.sums[l.Dst]; ok {
			reads = append(reads, f.x, f.y, f.z)
		}
		if j, ok := g.joints[l.Dst]; ok {
			j.reads(func(r ir.Ref) { reads = append(reads, r) })
		}
		if c, ok := g.bounds[l.Inst.Args[0]]; ok && l.Inst.Op == scalar.OpRare {
			reads = append(reads, c.x)
		}
		if !g.isDeferred(l.Dst) && !g.merged[l.Dst] {
			defines = append(defines, l.Dst)
		}
	}
	g.inParts(reads, defines, size, func(func(Value) Value) {
		for _, s := range b {
			g.stmt(s)
		}
	})
}
