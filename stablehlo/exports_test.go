package stablehlo_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/stablehlo"
)

// export is the output of testdata/exports/export.py for a program.
type export struct {
	arrays map[string]weft.Array
	models map[string]*stablehlo.Model // by the ending of their files
}

func readExport(t *testing.T, name string) export {
	t.Helper()
	base := filepath.Join("testdata", "exports", name)
	e := export{arrays: map[string]weft.Array{}, models: map[string]*stablehlo.Model{}}
	f, err := os.Open(base + ".npz")
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, weft.Load(f, &e.arrays))
	for _, ending := range []string{".mlir", ".mlirbc"} {
		f, err := os.Open(base + ending)
		require.NoError(t, err)
		defer f.Close()
		m, err := stablehlo.Load(f)
		require.NoError(t, err, ending)
		e.models[ending] = m
	}
	return e
}

// list returns the arrays called prefix.00, prefix.01, ….
func (e export) list(prefix string) []weft.Array {
	var list []weft.Array
	for {
		a, ok := e.arrays[fmt.Sprintf("%s.%02d", prefix, len(list))]
		if !ok {
			return list
		}
		list = append(list, a)
	}
}

// deviation returns the largest difference of two arrays of floats in units of ε of the
// largest element; of other types it is 0 or infinite.
func deviation(t *testing.T, got, want weft.Array) float64 {
	t.Helper()
	require.Equal(t, want.Shape(), got.Shape())
	require.Equal(t, want.DType(), got.DType())
	epsilon := 0x1p-23
	switch want.DType() {
	case weft.Complex64, weft.Complex128:
		return max(deviation(t, got.Real(), want.Real()), deviation(t, got.Imag(), want.Imag()))
	case weft.Float32:
		got, want = got.AsType(weft.Float64), want.AsType(weft.Float64)
	case weft.Float64:
		epsilon = 0x1p-52
	default:
		if got.Equal(want) {
			return 0
		}
		return math.Inf(1)
	}
	x, y := weft.ToSlice[float64](got), weft.ToSlice[float64](want)
	largest, diff := 0.0, 0.0
	for i, v := range y {
		if v == v && !math.IsInf(v, 0) {
			largest = max(largest, math.Abs(v))
		}
		if x[i] != v && (x[i] == x[i] || v == v) {
			diff = max(diff, math.Abs(x[i]-v))
		}
	}
	if diff == 0 {
		return 0
	}
	return diff / largest / epsilon
}

// agree compares arrays and logs the largest deviation.
func agree(t *testing.T, what string, tolerance float64, got, want []weft.Array) {
	t.Helper()
	require.Len(t, got, len(want), what)
	worst := 0.0
	for i, w := range want {
		d := deviation(t, got[i], w)
		assert.LessOrEqual(t, d, tolerance, "%s %d", what, i)
		worst = max(worst, d)
	}
	t.Logf("%s: within %.3g ε of the largest element", what, worst)
}

// exports are the programs that JAX exported, and by how many ε of the largest element their results, derivatives and
// mapped results may differ from XLA's. Programs with long sums and loops have larger bounds.
var exports = map[string]struct{ value, grad, mapped float64 }{
	"mlp":              {2, 4, 2},
	"mlp_step":         {2, 8, 2},
	"lenet":            {4, 8, 4},
	"lenet_grad":       {8, 0, 8},
	"transformer":      {4, 12, 4},
	"transformer_step": {24, 0, 0},
	"lstm":             {2, 4, 2},
	"while":            {0, 0, 0},
	"filter":           {2, 4, 2},
	"sample":           {2, 0, 2},
	"sort":             {0, 0, 0},
	"custom_vjp":       {1, 0, 1},
	"attention_grad":   {8, 8, 8},
	"dynamic":          {2, 4, 2},
	"cholesky_solve":   {4, 4, 4},
	"solve":            {4, 8, 0},
	"factorizations":   {16, 16, 64},
	"forms":            {16, 0, 0},
	"qr":               {4, 8, 4},
}

// Programs that JAX exported have XLA's results, as text and as bytecode, and under Grad
// and Vmap the results of JAX's own transformations.
func TestExports(t *testing.T) {
	for name, tolerance := range exports {
		t.Run(name, func(t *testing.T) {
			e := readExport(t, name)
			in, vin := e.list("in"), e.list("vin")
			var texts []string
			for ending, m := range e.models {
				main := m.Func("")
				got, err := m.Call(in...)
				require.NoError(t, err)
				agree(t, ending, tolerance.value, got, e.list("out"))
				if len(vin) > 0 {
					agree(t, ending+" under Vmap", tolerance.mapped, weft.Vmap(main)(vin), e.list("vout"))
				}
				if cts, want := e.cotangents(), e.list("grad"); len(want) > 0 && tolerance.grad > 0 {
					agree(t, ending+" under Grad", tolerance.grad, gradOf(main, in, cts), want)
				}
				ir, err := weft.Jaxpr(main, in)
				require.NoError(t, err)
				if *writeTo != "" {
					writeExport(t, name, ir, append(append([]weft.Array(nil), in...), got...))
				}
				texts = append(texts, ir.String())
			}
			assert.Equal(t, texts[0], texts[1], "text and bytecode are one program")
		})
	}
}

var writeTo = flag.String("write-to", "", "a folder into which TestExports writes modules, operands and results, for ../lower/stablehlo/testdata/xla.py")

// writeExport writes a program as a module, with operands and results.
func writeExport(t *testing.T, name string, ir *weft.IR, arrays []weft.Array) {
	t.Helper()
	var text bytes.Buffer
	require.NoError(t, stablehlo.Write(&text, ir))
	var data []byte
	for _, a := range arrays {
		if a.DType() != weft.Uint8 && a.DType() != weft.Bool {
			a = a.Reshape(-1).View(weft.Uint8)
		}
		data = append(data, weft.ToSlice[uint8](a.AsType(weft.Uint8))...)
	}
	base := filepath.Join(*writeTo, "9000_export."+name)
	require.NoError(t, os.WriteFile(base+".mlir", text.Bytes(), 0o666))
	require.NoError(t, os.WriteFile(base+".data", data, 0o666))
}

// cotangents returns the cotangents of the results, by number; results of integers have none.
func (e export) cotangents() map[int]weft.Array {
	cts := map[int]weft.Array{}
	for name, a := range e.arrays {
		if k, ok := strings.CutPrefix(name, "ct."); ok {
			i, _ := strconv.Atoi(k)
			cts[i] = a
		}
	}
	return cts
}

// gradOf returns the derivatives of Σ ct · result by the operands that are floats.
func gradOf(f func([]weft.Array) []weft.Array, in []weft.Array, cts map[int]weft.Array) []weft.Array {
	var floats []weft.Array
	for _, x := range in {
		if x.DType() == weft.Float32 {
			floats = append(floats, x)
		}
	}
	return weft.Grad(func(floats []weft.Array) weft.Array {
		all := append([]weft.Array(nil), in...)
		for i, x := range in {
			if x.DType() == weft.Float32 {
				all[i], floats = floats[0], floats[1:]
			}
		}
		total := weft.Scalar(float32(0))
		for i, y := range f(all) {
			if ct, ok := cts[i]; ok {
				total = total.Add(y.Mul(ct).Sum())
			}
		}
		return total
	})(floats)
}

// A program with a dimension of unknown size runs with each size.
func TestExportOfUnknownSize(t *testing.T) {
	e := readExport(t, "dynamic")
	in := e.list("in")
	last := len(in) - 1
	for _, rows := range []int{1, 3, 5} {
		args := append([]weft.Array(nil), in...)
		args[last] = in[last].Index(weft.R(0, rows))
		for ending, m := range e.models {
			out, err := m.Call(args...)
			require.NoError(t, err, ending)
			assert.InDelta(t, 1, out[0].Sum().Float(), 1e-6, "%s: the means of %d softmaxes", ending, rows)
		}
	}
	args := append([]weft.Array(nil), in...)
	args[last] = weft.Zeros(5, 9)
	_, err := e.models[".mlir"].Call(args...)
	assert.ErrorContains(t, err, "argument 4: declared tensor<?x8xf32>, got tensor<5x9xf32>")
	args[last] = weft.Zeros(0, 8)
	_, err = e.models[".mlir"].Call(args...)
	assert.ErrorContains(t, err, "stablehlo.custom_call: Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'rows'")
}

// Arguments have the names that JAX assigned, and those in the text.
func TestExportArguments(t *testing.T) {
	e := readExport(t, "mlp")
	in := e.list("in")
	for ending, m := range e.models {
		require.Equal(t, []string{"p['b1']", "p['b2']", "p['w1']", "p['w2']", "x"}, m.Args(""), ending)
		bound, err := m.Bind(map[string]weft.Array{"p['b1']": in[0], "arg1": in[1], "p['w1']": in[2], "p['w2']": in[3]})
		require.NoError(t, err)
		got, err := bound.Call(in[4])
		require.NoError(t, err)
		agree(t, ending, 2, got, e.list("out"))
	}
}
