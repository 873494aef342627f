package onnx_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
)

// Models that PyTorch exported have PyTorch's results and vector-Jacobian products.
func TestExports(t *testing.T) {
	files := archive(t, "onnx/exports.tar.gz", "testdata/exports/exports.tar.gz")
	ran, gradients := 0, 0
	for _, r := range table(t, "onnx/exports.tsv", "testdata/exports/exports.tsv") {
		key := r["key"]
		model := files["exports/"+key+"/model.onnx"]
		if model == nil {
			continue
		}
		ran++
		t.Run(key, func(t *testing.T) {
			m, err := onnx.LoadBytes(model, nil)
			if err != nil {
				t.Fatal(err)
			}
			rtol, atol := 1e-3, 1e-5
			if key == "lenet_qdq" {
				atol = 2e-3
			}
			for set := 0; ; set++ {
				read := func(kind string) (list []weft.Array) {
					for i := 0; ; i++ {
						data, ok := files[fmt.Sprintf("exports/%s/test_data_set_%d/%s_%d.pb", key, set, kind, i)]
						if !ok {
							return list
						}
						x, _, err := tensor(data)
						if err != nil {
							t.Fatal(err)
						}
						list = append(list, x)
					}
				}
				in, want := read("input"), read("output")
				if len(in) == 0 {
					break
				}
				check := func(how string, f func() []weft.Array) {
					t.Helper()
					out, err := weft.Try(f)
					if err != nil {
						t.Errorf("set %d, %s: %v", set, how, err)
						return
					}
					for i, y := range out {
						if d := differs(y, want[i], rtol, atol); d != "" {
							t.Errorf("set %d, %s, output %d: %s", set, how, i, d)
						}
					}
				}
				f := m.Func()
				check("called", func() []weft.Array { return f(in) })
				check("jitted", func() []weft.Array { return weft.Jit(f)(in) })
				cts := read("cotangent")
				if len(cts) == 0 {
					continue
				}
				gradients++
				want, rtol, atol = nil, 1e-3, 1e-4
				var floats []int
				for i, x := range in {
					if !x.DType().IsInteger() && x.DType() != weft.Bool {
						floats = append(floats, i)
						data := files[fmt.Sprintf("exports/%s/test_data_set_%d/grad_%d.pb", key, set, i)]
						g, _, err := tensor(data)
						if err != nil {
							t.Fatal(err)
						}
						want = append(want, g)
					}
				}
				free := make([]weft.Array, len(floats))
				for k, i := range floats {
					free[k] = in[i]
				}
				of := func(free []weft.Array) []weft.Array {
					all := append([]weft.Array{}, in...)
					for k, i := range floats {
						all[i] = free[k]
					}
					return f(all)
				}
				pull := func() []weft.Array { _, back := weft.VJP(of, free); return back(cts) }
				check("vjp", pull)
				check("jitted vjp", func() []weft.Array {
					return weft.Jit(func(free, cts []weft.Array) []weft.Array { _, back := weft.VJP(of, free); return back(cts) })(free, cts)
				})
				rtol, atol = 1e-3, 1e-5
			}
		})
	}
	if ran < 2 || gradients < 1 {
		t.Errorf("%d models and %d gradients were compared", ran, gradients)
	}
}
