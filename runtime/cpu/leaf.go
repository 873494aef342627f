package cpu

import (
	"context"
	"reflect"
	"runtime/debug"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
)

// fewElements is the number of elements from which an eager operation takes less time as machine code
// than on the reference executor.
const fewElements = 512

type leafCache struct {
	kernels runtime.LeafCache[*kernel]      // elementwise, for any shape; nil: there is no code
	leaves  runtime.LeafCache[runtime.Leaf] // other operations, by shape; nil: the reference runs them
}

// Leaf returns native code for an eager operation, or nil if the reference executor is to run it, for example
// because the operation has few elements.
func (e *executor) Leaf(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	n := 0
	for _, a := range in {
		n = max(n, a.Size())
	}
	for _, a := range out {
		n = max(n, a.Size())
	}
	if n < fewElements || e.Available() != nil || !reflect.TypeOf(p).Comparable() || len(jaxpr.Programs(p)) > 0 {
		return nil
	}
	if k := e.elementwise(p, in, out); k != nil {
		return k.leaf
	}
	return e.program(p, in, out)
}

// elementwise returns the kernel of an operation with one to eight operands that are scalars or have the shape
// of its one result. It returns nil for other operations, and if there is no code.
func (e *executor) elementwise(p core.Primitive, in, out []core.ShapedArray) *kernel {
	if len(out) != 1 || !expand.Has(p) || len(in) == 0 || len(in) > 8 {
		return nil
	}
	var key strings.Builder
	for _, a := range in {
		switch {
		case a.Shape == out[0].Shape:
			key.WriteString(a.DType.String())
		case a.Rank() == 0:
			key.WriteString("." + a.DType.String())
		default:
			return nil
		}
		key.WriteByte(' ')
	}
	key.WriteString(out[0].DType.String())
	return e.leaves.kernels.Get(p, key.String(), func() (*kernel, bool) {
		k, _ := e.compileElementwise(p, in, out[0]) // an operation without code runs on the reference
		return k, true
	})
}

// compileElementwise returns the code of an elementwise operation, nil if it has none.
func (e *executor) compileElementwise(p core.Primitive, in []core.ShapedArray, out core.ShapedArray) (k *kernel, err error) {
	defer recoverNoCode(&err)
	if built := schedule.ElementwiseKernel(p, in, out, inBlocks); built != nil {
		return e.newKernel(built)
	}
	return nil, nil
}

// elementsPerPoint is the number of elements that an elementwise kernel computes at a point of its grid.
const elementsPerPoint = 4096

// inBlocks writes the loop of an elementwise kernel. It adds a third symbol, the number of points.
func inBlocks(b *ir.Builder, n ir.Size, element func(axes ...ir.Term)) {
	o := b.Grid(b.Symbol("points"))
	b.Vector(ir.Const(elementsPerPoint), &ir.Tail{Outer: o, Total: n}, func(i ir.Axis) {
		element(ir.Term{Axis: o, Coeff: ir.Const(elementsPerPoint)}, ir.Term{Axis: i, Coeff: ir.Const(1)})
	})
}

func (k *kernel) leaf(ctx context.Context, _ core.Primitive, in []*runtime.Array, types []core.ShapedArray, outs []*runtime.Array) (err error) {
	if outs[0] == nil || outs[0].Buffer() != nil {
		outs[0] = newResult(&runtime.Slab{}, types[0])
	}
	n := int64(types[0].Size())
	x := begin(ctx, defaultThreads())
	defer x.end()
	defer x.space.recoverFault(debug.SetPanicOnFault(true), &err)
	symbols := [3]int64{n, 2 * n, (n + elementsPerPoint - 1) / elementsPerPoint}
	var few [9]uint64
	bufs := few[:0]
	for _, a := range in {
		bufs = append(bufs, address(a.Tensor().Data))
	}
	bufs = append(bufs, address(outs[0].Tensor().Data))
	l := newLaunch(k, symbols[:], defaultThreads())
	err = l.run(x, bufs, symbols[:])
	keepAlive(in, outs)
	return err
}

// program returns code for an operation of certain shapes, nil where the reference
// executor runs it.
func (e *executor) program(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	return e.leaves.leaves.Get(p, runtime.TypesText(in), func() (runtime.Leaf, bool) { return e.compileLeaf(p, in), true })
}

// compileLeaf compiles an operation as a program of one equation.
func (e *executor) compileLeaf(p core.Primitive, in []core.ShapedArray) runtime.Leaf {
	r := runtime.LeafRequest(p, in)
	if !worthCompiling(r.Jaxpr) {
		return nil
	}
	prog, err := compileNative(e, r)
	if err != nil || len(prog.account.Fallbacks) > 0 {
		return nil // an operation without code runs on the reference
	}
	return func(ctx context.Context, _ core.Primitive, in []*runtime.Array, _ []core.ShapedArray, outs []*runtime.Array) error {
		return prog.Run(ctx, in, outs)
	}
}
