package prim_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// The hashes return the words of Random123's known answers; the operands are those of JAX's text: the key, then the
// counter.
func TestHashesKnownAnswers(t *testing.T) {
	for text, want := range map[string][]uint32{
		`{ lambda ; . let
		a:u32[] b:u32[] c:u32[] d:u32[] = threefry4x32 0:u32[] 0:u32[] 0:u32[] 0:u32[] 0:u32[] 0:u32[] 0:u32[] 0:u32[]
		in (a, b, c, d) }`: {0x9c6ca96a, 0xe17eae66, 0xfc10ecd4, 0x5256a7d8},
		`{ lambda ; . let
		a:u32[] b:u32[] c:u32[] d:u32[] = threefry4x32 4294967295:u32[] 4294967295:u32[] 4294967295:u32[] 4294967295:u32[] 4294967295:u32[] 4294967295:u32[] 4294967295:u32[] 4294967295:u32[]
		in (a, b, c, d) }`: {0x2a881696, 0x57012287, 0xf6c7446e, 0xa16a6732},
		`{ lambda ; . let
		a:u32[] b:u32[] c:u32[] d:u32[] = threefry4x32 2752067618:u32[] 698298832:u32[] 137296536:u32[] 3964562569:u32[] 608135816:u32[] 2242054355:u32[] 320440878:u32[] 57701188:u32[]
		in (a, b, c, d) }`: {0x59cd1dbb, 0xb8879579, 0x86b5d00c, 0xac8b6d84},
		`{ lambda ; . let
		a:u32[] b:u32[] = philox2x32 320440878:u32[] 608135816:u32[] 2242054355:u32[]
		in (a, b) }`: {0xdd7ce038, 0xf62a4c12},
		`{ lambda ; . let
		a:u32[] b:u32[] c:u32[] d:u32[] = philox4x32 2752067618:u32[] 698298832:u32[] 608135816:u32[] 2242054355:u32[] 320440878:u32[] 57701188:u32[]
		in (a, b, c, d) }`: {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
	} {
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		require.NoError(t, err)
		for i, v := range jaxpr.Eval(j, nil, nil) {
			require.Equal(t, want[i], reference.View[uint32](v.(*runtime.Array).Tensor())[0], "word %d", i)
		}
	}
}

// The Go functions return the words of the operations, also Random123's known answers.
func TestPhiloxFunctions(t *testing.T) {
	a, b := rng.Philox2x32(320440878, 608135816, 2242054355)
	require.Equal(t, [2]uint32{0xdd7ce038, 0xf62a4c12}, [2]uint32{a, b})
	require.Equal(t, [4]uint32{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1},
		rng.Philox4x32(2752067618, 698298832, [4]uint32{608135816, 2242054355, 320440878, 57701188}))
	r := rand.New(rand.NewPCG(1, 2))
	words := func(p core.Primitive, in ...uint32) (out []uint32) {
		var vs []core.Value
		for _, w := range in {
			vs = append(vs, core.Lit(core.UintNumber(uint64(w)), core.Uint32))
		}
		for _, v := range core.Bind(p, vs...) {
			out = append(out, reference.View[uint32](v.(*runtime.Array).Tensor())[0])
		}
		return out
	}
	for range 50 {
		var w [6]uint32
		for i := range w {
			w[i] = r.Uint32()
		}
		a, b := rng.Philox2x32(w[0], w[1], w[2])
		require.Equal(t, words(rng.Philox2x32P{}, w[:3]...), []uint32{a, b})
		x := rng.Philox4x32(w[0], w[1], [4]uint32(w[2:]))
		require.Equal(t, words(rng.Philox4x32P{}, w[:]...), x[:])
	}
}

// Windows of elements may be gathered from an axis without elements where there are none to gather.
func TestGatherNothingFromNothing(t *testing.T) {
	rows := indexed.GatherP{CollapsedSliceDims: core.MakeDims(0), StartIndexMap: core.MakeDims(0), SliceSizes: core.MakeDims(1)}
	x, none := runtime.New(core.Aval(core.Float32, 0)), runtime.New(core.Aval(core.Uint32, 0, 1))
	y := core.Bind(rows, x, none)[0]
	require.Equal(t, "f32[0]", y.Aval().String())
	require.Error(t, core.Catch(func() { core.Bind(rows, x, runtime.New(core.Aval(core.Uint32, 2, 1))) }))
}

// A batch of no states has no numbers and returns no states.
func TestGeneratorOfNoStates(t *testing.T) {
	p := rng.RNGBitGeneratorP{Algorithm: rng.Philox, DType: core.Uint8, Shape: core.MakeDims(3)}
	out, mapped := p.Batch(0, []core.Value{runtime.New(core.Aval(core.Uint32, 0, 4))}, []bool{true})
	require.Equal(t, []bool{true, true}, mapped)
	require.Equal(t, "u32[0,4]", out[0].Aval().String())
	require.Equal(t, "u8[0,3]", out[1].Aval().String())
}
