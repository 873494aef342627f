package onnx_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/onnx"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/wefttest"
)

var writeTo = flag.String("write-to", "", "a folder into which tests of Save write models, operands and results: see testdata/ort.py")

// inexact maps primitives whose operators round differently to their tolerance, in ε of the dtype: relative and absolute.
var inexact = map[string][2]float64{
	"atan2":             {2, 0},
	"cbrt":              {2, 0},
	"cumlogsumexp":      {4, 4},
	"cumprod":           {4, 0},
	"erfc":              {0, 2}, // 1 − erf
	"expm1":             {4, 0},
	"log1p":             {4, 0},
	"reduce_prod":       {4, 0}, // a product in a stated order
	"reduce_sum":        {4, 4},
	"reduce_window_sum": {4, 4},
	"rsqrt":             {2, 0},
}

// epsilon returns the distance of 1 and the next number.
func epsilon(dt weft.DType) float64 {
	switch dt {
	case weft.Float64:
		return 0x1p-52
	case weft.Float16:
		return 0x1p-10
	case weft.BFloat16:
		return 0x1p-7
	case weft.Float32:
		return 0x1p-23
	}
	return 0x1p-2 // floats of eight bits
}

// sampleProgram returns the program of one sample.
func sampleProgram(s primtest.Sample) *jaxpr.Jaxpr {
	b := jaxpr.NewBuilder()
	in := make([]jaxpr.Atom, len(s.In))
	for i, a := range s.In {
		in[i] = b.Input(a.Strong())
	}
	var outs []jaxpr.Atom
	for _, v := range b.Eqn(s.Prim, in...) {
		outs = append(outs, v)
	}
	return b.Build(outs...)
}

// Each sample of each primitive is either written as a model with the same results, or refused by its name.
func TestSaveSamples(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(17, 1))
	got := regexp.MustCompile(` \(got [^)]*\)`)
	written, refused := map[string]int{}, map[string]map[string]int{}
	for k, s := range primtest.All() {
		name := s.Prim.Name()
		if refused[name] == nil {
			refused[name] = map[string]int{}
		}
		j := sampleProgram(s)
		var file bytes.Buffer
		if err := onnx.Save(&file, j); err != nil {
			head := "onnx.Save: " + core.HerePos()[:len("save_samples_test.go:")]
			what, named := strings.CutPrefix(err.Error(), head)
			if _, what, _ = strings.Cut(what, ": "); !named || !strings.HasPrefix(what, name+": ") {
				t.Errorf("%s of %v: the error does not name it and its line: %v", name, s.In, err)
			}
			refused[name][got.ReplaceAllString(strings.TrimPrefix(what, name+": "), "")]++
			continue
		}
		written[name]++
		args := make([]*runtime.Array, len(s.In))
		xs := make([]weft.Array, len(s.In))
		for i, a := range s.In {
			args[i] = runtime.New(a.Strong())
			xs[i] = weft.FromValue(args[i])
			var d primtest.Domain
			if i < len(s.Dom) {
				d = s.Dom[i]
			}
			d.Fill(r, a, args[i].Tensor().Data)
		}
		want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
		if err != nil {
			t.Errorf("%s of %v: %v", name, s.In, err)
			continue
		}
		saved(t, fmt.Sprintf("%04d_%s", k, name), file.Bytes(), args, want)
		m, err := onnx.Load(&file)
		if err != nil {
			t.Errorf("%s of %v: %v", name, s.In, err)
			continue
		}
		ys, err := m.Call(xs...)
		if err != nil {
			t.Errorf("%s of %v: %v", name, s.In, err)
			continue
		}
		for i, y := range ys {
			w := weft.FromValue(want[i])
			e := epsilon(w.DType())
			if d := differs(y, w, inexact[name][0]*e, inexact[name][1]*e); d != "" {
				t.Errorf("%s[%v] of %v, result %d: %s", name, s.Prim, s.In, i, d)
			}
		}
	}
	var table strings.Builder
	table.WriteString("primitive: samples that are written; of others how many are refused, and why\n")
	for _, name := range slices.Sorted(maps.Keys(refused)) {
		fmt.Fprintf(&table, "%s: %d\n", name, written[name])
		for _, why := range slices.Sorted(maps.Keys(refused[name])) {
			fmt.Fprintf(&table, "\t%d %s\n", refused[name][why], why)
		}
	}
	wefttest.Golden(t, "save_samples.txt", table.String())
}

// saved writes a model, its operands and results for testdata/ort.py, if that is wanted.
func saved(t *testing.T, name string, model []byte, args, results []*runtime.Array) {
	t.Helper()
	if *writeTo == "" {
		return
	}
	var data []byte
	for _, a := range slices.Concat(args, results) {
		data = append(data, a.Tensor().Data...)
	}
	for ext, b := range map[string][]byte{".onnx": model, ".data": data} {
		if err := os.WriteFile(filepath.Join(*writeTo, name+ext), b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
