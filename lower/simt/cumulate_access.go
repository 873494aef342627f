package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// adjacent are the loads or the stores of a fold whose elements lie beside each other.
type adjacent struct {
	vec     int64            // elements of an access
	down    map[ir.Stmt]bool // by statement: each element lies before its predecessor in memory
	buffers []bool           // by buffer: whether they access it
}

// adjacentOf returns the adjacent accesses of a block, of at most vec elements.
func (r *rowFold) adjacentOf(b ir.Block, vec int64) adjacent {
	l := adjacent{vec, map[ir.Stmt]bool{}, make([]bool, len(r.k.Buffers))}
	for _, s := range b {
		var a *ir.Access
		switch s := s.(type) {
		case *ir.Load:
			a = &s.At
		case *ir.Store:
			a = &s.At
		default:
			continue
		}
		n, ok := stride(a, r.s.Axis)
		for i := range a.Coords {
			ok = ok && a.Coords[i].Mode == ir.Proved
		}
		if !ok || n != 1 && n != -1 {
			continue
		}
		l.buffers[a.Buffer] = true
		l.down[s] = n < 0 != r.s.Reverse
		at := base(a)
		if r.s.Reverse {
			at += n * (r.length - 1)
		}
		if l.down[s] {
			at++
		}
		for l.vec*int64(r.k.Buffers[a.Buffer].Type.Size()) > VecBytes {
			l.vec /= 2
		}
		divide := func(n int64) {
			for n%l.vec != 0 {
				l.vec /= 2
			}
		}
		divide(at)
		for x := range ir.Axis(r.k.Axes) {
			if n, _ := stride(a, x); x != r.s.Axis {
				divide(n)
			}
		}
	}
	if len(l.down) == 0 {
		l.vec = 1
	}
	return l
}

// Bounds of what a thread does at once.
const (
	lineWords = 64 // registers of loads
	lineSlow  = 8  // accesses of one element each, where memory is not aligned
)

// inLines emits accesses to all elements of the span: f takes the numbers of the first
// elements of several accesses of vec elements each, which may be outside of the row, and
// the elements of the board that belong to them. Where memory is not aligned, or an access
// would reach past the end of the row, accesses are of one element. words and ops are the
// registers and operations of an element.
func (w *spanTeams) inLines(l adjacent, words, ops int64, f func(is []Reg, cells []cell, vec int64)) {
	each := func(vec, most int64) {
		n := ir.CumChunk / vec
		for n > 1 && (n > most || n*vec*words > lineWords || n*vec*ops > streamOps) {
			n /= 2
		}
		from := w.times(w.lane, vec)
		i0 := w.sum(w.lo, from)
		c0 := w.sum(w.row0, w.sum(w.times(w.over(from, ir.CumChunk), w.step), w.rest(from, ir.CumChunk)))
		some := func(i, c Reg) {
			is, cs := make([]Reg, n), make([]cell, n)
			for u := range n {
				is[u], cs[u] = w.plus(i, u*vec*ir.CumChunk), cell{c, u * vec * w.step}
			}
			f(is, cs, vec)
		}
		if n*vec == ir.CumChunk {
			some(i0, c0)
			return
		}
		w.loop(w.num(0), w.num(ir.CumChunk), w.num(n*vec), func(row Reg) {
			some(w.sum(i0, w.times(row, ir.CumChunk)), w.sum(c0, w.times(row, w.step)))
		})
	}
	if l.vec == 1 {
		each(1, ir.CumChunk)
		return
	}
	fits := w.aligned(l.buffers)
	if w.length%l.vec != 0 {
		fits = w.both(fits, w.op(scalar.OpLe, scalar.Bool, w.plus(w.lo, foldSpan), w.num(w.length)))
	}
	w.emitter.add(&If{fits, w.block(func() { each(l.vec, ir.CumChunk) }), w.block(func() { each(1, lineSlow) })})
}

// cell is element at + plus of the board.
type cell struct {
	at   Reg
	plus int64
}

// need returns the numbers of registers that the loads of an element take, and of its operations.
func (w *spanTeams) need(b ir.Block) (words, ops int64) {
	ops = 1
	for _, s := range b {
		switch s := s.(type) {
		case *ir.Let:
			ops += int64(weight(s.Inst.Op))
		case *ir.Load:
			words += max(1, int64(w.k.Buffers[s.At.Buffer].Type.Size())/4)
		}
	}
	return max(words, 1), ops
}

// read emits the reading of the span's elements. Past the end of the row it reads the row's last elements again.
func (w *spanTeams) read() {
	l := w.adjacentOf(w.s.Body, w.wide)
	words, ops := w.need(w.s.Body)
	w.inLines(l, words, ops, func(is []Reg, cells []cell, vec int64) {
		loaded := make([]map[ir.Stmt][]Reg, len(is))
		for u := range is {
			if w.length%foldSpan != 0 {
				is[u] = w.least(is[u], w.num(w.length-vec))
			}
			loaded[u] = map[ir.Stmt][]Reg{}
			for _, s := range w.s.Body {
				if down, ok := l.down[s]; ok && vec > 1 {
					loaded[u][s] = w.loadLine(s.(*ir.Load), is[u], vec, down)
				}
			}
		}
		xs := make([][]Reg, len(is))
		for u, i := range is {
			for j := range vec {
				w.hook.load = func(s *ir.Load) (Reg, bool) {
					if x, ok := loaded[u][s]; ok {
						return x[j], true
					}
					return NoReg, false
				}
				xs[u] = append(xs[u], w.element(w.plus(i, j)))
			}
		}
		w.hook = hook{}
		for u, c := range cells {
			if vec == 1 {
				w.put(w.board, w.plus(c.at, c.plus), xs[u][0])
			} else {
				w.emitter.add(&PutVec{Array: w.board, At: c.at, Plus: c.plus, Values: xs[u]})
			}
		}
	})
}

// loadLine returns the vec elements from i on that a load reads.
func (w *spanTeams) loadLine(s *ir.Load, i Reg, vec int64, down bool) []Reg {
	dst := make([]Reg, vec)
	for j := range dst {
		dst[j] = w.reg(w.k.Types[s.Dst])
	}
	at := w.lineAt(&s.At, i, vec, down)
	v := &LoadVec{Dst: dst, Buffer: s.At.Buffer, At: at}
	w.emitter.add(v)
	return ordered(dst, down)
}

// lineAt returns the position of the access of vec elements from i on.
func (w *spanTeams) lineAt(a *ir.Access, i Reg, vec int64, down bool) Reg {
	if down {
		i = w.plus(i, vec-1)
	}
	w.emitter.axes[w.s.Axis] = w.place(i)
	at, _ := w.emitter.place(a)
	return at
}

// ordered returns a copy of xs, backwards if down.
func ordered(xs []Reg, down bool) []Reg {
	ys := make([]Reg, len(xs))
	for j, x := range xs {
		if down {
			j = len(xs) - 1 - j
		}
		ys[j] = x
	}
	return ys
}

// write emits what is done with the running values on the board.
func (w *spanTeams) write() {
	l := w.adjacentOf(w.s.Then, w.wide)
	_, ops := w.need(w.s.Then)
	words := max(1, int64(w.f.Value.Size())/4)
	w.inLines(l, words, ops, func(is []Reg, cells []cell, vec int64) {
		xs := make([][]Reg, len(is))
		for u, c := range cells {
			if vec == 1 {
				xs[u] = []Reg{w.get(w.board, w.plus(c.at, c.plus))}
				continue
			}
			for range vec {
				xs[u] = append(xs[u], w.reg(w.f.Value))
			}
			w.emitter.add(&GetVec{Dst: xs[u], Array: w.board, At: c.at, Plus: c.plus})
		}
		for u, i := range is {
			inside := w.exists
			if w.length%foldSpan != 0 {
				inside = w.less(i, w.num(w.length))
				if w.exists != NoReg {
					inside = w.both(inside, w.exists)
				}
			}
			if inside == NoReg {
				w.storeLine(l, i, xs[u])
			} else {
				w.when(inside, func() { w.storeLine(l, i, xs[u]) })
			}
		}
	})
}

// storeLine emits what is done with the running values xs of the elements from i on.
func (w *spanTeams) storeLine(l adjacent, i Reg, xs []Reg) {
	vec := int64(len(xs))
	stored := map[ir.Stmt][]Reg{}
	w.hook.store = func(s *ir.Store) bool {
		_, ok := l.down[s]
		if ok = ok && vec > 1; ok {
			stored[s] = append(stored[s], w.regs[s.Value])
		}
		return ok
	}
	for j, x := range xs {
		w.then(w.plus(i, int64(j)), x)
	}
	w.hook = hook{}
	for _, s := range w.s.Then {
		if ys, ok := stored[s]; ok {
			s := s.(*ir.Store)
			w.emitter.add(&StoreVec{Buffer: s.At.Buffer, At: w.lineAt(&s.At, i, vec, l.down[s]), Values: ordered(ys, l.down[s])})
		}
	}
}
