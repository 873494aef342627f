package native

import (
	"math/bits"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// census counts what a block does, to choose how it is vectorized.
type census struct {
	sizes   [9]int // operands, results and accesses by their bytes, but for rare ones
	largest int    // bytes of a value, rare ones included
	ops     int
	indexed int // coordinates with computed values that may differ between lanes
	loops   int
	applied int // uses of functions
}

func (g *Gen) count(b ir.Block, c *census) {
	access := func(a *ir.Access) {
		c.sizes[g.k.Buffers[a.Buffer].Type.Size()]++
		for i := range a.Coords {
			if r := a.Coords[i].Value; r != ir.NoRef && !g.vals[r].one && !g.vals[r].konst {
				c.indexed++
			}
		}
	}
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Let:
			c.largest = max(c.largest, s.Inst.Type.Size())
			if s.Inst.Op == scalar.OpConst || g.isDeferred(s.Dst) {
				continue
			}
			c.ops++
			if t := s.Inst.Type; t != scalar.Bool {
				c.sizes[t.Size()]++
			}
			if s.Inst.Args[0] != ir.NoRef {
				if t := g.k.Types[s.Inst.Args[0]]; t != scalar.Bool {
					c.sizes[t.Size()]++
				}
			}
		case *ir.Apply:
			c.applied++
			p := g.k.Funcs[s.Func]
			for _, in := range p.Code {
				c.largest = max(c.largest, in.Type.Size())
			}
			for _, r := range p.Results {
				c.sizes[p.Code[r].Type.Size()] += len(p.Code)
			}
		case *ir.Index:
			c.ops++
			c.sizes[g.k.Types[s.Dst].Size()]++
		case *ir.Load:
			access(&s.At)
		case *ir.Store:
			access(&s.At)
		case *ir.Loop:
			c.loops++
			g.count(s.Body, c)
		case *ir.Reduce:
			c.loops++
			g.count(s.Body, c)
		case *ir.Cumulate:
			c.loops++
			g.count(s.Body, c)
			g.count(s.Then, c)
		case *ir.While:
			c.loops++
			for _, x := range s.Carry {
				c.sizes[g.k.Types[x.Param].Size()]++
			}
			g.count(s.Cond, c)
			g.count(s.Body, c)
		}
	}
}

// lanesFor chooses the elements of an iteration: as many as fill registers of the size that
// occurs most, and copies that hide latencies while there are registers for them.
func (g *Gen) lanesFor(b ir.Block) lanes {
	g.deferRare(b, nil) // rare operations do not count
	var c census
	g.count(b, &c)
	full := g.model.VectorBytes
	main, largest := 4, 1
	for size, n := range c.sizes {
		if n == 0 {
			continue
		}
		if c.sizes[main] == 0 || n > c.sizes[main] {
			main = size
		}
		largest = size
	}
	l := lanes{N: min(full/main, 2*full/max(c.largest, largest)), U: 1}
	switch {
	case c.indexed > 0:
	case c.applied > 0:
		l.U = g.model.FunctionCopies
	case c.ops <= 8:
		l.U = 4
	default:
		l.U, l.phase = g.copies(b, l.N, c.ops)
		return l
	}
	if largest > main && l.U > 1 {
		l.U /= 2
	}
	return l
}

func (g *Gen) withLanes(l *lanes, a ir.Axis, f func()) {
	cx, axis, scope := g.Lanes, g.vecAxis, g.vecScope
	g.Lanes, g.vecAxis, g.vecScope = l, a, len(g.scopes)
	f()
	g.Lanes, g.vecAxis, g.vecScope = cx, axis, scope
}

// vectorLoop writes a loop whose iterations lie side by side.
func (g *Gen) vectorLoop(s *ir.Loop) {
	e := g.extentOf(s.Extent, s.Tail)
	end := g.newLabel()
	if g.skipIfEmpty(e, end) {
		return
	}
	l := g.lanesFor(s.Body)
	if l.U >= 4 && hasPlainReduce(s.Body) {
		// Half of the registers are sums, and the operands that are added are in memory.
		most := bits.OnesCount32(g.model.Registers[ClassV]) / 2
		for u := 2 * l.U; u <= most && s.Extent.IsConst() && s.Extent.Value%int64(u*l.N) == 0; u *= 2 {
			l.U = u
		}
	}
	if n := chains(s.Body); n > 0 {
		// Sums, factors and what these are multiplied by share the registers.
		for l.U > 1 && l.U*(n+1)+n >= bits.OnesCount32(g.model.Registers[ClassV]) {
			l.U /= 2
		}
	}
	for e.isConst() && l.U > 1 && int64(l.N*l.U) > e.n {
		l.U /= 2
	}
	leading := g.leading
	g.leading = g.leadingLoads(s)
	g.sideBySide(s.Axis, e, l, func() { g.block(s.Body) })
	g.leading = leading
	g.bind(end)
}

// hasPlainReduce reports whether the first reduction of a block folds single values, with one fold and not in chains.
// Side by side, such reductions read a piece of each row of a matrix; longer pieces are read faster.
func hasPlainReduce(b ir.Block) bool {
	for _, s := range b {
		if r, ok := s.(*ir.Reduce); ok {
			return len(r.Folds) == 1 && r.Folds[0].Other == ir.NoRef && r.Order != ir.Chain
		}
	}
	return false
}

// chains returns the greatest number of sums to which one loop of a block adds products.
func chains(b ir.Block) (n int) {
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Reduce:
			if s.Order == ir.Chain {
				n = max(n, len(s.Folds))
			}
		case *ir.Loop:
			n = max(n, chains(s.Body))
			for _, x := range s.Body {
				if l, ok := x.(*ir.Let); ok && l.Inst.Op == scalar.OpFMA && len(s.Carry) > 0 && l.Dst == s.Carry[0].Next {
					n = max(n, len(s.Carry))
				}
			}
		}
	}
	return n
}

// sideBySide writes loops over an axis of at least one iteration: whole vectors, then the rest. Each loop calls
// body with lanes of its own.
func (g *Gen) sideBySide(a ir.Axis, e extent, l lanes, body func()) {
	if g.listing {
		g.comment("vector loop a%d: %d lanes, %d copies", a, l.N, l.U)
	}
	i := g.NewG()
	g.Put(Inst{Op: Const, D: i})
	g.axes[a] = axis{i, len(g.scopes)}
	g.wholeVectors(a, i, e, &l, body)
	if e.isConst() && g.lessVectors(a, i, e.n, &l, body) {
		return
	}
	done := g.newLabel()
	g.branchExtent(Ge, i, e, done)
	g.rest(a, i, e, &l, body)
	g.bind(done)
}

// lessVectors runs body from i on for vectors of one copy, then of half a copy, if the machine has no masks. It
// reports whether nothing is left of n elements.
func (g *Gen) lessVectors(a ir.Axis, i VReg, n int64, l *lanes, body func()) bool {
	left := n % int64(l.N*l.U)
	if g.model.Masks {
		return left == 0
	}
	for size := l.N; size >= max(l.N/2, g.model.VectorBytes/8); size /= 2 {
		if left >= int64(size) {
			g.wholeVectors(a, i, extent{n: n}, &lanes{N: size, U: 1}, body)
			left %= int64(size)
		}
	}
	return left == 0
}

// wholeVectors runs body for whole vectors from i on; i ends behind the last one.
func (g *Gen) wholeVectors(a ir.Axis, i VReg, e extent, l *lanes, body func()) {
	step := int64(l.N * l.U)
	skip := g.newLabel()
	var last extent
	if e.isConst() {
		if e.n < step {
			return
		}
		last = extent{n: e.n - step + 1}
	} else {
		last = extent{reg: g.gAddConst(e.reg, 1-step)}
		g.branch(Ge, i, last.reg, skip)
	}
	g.withLanes(l, a, func() { g.counted(i, last, step, body) })
	g.bind(skip)
}

// rest runs body for the elements from i to e, which do not fill all copies: under masks, or one by one if the
// machine has no masks.
func (g *Gen) rest(a ir.Axis, i VReg, e extent, l *lanes, body func()) {
	if !g.model.Masks {
		one := lanes{N: 1, U: 1}
		g.withLanes(&one, ir.NoAxis, func() { g.counted(i, e, 1, body) })
		return
	}
	tail := lanes{N: l.N, U: 1}
	run := func() {
		tail.left = g.left(i, e)
		tail.Mask = []VReg{g.Target.(MaskTarget).FirstLanes(tail.left, 0, int64(l.N))}
		body()
	}
	if l.U == 1 { // one iteration
		g.withLanes(&tail, a, func() {
			g.enter()
			run()
			g.leave()
		})
		return
	}
	g.withLanes(&tail, a, func() { g.counted(i, e, int64(l.N), run) })
}

// left returns the number of elements from i to e, at least one.
func (g *Gen) left(i VReg, e extent) VReg {
	var n VReg
	if e.isConst() {
		n = g.GConst(e.n)
	} else {
		n = e.reg
	}
	return g.gTied(Sub, n, i)
}
