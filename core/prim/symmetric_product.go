package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// SymmetricProductP is α·A·Aᵀ + β·C. It is made of others: a product, two products with
// numbers, and a sum.
type SymmetricProductP struct{ Alpha, Beta float64 }

// SymmetricProduct returns α·a·aᵀ + β·c.
func SymmetricProduct(a, c Value, alpha, beta float64) Value {
	return core.Apply2(SymmetricProductP{alpha, beta}, a, c)
}

func (SymmetricProductP) Name() string { return "symmetric_product" }

func (SymmetricProductP) read(r *jaxpr.ParamReader) core.Primitive {
	return SymmetricProductP{r.Float("alpha"), r.Float("beta")}
}

func (p SymmetricProductP) Params() []core.Param {
	return []core.Param{param("alpha", core.PyFloat(p.Alpha)), param("beta", core.PyFloat(p.Beta))}
}

func (p SymmetricProductP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 2)
	a, c := in[0], in[1]
	if !a.DType.IsFloat() {
		core.Failf(core.ErrDType, "takes floats, got %v; convert it first", a.Full())
	}
	sameDType(a, c)
	batch, m, _ := matrices(a)
	cb, rows, cols := matrices(c)
	sameBatch(a, batch, c, cb)
	if rows != cols || rows != m {
		core.Failf(core.ErrShape, "the product A·Aᵀ of %v does not fit C, %v (want %d × %d); change a shape", a.Full(), c.Full(), m, m)
	}
	c.Weak = allWeak(in)
	return []ShapedArray{c}
}

func (p SymmetricProductP) Expand(in []Value) []Value {
	scaled := func(x Value, v float64) Value { return Mul(x, Num(x.Aval().Strong(), v)) }
	return one(Add(scaled(MatMul(in[0], matrixTranspose(in[0])), p.Alpha), scaled(in[1], p.Beta)))
}

// JVP computes α·(Ȧ·Aᵀ + A·Ȧᵀ) + β·Ċ.
func (p SymmetricProductP) JVP(in, out, t []Value) []Value {
	scaled := func(x Value, v float64) Value { return Mul(x, Num(x.Aval().Strong(), v)) }
	var da, dc Value
	if t[0] != nil {
		x := MatMul(t[0], matrixTranspose(in[0]))
		da = scaled(Add(x, matrixTranspose(x)), p.Alpha)
	}
	if t[1] != nil {
		dc = scaled(t[1], p.Beta)
	}
	return sumTangents(out[0], da, dc)
}

func (p SymmetricProductP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return bound(p, allAtFront(n, in, mapped)...)
}
