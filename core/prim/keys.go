package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// RandomWrapP makes keys from words, which lie along the last axis.
type RandomWrapP struct{ Kind string }

// RandomUnwrapP returns the words of keys along a new last axis.
type RandomUnwrapP struct{}

// RandomWrap makes keys from pairs of words, which lie along the last axis.
func RandomWrap(words Value) Value { return core.Apply1(RandomWrapP{}, words) }

// RandomUnwrap returns the words of keys along a new last axis.
func RandomUnwrap(key Value) Value { return core.Apply1(RandomUnwrapP{}, key) }

func (RandomWrapP) Name() string { return "random_wrap" }

func (RandomWrapP) read(r *jaxpr.ParamReader) core.Primitive {
	return RandomWrapP{rule.ReadKeyKind(r)}
}

func (RandomUnwrapP) Name() string { return "random_unwrap" }

func (p RandomWrapP) Params() []core.Param { return []core.Param{rule.KindParam(p.Kind)} }

func (p RandomWrapP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	x := in[0]
	if x.DType != core.Uint32 || x.Rank() == 0 || x.Shape.At(-1) != rule.KeyKinds[p.Kind].KeyWords() {
		core.Failf(core.ErrDType, "key data must be u32 with the words along the last axis (got %v); use the words of a key, k.Words()", x.Full())
	}
	return []ShapedArray{{Shape: x.Shape.Slice(0, x.Rank()-1), DType: rule.KeyKinds[p.Kind]}}
}

func (RandomUnwrapP) Abstract(in []ShapedArray) []ShapedArray {
	rule.Operands(in, 1)
	rule.WantKeys(in[0])
	return []ShapedArray{{Shape: in[0].Shape.Append(in[0].DType.KeyWords()), DType: core.Uint32}}
}

func (RandomWrapP) ZeroJVP() {}

func (RandomUnwrapP) ZeroJVP() {}

func (p RandomWrapP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(p, in...)
}

func (p RandomUnwrapP) Batch(_ int, in []Value, _ []bool) ([]Value, []bool) {
	return rule.Bound(p, in...)
}
