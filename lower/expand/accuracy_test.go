package expand_test

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/accuracy"
	"github.com/weft-go/weft/internal/test/oracle"
)

func hold(t *testing.T, name string, dt core.DType, r accuracy.Result) {
	t.Helper()
	if limit := accuracy.Promised(name, dt); r.Max > limit {
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
// f64 at all exponents and near edges. The long tier looks at all f32: TestAllFloat32.
func TestAccuracy(t *testing.T) {
	t.Parallel()
	for _, f := range accuracy.Functions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float32, f.Float32(5, 12289, 1<<32))
			hold(t, f.Name, core.Float16, f.Half(core.Float16))
			hold(t, f.Name, core.BFloat16, f.Half(core.BFloat16))
			hold(t, f.Name, core.Float64, f.Float64(6000, 7))
		})
	}
	for _, f := range accuracy.BinaryFunctions() {
		t.Run(f.Name, func(t *testing.T) {
			hold(t, f.Name, core.Float32, f.Measure(core.Float32, 20000, 7))
			hold(t, f.Name, core.Float64, f.Measure(core.Float64, 5000, 7))
		})
	}
}

// Complex functions are within 4 ulps of the modulus.
func TestComplexAccuracy(t *testing.T) {
	t.Parallel()
	check := func(name string, dt core.DType, r accuracy.Result) {
		t.Helper()
		if r.Max > accuracy.PromisedComplex || r.Wrong > 0 || r.N < 50 {
			t.Errorf("%s of %v is off by %.3f ulp of the modulus (%d of the wrong kind) at %v", name, dt, r.Max, r.Wrong, complex(r.At, r.At2))
		}
	}
	for _, dt := range []core.DType{core.Complex64, core.Complex128} {
		for _, f := range accuracy.ComplexFunctions() {
			check(f.Name, dt, f.Measure(dt, 150, 7))
		}
		for _, f := range []struct {
			p core.Primitive
			t func(p uint, z, w oracle.C) oracle.C
		}{{prim.MulP{}, oracle.MulC}, {prim.DivP{}, oracle.DivC}, {prim.PowP{}, oracle.PowC}} {
			check(f.p.Name(), dt, accuracy.Pair2(f.p, f.t, dt, 300, 7))
		}
	}
}
