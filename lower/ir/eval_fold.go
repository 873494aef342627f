package ir

import (
	"math"

	"github.com/weft-go/weft/lower/scalar"
)

// pair is an element of a fold: two numbers where the operation has two, else one.
type pair [2]uint64

// identity returns the element that a fold of type t starts from.
func identity(op FoldOp, t scalar.Type) pair {
	switch op {
	case Prod, ComplexProd:
		return pair{one(t), 0}
	case Max:
		return pair{least(t)}
	case Min:
		return pair{greatest(t)}
	case And:
		if t == scalar.Bool {
			return pair{1}
		}
		return pair{^uint64(0) >> (64 - t.Bits())}
	}
	return pair{}
}

func one(t scalar.Type) uint64 {
	switch t {
	case scalar.F32:
		return uint64(math.Float32bits(1))
	case scalar.F64:
		return math.Float64bits(1)
	}
	return 1
}

func least(t scalar.Type) uint64 {
	switch {
	case t == scalar.F32:
		return uint64(math.Float32bits(float32(math.Inf(-1))))
	case t == scalar.F64:
		return math.Float64bits(math.Inf(-1))
	case t.IsSigned():
		return 1 << (t.Bits() - 1)
	}
	return 0
}

func greatest(t scalar.Type) uint64 {
	switch {
	case t == scalar.F32:
		return uint64(math.Float32bits(float32(math.Inf(1))))
	case t == scalar.F64:
		return math.Float64bits(math.Inf(1))
	case t == scalar.Bool:
		return 1
	case t.IsSigned():
		return 1<<(t.Bits()-1) - 1
	}
	return ^uint64(0) >> (64 - t.Bits())
}

var scalarOps = [...]scalar.Op{Sum: scalar.OpAdd, Prod: scalar.OpMul, Max: scalar.OpMax, Min: scalar.OpMin,
	And: scalar.OpAnd, Or: scalar.OpOr, Xor: scalar.OpXor}

// combine returns x ∘ y. it is the type of the second numbers.
func combine(op FoldOp, t, it scalar.Type, x, y pair) pair {
	apply := func(o scalar.Op, a, b uint64) uint64 { return scalar.Apply(scalar.Inst{Op: o, Type: t}, t, a, b, 0) }
	switch op {
	case ComplexProd:
		a, b, c, d := x[0], x[1], y[0], y[1]
		return pair{
			apply(scalar.OpSub, apply(scalar.OpMul, a, c), apply(scalar.OpMul, b, d)),
			apply(scalar.OpAdd, apply(scalar.OpMul, a, d), apply(scalar.OpMul, b, c)),
		}
	case ArgMax, ArgMin:
		return better(op, t, it, x, y)
	case Max:
		if t == scalar.Bool {
			return pair{x[0] | y[0]}
		}
	case Min:
		if t == scalar.Bool {
			return pair{x[0] & y[0]}
		}
	}
	return pair{apply(scalarOps[op], x[0], y[0])}
}

// better returns the element that ArgMax or ArgMin keeps: a NaN before every number,
// of equals the one with the lower index.
func better(op FoldOp, t, it scalar.Type, x, y pair) pair {
	test := func(o scalar.Op, t scalar.Type, a, b uint64) bool {
		return scalar.Apply(scalar.Inst{Op: o, Type: scalar.Bool}, t, a, b, 0) != 0
	}
	xNaN, yNaN := test(scalar.OpNe, t, x[0], x[0]), test(scalar.OpNe, t, y[0], y[0])
	beats := test(scalar.OpLt, t, x[0], y[0])
	if op == ArgMin {
		beats = test(scalar.OpLt, t, y[0], x[0])
	}
	lower := test(scalar.OpLt, it, y[1], x[1])
	switch {
	case xNaN && yNaN, !xNaN && !yNaN && test(scalar.OpEq, t, x[0], y[0]):
		beats = lower
	case xNaN || yNaN:
		beats = yNaN
	}
	if beats {
		return y
	}
	return x
}

// reduce evaluates the body for every element and folds what it yields.
func (e *evaluator) reduce(s *Reduce) {
	elems := make([][]pair, len(s.Folds))
	for i := range max(0, e.extent(s.Extent, s.Tail)) {
		e.axes[s.Axis] = i
		e.block(s.Body)
		for j, f := range s.Folds {
			x := pair{e.values[f.Value]}
			if f.Second != NoRef {
				x[1] = e.values[f.Second]
			}
			elems[j] = append(elems[j], x)
		}
	}
	for j, f := range s.Folds {
		t := e.k.Types[f.Value]
		it := t
		if f.Second != NoRef {
			it = e.k.Types[f.Second]
		}
		r := folder{f.Op, t, it}.fold(s.Order, s.Lanes, elems[j])
		e.values[f.Result] = r[0]
		if f.Other != NoRef {
			e.values[f.Other] = r[1]
		}
	}
}

type folder struct {
	op    FoldOp
	t, it scalar.Type
}

func (f folder) two(x, y pair) pair { return combine(f.op, f.t, f.it, x, y) }

func (f folder) fold(o Order, lanes int, x []pair) pair {
	switch o {
	case Lanes:
		return f.tree(f.cut(x, BlockSize, func(b []pair) pair { return f.lanes(lanes, b) }))
	case Chunks:
		return f.tree(f.cut(x, ChunkSize, f.ordered))
	case Tree:
		return f.tree(x)
	case Chain:
		return f.chain(x)
	}
	return f.ordered(x)
}

// cut returns the results of fold on pieces of n elements.
func (f folder) cut(x []pair, n int, fold func([]pair) pair) []pair {
	var parts []pair
	for ; len(x) > n; x = x[n:] {
		parts = append(parts, fold(x[:n]))
	}
	if len(x) > 0 {
		parts = append(parts, fold(x))
	}
	return parts
}

func (f folder) ordered(x []pair) pair {
	acc := identity(f.op, f.t)
	if f.op == ArgMax || f.op == ArgMin {
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
func (f folder) lanes(w int, x []pair) pair {
	acc := make([]pair, w)
	for i := range acc {
		acc[i] = identity(f.op, f.t)
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
func (f folder) tree(x []pair) pair {
	if len(x) == 0 {
		return identity(f.op, f.t)
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
func (f folder) chain(x []pair) pair {
	var total uint64
	for len(x) > 0 {
		n := min(ChainSize, len(x))
		var acc uint64
		for _, y := range x[:n] {
			if f.t.IsFloat() {
				acc = scalar.Apply(scalar.Inst{Op: scalar.OpFMA, Type: f.t}, f.t, y[0], y[1], acc)
				continue
			}
			p := scalar.Apply(scalar.Inst{Op: scalar.OpMul, Type: f.t}, f.t, y[0], y[1], 0)
			acc = scalar.Apply(scalar.Inst{Op: scalar.OpAdd, Type: f.t}, f.t, acc, p, 0)
		}
		total = scalar.Apply(scalar.Inst{Op: scalar.OpAdd, Type: f.t}, f.t, total, acc, 0)
		x = x[n:]
	}
	return pair{total}
}

// cumulate evaluates a running fold.
func (e *evaluator) cumulate(s *Cumulate) {
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
	folder{s.Op, t, t}.running(x)
	for i := range n {
		e.axes[s.Axis] = place(i)
		e.values[s.Param] = x[i][0]
		e.block(s.Then)
	}
}

// running replaces elements by their running fold: in chunks from the identity, then
// every chunk but the first takes the running fold of the totals before it from the
// left.
func (f folder) running(x []pair) {
	var totals []pair
	for lo := 0; lo < len(x); lo += CumChunk {
		acc := identity(f.op, f.t)
		for i := lo; i < min(lo+CumChunk, len(x)); i++ {
			acc = f.two(acc, x[i])
			x[i] = acc
		}
		totals = append(totals, acc)
	}
	if len(totals) < 2 {
		return
	}
	f.running(totals)
	for i := CumChunk; i < len(x); i++ {
		x[i] = f.two(totals[i/CumChunk-1], x[i])
	}
}
