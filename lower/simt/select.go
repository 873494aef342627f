package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

type selecter struct {
	*radixer
	s   *schedule.Select
	key scalar.Type
}

func newSelecter(s *schedule.Select, name string, buffers ...ir.Buffer) *selecter {
	r := &schedule.Radix{Element: s.Element, Key: s.Key, Rows: s.Rows, N: s.N}
	return &selecter{newRadixer(r, name, radix, 0, buffers...), s, selectKey(s)}
}

func selectKey(s *schedule.Select) scalar.Type { return s.Key.Code[s.Key.Results[0]].Type }

// The buffers of selections.

func selectElements(s *schedule.Select) ir.Buffer {
	return ir.Buffer{Name: "x", Role: ir.In, Type: s.Element, Len: ir.Const(s.Rows * s.N)}
}

func selectCounts(s *schedule.Select) ir.Buffer {
	return ir.Buffer{Name: "counts", Role: ir.InOut, Type: scalar.I32, Len: ir.Const(s.Rows * radix)}
}

func selectKnown(s *schedule.Select, role ir.Role) ir.Buffer {
	return ir.Buffer{Name: "known", Role: role, Type: selectKey(s), Len: ir.Const(s.Rows)}
}

func selectLeft(s *schedule.Select, role ir.Role) ir.Buffer {
	return ir.Buffer{Name: "left", Role: role, Type: scalar.I32, Len: ir.Const(s.Rows)}
}

func selectSides(s *schedule.Select, role ir.Role) ir.Buffer {
	_, _, groups := s.Tiles()
	return ir.Buffer{Name: "sides", Role: role, Type: scalar.I32, Len: ir.Const(2 * s.Rows * groups)}
}

// bits returns the bits shift, …, above−1 of a key.
func (e *selecter) bits(key Reg, shift, above int) Reg {
	if shift > 0 {
		key = e.op(scalar.OpShr, e.key, key, e.constant(e.key, uint64(shift)))
	}
	if above < e.key.Bits() {
		key = e.op(scalar.OpAnd, e.key, key, e.constant(e.key, 1<<(above-shift)-1))
	}
	return key
}

// rows emits the loop over rows and their groups. base is the position of the row's first element.
func (e *selecter) rows(body func(row, group, base Reg)) *Func {
	_, _, groups := e.s.Tiles()
	e.points([]int64{e.s.Rows, groups}, func(at []Reg) {
		body(at[0], at[1], e.prod(e.far(at[0]), e.far(e.num(e.s.N))))
	})
	return e.f
}

// tiles emits the loop over the tiles of a group: body takes the number of the tile's first element in the row.
func (e *selecter) tiles(group Reg, body func(first Reg)) {
	tiles, each, _ := e.s.Tiles()
	from := e.times(group, each)
	e.loop(from, e.least(e.plus(from, each), e.num(tiles)), e.num(1), func(t Reg) { body(e.times(t, schedule.SelectTile)) })
}

// elements loads four elements of a row, number `from` and those that follow it at distances of `step`, and returns their
// numbers, their keys, and whether they are in the row.
func (e *selecter) elements(base, from Reg, step int64) (i, keys, inside []Reg) {
	for j := range int64(schedule.SelectTile / radix) {
		i = append(i, e.plus(from, j*step))
		keys = append(keys, e.load(0, e.sum(base, e.far(e.least(i[j], e.num(e.s.N-1))))))
	}
	for j := range i {
		keys[j] = e.inline(e.s.Key, []Reg{keys[j]})[0]
		inside = append(inside, e.less(i[j], e.num(e.s.N)))
	}
	return i, keys, inside
}

func selectCount(k *schedule.SelectCount) *Func {
	first := k.Above == k.High
	buffers := []ir.Buffer{selectElements(k.Select)}
	if !first {
		buffers = append(buffers, selectKnown(k.Select, ir.In))
	}
	out := len(buffers)
	e := newSelecter(k.Select, "select_count", append(buffers, selectCounts(k.Select))...)
	return e.rows(func(row, group, base Reg) {
		known := NoReg
		if !first {
			known = e.load(1, e.far(row))
		}
		sum := e.countDigits(func(add func(digit, counted Reg)) {
			e.tiles(group, func(from Reg) {
				_, keys, inside := e.elements(base, e.sum(from, e.tid), radix)
				for j, key := range keys {
					counted := inside[j]
					if !first {
						counted = e.both(counted, e.same(e.bits(key, k.Above, k.High), known))
					}
					add(e.convert(scalar.I32, e.bits(key, k.Shift, k.Above)), counted)
				}
			})
		})
		e.when(e.less(e.num(0), sum), func() { e.add(&AddTo{out, e.far(e.sum(e.times(row, radix), e.tid)), sum}) })
	})
}

// selectDigit writes the kernel that finds a digit of the K-th key.
func selectDigit(k *schedule.SelectDigit) *Func {
	e := newSelecter(k.Select, "select_digit", selectCounts(k.Select), selectKnown(k.Select, ir.InOut), selectLeft(k.Select, ir.InOut))
	a, b, sums := e.array(true, scalar.I32, radix), e.array(true, scalar.I32, radix), e.array(true, scalar.I32, radix)
	e.points([]int64{k.Rows}, func(at []Reg) {
		line := e.far(e.sum(e.times(at[0], radix), e.tid))
		count := e.load(0, line)
		e.put(sums, e.tid, e.sum(e.scan(count, a, b), count))
		e.barrier()
		e.add(&Store{0, line, e.num(0)})
		e.onOne(func() {
			row := e.far(at[0])
			known, left := e.constant(e.key, 0), e.num(k.K)
			if k.Above < k.High {
				known, left = e.load(1, row), e.load(2, row)
			}
			lo, hi := e.copied(e.num(0)), e.copied(e.num(radix-1)) // the first digit up to which there are enough
			w := &While{}
			w.Cond = e.block(func() { w.Test = e.less(lo, hi) })
			w.Body = e.block(func() {
				mid := e.over(e.sum(lo, hi), 2)
				enough := e.op(scalar.OpLe, scalar.Bool, left, e.get(sums, mid))
				e.move(hi, e.choose(enough, mid, hi))
				e.move(lo, e.choose(enough, lo, e.plus(mid, 1)))
			})
			e.add(w)
			before := e.choose(e.less(e.num(0), lo), e.get(sums, e.op(scalar.OpMax, scalar.I32, e.plus(lo, -1), e.num(0))), e.num(0))
			known = e.op(scalar.OpShl, e.key, known, e.constant(e.key, uint64(k.Above-k.Shift)))
			e.add(&Store{1, row, e.op(scalar.OpOr, e.key, known, e.convert(e.key, lo))})
			e.add(&Store{2, row, e.diff(left, before)})
		})
	})
	return e.f
}

// sides returns whether a key is less than the K-th one, and whether it is equal; both are false if `inside` is.
func (e *selecter) sides(key, known, inside Reg) (less, equal Reg) {
	key = e.bits(key, e.s.Low, e.s.High)
	return e.both(inside, e.less(key, known)), e.both(inside, e.same(key, known))
}

// selectCountSides writes the kernel that counts the elements with lesser keys, and with equal ones.
func selectCountSides(k *schedule.SelectSides) *Func {
	e := newSelecter(k.Select, "select_sides", selectElements(k.Select), selectKnown(k.Select, ir.In), selectSides(k.Select, ir.Out))
	_, _, groups := k.Tiles()
	sums := e.array(true, scalar.I32, radix)
	return e.rows(func(row, group, base Reg) {
		known := e.load(1, e.far(row))
		e.put(sums, e.tid, e.num(0))
		less, equal := e.copied(e.num(0)), e.copied(e.num(0))
		e.tiles(group, func(from Reg) {
			_, keys, inside := e.elements(base, e.sum(from, e.tid), radix)
			for j, key := range keys {
				l, q := e.sides(key, known, inside[j])
				e.move(less, e.sum(less, e.convert(scalar.I32, l)))
				e.move(equal, e.sum(equal, e.convert(scalar.I32, q)))
			}
		})
		e.barrier()
		e.addTo(sums, e.num(0), less)
		e.addTo(sums, e.num(1), equal)
		e.barrier()
		e.onOne(func() {
			at := e.far(e.times(e.sum(e.times(row, groups), group), 2))
			e.add(&Store{2, at, e.get(sums, e.num(0))})
			e.add(&Store{2, e.plusFar(at, 1), e.get(sums, e.num(1))})
		})
	})
}

// plusFar returns x + n, where x is a position in memory.
func (e *selecter) plusFar(x Reg, n int64) Reg { return e.sum(x, e.intOf(e.wide, n)) }

// selectPlace writes the kernel that writes the elements that are taken: first those with lesser keys, then enough with
// equal ones.
func selectPlace(k *schedule.SelectPlace) *Func {
	taken := ir.Const(k.Rows * k.K)
	e := newSelecter(k.Select, "select_place", selectElements(k.Select), selectKnown(k.Select, ir.In), selectLeft(k.Select, ir.In), selectSides(k.Select, ir.In),
		ir.Buffer{Name: "keys", Role: ir.Out, Type: selectKey(k.Select), Len: taken}, ir.Buffer{Name: "numbers", Role: ir.Out, Type: scalar.I32, Len: taken})
	_, _, groups := k.Tiles()
	const above = 1 << 16 // two counts of a tile in a register
	sums, a, b := e.array(true, scalar.I32, radix), e.array(true, scalar.I32, radix), e.array(true, scalar.I32, radix)
	return e.rows(func(row, group, base Reg) {
		known := e.load(1, e.far(row))
		first := e.times(row, groups)
		both := func(g Reg) (less, equal Reg) {
			at := e.far(e.times(e.sum(first, g), 2))
			return e.load(3, at), e.load(3, e.plusFar(at, 1))
		}
		e.put(sums, e.tid, e.num(0))
		less, equal := e.copied(e.num(0)), e.copied(e.num(0))
		e.loop(e.tid, group, e.num(radix), func(g Reg) {
			l, q := both(g)
			e.move(less, e.sum(less, l))
			e.move(equal, e.sum(equal, q))
		})
		e.barrier()
		e.addTo(sums, e.num(0), less)
		e.addTo(sums, e.num(1), equal)
		e.barrier()
		// The places of the next element with a lesser key, and with an equal one.
		e.move(less, e.get(sums, e.num(0)))
		e.move(equal, e.sum(e.get(sums, e.num(1)), e.diff(e.num(k.K), e.load(2, e.far(row)))))
		l, q := both(group)
		some := e.less(e.num(0), l)
		some = e.op(scalar.OpOr, scalar.Bool, some, e.both(e.less(e.num(0), q), e.less(equal, e.num(k.K))))
		to := e.prod(e.far(row), e.far(e.num(k.K)))
		e.when(some, func() {
			e.tiles(group, func(from Reg) {
				i, keys, inside := e.elements(base, e.sum(from, e.times(e.tid, schedule.SelectTile/radix)), 1)
				ls, qs := make([]Reg, len(i)), make([]Reg, len(i))
				count := e.num(0)
				for j := range i {
					ls[j], qs[j] = e.sides(keys[j], known, inside[j])
					count = e.sum(count, e.sum(e.convert(scalar.I32, ls[j]), e.times(e.convert(scalar.I32, qs[j]), above)))
				}
				before := e.scan(count, a, b)
				total := e.get(a, e.num(radix-1))
				nextLess, nextEqual := e.copied(e.sum(less, e.rest(before, above))), e.copied(e.sum(equal, e.over(before, above)))
				put := func(taken, next, key, i Reg) {
					e.when(taken, func() {
						e.add(&Store{4, e.sum(to, e.far(next)), key})
						e.add(&Store{5, e.sum(to, e.far(next)), i})
						e.move(next, e.plus(next, 1))
					})
				}
				for j := range i {
					put(ls[j], nextLess, keys[j], i[j])
					put(e.both(qs[j], e.less(nextEqual, e.num(k.K))), nextEqual, keys[j], i[j])
				}
				e.move(less, e.sum(less, e.rest(total, above)))
				e.move(equal, e.sum(equal, e.over(total, above)))
				e.barrier() // the next tile uses the same arrays
			})
		})
	})
}
