package matrices

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// SymmetricProductP is α·A·Aᵀ + β·C. It expands to a product of matrices, two products with
// numbers, and a sum.
type SymmetricProductP struct{ Alpha, Beta float64 }

// SymmetricProduct returns α·a·aᵀ + β·c.
func SymmetricProduct(a, c core.Value, alpha, beta float64) core.Value {
	return core.Apply2(SymmetricProductP{alpha, beta}, a, c)
}

func (SymmetricProductP) Name() string { return "symmetric_product" }

func (SymmetricProductP) read(r *jaxpr.ParamReader) core.Primitive {
	return SymmetricProductP{r.Float("alpha"), r.Float("beta")}
}

func (p SymmetricProductP) Params() []core.Param {
	return []core.Param{rule.Param("alpha", core.PyFloat(p.Alpha)), rule.Param("beta", core.PyFloat(p.Beta))}
}

func (p SymmetricProductP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	a, c := in[0], in[1]
	if !a.DType.IsFloat() {
		core.Failf(core.ErrDType, "takes floats, got %v; convert it first", a.Full())
	}
	rule.SameDType(a, c)
	batch, m, _ := matrices(a)
	cb, rows, cols := matrices(c)
	sameBatch(a, batch, c, cb)
	if rows != cols || rows != m {
		core.Failf(core.ErrShape, "the product A·Aᵀ of %v does not fit C, %v (want %d × %d); change a shape", a.Full(), c.Full(), m, m)
	}
	c.Weak = rule.AllWeak(in)
	return []core.ShapedArray{c}
}

func (p SymmetricProductP) Expand(in []core.Value) []core.Value {
	scaled := func(x core.Value, v float64) core.Value { return prim.Mul(x, prim.Num(x.Aval().Strong(), v)) }
	return rule.One(prim.Add(scaled(prim.MatMul(in[0], matrixTranspose(in[0])), p.Alpha), scaled(in[1], p.Beta)))
}

// JVP computes α·(Ȧ·Aᵀ + A·Ȧᵀ) + β·Ċ.
func (p SymmetricProductP) JVP(in, out, t []core.Value) []core.Value {
	scaled := func(x core.Value, v float64) core.Value { return prim.Mul(x, prim.Num(x.Aval().Strong(), v)) }
	var da, dc core.Value
	if t[0] != nil {
		x := prim.MatMul(t[0], matrixTranspose(in[0]))
		da = scaled(prim.Add(x, matrixTranspose(x)), p.Alpha)
	}
	if t[1] != nil {
		dc = scaled(t[1], p.Beta)
	}
	return prim.SumTangents(out[0], da, dc)
}

func (p SymmetricProductP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(p, prim.AllAtFront(n, in, mapped)...)
}
