package amd64

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// canLanes reports whether the lanes of a reduction fit registers: each fold has one accumulator
// of f32 or f64 for a lane.
func (g *gen) canLanes(s *ir.Reduce) bool {
	for _, f := range s.Folds {
		t := g.k.Types[f.Value]
		if f.Op > ir.Min || !t.IsFloat() || s.Lanes*t.Size() != ir.LaneBytes {
			return false
		}
	}
	return true
}

// reduceLanes writes a reduction in canonical lanes, which lie side by side.
func (g *gen) reduceLanes(s *ir.Reduce) {
	ds, results := g.startFolds(s)
	e := g.extentOf(s.Extent, s.Tail)
	end := g.newLabel()
	if !g.skipIfEmpty(e, end) {
		size := g.k.Types[s.Folds[0].Value].Size()
		l := lanes{n: g.model.vectorBytes / size}
		l.u = s.Lanes / l.n
		i := g.newG()
		g.put(minst{op: Const, d: i})
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
func (g *gen) laneBlock(s *ir.Reduce, ds []folder, i vreg, e extent, l lanes) []element {
	step := int64(l.n * l.u)
	var accs []element
	g.withLanes(&l, s.Axis, func() { _, accs = g.startFolds(s) })
	g.axes[s.Axis] = axis{i, len(g.scopes)}
	body := func(f func(d folder, j int, x element)) {
		g.block(s.Body, foldRefs(s.Folds)...)
		for j, fold := range s.Folds {
			f(ds[j], j, ds[j].element(fold))
		}
	}
	g.wholeVectors(s.Axis, i, e, &l, func() {
		body(func(d folder, j int, x element) { d.update(accs[j], x) })
	})
	done := g.newLabel()
	if !e.isConst() || e.n%step != 0 {
		g.branchExtent(Ge, i, e, done)
		if g.model.masks {
			tail := l
			g.withLanes(&tail, s.Axis, func() {
				g.enter()
				tail.mask = nil
				for u := range l.u {
					tail.mask = append(tail.mask, g.tailMask(i, e, int64(u*l.n), int64(l.n)))
				}
				mask := value{t: scalar.Bool, r: tail.mask}
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

// moveTo sets a counter to the end of its loop.
func (g *gen) moveTo(i vreg, e extent) {
	if e.isConst() {
		g.put(minst{op: Const, d: i, imm: e.n})
	} else {
		g.move(i, e.reg)
	}
}

// restInMemory adds the elements that do not fill the lanes one by one to accumulators in memory.
func (g *gen) restInMemory(s *ir.Reduce, ds []folder, accs []element, i vreg, e extent, l lanes, body func(func(folder, int, element))) {
	at := make([]int32, len(ds))
	size := ds[0].t.Size()
	g.withLanes(&l, ir.NoAxis, func() {
		for j := range ds {
			at[j] = g.room(ir.LaneBytes)
			g.spill(accs[j][0], at[j])
		}
	})
	lane := g.newG()
	g.put(minst{op: Const, d: lane})
	g.counted(i, e, 1, func() {
		body(func(d folder, j int, x element) {
			p := place{base: scratchReg, index: lane, scale: uint8(log2(size)), disp: at[j]}
			y := d.two(element{g.loadScalar(d.t, &p)}, x)
			g.storeScalar(y[0], &p)
		})
		g.gInc(lane, 1)
	})
	g.withLanes(&l, ir.NoAxis, func() {
		for j, d := range ds {
			d.assign(accs[j][0], g.unspill(d.t, at[j]))
		}
	})
}

// reduceMemoryLanes writes a reduction in canonical lanes whose accumulators lie in memory: for
// elements that are vectors themselves, and for operations on two values.
func (g *gen) reduceMemoryLanes(s *ir.Reduce, ds []folder, results []element, i vreg, e extent) {
	w := int64(s.Lanes)
	t := g.newTree(ds, e, ir.BlockSize)
	at := make([][2]int32, len(ds))
	for j := range ds {
		for k := range at[j] {
			if len(results[j][k].r) > 0 {
				at[j][k] = g.room(int(w * t.size))
			}
		}
	}
	read := func(j int, offset vreg) (x element) {
		for k, r := range results[j] {
			if len(r.r) > 0 {
				p := g.entry(at[j][k], offset)
				x[k] = g.readMemory(r.t, &p)
			}
		}
		return x
	}
	write := func(j int, offset vreg, x element) {
		for k, r := range results[j] {
			if len(r.r) > 0 {
				p := g.entry(at[j][k], offset)
				g.writeMemory(x[k], &p)
			}
		}
	}
	zeroed := func() vreg {
		r := g.newG()
		g.put(minst{op: Const, d: r})
		return r
	}
	g.pieces(i, e, ir.BlockSize, func(to extent) {
		count := zeroed()
		if to.isConst() {
			g.put(minst{op: Const, d: count, imm: to.n})
		} else {
			g.move(count, g.gTied(Sub, to.reg, i))
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
			g.put(minst{op: AndI, d: place, c: place, imm: w*t.size - 1})
		})
		// Lanes that no element reached take no part.
		used := g.gMulConst(count, t.size)
		most := g.gConst(w * t.size)
		bound := g.newG()
		g.move(bound, g.gMin(used, most))
		half := zeroed()
		g.put(minst{op: Const, d: half, imm: w / 2 * t.size})
		if w > 1 {
			g.halving(half, bound, t.size, func(low, high vreg) {
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

// halving runs f for the offsets low = high − half and high of lanes from half to bound, then for
// half as many lanes, down to one.
func (g *gen) halving(half, bound vreg, size int64, f func(low, high vreg)) {
	g.enter()
	again := g.newLabel()
	g.put(minst{kind: kindLoopStart})
	g.bind(again)
	high := g.newG()
	g.move(high, half)
	skip := g.newLabel()
	g.branch(Ge, high, bound, skip)
	g.counted(high, extent{reg: bound}, size, func() { f(g.gTied(Sub, high, half), high) })
	g.bind(skip)
	g.put(minst{op: Min, d: bound, b: half, c: bound})
	g.put(minst{op: ShrI, d: half, c: half, imm: 1})
	g.branchI(Ge, half, size, again)
	g.put(minst{kind: kindLoopEnd})
	g.leave()
}
