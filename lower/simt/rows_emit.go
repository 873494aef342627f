package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

type rowEmitter struct {
	*emitter
	r       *rowKernel
	lane0   Reg // the first element of the thread
	valid   Reg // whether the team has a row, NoReg if it always has
	left    Reg // elements of the row from the thread's first one on
	rank    Reg // of a long row: the group's number in its cluster
	folded  int // of a long row: the number of reductions so far
	aligned Reg // whether the memory allows accesses of neighbouring elements

	held    map[string][]Reg // elements by key
	pending []*ir.Store      // the last store of elements of each key, in the order of the passes
	axis    map[*ir.Store]ir.Axis
	offsets []int64             // by element of the thread: distance from the first one
	costly  map[scalar.Inst]Reg // results of costly operations, such as quotients, of this row
}

func (r *rowKernel) lower(e *emitter) {
	if r.teams > 0 {
		r.lowerLong(e)
		return
	}
	f := e.f
	f.Threads = rowThreads
	teams := rowThreads / r.team
	groups := (r.rows + teams - 1) / teams
	f.Group = true
	f.extents = []ir.Size{ir.Const(groups)}
	e.tid = e.reg(e.ix)
	e.add(&Special{e.tid, Thread, 0})
	group, count := e.reg(e.ix), e.reg(e.ix)
	e.add(&Special{group, GroupIndex, 0})
	e.add(&Special{count, GroupCount, 0})
	team, inTeam := e.quotient(e.tid, r.team)
	x := &rowEmitter{emitter: e, r: r, lane0: e.times(inTeam, r.vec), aligned: NoReg}
	x.layOut()
	e.loop(group, e.num(groups), count, func(g Reg) {
		row := e.sum(e.times(g, teams), team)
		x.valid = NoReg
		if r.rows%teams != 0 {
			x.valid = e.less(row, e.num(r.rows))
			row = e.least(row, e.num(r.rows-1))
		}
		x.enter(row)
		x.row()
	})
}

// layOut determines which elements of a row, by their distances from the first one, a thread has.
func (x *rowEmitter) layOut() {
	r := x.r
	if r.vec > 1 {
		x.aligned = x.emitter.aligned(r.buffers())
	}
	for at := int64(0); at < r.span(); at += r.lanes {
		for m := int64(0); m < r.lanes; m += r.team * r.vec {
			for j := range r.vec {
				x.offsets = append(x.offsets, at+m+j)
			}
		}
	}
	if x.last(len(x.offsets)-1) >= r.n {
		x.left = x.diff(x.num(r.n), x.lane0)
	}
}

func (x *rowEmitter) enter(row Reg) {
	grid := x.r.k.Grid
	for d := len(grid) - 1; d > 0; d-- {
		row, x.axes[grid[d].Axis] = x.quotient(row, grid[d].Extent.Value)
	}
	if len(grid) > 0 {
		x.axes[grid[0].Axis] = row
	}
}

// buffers reports which buffers have elements of rows.
func (r *rowKernel) buffers() []bool {
	used := make([]bool, len(r.k.Buffers))
	for s := range r.keys {
		switch s := s.(type) {
		case *ir.Load:
			used[s.At.Buffer] = true
		case *ir.Store:
			used[s.At.Buffer] = true
		}
	}
	return used
}

func (x *rowEmitter) row() {
	x.held, x.pending, x.axis, x.costly = map[string][]Reg{}, nil, map[*ir.Store]ir.Axis{}, map[scalar.Inst]Reg{}
	x.divisors, x.folded = map[Reg]divisor{}, 0
	for _, s := range x.r.k.Body {
		switch s := s.(type) {
		case *ir.Reduce:
			if s.Order == ir.Lanes || s.Order == ir.Any {
				x.fold(s)
				continue
			}
			x.reduce(s) // of few elements: each thread alike
		case *ir.Loop:
			x.elements(s.Axis, s.Body, nil)
		case *ir.Store:
			if x.r.again[s] {
				x.everyone() // all threads have loaded what one of them changes
			}
			x.when(x.one(), func() { x.stmt(s) })
		default:
			x.stmt(s)
		}
	}
	x.flush()
}

// one returns whether the thread stores the numbers of its row.
func (x *rowEmitter) one() Reg {
	if x.r.teams > 0 {
		return x.oneOfLong()
	}
	first := x.same(x.lane0, x.num(0))
	if x.valid != NoReg {
		first = x.both(first, x.valid)
	}
	return first
}

// inside returns whether element number j of the thread is in the row, NoReg if it is
// for all threads.
func (x *rowEmitter) inside(j int) Reg {
	if x.last(j) < x.r.n {
		return NoReg
	}
	return x.less(x.num(x.offsets[j]), x.left)
}

// last returns the greatest place in a row that element number j of any thread has.
func (x *rowEmitter) last(j int) int64 {
	at := x.offsets[j] + (x.r.team-1)*x.r.vec
	if x.r.teams > 0 {
		at += (x.r.teams*x.r.cluster - 1) * x.r.span()
	}
	return at
}

// each emits the accesses to elements `from` to `to`−1 of the thread, except those outside of the row. vector emits the access to
// neighbouring elements, given the number of the first one; single emits that to one element, where vec is 1 or memory is not aligned.
func (x *rowEmitter) each(from, to int, vector, single func(j int)) {
	all := func(step int, f func(j int)) []Stmt {
		return x.block(func() {
			for j := from; j < to; j += step {
				if x.offsets[j] >= x.r.n {
					continue // for all threads
				}
				if in := x.inside(j); in != NoReg {
					x.when(in, func() { f(j) })
				} else {
					f(j)
				}
			}
		})
	}
	if x.r.vec == 1 {
		x.out = append(x.out, all(1, single)...)
		return
	}
	x.add(&If{x.aligned, all(int(x.r.vec), vector), all(1, single)})
}

// elements emits a body for the elements of the thread, all at once or a few at a time. Unless `use` is nil, it is called each time
// with their values, the first of which is that of element number `from`.
func (x *rowEmitter) elements(axis ir.Axis, body ir.Block, use func(from int, values [][]Reg)) {
	once := map[*ir.Load]Reg{}
	late := map[string]*ir.Load{} // what is loaded where it is used
	x.axes[axis] = x.lane0
	for _, s := range body {
		l, ok := s.(*ir.Load)
		if !ok {
			continue
		}
		if x.r.once[l] {
			x.stmt(l)
			once[l] = x.regs[l.Dst]
			continue
		}
		switch key := x.r.keys[l]; {
		case x.held[key] != nil:
		case x.r.usedOnce(key):
			late[key] = l
		default:
			x.held[key] = x.loaded(l)
			x.loads(l, 0, len(x.offsets), x.held[key])
		}
	}
	j := 0
	stored := map[string][]Reg{}
	if x.known = x.costly; x.r.teams > 0 {
		x.known = map[scalar.Inst]Reg{} // registers are dearer than instructions
	}
	x.hook = hook{
		load: func(l *ir.Load) (Reg, bool) {
			if r, ok := once[l]; ok {
				return r, true
			}
			return x.held[x.r.keys[l]][j], true
		},
		store: func(s *ir.Store) bool {
			key := x.r.keys[s]
			stored[key] = append(stored[key], x.regs[s.Value])
			return true
		},
	}
	before := x.regs
	x.rowwise = func(r ir.Ref) bool { return before[r] != NoReg || x.constants[r] }
	needsAxis := false
	for _, s := range body {
		i, ok := s.(*ir.Index)
		needsAxis = needsAxis || ok && coeff(i.Terms, axis) != 0
	}
	n := len(x.offsets)
	size := n
	if x.seldom(body) || x.r.teams > 0 || slices.ContainsFunc(body, x.isShared) {
		size = min(n, rarePacked)
	}
	for key, l := range late {
		x.held[key] = x.loaded(l)
	}
	for from := 0; from < n; from += size {
		for _, s := range body {
			if l, ok := s.(*ir.Load); ok && late[x.r.keys[l]] == l {
				x.axes[axis] = x.lane0
				x.loads(l, from, min(from+size, n), x.held[x.r.keys[l]])
			}
		}
		values := x.packed(body, min(size, n-from), func(i int) {
			j = from + i
			x.axes[axis] = x.lane0
			if needsAxis {
				x.axes[axis] = x.plus(x.lane0, x.offsets[j])
			}
		})
		if use != nil {
			use(from, values)
		}
	}
	x.hook, x.known, x.rowwise = hook{}, nil, nil
	for _, s := range body {
		st, ok := s.(*ir.Store)
		if !ok {
			continue
		}
		key := x.r.keys[st]
		x.held[key] = stored[key]
		kept := x.pending[:0]
		for _, p := range x.pending {
			if x.r.keys[p] != key {
				kept = append(kept, p)
			}
		}
		x.pending = append(kept, st)
		x.axis[st] = axis
	}
}

// seldom reports whether a block has a branch that is seldom taken.
func (e *emitter) seldom(b ir.Block) bool { return len(e.parts(b)) > 1 }

func (x *rowEmitter) loaded(l *ir.Load) []Reg {
	dst := make([]Reg, len(x.offsets))
	for j := range dst {
		dst[j] = x.reg(x.k.Types[l.Dst])
	}
	return dst
}

// loads emits the loads of elements `from` to `to`−1 of the thread. Those beyond the row's end are 0.
func (x *rowEmitter) loads(l *ir.Load, from, to int, dst []Reg) {
	v := int(x.r.vec)
	at, _ := x.place(&l.At)
	for j := from; j < to; j++ {
		if x.last(j) >= x.r.n {
			x.move(dst[j], x.constant(x.typeOf(dst[j]), 0))
		}
	}
	x.each(from, to, func(j int) {
		x.add(&LoadVec{Dst: dst[j : j+v], Buffer: l.At.Buffer, At: at, Plus: x.offsets[j]})
	}, func(j int) {
		if x.r.teams > 0 { // a LoadVec adds the offset itself: no element needs a register for its address
			x.add(&LoadVec{Dst: dst[j : j+1], Buffer: l.At.Buffer, At: at, Plus: x.offsets[j]})
			return
		}
		x.add(&Load{dst[j], l.At.Buffer, x.plus(at, x.offsets[j])})
	})
}

// flush emits the stores of elements. A barrier comes first where a team without a row has loaded the last row, since another
// team may store that row.
func (x *rowEmitter) flush() {
	v := int(x.r.vec)
	if x.valid != NoReg && slices.ContainsFunc(x.pending, func(s *ir.Store) bool { return x.r.again[s] }) {
		x.barrier()
	}
	store := func() {
		for _, s := range x.pending {
			x.axes[x.axis[s]] = x.lane0
			at, _ := x.place(&s.At)
			values := x.held[x.r.keys[s]]
			x.each(0, len(x.offsets), func(j int) {
				x.add(&StoreVec{Buffer: s.At.Buffer, At: at, Plus: x.offsets[j], Values: values[j : j+v]})
			}, func(j int) {
				if x.r.teams > 0 {
					x.add(&StoreVec{Buffer: s.At.Buffer, At: at, Plus: x.offsets[j], Values: values[j : j+1]})
					return
				}
				x.add(&Store{s.At.Buffer, x.plus(at, x.offsets[j]), values[j]})
			})
		}
	}
	if x.valid == NoReg {
		store()
	} else if len(x.pending) > 0 {
		x.when(x.valid, store)
	}
}

// fold emits a reduction of a row. Element i belongs to lane i mod lanes; a thread has all
// elements of some lanes. Elements after the end of the row, and lanes without elements,
// count as the identity. It changes nothing, not even in a sum: only −0 + 0 would differ
// from −0, and no lane of a sum contains −0.
func (x *rowEmitter) fold(s *ir.Reduce) {
	fs := x.foldsOf(s)
	each := int(x.r.lanes / x.r.team) // lanes of a thread
	acc := make([][][]element, max(x.r.blocks, 1))
	id := fs.identity()
	for b := range acc {
		for range each {
			acc[b] = append(acc[b], id)
		}
	}
	x.elements(s.Axis, s.Body, func(from int, values [][]Reg) {
		for i := range values {
			j := from + i
			if x.offsets[j] >= x.r.n {
				continue
			}
			xs := make([]element, len(s.Folds))
			in := x.inside(j)
			for f := range s.Folds {
				xs[f] = element{values[i][s.Folds[f].Value], NoReg}
				if in != NoReg {
					xs[f][0] = x.choose(in, xs[f][0], id[f][0])
				}
			}
			lane := &acc[x.offsets[j]/ir.BlockSize][j%each]
			*lane = fs.combine(*lane, xs)
		}
	})
	totals := make([][]element, len(acc)) // by block
	for b := range acc {
		totals[b] = x.lanes(fs, acc[b])
	}
	for ; len(totals) > 1; totals = totals[:len(totals)/2] {
		for b := range len(totals) / 2 {
			totals[b] = fs.combine(totals[2*b], totals[2*b+1])
		}
	}
	total := totals[0]
	if x.r.teams > 0 {
		total = x.join(fs, total)
	}
	for i, f := range s.Folds {
		x.regs[f.Result] = total[i][0]
	}
}

// lanes combines the lanes of the team's block, lane l with lane l + h. acc are the lanes of the thread.
func (x *rowEmitter) lanes(fs folds, acc [][]element) []element {
	for h := x.r.lanes / 2; h > 0; h /= 2 {
		width := x.r.team * x.r.vec
		switch {
		case h >= width:
			d := int(h / x.r.team)
			for l := range d {
				acc[l] = fs.combine(acc[l], acc[l+d])
			}
			acc = acc[:d]
		case h >= x.r.vec:
			for l := range acc {
				acc[l] = fs.exchange(acc[l], int(h/x.r.vec))
			}
		default:
			for l := range int(h) {
				acc[l] = fs.combine(acc[l], acc[l+int(h)])
			}
			acc = acc[:h]
		}
	}
	return acc[0]
}
