package amd64

import (
	"math/bits"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// reduceInOrder writes a reduction whose elements follow each other; each may be many lanes.
func (g *gen) reduceInOrder(s *ir.Reduce) {
	ds, results := g.startFolds(s)
	finish := func() {
		for j, f := range s.Folds {
			ds[j].bind(f, results[j])
		}
	}
	if s.Order == ir.Chain {
		for j := range results {
			results[j] = ds[j].variable(element{g.konst(ds[j].t, 0)})
		}
	}
	e := g.extentOf(s.Extent, s.Tail)
	end := g.newLabel()
	if g.skipIfEmpty(e, end) {
		finish()
		return
	}
	i := g.newG()
	g.put(minst{op: Const, d: i})
	switch s.Order {
	case ir.Any, ir.Ordered:
		g.noIndex(ds, results)
		g.elements(s, i, e, func(j int, x element) { ds[j].update(results[j], x) })
	case ir.Tree:
		t := g.newTree(ds, e, 1)
		g.elements(s, i, e, func(j int, x element) { t.set(j, x) }, t.push)
		t.finish(results)
	case ir.Chunks, ir.Chain:
		g.reduceChunks(s, ds, results, i, e)
	case ir.Lanes:
		g.reduceMemoryLanes(s, ds, results, i, e)
	}
	g.bind(end)
	finish()
}

// elements writes a loop over the axis of a reduction from i on; f receives what the body
// yields for each fold, then each of after runs.
func (g *gen) elements(s *ir.Reduce, i vreg, e extent, f func(j int, x element), after ...func()) {
	g.axes[s.Axis] = axis{i, len(g.scopes)}
	g.counted(i, e, 1, func() {
		g.block(s.Body, foldRefs(s.Folds)...)
		for j, fold := range s.Folds {
			f(j, g.folderOf(fold).element(fold))
		}
		for _, a := range after {
			a()
		}
	})
}

// upTo returns the lesser of i + n and e.
func (g *gen) upTo(i vreg, n int64, e extent) vreg {
	to := g.gAddConst(i, n)
	if e.isConst() && e.n%n == 0 {
		return to
	}
	last := e.reg
	if e.isConst() {
		last = g.gConst(e.n)
	}
	return g.gMin(to, last)
}

// pieces writes a loop over pieces of n elements: body receives the end of the piece and moves
// i there.
func (g *gen) pieces(i vreg, e extent, n int64, body func(to extent)) {
	if e.isConst() && e.n <= n {
		body(e)
		return
	}
	g.enter()
	again := g.newLabel()
	g.put(minst{kind: kindLoopStart})
	g.bind(again)
	body(extent{reg: g.upTo(i, n, e)})
	g.branchExtent(Lt, i, e, again)
	g.put(minst{kind: kindLoopEnd})
	g.leave()
}

// reduceChunks writes chunks that are combined by a tree, or by addition for chains of products.
func (g *gen) reduceChunks(s *ir.Reduce, ds []folder, results []element, i vreg, e extent) {
	chain := s.Order == ir.Chain
	size := int64(ir.ChunkSize)
	if chain {
		size = ir.ChainSize
	}
	single := e.isConst() && e.n <= size
	var t *tree
	if !single && !chain {
		t = g.newTree(ds, e, size)
	}
	g.pieces(i, e, size, func(to extent) {
		accs := make([]element, len(ds))
		for j, d := range ds {
			x := d.identity()
			if chain {
				x = element{g.konst(d.t, 0)}
			}
			accs[j] = d.variable(x)
		}
		if !chain {
			g.noIndex(ds, accs)
		}
		g.elements(s, i, to, func(j int, x element) {
			if !chain {
				ds[j].update(accs[j], x)
				return
			}
			ds[j].set(accs[j], element{g.multiplyAdd(x[0], g.get(s.Folds[j].Second), accs[j][0])})
		})
		for j, d := range ds {
			switch {
			case chain:
				d.set(results[j], element{d.apply(scalar.OpAdd, results[j][0], accs[j][0])})
			case single:
				d.set(results[j], accs[j])
			default:
				t.set(j, accs[j])
			}
		}
		if t != nil {
			t.push()
		}
	})
	if t != nil {
		t.finish(results)
	}
}

// multiplyAdd returns x·y + z, rounded once; integers wrap.
func (g *gen) multiplyAdd(x, y, z value) value {
	if x.t.IsFloat() {
		return g.floatOp(scalar.OpFMA, x, y, z)
	}
	return g.intOp(scalar.OpAdd, g.intOp(scalar.OpMul, x, y), z)
}

// tree combines partial results pairwise in the order of a binary counter. Those that wait lie
// in scratch memory.
type tree struct {
	*gen
	ds    []folder
	x     []element // the latest partial result
	at    [][2]int32
	size  int64 // bytes of an entry
	top   vreg  // offset of the next entry
	count vreg
}

// newTree prepares a tree for the results of pieces of n elements.
func (g *gen) newTree(ds []folder, e extent, n int64) *tree {
	levels := 48
	if e.isConst() {
		levels = bits.Len64(uint64((e.n+n-1)/n)) + 1
	}
	t := &tree{gen: g, ds: ds, top: g.newG(), count: g.newG()}
	g.put(minst{op: Const, d: t.top})
	g.put(minst{op: Const, d: t.count})
	t.size = int64(g.cx.n*g.cx.u*8+63) &^ 63
	for _, d := range ds {
		x := d.variable(d.identity())
		t.x = append(t.x, x)
		var at [2]int32
		for i := range x {
			if len(x[i].r) > 0 {
				at[i] = g.room(levels * int(t.size))
			}
		}
		t.at = append(t.at, at)
	}
	return t
}

func (t *tree) set(j int, x element) { t.ds[j].set(t.x[j], x) }

// pop returns the latest entry.
func (t *tree) pop() []element {
	t.gInc(t.top, -t.size)
	ys := make([]element, len(t.ds))
	for j := range t.ds {
		for i := range ys[j] {
			if len(t.x[j][i].r) > 0 {
				ys[j][i] = t.readEntry(t.x[j][i].t, t.at[j][i])
			}
		}
	}
	return ys
}

// combine sets the latest partial result to the latest entry ∘ it.
func (t *tree) combine() {
	for j, y := range t.pop() {
		t.ds[j].set(t.x[j], t.ds[j].two(y, t.x[j]))
	}
}

// push adds the latest partial result.
func (t *tree) push() {
	g := t.gen
	m := g.newG()
	g.move(m, t.count)
	g.enter()
	again, out := g.newLabel(), g.newLabel()
	g.put(minst{kind: kindLoopStart})
	g.bind(again)
	g.branchBits(Eq, m, 1, out)
	t.combine()
	g.put(minst{op: ShrI, d: m, c: m, imm: 1})
	g.jump(again)
	g.put(minst{kind: kindLoopEnd})
	g.leave()
	g.bind(out)
	for j := range t.ds {
		for i, x := range t.x[j] {
			if len(x.r) > 0 {
				t.writeEntry(x, t.at[j][i])
			}
		}
	}
	g.gInc(t.top, t.size)
	g.gInc(t.count, 1)
}

// finish combines what is left, from the latest to the first, into results.
func (t *tree) finish(results []element) {
	g := t.gen
	for j, y := range t.pop() {
		t.ds[j].set(t.x[j], y)
	}
	end := g.newLabel()
	g.enter()
	again := g.newLabel()
	g.put(minst{kind: kindLoopStart})
	g.bind(again)
	g.branchI(Eq, t.top, 0, end)
	t.combine()
	g.jump(again)
	g.put(minst{kind: kindLoopEnd})
	g.leave()
	g.bind(end)
	for j, d := range t.ds {
		d.set(results[j], t.x[j])
	}
}

// entry returns the place of a value in scratch memory, at an offset in a register.
func (g *gen) entry(at int32, offset vreg) place {
	return place{base: scratchReg, index: offset, disp: at}
}

func (t *tree) readEntry(ty scalar.Type, at int32) value {
	p := t.entry(at, t.top)
	return t.readMemory(ty, &p)
}

func (t *tree) writeEntry(x value, at int32) {
	p := t.entry(at, t.top)
	t.writeMemory(x, &p)
}

// readMemory reads a value that writeMemory wrote.
func (g *gen) readMemory(ty scalar.Type, p *place) value {
	if g.cx.one() {
		return g.loadScalar(ty, p)
	}
	parts, length := g.layout(ty.Size())
	v := g.newValue(ty)
	for i := range parts * g.cx.u {
		d := g.newV(length)
		g.put(p.at(minst{op: VLoad, len: length, d: d}, int64(i)*int64(16<<length)))
		v.r = append(v.r, d)
	}
	return v
}

func (g *gen) writeMemory(x value, p *place) {
	if g.cx.one() {
		g.storeScalar(x, p)
		return
	}
	_, length := g.layout(x.t.Size())
	for i, r := range x.r {
		g.put(p.at(minst{op: VStore, len: length, a: r}, int64(i)*int64(16<<length)))
	}
}
