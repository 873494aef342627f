package simt

import (
	"math"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// element is an element of a fold: two numbers where the operation has two.
type element [2]Reg

// folds are the folds of one reduction, which run side by side.
type folds struct {
	e  *emitter
	fs []fold
}

// fold is one of them. second is the type of the second numbers, NoType without.
type fold struct {
	op        ir.FoldOp
	t, second scalar.Type
}

func (e *emitter) foldsOf(s *ir.Reduce) folds {
	all := folds{e: e}
	for _, f := range s.Folds {
		x := fold{op: f.Op, t: e.k.Types[f.Value]}
		if f.Second != ir.NoRef && s.Order != ir.Chain { // a chain adds products, which are one number
			x.second = e.k.Types[f.Second]
		}
		all.fs = append(all.fs, x)
	}
	return all
}

// parts returns the types of an element's numbers.
func (f fold) parts() []scalar.Type {
	if f.second == scalar.NoType {
		return []scalar.Type{f.t}
	}
	return []scalar.Type{f.t, f.second}
}

// identity returns registers with the elements that the folds start from.
func (fs folds) identity() []element {
	xs := make([]element, len(fs.fs))
	for i, f := range fs.fs {
		xs[i][0] = fs.e.constant(f.t, identity(f.op, f.t))
		xs[i][1] = NoReg
		if f.second != scalar.NoType {
			xs[i][1] = fs.e.constant(f.second, 0)
		}
	}
	return xs
}

func identity(op ir.FoldOp, t scalar.Type) uint64 {
	all := ^uint64(0) >> (64 - t.Bits())
	switch op {
	case ir.Prod, ir.ComplexProd:
		if t.IsFloat() {
			return floatBits(t, 1)
		}
		return 1
	case ir.Max:
		switch {
		case t.IsFloat():
			return floatBits(t, math.Inf(-1))
		case t.IsSigned():
			return 1 << (t.Bits() - 1)
		}
		return 0
	case ir.Min:
		switch {
		case t.IsFloat():
			return floatBits(t, math.Inf(1))
		case t.IsSigned():
			return all >> 1
		case t == scalar.Bool:
			return 1
		}
		return all
	case ir.And:
		if t == scalar.Bool {
			return 1
		}
		return all
	}
	return 0
}

var foldOps = [...]scalar.Op{ir.Sum: scalar.OpAdd, ir.Prod: scalar.OpMul, ir.Max: scalar.OpMax, ir.Min: scalar.OpMin,
	ir.And: scalar.OpAnd, ir.Or: scalar.OpOr, ir.Xor: scalar.OpXor}

// combine returns x ∘ y for each fold.
func (fs folds) combine(x, y []element) []element {
	out := make([]element, len(fs.fs))
	for i, f := range fs.fs {
		out[i] = fs.e.combine(f, x[i], y[i])
	}
	return out
}

func (e *emitter) combine(f fold, x, y element) element {
	switch f.op {
	case ir.ComplexProd:
		a, b, c, d := x[0], x[1], y[0], y[1]
		return element{e.diff(e.prod(a, c), e.prod(b, d)), e.sum(e.prod(a, d), e.prod(b, c))}
	case ir.ArgMax, ir.ArgMin:
		return e.better(f, x, y)
	}
	op := foldOps[f.op]
	if f.t == scalar.Bool {
		switch f.op {
		case ir.Max:
			op = scalar.OpOr
		case ir.Min:
			op = scalar.OpAnd
		}
	}
	return element{e.op(op, f.t, x[0], y[0]), NoReg}
}

// better returns the element that ArgMax or ArgMin keeps: a NaN before every number, of
// equals the one with the lower index.
func (e *emitter) better(f fold, x, y element) element {
	beats := e.less(x[0], y[0])
	if f.op == ir.ArgMin {
		beats = e.less(y[0], x[0])
	}
	tie := e.same(x[0], y[0])
	if f.t.IsFloat() {
		xn := e.op(scalar.OpNe, scalar.Bool, x[0], x[0])
		yn := e.op(scalar.OpNe, scalar.Bool, y[0], y[0])
		tie = e.op(scalar.OpOr, scalar.Bool, tie, e.both(xn, yn))
		beats = e.op(scalar.OpOr, scalar.Bool, beats, e.both(yn, e.op(scalar.OpNot, scalar.Bool, xn)))
	}
	beats = e.choose(tie, e.less(y[1], x[1]), beats)
	return element{e.choose(beats, y[0], x[0]), e.choose(beats, y[1], x[1])}
}

// hold returns registers of their own with the values of xs.
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

// set assigns registers.
func (fs folds) set(dst, src []element) {
	for i := range dst {
		fs.e.move(dst[i][0], src[i][0])
		if dst[i][1] != NoReg {
			fs.e.move(dst[i][1], src[i][1])
		}
	}
}

// store is memory for elements: arrays by fold and number.
type store struct {
	fs     folds
	arrays [][]int
}

// private returns memory for n elements of a thread.
func (fs folds) private(n int) store { return fs.memory(false, n) }

// memory returns new memory for n elements.
func (fs folds) memory(shared bool, n int) store {
	s := store{fs: fs}
	for _, f := range fs.fs {
		var as []int
		for _, t := range f.parts() {
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
		for _, t := range f.parts() {
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

// counter combines elements pairwise as a binary counter does: see ir.Tree. One thread
// runs it.
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

// push adds element number i.
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

// total returns the result of all elements, the identity of none.
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
