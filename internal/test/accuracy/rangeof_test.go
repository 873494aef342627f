package accuracy

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
)

// What programs declare of ranges of arguments is so, and many do.
func TestRangeOf(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range Functions() {
		a := newRunner(f.Prim, core.Float32)
		x, y := reference.View[float32](a.in), reference.View[float32](a.out)
		count := [anything + 8]int{}
		for e := range uint32(512) {
			if e&255 == 255 {
				continue
			}
			kind := rangeOf(f.program(), math.Float32frombits(e<<23), math.Float32frombits(e<<23|1<<23-1))
			count[kind]++
			if kind == anything {
				continue
			}
			x[0], x[1] = math.Float32frombits(e<<23), math.Float32frombits(e<<23|1<<23-1)
			for i := 2; i < 300; i++ {
				x[i] = math.Float32frombits(e<<23 | rng.Uint32()>>9)
			}
			a.runSome(300)
			for i := range 300 {
				want := y[0]
				if kind == itself {
					want = x[i]
				}
				if math.Float32bits(y[i]) != math.Float32bits(want) {
					t.Fatalf("%s(%g) is %g, want %g", f.Name, x[i], y[i], want)
				}
			}
		}
		t.Logf("%s: of 510 exponents %d are anything, %d the argument itself, %d alike", f.Name, count[anything], count[itself], count[alike])
	}
}
