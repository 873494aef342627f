package simt

import (
	"slices"

	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// tile is a product or a convolution that is being emitted. A group computes a tile of C.
// Thread (x, y) of a slice takes every Y-th vector of neighbouring rows from the y-th on,
// and every X-th vector of columns from the x-th on.
type tile struct {
	*emitter
	schedule.Tiling
	kind         scalar.Type
	chunk        int
	m, n, k      int
	vec          int // elements in 16 bytes
	a, b         shelf
	row, col     Reg // of the tile
	y, x         Reg
	sliced, lane Reg // number of the slice and of the thread in it
	board        int // array: results of all slices but the first
	parts        int // chains of every sum that are computed side by side; 0: whole sums are computed
	part         Reg // the chain that an item computes
}

// newTile begins the program of a product of m×k and k×n elements; deep reports for A and B
// whether neighbours along k are neighbours in memory.
func newTile(name string, l schedule.Tiling, kind scalar.Type, chunk, m, n, k int, lens [3]int64, deep [2]bool) *tile {
	kernel := &ir.Kernel{Name: name, Buffers: []ir.Buffer{
		{Name: "a", Role: ir.In, Type: kind, Len: ir.Const(lens[0])},
		{Name: "b", Role: ir.In, Type: kind, Len: ir.Const(lens[1])},
		{Name: "c", Role: ir.Out, Type: kind, Len: ir.Const(lens[2])},
	}}
	f := &Func{Name: name, Kernel: kernel, Group: true, Threads: l.Slice() * l.Slices}
	t := &tile{emitter: newEmitter(f, positionType(lens[:]...)), Tiling: l, kind: kind, chunk: chunk, m: m, n: n, k: k, vec: 16 / kind.Size()}
	t.a = t.shelf(0, m, l.Height(), l.Rows, deep[0] && l.Rows == 1)
	// Deep only for one column: columns that are not neighbours would make C's stores narrow.
	t.b = t.shelf(1, n, l.Width(), l.Cols, deep[1] && l.Cols == 1)
	if l.Slices > 1 {
		t.board = t.array(true, kind, (l.Slices-1)*l.Slice()*l.Rows*l.Cols)
	}
	return t
}

// panel is the number of rows of tiles that are computed column by column, so that tiles that run
// at once share operands.
const panel = 8

// tiles emits the loop over the tiles of the launch. The items of the function are the tiles of
// each batch, once for each of its parts if there are any; the function's extents already have the batches.
func (t *tile) tiles(compute func(batch Reg)) {
	down, across := (t.m+t.Height()-1)/t.Height(), (t.n+t.Width()-1)/t.Width()
	if t.parts > 0 {
		t.f.Kernel.Symbols = []string{"first"}
		t.f.extents = append(t.f.extents, ir.Const(int64(t.parts)))
	}
	t.f.extents = append(t.f.extents, ir.Const(int64(down)), ir.Const(int64(across)))
	group, count := t.launched()
	t.threads()
	t.loop(group, t.num(t.f.Items(nil)), count, func(i Reg) {
		batch, i := t.quotient(i, int64(down*across))
		if t.parts > 0 {
			first := t.reg(t.ix)
			t.add(&Special{first, Symbol, 0})
			t.part = t.sum(first, t.op(scalar.OpRem, t.ix, batch, t.num(int64(t.parts))))
		}
		row, col := i, t.num(0)
		switch {
		case across == 1:
		case down <= panel:
			col, row = t.quotient(i, int64(down))
		case down%panel == 0:
			p, j := t.quotient(i, int64(panel*across))
			var in Reg
			col, in = t.quotient(j, panel)
			row = t.sum(t.times(p, panel), in)
		default:
			p, j := t.quotient(i, int64(panel*across))
			first := t.times(p, panel)
			high := t.least(t.num(panel), t.diff(t.num(int64(down)), first))
			col = t.op(scalar.OpDiv, t.ix, j, high)
			row = t.sum(first, t.diff(j, t.prod(col, high)))
		}
		t.row, t.col = t.times(row, int64(t.Height())), t.times(col, int64(t.Width()))
		compute(batch)
		t.barrier()
	})
}

func (t *tile) batch(item Reg) Reg {
	if t.parts == 0 {
		return item
	}
	return t.op(scalar.OpDiv, t.ix, item, t.num(int64(t.parts)))
}

// threads emits the coordinates of a thread. Where a warp has 8×4 threads, the lowest bit
// of a thread's number belongs to x, the next three to y: the accesses of neighbours to
// shared memory then need half as many cycles.
func (t *tile) threads() {
	t.lane, t.sliced = t.tid, t.num(0)
	if t.Slices > 1 {
		t.lane, t.sliced = t.rest(t.tid, int64(t.Slice())), t.over(t.tid, int64(t.Slice()))
	}
	if t.X < 4 || t.Y < 8 {
		t.x, t.y = t.rest(t.lane, int64(t.X)), t.over(t.lane, int64(t.X))
		return
	}
	bit := func(from, to, n int64) Reg { return t.times(t.rest(t.over(t.lane, from), n), to) }
	t.x = t.sum(bit(1, 1, 2), bit(16, 2, 2))
	t.y = bit(2, 1, 8)
	warp := t.over(t.lane, 32)
	across := int64(t.X / 4)
	t.x = t.sum(t.x, t.times(t.rest(warp, across), 4))
	t.y = t.sum(t.y, t.times(t.over(warp, across), 8))
}

// compute emits the sums of a tile. fetch emits the copies of Depth elements of its rows and
// columns, from k on, to the given stage of the arrays.
func (t *tile) compute(fetch func(k, stage Reg)) []Reg {
	zero := t.constant(t.kind, 0)
	acc, total := make([]Reg, t.Rows*t.Cols), make([]Reg, t.Rows*t.Cols)
	for j := range acc {
		acc[j] = t.copied(zero)
		total[j] = t.copied(zero)
	}
	steps := t.steps()
	per := t.chunk / t.Depth // steps of a chain
	bring := func(step Reg) {
		fetch(t.at(step), t.rest(step, int64(t.Stages)))
	}
	ahead := t.Stages - 1
	for s := range ahead {
		if s < steps {
			bring(t.num(int64(s)))
		}
		t.add(&Commit{})
	}
	one := func(step Reg) {
		t.add(&Await{t.Stages - 2})
		t.barrier()
		next := t.plus(step, int64(ahead))
		t.when(t.less(next, t.num(int64(steps))), func() { bring(next) })
		t.add(&Commit{})
		t.multiply(t.rest(step, int64(t.Stages)), acc)
	}
	if steps <= per {
		t.loop(t.num(0), t.num(int64(steps)), t.num(1), one)
		t.flush(acc, total, zero)
		return total
	}
	t.loop(t.num(0), t.num(int64(steps)), t.num(int64(per)), func(first Reg) {
		last := t.plus(first, int64(per))
		if steps%per != 0 {
			last = t.least(last, t.num(int64(steps)))
		}
		t.loop(first, last, t.num(1), one)
		t.flush(acc, total, zero)
	})
	return total
}

// steps returns the number of times that a slice takes Depth elements.
func (t *tile) steps() int {
	if t.parts > 0 {
		return t.chunk / t.Depth
	}
	round := t.chunk * t.Slices
	rest := min(t.k%round, t.chunk)
	return t.k/round*(t.chunk/t.Depth) + (rest+t.Depth-1)/t.Depth
}

// at returns the first k of a step of the thread's slice.
func (t *tile) at(step Reg) Reg {
	if t.parts > 0 {
		return t.sum(t.times(t.part, int64(t.chunk)), t.times(step, int64(t.Depth)))
	}
	if t.Slices == 1 {
		return t.times(step, int64(t.Depth))
	}
	per := int64(t.chunk / t.Depth)
	round := t.times(t.over(step, per), int64(t.chunk*t.Slices))
	return t.sum(t.sum(round, t.times(t.sliced, int64(t.chunk))), t.times(t.rest(step, per), int64(t.Depth)))
}

// flush adds the chains of all slices to the totals, which the threads of the first slice hold.
func (t *tile) flush(acc, total []Reg, zero Reg) {
	add := func() {
		for j := range acc {
			t.move(total[j], t.sum(total[j], acc[j]))
		}
	}
	clear := func() {
		for j := range acc {
			t.move(acc[j], zero)
		}
	}
	if t.Slices == 1 {
		add()
		clear()
		return
	}
	first := t.same(t.sliced, t.num(0))
	n := int64(t.Slice())
	size := n * int64(len(acc))
	mine := t.sum(t.times(t.plus(t.sliced, -1), size), t.lane)
	t.add(&If{Cond: first, Then: t.block(add), Else: t.block(func() {
		for j := range acc {
			t.put(t.board, t.plus(mine, int64(j)*n), acc[j])
		}
	})})
	t.barrier()
	t.when(first, func() {
		for s := range int64(t.Slices - 1) {
			for j := range acc {
				t.move(total[j], t.sum(total[j], t.get(t.board, t.plus(t.lane, s*size+int64(j)*n))))
			}
		}
	})
	clear()
}

// multiply adds the products of a stage. Elements are read one depth ahead.
func (t *tile) multiply(stage Reg, acc []Reg) {
	a, b := t.reader(&t.a, stage, t.y, t.Y), t.reader(&t.b, stage, t.x, t.X)
	as, bs := a.read(0), b.read(0)
	for q := range t.Depth {
		var nextA, nextB []Reg
		if q+1 < t.Depth {
			nextA, nextB = a.read(q+1), b.read(q+1)
		}
		for r := range as {
			for c := range bs {
				j := r*t.Cols + c
				if t.kind.IsFloat() {
					t.add(&Op{acc[j], scalar.Inst{Op: scalar.OpFMA, Type: t.kind, Args: [3]Reg{as[r], bs[c], acc[j]}}})
				} else {
					t.move(acc[j], t.sum(acc[j], t.prod(as[r], bs[c])))
				}
			}
		}
		as, bs = nextA, nextB
	}
}

// write stores the part of the tile that lies in C, whose element in row 0 and column 0 is at
// `start` and whose rows are `step` apart.
func (t *tile) write(start Reg, step int64, total []Reg) {
	store := func() {
		for r := range t.Rows {
			row := t.plus(t.sum(t.row, t.times(t.y, int64(t.a.vec))), int64(t.a.line(r, t.Y)))
			t.within(&t.a, row, func() { t.writeRow(t.sum(start, t.times(row, step)), step, total[r*t.Cols:(r+1)*t.Cols]) })
		}
	}
	if t.Slices == 1 {
		store()
		return
	}
	t.when(t.same(t.sliced, t.num(0)), store)
}

// within emits the code of f, which runs only if the operand has the line.
func (t *tile) within(s *shelf, line Reg, f func()) {
	if s.all%s.lines == 0 {
		f()
		return
	}
	t.when(t.less(line, t.num(int64(s.all))), f)
}

// writeRow stores the results of a row, whose element in column 0 is at `start`.
func (t *tile) writeRow(start Reg, step int64, results []Reg) {
	results = slices.Clone(results)
	for c := range results {
		if t.kind.IsFloat() {
			results[c] = t.op(scalar.OpCanon, t.kind, results[c])
		}
	}
	vec := t.b.vec
	first := t.sum(t.col, t.times(t.x, int64(vec)))
	whole := vec > 1 && t.n%vec == 0 && step%int64(vec) == 0 && t.length(2)%int64(vec) == 0
	for c := 0; c < t.Cols; c += vec {
		col := t.plus(first, int64(t.b.line(c, t.X)))
		if whole {
			t.within(&t.b, col, func() { t.add(&StoreVec{2, t.sum(start, col), 0, results[c : c+vec]}) })
			continue
		}
		for i := range vec {
			col := t.plus(col, int64(i))
			t.within(&t.b, col, func() { t.add(&Store{2, t.sum(start, col), results[c+i]}) })
		}
	}
}

// length returns the number of elements of a buffer. If it is a multiple of vec, accesses of vec elements are aligned: the memory
// of a buffer begins at a multiple of 16 bytes, or of the buffer's size if that is smaller.
func (t *tile) length(buffer int) int64 { return t.f.Kernel.Buffers[buffer].Len.Value }
