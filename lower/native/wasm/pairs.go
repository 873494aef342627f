package wasm

import (
	"encoding/binary"
	"math"

	"github.com/weft-go/weft/lower/native"
)

// A pair is a register of f32 that is kept as two vectors of f64: only multiply-adds set it, and a multiply-add reads
// it. The steps of a polynomial are rounded to f32 by operations on integers, and converted only where other
// instructions read them.

func (w *writer) findPairs() {
	w.pair, w.known = make([]bool, len(w.Regs)), make([]bool, len(w.Regs))
	var set []native.VReg // by other instructions
	for _, list := range w.lists() {
		for i := range list {
			in := &list[i]
			switch {
			case in.Kind == native.KindOp && in.Op == opFMA32:
				w.pair[in.A], w.pair[in.B], w.pair[in.C] = true, true, true
			case in.Kind == native.KindCall:
				set = append(set, w.Calls[in.Imm].Results...)
			case in.Kind == native.KindParams:
				params, _, _ := w.Function(int(in.Imm))
				set = append(set, params...)
			case in.Kind == native.KindConst:
				w.known[in.D] = true
			case in.D > 0:
				set = append(set, in.D)
			}
		}
	}
	for _, r := range set {
		w.pair[r], w.known[r] = false, false
	}
	for r, known := range w.known {
		w.pair[r] = w.pair[r] && !known
	}
}

func (w *writer) lists() [][]native.Inst {
	lists := [][]native.Inst{w.List}
	for i := range w.Functions() {
		_, _, list := w.Function(i)
		lists = append(lists, list)
	}
	return lists
}

func (w *writer) push(r native.VReg) {
	l := w.localOf(r)
	if w.kind(r) == pairLocal {
		w.demoted(l, l+1)
	} else {
		w.get(l)
	}
}

// half pushes a half of a vector of f32 as f64.
func (w *writer) half(r native.VReg, high bool) {
	l := w.localOf(r)
	switch {
	case w.kind(r) == pairLocal && high:
		w.get(l + 1)
	case w.kind(r) == pairLocal:
		w.get(l)
	case w.known[r]:
		x := w.constantOf(r)
		if high {
			copy(x[:], x[2:])
		}
		b := binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(x[0])))
		w.constant(binary.LittleEndian.AppendUint64(b, math.Float64bits(float64(x[1]))))
	default:
		w.widened(l, high)
	}
}

func (w *writer) constantOf(r native.VReg) (x [4]float32) {
	b := w.vectorAt(w.Regs[r].Off)
	for i := range x {
		x[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return x
}

// Upper halves of f64 without their sign, times 2: those of the least normal f32, and of the first number beyond f32.
const (
	normalLimit = (1023 - 126) << 21
	finiteLimit = (1023 + 128) << 21
)

// addend reports whether a register contains constants so large that a sum with the product of two f32 is no number
// between 0 and the least normal f32: a sum that cancels is a multiple of the product's last bit, which is about
// 2⁻⁴⁸ of the constant.
func (w *writer) addend(r native.VReg) bool {
	if !w.known[r] {
		return false
	}
	for _, x := range w.constantOf(r) {
		if !(math.Abs(float64(x)) >= 0x1p-60) {
			return false
		}
	}
	return true
}

// Half of the last place of an f32 in the bits of an f64, and the bits that an f32 has.
const (
	halfPlace = 1 << 28
	upperBits = ^uint64(1<<29 - 1)
)

// roundSum pops a sum of f64. Half of the last place of an f32 is added to its bits, which sets `sum`, and the bits below
// are cut off, which sets `rounded`. That is the sum as f32, unless the bits cut off are all 0: then the sum lay in the
// middle of two f32.
func (w *writer) roundSum(sum, half, upper, rounded int32) {
	w.get(half)
	w.vec(i64x2Add)
	w.put(sum)
	w.get(sum)
	w.get(upper)
	w.vec(v128And)
	w.put(rounded)
}

// ties pushes four words, which are 0 where the sum that roundSum set lay in the middle of two f32.
func (w *writer) ties(low, high int32) {
	w.get(low)
	w.get(high)
	w.shuffle(evenWords)
	w.const32(3)
	w.vec(ofSize(i8x16Shl, 4))
}

// fusedPair sets the pair at d to x·y + z. Sums in the middle of two f32, and those that are subnormal or too large, are
// computed by the helper.
func (w *writer) fusedPair(d int32, x, y, z native.VReg, equal bool) {
	f := &w.fma
	for i, sum := range [...]int32{f.low, f.high} {
		w.sum64(x, y, z, i == 1, equal)
		w.roundSum(sum, f.half, f.upper, f.rounded+int32(i))
	}
	w.ties(f.low, f.high)
	w.constant(same(0))
	w.vec(i32x4Eq)
	w.get(f.low)
	w.get(f.high)
	w.shuffle(oddWords)
	w.const32(1)
	w.vec(ofSize(i8x16Shl, 4))
	limit := uint64(finiteLimit)
	if !w.addend(z) {
		limit -= normalLimit
		w.get(f.normal)
		w.vec(ofSize(i8x16Sub, 4))
	}
	w.constant(same(limit<<32 | limit))
	w.vec(i32x4GeU)
	w.vec(v128Or)
	w.vec(i32x4Bitmask)
	w.block(opIf, typeEmpty)
	w.help(helperFMA32, x, y, z)
	w.put(f.result)
	for i := range int32(2) {
		w.widened(f.result, i == 1)
		w.put(f.rounded + i)
	}
	w.op(opEnd)
	for i := range int32(2) {
		w.get(f.rounded + i)
		w.put(d + i)
	}
}
