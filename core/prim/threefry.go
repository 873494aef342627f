package prim

import "github.com/weft-go/weft/core"

// Threefry2x32P is the hash of 20 rounds of the Threefish cipher on two 32-bit
// words: operands are the key's two words and the counter's two, of u32, scalars
// and axes of size 1 spread; results are two words.
//
//	k₂ = k₀ ^ k₁ ^ 0x1BD11BDA, (a, b) = (x₀+k₀, x₁+k₁)
//	round r:  a += b;  b = rotl(b, r) ^ a
//	group i of four rounds, r = 13 15 26 6 or 17 29 16 24 in turn:
//	  a += k[(i+1) mod 3];  b += k[(i+2) mod 3] + i + 1
type Threefry2x32P struct{}

// Threefry2x32 returns the hash of a counter under a key.
func Threefry2x32(k0, k1, x0, x1 Value) (y0, y1 Value) {
	out := core.Bind(Threefry2x32P{}, k0, k1, x0, x1)
	return out[0], out[1]
}

func (Threefry2x32P) Name() string { return "threefry2x32" }

func (Threefry2x32P) Abstract(in []ShapedArray) []ShapedArray {
	operands(in, 4)
	for _, a := range in {
		if a.DType != core.Uint32 {
			core.Failf(core.ErrDType, "takes u32 words, got %v; convert them", a.Full())
		}
	}
	w := ShapedArray{Shape: spreadShapes(in), DType: core.Uint32}
	return []ShapedArray{w, w}
}

func (Threefry2x32P) ZeroJVP() {}

func (Threefry2x32P) Elementwise() {}

// Expand returns the cipher in arithmetic of u32.
func (Threefry2x32P) Expand(in []Value) []Value {
	word := func(n uint32) Value { return core.Lit(core.UintNumber(uint64(n)), core.Uint32) }
	k := [3]Value{in[0], in[1], Xor(Xor(in[0], in[1]), word(0x1BD11BDA))}
	a, b := Add(in[2], k[0]), Add(in[3], k[1])
	rotations := [2][4]uint32{{13, 15, 26, 6}, {17, 29, 16, 24}}
	for i := range 5 {
		for _, r := range rotations[i%2] {
			a = Add(a, b)
			b = Xor(Or(ShiftLeft(b, word(r)), ShiftRightLogical(b, word(32-r))), a)
		}
		a = Add(a, k[(i+1)%3])
		b = Add(b, Add(k[(i+2)%3], word(uint32(i+1))))
	}
	return []Value{a, b}
}

// keyWords returns the two words of each key, of the keys' shape.
func keyWords(key Value) (k0, k1 Value) {
	threefryKeys(key.Aval().DType)
	w := RandomUnwrap(key)
	n := w.Aval().Rank() - 1
	half := func(i int) Value {
		lo, hi := make([]int, n+1), w.Aval().Shape.Ints()
		lo[n], hi[n] = i, i+1
		return Squeeze(Slice(w, core.MakeDims(lo...), core.MakeDims(hi...), core.Dims{}), core.MakeDims(n))
	}
	return half(0), half(1)
}

// threefryKeys refuses keys of other kinds: their bits are computed by kernels only.
func threefryKeys(dt core.DType) {
	if dt != core.Key {
		core.Failf(core.ErrNoRule, "keys of type %v cannot be expanded (want %v); evaluate the program instead", dt, core.Key)
	}
}

// newKey returns a key of two words.
func newKey(k0, k1 Value) Value { return RandomWrap(Stack(k0.Aval().Rank(), k0, k1)) }

// hashes returns T(k; n) for each key and each row-major index n of the shape: two
// words of shape (keys' shape, shape).
func hashes(key Value, shape core.Dims) (y0, y1 Value) {
	k0, k1 := keyWords(key)
	s := key.Aval().Shape
	full := s.Append(shape.Ints()...)
	k0 = BroadcastInDim(k0, full, core.Range(0, s.Len()))
	k1 = BroadcastInDim(k1, full, core.Range(0, s.Len()))
	n := shape.Size()
	lay := func(v Value) Value {
		return BroadcastInDim(Reshape(v, shape), full, core.Range(s.Len(), full.Len()))
	}
	if int64(n) <= 1<<32 {
		zero := core.Lit(core.UintNumber(0), core.Uint32)
		return Threefry2x32(k0, k1, BroadcastInDim(zero, full, core.Dims{}), lay(Iota(core.Uint32, core.MakeDims(n), 0)))
	}
	count := Iota(core.Uint64, core.MakeDims(n), 0)
	hi := Convert(ShiftRightLogical(count, Num(count.Aval().WithShape(core.Dims{}), 32)), core.Uint32, false)
	return Threefry2x32(k0, k1, lay(hi), lay(Convert(count, core.Uint32, false)))
}

func (p RandomSeedP) Expand(in []Value) []Value {
	threefryKeys(keyKinds[p.Kind])
	seed := in[0]
	a := seed.Aval()
	lo := Convert(seed, core.Uint32, false)
	if a.DType.Bits() <= 32 {
		return one(newKey(Zeros(lo.Aval()), lo))
	}
	hi := ShiftRightLogical(seed, Num(a.WithShape(core.Dims{}), 32))
	return one(newKey(Convert(hi, core.Uint32, false), lo))
}

func (p RandomSplitP) Expand(in []Value) []Value { return one(newKey(hashes(in[0], p.Shape))) }

func (RandomFoldInP) Expand(in []Value) []Value {
	k0, k1 := keyWords(in[0])
	zero := core.Lit(core.UintNumber(0), core.Uint32)
	return one(newKey(Threefry2x32(k0, k1, zero, in[1])))
}

// Expand hashes the counters and takes the requested bits.
func (p RandomBitsP) Expand(in []Value) []Value {
	y0, y1 := hashes(in[0], p.Shape)
	if p.BitWidth == 64 {
		y0, y1 = Convert(y0, core.Uint64, false), Convert(y1, core.Uint64, false)
		return one(Or(ShiftLeft(y0, core.Lit(core.UintNumber(32), core.Uint64)), y1))
	}
	bits := Xor(y0, y1)
	if p.BitWidth < 32 {
		bits = Convert(bits, p.dtype(), false)
	}
	return one(bits)
}

func (RandomCloneP) Expand(in []Value) []Value { return one(in[0]) }
