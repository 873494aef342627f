package simt

import (
	"github.com/weft-go/weft/lower/kernel/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// A Conv is a convolution whose operand and result have their features last:
//
//	C[b, s, o] = Σₖ window(A, b, s)[k] · B[k, o]
//
// where k runs over the positions of the window and, within each, the features. It is a
// product whose left operand is not in memory: its rows are the windows. Sums have the
// order of a [Product]; positions outside of A count, but add nothing.
type Conv struct {
	Name       string
	Type       scalar.Type
	Chunk      int
	Batch      int // of the result
	Features   int // of A
	Channels   int // features that a window reads
	Outputs    int // features of the result
	Groups     int
	BatchGroup bool // groups divide A's batch, not its features
	Axes       []ConvAxis
	B          Operand // Outer is from output to output
	Lens       [3]int64
}

// ConvAxis is a spatial axis: position s and window position t meet at
// s·Stride + t·Dilation − Low of an input whose every Gap-th position is an element.
type ConvAxis struct{ In, Out, Size, Stride, Low, Gap, Dilation int }

// inside reports whether all positions of windows along the axis are elements.
func (a ConvAxis) inside() bool {
	return a.Gap == 1 && a.Low <= 0 && (a.Out-1)*a.Stride+(a.Size-1)*a.Dilation-a.Low < a.In
}

// LowerConv writes a convolution as the program of a thread. Its buffers are A, B and C.
func LowerConv(p *Conv) *Func {
	k := &ir.Kernel{Name: p.Name, Buffers: []ir.Buffer{
		{Name: "a", Role: ir.In, Type: p.Type, Len: ir.Const(p.Lens[0])},
		{Name: "b", Role: ir.In, Type: p.Type, Len: ir.Const(p.Lens[1])},
		{Name: "c", Role: ir.Out, Type: p.Type, Len: ir.Const(p.Lens[2])},
	}}
	f := &Func{Name: p.Name, Kernel: k, Group: true, Threads: side * side}
	rows, deep, padded := p.Batch, p.Channels, false
	for _, a := range p.Axes {
		rows *= a.Out
		deep *= a.Size
		padded = padded || !a.inside()
	}
	c := &conv{tile: newTile(f, p.Type, p.Chunk, rows, p.Outputs/p.Groups, deep, p.Lens), p: p}
	if padded {
		c.valid = c.array(true, scalar.Bool, depth*side*c.rows)
	}
	f.extents = append(f.extents, ir.Const(int64(p.Groups)))
	c.tiles(func(group Reg) {
		windows := c.windows(group)
		first := c.times(group, int64(c.n)) // output feature
		atB := c.sum(c.num(int64(p.B.Offset)), c.times(first, int64(p.B.Outer)))
		total := c.compute(func(k Reg) {
			c.gather(windows, k)
			c.fetch(1, c.b, atB, p.B, c.col, c.n, c.cols, k)
		})
		c.write(first, int64(p.Outputs), total)
	})
	f.Body = c.out
	return f
}

// conv is a convolution that is being emitted.
type conv struct {
	*tile
	p *Conv
}

// window is the window of a row that a thread fetches elements of: where it begins along
// each spatial axis, and the element of A with all other coordinates.
type window struct {
	row   Reg // in the tile
	ok    Reg // the row is one of C's
	base  Reg
	start []Reg
}

// windows emits where the windows begin whose elements a thread fetches: those of rows
// tid/depth, tid/depth + 16, ….
func (c *conv) windows(group Reg) []window {
	p := c.p
	ws := make([]window, c.rows)
	for j := range ws {
		w := &ws[j]
		w.row = c.plus(c.over(c.tid, depth), int64(j*side*side/depth))
		i := c.sum(c.row, w.row)
		w.ok = c.less(i, c.num(int64(c.m)))
		w.start = make([]Reg, len(p.Axes))
		for d := len(p.Axes) - 1; d >= 0; d-- {
			var s Reg
			i, s = c.split(i, p.Axes[d].Out)
			w.start[d] = c.plus(c.times(s, int64(p.Axes[d].Stride)), int64(-p.Axes[d].Low))
		}
		size := int64(p.Features)
		for _, a := range p.Axes {
			size *= int64(a.In)
		}
		if p.BatchGroup {
			i = c.sum(i, c.times(group, int64(p.Batch)))
			w.base = c.times(i, size)
		} else {
			w.base = c.sum(c.times(i, size), c.times(group, int64(p.Channels)))
		}
	}
	return ws
}

// gather emits the fetch of depth elements of each row's window from k on.
func (c *conv) gather(ws []window, k Reg) {
	p := c.p
	q := c.rest(c.tid, depth)
	deep := c.sum(k, q)
	ok := c.less(deep, c.num(int64(c.k)))
	at, channel := c.split(deep, p.Channels)
	offsets := make([]Reg, len(p.Axes)) // of the window's position
	for d := len(p.Axes) - 1; d >= 0; d-- {
		var t Reg
		at, t = c.split(at, p.Axes[d].Size)
		offsets[d] = c.times(t, int64(p.Axes[d].Dilation))
	}
	for _, w := range ws {
		inside := c.both(ok, w.ok)
		place := c.sum(w.base, channel)
		step := int64(p.Features)
		for d := len(p.Axes) - 1; d >= 0; d-- {
			a := p.Axes[d]
			x := c.sum(w.start[d], offsets[d])
			if !a.inside() {
				inside = c.both(inside, c.op(scalar.OpLe, scalar.Bool, c.num(0), x))
				if a.Gap > 1 {
					gap := c.num(int64(a.Gap))
					inside = c.both(inside, c.same(c.op(scalar.OpRem, c.ix, x, gap), c.num(0)))
					x = c.op(scalar.OpDiv, c.ix, x, gap)
				}
				inside = c.both(inside, c.less(x, c.num(int64(a.In))))
			}
			place = c.sum(place, c.times(x, step))
			step *= int64(a.In)
		}
		x := c.copied(c.constant(c.kind, 0))
		c.when(inside, func() { c.add(&Load{x, 0, place}) })
		to := c.sum(c.times(q, int64(side*c.rows)), w.row)
		c.put(c.a, to, x)
		if c.valid >= 0 {
			c.put(c.valid, to, inside)
		}
	}
}
