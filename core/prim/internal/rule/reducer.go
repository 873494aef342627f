package rule

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// ReducerAvals checks the operands of a reduction by a program: k arrays of one shape, then k initial scalars. The program
// takes 2·k scalars and returns k of them. ReducerAvals returns k.
func ReducerAvals(j *jaxpr.Jaxpr, in []core.ShapedArray) (k int) {
	k = len(in) / 2
	if len(in) == 0 || len(in)%2 != 0 {
		core.Failf(core.ErrCheck, "needs as many initial values as arrays (got %s); pass one for each array", core.Count(len(in), "operand"))
	}
	if len(j.Ins) != 2*k || len(j.Outs) != k {
		core.Failf(core.ErrCheck, "a reduction of %s needs a program of %s and %s (got %d and %d); declare one pair of scalars for each array", core.Count(k, "array"), core.Count(2*k, "operand"), core.Count(k, "result"), len(j.Ins), len(j.Outs))
	}
	outs := j.OutAvals()
	for i := range k {
		x, init := in[i], in[k+i]
		if x.Shape != in[0].Shape {
			core.Failf(core.ErrShape, "arrays must have equal shapes (got %v and %v); broadcast them", in[0].Full(), x.Full())
		}
		if init.Rank() != 0 || init.DType != x.DType {
			core.Failf(core.ErrDType, "the initial value of %v must be a scalar of its dtype (got %v); convert it", x.Full(), init.Full())
		}
		for _, a := range []core.ShapedArray{j.Ins[i].Type, j.Ins[k+i].Type, outs[i]} {
			if a.Rank() != 0 || a.DType != x.DType {
				core.Failf(core.ErrDType, "the program that reduces %v must take and return scalars of its dtype (got %v); convert inside it", x.Full(), a.Full())
			}
		}
	}
	return k
}

// InitsUnmapped refuses a batch of initial values of a reduction by a program.
func InitsUnmapped(mapped []bool) {
	for _, m := range mapped {
		if m {
			core.Failf(core.ErrNoRule, "the initial value of a reduction cannot differ over a batch: it must be neutral; combine it with the result instead")
		}
	}
}
