package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A rowEmitter emits a row kernel.
type rowEmitter struct {
	*emitter
	r       *rowKernel
	lane0   Reg // the first element of the thread
	valid   Reg // whether the team has a row, NoReg if it always has
	aligned Reg // whether the memory allows accesses of neighbouring elements

	held    map[string][]Reg // elements by key
	pending []*ir.Store      // of elements, by key, in the order of the passes
	axis    map[*ir.Store]ir.Axis
	offsets []int64             // by element: behind the first
	costly  map[scalar.Inst]Reg // quotients and the like of this row
}

// lower writes the program of a thread.
func (r *rowKernel) lower(e *emitter) {
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
	if r.vec > 1 {
		x.aligned = e.aligned(r.buffers())
	}
	for at := int64(0); at < r.n; at += r.lanes {
		for m := int64(0); m < r.lanes; m += r.team * r.vec {
			for j := range r.vec {
				x.offsets = append(x.offsets, at+m+j)
			}
		}
	}
	e.loop(group, e.num(groups), count, func(g Reg) {
		row := e.sum(e.times(g, teams), team)
		x.valid = NoReg
		if r.rows%teams != 0 {
			x.valid = e.less(row, e.num(r.rows))
			row = e.least(row, e.num(r.rows-1))
		}
		for d := len(r.k.Grid) - 1; d > 0; d-- {
			row, e.axes[r.k.Grid[d].Axis] = e.quotient(row, r.k.Grid[d].Extent.Value)
		}
		if len(r.k.Grid) > 0 {
			e.axes[r.k.Grid[0].Axis] = row
		}
		x.row()
	})
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

// row emits the statements of a row.
func (x *rowEmitter) row() {
	x.held, x.pending, x.axis, x.costly = map[string][]Reg{}, nil, map[*ir.Store]ir.Axis{}, map[scalar.Inst]Reg{}
	x.divisors = map[Reg]divisor{}
	for _, s := range x.r.k.Body {
		switch s := s.(type) {
		case *ir.Reduce:
			if s.Order == ir.Lanes || s.Order == ir.Any {
				x.fold(s)
				continue
			}
			x.reduce(s) // of few elements: each thread alike
		case *ir.Loop:
			x.elements(s.Axis, s.Body)
		case *ir.Store:
			if x.r.again[s] {
				x.barrier() // all threads have loaded what one of them changes
			}
			first := x.same(x.lane0, x.num(0))
			if x.valid != NoReg {
				first = x.both(first, x.valid)
			}
			x.when(first, func() { x.stmt(s) })
		default:
			x.stmt(s)
		}
	}
	x.flush()
}

// inside returns whether element number j of the thread is one of the row, NoReg if it is
// for all threads.
func (x *rowEmitter) inside(j int) Reg {
	if x.offsets[j]+(x.r.team-1)*x.r.vec < x.r.n {
		return NoReg
	}
	return x.less(x.plus(x.lane0, x.offsets[j]), x.num(x.r.n))
}

// each emits, for each access of neighbouring elements that is within the row, vector with
// the number of the first of them or, where memory is not aligned, single for each.
func (x *rowEmitter) each(vector, single func(j int)) {
	all := func(step int, f func(j int)) []Stmt {
		return x.block(func() {
			for j := 0; j < len(x.offsets); j += step {
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

// elements emits a body for the elements of the thread and returns the values of each.
func (x *rowEmitter) elements(axis ir.Axis, body ir.Block) [][]Reg {
	once := map[*ir.Load]Reg{}
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
		if key := x.r.keys[l]; x.held[key] == nil {
			x.held[key] = x.loads(l)
		}
	}
	j := 0
	stored := map[string][]Reg{}
	x.known = x.costly
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
	if x.seldom(body) || slices.ContainsFunc(body, x.isShared) {
		size = min(n, rarePacked)
	}
	var all [][]Reg
	for from := 0; from < n; from += size {
		all = append(all, x.packed(body, min(size, n-from), func(i int) {
			j = from + i
			x.axes[axis] = x.lane0
			if needsAxis {
				x.axes[axis] = x.plus(x.lane0, x.offsets[j])
			}
		})...)
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
	return all
}

// seldom reports whether a block has a branch that is seldom taken.
func (e *emitter) seldom(b ir.Block) bool { return len(e.parts(b)) > 1 }

// loads emits the loads of the thread's elements.
func (x *rowEmitter) loads(l *ir.Load) []Reg {
	v := int(x.r.vec)
	at, _ := x.place(&l.At)
	t := x.k.Types[l.Dst]
	dst := make([]Reg, len(x.offsets))
	for j := range dst {
		dst[j] = x.reg(t)
		if x.offsets[j]+(x.r.team-1)*x.r.vec >= x.r.n {
			x.move(dst[j], x.constant(t, 0))
		}
	}
	x.each(func(j int) {
		x.add(&LoadVec{Dst: dst[j : j+v], Buffer: l.At.Buffer, At: at, Plus: x.offsets[j]})
	}, func(j int) {
		x.add(&Load{dst[j], l.At.Buffer, x.plus(at, x.offsets[j])})
	})
	return dst
}

// flush emits the stores of elements. A team without a row loads the last one, which another
// team may change.
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
			x.each(func(j int) {
				x.add(&StoreVec{Buffer: s.At.Buffer, At: at, Plus: x.offsets[j], Values: values[j : j+v]})
			}, func(j int) {
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

// fold emits a reduction of a row. Element i belongs to lane i mod lanes; a thread's
// elements are those of some lanes, all of each. Elements behind the row, and lanes
// without elements, are the identity, which changes nothing: a lane's accumulator is no −0.
func (x *rowEmitter) fold(s *ir.Reduce) {
	fs := x.foldsOf(s)
	all := x.elements(s.Axis, s.Body)
	each := int(x.r.lanes / x.r.team) // lanes of a thread
	acc := make([][]element, each)    // by lane and fold
	id := fs.identity()
	for l := range acc {
		acc[l] = id
	}
	for j := range x.offsets {
		if x.offsets[j] >= x.r.n {
			continue
		}
		xs := make([]element, len(s.Folds))
		in := x.inside(j)
		for i, f := range s.Folds {
			xs[i] = element{all[j][f.Value], NoReg}
			if in != NoReg {
				xs[i][0] = x.choose(in, xs[i][0], id[i][0])
			}
		}
		acc[j%each] = fs.combine(acc[j%each], xs)
	}
	// Lane l takes lane l + h.
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
				other := make([]element, len(fs.fs))
				for i, a := range acc[l] {
					r := x.reg(x.typeOf(a[0]))
					x.add(&Shuffle{Dst: r, Src: a[0], Xor: int(h / x.r.vec)})
					other[i] = element{r, NoReg}
				}
				acc[l] = fs.combine(acc[l], other)
			}
		default:
			for l := range int(h) {
				acc[l] = fs.combine(acc[l], acc[l+int(h)])
			}
			acc = acc[:h]
		}
	}
	for i, f := range s.Folds {
		x.regs[f.Result] = acc[0][i][0]
	}
}
