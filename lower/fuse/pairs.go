package fuse

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// A pairSide is an operand of a product of pairs or of fours: its neighbours along the contracted axis are read in
// words. offset and strides count words.
type pairSide struct {
	value, offset int
	batch         []int // strides
	rows          axisRun
	k, step       int // contracted words, and the stride between them
}

// pairs reports whether the product that is planned reads its contracted elements in words (pairs, or fours of bytes).
func (p *planner) pairs() bool {
	return p.fast == core.Int16 || p.fast == core.Uint8 || p.target.Tensor.Pairs && p.fast != core.Invalid
}

// leastPaired is the least number of contracted elements that are read in words, and of rows or
// columns for which the other operand is copied to lie in words.
const leastPaired = 8

// shortPairs reports whether a dot_general that is computed in type base reads its operands as pairs
// of i16. Operands whose contracted elements do not lie side by side are copied, if that pays.
func shortPairs(e *jaxpr.Eqn, q prim.DotGeneralP, base core.DType) bool {
	if base != core.Int32 && base != core.Uint32 {
		return false
	}
	contract, batch := [2]core.Dims{q.LhsContract, q.RhsContract}, [2]core.Dims{q.LhsBatch, q.RhsBatch}
	var free [2]int
	for i, a := range e.Ins {
		t := a.Aval()
		if dt := t.DType; dt.Bits() > 16 || dt == core.Uint16 {
			return false
		}
		k := contract[i].Map(t.Shape.At).Size()
		if k < leastPaired {
			return false
		}
		free[i] = freeAxes(a, batch[i], contract[i]).Map(t.Shape.At).Size()
	}
	for i, a := range e.Ins {
		last := contract[i].Len() > 0 && contract[i].At(contract[i].Len()-1) == a.Aval().Rank()-1
		if !last && free[1-i] < leastPaired {
			return false
		}
	}
	return true
}

// pairsOf makes a step of a dot_general of bf16, i16 or bytes whose contracted elements are read in words.
func (p *planner) pairsOf(e *jaxpr.Eqn, q prim.DotGeneralP, a, b jaxpr.Atom, out *jaxpr.Var) {
	s := &Product{Eqn: e, Type: out.Type.DType, Chunk: DotChunk, Tensor: p.fast, Pairs: true}
	l, r := p.pairSide(e, a, q.LhsContract, q.LhsBatch), p.pairSide(e, b, q.RhsContract, q.RhsBatch)
	s.M, s.N, s.K = l.rows.n, r.rows.n, l.k
	s.A, s.B = ProductView{l.offset, l.rows.step[0], l.step}, ProductView{r.offset, r.rows.step[0], r.step}
	s.In = [2]int{l.value, r.value}
	for _, x := range runs(q.LhsBatch.Len(), func(i int) int { return a.Aval().Shape.At(q.LhsBatch.At(i)) }, func(i int) [2]int { return [2]int{l.batch[i], r.batch[i]} }) {
		s.Batch = append(s.Batch, ProductAxis{x.n, x.step[0], x.step[1]})
	}
	p.addProduct(s, out)
}

// pairSide returns an operand where it lies if its contracted elements lie side by side, and their number, the offset
// and the other strides are multiples of a word; else a copy.
func (p *planner) pairSide(e *jaxpr.Eqn, x jaxpr.Atom, contract, batch core.Dims) pairSide {
	free := freeAxes(x, batch, contract)
	shape := x.Aval().Shape
	v := p.view(x)
	alone := func(axes core.Dims) (axisRun, bool) {
		return single(runs(axes.Len(), func(j int) int { return shape.At(axes.At(j)) }, func(j int) [2]int { return [2]int{v.strides[axes.At(j)]} }))
	}
	ks, one := alone(contract)
	rows, fits := alone(free)
	word := wordBits / p.fast.Bits()
	whole := one && fits && ks.step[0] == 1 && ks.n%word == 0 && v.offset%word == 0 && rows.step[0]%word == 0
	for _, d := range batch.All() {
		whole = whole && v.strides[d]%word == 0
	}
	if !whole {
		return p.paired(e, x, contract, batch, free)
	}
	s := pairSide{value: v.value, offset: v.offset / word, rows: rows, k: ks.n / word, step: 1}
	s.rows.step[0] /= word
	for _, d := range batch.All() {
		s.batch = append(s.batch, v.strides[d]/word)
	}
	return s
}

// paired writes the words of an operand to memory: for each contracted word, those of all rows side by side.
func (p *planner) paired(e *jaxpr.Eqn, x jaxpr.Atom, contract, batch, free core.Dims) pairSide {
	shape := x.Aval().Shape
	nb := batch.Len()
	perm := core.MakeDims(append(append(batch.Ints(), contract.Ints()...), free.Ints()...)...)
	if perm != core.Range(0, perm.Len()) {
		x = p.apply(e, prim.TransposeP{Perm: perm}, x)
	}
	k, rows := contract.Map(shape.At).Size(), free.Map(shape.At).Size()
	to := batch.Map(shape.At).Append(k, rows)
	x = p.apply(e, prim.ReshapeP{Shape: to}, x)
	word := wordBits / p.fast.Bits()
	if more := (word - k%word) % word; more != 0 {
		config := make([]int, 3*to.Len())
		config[3*nb+1] = more
		k += more
		to = batch.Map(shape.At).Append(k, rows)
		zero := core.Lit(core.IntNumber(0), x.Aval().DType)
		if p.fast == core.BFloat16 {
			zero = core.Lit(core.FloatNumber(0), core.BFloat16)
		}
		x = p.apply(e, prim.PadP{Config: core.MakeDims(config...)}, x, zero)
	}
	unsigned := core.Uint16
	if word == 4 {
		unsigned = core.Uint8
	}
	var words *jaxpr.Var
	for i := range word {
		start, strides := make([]int, to.Len()), make([]int, to.Len())
		for d := range strides {
			strides[d] = 1
		}
		start[nb], strides[nb] = i, word
		var y jaxpr.Atom = p.apply(e, prim.SliceP{Start: core.MakeDims(start...), Limit: to, Strides: core.MakeDims(strides...)}, x)
		if y.Aval().DType != unsigned {
			y = p.apply(e, prim.BitcastConvertTypeP{NewDType: unsigned}, y)
		}
		part := p.apply(e, prim.ConvertElementTypeP{NewDType: core.Uint32}, y)
		if i > 0 {
			part = p.apply(e, prim.ShiftLeftP{}, part, core.Lit(core.IntNumber(int64(i*p.fast.Bits())), core.Uint32))
			part = p.apply(e, prim.OrP{}, words, part)
		}
		words = part
	}
	v := p.whole(words)
	return pairSide{value: v.value, batch: v.strides[:nb], rows: axisRun{n: rows, step: [2]int{1}}, k: k / word, step: rows}
}
