package rng

import (
	"slices"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// RNGBitGeneratorP draws unsigned integers from a state: its results are the state after the last
// number and the numbers. The state is the 64-bit words of a key and a counter, u64[2] or u32[4]
// with the low half of each first. The numbers are those of XLA on CPUs: see [RandomWords].
type RNGBitGeneratorP struct {
	Algorithm string // one of RandomAlgorithms
	DType     core.DType
	Shape     core.Dims
}

// The algorithms of RNGBitGeneratorP: threefry2x32 and Philox4x32 of 10 rounds, which is the
// default.
const (
	ThreeFry = "THREE_FRY"
	Philox   = "PHILOX"
	Default  = "DEFAULT"
)

// RandomAlgorithms are the algorithms that [RandomWords] draws with.
var RandomAlgorithms = []string{ThreeFry, Philox, Default}

func (RNGBitGeneratorP) Name() string { return "rng_bit_generator" }

func (RNGBitGeneratorP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("algorithm", "RNG_DEFAULT", "RNG_THREE_FRY", "RNG_PHILOX")
	r.MustBe("out_sharding", "None")
	return RNGBitGeneratorP{r.Text("algorithm")[len("RNG_"):], r.DType("dtype"), r.Dims("shape")}
}

func (p RNGBitGeneratorP) Params() []core.Param {
	return []core.Param{rule.Param("algorithm", "RNG_"+p.Algorithm), rule.Param("dtype", p.DType.Long()), rule.Param("out_sharding", "None"), rule.Param("shape", p.Shape)}
}

func (p RNGBitGeneratorP) Abstract(in []core.ShapedArray) []core.ShapedArray {
	rule.Operands(in, 1)
	if s := in[0]; s.Rank() != 1 || !(s.DType == core.Uint32 && s.Size() == 4 || s.DType == core.Uint64 && s.Size() == 2) {
		core.Failf(core.ErrShape, "the state must be u32[4] or u64[2] (got %v); convert it", s.Full())
	}
	if !slices.Contains(RandomAlgorithms, p.Algorithm) {
		core.Failf(core.ErrStatic, "unknown algorithm %q; use one of %q", p.Algorithm, RandomAlgorithms)
	}
	if !slices.Contains([]core.DType{core.Uint8, core.Uint16, core.Uint32, core.Uint64}, p.DType) {
		core.Failf(core.ErrDType, "the numbers must be u8, u16, u32 or u64 (got %v); convert them afterwards", p.DType)
	}
	if p.Shape.Size() < 0 {
		core.Failf(core.ErrShape, "shape %v has a negative size or too many elements; use smaller sizes", p.Shape)
	}
	return []core.ShapedArray{in[0].Strong(), {Shape: p.Shape, DType: p.DType}}
}

func (RNGBitGeneratorP) ZeroJVP() {}

// Batch draws the numbers of all states from the first one, in one call of the generator, and
// replaces that state alone, as JAX does. The numbers of a batch are therefore not those of a
// loop over the states.
func (p RNGBitGeneratorP) Batch(n int, in []core.Value, _ []bool) ([]core.Value, []bool) {
	p.Shape = p.Shape.Prepend(n)
	if n == 0 {
		return []core.Value{in[0], prim.BroadcastInDim(core.Lit(core.UintNumber(0), p.DType), p.Shape, core.Dims{})}, []bool{true, true}
	}
	words := in[0].Aval().Shape.At(1)
	first := prim.Slice(in[0], core.MakeDims(0, 0), core.MakeDims(1, words), core.Dims{})
	drawn := core.Bind(p, prim.Reshape(first, core.MakeDims(words)))
	others := prim.Slice(in[0], core.MakeDims(1, 0), core.MakeDims(n, words), core.Dims{})
	next := prim.Concatenate(0, prim.Reshape(drawn[0], core.MakeDims(1, words)), others)
	return []core.Value{next, drawn[1]}, []bool{true, true}
}

// Expand hashes counters in arithmetic of u32 and u64.
func (p RNGBitGeneratorP) Expand(in []core.Value) []core.Value {
	out := core.ShapedArray{Shape: p.Shape, DType: p.DType}
	state := in[0].Aval()
	if state.DType == core.Uint64 {
		next, bits := RandomWords(in[0], p.Algorithm, out)
		return []core.Value{next, bits}
	}
	next, bits := RandomWords(joinWords(in[0]), p.Algorithm, out)
	column := core.MakeDims(state.Rank())
	lo, hi := splitWords(next)
	return []core.Value{prim.Reshape(prim.Concatenate(state.Rank(), prim.ExpandDims(lo, column), prim.ExpandDims(hi, column)), state.Shape), bits}
}

// RandomWords draws unsigned integers of type out from each state of u64 along the last axis: the
// key, then the counter of one word, or for Philox of two. The results are the states after the
// last numbers, and the numbers, after the axes of the states.
//
// ThreeFry hashes a counter for each number of 64 bits, and one for each two of fewer bits: these
// are neighbours along the first axis of even size, or along the longest one if no size is even.
// Philox makes four words of 32 bits of each counter of 128 bits, in row-major order; the counter's
// upper half is the key if the state has none. Numbers of 8 and 16 bits are the low bits of a word.
func RandomWords(state core.Value, algorithm string, out core.ShapedArray) (next, bits core.Value) {
	d := drawing{lead: state.Aval().Shape.Slice(0, state.Aval().Rank()-1)}
	at := func(k int) core.Value { return alongLast(state, k) }
	states := []core.Value{at(0), at(1)}
	wide := out.DType == core.Uint64
	if algorithm == ThreeFry {
		var counted int
		bits, counted = d.threefry(at(0), at(1), out.Shape, wide)
		states[1] = prim.Add(at(1), word64(counted))
	} else {
		hi := at(0)
		if state.Aval().Shape.At(-1) == 3 {
			hi = at(2)
			states = append(states, hi)
		}
		n := out.Size()
		if wide {
			n *= 2
		}
		var nextHi core.Value
		bits, states[1], nextHi = d.philox(at(0), at(1), hi, n)
		if len(states) == 3 {
			states[2] = nextHi
		}
		if wide {
			bits = joinWords(bits)
		}
		bits = prim.Reshape(bits, d.shape(out.Shape.Ints()...))
	}
	k := core.MakeDims(d.lead.Len())
	for i, w := range states {
		states[i] = prim.ExpandDims(w, k)
	}
	return prim.Concatenate(d.lead.Len(), states...), prim.Convert(bits, out.DType, false)
}

func alongLast(x core.Value, k int) core.Value {
	s := x.Aval().Shape
	from, to := make([]int, s.Len()), s.Ints()
	from[s.Len()-1], to[s.Len()-1] = k, k+1
	return prim.Reshape(prim.Slice(x, core.MakeDims(from...), core.MakeDims(to...), core.Dims{}), s.Slice(0, s.Len()-1))
}

// firstAlong returns the elements whose index along each axis is below limit's.
func firstAlong(x core.Value, limit core.Dims) core.Value {
	return prim.Slice(x, core.MakeDims(make([]int, limit.Len())...), limit, core.Dims{})
}

// A drawing draws from an array of states of shape lead.
type drawing struct{ lead core.Dims }

func (d drawing) shape(dims ...int) core.Dims { return d.lead.Append(dims...) }

// spread repeats a word of each state over further axes, after those of the states.
func (d drawing) spread(x core.Value, dims ...int) core.Value {
	return prim.BroadcastInDim(x, d.shape(dims...), core.Range(0, d.lead.Len()))
}

func (d drawing) iota(n int) core.Value { return prim.Iota(core.Uint64, d.shape(n), d.lead.Len()) }

func word64(n int) core.Value { return core.Lit(core.UintNumber(uint64(n)), core.Uint64) }

func splitWords(x core.Value) (lo, hi core.Value) {
	return prim.Convert(x, core.Uint32, false), prim.Convert(prim.ShiftRightLogical(x, prim.Num(x.Aval(), 32)), core.Uint32, false)
}

func wideWords(lo, hi core.Value) core.Value {
	hi = prim.Convert(hi, core.Uint64, false)
	return prim.Or(prim.Convert(lo, core.Uint64, false), prim.ShiftLeft(hi, prim.Num(hi.Aval(), 32)))
}

// joinWords joins neighbours along the last axis, the low word first.
func joinWords(x core.Value) core.Value {
	s := x.Aval().Shape
	pairs := prim.Reshape(x, s.Slice(0, s.Len()-1).Append(s.At(-1)/2, 2))
	return wideWords(alongLast(pairs, 0), alongLast(pairs, 1))
}

// threefry hashes counters from counter on; n is their number.
func (d drawing) threefry(key, counter core.Value, shape core.Dims, wide bool) (bits core.Value, n int) {
	hash := func(dims ...int) (lo, hi core.Value) {
		n = core.MakeDims(dims...).Size()
		count := prim.Add(d.iota(n), d.spread(counter, n))
		c0, c1 := splitWords(prim.Reshape(count, d.shape(dims...)))
		k0, k1 := splitWords(d.spread(key, dims...))
		return Threefry2x32(k0, k1, c0, c1)
	}
	if wide {
		return wideWords(hash(shape.Ints()...)), n
	}
	if shape.Len() == 0 {
		lo, _ := hash()
		return lo, n
	}
	axis := slices.IndexFunc(shape.Ints(), func(k int) bool { return k%2 == 0 })
	if axis < 0 {
		axis = 0
		for i, k := range shape.All() {
			if k > shape.At(axis) {
				axis = i
			}
		}
	}
	half := shape.Ints()
	half[axis] = (half[axis] + 1) / 2
	lo, hi := hash(half...)
	behind := d.lead.Len() + axis + 1
	pairs := prim.Concatenate(behind, prim.ExpandDims(lo, core.MakeDims(behind)), prim.ExpandDims(hi, core.MakeDims(behind)))
	half[axis] *= 2
	return firstAlong(prim.Reshape(pairs, d.shape(half...)), d.shape(shape.Ints()...)), n
}

func (d drawing) philox(key, lo, hi core.Value, n int) (bits, nextLo, nextHi core.Value) {
	blocks := (n + 3) / 4
	after := func(steps, lo, hi core.Value) (core.Value, core.Value) {
		sum := prim.Add(lo, steps)
		return sum, prim.Add(hi, prim.Convert(prim.Lt(sum, lo), core.Uint64, false))
	}
	cl, ch := after(d.iota(blocks), d.spread(lo, blocks), d.spread(hi, blocks))
	nextLo, nextHi = after(word64(blocks), lo, hi)
	k0, k1 := splitWords(d.spread(key, blocks))
	c0, c1 := splitWords(cl)
	c2, c3 := splitWords(ch)
	words := core.Bind(Philox4x32P{}, k0, k1, c0, c1, c2, c3)
	k := d.lead.Len() + 1
	for i, w := range words {
		words[i] = prim.ExpandDims(w, core.MakeDims(k))
	}
	bits = prim.Reshape(prim.Concatenate(k, words...), d.shape(4*blocks))
	return firstAlong(bits, d.shape(n)), nextLo, nextHi
}
