package nd

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Interp returns the linear interpolation at x of the points (xp, fp), where xp increases.
// Outside of them it is the value of the nearest point.
func Interp(x, xp, fp core.Value) core.Value {
	v, p := FloatingPair("Interp", ValueOf("Interp", x), ValueOf("Interp", xp))
	if t := v.Aval(); t.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Interp", []core.ShapedArray{t}, "the positions are real, got %v; complex heights may be", t.Full())
	}
	f := Floating("Interp", ValueOf("Interp", fp))
	weak := v.Aval().Weak && f.Aval().Weak
	if f.Aval().Weak { // weak heights have the type of the positions
		dt, _ := PromoteTypes("Interp", v, f)
		f = Convert("Interp", f, dt, false)
	}
	f = Strong("Interp", f)
	a, b := p.Aval(), f.Aval()
	if a.Rank() != 1 || a.Shape != b.Shape || a.Size() == 0 {
		core.FailOp(core.ErrShape, "Interp", []core.ShapedArray{v.Aval(), a, b}, "the points are two vectors of one size, got %v and %v; reshape them", a.Full(), b.Full())
	}
	n := a.Size()
	y := WithJAXPromotion(func() core.Value {
		x, xp, fp := v, p, f
		if n == 1 {
			return Where(IsNaN(x), x, Index(fp, 0))
		}
		given := x
		// Beyond the points the fraction is not used; it may be infinite, and its derivatives NaN.
		x = Where(prim.And(Ge(x, Index(xp, 0)), Le(x, Index(xp, -1))), x, Index(xp, 0))
		hi := Clip(SearchSorted(xp, x, true), 1, n-1)
		lo := Sub(hi, 1)
		x0, x1, y0, y1 := Index(xp, lo), Index(xp, hi), Index(fp, lo), Index(fp, hi)
		wide := Ne(x1, x0) // false at a step, where the upper end is taken
		t := Div(Sub(x, x0), Where(wide, Sub(x1, x0), 1.))
		y := Where(wide, between(y0, y1, t), y1)
		y = Where(Lt(given, Index(xp, 0)), Index(fp, 0), y)
		y = Where(Gt(given, Index(xp, -1)), Index(fp, -1), y)
		return Where(IsNaN(given), given, y)
	})
	return Convert("Interp", y, y.Aval().DType, weak)
}

// between returns the value at fraction t of the way from y0 to y1: exactly y0 where t is 0, and y1 where t is
// 1.
func between(y0, y1, t core.Value) core.Value {
	d := Sub(y1, y0)
	finite := IsFinite(d)
	d = Where(finite, d, 0)
	rest := Sub(1, t)
	begin, end := Eq(t, 0), Eq(t, 1)
	// At the end the formula starts from y1, which it returns exactly; the slope is the same.
	y := Where(end, Sub(y1, Mul(rest, d)), Add(y0, Mul(t, d)))
	// The difference is infinite if one of the heights is, and may overflow if both are finite.
	a, b := Where(finite, 0, y0), Where(finite, 0, y1)
	far := Where(begin, a, Where(end, b, Add(Mul(a, rest), Mul(b, t))))
	return Where(finite, y, far)
}

// ConvMode selects the part of a convolution of vectors that is returned.
type ConvMode uint8

// The parts: all elements where the vectors overlap at all; of these the middle ones, as many as
// the longer vector has; those where the vectors overlap fully.
const (
	ConvFull ConvMode = iota
	ConvSame
	ConvValid
)

// Convolve returns the sums of x[i] · y[k−i] for each k, in the common type of x and y. Integers
// wrap.
func Convolve(x, y core.Value, mode ConvMode) core.Value { return slide("Convolve", x, y, mode, true) }

// Correlate returns the sums of x[k+i] · conj(y[i]) for each k, in increasing order of k.
func Correlate(x, y core.Value, mode ConvMode) core.Value {
	return slide("Correlate", x, Conj(y), mode, false)
}

func slide(op string, x, y core.Value, mode ConvMode, flip bool) core.Value {
	v, w := PromotePair(op, ValueOf(op, x), ValueOf(op, y))
	a, b := v.Aval(), w.Aval()
	if a.Rank() != 1 || b.Rank() != 1 || a.Size() == 0 || b.Size() == 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "takes two vectors that are not empty, got %v and %v; map over other axes with Vmap, or use Conv", a.Full(), b.Full())
	}
	swapped := a.Size() < b.Size()
	if swapped {
		v, w = w, v
	}
	if flip {
		w = prim.Rev(w, core.MakeDims(0))
	}
	k := w.Aval().Size()
	var pad [2]int
	switch mode {
	case ConvFull:
		pad = [2]int{k - 1, k - 1}
	case ConvSame:
		pad = [2]int{k / 2, k - k/2 - 1}
	case ConvValid:
	default:
		core.FailOp(core.ErrStatic, op, nil, "there is no mode %d; use nn.ConvFull, ConvSame or ConvValid", mode)
	}
	one := func(v core.Value) core.Value { return Reshape(v, 1, 1, -1) }
	z := Ravel(Conv(one(v), one(w), ConvConfig{Padding: [][2]int{pad}}))
	if swapped && !flip { // the same sums, the last one first
		z = Flip(z)
	}
	return z
}

// Trapezoid returns the integral of y over xs along y's last axis, by the trapezoidal rule.
func Trapezoid(y, xs core.Value) core.Value {
	v, w := FloatingPair("Trapezoid", ValueOf("Trapezoid", y), ValueOf("Trapezoid", xs))
	if a, b := v.Aval(), w.Aval(); a.Rank() == 0 || b.Rank() == 0 || a.Shape.At(a.Rank()-1) != b.Shape.At(b.Rank()-1) || a.Shape.At(a.Rank()-1) == 0 {
		core.FailOp(core.ErrShape, "Trapezoid", []core.ShapedArray{a, b}, "needs a position for each height along the last axis, one or more, got %v at %v; give as many positions as heights", a.Full(), b.Full())
	}
	return WithJAXPromotion(func() core.Value {
		y, x := v, w
		return Mul(Sum(Mul(Diff(x), Add(Index(y, "..., 1:"), Index(y, "..., :-1"))), -1), 0.5)
	})
}

// CentralDiff returns the slope along an axis, the last one unless another is given, of values at
// positions 1 apart: half the difference of the two neighbours, at the ends the difference to the
// only neighbour.
func CentralDiff(x core.Value, axis ...int) core.Value {
	x = Floating("CentralDiff", ValueOf("CentralDiff", x))
	ax := OneAxis("CentralDiff", x, axis)
	n := dim(x, ax)
	if n < 2 {
		core.FailOp(core.ErrShape, "CentralDiff", []core.ShapedArray{x.Aval()}, "axis %d of %v has fewer than two elements, and so no slope; choose another axis", ax, x.Aval().Full())
	}
	at := func(lo, hi int) core.Value { return prim.SliceAxis(x, ax, lo, hi, 1) }
	return WithJAXPromotion(func() core.Value {
		return Concat(ax,
			Sub(at(1, 2), at(0, 1)),
			Mul(Sub(at(2, n), at(0, n-2)), 0.5),
			Sub(at(n-1, n), at(n-2, n-1)))
	})
}
