package random

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// Orthogonal returns uniformly distributed orthogonal matrices of n rows and columns, or, with a
// complex type (see [As]), unitary ones. dims are the sizes of the axes before those of the
// matrices. f16 and bf16 are drawn in f32.
func Orthogonal(k Key, n int, dims ...int) weft.Array {
	return orthogonal(k, "Orthogonal", k.typeOr(defaultFloat()), n, n, dims)
}

// SemiOrthogonal returns matrices of n rows and m columns. Their rows are orthonormal if n < m,
// else their columns.
func SemiOrthogonal(k Key, n, m int, dims ...int) weft.Array {
	return orthogonal(k, "SemiOrthogonal", k.typeOr(defaultFloat()), n, m, dims)
}

func orthogonal(k Key, op string, dt weft.DType, n, m int, dims []int) weft.Array {
	if n < 0 || m < 0 {
		core.FailOp(core.ErrShape, op, nil, "a matrix cannot have %s and %s; make both 0 or more", core.Count(n, "row"), core.Count(m, "column"))
	}
	shape := append([]int(nil), shapeOf(op, dims)...)
	wide := dt
	if !dt.IsComplex() {
		formatOf(op, dt)
		wide = drawn(dt)
	}
	z := normalOf(k.single(op), wide, append(shape, max(n, m), min(n, m)))
	q := orthonormal(z)
	if n < m {
		q = q.MT()
	}
	return q.AsType(dt)
}

// orthonormal returns the columns of z made orthonormal one after the other, by subtracting from
// each its projections on the earlier ones. One pass leaves rounding errors of cancellation, which
// a second pass removes. The result is the factor Q of z = Q·R where R has a positive diagonal; for normal
// numbers it is uniformly distributed (Mezzadri, Notices of the AMS 54, 2007).
func orthonormal(z weft.Array) weft.Array {
	if z.Size() == 0 {
		return z
	}
	return weft.ForI(z.Dim(-1), func(i weft.Array, q weft.Array) weft.Array {
		v := z.Index(weft.Ellipsis, i)
		for range 2 {
			along := weft.Einsum("...ij,...i->...j", weft.Conj(q), v)
			v = lax.Sub(v, weft.Einsum("...ij,...j->...i", q, along))
		}
		size := weft.Sqrt(weft.Square(weft.Abs(v)).Sum(-1, weft.Keep))
		return q.At(weft.Ellipsis, i).Set(weft.Div(v, size))
	}, weft.ZerosLike(z))
}
