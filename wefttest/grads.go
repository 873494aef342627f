package wefttest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft"
)

// GradConfig configures [CheckGrads]. Its zero value checks first derivatives in both modes.
type GradConfig struct {
	Order       int     // highest order of derivatives; 0: 1
	SkipForward bool    // for functions that have only a reverse derivative
	SkipReverse bool    // for functions that have only a forward derivative
	Tol         float64 // allowed error relative to 1 + the largest number; 0: 1e-6 for f64, 5e-3 for f32, 0.1 below
	Step        float64 // of the differences; 0: 1e-4 for f64, 1e-2 for f32, 0.1 below
	Seed        uint64  // of the directions
}

// CheckGrads fails the test unless the derivatives of f at p, along a random
// direction, agree with differences of f's values:
//
//	forward:  JVP(f, p, v) = df(p+h·v)/dh
//	reverse:  Re Σ ct·(df(p+h·v)/dh) = Re Σ VJP(f, p)(ct)·v
//
// and so on for the derivatives of these up to the configured order. Leaves of p that are neither
// floats nor complex numbers are not moved, and results of such types are ignored.
func CheckGrads[P, O any](t testing.TB, f func(P) O, p P, c GradConfig) {
	t.Helper()
	var at []int // which leaves of p take part
	all := leavesOf(p)
	var xs []weft.Array
	for i, l := range all {
		if l.x.DType().IsInexact() {
			at, xs = append(at, i), append(xs, l.x)
		}
	}
	if len(xs) == 0 {
		t.Errorf("CheckGrads: nothing in %T can be differentiated", p)
		return
	}
	names := make([]string, len(at))
	for i, k := range at {
		names[i] = all[k].name()
	}
	flat := func(xs []weft.Array) []weft.Array {
		full := make([]weft.Array, len(all))
		for i, l := range all {
			full[i] = l.x
		}
		for i, k := range at {
			full[k] = xs[i]
		}
		k := -1
		q := weft.TreeMap(func(weft.Array) weft.Array { k++; return full[k] }, p)
		var out []weft.Array
		for _, l := range leavesOf(f(q)) {
			if l.x.DType().IsInexact() {
				out = append(out, l.x)
			}
		}
		return out
	}
	g := &gradCheck{GradConfig: c, random: rand.New(rand.NewPCG(c.Seed, 0x57ef7))}
	if d := g.check(flat, xs, names, max(c.Order, 1), ""); d != "" {
		t.Error("CheckGrads: " + d)
	}
}

// gradCheck is a check under way. Functions take and give lists of arrays.
type gradCheck struct {
	GradConfig
	random *rand.Rand
}

type function = func([]weft.Array) []weft.Array

// check returns what is wrong with the derivatives of f at xs, "" if nothing is. The text `of` describes
// which derivative f itself is.
func (g *gradCheck) check(f function, xs []weft.Array, names []string, order int, of string) string {
	out := f(xs)
	if len(out) == 0 {
		return of + "no result can be differentiated"
	}
	v := g.directions(xs)
	slope := g.difference(f, xs, v)
	if !g.SkipForward {
		_, tangent := weft.JVP(f, xs, v)
		for i := range slope {
			if d := g.compare(tangent[i], slope[i], xs); d != "" {
				return fmt.Sprintf("%sforward derivative of result %d: %s", of, i, d)
			}
		}
		if order > 1 {
			n := len(xs)
			next := func(a []weft.Array) []weft.Array {
				y, t := weft.JVP(f, a[:n:n], a[n:])
				return append(y, t...)
			}
			if d := g.check(next, append(xs[:n:n], v...), append(names[:n:n], tangents(names)...), order-1, of+"forward, then "); d != "" {
				return d
			}
		}
	}
	if !g.SkipReverse {
		ct := g.directions(out)
		_, pull := weft.VJP(f, xs)
		back := pull(ct)
		left, right := inner(ct, slope), inner(back, v)
		scale := 1 + math.Abs(left) + size(ct, slope)
		if d := math.Abs(left - right); !(d <= g.tol(append(slices.Clip(xs), out...))*scale) {
			return fmt.Sprintf("%sreverse derivative: Re Σ ct·slope is %.9g by differences and Re Σ back·v is %.9g, off by %.3g where %.3g is allowed%s",
				of, left, right, d, g.tol(append(slices.Clip(xs), out...))*scale, notFinite(back, names))
		}
		if order > 1 {
			n := len(xs)
			next := func(a []weft.Array) []weft.Array {
				_, pull := weft.VJP(f, a[:n:n])
				return pull(a[n:])
			}
			cts := make([]string, len(ct))
			for i := range cts {
				cts[i] = fmt.Sprintf("the cotangent of result %d", i)
			}
			if d := g.check(next, append(xs[:n:n], ct...), append(names[:n:n], cts...), order-1, of+"reverse, then "); d != "" {
				return d
			}
		}
	}
	return ""
}

func tangents(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = "the tangent of " + n
	}
	return out
}

// notFinite names the first leaf of a gradient that is not finite; it returns "" if all are.
func notFinite(xs []weft.Array, names []string) string {
	for i, x := range xs {
		if x.DType().IsInexact() && !weft.IsFinite(x).All().Bool() {
			return fmt.Sprintf("; the gradient of %s is not finite", names[i])
		}
	}
	return ""
}

// directions returns random numbers of the arrays' types.
func (g *gradCheck) directions(xs []weft.Array) []weft.Array {
	out := make([]weft.Array, len(xs))
	for i, x := range xs {
		v := make([]complex128, x.Size())
		for k := range v {
			v[k] = complex(g.random.NormFloat64(), g.random.NormFloat64())
		}
		a := weft.FromSlice(v).Reshape(x.Shape()...) // which may have no axes
		if !x.DType().IsComplex() {
			a = a.Real()
		}
		out[i] = a.AsType(x.DType())
	}
	return out
}

// difference returns the derivative of f along v by differences of fourth order:
// (8·(f(h)−f(−h)) − (f(2h)−f(−2h))) / 12h. Results are complex numbers
// of f64 parts.
func (g *gradCheck) difference(f function, xs, v []weft.Array) []weft.Array {
	h := g.step(xs)
	at := func(by float64) []weft.Array {
		moved := make([]weft.Array, len(xs))
		for i, x := range xs {
			moved[i] = x.Add(v[i].Mul(weft.AsArray(by).AsType(x.DType().Real()))).AsType(x.DType())
		}
		out := f(moved)
		for i, y := range out {
			out[i] = wide(y)
		}
		return out
	}
	p1, m1, p2, m2 := at(h), at(-h), at(2*h), at(-2*h)
	out := make([]weft.Array, len(p1))
	for i := range out {
		out[i] = p1[i].Sub(m1[i]).Mul(8).Sub(p2[i].Sub(m2[i])).Div(12 * h)
	}
	return out
}

func wide(x weft.Array) weft.Array { return x.AsType(weft.Complex128) }

// compare returns how a derivative at xs differs from differences of values, "" if it does not.
func (g *gradCheck) compare(got, want weft.Array, xs []weft.Array) string {
	if got.DType() == weft.Float0 {
		return "it is float0, of a result that is a number"
	}
	a, b := numbers(got), numbers(want)
	largest := 0.
	for _, x := range b {
		if m := magnitude(x); !math.IsInf(m, 0) && m > largest {
			largest = m
		}
	}
	allowed := g.tol(append(slices.Clip(xs), got)) * (1 + largest)
	for i := range a {
		if d := distance(a[i], b[i]); !(d <= allowed) {
			return fmt.Sprintf("element %v is %v, by differences %v, off by %.3g where %.3g is allowed",
				place(got.Shape(), i), show(a[i], got.DType()), show(b[i], got.DType()), d, allowed)
		}
	}
	return ""
}

// inner returns Re Σ aᵢ·bᵢ.
func inner(a, b []weft.Array) float64 {
	s := 0.
	for i := range a {
		if !a[i].DType().IsInexact() {
			continue
		}
		x, y := numbers(a[i]), numbers(b[i])
		for k := range x {
			s += real(x[k] * y[k])
		}
	}
	return s
}

// size returns Σ |aᵢ·bᵢ|, the scale of rounding errors in an inner product.
func size(a, b []weft.Array) float64 {
	s := 0.
	for i := range a {
		x, y := numbers(a[i]), numbers(b[i])
		for k := range x {
			s += magnitude(x[k]) * magnitude(y[k])
		}
	}
	return s
}

// narrowest returns the number of bits of the least precise type.
func narrowest(xs []weft.Array) int {
	bits := 64
	for _, x := range xs {
		if x.DType().IsInexact() {
			bits = min(bits, x.DType().Real().Bits())
		}
	}
	return bits
}

func (g *gradCheck) tol(xs []weft.Array) float64 {
	if g.Tol != 0 {
		return g.Tol
	}
	return byWidth(xs, 1e-6, 5e-3, 0.1)
}

func (g *gradCheck) step(xs []weft.Array) float64 {
	if g.Step != 0 {
		return g.Step
	}
	return byWidth(xs, 1e-4, 1e-2, 0.1)
}

func byWidth(xs []weft.Array, at64, at32, below float64) float64 {
	switch n := narrowest(xs); {
	case n >= 64:
		return at64
	case n >= 32:
		return at32
	}
	return below
}
