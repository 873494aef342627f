package rng

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
)

// Threefry2x32P is the hash of 20 rounds of the Threefish cipher on two 32-bit
// words: operands are the key's two words and the counter's two, of u32, scalars
// and axes of size 1 spread; results are two words.
//
//	k₂ = k₀ ^ k₁ ^ 0x1BD11BDA, (a, b) = (x₀+k₀, x₁+k₁)
//	a round that rotates by r:  a += b;  b = rotl(b, r) ^ a
//	after group i of four rounds, r = 13 15 26 6 or 17 29 16 24 in turn:
//	  a += k[(i+1) mod 3];  b += k[(i+2) mod 3] + i + 1
type Threefry2x32P struct{}

// Threefry2x32 returns the hash of a counter under a key.
func Threefry2x32(k0, k1, x0, x1 core.Value) (y0, y1 core.Value) {
	out := core.Bind(Threefry2x32P{}, k0, k1, x0, x1)
	return out[0], out[1]
}

func (Threefry2x32P) Name() string { return "threefry2x32" }

func (Threefry2x32P) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 4)
	for _, a := range in {
		if a.DType != core.Uint32 {
			core.Failf(core.ErrDType, "takes u32 words, got %v; convert them", a.Full())
		}
	}
	w := core.ShapedArray{Shape: rule.SpreadShapes(in), DType: core.Uint32}
	return []core.ShapedArray{w, w}
}

func (Threefry2x32P) ZeroJVP() {}

func (Threefry2x32P) Elementwise() {}

// Expand returns the cipher in arithmetic of u32.
func (Threefry2x32P) Expand(in []core.Value) []core.Value {
	word := func(n uint32) core.Value { return core.Lit(core.UintNumber(uint64(n)), core.Uint32) }
	k := [3]core.Value{in[0], in[1], prim.Xor(prim.Xor(in[0], in[1]), word(0x1BD11BDA))}
	a, b := prim.Add(in[2], k[0]), prim.Add(in[3], k[1])
	rotations := [2][4]uint32{{13, 15, 26, 6}, {17, 29, 16, 24}}
	for i := range 5 {
		for _, r := range rotations[i%2] {
			a = prim.Add(a, b)
			b = prim.Xor(prim.Or(prim.ShiftLeft(b, word(r)), prim.ShiftRightLogical(b, word(32-r))), a)
		}
		a = prim.Add(a, k[(i+1)%3])
		b = prim.Add(b, prim.Add(k[(i+2)%3], word(uint32(i+1))))
	}
	return []core.Value{a, b}
}

func keyWords(key core.Value) (k0, k1 core.Value) {
	threefryKeys(key.Aval().DType)
	w := prim.RandomUnwrap(key)
	n := w.Aval().Rank() - 1
	half := func(i int) core.Value {
		lo, hi := make([]int, n+1), w.Aval().Shape.Ints()
		lo[n], hi[n] = i, i+1
		return prim.Squeeze(prim.Slice(w, core.MakeDims(lo...), core.MakeDims(hi...), core.Dims{}), core.MakeDims(n))
	}
	return half(0), half(1)
}

// threefryKeys refuses keys of other kinds: operations on them have no expansion.
func threefryKeys(dt core.DType) {
	if dt != core.Key {
		core.Failf(core.ErrNoRule, "keys of type %v cannot be expanded (want %v); evaluate the program instead", dt, core.Key)
	}
}

func newKey(k0, k1 core.Value) core.Value {
	return prim.RandomWrap(prim.Stack(k0.Aval().Rank(), k0, k1))
}

// hashes returns T(k; n) for each key and each row-major index n of the shape: two
// words of shape (keys' shape, shape).
func hashes(key core.Value, shape core.Dims) (y0, y1 core.Value) {
	k0, k1 := keyWords(key)
	s := key.Aval().Shape
	full := s.Append(shape.Ints()...)
	k0 = prim.BroadcastInDim(k0, full, core.Range(0, s.Len()))
	k1 = prim.BroadcastInDim(k1, full, core.Range(0, s.Len()))
	n := shape.Size()
	lay := func(v core.Value) core.Value {
		return prim.BroadcastInDim(prim.Reshape(v, shape), full, core.Range(s.Len(), full.Len()))
	}
	if int64(n) <= 1<<32 {
		zero := core.Lit(core.UintNumber(0), core.Uint32)
		return Threefry2x32(k0, k1, prim.BroadcastInDim(zero, full, core.Dims{}), lay(prim.Iota(core.Uint32, core.MakeDims(n), 0)))
	}
	count := prim.Iota(core.Uint64, core.MakeDims(n), 0)
	hi := prim.Convert(prim.ShiftRightLogical(count, prim.Num(count.Aval().WithShape(core.Dims{}), 32)), core.Uint32, false)
	return Threefry2x32(k0, k1, lay(hi), lay(prim.Convert(count, core.Uint32, false)))
}

func (p RandomSeedP) Expand(in []core.Value) []core.Value {
	threefryKeys(rule.KeyKinds[p.Kind])
	seed := in[0]
	a := seed.Aval()
	lo := prim.Convert(seed, core.Uint32, false)
	if a.DType.Bits() <= 32 {
		return rule.One(newKey(prim.Zeros(lo.Aval()), lo))
	}
	hi := prim.ShiftRightLogical(seed, prim.Num(a.WithShape(core.Dims{}), 32))
	return rule.One(newKey(prim.Convert(hi, core.Uint32, false), lo))
}

func (p RandomSplitP) Expand(in []core.Value) []core.Value {
	return rule.One(newKey(hashes(in[0], p.Shape)))
}

func (RandomFoldInP) Expand(in []core.Value) []core.Value {
	k0, k1 := keyWords(in[0])
	zero := core.Lit(core.UintNumber(0), core.Uint32)
	return rule.One(newKey(Threefry2x32(k0, k1, zero, in[1])))
}

func (p RandomBitsP) Expand(in []core.Value) []core.Value {
	y0, y1 := hashes(in[0], p.Shape)
	if p.BitWidth == 64 {
		y0, y1 = prim.Convert(y0, core.Uint64, false), prim.Convert(y1, core.Uint64, false)
		return rule.One(prim.Or(prim.ShiftLeft(y0, core.Lit(core.UintNumber(32), core.Uint64)), y1))
	}
	bits := prim.Xor(y0, y1)
	if p.BitWidth < 32 {
		bits = prim.Convert(bits, p.dtype(), false)
	}
	return rule.One(bits)
}

func (RandomCloneP) Expand(in []core.Value) []core.Value { return rule.One(in[0]) }
