package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// mergeRun is the number of neighbouring elements that a thread merges.
const mergeRun = 8

type sorter struct {
	*emitter
	s *schedule.Sort
}

// newSorter begins a kernel from one pair of buffers, of keys and of numbers, to another such pair.
func newSorter(s *schedule.Sort, name string, threads int, group bool) *sorter {
	n := ir.Const(s.Rows * s.N)
	k := &ir.Kernel{Name: name, Buffers: []ir.Buffer{
		{Name: "keys", Role: ir.In, Type: s.Key, Len: n}, {Name: "numbers", Role: ir.In, Type: scalar.I32, Len: n},
		{Name: "sorted", Role: ir.Out, Type: s.Key, Len: n}, {Name: "places", Role: ir.Out, Type: scalar.I32, Len: n},
	}}
	f := &Func{Name: name, Kernel: k, Threads: threads, Group: group}
	return &sorter{newEmitter(f, positionType(s.Rows*s.N)), s}
}

func (e *emitter) points(extents []int64, body func(at []Reg)) {
	sizes := make([]ir.Size, len(extents))
	for i, n := range extents {
		sizes[i] = ir.Const(n)
	}
	e.sized(sizes, body)
}

// sized is points for extents that may be symbols.
func (e *emitter) sized(extents []ir.Size, body func(at []Reg)) {
	e.tid = e.reg(e.ix)
	e.add(&Special{e.tid, Thread, 0})
	group, count := e.reg(e.ix), e.reg(e.ix)
	e.add(&Special{group, GroupIndex, 0})
	e.add(&Special{count, GroupCount, 0})
	e.f.extents = append(e.f.extents, extents...)
	known := int64(1)
	for _, n := range extents {
		if n.IsConst() {
			known *= n.Value
		}
	}
	total := e.num(known)
	for _, n := range extents {
		if !n.IsConst() {
			total = e.prod(total, e.size(n))
		}
	}
	from, step := group, count
	if !e.f.Group {
		from = e.sum(e.times(group, int64(e.f.Threads)), e.tid)
		step = e.times(count, int64(e.f.Threads))
	}
	e.loop(from, total, step, func(i Reg) {
		at := make([]Reg, len(extents))
		for d := len(extents) - 1; d > 0; d-- {
			n := e.size(extents[d])
			at[d] = e.op(scalar.OpRem, e.ix, i, n)
			i = e.op(scalar.OpDiv, e.ix, i, n)
		}
		at[0] = i
		body(at)
		if e.f.Group {
			e.barrier() // the next item uses the same arrays
		}
	})
	e.f.Body = e.out
}

// A pair has functions that read the key and the number of an element.
type pair struct {
	key    func(at Reg) Reg
	number func(at Reg) Reg
}

// runs are two neighbouring sorted runs.
type runs struct {
	pair
	a, b       Reg // where they begin
	lenA, lenB Reg
}

// split returns how many of the first d elements of the merged runs come from the first
// one. Of equal elements those of the first run come first.
func (s *sorter) split(r runs, d Reg) Reg {
	lo := s.copied(s.op(scalar.OpMax, s.ix, s.num(0), s.diff(d, r.lenB)))
	hi := s.copied(s.least(d, r.lenA))
	w := &While{}
	w.Cond = s.block(func() { w.Test = s.less(lo, hi) })
	w.Body = s.block(func() {
		mid := s.over(s.sum(lo, hi), 2)
		x := r.key(s.sum(r.a, mid))
		y := r.key(s.sum(r.b, s.plus(s.diff(d, mid), -1)))
		after := s.less(y, x)
		s.move(hi, s.choose(after, mid, hi))
		s.move(lo, s.choose(after, lo, s.plus(mid, 1)))
	})
	s.add(w)
	return lo
}

// next returns the element that follows i elements of the first run and j of the second,
// and whether it is of the first.
func (s *sorter) next(r runs, i, j Reg) (key, number, first Reg) {
	take := s.copied(s.less(i, r.lenA))
	s.when(s.both(take, s.less(j, r.lenB)), func() {
		y := r.key(s.sum(r.b, j))
		s.move(take, s.op(scalar.OpNot, scalar.Bool, s.less(y, r.key(s.sum(r.a, i)))))
	})
	at := s.choose(take, s.sum(r.a, i), s.sum(r.b, j))
	return r.key(at), r.number(at), take
}

// between returns x clamped to 0 … n.
func (s *sorter) between(x Reg, n Reg) Reg {
	return s.op(scalar.OpMin, s.ix, s.op(scalar.OpMax, s.ix, x, s.num(0)), n)
}

// sortTiles writes the kernel that sorts tiles: buffers keys and numbers, then the results.
func sortTiles(s *schedule.Sort) *Func {
	size := int64(2)
	for size < schedule.SortTile && size < s.N {
		size *= 2
	}
	threads := 256
	if size < 256 {
		threads = 64
	}
	e := newSorter(s, "sort_tiles", threads, true)
	var keys, numbers [2]int
	for i := range keys {
		keys[i], numbers[i] = e.array(true, s.Key, int(size)), e.array(true, scalar.I32, int(size))
	}
	tiles := (s.N + size - 1) / size
	each := func(count Reg, f func(i Reg)) { e.loop(e.tid, count, e.num(int64(threads)), f) }
	e.points([]int64{s.Rows, tiles}, func(at []Reg) {
		first := e.times(at[1], size)
		count := e.least(e.num(size), e.diff(e.num(s.N), first))
		first = e.sum(first, e.times(at[0], s.N))
		each(count, func(i Reg) {
			k, n := e.reg(s.Key), e.reg(scalar.I32)
			e.add(&Load{k, 0, e.sum(first, i)})
			e.add(&Load{n, 1, e.sum(first, i)})
			e.put(keys[0], i, k)
			e.put(numbers[0], i, n)
		})
		from := 0
		for width := int64(1); width < size; width *= 2 {
			e.barrier()
			src := pair{func(at Reg) Reg { return e.get(keys[from], at) }, func(at Reg) Reg { return e.get(numbers[from], at) }}
			each(count, func(i Reg) {
				d := e.rest(i, 2*width)
				r := runs{pair: src, a: e.diff(i, d)}
				r.b = e.plus(r.a, width)
				r.lenA = e.between(e.diff(count, r.a), e.num(width))
				r.lenB = e.between(e.diff(count, r.b), e.num(width))
				n := e.split(r, d)
				k, p, _ := e.next(r, n, e.diff(d, n))
				e.put(keys[1-from], i, k)
				e.put(numbers[1-from], i, p)
			})
			from = 1 - from
		}
		e.barrier()
		each(count, func(i Reg) {
			e.add(&Store{2, e.sum(first, i), e.get(keys[from], i)})
			e.add(&Store{3, e.sum(first, i), e.get(numbers[from], i)})
		})
	})
	return e.f
}

func sortMerge(s *schedule.Sort, width int64) *Func {
	e := newSorter(s, "sort_merge", 128, false)
	load := func(buffer int, t scalar.Type) func(at Reg) Reg {
		return func(at Reg) Reg {
			x := e.reg(t)
			e.add(&Load{x, buffer, at})
			return x
		}
	}
	src := pair{load(0, s.Key), load(1, scalar.I32)}
	e.points([]int64{s.Rows, (s.N + mergeRun - 1) / mergeRun}, func(at []Reg) {
		row := e.times(at[0], s.N)
		i := e.times(at[1], mergeRun)
		end := e.least(e.num(s.N), e.plus(i, mergeRun))
		d := e.copied(e.rest(i, 2*width)) // width is a multiple of mergeRun: the run lies in one pair
		r := runs{pair: src, a: e.diff(i, d)}
		r.lenA = e.between(e.diff(e.num(s.N), r.a), e.num(width))
		r.lenB = e.between(e.diff(e.num(s.N), e.plus(r.a, width)), e.num(width))
		r.a = e.sum(r.a, row)
		r.b = e.plus(r.a, width)
		n := e.copied(e.split(r, d))
		m := e.copied(e.diff(d, n))
		e.loop(i, end, e.num(1), func(to Reg) {
			k, p, first := e.next(r, n, m)
			e.add(&Store{2, e.sum(row, to), k})
			e.add(&Store{3, e.sum(row, to), p})
			e.move(n, e.choose(first, e.plus(n, 1), n))
			e.move(m, e.choose(first, m, e.plus(m, 1)))
		})
	})
	return e.f
}
