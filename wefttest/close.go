package wefttest

import (
	"fmt"
	"math"
	"testing"

	"github.com/weft-go/weft"
)

// Tolerance is how far numbers may be apart: Abs plus Rel times the magnitude of the expected
// number. Where both are 0 they are the type's own: 1e-12 for f64, 1e-5 for f32, 4e-3 for f16, 3e-2
// for bf16, 0.5 for narrower floats. Integers and truth values must be equal. Exact requires that of
// all numbers.
type Tolerance struct {
	Rel, Abs float64
	Exact    bool
}

func (t Tolerance) of(dt weft.DType) (rel, abs float64) {
	switch {
	case t.Exact || !dt.IsInexact():
		return 0, 0
	case t.Rel != 0 || t.Abs != 0:
		return t.Rel, t.Abs
	}
	own := typeTolerance(dt)
	return own, own
}

func typeTolerance(dt weft.DType) float64 {
	switch dt.Real() {
	case weft.Float64:
		return 1e-12
	case weft.Float32:
		return 1e-5
	case weft.Float16:
		return 4e-3
	case weft.BFloat16:
		return 3e-2
	}
	return 0.5 // types of a few digits
}

// AllClose fails the test unless two trees of arrays are of one structure, with equal
// shapes and types, and every number is within the tolerance. NaNs are close to NaNs.
// It names the leaf that is worst, and reports whether all was well.
func AllClose[P any](t testing.TB, got, want P, tol Tolerance) bool {
	t.Helper()
	if d := Difference(got, want, tol); d != "" {
		t.Error(d)
		return false
	}
	return true
}

// Difference describes how two trees of arrays differ by more than a tolerance, "" if they do
// not: see [AllClose].
func Difference[P any](got, want P, tol Tolerance) string {
	gs, ws := leavesOf(got), leavesOf(want)
	for i := range max(len(gs), len(ws)) {
		switch {
		case i >= len(gs):
			return fmt.Sprintf("leaf %s is missing", ws[i].name())
		case i >= len(ws):
			return fmt.Sprintf("leaf %s should not be there", gs[i].name())
		case gs[i].path != ws[i].path:
			return fmt.Sprintf("leaf %s stands where %s should", gs[i].name(), ws[i].name())
		}
		g, w := gs[i].x, ws[i].x
		if g.IsZero() || w.IsZero() {
			if g.IsZero() != w.IsZero() {
				return fmt.Sprintf("leaf %s: got %s, want %s", ws[i].name(), typeOf(g), typeOf(w))
			}
			continue
		}
		if g.DType() != w.DType() || !sameShape(g.Shape(), w.Shape()) {
			return fmt.Sprintf("leaf %s: got %s, want %s", ws[i].name(), typeOf(g), typeOf(w))
		}
	}
	worst, text := 0., ""
	bad := 0
	for i := range ws {
		if ws[i].x.IsZero() {
			continue
		}
		off, where := worstElement(gs[i].x, ws[i].x, tol)
		if off > 1 {
			bad++
		}
		if off > worst {
			worst, text = off, fmt.Sprintf("leaf %s%s", ws[i].name(), where)
		}
	}
	if worst <= 1 {
		return ""
	}
	if bad > 1 {
		text += fmt.Sprintf("; %d leaves of %d differ", bad, len(ws))
	}
	return text
}

type leaf struct {
	path string
	x    weft.Array
}

// name returns the path as messages show it: that of a tree that is an array itself is empty.
func (l leaf) name() string {
	if l.path == "" {
		return "(the array)"
	}
	return l.path
}

func leavesOf[P any](p P) []leaf {
	var out []leaf
	for path, x := range weft.TreeLeaves(p) {
		out = append(out, leaf{path, x})
	}
	return out
}

func typeOf(x weft.Array) string {
	if x.IsZero() {
		return "no array"
	}
	return x.Value().Aval().String()
}

func sameShape(a, b weft.Shape) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// worstElement returns how many tolerances the worst element of two arrays of one type is
// off, and what it is.
func worstElement(got, want weft.Array, tol Tolerance) (off float64, where string) {
	dt := want.DType()
	if !dt.IsInexact() {
		if got.Equal(want) {
			return 0, ""
		}
		if dt.IsKey() || dt == weft.Float0 {
			return math.Inf(1), fmt.Sprintf(": got %v, want %v", got, want)
		}
	}
	rel, abs := tol.of(dt)
	g, w := numbers(got), numbers(want)
	at, n := -1, 0
	for i := range w {
		var o float64
		switch d := distance(g[i], w[i]); {
		case d == 0:
		case math.IsInf(d, 0), rel == 0 && abs == 0:
			o = math.Inf(1)
		default:
			o = d / (abs + rel*magnitude(w[i]))
		}
		if o > 1 {
			n++
		}
		if o > off {
			off, at = o, i
		}
	}
	if at < 0 {
		if !dt.IsInexact() { // they differ in digits that complex128 does not hold
			return math.Inf(1), fmt.Sprintf(": got %v, want %v", got, want)
		}
		return 0, ""
	}
	where = fmt.Sprintf(": element %v is %v, want %v", place(want.Shape(), at), show(g[at], dt), show(w[at], dt))
	if d := distance(g[at], w[at]); !math.IsInf(d, 0) {
		where += fmt.Sprintf(", off by %.3g where %.3g is allowed", d, abs+rel*magnitude(w[at]))
	}
	if n > 1 {
		where += fmt.Sprintf("; %d elements of %d differ", n, len(w))
	}
	return off, where
}

// numbers returns the elements of an array. 64-bit integers may lose their last digits here:
// whether they are equal was checked before.
func numbers(x weft.Array) []complex128 { return weft.ToSlice[complex128](x.AsType(weft.Complex128)) }

// distance returns |a−b|. Equal parts of a and b have the distance 0, also where both are NaN or
// infinite; different ones are infinitely far apart if one is NaN or infinite.
func distance(a, b complex128) float64 {
	part := func(x, y float64) float64 {
		if x == y || x != x && y != y {
			return 0
		}
		if d := math.Abs(x - y); d == d {
			return d
		}
		return math.Inf(1)
	}
	return math.Hypot(part(real(a), real(b)), part(imag(a), imag(b)))
}

// magnitude returns |x| without the parts that are not finite, so that they allow no distance.
func magnitude(x complex128) float64 {
	part := func(x float64) float64 {
		if x-x != 0 { // NaN or infinite
			return 0
		}
		return x
	}
	return math.Hypot(part(real(x)), part(imag(x)))
}

func show(x complex128, dt weft.DType) string {
	switch {
	case dt == weft.Complex64:
		return fmt.Sprint(complex64(x))
	case dt.IsComplex():
		return fmt.Sprint(x)
	case dt.IsFloat() && dt.Bits() <= 32:
		return fmt.Sprint(float32(real(x)))
	}
	return fmt.Sprint(real(x))
}

// place returns the index, along each axis, of the element whose number in row-major order is `at`.
func place(shape weft.Shape, at int) []int {
	pos := make([]int, len(shape))
	for i := len(shape) - 1; i >= 0; i-- {
		pos[i] = at % shape[i]
		at /= shape[i]
	}
	return pos
}
