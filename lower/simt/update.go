package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

type updater struct{ *schedule.Update }

func (u updater) emitter(k *ir.Kernel, threads int, group bool) *emitter {
	f := &Func{Name: k.Name, Kernel: k, Threads: threads, Group: group}
	ix := indexType(u.Kernel)
	if u.Points >= 1<<30 {
		ix = scalar.I64
	}
	return newEmitter(f, ix)
}

func (u updater) point(e *emitter, i Reg) {
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
func (u updater) change(e *emitter) {
	if u.Run == 1 {
		e.onOne(func() { e.stmts(u.Kernel.Body) })
		return
	}
	e.striped = true
	e.stmts(u.Kernel.Body)
	e.striped = false
}

// inOrder writes the kernel whose points run one after the other. It is launched with one group.
func (u updater) inOrder(d schedule.Device) *Func {
	threads := 32
	for threads < 256 && int64(threads) < u.Run {
		threads *= 2
	}
	e := u.emitter(u.Kernel, d.Threads(threads), true)
	e.f.extents = []ir.Size{ir.Const(1)}
	e.tid = e.reg(e.ix)
	e.add(&Special{e.tid, Thread, 0})
	e.loop(e.num(0), e.num(u.Points), e.num(1), func(i Reg) {
		u.point(e, i)
		u.change(e)
		if u.Points > 1 {
			e.barrier() // the next point reads what this one has changed
		}
	})
	e.f.Body = e.out
	return e.f
}

// threads returns the number of threads of a group, and whether they share a point.
func (u updater) threads() (n int, group bool) {
	if u.Run < 32 {
		return 128, false
	}
	for n = 32; n < 256 && int64(n) < u.Run; {
		n *= 2
	}
	return n, true
}

// atOnce writes the kernel whose points add at once: the body reads a zero instead of the element that it changes,
// so that it computes what is added.
func (u updater) atOnce() *Func {
	k := *u.Kernel
	k.Name += "_at_once"
	threads, group := u.threads()
	tallies := u.Tallies()
	if tallies > 0 {
		threads, group = schedule.GroupedThreads, true
	}
	e := u.emitter(&k, threads, group)
	sums := -1 // a shared array
	if tallies > 0 {
		sums = e.array(true, k.Buffers[u.Store.Buffer].Type, int(k.Buffers[u.Store.Buffer].Len.Value))
	}
	e.hook = hook{
		load: func(s *ir.Load) (Reg, bool) {
			if s.At.Buffer != u.Store.Buffer {
				return NoReg, false
			}
			return e.constant(e.k.Types[s.Dst], 0), true
		},
		store: func(s *ir.Store) bool {
			at, inside := e.place(&s.At)
			add := func() { e.add(&AddTo{s.At.Buffer, at, e.regs[s.Value]}) }
			if sums >= 0 {
				add = func() { e.addTo(sums, at, e.regs[s.Value]) }
			}
			if inside == NoReg {
				add()
			} else {
				e.when(inside, add)
			}
			return true
		},
	}
	if tallies > 0 {
		e.points([]int64{tallies}, func(at []Reg) { u.tally(e, at[0], tallies, sums) })
		return e.f
	}
	e.points([]int64{u.Points}, func(at []Reg) {
		if u.point(e, at[0]); group {
			u.change(e)
		} else {
			e.stmts(u.Kernel.Body)
		}
	})
	return e.f
}

// tally emits the work of one of several groups: all its points, whose sums are then added to memory.
func (u updater) tally(e *emitter, group Reg, groups int64, sums int) {
	threads := int64(e.f.Threads)
	n, each := e.num(int64(e.f.Arrays[sums].Len)), e.num(threads)
	e.loop(e.tid, n, each, func(i Reg) { e.put(sums, i, e.constant(e.f.Arrays[sums].Type, 0)) })
	e.barrier()
	e.loop(e.sum(e.times(group, threads), e.tid), e.num(u.Points), e.num(groups*threads), func(i Reg) {
		u.point(e, i)
		e.stmts(u.Kernel.Body)
	})
	e.barrier()
	e.loop(e.tid, n, each, func(i Reg) {
		x := e.get(sums, i)
		e.when(e.op(scalar.OpNe, scalar.Bool, x, e.constant(e.typeOf(x), 0)), func() { e.add(&AddTo{u.Store.Buffer, i, x}) })
	})
}

// keys writes the kernel that computes a key for each point, equal for those that change
// the same elements and the greatest for those that change none, and numbers the points.
// Its buffers are those of the update, keys and numbers.
func (u updater) keys() *Func {
	k := u.keyed("_keys", ir.Out)
	key := u.Key()
	e := u.emitter(k, 128, false)
	e.points([]int64{u.Points}, func(at []Reg) {
		u.point(e, at[0])
		e.stmts(u.Prefix)
		a := ir.Access{Buffer: u.Store.Buffer}
		for _, c := range u.Store.Coords {
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
		if u.Inside != NoReg {
			x = e.choose(e.regs[u.Inside], x, e.constant(key, u.none()))
		}
		n := len(k.Buffers)
		e.add(&Store{n - 2, at[0], x})
		e.add(&Store{n - 1, at[0], e.convert(scalar.I32, at[0])})
	})
	return e.f
}

// keyed returns the kernel of an update with keys and the numbers of their points as further buffers.
func (u updater) keyed(name string, role ir.Role) *ir.Kernel {
	k := *u.Kernel
	k.Name += name
	k.Buffers = append(append([]ir.Buffer(nil), k.Buffers...),
		ir.Buffer{Name: "keys", Role: role, Type: u.Key(), Len: ir.Const(u.Points)},
		ir.Buffer{Name: "numbers", Role: role, Type: scalar.I32, Len: ir.Const(u.Points)})
	return &k
}

// none is the key of points that change nothing.
func (u updater) none() uint64 { return ^uint64(0) >> (64 - u.Key().Bits()) }

// last writes the kernel that runs the last point of each key except none. Its buffers are those of the update,
// and sorted keys and the numbers of their points.
func (u updater) last() *Func {
	k := u.keyed("_last", ir.In)
	threads, group := u.threads()
	e := u.emitter(k, threads, group)
	n := len(u.Kernel.Buffers)
	keyAt := func(at Reg) Reg {
		x := e.reg(u.Key())
		e.add(&Load{x, n, at})
		return x
	}
	e.points([]int64{u.Points}, func(at []Reg) {
		mine := keyAt(at[0])
		last := e.copied(e.op(scalar.OpNe, scalar.Bool, mine, e.constant(u.Key(), u.none())))
		next := e.plus(at[0], 1)
		e.when(e.both(last, e.less(next, e.num(u.Points))), func() {
			e.move(last, e.op(scalar.OpNe, scalar.Bool, mine, keyAt(next)))
		})
		e.when(last, func() {
			x := e.reg(scalar.I32)
			e.add(&Load{x, n + 1, at[0]})
			if u.point(e, e.convert(e.ix, x)); group {
				u.change(e)
			} else {
				e.stmts(u.Kernel.Body)
			}
		})
	})
	return e.f
}
