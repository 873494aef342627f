package simt

import (
	"reflect"
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// groupedUpdate writes the kernel in which the points of one key run in sequence. The terms of a
// point are what it computes without the element that it changes. All threads compute the terms of
// the points and columns of a tile side by side, and put them into shared memory. The thread of the
// first point of a key loads the element, runs through the terms of the key in a register, and
// stores the element. A group whose last key continues after its tile follows the key through the
// next tiles, whose own groups leave it out.
type groupedUpdate struct {
	*emitter
	updater
	loop   *ir.Loop // over columns; nil: a point changes one element
	body   ir.Block // of a point, all statements but the branch and the loop
	loads  []*ir.Load
	stores []*ir.Store // by load: the store to what it reads
	chain  ir.Block    // computes new elements from old ones and terms
	next   []ir.Ref    // new elements
	canon  []*ir.Let   // by new element: its OpCanon, if the bits of a NaN do not matter until it is stored; else nil
	terms  []ir.Ref
	ahead  int64 // points of one key whose terms a thread gets at once

	points, columns int64 // of a tile
	keys            int   // array: the key before the tile, the keys of the tile, and then none, ahead times
	at              []int // arrays: terms, by point and column
}

// groupedOf writes the kernel of an update whose points change elements that they read.
func groupedOf(s *schedule.UpdateGrouped) *Func {
	u := updater{s.Update}
	e := u.emitter(u.keyed("_grouped", ir.In), schedule.GroupedThreads, true)
	g := &groupedUpdate{emitter: e, updater: u}
	g.points, g.columns = s.Tile()
	g.divide()
	g.keys = e.array(true, u.Key(), int(g.points+1+g.ahead))
	for _, r := range g.terms {
		g.at = append(g.at, e.array(true, u.Kernel.Types[r], int(g.points*g.columns)))
	}
	tiles, blocks := s.Tiles()
	e.points([]int64{tiles, blocks}, g.tile)
	return e.f
}

// divide divides what a point does into terms, and a chain from these and the old elements to the new ones.
func (g *groupedUpdate) divide() {
	var flat func(b ir.Block)
	flat = func(b ir.Block) {
		for _, s := range b {
			switch s := s.(type) {
			case *ir.If:
				flat(s.Then)
			case *ir.Loop:
				g.loop = s
				flat(s.Body)
			default:
				g.body = append(g.body, s)
			}
		}
	}
	flat(g.Kernel.Body)
	constant, old, term := map[ir.Ref]bool{}, map[ir.Ref]bool{}, map[ir.Ref]bool{}
	use := func(r ir.Ref) {
		if r != ir.NoRef && !old[r] && !constant[r] && !term[r] {
			term[r] = true
			g.terms = append(g.terms, r)
		}
	}
	for _, s := range g.body {
		switch s := s.(type) {
		case *ir.Load:
			if s.At.Buffer == g.Store.Buffer {
				old[s.Dst] = true
				g.loads = append(g.loads, s)
			}
		case *ir.Let:
			switch args := s.Inst.Args; {
			case s.Inst.Op == scalar.OpConst:
				constant[s.Dst] = true
				g.chain = append(g.chain, s)
			case old[args[0]] || old[args[1]] || old[args[2]]:
				for _, r := range args {
					use(r)
				}
				old[s.Dst] = true
				g.chain = append(g.chain, s)
			}
		}
	}
	g.stores = make([]*ir.Store, len(g.loads))
	bytes := int64(0)
	for _, s := range g.body {
		if s, ok := s.(*ir.Store); ok {
			use(s.Value)
			for i, l := range g.loads {
				if reflect.DeepEqual(l.At, s.At) {
					g.stores[i] = s
				}
			}
		}
	}
	g.carry()
	for _, r := range g.terms {
		bytes += int64(g.Kernel.Types[r].Size())
	}
	for g.ahead = 16; g.ahead > 2 && g.ahead*max(4, bytes, int64(len(g.chain))) > 64; {
		g.ahead /= 2
	}
}

// carry finds the new elements that chains hand on. Those that only arithmetic reads get the canonical bits
// of a NaN only when they are stored.
func (g *groupedUpdate) carry() {
	exact := map[ir.Ref]bool{}
	for _, s := range g.chain {
		if s := s.(*ir.Let); !isArithmetic(&s.Inst) {
			for _, r := range s.Inst.Args {
				exact[r] = true
			}
		}
	}
	g.canon = make([]*ir.Let, len(g.loads))
	for i, s := range g.stores {
		g.next = append(g.next, s.Value)
		for j, c := range g.chain {
			if c := c.(*ir.Let); c.Dst == s.Value && c.Inst.Op == scalar.OpCanon && !exact[g.loads[i].Dst] {
				g.next[i], g.canon[i] = c.Inst.Args[0], c
				g.chain = slices.Delete(g.chain, j, j+1)
				break
			}
		}
	}
}

// compute emits the statements that compute the given values, which are terms or old elements.
func (g *groupedUpdate) compute(values []ir.Ref) {
	need := map[ir.Ref]bool{}
	for _, r := range values {
		need[r] = true
	}
	coords := func(at *ir.Access) {
		for _, c := range at.Coords {
			need[c.Value] = true
		}
	}
	var chosen ir.Block
	for i := len(g.body) - 1; i >= 0; i-- {
		switch s := g.body[i].(type) {
		case *ir.Let:
			if need[s.Dst] {
				for _, r := range s.Inst.Args {
					need[r] = true
				}
				chosen = append(chosen, s)
			}
		case *ir.Index:
			if need[s.Dst] {
				chosen = append(chosen, s)
			}
		case *ir.Load:
			if need[s.Dst] {
				coords(&s.At)
				chosen = append(chosen, s)
			}
		}
	}
	for i := len(chosen) - 1; i >= 0; i-- {
		g.stmt(chosen[i])
	}
}

// tile emits the work of a group: tile number at[0], and the next tiles through which it follows a key.
func (g *groupedUpdate) tile(at []Reg) {
	key := g.updater.Key()
	base := g.copied(g.times(at[0], g.points))
	first := g.times(at[1], g.columns)
	follows := g.copied(g.constant(scalar.Bool, 0))
	more := g.copied(g.constant(scalar.Bool, 1))
	none := g.constant(key, g.none())
	n := g.num(g.Points)
	behind := g.keys
	g.when(g.less(g.tid, g.num(g.ahead)), func() { g.put(behind, g.sum(g.tid, g.num(g.points+1)), none) })
	w := &While{Test: more}
	w.Body = g.block(func() {
		g.barrier() // the last tile has been read
		g.fill(base, first)
		g.barrier()
		g.emitter.loop(g.tid, g.num(g.points*g.columns), g.num(int64(g.f.Threads)), func(i Reg) {
			p, c := g.over(i, g.columns), g.rest(i, g.columns)
			mine := g.get(g.keys, g.plus(p, 1))
			begins := g.op(scalar.OpNe, scalar.Bool, mine, g.get(g.keys, p))
			begins = g.choose(follows, g.same(p, g.num(0)), begins)
			g.when(g.both(begins, g.op(scalar.OpNe, scalar.Bool, mine, none)), func() { g.run(base, first, p, c, mine) })
		})
		// If the last key of the group's own tile is also the key before it, another group follows the key.
		last := g.get(g.keys, g.num(g.points))
		same := g.same(last, g.get(g.keys, g.num(0)))
		next := g.plus(base, g.points)
		g.move(more, g.op(scalar.OpNot, scalar.Bool, g.op(scalar.OpXor, scalar.Bool, same, follows)))
		g.move(more, g.both(more, g.both(g.less(next, n), g.op(scalar.OpNe, scalar.Bool, last, none))))
		g.when(more, func() { g.move(more, g.same(last, g.keyAt(next))) })
		g.move(base, next)
		g.move(follows, g.constant(scalar.Bool, 1))
	})
	g.add(w)
}

func (g *groupedUpdate) keyAt(q Reg) Reg {
	x := g.reg(g.updater.Key())
	g.add(&Load{x, len(g.Kernel.Buffers), q})
	return x
}

// enter sets the axes to those of a sorted point and a column, and returns whether the point has the column, NoReg if it has only
// one element.
func (g *groupedUpdate) enter(q, column Reg) (inside Reg) {
	x := g.reg(scalar.I32)
	g.add(&Load{x, len(g.Kernel.Buffers) + 1, q})
	g.point(g.emitter, g.convert(g.ix, x))
	return g.column(column)
}

// column sets the axis of columns to a column that the point has, and returns whether this is the given one. It returns NoReg if
// the point has only one element.
func (g *groupedUpdate) column(column Reg) (inside Reg) {
	if g.loop == nil {
		return NoReg
	}
	n := g.extent(g.loop.Extent, g.loop.Tail)
	g.axes[g.loop.Axis] = g.least(column, g.plus(n, -1))
	return g.less(column, n)
}

// fill puts the keys and the terms of a tile into shared memory. Terms after those of the last point are not used.
func (g *groupedUpdate) fill(base, first Reg) {
	key, threads := g.updater.Key(), int64(g.f.Threads)
	last := g.num(g.Points - 1)
	none := g.constant(key, g.none())
	g.onOne(func() {
		x := g.copied(none)
		g.when(g.less(g.num(0), base), func() { g.move(x, g.keyAt(g.plus(base, -1))) })
		g.put(g.keys, g.num(0), x)
	})
	keys := func(p Reg) {
		q := g.sum(base, p)
		x := g.choose(g.less(q, g.num(g.Points)), g.keyAt(g.least(q, last)), none)
		g.put(g.keys, g.plus(p, 1), x)
	}
	switch {
	case g.points < threads:
		g.when(g.less(g.tid, g.num(g.points)), func() { keys(g.tid) })
	case g.columns > 1: // a thread has fewer points than terms
		for j := int64(0); j < g.points; j += threads {
			keys(g.plus(g.tid, j))
		}
	}
	var items, numbers []Reg
	for j := int64(0); j < g.points*g.columns; j += threads {
		i := g.plus(g.tid, j)
		if g.columns == 1 {
			keys(i)
		}
		x := g.reg(scalar.I32)
		g.add(&Load{x, len(g.Kernel.Buffers) + 1, g.least(g.sum(base, g.over(i, g.columns)), last)})
		items, numbers = append(items, i), append(numbers, x)
	}
	var terms [][]Reg
	for j, i := range items {
		g.point(g.emitter, g.convert(g.ix, numbers[j]))
		g.column(g.sum(first, g.rest(i, g.columns)))
		g.compute(g.terms)
		terms = append(terms, g.values(g.terms))
	}
	for j, i := range items {
		for t, x := range terms[j] {
			g.put(g.at[t], i, x)
		}
	}
}

func (g *groupedUpdate) values(rs []ir.Ref) []Reg {
	out := make([]Reg, len(rs))
	for i, r := range rs {
		out[i] = g.regs[r]
	}
	return out
}

// run emits the sequence of the points of a key from point p of the tile on, for an element.
func (g *groupedUpdate) run(base, first, p, c, mine Reg) {
	inside := g.enter(g.sum(base, p), g.sum(first, c))
	sequence := func() {
		var needed []ir.Ref
		for _, l := range g.loads {
			needed = append(needed, l.Dst)
		}
		g.compute(needed)
		now := make([]Reg, len(g.loads))
		for i, l := range g.loads {
			now[i] = g.copied(g.regs[l.Dst])
		}
		q := g.copied(p)
		g.long(now, q, c, mine)
		w := &While{}
		w.Cond = g.block(func() { w.Test = g.same(g.get(g.keys, g.plus(q, 1)), mine) })
		w.Body = g.block(func() {
			g.steps(now, [][]Reg{g.termsAt(q, c)})
			g.move(q, g.plus(q, 1))
		})
		g.add(w)
		for i, s := range g.stores {
			g.regs[g.next[i]] = now[i]
			if g.canon[i] != nil {
				g.stmt(g.canon[i])
			}
			g.store(s)
		}
	}
	if inside == NoReg {
		sequence()
	} else {
		g.when(inside, sequence)
	}
}

func (g *groupedUpdate) termsAt(q, c Reg) []Reg {
	i := q
	if g.columns > 1 {
		i = g.sum(g.times(q, g.columns), c)
	}
	out := make([]Reg, len(g.at))
	for t, a := range g.at {
		out[t] = g.get(a, i)
	}
	return out
}

// steps emits the chain for the terms of points one after the other.
func (g *groupedUpdate) steps(now []Reg, terms [][]Reg) {
	for i, l := range g.loads {
		g.regs[l.Dst] = now[i]
	}
	for _, ts := range terms {
		for t, r := range g.terms {
			g.regs[r] = ts[t]
		}
		for _, s := range g.chain {
			g.stmt(s)
		}
		for i, l := range g.loads {
			g.regs[l.Dst] = g.regs[g.next[i]]
		}
	}
	for i, l := range g.loads {
		g.move(now[i], g.regs[l.Dst])
	}
}

// long emits the sequence of a run of at least g.ahead points: the thread gets the next terms while it applies the
// chain to those before. It leaves fewer than g.ahead points of the key, or all of a shorter run.
func (g *groupedUpdate) long(now []Reg, q, c, mine Reg) {
	is := func(behind Reg) Reg { return g.same(g.get(g.keys, behind), mine) }
	g.when(is(g.plus(q, g.ahead)), func() {
		lo, hi := g.copied(g.plus(q, g.ahead)), g.copied(g.num(g.points)) // the place in keys of the run's last key is from lo to hi
		search := &While{}
		search.Cond = g.block(func() { search.Test = g.less(lo, hi) })
		search.Body = g.block(func() {
			mid := g.over(g.plus(g.sum(lo, hi), 1), 2)
			in := is(mid)
			g.move(hi, g.choose(in, hi, g.plus(mid, -1)))
			g.move(lo, g.choose(in, mid, lo))
		})
		g.add(search)
		several := func(q Reg) [][]Reg {
			var ts [][]Reg
			for j := range g.ahead {
				ts = append(ts, g.termsAt(g.plus(q, j), c))
			}
			return ts
		}
		ts := several(q)
		for _, t := range ts {
			for i := range t {
				t[i] = g.copied(t[i])
			}
		}
		from, to := g.plus(q, g.ahead), g.plus(lo, 1-g.ahead)
		g.emitter.loop(from, to, g.num(g.ahead), func(q Reg) {
			next := several(q)
			g.steps(now, ts)
			for j, t := range ts {
				for i := range t {
					g.move(t[i], next[j][i])
				}
			}
		})
		g.steps(now, ts)
		count := g.diff(lo, q)
		g.move(q, g.sum(q, g.diff(count, g.rest(count, g.ahead))))
	})
}
