package accuracy

import (
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
)

// Programs show the symmetry of functions that are computed from |x|, and it is so.
func TestParity(t *testing.T) {
	want := map[string]Parity{
		"tanh": Odd, "asin": Odd, "atan": Odd, "sinh": Odd, "cosh": Even, "asinh": Odd, "atanh": Odd, "cbrt": Odd,
		"erf": Odd, "erf_inv": Odd, "sin": Odd, "cos": Even,
		"bessel_i0e": Even, "bessel_i1e": Odd,
	}
	for _, f := range Functions() {
		got := ParityOf(reference.MustPlan(f.Prim, core.Float32, core.Float32).Prog())
		if got != want[f.Name] {
			t.Errorf("%s: parity %d, want %d", f.Name, got, want[f.Name])
		}
		if got == None {
			continue
		}
		a, b := newRunner(f.Prim, core.Float32), newRunner(f.Prim, core.Float32)
		x, y := reference.View[uint32](a.in), reference.View[uint32](b.in)
		for i := range x {
			x[i] = uint32(i) * (0x7f800000 / chunk)
			y[i] = x[i] | 1<<31
		}
		a.run()
		b.run()
		u, v := reference.View[uint32](a.out), reference.View[uint32](b.out)
		for i := range u {
			w := u[i]
			if got == Odd && w&(1<<31-1) <= 0x7f800000 {
				w ^= 1 << 31
			}
			if v[i] != w {
				t.Fatalf("%s of %#x is %#x and of %#x %#x", f.Name, x[i], u[i], y[i], v[i])
			}
		}
	}
}
