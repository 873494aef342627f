package legalize_test

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/legalize"
	"github.com/weft-go/weft/runtime"
)

func dims(n ...int) core.Dims { return core.MakeDims(n...) }

// evaluated returns the bytes of a program's results. Products of pairs, which devices alone
// have, are evaluated as products of real numbers: chains of up to 64 pairs are theirs.
func evaluated(t *testing.T, j *jaxpr.Jaxpr, args []core.Value) [][]byte {
	t.Helper()
	var out [][]byte
	self := func(v core.Value) core.Value { return v }
	for _, v := range jaxpr.Walk(j, self, args, func(e *jaxpr.Eqn, in []core.Value) []core.Value {
		switch p := e.Prim.(type) {
		case legalize.PairedDot:
			if n := e.Ins[0].Aval().Shape.At(p.LhsContract.At(0)); n > 128 {
				t.Fatalf("a chain of %d numbers", n)
			}
			return core.Bind(p.DotGeneralP, in...)
		case legalize.PairedConv:
			return core.Bind(p.ConvP, in...)
		}
		return core.Bind(e.Prim, in...)
	}) {
		switch v := v.(type) {
		case *runtime.Array:
			out = append(out, v.Tensor().Data)
		case core.Literal:
			out = append(out, runtime.FromLiteral(v).Tensor().Data)
		default:
			t.Fatalf("a result is a %T", v)
		}
	}
	return out
}

// draw returns random operands of a sample.
func draw(r *rand.Rand, s primtest.Sample) []core.Value {
	var args []core.Value
	for i, a := range s.In {
		x := runtime.New(a)
		var d primtest.Domain
		if s.Dom != nil {
			d = s.Dom[i]
		}
		if a.DType.IsKey() {
			for k := range x.Tensor().Data {
				x.Tensor().Data[k] = byte(r.Uint32())
			}
		} else {
			d.Fill(r, a, x.Tensor().Data)
		}
		args = append(args, x)
	}
	return args
}

// primitives lists the names of the operations of a program and of those within it.
func primitives(j *jaxpr.Jaxpr) (names []string) {
	for _, e := range j.Eqns {
		names = append(names, e.Prim.Name())
		for _, q := range jaxpr.Programs(e.Prim) {
			names = append(names, primitives(q)...)
		}
	}
	return names
}

// same compares a sample with what Program makes of it, and returns whether that is another
// program.
func same(t *testing.T, r *rand.Rand, s primtest.Sample) (replaced bool) {
	t.Helper()
	j := lower.Program(s.Jaxpr())
	got := legalize.Program(j)
	if again := legalize.Program(got); again != got {
		t.Errorf("%v: the program that Program returned is replaced again", s.Prim)
	}
	if got == j {
		return false
	}
	if err := jaxpr.Check(got); err != nil {
		t.Errorf("%v: %v\n%v", s.Prim, err, got)
		return true
	}
	if !slices.Equal(got.OutAvals(), j.OutAvals()) {
		t.Errorf("%v has results of types %v, want %v", s.Prim, got.OutAvals(), j.OutAvals())
	}
	args := draw(r, s)
	want := evaluated(t, j, args)
	for i, b := range evaluated(t, got, args) {
		if !bytes.Equal(b, want[i]) {
			t.Errorf("%v of %v: result %d is\n%x, want\n%x", s.Prim, s.In, i, b, want[i])
		}
	}
	return true
}

// Every sample keeps its bits, in every type that its operands may have, and each kind of
// operation that the package replaces is among them.
func TestSamplesKeepTheirBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	replaced := map[string]int{}
	for _, s := range append(primtest.All(), primtest.EveryType()...) {
		if s.Standalone() && same(t, r, s) {
			replaced[s.Prim.Name()]++
		}
	}
	for _, name := range []string{
		"bitcast_convert_type", "conv_general_dilated", "cumsum", "dot_general", "reduce", "reduce_window", "reduce_window_max", "reduce_window_min",
		"reduce_window_sum", "select_and_gather_add", "select_and_scatter_add",
	} {
		if replaced[name] == 0 {
			t.Errorf("no sample of %s is replaced", name)
		}
	}
	t.Logf("replaced: %v", replaced)
}

// lesser returns the program of 2·min(x, y) − x, which neither commutes nor associates.
func lesser(dt core.DType) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	x, y := b.Input(core.Aval(dt)), b.Input(core.Aval(dt))
	m := b.Eqn(prim.MinP{}, x, y)[0]
	return b.Build(b.Eqn(prim.SubP{}, b.Eqn(prim.AddP{}, m, m)[0], x)[0])
}

// sum returns the program of x + y.
func sum(dt core.DType) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	return b.Build(b.Eqn(prim.AddP{}, b.Input(core.Aval(dt)), b.Input(core.Aval(dt)))[0])
}

// Operations of sizes that samples do not have are replaced, with the same bits.
func TestReplacements(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	sample := func(p core.Primitive, in ...core.ShapedArray) primtest.Sample {
		return primtest.Sample{Prim: p, In: in}
	}
	wide := windows.Window{Dims: dims(1, 7, 7), Strides: dims(1, 2, 2), Padding: dims(0, 0, 3, 3, 3, 3), BaseDilation: dims(1, 1, 1), WindowDilation: dims(1, 1, 1)}
	dilated := windows.Window{Dims: dims(1, 2, 3), Strides: dims(1, 1, 2), Padding: dims(0, 0, -2, 1, 5, 0), BaseDilation: dims(1, 3, 2), WindowDilation: dims(1, 1, 4)}
	var all []primtest.Sample
	for _, dt := range []core.DType{core.Float32, core.BFloat16, core.Float64, core.Int32, core.Int8, core.Uint4, core.Float8E4M3FN} {
		x := core.Aval(dt, 2, 19, 21)
		for _, w := range []windows.Window{wide, dilated} {
			all = append(all, sample(windows.ReduceWindowSumP{Window: w}, x), sample(windows.ReduceWindowMaxP{Window: w}, x), sample(windows.ReduceWindowMinP{Window: w}, x))
			if dt.Bits() >= 8 {
				all = append(all, sample(windows.ReduceWindowP{Window: w, Program: lesser(dt)}, x, core.Aval(dt)),
					sample(windows.ReduceWindowP{Window: w, Program: sum(dt)}, x, core.Aval(dt)), // no initial value that is drawn is neutral
					sample(windows.SelectAndGatherAddP{Select: windows.SelectGe, Window: w}, x, x))
			}
		}
		all = append(all, sample(windows.SelectAndScatterAddP{Select: windows.SelectLe, Dims: wide.Dims, Strides: wide.Strides, Padding: wide.Padding}, core.Aval(dt, 2, 10, 11), x))
	}
	all = append(all,
		sample(prim.ReduceP{Axes: dims(1), Program: lesser(core.Float32), Fn: "lesser"}, core.Aval(core.Float32, 3, 2500), core.Aval(core.Float32)),
		sample(prim.ReduceP{Axes: dims(0, 1, 2), Program: lesser(core.Int32), Fn: "lesser"}, core.Aval(core.Int32, 4, 1, 33), core.Aval(core.Int32)),
		sample(prim.DotGeneralP{LhsContract: dims(0), RhsContract: dims(0)}, core.Aval(core.Complex64, 64), core.Aval(core.Complex64, 64)),
		sample(prim.DotGeneralP{LhsContract: dims(1, 2), RhsContract: dims(2, 0), LhsBatch: dims(0), RhsBatch: dims(1)}, core.Aval(core.Complex128, 2, 6, 10, 5), core.Aval(core.Complex128, 10, 2, 6, 3)),
		sample(prim.CumsumP{}, core.Aval(core.Complex64, 600)),
		sample(prim.BitcastConvertTypeP{NewDType: core.Uint8}, core.Aval(core.Float32, 5)),
		sample(prim.BitcastConvertTypeP{NewDType: core.Float64}, core.Aval(core.Int16, 5, 4)),
	)
	for _, s := range all {
		if !same(t, r, s) {
			t.Errorf("%v of %v is not replaced", s.Prim, s.In)
		}
	}
}

// Operations on empty arrays that have results are replaced, with the same bits.
func TestEmptyArrays(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	f32 := func(n ...int) core.ShapedArray { return core.Aval(core.Float32, n...) }
	for _, s := range []primtest.Sample{
		{Prim: prim.ReduceSumP{Axes: dims(0)}, In: []core.ShapedArray{f32(0, 3)}},
		{Prim: prim.ReduceProdP{Axes: dims(0)}, In: []core.ShapedArray{f32(0, 3)}},
		{Prim: prim.ReduceAndP{Axes: dims(0)}, In: []core.ShapedArray{core.Aval(core.Int8, 0, 3)}},
		{Prim: prim.ReduceOrP{Axes: dims(0)}, In: []core.ShapedArray{core.Aval(core.Bool, 0, 3)}},
		{Prim: prim.ReduceXorP{Axes: dims(0)}, In: []core.ShapedArray{core.Aval(core.Uint16, 0, 3)}},
		{Prim: prim.ReduceP{Axes: dims(0), Program: lesser(core.Float32), Fn: "lesser"}, In: []core.ShapedArray{f32(0, 3), f32()}},
		{Prim: prim.DotGeneralP{LhsContract: dims(1), RhsContract: dims(0)}, In: []core.ShapedArray{f32(2, 0), f32(0, 3)}},
		{Prim: prim.PadP{Config: dims(2, 1, 0)}, In: []core.ShapedArray{f32(0), f32()}},
		{Prim: prim.ConcatenateP{Dimension: 0}, In: []core.ShapedArray{f32(2), f32(0), f32(3)}},
	} {
		if !same(t, r, s) {
			t.Errorf("%v of %v is not replaced", s.Prim, s.In)
		}
	}
}

// What devices have kernels for stays, and so does what a program with memory of its own or a
// loop does.
func TestWhatStays(t *testing.T) {
	loop := jaxpr.NewBuilder()
	x, y := loop.Input(core.Aval(core.Float32)), loop.Input(core.Aval(core.Float32))
	inner := jaxpr.NewBuilder()
	c := inner.Input(core.Aval(core.Float32))
	program := loop.Build(loop.Eqn(prim.AddP{}, loop.Eqn(&jaxpr.Scan{Jaxpr: inner.Build(inner.Eqn(prim.SinP{}, c)[0]), Length: 2, NumCarry: 1}, x)[0], y)[0])
	few := windows.Window{Dims: dims(2), Strides: dims(1), Padding: dims(0, 0), BaseDilation: dims(1), WindowDilation: dims(1)}
	f32 := func(n ...int) core.ShapedArray { return core.Aval(core.Float32, n...) }
	for _, s := range []primtest.Sample{
		{Prim: prim.SinP{}, In: []core.ShapedArray{f32(0)}},
		{Prim: windows.ReduceWindowSumP{Window: few}, In: []core.ShapedArray{f32(9)}},
		{Prim: prim.DotGeneralP{LhsContract: dims(0), RhsContract: dims(0)}, In: []core.ShapedArray{f32(7), f32(7)}},
		{Prim: prim.BitcastConvertTypeP{NewDType: core.Int32}, In: []core.ShapedArray{f32(7)}},
		{Prim: prim.CumsumP{}, In: []core.ShapedArray{f32(7)}},
		{Prim: prim.ReduceP{Axes: dims(0), Program: program, Fn: "loop"}, In: []core.ShapedArray{f32(7), f32()}},
	} {
		if j := lower.Program(s.Jaxpr()); legalize.Program(j) != j {
			t.Errorf("%v of %v is replaced", s.Prim, s.In)
		}
	}
}

// Programs within programs are replaced, and each program once.
func TestProgramsWithin(t *testing.T) {
	inner := primtest.Sample{Prim: prim.BitcastConvertTypeP{NewDType: core.Uint8}, In: []core.ShapedArray{core.Aval(core.Float32, 5)}}.Jaxpr()
	b := jaxpr.NewBuilder()
	x := b.Input(core.Aval(core.Float32, 5))
	outer := b.Build(b.Eqn(&jaxpr.Jit{Fn: "f", Jaxpr: inner}, x)[0])
	got := legalize.Program(outer)
	if names := primitives(got); slices.Contains(names, "bitcast_convert_type") && !slices.Contains(names, "shift_right_logical") {
		t.Errorf("the inner program is as it was:\n%v", got)
	}
	if again := legalize.Program(outer); again != got {
		t.Error("a program is replaced twice")
	}
	args := draw(rand.New(rand.NewPCG(1, 1)), primtest.Sample{In: outer.InAvals()})
	if got, want := evaluated(t, got, args)[0], evaluated(t, outer, args)[0]; !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}

// Special functions of narrow floats, computed in f64, are rounded as the reference rounds them: to f32 first.
func TestSpecialFunctionsOfNarrowFloats(t *testing.T) {
	b := jaxpr.NewBuilder()
	a, x := b.Input(core.Aval(core.Float16, 4)), b.Input(core.Aval(core.Float16, 4))
	j := b.Build(b.Eqn(prim.IgammaP{}, a, x)[0], b.Eqn(prim.IgammacP{}, a, x)[0])
	args := []core.Value{runtime.New(core.Aval(core.Float16, 4)), runtime.New(core.Aval(core.Float16, 4))}
	for i, ax := range [][2]float64{{2, 2}, {2, 1.0283203125}, {2, 2.927734375}, {6, 3.822265625}} {
		for k, v := range ax {
			elem.Put(args[k].(*runtime.Array).Tensor().Data[2*i:], core.FloatNumber(v), core.Float16)
		}
	}
	k := legalize.Program(j)
	if k == j {
		t.Fatal("the program stays as it is")
	}
	want, got := evaluated(t, j, args), evaluated(t, k, args)
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("result %d: got %x, want %x", i, got[i], want[i])
		}
	}
}
