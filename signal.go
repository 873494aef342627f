package weft

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// Interp is at each x the height of the line through the points (xp, fp), whose xp
// rise. Outside of them it is the height of the nearest point.
func Interp(x, xp, fp Array) Array {
	v, p := floating2("Interp", valueOf("Interp", x), valueOf("Interp", xp))
	if t := v.Aval(); t.DType.IsComplex() {
		core.FailOp(core.ErrDType, "Interp", []core.ShapedArray{t}, "the places are real, got %v; complex heights may be", t.Full())
	}
	f := strong("Interp", floating("Interp", valueOf("Interp", fp)))
	a, b := p.Aval(), f.Aval()
	if a.Rank() != 1 || a.Shape != b.Shape || a.Size() == 0 {
		core.FailOp(core.ErrShape, "Interp", []core.ShapedArray{v.Aval(), a, b}, "the points are two vectors of one size, got %v and %v; reshape them", a.Full(), b.Full())
	}
	n := a.Size()
	return alone(func() Array {
		x, xp, fp := FromValue(v), FromValue(p), FromValue(f)
		if n == 1 {
			return Where(IsNaN(x), x, fp.Index(0))
		}
		hi := Clip(SearchSortedRight(xp, x), 1, n-1)
		lo := hi.Sub(1)
		x0, x1, y0, y1 := xp.Index(lo), xp.Index(hi), fp.Index(lo), fp.Index(hi)
		wide := x1.Ne(x0) // a step: its upper end
		t := x.Sub(x0).Div(Where(wide, x1.Sub(x0), 1.))
		y := Where(wide, between(y0, y1, t), y1)
		y = Where(x.Lt(xp.Index(0)), fp.Index(0), y)
		y = Where(x.Gt(xp.Index(-1)), fp.Index(-1), y)
		return Where(IsNaN(x), x, y)
	})
}

// between is the part t of the way from y0 to y1: these themselves where t is 0 or 1.
func between(y0, y1, t Array) Array {
	d := y1.Sub(y0)
	finite := IsFinite(d)
	d = Where(finite, d, 0)
	rest := Sub(1, t)
	begin, end := t.Eq(0), t.Eq(1) // from the end, so that it is reached, with the same slope
	y := Where(end, y1.Sub(rest.Mul(d)), y0.Add(t.Mul(d)))
	// The difference may be infinite where the heights are, and where they are not.
	a, b := Where(finite, 0, y0), Where(finite, 0, y1)
	far := Where(begin, a, Where(end, b, a.Mul(rest).Add(b.Mul(t))))
	return Where(finite, y, far)
}

// ConvMode is which part of a convolution of vectors is given.
type ConvMode uint8

// The parts: where the vectors overlap at all, as many elements as the longer one has,
// or where they overlap fully.
const (
	ConvFull ConvMode = iota
	ConvSame
	ConvValid
)

// Convolve is the sums of x[i] · y[k−i] for each k, in the type that x and y have
// together: those of integers wrap.
func Convolve(x, y Array, mode ConvMode) Array { return slide("Convolve", x, y, mode, true) }

// Correlate is the sums of x[k+i] · conj(y[i]) for each k, from the least k up.
func Correlate(x, y Array, mode ConvMode) Array { return slide("Correlate", x, Conj(y), mode, false) }

func slide(op string, x, y Array, mode ConvMode, flip bool) Array {
	v, w := together2(op, valueOf(op, x), valueOf(op, y))
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
		core.FailOp(core.ErrStatic, op, nil, "there is no mode %d; use weft.ConvFull, ConvSame or ConvValid", mode)
	}
	one := func(v core.Value) Array { return FromValue(v).Reshape(1, 1, -1) }
	z := Conv(one(v), one(w), ConvConfig{Padding: [][2]int{pad}}).Ravel()
	if swapped && !flip { // the same sums, the last one first
		z = Flip(z)
	}
	return z
}

// Trapezoid is the area under the points (xs, y) along y's last axis, joined by
// lines.
func Trapezoid(y, xs Array) Array {
	v, w := floating2("Trapezoid", valueOf("Trapezoid", y), valueOf("Trapezoid", xs))
	if a, b := v.Aval(), w.Aval(); a.Rank() == 0 || b.Rank() == 0 || a.Shape.At(a.Rank()-1) != b.Shape.At(b.Rank()-1) || a.Shape.At(a.Rank()-1) == 0 {
		core.FailOp(core.ErrShape, "Trapezoid", []core.ShapedArray{a, b}, "needs a place for each height along the last axis, one or more, got %v at %v; give as many places as heights", a.Full(), b.Full())
	}
	return alone(func() Array {
		y, x := FromValue(v), FromValue(w)
		return Diff(x).Mul(y.Index("..., 1:").Add(y.Index("..., :-1"))).Sum(-1).Mul(0.5)
	})
}

// Gradient is the slope along an axis, the last one unless another is given, of values
// at places of distance 1: half the difference of the neighbours, at the ends the
// difference to the one neighbour.
func Gradient(x Array, axis ...int) Array {
	x = FromValue(strong("Gradient", floating("Gradient", valueOf("Gradient", x))))
	ax := lastAxis("Gradient", x, axis)
	n := x.Dim(ax)
	if n < 2 {
		core.FailOp(core.ErrShape, "Gradient", []core.ShapedArray{x.aval()}, "axis %d of %v has fewer than two elements, and so no slope; choose another axis", ax, x.aval().Full())
	}
	at := func(lo, hi int) Array { return FromValue(sliceAxis(x.Value(), ax, lo, hi, 1)) }
	return alone(func() Array {
		return Concat(ax,
			at(1, 2).Sub(at(0, 1)),
			at(2, n).Sub(at(0, n-2)).Mul(0.5),
			at(n-1, n).Sub(at(n-2, n-1)))
	})
}
