package device

import (
	"context"
	goruntime "runtime"
	"strings"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime"
)

// shapeless caches kernels of eager operations whose extents are arguments, so that an operation on arrays of a new shape compiles
// nothing. Their indices have 64 bits, and a thread takes single elements: large arrays that occur again get a kernel of their own.
type shapeless struct {
	kernels runtime.LeafCache[*launch]      // nil: the operation has no code
	seen    runtime.LeafCache[*atomic.Bool] // by the types of large operands: whether they have occurred
}

// largeEager is the number of elements from which a kernel for one shape may be faster.
const largeEager = 1 << 20

// A structured is an eager operation with what its kernel is compiled for, and the values of the kernel's symbols.
type structured struct {
	p       core.Primitive // nil: all operations that move elements
	key     string
	kernel  func() *ir.Kernel
	symbols []int64
}

// structure returns an operation on arrays of any extents, nil if it has no kernel for them.
func structure(p core.Primitive, in, out []core.ShapedArray) *structured {
	if len(out) != 1 || len(in) == 0 || len(in) > 8 {
		return nil
	}
	if len(in) == 1 {
		if m := movementOf(p, in[0], out[0]); m != nil {
			return m
		}
	}
	if !expand.Has(p) {
		return nil
	}
	var key strings.Builder
	for _, a := range in {
		switch {
		case a.Shape == out[0].Shape:
		case a.Rank() == 0:
			key.WriteByte('.')
		default:
			return nil
		}
		key.WriteString(a.DType.String() + " ")
	}
	n := int64(out[0].Size())
	return &structured{p, key.String() + out[0].DType.String(), func() *ir.Kernel { return schedule.ElementwiseKernel(p, in, out[0], oneByOne) }, []int64{n, 2 * n}}
}

// oneByOne writes the loop of an elementwise kernel.
func oneByOne(b *ir.Builder, n ir.Size, element func(axes ...ir.Term)) {
	b.Vector(n, nil, func(i ir.Axis) { element(ir.Term{Axis: i, Coeff: ir.Const(1)}) })
}

// anyShape returns code for an operation on arrays of any shapes, nil if it has none. Large arrays that occur again have a kernel of their
// own.
func (e *executor) anyShape(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	s := structure(p, in, out)
	if s == nil {
		return nil
	}
	if err := e.Available(); err != nil { // which opens the device
		return failing(err)
	}
	var err error
	l := e.kernels.Get(s.p, s.key, func() (*launch, bool) {
		k := s.kernel()
		if k == nil {
			return nil, true
		}
		var b *builder
		err = within(e.machine(), func(d schedule.Device) (err error) {
			b = newBuilder(e, nil)
			b.eager = true
			b.add(s, false, "", func() *simt.Func { return simt.Lower(k, simt.Options{Device: d}) })
			b.code, err = e.driver.Build(b.list)
			return err
		})
		if err != nil {
			return nil, false // errors are not remembered: the driver may work again
		}
		return b.kernel(s), true
	})
	switch {
	case err != nil:
		return failing(err)
	case l == nil:
		return nil
	}
	most := out[0].Size()
	for _, a := range in {
		most = max(most, a.Size())
	}
	if most < largeEager {
		return s.leaf(e, l)
	}
	first := s.leaf(e, l)
	seen := e.seen.Get(p, runtime.TypesText(in), func() (*atomic.Bool, bool) { return new(atomic.Bool), true })
	return func(ctx context.Context, p core.Primitive, args []*runtime.Array, types []core.ShapedArray, outs []*runtime.Array) error {
		if seen.Swap(true) {
			if own := e.oneShape(p, in); own != nil {
				return own(ctx, p, args, types, outs)
			}
		}
		return first(ctx, p, args, types, outs)
	}
}

// failing returns code that returns an error.
func failing(err error) runtime.Leaf {
	return func(context.Context, core.Primitive, []*runtime.Array, []core.ShapedArray, []*runtime.Array) error {
		return err
	}
}

// renamed returns code for an operation whose result has its operand's bytes, in their order: the memory is the result's, too. It
// returns nil for other operations.
func renamed(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	if len(in) != 1 || len(out) != 1 || bytesOf(in[0]) != bytesOf(out[0]) {
		return nil
	}
	if m, ok := schedule.MovementOf(p, in[0], out[0]); ok {
		if len(m.Axes) > 1 || m.Axes[0].N > 1 && m.Axes[0].Stride != 1 {
			return nil
		}
	} else if _, ok := p.(prim.BitcastConvertTypeP); !ok || !wholeBytes(in[0].DType) || !wholeBytes(out[0].DType) {
		return nil
	}
	return func(_ context.Context, _ core.Primitive, in []*runtime.Array, types []core.ShapedArray, outs []*runtime.Array) error {
		return core.Catch(func() { outs[0] = in[0].WithType(types[0]) })
	}
}

func wholeBytes(dt core.DType) bool { return dt.Bits() == 8*dt.Size() }

// leaf returns the code of an operation whose kernel is l.
func (s *structured) leaf(e *executor, l *launch) runtime.Leaf {
	return func(ctx context.Context, p core.Primitive, in []*runtime.Array, types []core.ShapedArray, outs []*runtime.Array) error {
		c := invocations.Get().(*invocation)
		defer c.end()
		for _, a := range in {
			v, err := e.at(ctx, a)
			if err != nil {
				return err
			}
			c.in = append(c.in, v)
		}
		x := &c.x
		x.ctx, x.e, x.name = ctx, e, append([]byte(p.Name()), 0)
		if err := x.enter(); err != nil {
			return err
		}
		defer x.leave()
		if err := runtime.Ended(ctx); err != nil {
			return err
		}
		t := types[0]
		v, err := x.alloc(bytesOf(t))
		if err != nil {
			return err
		}
		if err := x.launch(l, false, append(c.in, v), s.symbols...); err != nil {
			return err
		}
		mark, err := e.driver.Mark()
		if err != nil {
			return err
		}
		outs[0] = e.array(t, v, mark)
		e.pool.describe(v.p.block, &origin{t: t, op: p.Name()})
		goruntime.KeepAlive(in)
		return nil
	}
}

// movementOf returns an operation that moves elements: broadcasts, transposes, slices and reversals. The place from which an element of
// the result is taken is a sum of its indices times strides.
func movementOf(p core.Primitive, in, out core.ShapedArray) *structured {
	t, ok := map[int]scalar.Type{1: scalar.U8, 2: scalar.U16, 4: scalar.U32, 8: scalar.U64}[in.DType.Size()]
	m, moves := schedule.MovementOf(p, in, out)
	if !ok || !moves || in.DType != out.DType || len(m.Axes) > mostMoved {
		return nil
	}
	symbols := []int64{int64(in.Size()), int64(out.Size()), m.Base}
	step := int64(1)
	steps := make([]int64, len(m.Axes))
	for i := len(m.Axes) - 1; i >= 0; i-- {
		steps[i] = step
		step *= m.Axes[i].N
	}
	for i, a := range m.Axes {
		symbols = append(symbols, a.N, steps[i], a.Stride)
	}
	n := len(m.Axes)
	return &structured{nil, t.String() + " " + string(rune('0'+n)), func() *ir.Kernel { return schedule.MoveKernel(t, n) }, symbols}
}

// mostMoved bounds the axes of kernels that move elements.
const mostMoved = 6
