package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

type reduction struct {
	folds
	s *ir.Reduce
	n Reg // number of elements
}

// reduce emits a reduction: shared by the threads where they work together, unless its order is Ordered.
func (e *emitter) reduce(s *ir.Reduce) {
	loads, stores := accesses(s.Body)
	e.before(loads, stores)
	r := &reduction{folds: e.foldsOf(s), s: s, n: e.extent(s.Extent, s.Tail)}
	var xs []element
	if e.together && s.Order != ir.Ordered {
		xs = r.shared()
	} else {
		e.apart(func() { xs = r.alone() })
	}
	for i, f := range s.Folds {
		e.regs[f.Result] = xs[i][0]
		if f.Other != ir.NoRef {
			e.regs[f.Other] = xs[i][1]
		}
	}
}

func (r *reduction) element(i Reg) []element {
	e := r.e
	e.axes[r.s.Axis] = i
	e.stmts(r.s.Body)
	xs := make([]element, len(r.s.Folds))
	for j, f := range r.s.Folds {
		xs[j] = element{e.regs[f.Value], NoReg}
		if f.Second != ir.NoRef {
			xs[j][1] = e.regs[f.Second]
		}
	}
	return xs
}

// indexed reports whether the folds include one without an identity.
func (r *reduction) indexed() bool {
	for _, f := range r.fs {
		if f.Op == ir.ArgMax || f.Op == ir.ArgMin {
			return true
		}
	}
	return false
}

// run folds the positions `from`, `from`+`step`, … below `to` in order. It starts from the identity, or from the first position if a
// fold has no identity.
func (r *reduction) run(from, to, step Reg) []element {
	e := r.e
	acc := r.hold(r.identity())
	if !r.indexed() {
		e.loop(from, to, step, func(i Reg) { r.set(acc, r.combine(acc, r.element(i))) })
		return acc
	}
	any := e.copied(e.constant(scalar.Bool, 0))
	e.loop(from, to, step, func(i Reg) {
		x := r.element(i)
		y := r.combine(acc, x)
		for j := range acc {
			for c := range acc[j] {
				if acc[j][c] != NoReg {
					e.move(acc[j][c], e.choose(any, y[j][c], x[j][c]))
				}
			}
		}
		e.move(any, e.constant(scalar.Bool, 1))
	})
	return acc
}

// chain adds the products of positions lo, …, hi−1 in order to +0: of floats by fma.
func (r *reduction) chain(lo, hi Reg) []element {
	e := r.e
	acc := r.zero()
	e.loop(lo, hi, e.num(1), func(i Reg) {
		for j, x := range r.element(i) {
			t := r.fs[j].Value
			if t.IsFloat() {
				e.move(acc[j][0], e.op(scalar.OpFMA, t, x[0], x[1], acc[j][0]))
			} else {
				e.move(acc[j][0], e.sum(acc[j][0], e.prod(x[0], x[1])))
			}
		}
	})
	return acc
}

func (r *reduction) zero() []element {
	acc := make([]element, len(r.fs))
	for j, f := range r.fs {
		acc[j] = element{r.e.copied(r.e.constant(f.Value, 0)), NoReg}
	}
	return acc
}

func (r *reduction) add(total, x []element) {
	for j := range total {
		r.e.move(total[j][0], r.e.sum(total[j][0], x[j][0]))
	}
}

// pieceSize returns the number of elements that are folded in one go before the order
// combines results.
func pieceSize(o ir.Order) int64 {
	switch o {
	case ir.Chunks:
		return ir.ChunkSize
	case ir.Chain:
		return ir.ChainSize
	case ir.Lanes:
		return ir.BlockSize
	}
	return 1
}

func (r *reduction) pieces() Reg {
	p := pieceSize(r.s.Order)
	return r.e.over(r.e.plus(r.n, p-1), p)
}

// piece folds piece number b. The last piece may be shorter than the others.
func (r *reduction) piece(b Reg) []element {
	e := r.e
	size := pieceSize(r.s.Order)
	if size == 1 {
		return r.element(b)
	}
	lo := e.times(b, size)
	hi := e.least(e.plus(lo, size), r.n)
	switch r.s.Order {
	case ir.Chunks:
		return r.chunk(lo, hi)
	case ir.Chain:
		return r.chain(lo, hi)
	}
	return r.block(lo, hi)
}

// block folds a block in lanes, all by one thread.
func (r *reduction) block(lo, hi Reg) []element {
	e := r.e
	w := int64(r.s.Lanes)
	if s := r.s; s.Tail == nil && s.Extent.IsConst() && 0 < s.Extent.Value && s.Extent.Value <= 2*straightTree && r.isShort() {
		return r.fewLanes(s.Extent.Value, w)
	}
	lanes := r.private(int(w))
	length := e.diff(hi, lo)
	used := e.least(e.num(w), length)
	e.loop(e.num(0), used, e.num(1), func(l Reg) {
		lanes.put(l, r.run(e.sum(lo, l), hi, e.num(w)))
	})
	for h := w / 2; h > 0; h /= 2 {
		// Lanes h and above, below used, join those below h.
		e.loop(e.num(0), e.least(e.num(h), e.diff(used, e.num(h))), e.num(1), func(l Reg) {
			lanes.put(l, r.combine(lanes.get(l), lanes.get(e.plus(l, h))))
		})
	}
	return lanes.get(e.num(0))
}

// alone emits a reduction by one thread, or by each thread alike.
func (r *reduction) alone() []element {
	e := r.e
	switch r.s.Order {
	case ir.Any, ir.Ordered:
		return r.run(e.num(0), r.n, e.num(1))
	case ir.Chain:
		total := r.zero()
		e.loop(e.num(0), r.pieces(), e.num(1), func(b Reg) { r.add(total, r.piece(b)) })
		return total
	}
	if s := r.s; s.Order == ir.Tree && s.Extent.IsConst() && s.Tail == nil && s.Extent.Value > 0 && r.isShort() {
		return r.trees(s.Extent.Value)
	}
	if size := pieceSize(r.s.Order); r.s.Extent.IsConst() && r.s.Tail == nil && r.s.Extent.Value <= size && r.s.Extent.Value > 0 {
		return r.piece(e.num(0))
	}
	c := r.newCounter(r.private(levels))
	e.loop(e.num(0), r.pieces(), e.num(1), func(b Reg) { c.push(b, r.piece(b)) })
	return c.total()
}
