package simt

import (
	"math/bits"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// An Update is a kernel whose grid points change elements of a buffer one after another in
// row-major order, since several may change one element. Either all points run in a row,
// or points are sorted by what they change, and those that change the same elements run in
// a row. The latter requires that two points change the same elements or none in common.
type Update struct {
	Kernel *ir.Kernel
	points int64
	prefix ir.Block // computes what store and inside need
	store  *ir.Access
	inside Reg // a value of the kernel; NoReg: all points change elements
	run    int64
}

// NewUpdate returns the update of a kernel of constant sizes.
func NewUpdate(k *ir.Kernel) *Update {
	k = k.Inlined()
	u := &Update{Kernel: k, points: 1, inside: NoReg, run: 1}
	for _, d := range k.Grid {
		u.points *= d.Extent.Value
	}
	body := k.Body
	for i, s := range body {
		if c, ok := s.(*ir.If); ok {
			u.prefix, u.inside, body = body[:i], c.Cond, c.Then
			break
		}
	}
	for i, s := range body {
		switch s := s.(type) {
		case *ir.Loop:
			u.run = s.Extent.Value
			if u.inside == NoReg {
				u.prefix = body[:i]
			}
		case *ir.Store:
			if u.inside == NoReg && u.prefix == nil {
				u.prefix = body[:i]
			}
		}
	}
	body.Walk(func(s ir.Stmt) {
		if s, ok := s.(*ir.Store); ok {
			u.store = &s.At
		}
	})
	return u
}

// Points returns the number of points.
func (u *Update) Points() int64 { return u.points }

// Run returns the number of elements that a point changes beside each other, at most.
func (u *Update) Run() int64 { return u.run }

// Key returns the type of the keys of points.
func (u *Update) Key() scalar.Type {
	if u.Kernel.Buffers[u.store.Buffer].Len.Value < 1<<32-1 {
		return scalar.U32
	}
	return scalar.U64
}

// KeyBits returns the number of low bits in which keys differ.
func (u *Update) KeyBits() int { return bits.Len64(uint64(u.Kernel.Buffers[u.store.Buffer].Len.Value)) }

func (u *Update) emitter(k *ir.Kernel, threads int, group bool) *emitter {
	f := &Func{Name: k.Name, Kernel: k, Threads: threads, Group: group}
	ix := indexType(u.Kernel)
	if u.points >= 1<<30 {
		ix = scalar.I64
	}
	return newEmitter(f, ix)
}

// point sets the axes of the grid to those of a point.
func (u *Update) point(e *emitter, i Reg) {
	dims := u.Kernel.Grid
	for d := len(dims) - 1; d >= 0; d-- {
		if d == 0 {
			e.axes[dims[d].Axis] = i
			break
		}
		n := e.num(dims[d].Extent.Value)
		e.axes[dims[d].Axis] = e.op(scalar.OpRem, e.ix, i, n)
		i = e.op(scalar.OpDiv, e.ix, i, n)
	}
}

// change emits the body for a point on which the threads of a group work. No barrier is
// needed: each thread changes elements of its own.
func (u *Update) change(e *emitter) {
	if u.run == 1 {
		e.onOne(func() { e.stmts(u.Kernel.Body) })
		return
	}
	e.striped = true
	e.stmts(u.Kernel.Body)
	e.striped = false
}

// InOrder writes the kernel whose points run in a row. It is launched with one group.
func (u *Update) InOrder() *Func {
	threads := 32
	for threads < 256 && int64(threads) < u.run {
		threads *= 2
	}
	e := u.emitter(u.Kernel, threads, true)
	e.f.extents = []ir.Size{ir.Const(1)}
	e.tid = e.reg(e.ix)
	e.add(&Special{e.tid, Thread, 0})
	e.loop(e.num(0), e.num(u.points), e.num(1), func(i Reg) {
		u.point(e, i)
		u.change(e)
		if u.points > 1 {
			e.barrier() // the next point reads what this one has changed
		}
	})
	e.f.Body = e.out
	return e.f
}

// Keys writes the kernel that computes a key for each point, equal for those that change
// the same elements and the greatest for those that change none, and numbers the points.
// Its buffers are those of the update, keys and numbers.
func (u *Update) Keys() *Func {
	k := *u.Kernel
	key := u.Key()
	k.Name += "_keys"
	k.Buffers = append(append([]ir.Buffer(nil), k.Buffers...),
		ir.Buffer{Name: "keys", Role: ir.Out, Type: key, Len: ir.Const(u.points)},
		ir.Buffer{Name: "numbers", Role: ir.Out, Type: scalar.I32, Len: ir.Const(u.points)})
	e := u.emitter(&k, 128, false)
	e.points([]int64{u.points}, func(at []Reg) {
		u.point(e, at[0])
		e.stmts(u.prefix)
		a := ir.Access{Buffer: u.store.Buffer}
		for _, c := range u.store.Coords {
			var terms []ir.Term // those of the grid
			for _, t := range c.Terms {
				if e.axes[t.Axis] != NoReg {
					terms = append(terms, t)
				}
			}
			c.Terms = terms
			a.Coords = append(a.Coords, c)
		}
		place, _ := e.place(&a)
		x := e.convert(key, place)
		if u.inside != NoReg {
			x = e.choose(e.regs[u.inside], x, e.constant(key, ^uint64(0)>>(64-key.Bits())))
		}
		n := len(k.Buffers)
		e.add(&Store{n - 2, at[0], x})
		e.add(&Store{n - 1, at[0], e.convert(scalar.I32, at[0])})
	})
	return e.f
}

// Grouped writes the kernel in which the points of one key run in a row. Its buffers are
// those of the update, and sorted keys and the numbers of their points.
func (u *Update) Grouped() *Func {
	k := *u.Kernel
	key := u.Key()
	n := len(k.Buffers)
	k.Name += "_grouped"
	k.Buffers = append(append([]ir.Buffer(nil), k.Buffers...),
		ir.Buffer{Name: "keys", Role: ir.In, Type: key, Len: ir.Const(u.points)},
		ir.Buffer{Name: "numbers", Role: ir.In, Type: scalar.I32, Len: ir.Const(u.points)})
	threads, group := 128, u.run >= 32
	if group {
		for threads = 32; threads < 256 && int64(threads) < u.run; {
			threads *= 2
		}
	}
	e := u.emitter(&k, threads, group)
	keyAt := func(at Reg) Reg {
		x := e.reg(key)
		e.add(&Load{x, n, at})
		return x
	}
	e.points([]int64{u.points}, func(at []Reg) {
		first := at[0]
		mine := keyAt(first)
		head := e.copied(e.op(scalar.OpNe, scalar.Bool, mine, e.constant(key, ^uint64(0)>>(64-key.Bits()))))
		e.when(e.both(head, e.less(e.num(0), first)), func() {
			e.move(head, e.op(scalar.OpNe, scalar.Bool, mine, keyAt(e.plus(first, -1))))
		})
		e.when(head, func() {
			q := e.copied(first)
			more := e.copied(e.constant(scalar.Bool, 1))
			w := &While{Test: more}
			w.Body = e.block(func() {
				x := e.reg(scalar.I32)
				e.add(&Load{x, n + 1, q})
				u.point(e, e.convert(e.ix, x))
				if group { // points of one key change the same elements: each thread its own
					u.change(e)
				} else {
					e.stmts(u.Kernel.Body)
				}
				e.move(q, e.plus(q, 1))
				e.move(more, e.less(q, e.num(u.points)))
				e.when(more, func() { e.move(more, e.same(keyAt(q), mine)) })
			})
			e.add(w)
		})
	})
	return e.f
}
