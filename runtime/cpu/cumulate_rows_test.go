package cpu_test

import (
	"context"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cpu"
)

// Running folds along rows have the reference's bits: rows shorter and longer than a group of
// chunks, few and many of them, of elements in memory and of computed ones.
func TestRunningFoldsOfRows(t *testing.T) {
	folds := map[string]func(x weft.Array) weft.Array{
		"sum":       func(x weft.Array) weft.Array { return x.CumSum(1) },
		"prod":      func(x weft.Array) weft.Array { return x.Add(1).CumProd(1) },
		"max":       func(x weft.Array) weft.Array { return x.CumMax(1) },
		"of sines":  func(x weft.Array) weft.Array { return weft.Sin(x).CumSum(1) },
		"of turned": func(x weft.Array) weft.Array { return x.T().Reshape(x.Shape()...).CumSum(1) },
	}
	for name, f := range folds {
		for _, dt := range []weft.DType{weft.Float32, weft.Float64, weft.BFloat16, weft.Int32} {
			for _, shape := range [][]int{{1, 256}, {3, 255}, {2, 257}, {5, 700}, {17, 1024}, {300, 300}} {
				x := weft.Linspace(-3, 3, shape[0]*shape[1]).Reshape(shape...).AsType(dt)
				if name == "of sines" {
					x = x.AsType(weft.Float32)
				}
				j, err := weft.Jaxpr(f, x)
				if err != nil {
					t.Fatal(err)
				}
				in := []*runtime.Array{x.Value().(*runtime.Array)}
				want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, in)
				if err != nil {
					t.Fatal(err)
				}
				for _, isa := range cpu.Targets() {
					e, err := runtime.Select(isa)
					if err != nil {
						continue // the machine has no such instructions
					}
					got, err := runtime.Evaluate(context.Background(), e, j, in)
					if err != nil || !testcheck.SameBinary(weft.FromValue(got[0]), weft.FromValue(want[0])) {
						t.Errorf("%s of %v%v with %s: got other bits than the reference (error %v)", name, dt, shape, isa, err)
					}
				}
			}
		}
	}
}
