package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// A Conv is a convolution whose operand and result have their features last:
//
//	C[b, s, o] = Σₖ window(A, b, s)[k] · B[k, o]
//
// where k runs over the positions of the window and, within each, the features. It is a
// product whose left operand is not in memory: its rows are the windows. Sums have the
// order of a [Product]; positions outside of A count as elements of chunks, but add nothing.
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
	B          Operand // Outer is the stride from output to output
	Lens       [3]int64
	Tiling     schedule.Tiling // the zero tiling: the cost model chooses
	Device     schedule.Device // for the cost model
}

// ConvAxis is a spatial axis: position s and window position t meet at
// s·Stride + t·Dilation − Low of an input whose every Gap-th position is an element.
type ConvAxis struct{ In, Out, Size, Stride, Low, Gap, Dilation int }

// inside reports whether all positions of windows along the axis are elements.
func (a ConvAxis) inside() bool {
	return a.Gap == 1 && a.Low <= 0 && (a.Out-1)*a.Stride+(a.Size-1)*a.Dilation-a.Low < a.In
}

// padded reports whether a window reads positions that are not elements.
func (p *Conv) padded() bool {
	for _, a := range p.Axes {
		if !a.inside() {
			return true
		}
	}
	return false
}

// sizes returns the number of windows of a group, and the numbers of elements and of positions of a window.
func (p *Conv) sizes() (rows, deep, positions int) {
	rows, positions = p.Batch, 1
	for _, a := range p.Axes {
		rows *= a.Out
		positions *= a.Size
	}
	return rows, positions * p.Channels, positions
}

// LowerConv writes a convolution as the program of a thread. Its buffers are A, B and C.
func LowerConv(p *Conv) *Func {
	l := p.Tiling
	if l == (schedule.Tiling{}) {
		l = p.dense().Tiling(p.Device)
	}
	return p.lower(l, 0)
}

func (p *Conv) dense() schedule.Dense {
	rows, deep, _ := p.sizes()
	n := p.Outputs / p.Groups
	return schedule.Dense{Type: p.Type, M: rows, N: n, K: deep, Batch: p.Groups, Chunk: p.Chunk, Along: [2]bool{true, p.B.contiguous(n)}}
}

// lower writes the convolution or, if parts is not 0, the Partial of its [Split] into that many parts.
func (p *Conv) lower(l schedule.Tiling, parts int) *Func {
	x := p.dense()
	lens := p.Lens
	if parts > 0 {
		lens[2] = x.Results() * int64(parts)
	}
	c := &conv{tile: newTile(p.Name, l, p.Type, p.Chunk, x.M, x.N, x.K, lens, x.Along), p: p}
	c.parts = parts
	c.f.extents = append(c.f.extents, ir.Const(int64(p.Groups)))
	c.tiles(func(batch Reg) {
		group := c.batch(batch)
		first := c.times(group, int64(c.n)) // output feature
		atB := c.sum(c.num(int64(p.B.Offset)), c.times(first, int64(p.B.Outer)))
		whole := p.B.Offset%c.vec == 0 && (p.Groups == 1 || c.n*p.B.Outer%c.vec == 0)
		a := c.windows(group)
		b := c.lines(&c.b, p.B, atB, whole, c.col)
		total := c.compute(func(k, stage Reg) {
			a.fetch(k, stage)
			b.fetch(k, stage)
		})
		start, step := first, int64(p.Outputs)
		if parts > 0 { // the groups of a part lie one after the other
			start, step = c.times(batch, int64(c.m)*int64(c.n)), int64(c.n)
		}
		c.write(start, step, total)
		if p.padded() && p.Type.IsFloat() {
			c.repair(group, start, step, atB, total)
		}
	})
	c.f.Body = c.out
	return c.f
}

type conv struct {
	*tile
	p *Conv
}

// window is where a window begins along each spatial axis, and the position in A's buffer of its
// first feature where all spatial coordinates are 0.
type window struct {
	base  Reg
	start []Reg
}

func (c *conv) window(group, row Reg) window {
	p := c.p
	w := window{start: make([]Reg, len(p.Axes))}
	for d := len(p.Axes) - 1; d >= 0; d-- {
		var s Reg
		row, s = c.quotient(row, int64(p.Axes[d].Out))
		w.start[d] = c.plus(c.times(s, int64(p.Axes[d].Stride)), int64(-p.Axes[d].Low))
	}
	size := int64(p.Features)
	for _, a := range p.Axes {
		size *= int64(a.In)
	}
	if p.BatchGroup {
		row = c.sum(row, c.times(group, int64(p.Batch)))
		w.base = c.times(row, size)
	} else {
		w.base = c.sum(c.times(row, size), c.times(group, int64(p.Channels)))
	}
	return w
}

// offsets returns the offsets along the axes of a position of a window.
func (c *conv) offsets(position Reg) []Reg {
	list := make([]Reg, len(c.p.Axes))
	for d := len(list) - 1; d >= 0; d-- {
		var t Reg
		position, t = c.quotient(position, int64(c.p.Axes[d].Size))
		list[d] = c.times(t, int64(c.p.Axes[d].Dilation))
	}
	return list
}

// place returns the position in A's buffer of the first feature that a window reads at the given offsets, and
// whether A has an element there. inside is NoReg if it always has.
func (c *conv) place(w window, offsets []Reg) (at, inside Reg) {
	at, inside = w.base, NoReg
	also := func(x Reg) {
		if inside != NoReg {
			x = c.both(inside, x)
		}
		inside = x
	}
	step := int64(c.p.Features)
	for d := len(c.p.Axes) - 1; d >= 0; d-- {
		a := c.p.Axes[d]
		x := c.sum(w.start[d], offsets[d])
		if !a.inside() {
			also(c.op(scalar.OpLe, scalar.Bool, c.num(0), x))
			if a.Gap > 1 {
				gap := c.num(int64(a.Gap))
				also(c.same(c.op(scalar.OpRem, c.ix, x, gap), c.num(0)))
				x = c.op(scalar.OpDiv, c.ix, x, gap)
			}
			also(c.less(x, c.num(int64(a.In))))
		}
		at = c.sum(at, c.times(x, step))
		step *= int64(a.In)
	}
	return at, inside
}
