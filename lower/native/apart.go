package native

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Where each lane accesses an element of its own short row, the elements of neighbouring lanes are a row's
// length apart. The rows of all lanes are then read as whole vectors, whose elements are sorted by their
// position in the row; a store of whole rows is the reverse.

// mostApart is the greatest length of a row, in elements, for which this pays.
const mostApart = 8

// A column describes an access to the rows of all lanes: to the element at position `at` of each row, which has n elements.
type column struct {
	n, at int64
	terms []term // the address of the first lane's row, in bytes
	konst int64
}

// columnOf returns the column that an access reads or writes. It reports false if there is none, if the rows
// do not fill the buffer, or if the target does not permute such elements.
func (g *Gen) columnOf(a *ir.Access) (c column, ok bool) {
	b := &g.k.Buffers[a.Buffer]
	if g.Lanes.One() || !b.Len.IsConst() || !a.Offset.IsConst() {
		return c, false
	}
	size := int64(b.Type.Size())
	lin := linear{konst: a.Offset.Value * size}
	for i := range a.Coords {
		x := &a.Coords[i]
		if x.Mode != ir.Proved || !x.Stride.IsConst() || !x.Base.IsConst() {
			return c, false
		}
		lin.affine(x.Base, x.Terms, coef{c: size * x.Stride.Value})
	}
	apart := int64(0)
	for _, t := range lin.terms {
		if !t.coef.isConst() {
			return c, false
		}
		if t.axis == g.vecAxis {
			apart = t.coef.c
		}
	}
	n := apart / size
	if n < 2 || n > mostApart || b.Len.Value%n != 0 || !g.permutes(int(size)) || g.Lanes.Mask != nil && g.Lanes.left == 0 {
		return c, false
	}
	for _, t := range lin.terms {
		if t.coef.c%apart != 0 {
			return c, false
		}
	}
	c = column{n: n, terms: lin.terms}
	c.at = lin.konst / size % n
	c.konst = lin.konst - c.at*size
	return c, c.konst >= 0 && int64(int32(c.konst)) == c.konst
}

// place returns where the first lane's row begins.
func (c *column) place(g *Gen, buffer int) Place {
	base, _, _ := g.sum(buffer, c.terms, false)
	return Place{base: base, disp: int32(c.konst)}
}

// wholeRows runs f with n times as many copies, which cover the rows of n elements of all lanes.
func (g *Gen) wholeRows(n int, f func()) {
	all := lanes{N: g.Lanes.N, U: n * g.Lanes.U}
	if g.Lanes.Mask != nil {
		left := g.gMulConst(g.Lanes.left, int64(n))
		zero := g.GConst(0)
		for i := range all.U {
			all.Mask = append(all.Mask, g.Target.(MaskTarget).FirstLanes(g.gMax(g.gAddConst(left, -int64(i*all.N)), zero), 0, int64(all.N)))
		}
	}
	cx := g.Lanes
	g.Lanes = &all
	f()
	g.Lanes = cx
}

type rowsKey struct {
	base  VReg
	disp  int32
	n     int64
	size  int
	lanes int
	mask  VReg
}

// loadColumn reads a column. Where n is even, the vectors that it reads are kept for other columns,
// which share permutations, unless the kernel writes the buffer. Where n is odd, other columns read
// them again: as operands in memory they take no registers.
func (g *Gen) loadColumn(t scalar.Type, buffer int, c *column) Value {
	size, n := t.Size(), int(c.n)
	g.present = c.place(g, buffer)
	p := &g.present
	key := rowsKey{base: p.base, disp: p.disp, n: c.n, size: size, lanes: g.Lanes.N * g.Lanes.U}
	if g.Lanes.Mask != nil {
		key.mask = g.Lanes.Mask[0]
	}
	s := g.top()
	rows, ok := s.rows[key]
	if !ok {
		g.wholeRows(n, func() { rows = g.LoadRun(t, p).R })
		if n%2 == 0 && g.k.Buffers[buffer].Role == ir.In {
			if s.rows == nil {
				s.rows = map[rowsKey][]VReg{}
			}
			s.rows[key] = rows
		}
	}
	v := g.NewValue(t)
	for i := 0; i < len(rows); i += n {
		v.R = append(v.R, g.pickColumn(size, rows[i:i+n], int(c.at)))
	}
	return v
}

// pickColumn returns a register with element `at` of each row in rs.
func (g *Gen) pickColumn(size int, rs []VReg, at int) VReg {
	for len(rs)%2 == 0 { // the even or the odd elements first
		half := make([]VReg, len(rs)/2)
		for i := range half {
			half[i] = g.everyOther(size, rs[2*i], rs[2*i+1], at%2)
		}
		rs, at = half, at/2
	}
	n, per := len(rs), g.PerPart(size)
	if n == 1 {
		return rs[0]
	}
	// n is odd: each element of the column has another place in its register.
	source, from := make([]int, per), make([]int, per)
	for l := range per {
		e := n*l + at
		source[e%per], from[l] = e/per, e%per
	}
	return g.permuted(size, g.blended(size, rs, source), from)
}

func (g *Gen) everyOther(size int, a, b VReg, odd int) VReg {
	per := g.PerPart(size)
	half := per / 2
	first, second, upper, swap := make([]int, per), make([]int, per), make([]int, per), make([]int, per)
	for i := range half {
		first[i], first[half+i] = 2*i, 2*i+1
		second[i], second[half+i] = 2*i+1, 2*i
		upper[half+i] = 1
		swap[i], swap[half+i] = half+i, i
	}
	a, b = g.permuted(size, a, first), g.permuted(size, b, second)
	if odd == 0 {
		return g.blended(size, []VReg{a, b}, upper)
	}
	return g.permuted(size, g.blended(size, []VReg{b, a}, upper), swap)
}

// joinColumns is the reverse of pickColumn for all columns.
func (g *Gen) joinColumns(size int, cols []VReg) []VReg {
	n, per := len(cols), g.PerPart(size)
	switch {
	case n == 1:
		return cols
	case n%2 == 0:
		var even, odd []VReg
		for i := 0; i < n; i += 2 {
			even, odd = append(even, cols[i]), append(odd, cols[i+1])
		}
		even, odd = g.joinColumns(size, even), g.joinColumns(size, odd)
		var out []VReg
		for i := range even {
			out = append(out, g.alternate(size, even[i], odd[i])...)
		}
		return out
	}
	moved, out := make([]VReg, n), make([]VReg, n)
	to := make([]int, per)
	for at, r := range cols {
		for l := range per {
			to[(n*l+at)%per] = l
		}
		moved[at] = g.permuted(size, r, to)
	}
	for i := range out {
		source := make([]int, per)
		for j := range source {
			source[j] = (i*per + j) % n
		}
		out[i] = g.blended(size, moved, source)
	}
	return out
}

func (g *Gen) alternate(size int, a, b VReg) []VReg {
	per := g.PerPart(size)
	half := per / 2
	first, second, odds, swap := make([]int, per), make([]int, per), make([]int, per), make([]int, per)
	for i := range half {
		first[2*i], first[2*i+1] = i, half+i
		second[2*i], second[2*i+1] = half+i, i
		odds[2*i+1] = 1
		swap[2*i], swap[2*i+1] = 2*i+1, 2*i
	}
	a, b = g.permuted(size, a, first), g.permuted(size, b, second)
	high := g.blended(size, []VReg{b, a}, odds)
	return []VReg{g.blended(size, []VReg{a, b}, odds), g.permuted(size, high, swap)}
}

type permutedKey struct {
	x    VReg
	from string
}

// permuted returns a register whose element i is element from[i] of x. It writes each permutation once in a
// scope.
func (g *Gen) permuted(size int, x VReg, from []int) VReg {
	if slices.IsSorted(from) { // a permutation in order changes nothing
		return x
	}
	b := make([]byte, len(from))
	for i, f := range from {
		b[i] = byte(f)
	}
	key := permutedKey{x, string(b)}
	s := g.top()
	r, ok := s.permuted[key]
	if !ok {
		r = g.Target.(Permuter).Permute(size, x, b)
		if s.permuted == nil {
			s.permuted = map[permutedKey]VReg{}
		}
		s.permuted[key] = r
	}
	return r
}

// permutes reports whether the target moves elements of a size within vectors.
func (g *Gen) permutes(size int) bool {
	p, ok := g.Target.(Permuter)
	return ok && p.Permutes(size)
}

// blended returns a register whose element i is that of rs[source[i]].
func (g *Gen) blended(size int, rs []VReg, source []int) VReg {
	r := rs[source[0]]
	for k := range rs {
		second := make([]bool, len(source))
		for i, s := range source {
			second[i] = s == k
		}
		if k != source[0] && slices.Contains(second, true) {
			r = g.Target.(Permuter).Blend(size, r, rs[k], second)
		}
	}
	return r
}

// stores writes the stores at the head of a block and returns their number. Stores that fill whole rows are
// written together.
func (g *Gen) stores(b ir.Block) int {
	n := 0
	for n < len(b) && isStore(b[n]) {
		n++
	}
	done := make([]bool, n)
	for i := range n {
		if done[i] {
			continue
		}
		s := b[i].(*ir.Store)
		if rows := g.wholeRow(b[:n], i); rows != nil {
			g.storeRows(s.At.Buffer, rows, b)
			for _, j := range rows.from {
				done[j] = true
			}
			continue
		}
		g.storeTo(s)
	}
	return n
}

// rowStores are stores of all columns of rows.
type rowStores struct {
	column
	from []int // by column: the index of its store
}

// wholeRow returns the stores of all columns of a row, the first of which is store i. It returns nil unless they
// are found before any other store to the buffer.
func (g *Gen) wholeRow(b ir.Block, i int) *rowStores {
	s := b[i].(*ir.Store)
	c, ok := g.columnOf(&s.At)
	if !ok {
		return nil
	}
	r := &rowStores{column: c, from: slices.Repeat([]int{-1}, int(c.n))}
	r.from[c.at] = i
	found := 1
	for j := i + 1; j < len(b); j++ {
		o := b[j].(*ir.Store)
		if o.At.Buffer != s.At.Buffer {
			continue
		}
		d, ok := g.columnOf(&o.At)
		if !ok || d.n != c.n || d.konst != c.konst || !slices.Equal(d.terms, c.terms) || r.from[d.at] >= 0 {
			return nil
		}
		r.from[d.at] = j
		if found++; found == int(c.n) {
			return r
		}
	}
	return nil
}

// storeRows joins the columns into vectors that contain whole rows, and stores these.
func (g *Gen) storeRows(buffer int, rows *rowStores, b ir.Block) {
	cols := make([]Value, rows.n)
	for i, from := range rows.from {
		s := b[from].(*ir.Store)
		if g.listing {
			g.comment("store %s, %%%d", g.k.Buffers[buffer].Name, s.Value)
		}
		cols[i] = g.get(s.Value)
		if cols[i].T == scalar.Bool {
			cols[i] = g.BoolToInt(scalar.U8, cols[i])
		}
	}
	v := Value{T: cols[0].T}
	size := v.T.Size()
	for i := range cols[0].R {
		var part []VReg
		for _, c := range cols {
			part = append(part, c.R[i])
		}
		v.R = append(v.R, g.joinColumns(size, part)...)
	}
	g.present = rows.place(g, buffer)
	g.wholeRows(len(cols), func() {
		if !g.StoreRun(v, &g.present) {
			panic("BUG: no instruction for a store of whole vectors")
		}
	})
}
