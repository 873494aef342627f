package interp

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/weft-go/weft/lower/scalar"
)

// step runs an instruction that is no branch.
func (v *machine) step(t *thread, in *inst) error {
	if in.op[0] == "ld" || in.op[0] == "st" {
		return v.access(t, in)
	}
	var x [4]uint64
	for i, a := range in.args[1:] {
		b, err := v.value(t, a)
		if err != nil {
			return err
		}
		x[i] = b
	}
	r, err := result(in, x)
	if err != nil {
		return err
	}
	v.set(t, in.args[0], r)
	return nil
}

// result returns what an instruction computes of its operands.
func result(in *inst, x [4]uint64) (uint64, error) {
	name := strings.Join(in.op, ".")
	kind := in.op[len(in.op)-1]
	w := sized(kind)
	mask := ^uint64(0) >> (64 - w)
	a, b := extended(kind, x[0]), extended(kind, x[1])
	less := a < b
	if kind[0] == 's' {
		less = int64(a) < int64(b)
	}
	switch in.op[0] {
	case "mov", "cvta":
		if kind == "pred" {
			return x[0], nil
		}
		return x[0] & mask, nil
	case "selp":
		if x[2] != 0 {
			return x[0] & mask, nil
		}
		return x[1] & mask, nil
	case "setp":
		return compare(in.op[1], kind, x[0], x[1])
	case "cvt":
		return convert(in.op[1:], x[0])
	}
	if kind[0] == 'f' {
		return float(name, w, x)
	}
	if kind == "pred" {
		mask = 1
	}
	switch in.op[0] {
	case "and":
		return a & b & mask, nil
	case "or":
		return (a | b) & mask, nil
	case "xor":
		return (a ^ b) & mask, nil
	case "not":
		return ^a & mask, nil
	case "add":
		return (a + b) & mask, nil
	case "sub":
		return (a - b) & mask, nil
	case "mul":
		if in.op[1] == "hi" {
			t := map[string]scalar.Type{"s32": scalar.I32, "u32": scalar.U32, "s64": scalar.I64, "u64": scalar.U64}[kind]
			return scalar.Apply(scalar.Inst{Op: scalar.OpMulHi, Type: t}, t, x[0]&mask, x[1]&mask, 0), nil
		}
		return a * b & mask, nil
	case "mad":
		if in.op[1] == "wide" {
			return a*b + x[2], nil
		}
		return (a*b + x[2]) & mask, nil
	case "min", "max":
		if less == (in.op[0] == "min") {
			return a & mask, nil
		}
		return b & mask, nil
	case "div", "rem":
		if b == 0 || kind[0] == 's' && int64(b) == -1 {
			return 0, fmt.Errorf("%s by %d, which the machine leaves open", name, int64(b))
		}
		q, m := a/max(b, 1), a%max(b, 1)
		if kind[0] == 's' {
			q, m = uint64(int64(a)/int64(b)), uint64(int64(a)%int64(b))
		}
		if in.op[0] == "div" {
			return q & mask, nil
		}
		return m & mask, nil
	case "shl":
		return x[0] & mask << min(x[1]&(1<<32-1), 64) & mask, nil
	case "shr":
		n := min(x[1]&(1<<32-1), 64)
		if kind[0] == 's' {
			return uint64(int64(a)>>min(n, 63)) & mask, nil
		}
		return a >> n & mask, nil
	case "clz":
		return uint64(bits.LeadingZeros64(x[0]&mask) - (64 - w)), nil
	case "popc":
		return uint64(bits.OnesCount64(x[0] & mask)), nil
	}
	return 0, fmt.Errorf("instruction %s is not known", name)
}

func truth(b bool) (uint64, error) {
	if b {
		return 1, nil
	}
	return 0, nil
}

func compare(test, kind string, x, y uint64) (uint64, error) {
	var less, equal, nan bool
	switch {
	case kind == "f32":
		a, b := f32(x), f32(y)
		less, equal, nan = a < b, a == b, a != a || b != b
	case kind == "f64":
		a, b := f64(x), f64(y)
		less, equal, nan = a < b, a == b, a != a || b != b
	default:
		a, b := extended(kind, x), extended(kind, y)
		less, equal = a < b, a == b
		if kind[0] == 's' {
			less = int64(a) < int64(b)
		}
	}
	switch test {
	case "eq":
		return truth(equal)
	case "ne":
		return truth(!equal && !nan)
	case "neu":
		return truth(!equal)
	case "lt":
		return truth(less)
	case "le":
		return truth(less || equal)
	case "gt":
		return truth(!less && !equal && !nan)
	case "ge":
		return truth(!less && !nan)
	}
	return 0, fmt.Errorf("test %s is not known", test)
}

// float computes with floats. A NaN that arithmetic makes is 0x7fffffff, as the machine
// has it.
func float(name string, w int, x [4]uint64) (uint64, error) {
	t, round := scalar.F32, ".rn.f32"
	if w == 64 {
		t, round = scalar.F64, ".rn.f64"
	}
	op, ok := map[string]scalar.Op{"add": scalar.OpAdd, "sub": scalar.OpSub, "mul": scalar.OpMul, "div": scalar.OpDiv, "fma": scalar.OpFMA, "sqrt": scalar.OpSqrt}[strings.TrimSuffix(name, round)]
	if !ok {
		return 0, fmt.Errorf("instruction %s is not known, or does not state its rounding", name)
	}
	r := scalar.Apply(scalar.Inst{Op: op, Type: t}, t, x[0], x[1], x[2])
	if w == 32 && f32(r) != f32(r) {
		return 0x7fffffff, nil
	}
	if w == 64 && f64(r) != f64(r) {
		return 0x7fffffffffffffff, nil
	}
	return r, nil
}

// convert runs cvt, whose parts behind the name are the rounding, if any, and the types of
// result and operand.
func convert(op []string, x uint64) (uint64, error) {
	round := ""
	if len(op) == 3 {
		round, op = op[0], op[1:]
	}
	if len(op) != 2 {
		return 0, fmt.Errorf("conversion %v is not known", op)
	}
	to, from := op[0], op[1]
	mask := ^uint64(0) >> (64 - max(32, sized(to)))
	types := map[string]scalar.Type{"s8": scalar.I8, "s16": scalar.I16, "s32": scalar.I32, "s64": scalar.I64, "u32": scalar.U32, "u64": scalar.U64, "f32": scalar.F32, "f64": scalar.F64}
	t, f := types[to], types[from]
	apply := func(o scalar.Op) uint64 { return scalar.Apply(scalar.Inst{Op: o, Type: t}, f, x, 0, 0) }
	switch {
	case t.IsFloat() && f.IsFloat() && to == from:
		op, ok := map[string]scalar.Op{"rmi": scalar.OpFloor, "rpi": scalar.OpCeil, "rzi": scalar.OpTrunc, "rni": scalar.OpRint}[round]
		if !ok {
			return 0, fmt.Errorf("rounding %q is not known", round)
		}
		return apply(op), nil
	case from == "f32" && to == "f64" && round == "", from == "f64" && to == "f32" && round == "rn", t.IsFloat() && !f.IsFloat() && round == "rn":
		return apply(scalar.OpConvert), nil
	case f.IsFloat() && round == "rzi" && t != scalar.NoType:
		if v := f64(x); from == "f64" && v != v || from == "f32" && f32(x) != f32(x) {
			return 1 << (sized(to) - 1), nil // some machines give this, others 0
		}
		return apply(scalar.OpConvert) & mask, nil
	case f.IsFloat() && round == "rmi" && t != scalar.NoType:
		v := f64(x)
		if from == "f32" {
			v = float64(f32(x))
		}
		return scalar.Apply(scalar.Inst{Op: scalar.OpConvert, Type: t}, scalar.F64, math.Float64bits(math.Floor(v)), 0, 0) & mask, nil
	case !f.IsFloat() && !t.IsFloat() && f != scalar.NoType && round == "":
		return extended(from, x) & mask, nil
	}
	return 0, fmt.Errorf("conversion %s%v is not known", round, op)
}
