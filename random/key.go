package random

import (
	"reflect"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// A Key determines the numbers that a sampler draws. It is a single key or an array of
// keys. A Key is a tree of one array, so it can be an argument of a jitted function, a
// carry of a loop or a field of a state. It is not a number itself.
type Key struct {
	// Data has the dtype key<fry>. It has no axes unless this is an array of keys.
	Data weft.Array
	as   weft.DType // chosen by As; 0 if none
}

// As returns k with the dtype that samplers draw: random.Normal(random.As(k, weft.Float64), 3)
// returns f64 numbers. Keys made of the result keep the dtype, so that As before a function
// that initializes parameters chooses the dtype of all of them. Samplers that return indices,
// truth values or elements of an array (Bernoulli, Permutation, Choice, Categorical) ignore it.
func As(k Key, dt weft.DType) Key {
	k.as = dt
	return k
}

// New returns the key of a seed.
func New(seed uint64) Key { return Key{Data: lax.RandomSeed(seed)} }

// FromSeed returns the key of a seed that is an integer array without axes, traced or not.
// A seed of 32 bits or fewer has the high word 0.
func FromSeed(seed weft.Array) Key {
	present("FromSeed", seed)
	a := seed.Value().Aval()
	if !a.DType.IsInteger() || a.Rank() > 0 {
		core.FailOp(core.ErrDType, "FromSeed", []core.ShapedArray{a}, "a seed is an integer without axes, got %v; give one, or make keys of many with weft.Vmap(random.FromSeed)", a.Full())
	}
	return Key{Data: lax.RandomSeed(seed)}
}

// Wrap returns the key whose two words are given, a u32 array of size 2; further axes in
// front give an array of keys.
func Wrap(words weft.Array) Key {
	present("Wrap", words)
	if a := words.Value().Aval(); a.DType != core.Uint32 || a.Rank() == 0 || a.Shape.At(a.Rank()-1) != 2 {
		core.FailOp(core.ErrDType, "Wrap", []core.ShapedArray{a}, "the words of keys are u32 pairs along the last axis, got %v; make a key of a number with New", a.Full())
	}
	return Key{Data: lax.RandomWrap(words)}
}

// Words returns the two u32 words of the key, along a new last axis for an array of keys.
// Numbers cannot be drawn from them: see [Wrap].
func (k Key) Words() weft.Array { return lax.RandomUnwrap(k.data("Words")) }

// Split derives two new keys from k, which is used up.
func (k Key) Split() (Key, Key) {
	s := lax.RandomSplit(k.single("Split"), 2)
	return k.with(lax.IndexInDim(s, 0, 0, false)), k.with(lax.IndexInDim(s, 1, 0, false))
}

// SplitN derives an array of n new keys from k, which is used up. Take one with [Key.At], or pass
// all to a function under Vmap or Scan.
func (k Key) SplitN(n int) Key {
	if n < 0 {
		core.FailOp(core.ErrShape, "SplitN", nil, "cannot make %d keys; the number must not be negative", n)
	}
	return k.with(lax.RandomSplit(k.single("SplitN"), n))
}

// FoldIn derives a new key from k and a number: a Go integer from 0 to 2³²−1 or an integer array
// without axes, such as the number of a step. Of an array only the low 32 bits count. Different
// numbers make different keys; k is not used up.
func (k Key) FoldIn(data any) Key {
	key := k.single("FoldIn")
	if x, ok := data.(weft.Array); ok {
		present("FoldIn", x)
		a := x.Value().Aval()
		if !a.DType.IsInteger() || a.Rank() > 0 {
			core.FailOp(core.ErrDType, "FoldIn", []core.ShapedArray{a}, "takes an integer without axes, got %v; map over many with weft.Vmap", a.Full())
		}
		return k.with(lax.RandomFoldIn(key, lax.ConvertElementType(x, weft.Uint32)))
	}
	n, ok := integer(data)
	if !ok {
		core.FailOp(core.ErrDType, "FoldIn", nil, "takes a Go integer or an integer Array, got %T; convert it", data)
	}
	if !n.IsUint64() || n.Uint64() > 1<<32-1 {
		core.FailOp(core.ErrDType, "FoldIn", nil, "the number %v does not fit 32 bits without sign; fold in its halves one after the other", n)
	}
	return k.with(lax.RandomFoldIn(key, uint32(n.Uint64())))
}

// At returns the i-th of an array of keys, along its first axis; negative i count from the
// end.
func (k Key) At(i int) Key {
	x := k.data("At")
	if x.Rank() == 0 {
		core.FailOp(core.ErrIndex, "At", nil, "this is a single key; make many with SplitN")
	}
	if n := x.Dim(0); i < -n || i >= n {
		core.FailOp(core.ErrIndex, "At", nil, "there is no key %d among %d; they count from 0", i, n)
	}
	return k.with(lax.IndexInDim(x, i, 0, false))
}

// Clone returns a key that draws the same numbers. The check for reused keys treats it as a new
// key.
func (k Key) Clone() Key { return k.with(lax.RandomClone(k.data("Clone"))) }

// String returns the key's type and its two words; for an array of keys, the words of each.
func (k Key) String() string {
	if k.Data.IsZero() {
		return "key<none>"
	}
	if _, ok := k.Data.Value().(core.Tracer); ok || k.Data.DType() != core.Key { // a gradient has float0 in its place
		return k.Data.String()
	}
	words := k.Words()
	what := k.Data.Value().Aval().Full() + " "
	return what + strings.ReplaceAll(words.String(), "\n", "\n"+strings.Repeat(" ", len(what)))
}

func (k Key) with(x weft.Array) Key { return Key{x, k.as} }

// data returns the array of keys that k holds. It fails, naming op, if k is the zero Key or holds no keys.
func (k Key) data(op string) weft.Array {
	if k.Data.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "the zero Key draws nothing; make a key with random.New")
	}
	if a := k.Data.Value().Aval(); a.DType != core.Key {
		core.FailOp(core.ErrDType, op, []core.ShapedArray{a}, "a key has the type %v, this one holds %v; make keys with random.New, or of u32 words with random.Wrap", core.Key, a.Full())
	}
	return k.Data
}

// single returns the one key of k. It fails, naming op, if k is an array of keys.
func (k Key) single(op string) weft.Array {
	x := k.data(op)
	if a := x.Value().Aval(); a.Rank() > 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "takes a single key, this is an array of keys of shape %v; take one with At, or map over all with weft.Vmap", a.Shape)
	}
	return x
}

func pair(key weft.Array) (a, b weft.Array) {
	s := lax.RandomSplit(key, 2)
	return lax.IndexInDim(s, 0, 0, false), lax.IndexInDim(s, 1, 0, false)
}

func present(op string, x weft.Array) {
	if x.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "the zero Array has no value; make a key with random.New")
	}
}

func isArray(v any) (weft.Array, bool) {
	x, ok := v.(weft.Array)
	return x, ok
}

func kindOf(v any) reflect.Kind { return reflect.ValueOf(v).Kind() }
