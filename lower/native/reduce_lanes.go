package native

import (
	"math/bits"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// canLanes reports whether the lanes of a reduction fit into registers: each fold has one accumulator of f32 or
// f64 per lane.
func (g *Gen) canLanes(s *ir.Reduce) bool {
	for _, f := range s.Folds {
		t := g.k.Types[f.Value]
		if f.Op.Pairs() || !t.IsFloat() || s.Lanes*t.Size() != ir.LaneBytes {
			return false
		}
	}
	return true
}

// reduceLanes writes a reduction in canonical lanes, which lie side by side.
func (g *Gen) reduceLanes(s *ir.Reduce) {
	ds, results := g.startFolds(s)
	e := g.extentOf(s.Extent, s.Tail)
	end := g.newLabel()
	if !g.skipIfEmpty(e, end) {
		size := g.k.Types[s.Folds[0].Value].Size()
		l := lanes{N: g.model.VectorBytes / size}
		l.U = s.Lanes / l.N
		i := g.NewG()
		g.Put(Inst{Op: Const, D: i})
		single := e.isConst() && e.n <= ir.BlockSize
		var t *tree
		if !single {
			t = g.newTree(ds, e, ir.BlockSize)
		}
		g.pieces(i, e, ir.BlockSize, func(to extent) {
			sums := g.laneBlock(s, ds, i, to, l)
			if single {
				for j, d := range ds {
					d.set(results[j], sums[j])
				}
				return
			}
			for j := range ds {
				t.set(j, sums[j])
			}
			t.push()
		})
		if t != nil {
			t.finish(results)
		}
		g.bind(end)
	}
	for j, f := range s.Folds {
		ds[j].bind(f, results[j])
	}
}

// laneBlock reduces the elements from i to e, at least one and at most a block.
func (g *Gen) laneBlock(s *ir.Reduce, ds []folder, i VReg, e extent, l lanes) []element {
	step := int64(l.N * l.U)
	var accs []element
	g.withLanes(&l, s.Axis, func() { _, accs = g.startFolds(s) })
	g.axes[s.Axis] = axis{i, len(g.scopes)}
	body := func(f func(d folder, j int, x element)) {
		g.block(s.Body, foldRefs(s.Folds)...)
		for j, fold := range s.Folds {
			f(ds[j], j, ds[j].element(fold))
		}
	}
	size := g.lanePart(s, l, accs)
	g.wholeVectors(s.Axis, i, e, &l, func() {
		g.laneParts(s.Axis, i, size, func(part func(element) element) {
			body(func(d folder, j int, x element) { d.update(part(accs[j]), x) })
		})
	})
	done := g.newLabel()
	if !e.isConst() || e.n%step != 0 {
		g.branchExtent(Ge, i, e, done)
		if g.model.Masks {
			tail := l
			g.withLanes(&tail, s.Axis, func() {
				g.enter()
				tail.Mask = nil
				for u := range l.U {
					tail.Mask = append(tail.Mask, g.Target.(MaskTarget).FirstLanes(g.left(i, e), int64(u*l.N), int64(l.N)))
				}
				mask := Value{T: scalar.Bool, R: tail.Mask}
				body(func(d folder, j int, x element) { d.updateMasked(accs[j], x, mask) })
				g.leave()
			})
			g.moveTo(i, e)
		} else {
			g.restInMemory(s, ds, accs, i, e, l, body)
		}
	}
	g.bind(done)
	sums := make([]element, len(ds))
	for j, d := range ds {
		sums[j] = g.across(d, accs[j], l)
	}
	return sums
}

// lanePart returns how many copies of a reduction's body are computed side by side: as many as have room for
// their values in the registers that the accumulators leave free.
func (g *Gen) lanePart(s *ir.Reduce, l lanes, accs []element) int {
	g.deferRare(s.Body, foldRefs(s.Folds))
	free, peak := bits.OnesCount32(g.model.Registers[ClassV])-laneTemps, 1
	for _, a := range accs {
		free -= len(a[0].R)
	}
	for _, alive := range g.liveness(s.Body, l.N) {
		peak = max(peak, alive.vectors)
	}
	size := l.U
	for size > 1 && size*peak > free {
		size /= 2
	}
	return size
}

// laneTemps are the vectors that an operation needs beside its operands.
const laneTemps = 2

// laneParts calls f for `size` of the present copies at a time. part returns the share of
// these copies in an accumulator.
func (g *Gen) laneParts(a ir.Axis, i VReg, size int, f func(part func(element) element)) {
	cx, now, top := g.Lanes, g.axes[a], g.top()
	for at := 0; at < cx.U; at += size {
		if size < cx.U {
			g.Lanes = &lanes{N: cx.N, U: size}
			top.forget()
		}
		if at > 0 {
			g.axes[a] = axis{g.gAddConst(i, int64(at*cx.N)), now.level}
		}
		f(func(x element) element {
			for k := range x {
				per := len(x[k].R) / cx.U
				x[k].R = x[k].R[at*per : (at+size)*per : (at+size)*per]
			}
			return x
		})
	}
	if size < cx.U {
		g.Lanes, g.axes[a] = cx, now
		top.forget()
	}
}

// moveTo sets a counter to the end of its loop.
func (g *Gen) moveTo(i VReg, e extent) {
	if e.isConst() {
		g.Put(Inst{Op: Const, D: i, Imm: e.n})
	} else {
		g.Move(i, e.reg)
	}
}

// restInMemory adds the elements that do not fill the lanes one by one to accumulators in memory.
func (g *Gen) restInMemory(s *ir.Reduce, ds []folder, accs []element, i VReg, e extent, l lanes, body func(func(folder, int, element))) {
	at := make([]int32, len(ds))
	size := ds[0].t.Size()
	g.withLanes(&l, ir.NoAxis, func() {
		for j := range ds {
			at[j] = g.room(ir.LaneBytes)
			g.spill(accs[j][0], at[j])
		}
	})
	lane := g.NewG()
	g.Put(Inst{Op: Const, D: lane})
	g.counted(i, e, 1, func() {
		body(func(d folder, j int, x element) {
			p := Place{base: ScratchReg, index: lane, scale: uint8(Log2(size)), disp: at[j]}
			y := d.two(element{g.LoadScalar(d.t, &p)}, x)
			g.StoreScalar(y[0], &p)
		})
		g.gInc(lane, 1)
	})
	g.withLanes(&l, ir.NoAxis, func() {
		for j, d := range ds {
			d.assign(accs[j][0], g.unspill(d.t, at[j]))
		}
	})
}

// reduceMemoryLanes writes a reduction in canonical lanes whose accumulators lie in memory, where reduceLanes cannot
// keep them in registers: for elements that are vectors themselves, pairs of values, and bodies with control flow.
func (g *Gen) reduceMemoryLanes(s *ir.Reduce, ds []folder, results []element, i VReg, e extent) {
	w := int64(s.Lanes)
	t := g.newTree(ds, e, ir.BlockSize)
	at := make([][2]int32, len(ds))
	for j := range ds {
		for k := range at[j] {
			if len(results[j][k].R) > 0 {
				at[j][k] = g.room(int(w * t.size))
			}
		}
	}
	read := func(j int, offset VReg) (x element) {
		for k, r := range results[j] {
			if len(r.R) > 0 {
				p := g.entry(at[j][k], offset)
				x[k] = g.readMemory(r.T, &p)
			}
		}
		return x
	}
	write := func(j int, offset VReg, x element) {
		for k, r := range results[j] {
			if len(r.R) > 0 {
				p := g.entry(at[j][k], offset)
				g.writeMemory(x[k], &p)
			}
		}
	}
	zeroed := func() VReg {
		r := g.NewG()
		g.Put(Inst{Op: Const, D: r})
		return r
	}
	g.pieces(i, e, ir.BlockSize, func(to extent) {
		count := zeroed()
		if to.isConst() {
			g.Put(Inst{Op: Const, D: count, Imm: to.n})
		} else {
			g.Move(count, g.gTied(Sub, to.reg, i))
		}
		lane := zeroed()
		g.counted(lane, extent{n: w * t.size}, t.size, func() {
			first := make([]element, len(ds))
			for j, d := range ds {
				first[j] = d.variable(d.identity())
			}
			for j := range ds {
				write(j, lane, first[j])
			}
		})
		place := zeroed()
		g.elements(s, i, to, func(j int, x element) {
			write(j, place, ds[j].two(read(j, place), x))
		}, func() {
			g.gInc(place, t.size)
			g.Put(Inst{Op: AndI, D: place, C: place, Imm: w*t.size - 1})
		})
		// Lanes that no element reached take no part.
		used := g.gMulConst(count, t.size)
		most := g.GConst(w * t.size)
		bound := g.NewG()
		g.Move(bound, g.GMin(used, most))
		half := zeroed()
		g.Put(Inst{Op: Const, D: half, Imm: w / 2 * t.size})
		if w > 1 {
			g.halving(half, bound, t.size, func(low, high VReg) {
				for j, d := range ds {
					write(j, low, d.two(read(j, low), read(j, high)))
				}
			})
		}
		zero := zeroed()
		for j := range ds {
			t.set(j, read(j, zero))
		}
		t.push()
	})
	t.finish(results)
}

// halving runs f in a loop over the lanes from offset `half` to `bound`: `high` is the offset of a lane, and `low` is
// `high` − `half`. It repeats this for half as many lanes, down to one.
func (g *Gen) halving(half, bound VReg, size int64, f func(low, high VReg)) {
	g.enter()
	again := g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	high := g.NewG()
	g.Move(high, half)
	skip := g.newLabel()
	g.branch(Ge, high, bound, skip)
	g.counted(high, extent{reg: bound}, size, func() { f(g.gTied(Sub, high, half), high) })
	g.bind(skip)
	g.Put(Inst{Op: Min, D: bound, B: half, C: bound})
	g.Put(Inst{Op: ShrI, D: half, C: half, Imm: 1})
	g.branchI(Ge, half, size, again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
}
