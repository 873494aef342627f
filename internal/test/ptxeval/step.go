package ptxeval

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/lower/scalar"
)

// An operation computes the result of an instruction from its operands.
type operation func(x, y, z uint64) (uint64, error)

// decode finds what an instruction does, and checks it.
func (e *entry) decode(m *Module, in *inst) error {
	want := func(kinds ...string) error { // of the operands, by the letters of their kinds
		if len(in.args) != len(kinds) {
			return bugf("%s takes %d operands, got %d", strings.Join(in.op, "."), len(kinds), len(in.args))
		}
		for i, k := range kinds {
			ok := false
			switch in.args[i].kind {
			case register:
				ok = k == "r" || k == "v"
			case immediate, special:
				ok = k == "v"
			case symbol:
				ok = k == "v" || k == "m"
			case memory:
				ok = k == "m"
			case label:
				ok = k == "l"
			}
			if !ok {
				return bugf("operand %d of %s is of another kind", i+1, strings.Join(in.op, "."))
			}
		}
		return nil
	}
	if known, err := e.decodeTensor(in); known {
		e.tensor = true
		return err
	}
	switch in.op[0] {
	case "ret":
		in.kind = ret
		return want()
	case "bar":
		in.kind = barrier
		if strings.Join(in.op, ".") != "bar.sync" {
			return bugf("%s is not known", strings.Join(in.op, "."))
		}
		return want("v")
	case "barrier":
		return e.decodeClusterBarrier(in, want)
	case "bra":
		in.kind = branch
		return want("l")
	case "shfl":
		in.kind = exchange
		if strings.Join(in.op, ".") != "shfl.sync.bfly.b32" {
			return bugf("%s is not known", strings.Join(in.op, "."))
		}
		if err := want("r", "r", "v", "v", "v"); err != nil {
			return err
		}
		if in.args[2].kind != immediate || in.args[2].bits == 0 || in.args[2].bits > 31 || in.args[3].bits != 31 || in.args[4].bits != 1<<64-1 {
			return bugf("%s exchanges in whole warps", strings.Join(in.op, "."))
		}
		return nil
	case "vote":
		in.kind = exchange
		if err := want("r", "r", "v"); err != nil {
			return err
		}
		if strings.Join(in.op, ".") != "vote.sync.ballot.b32" || in.args[2].kind != immediate || in.args[2].bits != 1<<32-1 {
			return bugf("%s is not known, or not among whole warps", strings.Join(in.op, "."))
		}
		return nil
	case "red":
		switch strings.Join(in.op, ".") {
		case "red.shared.add.u32", "red.global.add.u32", "red.global.add.u64":
		default:
			return bugf("%s is not known", strings.Join(in.op, "."))
		}
		in.kind, in.space, in.bytes = addition, in.op[1], sized(in.op[3])/8
		return want("m", "v")
	case "cp":
		return decodeFetch(in, want)
	case "call":
		return e.decodeCall(in)
	case "ld", "st":
		elements := 1
		if len(in.op) == 4 && (in.op[2] == "v2" || in.op[2] == "v4") {
			elements = int(in.op[2][1] - '0')
			in.op = []string{in.op[0], in.op[1], in.op[3]}
		}
		if len(in.op) != 3 || elements*sized(in.op[2]) > 128 {
			return bugf("%s is not known", strings.Join(in.op, "."))
		}
		if in.op[0] == "st" && in.op[1] == "param" {
			return e.decodeArgument(in, want)
		}
		in.kind, in.space, in.bytes, in.signed = load, in.op[1], sized(in.op[2])/8, in.op[2][0] == 's'
		if in.op[0] == "st" {
			in.kind = store
			return want(append([]string{"m"}, slices.Repeat([]string{"v"}, elements)...)...)
		}
		if in.space == "param" {
			if err := want("r", "m"); err != nil {
				return err
			}
			a := &in.args[1]
			a.reg = -1
			if rest, ok := strings.CutPrefix(a.name, e.name+"_"); ok {
				if _, err := fmt.Sscan(rest, &a.reg); err != nil {
					return err
				}
			}
			if a.reg < 0 || a.reg >= e.params {
				return bugf("there is no parameter %s", a.name)
			}
			return nil
		}
		return want(append(slices.Repeat([]string{"r"}, elements), "m")...)
	}
	in.kind = arithmetic
	run, operands, err := compile(in.op)
	if err != nil {
		return err
	}
	in.run = run
	kinds := []string{"r", "v", "v", "v"}[:1+operands]
	if err := want(kinds...); err != nil {
		return err
	}
	for i := range in.args[1:] {
		if a := &in.args[1+i]; a.kind == symbol {
			at, ok := e.address(m, a.name)
			if !ok {
				return bugf("there is no %s", a.name)
			}
			*a = operand{kind: immediate, bits: at}
		}
	}
	in.dst = in.args[0].reg
	for i := range in.src {
		a := operand{kind: special, reg: tid} // any
		if i+1 < len(in.args) {
			a = in.args[i+1]
		}
		in.src[i] = e.register(a)
	}
	return nil
}

// register returns the register that has the value of an operand, a fixed one if the operand is none.
func (e *entry) register(a operand) int {
	switch a.kind {
	case register:
		return a.reg
	case special:
		return len(e.regs) + a.reg
	}
	numbers := e.fixed[nctaid+1:]
	i := slices.Index(numbers, a.bits)
	if i < 0 {
		i = len(numbers)
		e.fixed = append(e.fixed, a.bits)
	}
	return len(e.regs) + nctaid + 1 + i
}

// address returns the address of an array.
func (e *entry) address(m *Module, name string) (uint64, bool) {
	if s, ok := e.shared[name]; ok {
		return sharedBase + uint64(s.at), true
	}
	if i, ok := e.maps[name]; ok {
		return uint64(i), true
	}
	if s, ok := e.local[name]; ok {
		return localBase + uint64(s.at), true
	}
	if s, ok := m.consts[name]; ok {
		return constBase + uint64(s.at), true
	}
	return 0, false
}

// compile returns what an arithmetic instruction computes, and the number of operands.
func compile(op []string) (operation, int, error) {
	name := strings.Join(op, ".")
	unknown := bugf("instruction %s is not known", name)
	if len(op) < 2 {
		return nil, 0, unknown
	}
	kind := op[len(op)-1]
	w, in := sized(kind), widthOf(kind)
	mask := ^uint64(0) >> (64 - w)
	signed := in.signed
	plain := func(f func(x, y, z uint64) uint64) operation {
		return func(x, y, z uint64) (uint64, error) { return f(x, y, z) & mask, nil }
	}
	switch op[0] {
	case "mapa":
		if name != "mapa.shared::cluster.u64" {
			return nil, 0, unknown
		}
		return plain(farAddress), 2, nil
	case "mov", "cvta":
		if kind == "pred" {
			return func(x, _, _ uint64) (uint64, error) { return x, nil }, 1, nil
		}
		return plain(func(x, _, _ uint64) uint64 { return x }), 1, nil
	case "selp":
		return plain(func(x, y, z uint64) uint64 {
			if z != 0 {
				return x
			}
			return y
		}), 3, nil
	case "setp":
		f, err := compare(op[1], kind)
		if err == nil && len(op) == 4 && op[2] == "and" {
			return func(x, y, z uint64) (uint64, error) {
				r, err := f(x, y, 0)
				return r & z, err
			}, 3, nil
		}
		return f, 2, err
	case "cvt":
		if f, n := narrow(name); f != nil {
			return f, n, nil
		}
		f, err := convert(op[1:])
		return f, 1, err
	}
	if kind[0] == 'f' {
		return float(name, w)
	}
	if kind == "pred" {
		mask = 1
	}
	switch op[0] {
	case "and":
		return plain(func(x, y, _ uint64) uint64 { return x & y }), 2, nil
	case "or":
		return plain(func(x, y, _ uint64) uint64 { return x | y }), 2, nil
	case "xor":
		return plain(func(x, y, _ uint64) uint64 { return x ^ y }), 2, nil
	case "not":
		return plain(func(x, _, _ uint64) uint64 { return ^x }), 1, nil
	case "add":
		return plain(func(x, y, _ uint64) uint64 { return x + y }), 2, nil
	case "sub":
		return plain(func(x, y, _ uint64) uint64 { return x - y }), 2, nil
	case "mul":
		switch {
		case op[1] == "hi":
			t := map[string]scalar.Type{"s32": scalar.I32, "u32": scalar.U32, "s64": scalar.I64, "u64": scalar.U64}[kind]
			return plain(func(x, y, _ uint64) uint64 {
				return ireval.Apply(scalar.Inst{Op: scalar.OpMulHi, Type: t}, t, x&mask, y&mask, 0)
			}), 2, nil
		case op[1] == "lo":
			return plain(func(x, y, _ uint64) uint64 { return x * y }), 2, nil
		case op[1] == "wide":
			return func(x, y, _ uint64) (uint64, error) { return in.extend(x) * in.extend(y), nil }, 2, nil
		}
	case "mad":
		switch {
		case len(op) == 3 && op[1] == "wide":
			return func(x, y, z uint64) (uint64, error) { return in.extend(x)*in.extend(y) + z, nil }, 3, nil
		case len(op) == 3 && op[1] == "lo":
			return plain(func(x, y, z uint64) uint64 { return x*y + z }), 3, nil
		}
	case "min", "max":
		least := op[0] == "min"
		return plain(func(x, y, _ uint64) uint64 {
			a, b := in.extend(x), in.extend(y)
			less := a < b
			if signed {
				less = int64(a) < int64(b)
			}
			if less == least {
				return a
			}
			return b
		}), 2, nil
	case "div", "rem":
		quotient := op[0] == "div"
		return func(x, y, _ uint64) (uint64, error) {
			a, b := in.extend(x), in.extend(y)
			if b == 0 || signed && int64(b) == -1 {
				return 0, bugf("%s by %d, which the machine leaves open", name, int64(b))
			}
			q, m := a/b, a%b
			if signed {
				q, m = uint64(int64(a)/int64(b)), uint64(int64(a)%int64(b))
			}
			if quotient {
				return q & mask, nil
			}
			return m & mask, nil
		}, 2, nil
	case "shf": // to the right, of two words of which the second one is the upper one
		if name != "shf.r.wrap.b32" {
			return nil, 0, unknown
		}
		return plain(func(low, high, n uint64) uint64 { return (high<<32 | low&mask) >> (n & 31) }), 3, nil
	case "shl":
		return plain(func(x, y, _ uint64) uint64 { return x & mask << min(y&(1<<32-1), 64) }), 2, nil
	case "shr":
		return plain(func(x, y, _ uint64) uint64 {
			n := min(y&(1<<32-1), 64)
			if signed {
				return uint64(int64(in.extend(x)) >> min(n, 63))
			}
			return in.extend(x) >> n
		}), 2, nil
	case "clz":
		return plain(func(x, _, _ uint64) uint64 { return uint64(bits.LeadingZeros64(x&mask) - (64 - w)) }), 1, nil
	case "popc":
		return plain(func(x, _, _ uint64) uint64 { return uint64(bits.OnesCount64(x & mask)) }), 1, nil
	}
	return nil, 0, unknown
}

func truth(b bool) (uint64, error) {
	if b {
		return 1, nil
	}
	return 0, nil
}

// compare returns what setp computes.
func compare(test, kind string) (operation, error) {
	// The three outcomes of a comparison for which each test is true; a NaN has none.
	tests := map[string]struct{ less, equal, greater, nan bool }{
		"eq": {equal: true}, "ne": {less: true, greater: true}, "neu": {less: true, greater: true, nan: true},
		"lt": {less: true}, "le": {less: true, equal: true}, "gt": {greater: true}, "ge": {equal: true, greater: true},
	}
	is, ok := tests[test]
	if !ok {
		return nil, bugf("test %s is not known", test)
	}
	outcome := func(less, equal, nan bool) (uint64, error) {
		switch {
		case nan:
			return truth(is.nan)
		case less:
			return truth(is.less)
		case equal:
			return truth(is.equal)
		}
		return truth(is.greater)
	}
	switch kind {
	case "f32":
		return func(x, y, _ uint64) (uint64, error) {
			a, b := f32(x), f32(y)
			return outcome(a < b, a == b, a != a || b != b)
		}, nil
	case "f64":
		return func(x, y, _ uint64) (uint64, error) {
			a, b := f64(x), f64(y)
			return outcome(a < b, a == b, a != a || b != b)
		}, nil
	}
	in := widthOf(kind)
	signed := in.signed
	return func(x, y, _ uint64) (uint64, error) {
		a, b := in.extend(x), in.extend(y)
		if signed {
			return outcome(int64(a) < int64(b), a == b, false)
		}
		return outcome(a < b, a == b, false)
	}, nil
}

// exp2Error is the relative error that [approximateExp2] adds. With the rounding it is the 2⁻²²
// by which ex2.approx.f32 may be wrong.
const exp2Error = 0x1p-22 - 0x1p-24

// approximateExp2 returns 2ˣ with as large an error as a machine may make. The sign of the error
// depends on the digits of x, so that tests find code that relies on better results or on their
// order. The result is exact where PTX specifies it: for 0, subnormal numbers, ∞ and NaN.
func approximateExp2(x float32) float32 {
	exact := math.Exp2(float64(x))
	if math.Abs(float64(x)) < 0x1p-126 {
		return 1
	}
	if bits.OnesCount32(math.Float32bits(x))%2 == 0 {
		return float32(exact * (1 - exp2Error))
	}
	return float32(exact * (1 + exp2Error))
}

// float returns what an instruction on floats computes. A NaN that arithmetic makes is
// 0x7fffffff, as the machine has it.
func float(name string, w int) (operation, int, error) {
	t, round, nan := scalar.F32, ".rn.f32", uint64(0x7fffffff)
	if w == 64 {
		t, round, nan = scalar.F64, ".rn.f64", 0x7fffffffffffffff
	}
	if base, ok := strings.CutSuffix(name, ".NaN.f32"); ok && (base == "min" || base == "max") {
		in := scalar.Inst{Op: map[string]scalar.Op{"min": scalar.OpMin, "max": scalar.OpMax}[base], Type: t}
		return func(x, y, _ uint64) (uint64, error) {
			if f32(x) != f32(x) || f32(y) != f32(y) {
				return nan, nil
			}
			return ireval.Apply(in, t, x, y, 0), nil
		}, 2, nil
	}
	if name == "ex2.approx.f32" {
		return func(x, _, _ uint64) (uint64, error) {
			r := approximateExp2(f32(x))
			if r != r {
				return nan, nil
			}
			return uint64(math.Float32bits(r)), nil
		}, 1, nil
	}
	isNaN := func(r uint64) bool { return f64(r) != f64(r) }
	if w == 32 {
		isNaN = func(r uint64) bool { return f32(r) != f32(r) }
	}
	signs := map[string]scalar.Op{"neg.f32": scalar.OpNeg, "neg.f64": scalar.OpNeg, "abs.f32": scalar.OpAbs, "abs.f64": scalar.OpAbs}
	if sign, ok := signs[name]; ok {
		in := scalar.Inst{Op: sign, Type: t}
		return func(x, _, _ uint64) (uint64, error) {
			if isNaN(x) {
				return nan, nil
			}
			return ireval.Apply(in, t, x, 0, 0), nil
		}, 1, nil
	}
	base, ok := strings.CutSuffix(name, round)
	op, known := map[string]scalar.Op{"add": scalar.OpAdd, "sub": scalar.OpSub, "mul": scalar.OpMul, "div": scalar.OpDiv, "fma": scalar.OpFMA, "sqrt": scalar.OpSqrt}[base]
	if !ok || !known {
		return nil, 0, bugf("instruction %s is not known, or does not state its rounding", name)
	}
	operands := map[string]int{"fma": 3, "sqrt": 1}[base]
	if operands == 0 {
		operands = 2
	}
	in := scalar.Inst{Op: op, Type: t}
	return func(x, y, z uint64) (uint64, error) {
		r := ireval.Apply(in, t, x, y, z)
		if isNaN(r) {
			return nan, nil
		}
		return r, nil
	}, operands, nil
}
