package accuracy

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/scalar"
)

// A Stretch is f32 arguments of one sign and exponent, by their bits, with the program
// that f is for them. What is found there counts Weight times: twice where the function
// is odd or even and the arguments of the other sign are left out.
type Stretch struct {
	First  uint32
	N      int
	Weight int
	Prog   *scalar.Prog
}

// Stretches returns all f32, but for those that follow from others.
func (f Function) Stretches() []Stretch {
	p := f.program()
	weight := 1
	if ParityOf(p) != None {
		weight = 2
	}
	var s []Stretch
	for e := range uint32(512) {
		first, n := e<<23, uint32(1<<23)
		q := p
		switch {
		case e&255 == 255: // infinity and NaN
			s = append(s, Stretch{first, int(n), 1, p})
			continue
		case weight == 2 && e > 255:
			continue
		}
		q = narrowed(p, math.Float32frombits(first), math.Float32frombits(first+n-1))
		s = append(s, Stretch{first, int(n), weight, q})
	}
	return s
}

// Program64 returns what f does in f64.
func (f Function) Program64() *scalar.Prog {
	return reference.MustPlan(f.Prim, core.Float64, core.Float64).Prog()
}

// Apply returns f of some f32.
func (f Function) Apply(x []float32) []float32 {
	a := core.Aval(core.Float32, len(x))
	in, out := reference.NewTensor(a), reference.NewTensor(a)
	copy(reference.View[float32](in), x)
	run(f.Prim, []*reference.Tensor{in}, []*reference.Tensor{out})
	return reference.View[float32](out)
}

// Worst returns the greatest error of f at the given f32 with the results y, by the truth.
func (f Function) Worst(x, y []float32) Result {
	var t tally
	fm := formats[core.Float32]
	for i := range x {
		v := float64(x[i])
		err := fm.off(float64(y[i]), near[f.Name](v), f.Unit)
		if f.Domain(v) {
			err = offUnit(fm, float64(y[i]), f.Truth(100, oracle.Num(v)), f.Unit)
		}
		t.add(v, err)
	}
	return t.result()
}
