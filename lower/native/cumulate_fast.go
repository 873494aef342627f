package native

import "github.com/weft-go/weft/lower/ir"

// scanGroup is how many chunks of a running fold are in work at once: their chains are
// independent, so that one hides the latency of the others.
const scanGroup = 8

// canScanGroups reports whether a running fold over single elements can compute groups of chunks. The fold must
// run forwards over numbers of four or eight bytes, at least two chunks if its extent is constant; its body must
// consist of operations and loads, and the block Then of these and stores.
func (g *Gen) canScanGroups(s *ir.Cumulate, d folder, e extent) bool {
	return g.Lanes.One() && !s.Reverse && !d.asBool && d.t.Size() >= 4 && straight(s.Body) && storesOnly(s.Then) &&
		(!e.isConst() || e.n >= 2*ir.CumChunk)
}

// storesOnly reports whether a block is operations, loads and stores only.
func storesOnly(b ir.Block) bool {
	for _, s := range b {
		switch s.(type) {
		case *ir.Let, *ir.Index, *ir.Load, *ir.Store:
		default:
			return false
		}
	}
	return true
}

// scanGroups writes the running fold of whole groups of chunks from i on, and leaves i behind the last group.
// The elements of a group are computed as vectors and written to scratch memory. Then the chains of its chunks
// are interleaved. Finally they are combined with the offsets, and the running values used, as vectors again.
func (g *Gen) scanGroups(s *ir.Cumulate, d folder, i VReg, e extent, local, offset []element, count []VReg) {
	const group = scanGroup * ir.CumChunk
	size := d.t.Size()
	at := g.room(group * size)
	skip := g.newLabel()
	var last extent
	if e.isConst() {
		if e.n < group {
			return
		}
		last = extent{n: e.n - group + 1}
	} else {
		last = extent{reg: g.gAddConst(e.reg, 1-group)}
		g.branch(Ge, i, last.reg, skip)
	}
	g.enter()
	again := g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)

	first := g.NewG()
	g.Move(first, i)
	groupEnd := g.gAddConst(i, group)
	j := g.NewG()
	g.Move(j, i)
	g.scanElements(s, d, j, groupEnd, at, first)
	g.scanChains(d, at)
	g.scanResults(s, d, i, at, first, local, offset, count)

	g.branchExtent(Lt, i, last, again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
	g.bind(skip)
}

// chunkLanes returns lanes for a block such that whole vectors make a chunk.
func (g *Gen) chunkLanes(b ir.Block) lanes {
	l := g.lanesFor(b)
	l.N = min(l.N, ir.CumChunk)
	for l.N*l.U > ir.CumChunk {
		l.U /= 2
	}
	return l
}

// inScratch returns the place of the elements of the vector axis j in scratch memory at `at`, which begins with
// element `first`.
func (g *Gen) inScratch(at int32, j, first VReg, size int) Place {
	d := g.gTied(Sub, j, first)
	return Place{base: ScratchReg, index: d, scale: uint8(Log2(size)), disp: at}
}

func (g *Gen) scanElements(s *ir.Cumulate, d folder, j, end VReg, at int32, first VReg) {
	l := g.chunkLanes(s.Body)
	g.axes[s.Axis] = axis{j, len(g.scopes)}
	g.withLanes(&l, s.Axis, func() {
		g.counted(j, extent{reg: end}, int64(l.N*l.U), func() {
			g.block(s.Body, s.Value)
			p := g.inScratch(at, j, first, d.t.Size())
			g.StoreRun(g.get(s.Value), &p)
		})
	})
}

// scanChains folds the chunks of a group in order, one element of each in turn.
func (g *Gen) scanChains(d folder, at int32) {
	size := d.t.Size()
	accs := make([]element, scanGroup)
	for c := range accs {
		accs[c] = d.variable(d.identity())
	}
	k := g.NewG()
	g.Put(Inst{Op: Const, D: k})
	g.counted(k, extent{n: ir.CumChunk}, 1, func() {
		p := Place{base: ScratchReg, index: k, scale: uint8(Log2(size)), disp: at}
		for c := range accs {
			q := p
			q.disp += int32(c * ir.CumChunk * size)
			d.update(accs[c], element{g.LoadScalar(d.t, &q)})
			g.StoreScalar(accs[c][0], &q)
		}
	})
}

// scanResults combines the chunks of a group with their offsets and uses the running values. It advances i over
// the group.
func (g *Gen) scanResults(s *ir.Cumulate, d folder, i VReg, at int32, first VReg, local, offset []element, count []VReg) {
	size := d.t.Size()
	l := g.chunkLanes(s.Then)
	chunks := g.NewG()
	g.Put(Inst{Op: Const, D: chunks})
	g.counted(chunks, extent{n: scanGroup}, 1, func() {
		end := g.gAddConst(i, ir.CumChunk)
		g.axes[s.Axis] = axis{i, len(g.scopes)}
		g.withLanes(&l, s.Axis, func() {
			before := g.Spread(offset[0][0])
			g.counted(i, extent{reg: end}, int64(l.N*l.U), func() {
				p := g.inScratch(at, i, first, size)
				running := d.two(element{before}, element{g.LoadRun(d.t, &p)})
				g.bindRef(s.Param, running[0])
				g.block(s.Then)
			})
		})
		// The last running value of the chunk is its total.
		p := g.inScratch(at, i, first, size)
		p.disp -= int32(size)
		d.assign(local[0][0], g.LoadScalar(d.t, &p))
		g.Put(Inst{Op: Const, D: count[0], Imm: ir.CumChunk - 1})
		next := g.newLabel()
		g.chunkEnd(d, local, offset, count, 0, next)
		g.bind(next)
	})
}
