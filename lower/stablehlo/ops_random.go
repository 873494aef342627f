package stablehlo

import (
	"math"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// rngBitGeneratorOp hashes a counter with a key, as XLA does on CPUs, where the default is
// Philox. The state is words of 64 bits: the key, then the counter.
func rngBitGeneratorOp(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 1)
	if len(o.types) != 2 {
		f.fail(core.ErrCheck, "has two results, %d are declared", len(o.types))
	}
	out, ok := o.types[1].Aval()
	if !ok {
		f.fail(core.ErrDType, "gives integers, not %v", o.types[1])
	}
	return f.randomBits(o, in[0], out)
}

// dynamicRNGCall returns rngBitGeneratorOp with a shape that is an operand.
func dynamicRNGCall(f *frame, o *op, in []core.Value) []core.Value {
	f.want(in, 2)
	if len(o.types) != 2 || o.types[1].kind != kindTensor || o.types[1].elem == core.Invalid {
		f.fail(core.ErrCheck, "has two results, a state and integers")
	}
	return f.randomBits(o, in[0], core.ShapedArray{Shape: f.shape(in[1]), DType: o.types[1].elem})
}

// unsignedOfWidth are the integers without sign by their bits.
var unsignedOfWidth = map[int]core.DType{8: core.Uint8, 16: core.Uint16, 32: core.Uint32, 64: core.Uint64}

func (f *frame) randomBits(o *op, state core.Value, out core.ShapedArray) []core.Value {
	unsigned, ok := unsignedOfWidth[out.DType.Bits()]
	if !ok || !out.DType.IsInteger() {
		f.fail(core.ErrDType, "gives integers, not %s", typeText(out))
	}
	words := state.Aval()
	if words.DType != core.Uint64 || words.Rank() != 1 || words.Size() < 2 || words.Size() > 3 {
		f.fail(core.ErrCheck, "the state is tensor<2xui64> or tensor<3xui64>, got %s", typeText(words))
	}
	at := func(k int) core.Value {
		return prim.Reshape(prim.Slice(state, dims([]int{k}), dims([]int{k + 1}), core.Dims{}), core.Dims{})
	}
	n := out.Size()
	if n < 0 || n > math.MaxInt/16 {
		f.fail(core.ErrShape, "too many elements: %s", typeText(out))
	}
	if unsigned == core.Uint64 {
		n *= 2 // words of 32 bits
	}
	var bits core.Value
	next := []core.Value{at(0)}
	switch algorithm := f.text(o, f.either(o, "algorithm", "rng_algorithm")); algorithm {
	case "THREE_FRY":
		if words.Size() != 2 {
			f.fail(core.ErrCheck, "the state of THREE_FRY is tensor<2xui64>, got %s", typeText(words))
		}
		var counted int
		bits, counted = threefryBits(at(0), at(1), out.Shape, unsigned == core.Uint64)
		next = append(next, prim.Add(at(1), u64(counted)))
	case "PHILOX", "DEFAULT":
		hi := at(0)
		if words.Size() == 3 {
			hi = at(2)
		}
		var lo core.Value
		bits, lo, hi = philoxBits(at(0), at(1), hi, n)
		if unsigned == core.Uint64 {
			bits = joined(bits, n)
		}
		bits = prim.Reshape(bits, out.Shape)
		if next = append(next, lo); words.Size() == 3 {
			next = append(next, hi)
		}
	default:
		f.fail(core.ErrNoRule, "there is no algorithm %s; use THREE_FRY, PHILOX or DEFAULT", algorithm)
	}
	bits = convert(bits, unsigned) // the low bits
	if unsigned != out.DType {
		bits = prim.BitcastConvert(bits, out.DType)
	}
	one := dims([]int{1})
	for i, w := range next {
		next[i] = prim.Reshape(w, one)
	}
	return []core.Value{prim.Concatenate(0, next...), bits}
}

func u64(n int) core.Value { return core.Lit(core.UintNumber(uint64(n)), core.Uint64) }

// words splits numbers of 64 bits.
func words(x core.Value) (lo, hi core.Value) {
	return convert(x, core.Uint32), convert(prim.ShiftRightLogical(x, u64(32)), core.Uint32)
}

// wide joins words of 32 bits.
func wide(lo, hi core.Value) core.Value {
	return prim.Or(convert(lo, core.Uint64), prim.ShiftLeft(convert(hi, core.Uint64), u64(32)))
}

// joined makes n/2 numbers of n words, the low one of each first.
func joined(x core.Value, n int) core.Value {
	pairs := prim.Reshape(x, dims([]int{n / 2, 2}))
	half := func(k int) core.Value {
		return prim.Reshape(prim.Slice(pairs, dims([]int{0, k}), dims([]int{n / 2, k + 1}), core.Dims{}), dims([]int{n / 2}))
	}
	return wide(half(0), half(1))
}

// threefryBits hashes counters from counter on, in row-major order. Of 64 bits there is a
// counter for each element; else both words of a hash are neighbours along an axis: the
// first that is even, or the longest. n is how many counters there were.
func threefryBits(key, counter core.Value, shape core.Dims, wide64 bool) (bits core.Value, n int) {
	hash := func(shape core.Dims) (lo, hi core.Value) {
		n = shape.Size()
		count := prim.Add(prim.Iota(core.Uint64, dims([]int{n}), 0), counter)
		c0, c1 := words(prim.Reshape(count, shape))
		k0, k1 := words(key)
		return prim.Threefry2x32(k0, k1, c0, c1)
	}
	if wide64 {
		lo, hi := hash(shape)
		return wide(lo, hi), n
	}
	if shape.Len() == 0 {
		lo, _ := hash(dims([]int{1}))
		return prim.Reshape(lo, shape), n
	}
	axis := -1
	for i, k := range shape.All() {
		if k%2 == 0 {
			axis = i
			break
		}
	}
	if axis < 0 {
		axis = 0
		for i, k := range shape.All() {
			if k > shape.At(axis) {
				axis = i
			}
		}
	}
	size := shape.At(axis)
	half := shape.Ints()
	half[axis] = (size + 1) / 2
	lo, hi := hash(dims(half))
	behind := dims([]int{axis + 1})
	pairs := prim.Concatenate(axis+1, prim.ExpandDims(lo, behind), prim.ExpandDims(hi, behind))
	half[axis] *= 2
	return firstOf(prim.Reshape(pairs, dims(half)), axis, size), n
}

// philoxBits returns n words of Philox4x32: four of each hash of a counter of 128 bits, and
// the counter behind the last.
func philoxBits(key, lo, hi core.Value, n int) (bits, nextLo, nextHi core.Value) {
	blocks := (n + 3) / 4
	flat := dims([]int{blocks})
	after := func(steps core.Value, lo, hi core.Value) (core.Value, core.Value) {
		sum := prim.Add(lo, steps)
		return sum, prim.Add(hi, convert(prim.Lt(sum, lo), core.Uint64))
	}
	spread := func(x core.Value) core.Value { return prim.BroadcastInDim(x, flat, core.Dims{}) }
	cl, ch := after(prim.Iota(core.Uint64, flat, 0), spread(lo), spread(hi))
	nextLo, nextHi = after(u64(blocks), lo, hi)

	var c [4]core.Value
	c[0], c[1] = words(cl)
	c[2], c[3] = words(ch)
	k0, k1 := words(key)
	word := func(w uint64) core.Value { return core.Lit(core.UintNumber(w), core.Uint32) }
	for range 10 {
		a, b := spread(word(0xD2511F53)), spread(word(0xCD9E8D57))
		c = [4]core.Value{
			prim.Xor(prim.Xor(prim.MulHi(c[2], b), c[1]), spread(k0)), prim.Mul(c[2], b),
			prim.Xor(prim.Xor(prim.MulHi(c[0], a), c[3]), spread(k1)), prim.Mul(c[0], a),
		}
		k0, k1 = prim.Add(k0, word(0x9E3779B9)), prim.Add(k1, word(0xBB67AE85))
	}
	column := dims([]int{1})
	for i := range c {
		c[i] = prim.ExpandDims(c[i], column)
	}
	bits = prim.Reshape(prim.Concatenate(1, c[0], c[1], c[2], c[3]), dims([]int{4 * blocks}))
	return firstOf(bits, 0, n), nextLo, nextHi
}
