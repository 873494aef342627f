package device

import (
	"context"
	goruntime "runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/fuse"
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
	unsized runtime.LeafCache[leaf]         // by the types of operands: programs of such kernels
	code    runtime.LeafCache[Kernel]       // of these programs, by the text of the code
	seen    runtime.LeafCache[*atomic.Bool] // by the types of large operands: whether they have occurred
}

// largeEager is the number of elements from which a kernel for one shape may be faster.
const largeEager = 1 << 20

// A structured is an eager operation with what its kernel is compiled for, and the values of the kernel's symbols.
type structured struct {
	p       core.Primitive // nil: all operations that move elements
	key     string
	lower   func(d schedule.Device) *simt.Func // returns nil if the operation has no code
	symbols []int64
	large   bool // a kernel for one shape may be faster
}

// structure returns an operation on arrays of any extents, nil if it has no kernel for them.
func structure(p core.Primitive, in, out []core.ShapedArray) *structured {
	if len(out) != 1 || len(in) == 0 || len(in) > 8 {
		return nil
	}
	switch len(in) {
	case 1:
		if m := movementOf(p, in[0], out[0]); m != nil {
			return m
		}
		if r := fuse.ReductionOf(p, in[0], out[0]); r != nil {
			return reduction(r, in[0].Size())
		}
	case 2:
		if g := schedule.TakeOf(p, in, out[0]); g != nil {
			return &structured{take{}, g.Key, func(d schedule.Device) *simt.Func { return simt.Lower(g.Kernel(), simt.Options{Device: d}) }, g.Symbols, isLarge(in, out[0])}
		}
		if d := schedule.DotOf(p, in, out[0]); d != nil {
			return &structured{dot{}, d.Key, func(v schedule.Device) *simt.Func { return simt.FuncOn(v, d.Kernel) }, d.Symbols, d.Products >= ownProduct || d.Deep >= longSum}
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
	lower := func(d schedule.Device) *simt.Func {
		k := schedule.ElementwiseKernel(p, in, out[0], oneByOne)
		if k == nil {
			return nil
		}
		return simt.Lower(k, simt.Options{Device: d})
	}
	return &structured{p, key.String() + out[0].DType.String(), lower, []int64{n, 2 * n}, isLarge(in, out[0])}
}

func isLarge(in []core.ShapedArray, out core.ShapedArray) bool {
	most := out.Size()
	for _, a := range in {
		most = max(most, a.Size())
	}
	return most >= largeEager
}

// take, dot and reduced are the keys of gathers, products and reductions. They are no operations.
type (
	take    struct{ core.Primitive }
	dot     struct{ core.Primitive }
	reduced struct{ core.Primitive }
)

// reduction returns a reduction of n elements. A thread computes an element of the result if the result has many and rows are short,
// else a group does. It returns nil where a group would have to reduce too many elements.
func reduction(r *fuse.Reduction, n int) *structured {
	o, key := simt.Options{Mode: simt.PerGroup}, " by groups"
	if r.Kept >= manyKept && r.Last <= fewReduced {
		o.Mode, key = simt.PerThread, " by threads"
		o.Threads = 128
	} else if int64(n)/r.Kept >= mostReduced {
		return nil
	}
	lower := func(d schedule.Device) *simt.Func {
		o.Device = d
		return simt.Lower(r.Kernel(), o)
	}
	return &structured{reduced{}, r.Key + key, lower, r.Symbols, n >= largeReduction || int64(n)/r.Kept >= longSum}
}

const (
	largeReduction = 1 << 16 // elements from which a reduction for one shape may be faster
	largeFactor    = 1 << 13 // elements of a matrix from which a product without tiles takes too long
	ownProduct     = 1 << 20 // products of numbers from which a kernel for one shape may be faster
	longSum        = 1 << 11 // elements of a sum from which a kernel for one shape may be faster
	manyKept       = 1 << 12 // elements of a result that keep a device busy
	fewReduced     = 1 << 5  // elements of a row that a thread reduces
	mostReduced    = 1 << 22 // elements that a group reduces
)

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
		var b *builder
		err = within(e.machine(), func(d schedule.Device) (err error) {
			b = newBuilder(e, nil)
			b.eager = true
			f := s.lower(d)
			if f == nil || f.Threads > d.GroupThreads() {
				b = nil
				return nil
			}
			b.add(s, false, "", func() *simt.Func { return f })
			b.code, err = e.driver.Build(b.list)
			return err
		})
		switch {
		case err != nil:
			return nil, false // errors are not remembered: the driver may work again
		case b == nil:
			return nil, true
		}
		return b.kernel(s), true
	})
	switch {
	case err != nil:
		return failing(err)
	case l == nil:
		return nil
	}
	if !s.large {
		return s.leaf(e, l)
	}
	return e.ownLater(p, in, s.leaf(e, l))
}

// ownLater returns first, and code for one shape for the operations that follow it.
func (e *executor) ownLater(p core.Primitive, in []core.ShapedArray, first runtime.Leaf) runtime.Leaf {
	seen := e.seen.Get(p, runtime.TypesText(in), func() (*atomic.Bool, bool) { return new(atomic.Bool), true })
	return func(ctx context.Context, p core.Primitive, args []*runtime.Array, types []core.ShapedArray, outs []*runtime.Array) error {
		if seen.Swap(true) {
			if own := e.oneShape(p, in, false); own != nil {
				return own(ctx, p, args, types, outs)
			}
		}
		return first(ctx, p, args, types, outs)
	}
}

// byShape returns code for an operation whose plan depends on the shapes, but whose kernels take numbers that do as arguments.
func (e *executor) byShape(p core.Primitive, in, out []core.ShapedArray) runtime.Leaf {
	l := e.oneShape(p, in, true)
	large := largeReduction
	if _, ok := p.(prim.DotGeneralP); ok {
		large = largeFactor
	}
	if l == nil || !slices.ContainsFunc(slices.Concat(in, out), func(a core.ShapedArray) bool { return a.Size() >= large }) {
		return l
	}
	return e.ownLater(p, in, l)
}

// unsized is the key of kernels that take what depends on shapes as arguments. It is no operation.
type unsized struct{ core.Primitive }

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
	return &structured{nil, t.String() + " " + string(rune('0'+n)), func(d schedule.Device) *simt.Func {
		return simt.Lower(schedule.MoveKernel(t, n), simt.Options{Device: d})
	}, symbols, isLarge([]core.ShapedArray{in}, out)}
}

// mostMoved bounds the axes of kernels that move elements.
const mostMoved = 6
