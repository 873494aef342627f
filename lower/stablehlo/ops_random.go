package stablehlo

import (
	"math"
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/rng"
)

// rngBitGeneratorOp hashes a counter with a key, as XLA does on CPUs, where the default is
// Philox. The state is words of 64 bits: the key, then the counter.
func rngBitGeneratorOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	if len(o.types) != 2 {
		f.fail(core.ErrCheck, "has two results, %d are declared; declare the state and the integers", len(o.types))
	}
	out, ok := o.types[1].Aval()
	if !ok {
		f.fail(core.ErrDType, "returns integers, not %v; declare a tensor of ui32 or other integers", o.types[1])
	}
	return f.randomBits(o, in[0], out)
}

// dynamicRNGCall is rngBitGeneratorOp with the shape of the result as an operand.
func dynamicRNGCall(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	if len(o.types) != 2 || o.types[1].kind != kindTensor || o.types[1].elem == core.Invalid {
		f.invalid(core.ErrCheck, "has two results, a state and integers")
	}
	return f.randomBits(o, in[0], core.ShapedArray{Shape: f.shape(in[1]), DType: o.types[1].elem})
}

var unsignedOfWidth = map[int]core.DType{8: core.Uint8, 16: core.Uint16, 32: core.Uint32, 64: core.Uint64}

func (f *frame) randomBits(o *op, state core.Value, out core.ShapedArray) []core.Value {
	unsigned, ok := unsignedOfWidth[out.DType.Bits()]
	if !ok || !out.DType.IsInteger() {
		f.fail(core.ErrDType, "returns integers, not %s; declare a tensor of ui32 or other integers", typeText(out))
	}
	words := state.Aval()
	if words.DType != core.Uint64 || words.Rank() != 1 || words.Size() < 2 || words.Size() > 3 {
		f.fail(core.ErrCheck, "the state is tensor<2xui64> or tensor<3xui64>, got %s; convert or reshape it", typeText(words))
	}
	if n := out.Size(); n < 0 || n > math.MaxInt/16 {
		f.fail(core.ErrShape, "too many elements: %s; generate them in parts", typeText(out))
	}
	algorithm := f.text(o, f.either(o, "algorithm", "rng_algorithm"))
	if !slices.Contains(rng.RandomAlgorithms, algorithm) {
		f.fail(core.ErrNoRule, "there is no algorithm %s; use THREE_FRY, PHILOX or DEFAULT", algorithm)
	}
	if algorithm == rng.ThreeFry && words.Size() != 2 {
		f.fail(core.ErrCheck, "the state of THREE_FRY is tensor<2xui64>, got %s; take two of its words, or use PHILOX", typeText(words))
	}
	next, bits := rng.RandomWords(state, algorithm, out.WithDType(unsigned))
	if unsigned != out.DType {
		bits = prim.BitcastConvert(bits, out.DType)
	}
	return []core.Value{next, bits}
}
