package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/random"
)

// Keys that are none, and samples that cannot be.
var randomMistakes = []mistake{
	{"random_bad_key_shape", func() { random.Normal(random.Key{Data: weft.ZerosOf(weft.Uint32, 3)}, 3) }, core.ErrDType, []string{"u32[3]"}},
	{"random_batched_key", func() { random.Normal(random.New(0).SplitN(2), 3) }, core.ErrShape, []string{"2", "Vmap"}},
	{"random_int_dtype", func() { random.Normal(random.As(random.New(0), weft.Int32), 3) }, core.ErrDType, []string{"i32", "Normal"}},
	{"key_astype", func() { random.New(0).Data.AsType(weft.Float32) }, core.ErrDType, []string{"key"}},
	{"key_numpy", func() { weft.ToSlice[float32](random.New(0).Data) }, core.ErrDType, []string{"ToSlice"}},
	{"key_reuse", func() {
		weft.With(weft.DebugKeyReuse(true), func() {
			k := random.New(0)
			random.Normal(k)
			random.Normal(k)
		})
	}, core.ErrKeyReuse, []string{"random_test.go"}},
	{"choice_replace", func() {
		random.ChoiceFrom(random.New(0), 3, random.ChoiceConfig{Shape: []int{5}, Unique: true})
	}, core.ErrShape, []string{"3", "5", "Choice"}},
	{"randint_float", func() { random.RandInt(random.As(random.New(0), weft.Float32), 0, 5, 3) }, core.ErrDType, []string{"f32", "RandInt"}},
}

func TestRandom(t *testing.T) { run(t, "random_test.go", randomMistakes) }

// groups are all mistakes.
var groups = [][]mistake{tracerMistakes, leakMistakes, shapeMistakes, controlMistakes, derivativeMistakes, batchMistakes, stageMistakes, customMistakes, randomMistakes, dynamicMistakes}
