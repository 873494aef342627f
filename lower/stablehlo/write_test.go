package stablehlo_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

var writeTo = flag.String("write-to", "", "a folder into which TestWriteSamples writes modules, operands and results: see testdata/verdicts.py and testdata/xla.py")

var writing = stablehlo.WriteOptions{Bytes: func(v core.Value) ([]byte, bool) {
	a, ok := v.(*runtime.Array)
	if !ok {
		return nil, false
	}
	return a.Tensor().Data, true
}}

// unwritten are the primitives for which StableHLO has no operation, and why.
var unwritten = map[string]string{
	"pure_callback": "calls the host", "io_callback": "calls the host", "debug_callback": "calls the host", "debug_print": "calls the host",
	"all_gather": "names an axis", "all_to_all": "names an axis", "axis_index": "names an axis", "pmax": "names an axis", "pmin": "names an axis",
	"ppermute": "names an axis", "psum": "names an axis", "psum_invariant": "names an axis", "reduce_scatter": "names an axis",
}

// draw makes an operand of a sample.
func draw(r *rand.Rand, a core.ShapedArray, d primtest.Domain) *runtime.Array {
	x := runtime.New(a.Strong())
	if data := x.Tensor().Data; a.DType.IsKey() {
		for i := range data {
			data[i] = byte(r.Uint32())
		}
	} else {
		d.Fill(r, a, data)
	}
	return x
}

// equation returns the program of one equation.
func equation(p core.Primitive, in []core.ShapedArray) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	args := make([]jaxpr.Atom, len(in))
	for i, a := range in {
		args[i] = b.Input(a.Strong())
	}
	var outs []jaxpr.Atom
	for _, v := range b.Eqn(p, args...) {
		outs = append(outs, v)
	}
	return b.Build(outs...)
}

// overlaps reports whether a scatter writes an element several times and its result depends on their order, which
// StableHLO leaves to the implementation: XLA goes window by window. testdata/xla.py compares such samples of
// ScatterWithP with XLA's results for every order of windows.
func overlaps(t *testing.T, p core.Primitive, args []*runtime.Array) bool {
	t.Helper()
	var s indexed.Scattering
	switch p := p.(type) {
	case indexed.ScatterP:
		if p.Combine != indexed.CombineSet {
			return false
		}
		s = p.Scattering
	case indexed.ScatterApplyP:
		s = p.Scattering
	case indexed.ScatterWithP:
		s = p.Scattering
	default:
		return false
	}
	n := (len(args) - 1) / 2
	zeros, ones := args[0].Aval(), args[n+1].Aval()
	zeros.DType, ones.DType = core.Int32, core.Int32
	s.Unique = false
	j := trace.Stage("counts", []core.ShapedArray{args[n].Aval()}, func(in []core.Value) []core.Value {
		return []core.Value{indexed.ScatterAdd(prim.Zeros(zeros), in[0], prim.Full(ones, 1), s)}
	})
	out, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args[n:n+1])
	require.NoError(t, err)
	for _, count := range reference.View[int32](out[0].Tensor()) {
		if count > 1 {
			return true
		}
	}
	return false
}

// Scatters that write an element once are compared with XLA strictly; see TestVerdicts.
func TestScatterOverlap(t *testing.T) {
	array := func(a core.ShapedArray, values ...int32) *runtime.Array {
		x := runtime.New(a)
		copy(reference.View[int32](x.Tensor()), values)
		return x
	}
	x, u := core.Aval(core.Int32, 4), core.Aval(core.Int32, 2, 2)
	set := indexed.ScatterP{Scattering: indexed.Scattering{UpdateWindowDims: core.MakeDims(1), ScatterDimsToOperandDims: core.MakeDims(0), Mode: indexed.FillOrDrop}}
	args := func(first, second int32) []*runtime.Array {
		return []*runtime.Array{array(x), array(core.Aval(core.Int32, 2, 1), first, second), array(u)}
	}
	assert.True(t, overlaps(t, set, args(0, 1)))
	assert.False(t, overlaps(t, set, args(0, 2)))
	assert.False(t, overlaps(t, set, args(0, 3)), "a window out of range writes nothing")
	set.Combine = indexed.CombineAdd
	assert.False(t, overlaps(t, set, args(0, 1)), "sums do not depend on the order")
}

// writeSample writes a module and its operands and results for testdata/verdicts.py and
// testdata/xla.py.
func writeSample(t *testing.T, name, text string, arrays []*runtime.Array) {
	t.Helper()
	var data []byte
	for _, a := range arrays {
		data = append(data, a.Tensor().Data...)
	}
	require.NoError(t, os.WriteFile(filepath.Join(*writeTo, name+".mlir"), []byte(text), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(*writeTo, name+".data"), data, 0o666))
}

// Samples that are written read back as programs with the same results, bit for bit.
func TestWriteSamples(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 1))
	refused := map[string]string{}
	n, keyed := 0, 0
	for k, s := range primtest.All() {
		name := s.Prim.Name()
		if unwritten[name] != "" {
			continue
		}
		if hasNoElements(s) {
			keyed++
			continue
		}
		j := equation(s.Prim, s.In)
		text, err := stablehlo.Write(j, writing)
		if err != nil {
			refused[fmt.Sprintf("%s %v", name, err)] = fmt.Sprint(s.In)
			continue
		}
		m, err := stablehlo.Parse(name, text)
		if !assert.NoError(t, err, text) {
			return
		}
		p, err := m.Program(m.Main(), j.InAvals(), options)
		if !assert.NoError(t, err, text) {
			return
		}
		args := samples(r, s)
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
		require.NoError(t, err, "%s", name)
		got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, args)
		if !assert.NoError(t, err, text) {
			return
		}
		if *writeTo != "" {
			if overlaps(t, s.Prim, args) {
				name += "+overlap"
			}
			writeSample(t, fmt.Sprintf("%04d_%s", k, name), text, slices.Concat(args, want))
		}
		for i := range want {
			if string(want[i].Tensor().Data) != string(got[i].Tensor().Data) {
				t.Errorf("%s of %v: result %d has other bits: got %v, want %v\n%s", name, s.In, i, got[i].Text(nil), want[i].Text(nil), text)
			}
		}
		n++
	}
	for _, what := range slices.Sorted(maps.Keys(refused)) {
		t.Logf("refused: %s of %s", what, refused[what])
	}
	t.Logf("%d samples have the same bits; %d kinds are refused, %d have keys", n, len(refused), keyed)
	assert.Empty(t, refused)
	assert.Greater(t, n, 5000)
}

// A program with every kind of sub-program reads back with the same results.
func TestWriteControlFlow(t *testing.T) {
	const text = `{ lambda ; a:f32[3] b:i32[]. let
    c:f32[] d:f32[3] = scan[
      jaxpr={ lambda ; e:f32[] f:f32[]. let g:f32[] = add e f; h:f32[] = mul g 2.0:f32[] in (g, h) }
      length=3 num_carry=1 num_consts=0 reverse=True unroll=1
    ] 0.5:f32[] a
    i:f32[] = cond[
      branches=(
        { lambda ; j:f32[]. let k:f32[] = sin j in (k,) }
        { lambda ; j:f32[]. let k:f32[] = exp2 j in (k,) }
      )
    ] b c
    l:i32[] m:f32[] = while[
      body_jaxpr={ lambda ; n:f32[] o:i32[] p:f32[]. let q:i32[] = add o 1:i32[]; r:f32[] = mul p n in (q, r) }
      body_nconsts=1
      cond_jaxpr={ lambda ; o:i32[] p:f32[]. let s:bool[] = lt o 4:i32[] in (s,) }
      cond_nconsts=0
    ] i b i
    t:f32[] = jit[name=double jaxpr={ lambda ; u:f32[]. let v:f32[] = add u u in (v,) }] m
  in (t, d, l) }`
	j := parseJaxpr(t, text)
	for _, index := range []int32{-1, 0, 1, 5} {
		x, i := runtime.New(core.Aval(core.Float32, 3)), runtime.New(core.Aval(core.Int32))
		for k, v := range []float64{0.25, -1, 3} {
			elem.Put(x.Tensor().Data[4*k:], core.FloatNumber(v), core.Float32)
		}
		elem.Put(i.Tensor().Data, core.IntNumber(int64(index)), core.Int32)
		args := []*runtime.Array{x, i}
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
		require.NoError(t, err)
		written, err := stablehlo.Write(j, writing)
		require.NoError(t, err)
		assert.Contains(t, written, "func.func private @double(")
		if *writeTo != "" {
			require.NoError(t, os.WriteFile(filepath.Join(*writeTo, "control.mlir"), []byte(written), 0o666))
		}
		m, err := stablehlo.Parse("control", written)
		require.NoError(t, err, written)
		p, err := m.Program(m.Main(), j.InAvals(), options)
		require.NoError(t, err, written)
		got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, args)
		require.NoError(t, err)
		for k := range want {
			assert.Equal(t, want[k].Text(nil), got[k].Text(nil))
		}
	}
}

// A convolution of a kernel or an input without elements is written as zeros: XLA refuses windows of
// size 0.
func TestWriteEmptyConvolution(t *testing.T) {
	conv := func(pad int) windows.ConvP {
		one, order := core.MakeDims(1), core.Range(0, 3)
		return windows.ConvP{
			Strides: one, Padding: core.MakeDims(pad, pad), LhsDilation: one, RhsDilation: one, LhsSpec: order, RhsSpec: order, OutSpec: order,
			FeatureGroups: 1, BatchGroups: 1, Preferred: core.Float32,
		}
	}
	for _, in := range [][]core.ShapedArray{
		{core.Aval(core.Float32, 2, 3, 4), core.Aval(core.Float32, 5, 3, 0)},
		{core.Aval(core.Float32, 2, 3, 0), core.Aval(core.Float32, 5, 3, 1)},
		{core.Aval(core.Float32, 2, 0, 4), core.Aval(core.Float32, 5, 0, 1)},
	} {
		j := equation(conv(1), in)
		text, err := stablehlo.Write(j, writing)
		require.NoError(t, err)
		assert.NotContains(t, text, "stablehlo.convolution")
		m, err := stablehlo.Parse("conv", text)
		require.NoError(t, err, text)
		p, err := m.Program(m.Main(), j.InAvals(), options)
		require.NoError(t, err, text)
		args := []*runtime.Array{runtime.New(in[0]), runtime.New(in[1])}
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
		require.NoError(t, err)
		got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, args)
		require.NoError(t, err)
		assert.Equal(t, want[0].Text(nil), got[0].Text(nil))
	}
}

// Every conformance program is the same program after it was written and read.
func TestWriteConformance(t *testing.T) {
	t.Parallel()
	files, names := conformanceFiles(t)
	failed := map[string]int{}
	good := 0
	for _, name := range names {
		p, want, err := runChecks(runtime.Reference, name, files[name])
		require.NoError(t, err)
		text, err := stablehlo.Write(p.Jaxpr, writing)
		if err != nil {
			failed[err.Error()]++
			continue
		}
		m, err := stablehlo.Parse(name, text)
		if !assert.NoError(t, err, name) {
			continue
		}
		q, err := m.Program(m.Main(), nil, options)
		if !assert.NoError(t, err, "%s\n%s", name, text) {
			continue
		}
		got, err := runtime.Evaluate(context.Background(), runtime.Reference, q.Jaxpr, nil)
		require.NoError(t, err)
		same := len(got) == len(want)
		for i := range got {
			same = same && string(got[i].Tensor().Data) == string(want[i].Tensor().Data)
		}
		if !same {
			t.Errorf("%s: other results", name)
			continue
		}
		good++
	}
	for what, n := range failed {
		t.Logf("%d refused: %s", n, what)
	}
	t.Logf("%d of %d programs are the same", good, len(names))
	assert.Empty(t, failed)
}

func parseJaxpr(t *testing.T, text string) *jaxpr.Jaxpr {
	t.Helper()
	j, err := jaxpr.Parse(text, prim.Vocabulary)
	require.NoError(t, err)
	require.NoError(t, jaxpr.Check(j))
	return j
}
