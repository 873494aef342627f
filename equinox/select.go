package equinox

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// selectP is pred ? x : y where pred has a batch axis, and x elsewhere: it stands in loops that go
// on while pred is true of some example, so that pred is true where it has no batch axis.
type selectP struct{}

func selectIf(pred, x, y value) value { return core.Bind(selectP{}, pred, x, y)[0] }

func (selectP) Name() string { return "select_if_vmap" }

func (selectP) Abstract(in []aval) []aval {
	operands(in, 3)
	requirePredicate(in[0])
	if !in[1].SameType(in[2]) {
		core.Failf(core.Mismatch(in[1], in[2]), "the operands to choose from must agree, got %v and %v", in[1], in[2])
	}
	return []aval{in[1].Strong()}
}

func requirePredicate(a aval) {
	if !a.DType.IsBool() || a.Rank() > 0 {
		core.Failf(core.ErrDType, "its first operand is one truth value, got %v; reduce it", a)
	}
}

func (selectP) Expand(in []value) []value { return in[1:2] }

func (selectP) JVP(in, out, t []value) []value {
	if t[1] == nil && t[2] == nil {
		return []value{nil}
	}
	a := out[0].Aval().Tangent()
	return []value{selectIf(in[0], orZeros(t[1], a), orZeros(t[2], a))}
}

func (selectP) Transpose(ct, in []value, lin []bool, av []aval) []value {
	out, zero := make([]value, 3), prim.Zeros(ct[0].Aval())
	if lin[1] {
		out[1] = selectIf(in[0], ct[0], zero)
	}
	if lin[2] {
		out[2] = selectIf(in[0], zero, ct[0])
	}
	return out
}

func (selectP) Batch(n int, in []value, mapped []bool) ([]value, []bool) {
	x, y := atFront(n, in[1], mapped[1]), atFront(n, in[2], mapped[2])
	if !mapped[0] {
		return []value{selectIf(in[0], x, y)}, []bool{true}
	}
	pred := prim.BroadcastInDim(in[0], x.Aval().Shape, core.MakeDims(0))
	return []value{prim.Where(pred, x, y)}, []bool{true}
}

func orZeros(v value, a aval) value {
	if v == nil {
		return prim.Zeros(a)
	}
	return v
}

// atFront returns a value with a leading axis of size n.
func atFront(n int, v value, mapped bool) value {
	if mapped {
		return v
	}
	a := v.Aval()
	return prim.BroadcastInDim(v, a.Shape.Prepend(n), core.Range(1, a.Rank()+1))
}
