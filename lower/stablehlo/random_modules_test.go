package stablehlo_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

var modules = flag.String("modules", "", "a folder of modules with operands and results that testdata/random_modules.py wrote")

// xlaBounds bounds the difference from XLA's results, in ε of the largest element, for families and operations some of
// whose elements differ by more than 4 ε of their own.
var xlaBounds = map[string]float64{
	"batch_norm": 8, "convolution": 4, "dot_general": 4, "fft": 4, "triangular": 4, "reduce": 4, "reduce_window": 4, "control-map": 4, // sums
	"chlo-lgamma": 32, "chlo-digamma": 8, "chlo-bessel_i1e": 4, "chlo-erf_inv": 16, "chlo-atanh": 8, // XLA's expansions cancel: see farther
	"chlo-cosh": 16, "chlo-sinh": 16, "chlo-asinh": 8, "chlo-acosh": 8, "binary-power": 16, "unary-logistic": 8, "unary-tan": 8, "chlo-tan": 8,
}

// Random modules of one operation each have XLA's results: the files that -modules names, else
// the archive in testdata.
func TestRandomModules(t *testing.T) {
	files := map[string]string{}
	if *modules != "" {
		paths, err := filepath.Glob(filepath.Join(*modules, "*"))
		require.NoError(t, err)
		for _, path := range paths {
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			files[filepath.Base(path)] = string(b)
		}
	} else {
		files, _ = archive(t, "testdata/random.tar.gz")
	}
	good := map[string]int{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		name, ok := strings.CutSuffix(file, ".mlir")
		if !ok {
			continue
		}
		fam, _, _ := strings.Cut(name, "-")
		if what := compareModule(name, files[file], []byte(files[name+".data"])); what != "" {
			t.Errorf("%s: %s", name, what)
		} else {
			good[fam]++
		}
	}
	for _, fam := range slices.Sorted(maps.Keys(good)) {
		t.Logf("%s: %d agree", fam, good[fam])
	}
	assert.Greater(t, len(good), 20)
}

// compareModule runs a module on the operands in data and returns how the results differ from those that follow the
// operands, or "" if they do not.
func compareModule(name, text string, data []byte) string {
	m, err := stablehlo.Parse(name, text)
	if err != nil {
		return err.Error()
	}
	in, err := m.Avals(m.Main())
	if err != nil {
		return err.Error()
	}
	p, err := m.Program(m.Main(), in, options)
	if err != nil {
		return err.Error()
	}
	args := make([]*runtime.Array, len(in))
	for i, a := range in {
		args[i] = runtime.New(a)
		data = data[copy(args[i].Tensor().Data, data):]
	}
	out, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, args)
	if err != nil {
		return err.Error()
	}
	fam, _, _ := strings.Cut(name, "-")
	bound := xlaBounds[fam]
	for op, b := range xlaBounds {
		if strings.Contains(op, "-") && (strings.HasPrefix(name, op+"-") || strings.HasPrefix(name, op+"_")) {
			bound = b
		}
	}
	what := ""
	for i, y := range out {
		want := runtime.New(y.Aval())
		data = data[copy(want.Tensor().Data, data):]
		if strings.HasPrefix(name, "chlo-digamma") {
			takePoles(args[0], y, want)
		}
		if at, rel, norm := apart(y, want); at >= 0 && rel > 4 && !(norm <= bound) {
			what += fmt.Sprintf("result %d of %v: at %d got %s, want %s: %.3g ε of the element, %.3g ε of the largest; ", i, y.Aval(), at, element(y, at), element(want, at), rel, norm)
		}
	}
	return what
}

// takePoles replaces the expected digamma at zeros, where XLA returns NaN: x·digamma(x) is −1
// in the limit, so that it is −∞ at 0 and ∞ at −0, as in SciPy (docs/differences.md).
func takePoles(x, got, want *runtime.Array) {
	size := x.Aval().DType.Size()
	for i := range x.Aval().Size() {
		n, _ := elem.Get(x.Tensor().Data[i*size:], x.Aval().DType)
		y, _ := elem.Get(got.Tensor().Data[i*size:], x.Aval().DType)
		w, _ := elem.Get(want.Tensor().Data[i*size:], x.Aval().DType)
		if n.Float() == 0 && w.Float() != w.Float() && math.IsInf(y.Float(), 0) && math.Signbit(y.Float()) != math.Signbit(n.Float()) {
			copy(want.Tensor().Data[i*size:(i+1)*size], got.Tensor().Data[i*size:])
		}
	}
}

// apart returns the index of the element that is farthest from the expected one, its distance in ε of its modulus, and the
// largest distance in ε of the largest element.
func apart(got, want *runtime.Array) (at int, rel, norm float64) {
	a := want.Aval()
	at = -1
	if a.DType.IsInteger() || a.DType.IsBool() {
		for i := range got.Tensor().Data {
			if got.Tensor().Data[i] != want.Tensor().Data[i] {
				return i / a.DType.Size(), math.Inf(1), math.Inf(1)
			}
		}
		return at, 0, 0
	}
	epsilon := map[core.DType]float64{core.Float64: 0x1p-52, core.Complex128: 0x1p-52, core.Float32: 0x1p-23, core.Complex64: 0x1p-23, core.Float16: 0x1p-10, core.BFloat16: 0x1p-7}[a.DType]
	tiny := map[core.DType]float64{core.Float64: 0x1p-1022, core.Complex128: 0x1p-1022, core.Float32: 0x1p-126, core.Complex64: 0x1p-126, core.Float16: 0x1p-14, core.BFloat16: 0x1p-126}[a.DType]
	largest, diff := 0.0, 0.0
	for i := range a.Size() {
		g, _ := elem.Get(got.Tensor().Data[i*a.DType.Size():], a.DType)
		w, _ := elem.Get(want.Tensor().Data[i*a.DType.Size():], a.DType)
		x, y := g.Complex(), w.Complex()
		m := cmplx.Abs(y)
		flushed := cmplx.Abs(x) < tiny && m < tiny // XLA's arithmetic has no numbers this small
		if flushed || same(real(x), real(y)) && same(imag(x), imag(y)) {
			if !math.IsInf(m, 0) && m == m {
				largest = max(largest, m)
			}
			continue
		}
		d := cmplx.Abs(x - y)
		if d != d || math.IsInf(d, 0) || epsilon == 0 {
			return i, math.Inf(1), math.Inf(1)
		}
		largest, diff = max(largest, m), max(diff, d)
		if r := d / m / epsilon; r > rel {
			at, rel = i, r
		}
	}
	if diff > 0 {
		norm = diff / largest / epsilon
	}
	return at, rel, norm
}

// element returns an element as text.
func element(a *runtime.Array, at int) string {
	n, _ := elem.Get(a.Tensor().Data[at*a.Aval().DType.Size():], a.Aval().DType)
	if a.Aval().DType.IsComplex() {
		return fmt.Sprint(n.Complex())
	}
	return fmt.Sprint(n.Float())
}

func same(x, y float64) bool { return x == y || x != x && y != y }
