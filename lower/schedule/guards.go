package schedule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
)

// CopyKernel returns the kernel that copies n numbers of a type; n is its symbol 0.
func CopyKernel(t scalar.Type) *ir.Kernel {
	b := maker{ir.NewBuilder("copy")}
	n := b.Symbol("n")
	x, y := b.Buffer("x", ir.In, t, n), b.Buffer("y", ir.Out, t, n)
	b.Vector(n, nil, func(i ir.Axis) {
		at := ir.Coord{Stride: ir.Const(1), Bound: n, Terms: []ir.Term{term(i, 1)}, Value: ir.NoRef}
		b.Store(access(y, 0, at), b.Load(access(x, 0, at)))
	})
	return b.Finish()
}

// AdvanceKernel returns the kernel that runs after the condition of a loop: it counts an iteration if the condition
// is true and the loop still runs; else it clears the loop's flag. Its buffers are the number of iterations, the flag
// that is set while the loop runs, and the condition.
func AdvanceKernel() *ir.Kernel {
	b := maker{ir.NewBuilder("advance")}
	one := ir.Const(1)
	count := b.Buffer("count", ir.InOut, scalar.I32, one)
	live := b.Buffer("live", ir.InOut, scalar.Bool, one)
	test := b.Buffer("test", ir.In, scalar.Bool, one)
	load := func(i int) ir.Ref { return b.Load(access(i, 0)) }
	more := b.op(scalar.OpAnd, scalar.Bool, load(live), load(test))
	b.Store(access(count, 0), b.op(scalar.OpAdd, scalar.I32, load(count), b.convert(scalar.I32, more)))
	b.Store(access(live, 0), more)
	return b.Finish()
}

// ChoiceKernel returns the kernel that writes guards for n branches: whether the clamped index
// selects the branch, and the conditional itself runs.
func ChoiceKernel(index core.DType, n int) *ir.Kernel {
	b := maker{ir.NewBuilder("choose")}
	t := scalar.Stored(index)
	x := b.Buffer("index", ir.In, t, ir.Const(1))
	live := b.Buffer("live", ir.In, scalar.Bool, ir.Const(1))
	y := b.Buffer("guards", ir.Out, scalar.Bool, ir.Const(int64(n)))
	k := b.Load(access(x, 0))
	if t == scalar.U64 {
		k = b.op(scalar.OpMin, t, k, b.Const(t, uint64(n)))
	}
	k = b.convert(scalar.I64, k)
	k = b.op(scalar.OpMin, scalar.I64, b.op(scalar.OpMax, scalar.I64, k, b.Const(scalar.I64, 0)), b.Const(scalar.I64, uint64(n-1)))
	all := b.Load(access(live, 0))
	for i := range n {
		is := b.op(scalar.OpEq, scalar.Bool, k, b.Const(scalar.I64, uint64(i)))
		b.Store(access(y, int64(i)), b.op(scalar.OpAnd, scalar.Bool, is, all))
	}
	return b.Finish()
}
