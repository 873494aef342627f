package native

import (
	"math/bits"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// reduceInOrder writes a reduction that combines its elements one after the other. An element may be many
// lanes.
func (g *Gen) reduceInOrder(s *ir.Reduce) {
	ds, results := g.startFolds(s)
	finish := func() {
		for j, f := range s.Folds {
			ds[j].bind(f, results[j])
		}
	}
	if s.Order == ir.Chain {
		for j := range results {
			results[j] = ds[j].variable(element{g.Splat(ds[j].t, 0)})
		}
	}
	e := g.extentOf(s.Extent, s.Tail)
	end := g.newLabel()
	if g.skipIfEmpty(e, end) {
		finish()
		return
	}
	i := g.NewG()
	g.Put(Inst{Op: Const, D: i})
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

// elements writes a loop over the axis of a reduction from i on. f receives what the body yields for each fold;
// then the functions in `after` run.
func (g *Gen) elements(s *ir.Reduce, i VReg, e extent, f func(j int, x element), after ...func()) {
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
func (g *Gen) upTo(i VReg, n int64, e extent) VReg {
	to := g.gAddConst(i, n)
	if e.isConst() && e.n%n == 0 {
		return to
	}
	last := e.reg
	if e.isConst() {
		last = g.GConst(e.n)
	}
	return g.GMin(to, last)
}

// pieces writes a loop over pieces of n elements: body receives the end of the piece and moves
// i there.
func (g *Gen) pieces(i VReg, e extent, n int64, body func(to extent)) {
	if e.isConst() && e.n <= n {
		body(e)
		return
	}
	g.enter()
	again := g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	body(extent{reg: g.upTo(i, n, e)})
	g.branchExtent(Lt, i, e, again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
}

// reduceChunks writes chunks that are combined by a tree, or by addition for chains of products.
func (g *Gen) reduceChunks(s *ir.Reduce, ds []folder, results []element, i VReg, e extent) {
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
				x = element{g.Splat(d.t, 0)}
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
func (g *Gen) multiplyAdd(x, y, z Value) Value {
	if x.T.IsFloat() {
		return g.FloatOp(scalar.OpFMA, x, y, z)
	}
	return g.IntOp(scalar.OpAdd, g.IntOp(scalar.OpMul, x, y), z)
}

// tree combines partial results pairwise in the order of a binary counter. Partial results that wait lie in
// scratch memory.
type tree struct {
	*Gen
	ds    []folder
	x     []element // the latest partial result
	at    [][2]int32
	size  int64 // bytes of an entry
	top   VReg  // offset of the next entry
	count VReg
}

// newTree prepares a tree for the results of pieces of n elements.
func (g *Gen) newTree(ds []folder, e extent, n int64) *tree {
	levels := 48
	if e.isConst() {
		levels = bits.Len64(uint64((e.n+n-1)/n)) + 1
	}
	t := &tree{Gen: g, ds: ds, top: g.NewG(), count: g.NewG()}
	g.Put(Inst{Op: Const, D: t.top})
	g.Put(Inst{Op: Const, D: t.count})
	t.size = int64(g.Lanes.N*g.Lanes.U*8+63) &^ 63
	for _, d := range ds {
		x := d.variable(d.identity())
		t.x = append(t.x, x)
		var at [2]int32
		for i := range x {
			if len(x[i].R) > 0 {
				at[i] = g.room(levels * int(t.size))
			}
		}
		t.at = append(t.at, at)
	}
	return t
}

func (t *tree) set(j int, x element) { t.ds[j].set(t.x[j], x) }

func (t *tree) pop() []element {
	t.gInc(t.top, -t.size)
	ys := make([]element, len(t.ds))
	for j := range t.ds {
		for i := range ys[j] {
			if len(t.x[j][i].R) > 0 {
				ys[j][i] = t.readEntry(t.x[j][i].T, t.at[j][i])
			}
		}
	}
	return ys
}

// combine sets the latest partial result x to the combination of y and x, where y is the latest entry.
func (t *tree) combine() {
	for j, y := range t.pop() {
		t.ds[j].set(t.x[j], t.ds[j].two(y, t.x[j]))
	}
}

func (t *tree) push() {
	g := t.Gen
	m := g.NewG()
	g.Move(m, t.count)
	g.enter()
	again, out := g.newLabel(), g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	g.BranchBits(Eq, m, 1, out)
	t.combine()
	g.Put(Inst{Op: ShrI, D: m, C: m, Imm: 1})
	g.jump(again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
	g.bind(out)
	for j := range t.ds {
		for i, x := range t.x[j] {
			if len(x.R) > 0 {
				t.writeEntry(x, t.at[j][i])
			}
		}
	}
	g.gInc(t.top, t.size)
	g.gInc(t.count, 1)
}

// finish combines the remaining entries, from the latest to the first, into `results`.
func (t *tree) finish(results []element) {
	g := t.Gen
	for j, y := range t.pop() {
		t.ds[j].set(t.x[j], y)
	}
	end := g.newLabel()
	g.enter()
	again := g.newLabel()
	g.Put(Inst{Kind: KindLoopStart})
	g.bind(again)
	g.branchI(Eq, t.top, 0, end)
	t.combine()
	g.jump(again)
	g.Put(Inst{Kind: KindLoopEnd})
	g.leave()
	g.bind(end)
	for j, d := range t.ds {
		d.set(results[j], t.x[j])
	}
}

// entry returns the place of a value in scratch memory, at an offset in a register.
func (g *Gen) entry(at int32, offset VReg) Place {
	return Place{base: ScratchReg, index: offset, disp: at}
}

func (t *tree) readEntry(ty scalar.Type, at int32) Value {
	p := t.entry(at, t.top)
	return t.readMemory(ty, &p)
}

func (t *tree) writeEntry(x Value, at int32) {
	p := t.entry(at, t.top)
	t.writeMemory(x, &p)
}

func (g *Gen) readMemory(ty scalar.Type, p *Place) Value {
	if g.Lanes.One() {
		return g.LoadScalar(ty, p)
	}
	parts, length := g.Layout(ty.Size())
	v := g.NewValue(ty)
	for i := range parts * g.Lanes.U {
		d := g.NewV(length)
		g.Put(p.At(Inst{Op: VLoad, Len: length, D: d}, int64(i)*int64(16<<length)))
		v.R = append(v.R, d)
	}
	return v
}

func (g *Gen) writeMemory(x Value, p *Place) {
	if g.Lanes.One() {
		g.StoreScalar(x, p)
		return
	}
	_, length := g.Layout(x.T.Size())
	for i, r := range x.R {
		g.Put(p.At(Inst{Op: VStore, Len: length, A: r}, int64(i)*int64(16<<length)))
	}
}
