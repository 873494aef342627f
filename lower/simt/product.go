package simt

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
)

// A Product is the dense product C[b, m, n] = Σ A[b, m, k]·B[b, k, n]. Every sum is made
// of chains of fma over Chunk elements, added from the left to +0.
type Product struct {
	Name    string
	Type    scalar.Type
	Chunk   int // a multiple of 32
	M, N, K int // at least 1
	Batch   []BatchAxis
	A, B    Operand
	Lens    [3]int64        // of A, B and C, in elements
	Tiling  schedule.Tiling // the zero tiling: the cost model chooses
	Device  schedule.Device // for the cost model
}

// BatchAxis is a batch axis with the strides of A and B; those of C follow from its sizes.
type BatchAxis struct{ N, A, B int }

// Operand is where an operand's elements are: the first one, and the strides from row to
// row (A) or column to column (B) and along k.
type Operand struct{ Offset, Outer, K int }

// LowerProduct writes a product as the program of a thread. Its buffers are A, B and C.
func LowerProduct(p *Product) *Func {
	l := p.Tiling
	if l == (schedule.Tiling{}) {
		l = p.dense().Tiling(p.Device)
	}
	return p.lower(l, 0)
}

func (p *Product) dense() schedule.Dense {
	batch := 1
	for _, b := range p.Batch {
		batch *= b.N
	}
	return schedule.Dense{Type: p.Type, M: p.M, N: p.N, K: p.K, Batch: batch, Chunk: p.Chunk, Along: [2]bool{p.A.contiguous(p.M), p.B.contiguous(p.N)}}
}

// lower writes the product or, if parts is not 0, the Partial of its [Split] into that many parts.
func (p *Product) lower(l schedule.Tiling, parts int) *Func {
	x := p.dense()
	lens := p.Lens
	if parts > 0 {
		lens[2] = x.Results() * int64(parts)
	}
	t := newTile(p.Name, l, p.Type, p.Chunk, p.M, p.N, p.K, lens, x.Along)
	t.parts = parts
	for _, b := range p.Batch {
		t.f.extents = append(t.f.extents, ir.Const(int64(b.N)))
	}
	t.tiles(func(batch Reg) {
		atA, atB := t.num(int64(p.A.Offset)), t.num(int64(p.B.Offset))
		i := t.batch(batch)
		whole := [2]bool{p.A.Offset%t.vec == 0, p.B.Offset%t.vec == 0} // batches begin at whole vectors
		for d := len(p.Batch) - 1; d >= 0; d-- {
			var r Reg
			i, r = t.quotient(i, int64(p.Batch[d].N))
			atA = t.sum(atA, t.times(r, int64(p.Batch[d].A)))
			atB = t.sum(atB, t.times(r, int64(p.Batch[d].B)))
			whole[0] = whole[0] && p.Batch[d].A%t.vec == 0
			whole[1] = whole[1] && p.Batch[d].B%t.vec == 0
		}
		a := t.lines(&t.a, p.A, atA, whole[0], t.row)
		b := t.lines(&t.b, p.B, atB, whole[1], t.col)
		total := t.compute(func(k, stage Reg) {
			a.fetch(k, stage)
			b.fetch(k, stage)
		})
		t.write(t.times(batch, int64(p.M)*int64(p.N)), int64(p.N), total)
	})
	t.f.Body = t.out
	return t.f
}
