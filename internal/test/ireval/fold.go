package ireval

import (
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// pair is an element of a fold, as bits.
type pair = ir.Element[uint64]

type folding struct{ ir.Folding }

// bitArith computes with the bits of numbers.
type bitArith struct{}

func (bitArith) Apply(o scalar.Op, t scalar.Type, x, y uint64) uint64 {
	return Apply(scalar.Inst{Op: o, Type: t}, t, x, y, 0)
}

func (bitArith) Compare(o scalar.Op, t scalar.Type, x, y uint64) uint64 {
	return Apply(scalar.Inst{Op: o, Type: scalar.Bool}, t, x, y, 0)
}

func (b bitArith) IsNaN(t scalar.Type, x uint64) uint64 { return b.Compare(scalar.OpNe, t, x, x) }

func (b bitArith) Logic(o scalar.Op, x, y uint64) uint64 {
	if o == scalar.OpLt {
		return b.Compare(o, scalar.Bool, x, y)
	}
	return b.Apply(o, scalar.Bool, x, y)
}

func (bitArith) Choose(_ scalar.Type, c, x, y uint64) uint64 {
	if c != 0 {
		return x
	}
	return y
}

// reduce evaluates the body for every element and folds what it yields.
func (e *evaluator) reduce(s *ir.Reduce) {
	elems := make([][]pair, len(s.Folds))
	for i := range max(0, e.extent(s.Extent, s.Tail)) {
		e.axes[s.Axis] = i
		e.block(s.Body)
		for j, f := range s.Folds {
			x := pair{e.values[f.Value]}
			if f.Second != ir.NoRef {
				x[1] = e.values[f.Second]
			}
			elems[j] = append(elems[j], x)
		}
	}
	for j, f := range s.Folds {
		t := e.k.Types[f.Value]
		it := t
		if f.Second != ir.NoRef {
			it = e.k.Types[f.Second]
		}
		r := folding{ir.Folding{Op: f.Op, Value: t, Second: it}}.fold(s.Order, s.Lanes, elems[j])
		e.values[f.Result] = r[0]
		if f.Other != ir.NoRef {
			e.values[f.Other] = r[1]
		}
	}
}

func (f folding) two(x, y pair) pair { return ir.Combine(bitArith{}, f.Folding, x, y) }

func (f folding) identity() pair { return pair{f.Op.Identity(f.Value)} }

func (f folding) fold(o ir.Order, lanes int, x []pair) pair {
	switch o {
	case ir.Lanes:
		return f.tree(f.cut(x, ir.BlockSize, func(b []pair) pair { return f.lanes(lanes, b) }))
	case ir.Chunks:
		return f.tree(f.cut(x, ir.ChunkSize, f.ordered))
	case ir.Tree:
		return f.tree(x)
	case ir.Chain:
		return f.chain(x)
	}
	return f.ordered(x)
}

// cut returns the results of fold on pieces of n elements.
func (f folding) cut(x []pair, n int, fold func([]pair) pair) []pair {
	var parts []pair
	for ; len(x) > n; x = x[n:] {
		parts = append(parts, fold(x[:n]))
	}
	if len(x) > 0 {
		parts = append(parts, fold(x))
	}
	return parts
}

func (f folding) ordered(x []pair) pair {
	acc := f.identity()
	if f.Op == ir.ArgMax || f.Op == ir.ArgMin {
		if len(x) == 0 {
			return acc
		}
		acc, x = x[0], x[1:]
	}
	for _, y := range x {
		acc = f.two(acc, y)
	}
	return acc
}

// lanes folds a block of at most BlockSize elements in w lanes.
func (f folding) lanes(w int, x []pair) pair {
	acc := make([]pair, w)
	for i := range acc {
		acc[i] = f.identity()
	}
	for i, y := range x {
		acc[i%w] = f.two(acc[i%w], y)
	}
	used := min(w, len(x))
	for h := w / 2; h > 0; h /= 2 {
		for i := h; i < used; i++ {
			acc[i-h] = f.two(acc[i-h], acc[i])
		}
		used = min(used, h)
	}
	return acc[0]
}

// tree combines neighbours pairwise; an odd one at the end waits for the next level.
func (f folding) tree(x []pair) pair {
	if len(x) == 0 {
		return f.identity()
	}
	for len(x) > 1 {
		n := 0
		for i := 0; i < len(x); i += 2 {
			if i+1 < len(x) {
				x[n] = f.two(x[i], x[i+1])
			} else {
				x[n] = x[i]
			}
			n++
		}
		x = x[:n]
	}
	return x[0]
}

// chain adds products in chunks of ChainSize. Integers wrap.
func (f folding) chain(x []pair) pair {
	var total uint64
	for len(x) > 0 {
		n := min(ir.ChainSize, len(x))
		var acc uint64
		for _, y := range x[:n] {
			if f.Value.IsFloat() {
				acc = Apply(scalar.Inst{Op: scalar.OpFMA, Type: f.Value}, f.Value, y[0], y[1], acc)
				continue
			}
			p := Apply(scalar.Inst{Op: scalar.OpMul, Type: f.Value}, f.Value, y[0], y[1], 0)
			acc = Apply(scalar.Inst{Op: scalar.OpAdd, Type: f.Value}, f.Value, acc, p, 0)
		}
		total = Apply(scalar.Inst{Op: scalar.OpAdd, Type: f.Value}, f.Value, total, acc, 0)
		x = x[n:]
	}
	return pair{total}
}

func (e *evaluator) cumulate(s *ir.Cumulate) {
	n := max(0, e.extent(s.Extent, nil))
	place := func(i int64) int64 {
		if s.Reverse {
			return n - 1 - i
		}
		return i
	}
	x := make([]pair, n)
	for i := range n {
		e.axes[s.Axis] = place(i)
		e.block(s.Body)
		x[i] = pair{e.values[s.Value]}
	}
	t := e.k.Types[s.Value]
	folding{ir.Folding{Op: s.Op, Value: t}}.running(x)
	for i := range n {
		e.axes[s.Axis] = place(i)
		e.values[s.Param] = x[i][0]
		e.block(s.Then)
	}
}

// running replaces elements by their running fold: in chunks from the identity, then
// every chunk but the first takes the running fold of the totals before it from the
// left.
func (f folding) running(x []pair) {
	var totals []pair
	for lo := 0; lo < len(x); lo += ir.CumChunk {
		acc := f.identity()
		for i := lo; i < min(lo+ir.CumChunk, len(x)); i++ {
			acc = f.two(acc, x[i])
			x[i] = acc
		}
		totals = append(totals, acc)
	}
	if len(totals) < 2 {
		return
	}
	f.running(totals)
	for i := ir.CumChunk; i < len(x); i++ {
		x[i] = f.two(totals[i/ir.CumChunk-1], x[i])
	}
}
