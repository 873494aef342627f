package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

const (
	radix          = schedule.RadixDigits
	radixBits      = schedule.RadixBits
	radixWarps     = radix / warp
	radixCopies    = 8 // copies of the counts of a group, so that additions for equal digits collide less
	payloadsAtOnce = 8
	scanThreads    = 128
	fewGroups      = 16 // groups of a row up to which one thread sums up their counts of a digit
)

type radixer struct {
	*emitter
	r     *schedule.Radix
	wide  scalar.Type // of positions in memory
	shift int
}

func newRadixer(r *schedule.Radix, name string, threads, shift int, buffers ...ir.Buffer) *radixer {
	k := &ir.Kernel{Name: name, Buffers: buffers}
	f := &Func{Name: name, Kernel: k, Threads: threads, Group: true}
	e := &radixer{emitter: newEmitter(f, scalar.I32), r: r, wide: positionType(r.Rows * r.N), shift: shift}
	return e
}

func radixElements(r *schedule.Radix, name string, role ir.Role, t scalar.Type) ir.Buffer {
	return ir.Buffer{Name: name, Role: role, Type: t, Len: ir.Const(r.Rows * r.N)}
}

func radixByGroup(r *schedule.Radix, role ir.Role) ir.Buffer {
	n, _ := r.Counts()
	return ir.Buffer{Name: "counts", Role: role, Type: scalar.I32, Len: ir.Const(n)}
}

func radixByRow(r *schedule.Radix, role ir.Role) ir.Buffer {
	_, n := r.Counts()
	return ir.Buffer{Name: "totals", Role: role, Type: scalar.I32, Len: ir.Const(n)}
}

// far converts a number to the type of positions in memory.
func (e *radixer) far(x Reg) Reg { return e.convert(e.wide, x) }

func (e *radixer) load(buffer int, at Reg) Reg {
	x := e.reg(e.k.Buffers[buffer].Type)
	e.add(&Load{x, buffer, at})
	return x
}

func (e *radixer) digit(x Reg) Reg {
	key := e.inline(e.r.Key, []Reg{x})[0]
	t := e.typeOf(key)
	if e.shift > 0 {
		key = e.op(scalar.OpShr, t, key, e.constant(t, uint64(e.shift)))
	}
	if e.shift+radixBits < t.Bits() {
		key = e.op(scalar.OpAnd, t, key, e.constant(t, radix-1))
	}
	return e.convert(scalar.I32, key)
}

func (e *radixer) each(f func(j int64) Reg) []Reg {
	rs := make([]Reg, e.r.Each())
	for j := range rs {
		rs[j] = f(int64(j))
	}
	return rs
}

// ofTiles emits the loop over the tiles of a group: body takes the number of the tile's
// first element in the row.
func (e *radixer) ofTiles(group Reg, body func(first Reg)) {
	tiles, each, _ := e.r.Tiles()
	from := e.times(group, each)
	to := e.least(e.plus(from, each), e.num(tiles))
	e.loop(from, to, e.num(1), func(t Reg) { body(e.times(t, e.r.Tile())) })
}

// countDigits emits the counts of digits of a group's elements: body calls add for each element, with its digit and whether it
// counts. The result is the number of elements whose digit is the thread's number.
func (e *radixer) countDigits(body func(add func(digit, counted Reg))) Reg {
	counts := e.array(true, scalar.I32, radix*radixCopies)
	zero := e.num(0)
	for c := range int64(radixCopies) {
		e.put(counts, e.plus(e.tid, c*radix), zero)
	}
	e.barrier()
	mine := e.rest(e.tid, radixCopies)
	body(func(digit, counted Reg) {
		at := e.sum(e.times(digit, radixCopies), mine)
		e.when(counted, func() { e.addTo(counts, at, e.num(1)) })
	})
	e.barrier()
	sum := e.num(0)
	for c := range int64(radixCopies) {
		sum = e.sum(sum, e.get(counts, e.plus(e.times(e.tid, radixCopies), c)))
	}
	return sum
}

func radixCount(r *schedule.Radix, shift int) *Func {
	e := newRadixer(r, "sort_count", radix, shift, radixElements(r, "x", ir.In, r.Element), radixByGroup(r, ir.Out))
	_, _, groups := r.Tiles()
	e.points([]int64{r.Rows, groups}, func(at []Reg) {
		row := e.prod(e.far(at[0]), e.far(e.num(r.N)))
		sum := e.countDigits(func(add func(digit, counted Reg)) {
			e.ofTiles(at[1], func(first Reg) {
				i := e.each(func(j int64) Reg { return e.sum(first, e.plus(e.tid, j*radix)) })
				x := e.each(func(j int64) Reg { return e.load(0, e.sum(row, e.far(e.least(i[j], e.num(r.N-1))))) })
				for j := range i {
					add(e.digit(x[j]), e.less(i[j], e.num(r.N)))
				}
			})
		})
		e.add(&Store{1, e.sum(e.times(e.sum(e.times(at[0], radix), e.tid), groups), at[1]), sum})
	})
	return e.f
}

// scan returns the sum of x over the threads before this one. a and b are shared arrays of one
// element a thread. If the number of threads is a power of 4, the last element of `a` is then the sum
// over all threads.
func (e *radixer) scan(x Reg, a, b int) Reg {
	e.put(a, e.tid, x)
	e.barrier()
	for s := int64(1); s < int64(e.f.Threads); s *= 2 {
		sum := e.copied(e.get(a, e.tid))
		e.when(e.op(scalar.OpLe, scalar.Bool, e.num(s), e.tid), func() {
			e.move(sum, e.sum(sum, e.get(a, e.plus(e.tid, -s))))
		})
		e.put(b, e.tid, sum)
		e.barrier()
		a, b = b, a
	}
	return e.diff(e.get(a, e.tid), x)
}

// radixSum writes the kernel that replaces each group's count of a digit by the sum of the counts of the groups before it
// in the row, and stores the row's totals.
func radixSum(r *schedule.Radix) *Func {
	e := newRadixer(r, "sort_sum", scanThreads, 0, radixByGroup(r, ir.InOut), radixByRow(r, ir.Out))
	_, _, groups := r.Tiles()
	if groups <= fewGroups {
		e.f.Group = false
		e.points([]int64{r.Rows, radix}, func(at []Reg) {
			line := e.sum(e.times(at[0], radix), at[1])
			base := e.times(line, groups)
			sum := e.copied(e.num(0))
			e.loop(e.num(0), e.num(groups), e.num(1), func(g Reg) {
				at := e.sum(base, g)
				x := e.load(0, at)
				e.add(&Store{0, at, sum})
				e.move(sum, e.sum(sum, x))
			})
			e.add(&Store{1, line, sum})
		})
		return e.f
	}
	a, b := e.array(true, scalar.I32, scanThreads), e.array(true, scalar.I32, scanThreads)
	e.points([]int64{r.Rows, radix}, func(at []Reg) {
		line := e.sum(e.times(at[0], radix), at[1])
		each := (groups + scanThreads - 1) / scanThreads
		from := e.least(e.times(e.tid, each), e.num(groups))
		to := e.least(e.plus(from, each), e.num(groups))
		base := e.times(line, groups)
		sum := e.copied(e.num(0))
		e.loop(from, to, e.num(1), func(g Reg) { e.move(sum, e.sum(sum, e.load(0, e.sum(base, g)))) })
		before := e.copied(e.scan(sum, a, b))
		e.when(e.same(e.tid, e.num(scanThreads-1)), func() { e.add(&Store{1, line, e.sum(before, sum)}) })
		e.loop(from, to, e.num(1), func(g Reg) {
			at := e.sum(base, g)
			x := e.load(0, at)
			e.add(&Store{0, at, before})
			e.move(before, e.sum(before, x))
		})
	})
	return e.f
}
