package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// Transpose is a transposition in memory: along Rows the result's elements lie side by side,
// along Cols the source's.
type Transpose struct {
	Name   string
	Type   scalar.Type
	Offset int64 // of the first element in the source
	Rows   TransposeAxis
	Cols   TransposeAxis
	Batch  []TransposeAxis // from the outermost
	Lens   [2]int64        // of source and result
	Device schedule.Device
}

// TransposeAxis is a number of elements and the strides between them in source and result.
type TransposeAxis struct{ N, In, Out int }

// transposeThreads is the number of threads of a group of a transposition, at most.
const transposeThreads = 256

// transposeTile returns the number of rows and columns of a tile of elements of the given size:
// its lines have 256 bytes. A tile in shared memory has one column more, so that neither rows
// nor columns lie in only a few banks.
func transposeTile(bytes int) int64 { return int64(256 / bytes) }

// LowerTranspose writes a transposition as the program of a thread. A group takes a tile.
func LowerTranspose(t *Transpose) *Func {
	k := &ir.Kernel{Name: t.Name, Buffers: []ir.Buffer{
		{Name: "x", Role: ir.In, Type: t.Type, Len: ir.Const(t.Lens[0])}, {Name: "y", Role: ir.Out, Type: t.Type, Len: ir.Const(t.Lens[1])}}}
	threads := t.Device.Threads(transposeThreads)
	f := &Func{Name: t.Name, Kernel: k, Group: true, Threads: threads}
	e := newEmitter(f, positionType(t.Lens[:]...))
	p := min(transposeTile(t.Type.Size()), int64(threads))
	rows, cols := int64(t.Rows.N), int64(t.Cols.N)
	down, across := (rows+p-1)/p, (cols+p-1)/p
	tiles := down * across
	f.extents = []ir.Size{ir.Const(tiles)}
	for _, b := range t.Batch {
		f.extents[0].Value *= int64(b.N)
	}
	tile := e.array(true, t.Type, int(p*(p+1)))
	group, count := e.launched()
	line, at := e.quotient(e.tid, p) // the line of the tile, and the place there
	e.loop(group, e.num(f.extents[0].Value), count, func(g Reg) {
		from, to := e.num(t.Offset), e.num(0)
		g, c0 := e.quotient(g, across)
		r0 := g
		if len(t.Batch) > 0 {
			g, r0 = e.quotient(g, down)
		}
		for i := len(t.Batch) - 1; i >= 0; i-- {
			b := t.Batch[i]
			n := g
			if i > 0 {
				g, n = e.quotient(g, int64(b.N))
			}
			from, to = e.sum(from, e.times(n, int64(b.In))), e.sum(to, e.times(n, int64(b.Out)))
		}
		r0, c0 = e.times(r0, p), e.times(c0, p)
		from = e.sum(from, e.sum(e.times(e.sum(r0, line), int64(t.Rows.In)), e.sum(c0, at)))
		to = e.sum(to, e.sum(e.times(e.sum(c0, line), int64(t.Cols.Out)), e.sum(r0, at)))
		put, get := e.sum(e.times(line, p+1), at), e.sum(e.times(at, p+1), line)
		step := int64(threads) / p
		// Tiles at the border are not whole.
		loaded, stored := e.less(e.sum(c0, at), e.num(cols)), e.less(e.sum(r0, at), e.num(rows))
		whether := func(whole bool, place, first Reg, i, lines int64, do func()) {
			if whole {
				do()
				return
			}
			e.when(e.both(place, e.less(e.plus(e.sum(first, line), i), e.num(lines))), do)
		}
		whole := rows%p == 0 && cols%p == 0
		var xs []Reg
		for i := int64(0); i < p; i += step {
			x := e.reg(t.Type)
			if !whole {
				e.move(x, e.constant(t.Type, 0))
			}
			whether(whole, loaded, r0, i, rows, func() { e.add(&Load{x, 0, e.plus(from, i*int64(t.Rows.In))}) })
			xs = append(xs, x)
		}
		for n, x := range xs {
			e.put(tile, e.plus(put, int64(n)*step*(p+1)), x)
		}
		e.barrier()
		for i := int64(0); i < p; i += step {
			x := e.get(tile, e.plus(get, i))
			whether(whole, stored, c0, i, cols, func() { e.add(&Store{1, e.plus(to, i*int64(t.Cols.Out)), x}) })
		}
		e.barrier() // the next tile uses the same memory
	})
	f.Body = e.out
	return f
}
