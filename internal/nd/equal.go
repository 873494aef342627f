package nd

import (
	"bytes"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference"
)

// Equal reports whether x and y have the same shape, type and elements, NaNs being equal to each
// other and −0 to 0. Two nils are equal.
func Equal(x, y core.Value) bool {
	if x == nil || y == nil {
		return x == nil && y == nil
	}
	s, t := x.Aval(), y.Aval()
	if !s.SameType(t) {
		return false
	}
	a, b := Look("Equal", x), Look("Equal", y)
	same := false
	a.Read("Equal", func(p *reference.Tensor) {
		b.Read("Equal", func(q *reference.Tensor) { same = bytes.Equal(p.Data, q.Data) })
	})
	if same {
		return true
	}
	if !s.DType.IsInexact() {
		return false
	}
	for i := range s.Size() {
		m, _ := a.At(i)
		n, _ := b.At(i)
		if !sameNumber(m.Complex(), n.Complex()) {
			return false
		}
	}
	return true
}

func sameNumber(a, b complex128) bool {
	same := func(x, y float64) bool { return x == y || x != x && y != y }
	return same(real(a), real(b)) && same(imag(a), imag(b))
}
