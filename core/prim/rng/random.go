package rng

import (
	"strconv"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// Keys of random numbers are elements of dtype key<fry>: two u32 words. All that
// happens to them is threefry2x32 of the words and a counter; the Expand methods
// are the definition. T(k; n) is the hash of the 64-bit counter n, high word first.
//
// The results for an array of keys of shape S have shapes that begin with S.
//
// Texts of JAX contain keys of other kinds too. key<rbg> and key<urbg> are four words, key<phx2>
// is one and key<phx4> two. Their numbers are those of JAX on CPUs, where all bits that an array
// of rbg keys draws are drawn from its first key.

// RandomSeedP makes keys from integers: the high and low 32 bits of the seed, as a 64-bit integer.
// For seeds of 32 bits and fewer the high word is 0, and the low one is the seed converted to u32.
type RandomSeedP struct{ Kind string }

// RandomSplitP makes an array of new keys from each key: the one with row-major
// index n has the words T(k; n).
type RandomSplitP struct{ Shape core.Dims }

// RandomFoldInP makes a new key from each key and a u32 number d: T(k; d).
type RandomFoldInP struct{}

// RandomBitsP draws unsigned integers of the given width. With 64 bits, number n in
// row-major order is T(k; n), the first word high. With fewer bits it is the low bits of
// the exclusive or of the two words.
type RandomBitsP struct {
	BitWidth int
	Shape    core.Dims
}

// RandomCloneP is the identity; it tells a check for reused keys that the result may be used
// again.
type RandomCloneP struct{}

// RandomSeed makes keys from integers.
func RandomSeed(seed core.Value) core.Value { return core.Apply1(RandomSeedP{}, seed) }

// RandomSplit makes an array of new keys from each key.
func RandomSplit(key core.Value, shape core.Dims) core.Value {
	return core.Apply1(RandomSplitP{shape}, key)
}

// RandomFoldIn makes a new key from each key and a u32 number.
func RandomFoldIn(key, data core.Value) core.Value { return core.Apply2(RandomFoldInP{}, key, data) }

// RandomBits draws unsigned integers of the given width.
func RandomBits(key core.Value, bitWidth int, shape core.Dims) core.Value {
	return core.Apply1(RandomBitsP{bitWidth, shape}, key)
}

// RandomClone returns the key itself, fit to be used again.
func RandomClone(key core.Value) core.Value { return core.Apply1(RandomCloneP{}, key) }

func (RandomSeedP) Name() string { return "random_seed" }

func (RandomSeedP) read(r *jaxpr.ParamReader) core.Primitive {
	return RandomSeedP{rule.ReadKeyKind(r)}
}

func (RandomSplitP) Name() string { return "random_split" }

func (RandomSplitP) read(r *jaxpr.ParamReader) core.Primitive { return RandomSplitP{r.Dims("shape")} }

func (RandomFoldInP) Name() string { return "random_fold_in" }

func (RandomBitsP) Name() string { return "random_bits" }

func (RandomBitsP) read(r *jaxpr.ParamReader) core.Primitive {
	return RandomBitsP{r.Int("bit_width"), r.Dims("shape")}
}

func (RandomCloneP) Name() string { return "random_clone" }

func (p RandomSeedP) Params() []core.Param { return []core.Param{rule.KindParam(p.Kind)} }

func (p RandomSplitP) Params() []core.Param { return []core.Param{rule.Param("shape", p.Shape)} }

func (p RandomBitsP) Params() []core.Param {
	return []core.Param{rule.Param("bit_width", strconv.Itoa(p.BitWidth)), rule.Param("shape", p.Shape)}
}

func (p RandomSeedP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	if !in[0].DType.IsInteger() {
		core.Failf(core.ErrDType, "a seed must be an integer (got %v); convert it", in[0].Full())
	}
	return []core.ShapedArray{{Shape: in[0].Shape, DType: rule.KeyKinds[p.Kind]}}
}

// Abstract puts the shape after that of the keys.
func (p RandomSplitP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	rule.WantKeys(in[0])
	if p.Shape.Size() < 0 {
		core.Failf(core.ErrShape, "shape %v has a negative size or too many elements; use smaller sizes", p.Shape)
	}
	return []core.ShapedArray{{Shape: in[0].Shape.Append(p.Shape.Ints()...), DType: in[0].DType}}
}

// Abstract returns the common shape of keys and numbers; scalars and axes of size 1
// spread.
func (RandomFoldInP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 2)
	rule.WantKeys(in[0])
	if in[1].DType != core.Uint32 {
		core.Failf(core.ErrDType, "the number folded in must be u32, got %v; convert it", in[1].Full())
	}
	return []core.ShapedArray{{Shape: rule.SpreadShapes(in), DType: in[0].DType}}
}

// Abstract puts the shape after that of the keys.
func (p RandomBitsP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	rule.WantKeys(in[0])
	if p.Shape.Size() < 0 {
		core.Failf(core.ErrShape, "shape %v has a negative size or too many elements; use smaller sizes", p.Shape)
	}
	return []core.ShapedArray{{Shape: in[0].Shape.Append(p.Shape.Ints()...), DType: p.dtype()}}
}

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

func (RandomCloneP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	rule.WantKeys(in[0])
	return []core.ShapedArray{in[0]}
}

func (RandomSeedP) ZeroJVP() {}

func (RandomSplitP) ZeroJVP() {}

func (RandomFoldInP) ZeroJVP() {}

func (RandomBitsP) ZeroJVP() {}

func (RandomCloneP) ZeroJVP() {}

func (p RandomSeedP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in...)
}

func (p RandomSplitP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in...)
}

func (p RandomFoldInP) Batch(_ int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return rule.Bound(p, prim.PerElement(in, mapped)...)
}

func (p RandomBitsP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in...)
}

func (p RandomCloneP) Batch(_ int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	return rule.Bound(p, in...)
}
