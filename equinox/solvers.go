package equinox

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/matrices"
)

// compute returns the solution for a vector, and the rank if the solver knows it.
func (p solveP) compute(state []value, b value) (x, rank value) {
	switch p.solver {
	case "LU":
		n := b.Aval().Shape.At(0)
		order := matrices.LUPivotsToPermutation(state[1], n)
		if flag(p.state.kids[2]) {
			y := triangular(state[0], b, matrices.TriangularSolveP{TransposeA: true})
			y = triangular(state[0], y, matrices.TriangularSolveP{Lower: true, TransposeA: true, UnitDiagonal: true})
			return take(y, inverse(order)), nil
		}
		y := triangular(state[0], take(b, order), matrices.TriangularSolveP{Lower: true, UnitDiagonal: true})
		return triangular(state[0], y, matrices.TriangularSolveP{}), nil
	case "QR":
		full, k := state[0].Aval().Shape.At(0), state[0].Aval().Shape.At(1)
		r := prim.Slice(state[0], core.MakeDims(0, 0), core.MakeDims(k, k), core.Dims{})
		if flag(p.state.kids[1]) {
			y := triangular(r, b, matrices.TriangularSolveP{TransposeA: true})
			row := prim.Pad(prim.Reshape(y, core.MakeDims(1, k)), prim.Num(y.Aval(), 0), core.MakeDims(0, 0, 0, 0, full-k, 0))
			return prim.Reshape(matrices.Ormqr(state[0], state[1], row, false, true), core.MakeDims(full)), nil
		}
		y := matrices.Ormqr(state[0], state[1], prim.Reshape(b, core.MakeDims(full, 1)), true, true)
		y = prim.Slice(y, core.MakeDims(0, 0), core.MakeDims(k, 1), core.Dims{})
		return triangular(r, prim.Reshape(y, core.MakeDims(k)), matrices.TriangularSolveP{}), nil
	case "SVD":
		u, s, vt := state[0], state[1], state[2]
		a := s.Aval()
		cut := prim.Num(a.WithShape(core.Dims{}), p.rcond(a.DType, max(u.Aval().Shape.At(0), vt.Aval().Shape.At(1))))
		if a.Size() > 0 {
			cut = prim.Mul(cut, prim.Reshape(prim.Slice(s, core.MakeDims(0), core.MakeDims(1), core.Dims{}), core.Dims{}))
		}
		mask := prim.Gt(s, spread(cut, a.Shape))
		one := prim.Full(a, 1)
		inv := prim.Where(mask, prim.Div(one, prim.Where(mask, s, one)), prim.Zeros(a))
		if u.Aval().DType != a.DType {
			inv = prim.Convert(inv, u.Aval().DType, false)
		}
		y := prim.Mul(inv, product(adjoint(u), b))
		rank = prim.ReduceSum(prim.Convert(mask, core.Int32, false), core.MakeDims(0))
		return product(adjoint(vt), y), rank
	case "Cholesky":
		y := triangular(state[0], b, matrices.TriangularSolveP{TransposeA: true, ConjugateA: state[0].Aval().DType.IsComplex()})
		x = triangular(state[0], y, matrices.TriangularSolveP{})
		if flag(p.state.kids[1]) {
			x = prim.Neg(x)
		}
		return x, nil
	case "Triangular":
		return triangular(state[0], b, matrices.TriangularSolveP{
			Lower: flag(p.state.kids[1]), UnitDiagonal: flag(p.state.kids[2]), TransposeA: flag(p.state.kids[4]),
		}), nil
	case "Tridiagonal":
		n := b.Aval().Shape.At(0)
		zero := prim.Zeros(b.Aval().WithShape(core.MakeDims(1)))
		x = matrices.TridiagonalSolve(prim.Concatenate(0, zero, state[1]), state[0], prim.Concatenate(0, state[2], zero), prim.Reshape(b, core.MakeDims(n, 1)))
		return prim.Reshape(x, core.MakeDims(n)), nil
	}
	if len(state) == 0 { // the identity
		return b, nil
	}
	d := state[0]
	if !p.posed {
		abs := prim.Abs(d)
		a := abs.Aval()
		cut := prim.Num(a.WithShape(core.Dims{}), p.rcond(a.DType, a.Size()))
		if a.Size() > 0 {
			cut = prim.Mul(cut, prim.ReduceMax(abs, core.MakeDims(0)))
		}
		inf := prim.Div(prim.Full(d.Aval(), 1), prim.Zeros(d.Aval()))
		d = prim.Where(prim.Gt(abs, spread(cut, a.Shape)), d, inf)
	}
	return prim.Div(b, d), nil
}

// rcond returns the fraction of the largest singular value, or number of a diagonal, up to which the
// others count as 0.
func (p solveP) rcond(dt core.DType, n int) float64 {
	epsilon := 0x1p-23
	if dt.Bits() == 64 {
		epsilon = 0x1p-52
	}
	v, err := strconv.ParseFloat(p.rcondText(), 64)
	switch {
	case err != nil:
		return 2 * epsilon * float64(n)
	case v < 0:
		return epsilon
	}
	return v
}

// triangular solves op(a)·x = b for a vector.
func triangular(a, b value, p matrices.TriangularSolveP) value {
	n := b.Aval().Shape.At(0)
	p.LeftSide = true
	return prim.Reshape(matrices.TriangularSolve(a, prim.Reshape(b, core.MakeDims(n, 1)), p), core.MakeDims(n))
}

func product(a, x value) value {
	return prim.DotGeneral(a, x, prim.DotGeneralP{LhsContract: core.MakeDims(1), RhsContract: core.MakeDims(0), Precision: "(Precision.HIGHEST, Precision.HIGHEST)"})
}

func transposed(a value) value { return prim.Transpose(a, core.MakeDims(1, 0)) }

func adjoint(a value) value {
	if a.Aval().DType.IsComplex() {
		a = prim.Conj(a)
	}
	return transposed(a)
}

func spread(v value, shape core.Dims) value { return prim.BroadcastInDim(v, shape, core.Dims{}) }

func take(x, order value) value {
	n := x.Aval().Shape.At(0)
	if n == 0 {
		return x
	}
	return indexed.Gather(x, prim.Reshape(order, core.MakeDims(n, 1)), indexed.GatherP{
		CollapsedSliceDims: core.MakeDims(0), StartIndexMap: core.MakeDims(0), SliceSizes: core.MakeDims(1),
	})
}

func inverse(order value) value {
	a := order.Aval()
	return indexed.Sort(0, 1, true, order, prim.Iota(a.DType, a.Shape, 0))[1]
}
