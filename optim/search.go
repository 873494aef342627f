package optim

import (
	"math"

	"github.com/weft-go/weft"
)

// point is a point on the line of a search: its distance, the function's value and its slope along
// the line.
type point struct{ At, Value, Slope weft.Array }

func choose(c weft.Array, p, q point) point {
	return weft.TreeMap2(func(x, y weft.Array) weft.Array { return weft.Where(c, x, y) }, p, q)
}

type line struct {
	Trial weft.Array // the next distance
	// Within is whether an interval that contains a point to accept is known: then Low is its end
	// with the smaller value, and High the other. Before, Low is the point before the trial.
	Within    weft.Array
	Low, High point
	Grad      weft.Array // at Low
	Done      weft.Array
	Count     weft.Array
}

// found is the result of a search: Length is 0 if it found no smaller value.
type found struct{ Length, Value, Grad, Count weft.Array }

// search looks for a point along the direction from s that satisfies the strong Wolfe conditions:
// enough decrease of the value, and a slope that is flat enough. If the evaluations are used up
// first, it returns the best point so far.
func (m minimizer) search(s bfgs, direction, slope, first weft.Array) found {
	const decrease, flatness = 1e-4, 0.9
	most := min(m.config.Search, math.MaxInt32)
	if most == 0 {
		most = 20
	}
	zero := weft.ZerosOf(m.dt)
	here := point{zero, s.Value, slope}
	l := line{
		Trial: first.AsType(m.dt), Within: weft.Scalar(false), Low: here, High: here, Grad: s.Grad,
		Done: weft.Scalar(false), Count: start(),
	}
	l = weft.While(func(l line) weft.Array { return l.Done.Not().And(l.Count.Lt(most)) }, func(l line) line {
		value, grad := m.f(s.X.Add(direction.Mul(l.Trial)))
		p := point{l.Trial, value, direction.Dot(grad)}
		enough := value.Le(s.Value.Add(l.Trial.Mul(slope).Mul(decrease))) // false for NaN
		better := enough.And(value.Lt(l.Low.Value).Or(l.Count.Eq(0)))
		flat := weft.Abs(p.Slope).Le(slope.Mul(-flatness))
		done := better.And(flat)

		// A trial that is not better, or where the function rises, ends an interval.
		rising := weft.Where(l.Within, p.Slope.Mul(l.High.At.Sub(l.Low.At)).Ge(0), p.Slope.Ge(0))
		within := l.Within.Or(better.Not()).Or(rising)
		high := choose(better, choose(rising, l.Low, l.High), p)
		low := choose(better, p, l.Low)
		next := weft.Where(within, interpolate(low, high), l.Trial.Mul(2))
		return line{
			Trial: next, Within: within, Low: low, High: high,
			Grad: weft.Where(better, grad, l.Grad), Done: done, Count: l.Count.Add(1),
		}
	}, l)
	return found{l.Low.At, l.Low.Value, l.Grad, l.Count}
}

// interpolate returns the minimum of the cubic through two points with their slopes, or the
// middle of the points where the minimum is not well between them.
func interpolate(low, high point) weft.Array {
	d := high.At.Sub(low.At)
	a := low.Slope.Add(high.Slope).Sub(weft.Sub(high.Value, low.Value).Div(d).Mul(3))
	root := weft.Sqrt(weft.Square(a).Sub(low.Slope.Mul(high.Slope)))
	root = weft.Where(d.Lt(0), root.Neg(), root)
	t := weft.Sub(1, high.Slope.Add(root).Sub(a).Div(high.Slope.Sub(low.Slope).Add(root.Mul(2))))
	inside := t.Gt(0.1).And(t.Lt(0.9)) // false for NaN
	return low.At.Add(d.Mul(weft.Where(inside, t, 0.5)))
}
