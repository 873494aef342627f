package prim_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/hostcall"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// Refusals are sentences that name the operands and the fix.
func TestReductionRefusals(t *testing.T) {
	f, i, b := core.Float32, core.Int32, core.Bool
	d := core.MakeDims
	conv := windows.ConvP{LhsSpec: core.Range(0, 3), RhsSpec: core.Range(0, 3), OutSpec: core.Range(0, 3), Strides: d(1), LhsDilation: d(1), RhsDilation: d(1), Padding: d(0, 0), FeatureGroups: 1, BatchGroups: 1}
	groups := func(features, batch int) windows.ConvP {
		c := conv
		c.FeatureGroups, c.BatchGroups = features, batch
		return c
	}
	stride := conv
	stride.Strides = d(0)
	pads := conv
	pads.Padding = d(0)
	for _, c := range []struct {
		p       core.Primitive
		in      []core.ShapedArray
		kind    error
		message string
	}{
		{prim.ReduceSumP{Axes: d(1)}, avalsOf(core.Aval(f, 3)), core.ErrIndex, "axis 1 of the reduction axes (1,) is not an axis of f32[3]"},
		{prim.ReduceSumP{Axes: d(0, 0)}, avalsOf(core.Aval(f, 3)), core.ErrShape, "contain axis 0 twice"},
		{prim.ReduceProdP{}, avalsOf(core.Aval(b, 3)), core.ErrDType, "takes numbers, got bool[3]; convert it first"},
		{prim.ReduceAndP{}, avalsOf(core.Aval(f, 3)), core.ErrDType, "takes bools and integers of 8 bits or more, got f32[3]"},
		{prim.ReduceMaxP{}, avalsOf(core.Aval(core.Key)), core.ErrDType, "got key<fry>[]"},
		{prim.ArgmaxP{Axes: d(0), Index: i}, avalsOf(core.Aval(f, 0)), core.ErrShape, "axis 0 of f32[0] is empty"},
		{prim.ArgmaxP{Axes: d(0), Index: f}, avalsOf(core.Aval(f, 2)), core.ErrDType, "must be an integer (got f32)"},
		{prim.ArgmaxP{Axes: d(1), Index: core.Uint8}, avalsOf(core.Aval(f, 2, 600)), core.ErrDType, "u8 cannot hold the positions of axis 1 of f32[2,600]"},
		{prim.ArgminP{Axes: d(0), Index: core.Int8}, avalsOf(core.Aval(f, 129)), core.ErrDType, "(got i8, want a type that holds 128)"},
		{prim.ArgminP{Axes: d(0, 1), Index: i}, avalsOf(core.Aval(f, 2, 2)), core.ErrShape, "needs exactly one axis (got (0, 1))"},
		{prim.CumsumP{Cumulation: prim.Cumulation{Axis: -1}}, avalsOf(core.Aval(f, 2)), core.ErrShape, "axis -1 is not an axis of f32[2]; count axes from 0"},
		{prim.CummaxP{}, avalsOf(core.Aval(b, 2)), core.ErrDType, "takes numbers"},
		{prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0)}, avalsOf(core.Aval(f, 2), core.Aval(f, 3)), core.ErrShape, "contracting axes must have equal sizes (axis 0 of f32[2] is 2, axis 0 of f32[3] is 3)"},
		{prim.DotGeneralP{LhsContract: d(0)}, avalsOf(core.Aval(f, 2), core.Aval(f, 3)), core.ErrShape, "equally many contracting axes"},
		{prim.DotGeneralP{LhsContract: d(0), RhsContract: d(0), LhsBatch: d(0), RhsBatch: d(1)}, avalsOf(core.Aval(f, 2), core.Aval(f, 2, 2)), core.ErrShape, "must be distinct axes of f32[2]"},
		{prim.DotGeneralP{Preferred: core.Float16}, avalsOf(core.Aval(f), core.Aval(f)), core.ErrDType, "narrower than f32; convert the result instead"},
		{prim.DotGeneralP{Preferred: i}, avalsOf(core.Aval(f), core.Aval(f)), core.ErrDType, "cannot have the preferred type i32"},
		{prim.DotGeneralP{Preferred: core.Int64}, avalsOf(core.Aval(core.Complex64), core.Aval(f)), core.ErrDType, "cannot have the preferred type i64"},
		{rng.RNGBitGeneratorP{Algorithm: "philox", DType: core.Uint32}, avalsOf(core.Aval(core.Uint64, 2)), core.ErrStatic, `unknown algorithm "philox"`},
		{matrices.SymmetricProductP{}, avalsOf(core.Aval(f, 2, 3, 4), core.Aval(f, 5, 3, 3)), core.ErrShape, "leading axes"},
		{prim.DotGeneralP{Preferred: core.Uint32}, avalsOf(core.Aval(i), core.Aval(i)), core.ErrDType, "has no sign"},
		{conv, avalsOf(core.Aval(f, 1, 2, 3), core.Aval(f, 1, 2)), core.ErrShape, "must have equal ranks"},
		{conv, avalsOf(core.Aval(f, 1, 2, 3), core.Aval(f, 1, 3, 1)), core.ErrShape, "takes 3 input features, f32[1,2,3] has 2 in each of 1 groups"},
		{conv, avalsOf(core.Aval(f, 1, 2, 3), core.Aval(i, 1, 2, 1)), core.ErrDType, "operands must have one dtype"},
		{groups(2, 1), avalsOf(core.Aval(f, 1, 3, 3), core.Aval(f, 2, 1, 1)), core.ErrShape, "2 feature groups do not divide the 3 features"},
		{groups(1, 2), avalsOf(core.Aval(f, 3, 1, 3), core.Aval(f, 2, 1, 1)), core.ErrShape, "2 batch groups do not divide the batch of 3"},
		{groups(2, 2), avalsOf(core.Aval(f, 4, 2, 3), core.Aval(f, 2, 1, 1)), core.ErrShape, "cannot be combined"},
		{stride, avalsOf(core.Aval(f, 1, 1, 3), core.Aval(f, 1, 1, 1)), core.ErrShape, "strides must be positive (got (0,))"},
		{pads, avalsOf(core.Aval(f, 1, 1, 3), core.Aval(f, 1, 1, 1)), core.ErrShape, "the padding (0,) has no pair for each of 1 spatial axis"},
		{windows.ReduceWindowSumP{Window: windows.SimpleWindow(d(2), d(1), d(0, 0))}, avalsOf(core.Aval(f, 2, 2)), core.ErrShape, "the window sizes (2,) do not go with 2 axes"},
		{windows.SelectAndScatterAddP{Select: windows.SelectGe, Dims: d(2), Strides: d(2), Padding: d(0, 0)}, avalsOf(core.Aval(f, 3), core.Aval(f, 4)), core.ErrShape, "have positions of shape (2,), but the source is f32[3]"},
		{windows.SelectAndGatherAddP{Select: windows.SelectGe, Window: windows.SimpleWindow(d(2), d(2), d(0, 0))}, avalsOf(core.Aval(core.Complex64, 4), core.Aval(core.Complex64, 4)), core.ErrDType, "must be integers or real floats"},
		{matrices.CholeskyP{}, avalsOf(core.Aval(f, 2, 3)), core.ErrShape, "takes square matrices, got f32[2,3]"},
		{matrices.CholeskyP{}, avalsOf(core.Aval(i, 2, 2)), core.ErrDType, "takes floating or complex matrices"},
		{matrices.TriangularSolveP{LeftSide: true}, avalsOf(core.Aval(f, 2, 2), core.Aval(f, 3, 2)), core.ErrShape, "a matrix of f32[2,2] does not fit axis 0 of the right sides f32[3,2]"},
		{matrices.TriangularSolveP{}, avalsOf(core.Aval(f, 4, 2, 2), core.Aval(f, 3, 2)), core.ErrShape, "must have equal leading axes"},
		{matrices.SVDP{Full: true, Vectors: true, Subset: matrices.Subset{Lo: 1, Hi: 3}}, avalsOf(core.Aval(f, 3, 3)), core.ErrShape, "full matrices of a range (1, 3) of the singular values"},
		{prim.PpermuteP{Axis: prim.MakeNames("i"), Perm: d(0, 1, 0, 2)}, avalsOf(core.Aval(f)), core.ErrAxis, "sources and targets must be distinct"},
		{prim.ReduceScatterP{Axis: prim.MakeNames("i"), Size: 4}, avalsOf(core.Aval(f, 3)), core.ErrShape, "must have the size 4 of the named axis"},
		{prim.AllToAllP{Axis: prim.MakeNames("i"), Size: 2}, avalsOf(core.Aval(f, 3)), core.ErrShape, "is not a multiple of the 2 parts"},
		{hostcall.DebugPrintP{Format: "{y}", Keywords: prim.MakeNames("x")}, avalsOf(core.Aval(f)), core.ErrStatic, `the text "{y}" has {y}, which was not given`},
		{hostcall.DebugPrintP{Format: "x", Positional: 1}, avalsOf(core.Aval(f)), core.ErrStatic, "does not use positional value 0"},
		{hostcall.DebugPrintP{Format: "{", Positional: 0}, nil, core.ErrStatic, "write {{ for a brace"},
		{hostcall.PureCallbackP{Fn: &hostcall.HostFunc{}, Vmap: "legacy"}, nil, core.ErrStatic, "there are sequential, sequential_unrolled, expand_dims and broadcast_all"},
	} {
		err := core.Catch(func() { core.AbstractOf(c.p, c.in) })
		require.True(t, errors.Is(err, c.kind), "%+v: %v", c.p, err)
		require.ErrorContains(t, err, c.message)
		require.ErrorContains(t, err, c.p.Name()+": ")
	}
}

func avalsOf(as ...core.ShapedArray) []core.ShapedArray { return as }

// An operation without a rule is refused by a message with the reason and what to do instead.
func TestReductionsWithoutRules(t *testing.T) {
	withRuntime(t)
	d := core.MakeDims
	x := prim.Full(core.Aval(core.Float32, 4), 1)
	one := prim.Num(core.Aval(core.Float32), 1)
	var sum, recur core.Primitive
	for _, s := range primtest.All() {
		if p, ok := s.Prim.(prim.ReduceP); ok && s.In[0].DType == core.Float32 && p.Axes == d(0) && p.Fn == "add" && sum == nil {
			sum = prim.ReduceP{Axes: p.Axes, Program: p.Program}
		} else if ok && p.Fn == "recur" {
			recur = p
		}
	}
	require.NotNil(t, sum)
	require.NotNil(t, recur)
	vjp := func(f func(in []core.Value) []core.Value, in ...core.Value) func() {
		return func() {
			active := make([]bool, len(in))
			for i := range active {
				active[i] = true
			}
			out, back := transforms.VJP(f, in, active)
			back(out)
		}
	}
	echo := &hostcall.HostFunc{Name: "echo", Call: func(in []core.Value) []core.Value { return in }}
	for _, c := range []struct {
		f       func()
		kind    error
		message string
	}{
		{vjp(apply1(sum), x, one), core.ErrNoRule, "the initial value of a reduction cannot be differentiated"},
		{func() { transforms.Vmap(4, "", apply1(sum), []core.Value{x, x}, []bool{false, true}) }, core.ErrNoRule, "cannot differ over a batch"},
		{vjp(apply1(hostcall.PureCallbackP{Fn: echo, Results: hostcall.MakeAvals(x.Aval())}), x), core.ErrNoRule, "the derivative of the Go function echo is not known; wrap the call in a custom.JVP"},
		{vjp(apply1(hostcall.IOCallbackP{Fn: echo, Results: hostcall.MakeAvals(x.Aval())}), x), core.ErrNoRule, "stop the gradient of its operands"},
	} {
		err := core.Catch(c.f)
		require.True(t, errors.Is(err, c.kind), "%v", err)
		require.ErrorContains(t, err, c.message)
	}
}

// A function with effects receives every example of a batch, in order, and the primal of a dual
// number. If no operand varies over the batch, it is called once.
func TestCallbacksSeeEachExampleInOrder(t *testing.T) {
	withRuntime(t)
	var seen []complex128
	note := &hostcall.HostFunc{Name: "note", Call: func(in []core.Value) []core.Value {
		for _, v := range in {
			seen = append(seen, numbersOf(v)...)
		}
		return in
	}}
	look := &hostcall.HostFunc{Name: "look", Call: func(in []core.Value) []core.Value { note.Call(in); return nil }}
	x := prim.Iota(core.Float32, core.MakeDims(3), 0)
	c := prim.Num(core.Aval(core.Float32), 7)
	scalar := core.Aval(core.Float32)
	run := func(p core.Primitive) []complex128 {
		seen = nil
		transforms.Vmap(3, "", func(in []core.Value) []core.Value { return core.Bind(p, in...) }, []core.Value{x, c}, []bool{true, false})
		return slices.Clone(seen)
	}
	each := []complex128{0, 7, 1, 7, 2, 7}
	results := hostcall.MakeAvals(scalar, scalar)
	for _, p := range []core.Primitive{
		hostcall.DebugCallbackP{Fn: look}, hostcall.DebugCallbackP{Fn: look, Ordered: true},
		hostcall.IOCallbackP{Fn: note, Results: results}, hostcall.IOCallbackP{Fn: note, Results: results, Ordered: true},
		hostcall.PureCallbackP{Fn: note, Results: results}, hostcall.PureCallbackP{Fn: note, Results: results, Vmap: "sequential"},
		hostcall.PureCallbackP{Fn: note, Results: results, Vmap: "sequential_unrolled"},
	} {
		require.Equal(t, each, run(p), "%+v", p)
	}
	require.Equal(t, []complex128{0, 1, 2, 7, 7, 7}, run(hostcall.PureCallbackP{Fn: note, Results: results, Vmap: "broadcast_all"}))

	seen = nil
	transforms.JVP(func(in []core.Value) []core.Value {
		hostcall.DebugCallback(look, false, in...)
		return in
	}, []core.Value{x}, []core.Value{x})
	require.Equal(t, []complex128{0, 1, 2}, seen)

	seen = nil
	transforms.Vmap(3, "", func(in []core.Value) []core.Value {
		hostcall.DebugCallback(look, false, c)
		return in
	}, []core.Value{x}, []bool{true})
	require.Equal(t, []complex128{7}, seen)
}

// A host function must give what it promised.
func TestHostFunctionsKeepPromises(t *testing.T) {
	withRuntime(t)
	x := runtime.New(core.Aval(core.Float32, 2))
	few := &hostcall.HostFunc{Name: "few", Call: func([]core.Value) []core.Value { return nil }}
	wrong := &hostcall.HostFunc{Name: "wrong", Call: func([]core.Value) []core.Value { return []core.Value{runtime.New(core.Aval(core.Int32, 2))} }}
	for _, c := range []struct {
		fn      *hostcall.HostFunc
		message string
	}{
		{few, "the function few returned 0 results (want 1)"},
		{wrong, "the function wrong returned another type than was promised for its result (got i32[2], want f32[2])"},
		{&hostcall.HostFunc{Name: "read"}, "the function read is not in the text"},
	} {
		err := core.Catch(func() { hostcall.PureCallback(c.fn, []core.ShapedArray{x.Aval()}, "", x) })
		require.ErrorContains(t, err, c.message)
	}
}

// debug_print fills its text in.
func TestDebugPrintText(t *testing.T) {
	p := hostcall.DebugPrintP{Format: "{{{}}} {x:.2f}|{1}{{", Positional: 2, Keywords: prim.MakeNames("x")}
	require.NotPanics(t, func() { p.Abstract(make([]core.ShapedArray, 3)) })
	got := p.Text(func(i int, spec string) string { return "<" + string(rune('0'+i)) + spec + ">" })
	require.Equal(t, "{<0>} <2.2f>|<1>{", got)
}

// A reduction by the program of a sum has the bits of the sum, a windowed one those
// of the windowed sum, whether a kernel runs the program or its expansion does.
func TestReductionByProgramIsTheReduction(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(17, 18))
	d := core.MakeDims
	f := core.Float32
	program := func(p core.Primitive) *jaxpr.Jaxpr {
		a, b, y := jaxpr.NewVar(core.Aval(f)), jaxpr.NewVar(core.Aval(f)), jaxpr.NewVar(core.Aval(f))
		return &jaxpr.Jaxpr{Ins: []*jaxpr.Var{a, b}, Outs: []jaxpr.Atom{y}, Eqns: []*jaxpr.Eqn{{Outs: []*jaxpr.Var{y}, Prim: p, Ins: []jaxpr.Atom{a, b}}}}
	}
	zero, unit := prim.Num(core.Aval(f), 0), prim.Num(core.Aval(f), 1)
	same := func(p core.Expander, want core.Value, in ...core.Value) {
		t.Helper()
		require.True(t, sameBits(want, core.Bind(p, in...)[0]), "%+v of %v, run", p, in[0].Aval())
		got := p.Expand(in)[0]
		if l, ok := got.(core.Literal); ok {
			got = runtime.FromLiteral(l)
		}
		require.True(t, sameBits(want, got), "%+v of %v, expanded", p, in[0].Aval())
	}
	for _, c := range []struct{ shape, axes core.Dims }{
		{d(7), d(0)}, {d(64), d(0)}, {d(100), d(0)}, {d(5000), d(0)}, {d(8192), d(0)}, {d(300, 2), d(0)}, {d(2, 70), d(1)}, {d(3, 1, 40, 2, 3), d(2, 4, 0)},
		{d(600, 3), d(0)}, {d(2, 3), core.Dims{}}, {d(0, 2), d(0)}, {d(2, 0), d(0)}, {d(1, 4), d(0)}, {d(), core.Dims{}},
	} {
		x := drawArray(r, primtest.Sample{In: []core.ShapedArray{core.Aval(f, c.shape.Ints()...)}}, 0, -1)
		for _, order := range []prim.Order{prim.OrderImplied, prim.OrderLanes, prim.OrderChunks} {
			sum := core.Bind1(prim.ReduceSumP{Axes: c.axes, Order: order}, x)
			same(prim.ReduceP{Axes: c.axes, Program: program(prim.AddP{}), Order: order}, sum, x, zero)
			product := core.Bind1(prim.ReduceProdP{Axes: c.axes, Order: order}, x)
			same(prim.ReduceP{Axes: c.axes, Program: program(prim.MulP{}), Order: order}, product, x, unit)
		}
	}
	for _, s := range primtest.All() {
		if p, ok := s.Prim.(windows.ReduceWindowSumP); ok && s.In[0].DType == f {
			x := drawArray(r, s, 0, -1)
			same(windows.ReduceWindowP{Window: p.Window, Program: program(prim.AddP{})}, core.Bind1(p, x), x, zero)
		}
	}
}
