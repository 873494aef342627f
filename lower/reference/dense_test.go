package reference

import (
	"math"
	"math/cmplx"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// A dense is a matrix for checking: naive products in c128.
type dense struct {
	m, n int
	e    []complex128
}

func (a dense) at(i, j int) complex128 { return a.e[i*a.n+j] }

func (a dense) times(b dense) dense {
	c := dense{a.m, b.n, make([]complex128, a.m*b.n)}
	for i := range a.m {
		for k := range a.n {
			v := a.at(i, k)
			for j := range b.n {
				c.e[i*b.n+j] += v * b.at(k, j)
			}
		}
	}
	return c
}

func (a dense) minus(b dense) dense {
	c := dense{a.m, a.n, make([]complex128, len(a.e))}
	for i := range a.e {
		c.e[i] = a.e[i] - b.e[i]
	}
	return c
}

func (a dense) adjoint() dense {
	c := dense{a.n, a.m, make([]complex128, len(a.e))}
	for i := range a.m {
		for j := range a.n {
			c.e[j*a.m+i] = cmplx.Conj(a.at(i, j))
		}
	}
	return c
}

// norm returns the largest sum of a column.
func (a dense) norm() float64 {
	big := 0.0
	for j := range a.n {
		s := 0.0
		for i := range a.m {
			s += cmplx.Abs(a.at(i, j))
		}
		big = math.Max(big, s) // NaN stays
	}
	return big
}

func eye(n int) dense {
	a := dense{n, n, make([]complex128, n*n)}
	for i := range n {
		a.e[i*n+i] = 1
	}
	return a
}

func diagonalMatrix(w []complex128) dense {
	a := eye(len(w))
	for i, v := range w {
		a.e[i*len(w)+i] = v
	}
	return a
}

// denseOf returns a tensor's matrix.
func denseOf(x *block.Tensor) dense {
	e, _ := block.ElementsAs[complex128](x)
	m := 1
	if x.Rank() > 1 {
		m = x.Shape.At(-2)
	}
	return dense{m, x.Shape.At(-1), append([]complex128(nil), e...)}
}

// tensorFrom rounds a matrix to a dtype.
func tensorFrom(a dense, dt core.DType) *block.Tensor {
	x := block.NewTensor(core.Aval(dt, a.m, a.n))
	block.Store(x, a.e)
	return x
}
