package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

type element = ir.Element[Reg]

// folds are the folds of one reduction, which run side by side.
type folds struct {
	e  *emitter
	fs []fold
}

type fold = ir.Folding

func (e *emitter) foldsOf(s *ir.Reduce) folds {
	all := folds{e: e}
	for _, f := range s.Folds {
		x := fold{Op: f.Op, Value: e.k.Types[f.Value]}
		if f.Second != ir.NoRef && s.Order != ir.Chain { // a chain adds products, which are one number
			x.Second = e.k.Types[f.Second]
		}
		all.fs = append(all.fs, x)
	}
	return all
}

func partsOf(f fold) []scalar.Type {
	if f.Second == scalar.NoType {
		return []scalar.Type{f.Value}
	}
	return []scalar.Type{f.Value, f.Second}
}

func (fs folds) identity() []element {
	xs := make([]element, len(fs.fs))
	for i, f := range fs.fs {
		xs[i][0] = fs.e.constant(f.Value, f.Op.Identity(f.Value))
		xs[i][1] = NoReg
		if f.Second != scalar.NoType {
			xs[i][1] = fs.e.constant(f.Second, 0)
		}
	}
	return xs
}

func (fs folds) combine(x, y []element) []element {
	out := make([]element, len(fs.fs))
	for i, f := range fs.fs {
		out[i] = fs.e.combine(f, x[i], y[i])
	}
	return out
}

func (e *emitter) combine(f fold, x, y element) element {
	z := ir.Combine(arith{e}, f, x, y)
	if f.Second == scalar.NoType {
		z[1] = NoReg
	}
	return z
}

// arith is the [ir.Arith] of registers.
type arith struct{ e *emitter }

func (a arith) Apply(o scalar.Op, t scalar.Type, x, y Reg) Reg { return a.e.op(o, t, x, y) }

func (a arith) Compare(o scalar.Op, _ scalar.Type, x, y Reg) Reg {
	return a.e.op(o, scalar.Bool, x, y)
}

func (a arith) IsNaN(_ scalar.Type, x Reg) Reg        { return a.e.op(scalar.OpNe, scalar.Bool, x, x) }
func (a arith) Logic(o scalar.Op, x, y Reg) Reg       { return a.e.op(o, scalar.Bool, x, y) }
func (a arith) Choose(_ scalar.Type, c, x, y Reg) Reg { return a.e.choose(c, x, y) }

func (fs folds) hold(xs []element) []element {
	out := make([]element, len(xs))
	for i, x := range xs {
		out[i] = element{fs.e.copied(x[0]), NoReg}
		if x[1] != NoReg {
			out[i][1] = fs.e.copied(x[1])
		}
	}
	return out
}

func (fs folds) set(dst, src []element) {
	for i := range dst {
		fs.e.move(dst[i][0], src[i][0])
		if dst[i][1] != NoReg {
			fs.e.move(dst[i][1], src[i][1])
		}
	}
}

// store is memory for elements: for each fold, an array for each number of its elements.
type store struct {
	fs     folds
	arrays [][]int
}

func (fs folds) private(n int) store { return fs.memory(false, n) }

func (fs folds) memory(shared bool, n int) store {
	s := store{fs: fs}
	for _, f := range fs.fs {
		var as []int
		for _, t := range partsOf(f) {
			as = append(as, fs.e.array(shared, t, n))
		}
		s.arrays = append(s.arrays, as)
	}
	return s
}

// board returns shared memory for an element of each thread.
func (fs folds) board() store {
	s := store{fs: fs}
	used := map[scalar.Type]int{}
	for _, f := range fs.fs {
		var as []int
		for _, t := range partsOf(f) {
			as = append(as, fs.e.board(t, used[t]))
			used[t]++
		}
		s.arrays = append(s.arrays, as)
	}
	return s
}

func (s store) get(at Reg) []element {
	xs := make([]element, len(s.arrays))
	for i, as := range s.arrays {
		xs[i] = element{s.fs.e.get(as[0], at), NoReg}
		if len(as) > 1 {
			xs[i][1] = s.fs.e.get(as[1], at)
		}
	}
	return xs
}

func (s store) put(at Reg, xs []element) {
	for i, as := range s.arrays {
		s.fs.e.put(as[0], at, xs[i][0])
		if len(as) > 1 {
			s.fs.e.put(as[1], at, xs[i][1])
		}
	}
}

// counter combines elements pairwise as a binary counter does: see ir.Tree. Each thread that
// runs it has its own.
type counter struct {
	fs    folds
	stack store
	depth Reg
}

// levels bounds the depth of a counter: 2⁴⁸ elements.
const levels = 48

func (fs folds) newCounter(stack store) counter {
	return counter{fs, stack, fs.e.copied(fs.e.num(0))}
}

func (c counter) push(i Reg, x []element) {
	e := c.fs.e
	x = c.fs.hold(x)
	t := e.copied(e.plus(i, 1))
	w := &While{}
	w.Cond = e.block(func() { w.Test = e.same(e.rest(t, 2), e.num(0)) })
	w.Body = e.block(func() {
		e.move(c.depth, e.plus(c.depth, -1))
		c.fs.set(x, c.fs.combine(c.stack.get(c.depth), x))
		e.move(t, e.over(t, 2))
	})
	e.add(w)
	c.stack.put(c.depth, x)
	e.move(c.depth, e.plus(c.depth, 1))
}

// total returns the result of all elements, the identity if there are none.
func (c counter) total() []element {
	e := c.fs.e
	x := c.fs.hold(c.fs.identity())
	e.when(e.less(e.num(0), c.depth), func() {
		e.move(c.depth, e.plus(c.depth, -1))
		c.fs.set(x, c.stack.get(c.depth))
		w := &While{}
		w.Cond = e.block(func() { w.Test = e.less(e.num(0), c.depth) })
		w.Body = e.block(func() {
			e.move(c.depth, e.plus(c.depth, -1))
			c.fs.set(x, c.fs.combine(c.stack.get(c.depth), x))
		})
		e.add(w)
	})
	return x
}
