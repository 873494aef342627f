package kernel_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/kernel/internal/accuracy"
	"github.com/weft-go/weft/lower/kernel/internal/truth"
)

// promised is the greatest error of a function, in ulps.
func promised(name string, dt core.DType) float64 {
	special := false
	switch name {
	case "erf", "erfc", "erf_inv", "lgamma", "digamma":
		special = true
	case "sqrt":
		return 0.5
	case "rem":
		return 0
	}
	switch {
	case dt == core.Float64 && special:
		return 4
	case dt == core.Float64 || special:
		return 2
	}
	return 1
}

func hold(t *testing.T, name string, dt core.DType, r accuracy.Result) {
	t.Helper()
	if limit := promised(name, dt); r.Max > limit {
		t.Errorf("%s of %v is off by %.3f ulp at %v, promised are %v", name, dt, r.Max, r.At, limit)
	}
	if r.Wrong > 0 {
		t.Errorf("%s of %v is of the wrong kind %d times, first at %v", name, dt, r.Wrong, r.FirstAt)
	}
	if r.N == 0 {
		t.Errorf("%s of %v was not measured", name, dt)
	}
}

// Functions of f32 at one of some thousand bit patterns, of f16 and bf16 at all, and of
// f64 at random arguments. The long tier looks at all f32: TestAllFloat32.
func TestAccuracy(t *testing.T) {
	for _, f := range accuracy.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float32, f.Float32(5, 12289, 1<<32))
			hold(t, f.Name, core.Float16, f.Half(core.Float16))
			hold(t, f.Name, core.BFloat16, f.Half(core.BFloat16))
			n := 1000
			if f.Slow {
				n = 100
			}
			hold(t, f.Name, core.Float64, f.Float64(n, 7))
		})
	}
	for _, f := range accuracy.BinaryFunctions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float32, f.Measure(core.Float32, 1000, 7))
			hold(t, f.Name, core.Float64, f.Measure(core.Float64, 1000, 7))
		})
	}
}

// Complex functions are within 4 ulps of the modulus.
func TestComplexAccuracy(t *testing.T) {
	check := func(name string, dt core.DType, r accuracy.Result, at complex128) {
		t.Helper()
		if r.Max > 4 || r.Wrong > 0 || r.N < 50 {
			t.Errorf("%s of %v is off by %.3f ulp of the modulus (%d of the wrong kind) at %v", name, dt, r.Max, r.Wrong, at)
		}
	}
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for _, f := range accuracy.ComplexFunctions() {
			r, at := f.Measure(dt, 150, 7)
			check(f.Name, dt, r, at)
		}
		for _, f := range []struct {
			p core.Primitive
			t func(p uint, z, w truth.C) truth.C
		}{{prim.MulP{}, truth.MulC}, {prim.DivP{}, truth.DivC}, {prim.PowP{}, truth.PowC}} {
			r, at := accuracy.Pair2(f.p, f.t, dt, 300, 7)
			check(f.p.Name(), dt, r, at)
		}
	}
}
