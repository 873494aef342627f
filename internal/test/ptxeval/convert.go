package ptxeval

import (
	"math"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/scalar"
)

// convert returns what cvt computes. op is the rounding, if any, and the types of result
// and operand.
func convert(op []string) (operation, error) {
	round := ""
	unknown := bugf("conversion %v is not known", op)
	if len(op) == 3 {
		round, op = op[0], op[1:]
	}
	if len(op) != 2 {
		return nil, unknown
	}
	to, from := op[0], op[1]
	mask := ^uint64(0) >> (64 - max(32, sized(to)))
	types := map[string]scalar.Type{"s8": scalar.I8, "s16": scalar.I16, "s32": scalar.I32, "s64": scalar.I64, "u32": scalar.U32, "u64": scalar.U64, "f32": scalar.F32, "f64": scalar.F64}
	t, f := types[to], types[from]
	apply := func(o scalar.Op) operation {
		in := scalar.Inst{Op: o, Type: t}
		return func(x, _, _ uint64) (uint64, error) { return ireval.Apply(in, f, x, 0, 0) & mask, nil }
	}
	isNaN := func(x uint64) bool {
		if from == "f64" {
			return f64(x) != f64(x)
		}
		return f32(x) != f32(x)
	}
	switch {
	case t.IsFloat() && f.IsFloat() && to == from:
		op, ok := map[string]scalar.Op{"rmi": scalar.OpFloor, "rpi": scalar.OpCeil, "rzi": scalar.OpTrunc, "rni": scalar.OpRint}[round]
		if !ok {
			return nil, bugf("rounding %q is not known", round)
		}
		return apply(op), nil
	case from == "f32" && to == "f64" && round == "", from == "f64" && to == "f32" && round == "rn", t.IsFloat() && !f.IsFloat() && f != scalar.NoType && round == "rn":
		return apply(scalar.OpConvert), nil
	case f.IsFloat() && round == "rzi" && t != scalar.NoType:
		whole := apply(scalar.OpConvert)
		return func(x, _, _ uint64) (uint64, error) {
			if isNaN(x) {
				return 1 << (sized(to) - 1), nil // some machines give this, others 0
			}
			return whole(x, 0, 0)
		}, nil
	case f.IsFloat() && round == "rmi" && t != scalar.NoType:
		in := scalar.Inst{Op: scalar.OpConvert, Type: t}
		return func(x, _, _ uint64) (uint64, error) {
			v := f64(x)
			if from == "f32" {
				v = float64(f32(x))
			}
			return ireval.Apply(in, scalar.F64, math.Float64bits(math.Floor(v)), 0, 0) & mask, nil
		}, nil
	case !f.IsFloat() && !t.IsFloat() && f != scalar.NoType && round == "":
		in := widthOf(from)
		return func(x, _, _ uint64) (uint64, error) { return in.extend(x) & mask, nil }, nil
	}
	return nil, unknown
}
