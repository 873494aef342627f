package accuracy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/double"
	"github.com/weft-go/weft/internal/test/oracle"
)

// The quick functions are as accurate as documented, at f32 arguments of all sizes.
func TestNear(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, f := range Functions() {
		worst, at := 0.0, 0.0
		for i := range 20000 {
			x := f.argument(rng, i%3)
			if i%3 == 1 {
				x = math.Ldexp(x, -math.Ilogb(x)+rng.IntN(277)-149)
			}
			x = float64(float32(x))
			if !f.Domain(x) {
				continue
			}
			w, got := doubles[f.Name](double.Of(x)), near[f.Name](x)
			if !moderate(w.Hi) {
				continue // 0 or ∞ as an f32
			}
			err := math.Abs((got-w.Hi)-w.Lo) / max(math.Abs(w.Hi), f.Unit)
			if err > worst {
				worst, at = err, x
			}
		}
		if t.Logf("%s is right to 2^%.1f", f.Name, math.Log2(worst)); worst > f.doubt()/4 {
			t.Errorf("%s(%g) is off by 2^%.1f", f.Name, at, math.Log2(worst))
		}
	}
}

// At the border of where double reaches it states what math/big does.
func TestOff64(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, f := range Functions() {
		n := 100
		if f.Slow {
			n = 20
		}
		for i := range n {
			x := f.argument(rng, i%3)
			w := f.Truth(100, oracle.Num(x))
			got, _ := w.Float64()
			got *= 1 + float64(rng.IntN(9)-4)*0x1p-52
			a, b := f.off64(x, got), offUnit(formats[core.Float64], got, w, f.Unit)
			if !(math.Abs(a-b) < 1e-5) && !(a != a && b != b) {
				t.Errorf("%s(%v) = %v is off by %v, and by %v", f.Name, x, got, a, b)
			}
		}
	}
}

// Go's remainder is exact, and for f32 the quick functions of two arguments are as right
// as Measure takes them to be.
func TestNearBinary(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for _, f := range BinaryFunctions() {
		worst := 0.0
		for range 3000 {
			x, y := f.arguments(rng, core.Float32)
			if f.Name == "rem" {
				x, y = f.arguments(rng, core.Float64)
				if w := Remainder(oracle.Num(x), oracle.Num(y)); w.Cmp(oracle.Num(math.Mod(x, y))) != 0 {
					t.Errorf("the remainder of %v by %v is %v, want %v", x, y, math.Mod(x, y), w)
				}
				continue
			}
			if f.double == nil || f.domain != nil && !f.domain(x, y) {
				continue
			}
			if w := f.double(double.Of(x), double.Of(y)); moderate(w.Hi) {
				worst = max(worst, math.Abs((f.near(x, y, core.Float32)-w.Hi)-w.Lo)/math.Abs(w.Hi))
			}
		}
		if t.Logf("%s is right to 2^%.1f", f.Name, math.Log2(worst)); worst > 0x1p-42 {
			t.Errorf("%s is off by 2^%.1f", f.Name, math.Log2(worst))
		}
	}
}
