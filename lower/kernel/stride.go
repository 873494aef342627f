package kernel

import "github.com/weft-go/weft/core"

// An axis is one loop of a nest over two arrays: how often it runs, and how far a
// step goes in the destination and in the source, in elements.
type axis struct{ n, d, s int }

// Loop nests live on the stack: most have few axes, a longer one grows there.
const fewAxes = 12

// tidy drops axes of one step, joins neighbours that walk both arrays as one
// axis would, and reports whether anything is left to do: false if an axis is
// empty. It works in place.
func tidy(axes []axis) ([]axis, bool) {
	out := axes[:0]
	for _, a := range axes {
		if a.n <= 0 {
			return nil, false
		}
		if a.n == 1 {
			continue
		}
		if k := len(out); k > 0 && out[k-1].d == a.d*a.n && out[k-1].s == a.s*a.n {
			out[k-1] = axis{out[k-1].n * a.n, a.d, a.s}
			continue
		}
		out = append(out, a)
	}
	return out, true
}

// An odometer counts through all axes of a nest but the last few, in row-major
// order, and keeps the offsets in both arrays. No division is needed.
type odometer struct {
	axes []axis
	at   []int
	buf  [fewAxes]int
}

// over starts an odometer at zero. It holds pointers into itself, so it must not
// be copied.
func (o *odometer) over(axes []axis) {
	o.axes = axes
	if len(axes) <= fewAxes {
		o.at = o.buf[:len(axes)]
		clear(o.at)
	} else {
		o.at = make([]int, len(axes))
	}
}

// next moves on to the next position, given the offsets of this one; it reports
// false after the last.
func (o *odometer) next(d, s *int) bool {
	for i := len(o.axes) - 1; i >= 0; i-- {
		a := &o.axes[i]
		o.at[i]++
		*d += a.d
		*s += a.s
		if o.at[i] < a.n {
			return true
		}
		o.at[i] = 0
		*d -= a.n * a.d
		*s -= a.n * a.s
	}
	return false
}

// rowMajor appends the strides of a dense array of the given shape, in elements.
func rowMajor(buf []int, shape core.Dims) []int {
	n := shape.Len()
	for range n {
		buf = append(buf, 0)
	}
	s := 1
	for i := n - 1; i >= 0; i-- {
		buf[len(buf)-n+i] = s
		// An empty array has no strides to speak of, and they must not overflow.
		s *= max(shape.At(i), 1)
	}
	return buf
}
