package simt

import (
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Product is the dense product C[b, m, n] = Σ A[b, m, k]·B[b, k, n]. Every sum is made
// of chains of fma over Chunk elements, added from the left to +0.
type Product struct {
	Name    string
	Type    scalar.Type
	Chunk   int // a multiple of 16
	M, N, K int // at least 1
	Batch   []BatchAxis
	A, B    Operand
	Lens    [3]int64 // of A, B and C, in elements
}

// BatchAxis is a batch axis with the strides of A and B; those of C follow.
type BatchAxis struct{ N, A, B int }

// Operand is where an operand's elements are: the first one, and the strides from row to
// row (A) or column to column (B) and along k.
type Operand struct{ Offset, Outer, K int }

// side is the number of threads along each side of a tile; depth the number of k that a
// tile holds.
const (
	side  = 16
	depth = 16
)

// perThread returns how many rows, or columns, of n a thread has.
func perThread(n int) int {
	switch {
	case n <= side:
		return 1
	case n <= 2*side:
		return 2
	}
	return 4
}

// tile is a product or a convolution that is being emitted. A group computes a tile of
// C: thread (x, y) has its rows y, y+16, … and its columns x, x+16, ….
type tile struct {
	*emitter
	kind       scalar.Type
	chunk      int
	m, n, k    int
	rows, cols int // of a thread
	row, col   Reg // of the tile
	a, b       int // arrays: depth × rows, depth × columns
	valid      int // array of bool like a: the elements that count; −1: all do
	x, y       Reg
}

// LowerProduct writes a product as the program of a thread. Its buffers are A, B and C.
func LowerProduct(p *Product) *Func {
	k := &ir.Kernel{Name: p.Name, Buffers: []ir.Buffer{
		{Name: "a", Role: ir.In, Type: p.Type, Len: ir.Const(p.Lens[0])},
		{Name: "b", Role: ir.In, Type: p.Type, Len: ir.Const(p.Lens[1])},
		{Name: "c", Role: ir.Out, Type: p.Type, Len: ir.Const(p.Lens[2])},
	}}
	f := &Func{Name: p.Name, Kernel: k, Group: true, Threads: side * side}
	t := newTile(f, p.Type, p.Chunk, p.M, p.N, p.K, p.Lens)
	for _, b := range p.Batch {
		f.extents = append(f.extents, ir.Const(int64(b.N)))
	}
	t.tiles(func(batch Reg) {
		atA, atB := t.num(int64(p.A.Offset)), t.num(int64(p.B.Offset))
		i := batch
		for d := len(p.Batch) - 1; d >= 0; d-- {
			var r Reg
			i, r = t.split(i, p.Batch[d].N)
			atA = t.sum(atA, t.times(r, int64(p.Batch[d].A)))
			atB = t.sum(atB, t.times(r, int64(p.Batch[d].B)))
		}
		total := t.compute(func(k Reg) {
			t.fetch(0, t.a, atA, p.A, t.row, p.M, t.rows, k)
			t.fetch(1, t.b, atB, p.B, t.col, p.N, t.cols, k)
		})
		t.write(t.times(batch, int64(p.M)*int64(p.N)), int64(p.N), total)
	})
	f.Body = t.out
	return f
}

// newTile begins the program of a product of m×k and k×n elements.
func newTile(f *Func, kind scalar.Type, chunk, m, n, k int, lens [3]int64) *tile {
	ix := scalar.I32
	for _, l := range lens {
		if l >= 1<<30 {
			ix = scalar.I64
		}
	}
	e := &emitter{f: f, k: f.Kernel, ix: ix, shared: map[scalar.Type][]int{}}
	t := &tile{emitter: e, kind: kind, chunk: chunk, m: m, n: n, k: k, rows: perThread(m), cols: perThread(n), valid: -1}
	t.a, t.b = e.array(true, kind, depth*side*t.rows), e.array(true, kind, depth*side*t.cols)
	return t
}

// tiles emits the loop over the tiles of the launch. The items of the function are those
// that it has already, the batch, and the tiles of each.
func (t *tile) tiles(compute func(batch Reg)) {
	tilesM := (t.m + side*t.rows - 1) / (side * t.rows)
	tilesN := (t.n + side*t.cols - 1) / (side * t.cols)
	t.f.extents = append(t.f.extents, ir.Const(int64(tilesM)), ir.Const(int64(tilesN)))
	t.tid = t.reg(t.ix)
	t.add(&Special{t.tid, Thread, 0})
	group, count := t.reg(t.ix), t.reg(t.ix)
	t.add(&Special{group, GroupIndex, 0})
	t.add(&Special{count, GroupCount, 0})
	t.x, t.y = t.rest(t.tid, side), t.over(t.tid, side)
	t.loop(group, t.num(t.f.Items(nil)), count, func(i Reg) {
		i, t.col = t.split(i, tilesN)
		batch, row := t.split(i, tilesM)
		t.row, t.col = t.times(row, int64(side*t.rows)), t.times(t.col, int64(side*t.cols))
		compute(batch)
		t.barrier()
	})
}

// split returns i/n and i mod n.
func (t *tile) split(i Reg, n int) (q, r Reg) {
	if n == 1 {
		return i, t.num(0)
	}
	m := t.num(int64(n))
	return t.op(scalar.OpDiv, t.ix, i, m), t.op(scalar.OpRem, t.ix, i, m)
}

// compute emits the sums of a tile. fetch brings depth elements of its rows and columns
// from k on to the arrays.
func (t *tile) compute(fetch func(k Reg)) []Reg {
	zero := t.constant(t.kind, 0)
	acc, total := make([]Reg, t.rows*t.cols), make([]Reg, t.rows*t.cols)
	for j := range acc {
		acc[j], total[j] = t.copied(zero), t.copied(zero)
	}
	flush := func() {
		for j := range acc {
			t.move(total[j], t.sum(total[j], acc[j]))
			t.move(acc[j], zero)
		}
	}
	n := t.num(int64(t.k))
	t.loop(t.num(0), n, t.num(depth), func(k Reg) {
		if t.k > t.chunk {
			begins := t.same(t.op(scalar.OpRem, t.ix, k, t.num(int64(t.chunk))), t.num(0))
			t.when(t.both(begins, t.less(t.num(0), k)), flush)
		}
		t.barrier()
		fetch(k)
		t.barrier()
		t.loop(t.num(0), t.least(t.num(depth), t.diff(n, k)), t.num(1), func(q Reg) { t.multiply(q, acc) })
	})
	flush()
	return total
}

// fetch copies depth × (side·per) elements of an operand from k on to an array.
// Neighbouring threads read neighbours in memory.
func (t *tile) fetch(buffer, array int, at0 Reg, o Operand, first Reg, n, per int, k Reg) {
	width := int64(side * per)
	for j := range per {
		i := t.plus(t.tid, int64(j*side*side))
		var line, q Reg
		if o.K == 1 {
			line, q = t.over(i, depth), t.rest(i, depth)
		} else {
			line, q = t.rest(i, width), t.over(i, width)
		}
		at := t.sum(first, line)
		deep := t.sum(k, q)
		inside := t.both(t.less(at, t.num(int64(n))), t.less(deep, t.num(int64(t.k))))
		x := t.copied(t.constant(t.kind, 0))
		t.when(inside, func() {
			place := t.sum(at0, t.sum(t.times(at, int64(o.Outer)), t.times(deep, int64(o.K))))
			t.add(&Load{x, buffer, place})
		})
		t.put(array, t.sum(t.times(q, width), line), x)
	}
}

// multiply adds the products at depth q.
func (t *tile) multiply(q Reg, acc []Reg) {
	as, bs := make([]Reg, t.rows), make([]Reg, t.cols)
	rowAt := t.sum(t.times(q, int64(side*t.rows)), t.y)
	for r := range as {
		as[r] = t.get(t.a, t.plus(rowAt, int64(r*side)))
	}
	colAt := t.sum(t.times(q, int64(side*t.cols)), t.x)
	for c := range bs {
		bs[c] = t.get(t.b, t.plus(colAt, int64(c*side)))
	}
	for r := range as {
		products := func() {
			for c := range bs {
				j := r*t.cols + c
				if t.kind.IsFloat() {
					t.move(acc[j], t.op(scalar.OpFMA, t.kind, as[r], bs[c], acc[j]))
				} else {
					t.move(acc[j], t.sum(acc[j], t.prod(as[r], bs[c])))
				}
			}
		}
		if t.valid < 0 {
			products()
			continue
		}
		t.when(t.get(t.valid, t.plus(rowAt, int64(r*side))), products)
	}
}

// write stores what of the tile lies in C, whose element in row 0 and column 0 is at start
// and whose rows are step apart.
func (t *tile) write(start Reg, step int64, total []Reg) {
	for r := range t.rows {
		row := t.plus(t.sum(t.row, t.y), int64(r*side))
		t.when(t.less(row, t.num(int64(t.m))), func() {
			at := t.sum(start, t.times(row, step))
			for c := range t.cols {
				col := t.plus(t.sum(t.col, t.x), int64(c*side))
				t.when(t.less(col, t.num(int64(t.n))), func() {
					x := total[r*t.cols+c]
					if t.kind.IsFloat() {
						x = t.op(scalar.OpCanon, t.kind, x)
					}
					t.add(&Store{2, t.sum(at, col), x})
				})
			}
		})
	}
}
