package prim

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/jaxpr"
)

// Keys of random numbers are elements of dtype key<fry>: two u32 words. All that
// happens to them is threefry2x32 of the words and a counter; the expansions below
// are the definition. T(k; n) is the hash of the 64-bit counter n, high word first.
//
// An array of keys of shape S returns results whose shape begins with S.

// RandomSeedP makes keys of integers: the high and low 32 bits of the seed, as a
// 64-bit integer; of seeds of 32 bits and fewer the high word is 0 and the low
// one the seed, sign-extended.
type RandomSeedP struct{}

// RandomWrapP makes keys of pairs of words, the last axis.
type RandomWrapP struct{}

// RandomUnwrapP returns the words of keys along a new last axis.
type RandomUnwrapP struct{}

// RandomSplitP makes an array of new keys of each key: the one with row-major
// index n has the words T(k; n).
type RandomSplitP struct{ Shape core.Dims }

// RandomFoldInP makes a new key of each key and a u32 number d: T(k; d).
type RandomFoldInP struct{}

// RandomBitsP draws unsigned integers of the given width: of 64 bits both words of
// T(k; n), else the low bits of their exclusive or; n is the row-major index.
type RandomBitsP struct {
	BitWidth int
	Shape    core.Dims
}

// RandomCloneP is the identity; it tells a check for reused keys that the result
// may be used again.
type RandomCloneP struct{}

// RandomSeed makes keys of integers.
func RandomSeed(seed Value) Value { return core.Apply1(RandomSeedP{}, seed) }

// RandomWrap makes keys of pairs of words, the last axis.
func RandomWrap(words Value) Value { return core.Apply1(RandomWrapP{}, words) }

// RandomUnwrap returns the words of keys along a new last axis.
func RandomUnwrap(key Value) Value { return core.Apply1(RandomUnwrapP{}, key) }

// RandomSplit makes an array of new keys of each key.
func RandomSplit(key Value, shape core.Dims) Value { return core.Apply1(RandomSplitP{shape}, key) }

// RandomFoldIn makes a new key of each key and a u32 number.
func RandomFoldIn(key, data Value) Value { return core.Apply2(RandomFoldInP{}, key, data) }

// RandomBits draws unsigned integers of the given width.
func RandomBits(key Value, bitWidth int, shape core.Dims) Value {
	return core.Apply1(RandomBitsP{bitWidth, shape}, key)
}

// RandomClone returns the key itself, fit to be used again.
func RandomClone(key Value) Value { return core.Apply1(RandomCloneP{}, key) }

// Name returns "random_seed".
func (RandomSeedP) Name() string { return "random_seed" }

func (RandomSeedP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("impl", "fry")
	return RandomSeedP{}
}

// Name returns "random_wrap".
func (RandomWrapP) Name() string { return "random_wrap" }

func (RandomWrapP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("impl", "fry")
	return RandomWrapP{}
}

// Name returns "random_unwrap".
func (RandomUnwrapP) Name() string { return "random_unwrap" }

// Name returns "random_split".
func (RandomSplitP) Name() string { return "random_split" }

func (RandomSplitP) read(r *jaxpr.ParamReader) core.Primitive { return RandomSplitP{r.Dims("shape")} }

// Name returns "random_fold_in".
func (RandomFoldInP) Name() string { return "random_fold_in" }

// Name returns "random_bits".
func (RandomBitsP) Name() string { return "random_bits" }

func (RandomBitsP) read(r *jaxpr.ParamReader) core.Primitive {
	return RandomBitsP{r.Int("bit_width"), r.Dims("shape")}
}

// Name returns "random_clone".
func (RandomCloneP) Name() string { return "random_clone" }

// Params returns the kind of key.
func (RandomSeedP) Params() []core.Param { return []core.Param{param("impl", "fry")} }

// Params returns the kind of key.
func (RandomWrapP) Params() []core.Param { return []core.Param{param("impl", "fry")} }

// Params returns the shape of new keys.
func (p RandomSplitP) Params() []core.Param { return []core.Param{param("shape", p.Shape)} }

// Params returns width and shape.
func (p RandomBitsP) Params() []core.Param {
	return []core.Param{param("bit_width", strconv.Itoa(p.BitWidth)), param("shape", p.Shape)}
}

// keys demands an array of keys. Programs may speak of keys of another kind, but
// nothing makes one, and expansions refuse them.
func keys(a ShapedArray) {
	if !a.DType.IsKey() {
		core.Failf(core.ErrDType, "takes keys of type %v, got %v; make one with Key or wrap its words", core.Key, a.Full())
	}
}

// fry demands an array of keys of the kind that is hashed by threefry2x32.
func fry(a ShapedArray) {
	if a.DType != core.Key {
		core.Failf(core.ErrDType, "takes keys of type %v, got %v; make one with Key or wrap its words", core.Key, a.Full())
	}
}

// Abstract returns keys of the seeds' shape.
func (RandomSeedP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	if !in[0].DType.IsInteger() {
		core.Failf(core.ErrDType, "a seed must be an integer (got %v); convert it", in[0].Full())
	}
	return []ShapedArray{{Shape: in[0].Shape, DType: core.Key}}
}

// Abstract drops the last axis.
func (RandomWrapP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	x := in[0]
	if x.DType != core.Uint32 || x.Rank() == 0 || x.Shape.At(-1) != 2 {
		core.Failf(core.ErrDType, "key data must be u32 with the words along the last axis (got %v); use the words of a key, k.Words()", x.Full())
	}
	return []ShapedArray{{Shape: x.Shape.Slice(0, x.Rank()-1), DType: core.Key}}
}

// Abstract adds an axis of size 2.
func (RandomUnwrapP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	fry(in[0])
	return []ShapedArray{{Shape: in[0].Shape.Append(2), DType: core.Uint32}}
}

// Abstract puts the shape behind that of the keys.
func (p RandomSplitP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	keys(in[0])
	if p.Shape.Size() < 0 {
		core.Failf(core.ErrShape, "shape %v has a negative size or too many elements; use smaller sizes", p.Shape)
	}
	return []ShapedArray{{Shape: in[0].Shape.Append(p.Shape.Ints()...), DType: in[0].DType}}
}

// Abstract returns the common shape of keys and numbers; scalars and axes of size 1
// spread.
func (RandomFoldInP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 2)
	keys(in[0])
	if in[1].DType != core.Uint32 {
		core.Failf(core.ErrDType, "the number folded in must be u32, got %v; convert it", in[1].Full())
	}
	return []ShapedArray{{Shape: spreadShapes(in), DType: in[0].DType}}
}

// Abstract puts the shape behind that of the keys.
func (p RandomBitsP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	keys(in[0])
	if p.Shape.Size() < 0 {
		core.Failf(core.ErrShape, "shape %v has a negative size or too many elements; use smaller sizes", p.Shape)
	}
	return []ShapedArray{{Shape: in[0].Shape.Append(p.Shape.Ints()...), DType: p.dtype()}}
}

// dtype returns the unsigned type of the width.
func (p RandomBitsP) dtype() core.DType {
	switch p.BitWidth {
	case 8:
		return core.Uint8
	case 16:
		return core.Uint16
	case 32:
		return core.Uint32
	case 64:
		return core.Uint64
	}
	core.Failf(core.ErrDType, "the bit width must be 8, 16, 32 or 64 (got %d); use one of them", p.BitWidth)
	return core.Invalid
}

// Abstract changes nothing.
func (RandomCloneP) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 1)
	keys(in[0])
	return []ShapedArray{in[0]}
}

// ZeroJVP states that integers have no tangents.
func (RandomSeedP) ZeroJVP() {}

// ZeroJVP states that words have no tangents.
func (RandomWrapP) ZeroJVP() {}

// ZeroJVP states that keys have no tangents.
func (RandomUnwrapP) ZeroJVP() {}

// ZeroJVP states that keys have no tangents.
func (RandomSplitP) ZeroJVP() {}

// ZeroJVP states that keys have no tangents.
func (RandomFoldInP) ZeroJVP() {}

// ZeroJVP states that keys have no tangents.
func (RandomBitsP) ZeroJVP() {}

// ZeroJVP states that keys have no tangents.
func (RandomCloneP) ZeroJVP() {}

// Batch states that an array of seeds returns an array of keys.
func (p RandomSeedP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return bound(p, in...) }

// Batch keeps the batch's axis in front.
func (p RandomWrapP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return bound(p, in...) }

// Batch keeps the batch's axis in front.
func (p RandomUnwrapP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return bound(p, in...) }

// Batch states that each key of an array is split.
func (p RandomSplitP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return bound(p, in...) }

// Batch states that keys and numbers are combined element by element.
func (p RandomFoldInP) Batch(_ int, in []Value, mapped []bool) ([]Value, []bool) {
	return bound(p, perElement(in, mapped)...)
}

// Batch states that each key of an array draws.
func (p RandomBitsP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return bound(p, in...) }

// Batch states that keys are cloned one by one.
func (p RandomCloneP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) { return bound(p, in...) }
