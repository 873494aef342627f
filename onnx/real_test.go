package onnx_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
)

// Models that people use have the results of ONNX Runtime. The folder that WEFT_ONNX names contains
// the models that are too large for the collection, each in a folder with its name.
func TestRealModels(t *testing.T) {
	files := archive(t, "onnx/real.tar.gz", "testdata/real/real.tar.gz")
	ran := 0
	for _, r := range table(t, "onnx/real.tsv", "testdata/real/real.tsv") {
		key := r["key"]
		model := files["real/"+key+"/model.onnx"]
		if model == nil {
			var err error
			if model, err = os.ReadFile(filepath.Join(os.Getenv("WEFT_ONNX"), key, "model.onnx")); err != nil || os.Getenv("WEFT_ONNX") == "" {
				continue
			}
		}
		ran++
		t.Run(key, func(t *testing.T) {
			m, err := onnx.LoadBytes(model, nil)
			if err != nil {
				t.Fatal(err)
			}
			rtol, _ := strconv.ParseFloat(r["rtol"], 64)
			atol, _ := strconv.ParseFloat(r["atol"], 64)
			for set := 0; ; set++ {
				var in []weft.Array
				bound := map[string]weft.Array{}
				var free []weft.Array
				for i, v := range m.Inputs() {
					data, ok := files[fmt.Sprintf("real/%s/test_data_set_%d/input_%d.pb", key, set, i)]
					if !ok {
						break
					}
					x, _, err := tensor(data)
					if err != nil {
						t.Fatal(err)
					}
					in = append(in, x)
					if x.Rank() == 0 { // the sampling rate selects one of two networks
						bound[v.Name] = x
					} else {
						free = append(free, x)
					}
				}
				if len(in) == 0 {
					if set == 0 {
						t.Fatal("there is no input")
					}
					break
				}
				check := func(how string, out []weft.Array, err error) {
					t.Helper()
					if err != nil {
						t.Fatalf("set %d, %s: %v", set, how, err)
					}
					for i, y := range out {
						want, _, err := tensor(files[fmt.Sprintf("real/%s/test_data_set_%d/output_%d.pb", key, set, i)])
						if err != nil {
							t.Fatal(err)
						}
						if d := differs(y, want, rtol, atol); d != "" {
							t.Errorf("set %d, %s, output %d: %s", set, how, i, d)
						}
					}
				}
				out, err := m.Call(in...)
				check("called", out, err)
				b, err := m.Bind(bound)
				if err != nil {
					t.Fatal(err)
				}
				out, err = weft.Try(func() []weft.Array { return weft.Jit(b.Func())(free) })
				check("jitted", out, err)
			}
		})
	}
	if ran < 1 {
		t.Error("no model was run")
	}
}
