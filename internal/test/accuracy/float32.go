package accuracy

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/oracle"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/scalar"
)

// doubt returns the relative error that near is trusted not to exceed, far more than it has.
// TestNear holds it to that. Go reduces large angles with 64 bits of a turn: near its
// zeros a sine of f32 is left with some thirty.
func (f Function) doubt() float64 {
	switch f.Name {
	case "sin", "cos", "tan":
		return 0x1p-28
	}
	return 0x1p-40
}

// plain is an error that rounding alone may cause.
const plain = 0.49

// Float32 measures f at the bit patterns first, first + stride, … below end. The error of
// nearly every argument is found with an f64 that is nearly right; where that might be
// above plain and greater than the greatest so far, it is found with the truth.
func (f Function) Float32(first, stride, end uint64) Result {
	var t tally
	a := newRunner(f.Prim, core.Float32)
	quick, fm := near[f.Name], formats[core.Float32]
	for at := first; at < end; {
		// As far as the arguments have one exponent, or are NaN.
		stop := min(end, at&^(1<<23-1)+1<<23)
		if at&^(1<<31) > 0x7f800000 {
			stop = min(end, at&(1<<31)+1<<31)
		} else if at&^(1<<31) == 0x7f800000 {
			stop = at + 1
		}
		kind := anything
		if at&^(1<<31) <= 0x7f800000 {
			kind = rangeOf(f.program(), math.Float32frombits(uint32(at)), math.Float32frombits(uint32(stop-1)))
		}
		for at < stop {
			x, y := f.apply(a, kind, at, stride, stop)
			at += uint64(len(x)) * stride
			for i := range x {
				v := float64(x[i])
				got, want := float64(y[i]), quick(v)
				err := off32(got, want)
				if f.Unit != 0 || !(err < 1<<20) {
					err = fm.off(got, want, f.Unit)
				}
				t.add(v, f.sure(fm, v, got, err, t.Max))
			}
		}
	}
	return t.result()
}

// sure returns the error of got at x, which a nearly right f64 states is err: that, unless it
// might be above plain and the greatest so far. The doubt counts in ulps of the result,
// or of the unit if that is greater.
func (f Function) sure(fm format, x, got, err, greatest float64) float64 {
	if err+f.doubt()*0x1p24 <= max(greatest, plain) || err == 0 || !f.Domain(x) {
		return err
	}
	return offUnit(fm, got, f.Truth(100, oracle.Num(x)), f.Unit)
}

// apply returns a chunk of arguments from the bit pattern at on, and the results of f; kind says
// what is known of them.
func (f Function) apply(a *runner, kind what, at, stride, stop uint64) (x, y []float32) {
	x, y = reference.View[float32](a.in), reference.View[float32](a.out)
	n := int(min(chunk, (stop-at+stride-1)/stride))
	for i := range x[:n] {
		x[i] = math.Float32frombits(uint32(at + uint64(i)*stride))
	}
	x, y = x[:n], y[:n]
	switch kind {
	case itself:
		copy(y, x)
	case alike:
		a.runSome(1)
		for i := range y {
			y[i] = y[0]
		}
	default:
		a.runSome(n)
	}
	return x, y
}

// off32 returns the error in ulps of f32 where want is of the size of a normal f32, and else
// NaN.
func off32(got, want float64) float64 {
	e := math.Float64bits(want) >> 52 & 0x7ff
	if e-(1023-126) >= 2*126 {
		return math.NaN()
	}
	return math.Abs(got-want) * math.Float64frombits((2046+23-e)<<52)
}

// Float32Part measures f at one part of all f32, every sixteenth. Of an odd or even
// function it looks at half of them only: what it does with the others follows from its
// program.
func (f Function) Float32Part(k int) Result {
	const inf, sign = 0x7f800000, 1 << 31
	n := uint64(k)
	if ParityOf(f.program()) == None {
		return f.Float32(n, Parts, 1<<32)
	}
	half := f.Float32(n, Parts, inf)
	return Join(half, half, f.Float32(inf+n, Parts, sign), f.Float32(sign+inf+n, Parts, 1<<32))
}

func (f Function) program() *scalar.Prog {
	return reference.MustPlan(f.Prim, core.Float32, core.Float32).Prog()
}
