package reference

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

// counters returns n zeros, in buf if they fit: the positions along the axes of a nest
// that advance moves.
func counters(buf []int, n int) []int {
	for range n {
		buf = append(buf, 0)
	}
	return buf
}

// advance moves at, a position in the nest, on to the next in row-major order, and
// with it the offsets in both arrays; it reports false after the last. No division
// is needed.
func advance(axes []axis, at []int, d, s *int) bool {
	for i := len(axes) - 1; i >= 0; i-- {
		a := &axes[i]
		at[i]++
		*d += a.d
		*s += a.s
		if at[i] < a.n {
			return true
		}
		at[i] = 0
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
		// The strides of an empty array have no meaning, and must not overflow.
		s *= max(shape.At(i), 1)
	}
	return buf
}
