package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// Split is a product or a convolution of few results that are long sums. Their chains are
// computed side by side, Parts of each sum at a time, to memory between, and added in order.
// Both functions take the number of the first chain as their symbol, and run for 0, Parts,
// 2·Parts, … in Rounds.
type Split struct {
	Partial *Func // of A, B and the memory between
	Sum     *Func // of the memory between and C
	Parts   int
	Rounds  int
	Scratch int64 // elements between
}

const (
	splitBytes  = 32 << 20 // of the memory between, about what a cache has room for
	splitRounds = 128
	unrolled    = 8 // reads of the memory between that a thread has under way
)

// Split returns the product as a Split, nil if that would not be much faster.
func (p *Product) Split() *Split {
	return p.task().split(p.Machine, p.Name, func(l Tiling, parts int) *Func { return p.lower(l, parts) }, 0, 0)
}

// Split returns the convolution as a Split, nil if that would not be much faster.
func (p *Conv) Split() *Split {
	t := p.task()
	return t.split(p.Machine, p.Name, func(l Tiling, parts int) *Func { return p.lower(l, parts) }, int64(t.n), int64(p.Outputs))
}

// results returns the number of results.
func (t task) results() int64 { return int64(t.m) * int64(t.n) * int64(t.batch) }

// split returns the work as a Split. Where across is not 0, rows of C have so many elements of
// a batch side by side, and step from row to row.
func (t task) split(d Machine, name string, lower func(Tiling, int) *Func, across, step int64) *Split {
	d = d.known()
	chains := (t.k + t.chunk - 1) / t.chunk
	size := int64(t.kind.Size())
	if chains < 2*unrolled {
		return nil
	}
	parts := int(min(int64(chains), splitBytes/(size*t.results()))) / unrolled * unrolled
	if parts == 0 {
		return nil
	}
	rounds := (chains + parts - 1) / parts
	one := t
	one.k, one.batch = t.chunk, t.batch*parts
	l := one.tiling(d)
	const traffic = 12 // bytes between that a multiprocessor moves in a cycle
	round := one.cost(l, d) + float64(2*size*t.results()*int64(parts))/float64(traffic*d.Units) + 12000
	if rounds > splitRounds || 1.5*round*float64(rounds) > t.cost(t.tiling(d), d) {
		return nil
	}
	return &Split{Partial: lower(l, parts), Sum: t.sum(name+" sum", parts, across, step), Parts: parts, Rounds: rounds, Scratch: t.results() * int64(parts)}
}

// sum writes the addition of the parts of all results, one thread each, to what C has after
// the first round.
func (t task) sum(name string, parts int, across, step int64) *Func {
	n := t.results()
	k := &ir.Kernel{Name: name, Symbols: []string{"first"}, Buffers: []ir.Buffer{
		{Name: "parts", Role: ir.In, Type: t.kind, Len: ir.Const(n * int64(parts))}, {Name: "c", Role: ir.InOut, Type: t.kind, Len: ir.Const(n)}}}
	f := &Func{Name: name, Kernel: k, Threads: 128, extents: []ir.Size{ir.Const(n)}}
	e := newEmitter(f, scalar.I32)
	group, count := e.launched()
	first := e.reg(e.ix)
	e.add(&Special{first, Symbol, 0})
	each := int64(t.m) * int64(t.n) // of a batch
	e.loop(e.sum(e.times(group, 128), e.tid), e.num(n), e.times(count, 128), func(i Reg) {
		batch, in := e.quotient(i, each)
		to := i
		if across > 0 {
			row, col := e.quotient(in, across)
			to = e.sum(e.sum(e.times(row, step), e.times(batch, across)), col)
		}
		x := e.copied(e.constant(t.kind, 0))
		e.when(e.less(e.num(0), first), func() { e.add(&Load{x, 1, to}) })
		from := e.sum(e.times(batch, each*int64(parts)), in)
		e.loop(e.num(0), e.num(int64(parts)), e.num(unrolled), func(c Reg) {
			at := e.sum(from, e.times(c, each))
			ys := make([]Reg, unrolled)
			for j := range ys {
				ys[j] = e.reg(t.kind)
				e.add(&Load{ys[j], 0, e.plus(at, int64(j)*each)})
			}
			for _, y := range ys {
				e.move(x, e.sum(x, y))
			}
		})
		if t.kind.IsFloat() {
			x = e.op(scalar.OpCanon, t.kind, x)
		}
		e.add(&Store{1, to, x})
	})
	f.Body = e.out
	return f
}
