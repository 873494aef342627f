package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// Split is a product or a convolution of few results that are long sums. In each round Partial
// computes Parts chains of every sum side by side and writes them to scratch memory; then Sum
// adds them to the results in order. The symbol of both functions is the number of the round's
// first chain: 0, Parts, 2·Parts and so on.
type Split struct {
	Partial *Func // its buffers are A, B and scratch memory
	Sum     *Func // its buffers are scratch memory and C
	Parts   int
	Rounds  int
	Scratch int64 // elements of scratch memory
}

// Split returns the product as a Split, nil if that would not be much faster.
func (p *Product) Split() *Split {
	return split(p.dense(), p.Device, p.Name, func(l schedule.Tiling, parts int) *Func { return p.lower(l, parts) }, 0, 0)
}

// Split returns the convolution as a Split, nil if that would not be much faster.
func (p *Conv) Split() *Split {
	t := p.dense()
	return split(t, p.Device, p.Name, func(l schedule.Tiling, parts int) *Func { return p.lower(l, parts) }, int64(t.N), int64(p.Outputs))
}

// split returns the work as a Split. If `across` is not 0, a row of C has `across` elements of a
// batch side by side, and `step` is the distance from row to row.
func split(t schedule.Dense, d schedule.Device, name string, lower func(schedule.Tiling, int) *Func, across, step int64) *Split {
	c, ok := t.SideBySide(d)
	if !ok {
		return nil
	}
	return &Split{Partial: lower(c.Tiling, c.Parts), Sum: sumOfParts(t, name+" sum", c.Parts, across, step), Parts: c.Parts, Rounds: c.Rounds, Scratch: c.Between}
}

// sumOfParts writes the kernel that adds the parts of each result, one thread a result. After the
// first round it adds them to what C has.
func sumOfParts(t schedule.Dense, name string, parts int, across, step int64) *Func {
	n := t.Results()
	k := &ir.Kernel{Name: name, Symbols: []string{"first"}, Buffers: []ir.Buffer{
		{Name: "parts", Role: ir.In, Type: t.Type, Len: ir.Const(n * int64(parts))}, {Name: "c", Role: ir.InOut, Type: t.Type, Len: ir.Const(n)}}}
	f := &Func{Name: name, Kernel: k, Threads: 128, extents: []ir.Size{ir.Const(n)}}
	e := newEmitter(f, scalar.I32)
	group, count := e.launched()
	first := e.reg(e.ix)
	e.add(&Special{first, Symbol, 0})
	each := int64(t.M) * int64(t.N) // of a batch
	e.loop(e.sum(e.times(group, 128), e.tid), e.num(n), e.times(count, 128), func(i Reg) {
		batch, in := e.quotient(i, each)
		to := i
		if across > 0 {
			row, col := e.quotient(in, across)
			to = e.sum(e.sum(e.times(row, step), e.times(batch, across)), col)
		}
		x := e.copied(e.constant(t.Type, 0))
		e.when(e.less(e.num(0), first), func() { e.add(&Load{x, 1, to}) })
		from := e.sum(e.times(batch, each*int64(parts)), in)
		e.loop(e.num(0), e.num(int64(parts)), e.num(schedule.PartsAtOnce), func(c Reg) {
			at := e.sum(from, e.times(c, each))
			ys := make([]Reg, schedule.PartsAtOnce)
			for j := range ys {
				ys[j] = e.reg(t.Type)
				e.add(&Load{ys[j], 0, e.plus(at, int64(j)*each)})
			}
			for _, y := range ys {
				e.move(x, e.sum(x, y))
			}
		})
		if t.Type.IsFloat() {
			x = e.op(scalar.OpCanon, t.Type, x)
		}
		e.add(&Store{1, to, x})
	})
	f.Body = e.out
	return f
}
