package fuse

import (
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// TensorOptions are what products may do on a device.
type TensorOptions struct {
	Cores  bool // run on tensor cores: see [Product].Tensor
	Pairs  bool // operands of bf16 only, whose neighbours along k are read in pairs
	AlongK bool // large products of tf32 are faster where neighbours along k are neighbours in memory
}

// leastTensor is the least size of each side of a product that tensor cores compute:
// thinner ones are bound by memory.
const leastTensor = 16

// tensorType returns the type of the operands of a dot_general that may run on tensor
// cores, Invalid if it may not: the operands' own if it has 16 bits, or Float32, or the one
// of the algorithm that the equation requests. An equation that requests the highest
// precision keeps the exact bits, and so does one with an algorithm of another kind.
func tensorType(e *jaxpr.Eqn) core.DType {
	q, ok := e.Prim.(prim.DotGeneralP)
	if !ok {
		return core.Invalid
	}
	x, y := e.Ins[0].Aval(), e.Ins[1].Aval()
	dt := x.DType
	if y.DType != dt || dt != core.Float32 && dt != core.BFloat16 && dt != core.Float16 || !e.Outs[0].Type.DType.IsFloat() || e.Outs[0].Type.DType == core.Float64 {
		return core.Invalid
	}
	k := q.LhsContract.Map(x.Shape.At).Size()
	batch := q.LhsBatch.Map(x.Shape.At).Size()
	if k*batch == 0 || k < leastTensor || x.Size()/(k*batch) < leastTensor || y.Size()/(k*batch) < leastTensor {
		return core.Invalid
	}
	switch p := q.Precision; {
	case p == "", strings.HasPrefix(p, "(") && !strings.Contains(p, "HIGHEST"):
		return dt
	case dt != core.Float32:
		return core.Invalid
	case p == "TF32_TF32_F32":
		return dt
	case p == "BF16_BF16_F32":
		return core.BFloat16
	case p == "F16_F16_F32":
		return core.Float16
	}
	return core.Invalid
}

// leastCopied is the least number of rows, or columns, for which the other operand is copied
// into a better order.
const leastCopied = 512

// alongK reports whether an operand of a product is copied such that neighbours along k are
// neighbours in memory. The opposite operand is on side 0 or 1.
func (p *planner) alongK(e *jaxpr.Eqn, q prim.DotGeneralP, opposite int) bool {
	if !p.tensor.AlongK || p.fast != core.Float32 {
		return false
	}
	x := e.Ins[opposite].Aval()
	taken := q.LhsContract.Append(q.LhsBatch.Ints()...)
	if opposite == 1 {
		taken = q.RhsContract.Append(q.RhsBatch.Ints()...)
	}
	return x.Size()/taken.Map(x.Shape.At).Size() >= leastCopied
}
