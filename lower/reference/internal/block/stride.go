package block

import "github.com/weft-go/weft/core"

// An Axis is one loop of a nest over two arrays: how often it runs, and how far a
// step goes in the destination and in the source, in elements.
type Axis struct{ N, D, S int }

// FewAxes is the number of axes up to which loop nests stay on the stack. Nests of more axes are
// allocated.
const FewAxes = 12

// Tidy drops axes of one step, joins neighbours that walk both arrays as one
// axis would, and reports whether anything is left to do: false if an axis is
// empty. It works in place.
func Tidy(axes []Axis) ([]Axis, bool) {
	out := axes[:0]
	for _, a := range axes {
		if a.N <= 0 {
			return nil, false
		}
		if a.N == 1 {
			continue
		}
		if k := len(out); k > 0 && out[k-1].D == a.D*a.N && out[k-1].S == a.S*a.N {
			out[k-1] = Axis{out[k-1].N * a.N, a.D, a.S}
			continue
		}
		out = append(out, a)
	}
	return out, true
}

// Counters returns n zeros, in buf if they fit: the positions along the axes of a nest that
// Advance moves.
func Counters(buf []int, n int) []int {
	for range n {
		buf = append(buf, 0)
	}
	return buf
}

// Advance moves `at`, a position in the nest, on to the next in row-major order, and
// with it the offsets in both arrays; it reports false after the last.
func Advance(axes []Axis, at []int, d, s *int) bool {
	for i := len(axes) - 1; i >= 0; i-- {
		a := &axes[i]
		at[i]++
		*d += a.D
		*s += a.S
		if at[i] < a.N {
			return true
		}
		at[i] = 0
		*d -= a.N * a.D
		*s -= a.N * a.S
	}
	return false
}

// RowMajor appends the strides of a dense array of the given shape, in elements.
func RowMajor(buf []int, shape core.Dims) []int {
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
