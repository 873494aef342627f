package golden

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Concrete returns a result as an array, with literals converted to arrays.
func Concrete(v core.Value) *runtime.Array {
	switch v := v.(type) {
	case *runtime.Array:
		return v
	case core.Literal:
		return runtime.FromLiteral(v)
	}
	panic(fmt.Sprintf("a result is no concrete value: %v", v))
}

// Compare describes how got differs from want: "" if every element is within ulps units in the
// last place of the larger of |want| and scale times the largest finite magnitude in want.
// NaNs are equal to NaNs. ulps 0 requires equal bits (NaNs aside).
func Compare(got core.Value, want Array, ulps, scale float64) string {
	largest := 0.0
	if want.Type().DType.IsInexact() {
		largest = Largest(want)
	}
	return CompareAt(got, want, ulps, scale*largest)
}

// Largest returns the largest finite magnitude in an inexact array.
func Largest(a Array) float64 {
	largest := 0.0
	for _, x := range parts(a.Value(), a.Type().Size()) {
		if m := math.Abs(x); !math.IsInf(m, 0) && m > largest {
			largest = m
		}
	}
	return largest
}

// CompareAt returns Compare with units in the last place of |want| or of the given magnitude,
// whichever is larger.
func CompareAt(got core.Value, want Array, ulps, magnitude float64) string {
	g, w := Concrete(got), want.Value()
	ga, wa := g.Aval(), w.Aval()
	if !ga.SameType(wa) {
		return fmt.Sprintf("type %v, want %v", ga.Full(), wa)
	}
	dt := wa.DType
	if !dt.IsInexact() || ulps == 0 && dt.IsMinorFloat() {
		if !bytes.Equal(lowBits(g), lowBits(w)) {
			return fmt.Sprintf("got %s, want %s", show(g), show(w))
		}
		return ""
	}
	n := wa.Size()
	gs, ws := parts(g, n), parts(w, n)
	worst, at := 0.0, -1
	for i, x := range ws {
		y := gs[i]
		switch {
		case x != x && y != y, x == y && (ulps > 0 || math.Signbit(x) == math.Signbit(y)):
			continue
		case x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0):
			return fmt.Sprintf("element %d: got %v, want %v", i, y, x)
		}
		m := math.Max(math.Abs(x), magnitude)
		if dt.IsComplex() { // ulps of the modulus, unless the other part is infinite or NaN
			if r := math.Hypot(ws[i&^1], ws[i|1]); r > m && !math.IsInf(r, 0) {
				m = r
			}
		}
		if d := math.Abs(x-y) / testcheck.ULP(m, dt); d > worst {
			worst, at = d, i
		}
	}
	if at >= 0 && worst > ulps {
		return fmt.Sprintf("element %d: got %v, want %v: %.3g ulps, allowed %g", at, gs[at], ws[at], worst, ulps)
	}
	return ""
}

// lowBits returns the elements' bytes, with the bits above those of a type narrower than a byte
// cleared: different writers may have extended the sign or not.
func lowBits(a *runtime.Array) []byte {
	b := a.Tensor().Data
	if n := a.Aval().DType.Bits(); n > 0 && n < 8 {
		b = bytes.Clone(b)
		for i := range b {
			b[i] &= 1<<n - 1
		}
	}
	return b
}

// parts returns the elements as float64s, complex ones as two.
func parts(a *runtime.Array, n int) []float64 {
	dt := a.Aval().DType
	w := dt.Size()
	out := make([]float64, 0, n)
	for i := range n {
		x, _ := elem.Get(a.Tensor().Data[i*w:], dt)
		if dt.IsComplex() {
			c := x.Complex()
			out = append(out, real(c), imag(c))
		} else {
			out = append(out, x.Float())
		}
	}
	return out
}

func show(a *runtime.Array) string {
	t := a.Aval()
	if t.Size() > 40 || t.DType.IsKey() {
		return fmt.Sprintf("%v %x", t, a.Tensor().Data[:min(40, len(a.Tensor().Data))])
	}
	var out []string
	for i := range t.Size() {
		x, ok := a.At(i)
		if !ok {
			return fmt.Sprintf("%x", a.Tensor().Data)
		}
		out = append(out, core.Literal{Num: x, Type: t.DType}.Text())
	}
	return fmt.Sprint(out)
}
