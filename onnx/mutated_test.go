package onnx_test

import (
	"context"
	"flag"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/onnx"
)

var mutations = flag.Int("mutations", 2000, "damaged files that TestMutated runs")

// Damaged files are errors, or models that run: nothing panics otherwise, hangs or takes all memory.
func TestMutated(t *testing.T) {
	files := archive(t, "onnx/nodes.tar.gz", "testdata/conformance/nodes.tar.gz")
	var names []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.HasSuffix(name, "/model.onnx") && len(files[name]) < 4000 {
			names = append(names, name)
		}
	}
	r := rand.New(rand.NewPCG(1, uint64(*mutations)))
	loaded, ran := 0, 0
	for range *mutations {
		name := names[r.IntN(len(names))]
		data := slices.Clone(files[name])
		for range 1 + r.IntN(3) {
			i := r.IntN(len(data))
			switch r.IntN(4) {
			case 0:
				data[i] ^= 1 << r.IntN(8)
			case 1:
				data[i] = byte(r.IntN(256))
			case 2:
				data = slices.Delete(data, i, min(len(data), i+1+r.IntN(4)))
			default:
				data = slices.Insert(data, i, data[i:min(len(data), i+1+r.IntN(8))]...)
			}
			if len(data) == 0 {
				break
			}
		}
		func() {
			defer func() {
				if e := recover(); e != nil {
					t.Errorf("%s: %v\n%x\n%s", name, e, data, debug.Stack())
				}
			}()
			m, err := onnx.LoadBytes(data, nil)
			if err != nil {
				return
			}
			loaded++
			var in []weft.Array
			size := 0
			for _, v := range m.Inputs() {
				dims := make([]int, len(v.Dims))
				n := 1
				for i, d := range v.Dims {
					dims[i] = max(d.Size, 2)
					if n *= min(dims[i], 1<<20); n > 1<<20 {
						return // no argument of such a size is made
					}
				}
				size += n
				if v.DType == 0 {
					return
				}
				in = append(in, weft.OnesOf(v.DType, dims...))
			}
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			weft.With(weft.Context(ctx), func() {
				start := time.Now()
				_, err = m.Call(in...)
				if d := time.Since(start); d > 20*time.Second {
					t.Errorf("%s took %v with %d elements: %v", name, d, size, err)
				}
			})
			if err == nil {
				ran++
			}
		}()
	}
	t.Logf("of %d damaged files %d were loaded and %d ran", *mutations, loaded, ran)
	if loaded == 0 || ran == 0 || loaded == *mutations {
		t.Errorf("of %d damaged files %d were loaded and %d ran", *mutations, loaded, ran)
	}
}
