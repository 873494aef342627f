package transforms_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/rng"
)

// A batch of rng_bit_generator is one draw from its first state, the only one that advances. The
// states and the numbers are those of jax.vmap of lax.rng_bit_generator (JAX 0.10.2), over states
// that count from 1.
func TestBatchOfGenerator(t *testing.T) {
	type drawn struct{ State, Bits weft.Array }
	for _, c := range []struct {
		algorithm               string
		states, numbers         string // of a batch of 3
		twiceStates, twiceDrawn string // of a batch of 2 batches of 2
	}{
		{
			rng.ThreeFry, "[1 2 6 4 5 6 7 8 9 10 11 12]", "[1576285164 2249660814 740599976 2425682526 2436392515 1497962777]",
			"[1 2 7 4 5 6 7 8 9 10 11 12 13 14 15 16]", "[1576285164 740599976 2436392515 1335360347 2249660814 2425682526 1497962777 2260235687]",
		},
		{
			rng.Philox, "[1 2 5 4 5 6 7 8 9 10 11 12]", "[512747620 1298009047 1267190206 761827841 1383286907 1639995030]",
			"[1 2 5 4 5 6 7 8 9 10 11 12 13 14 15 16]", "[512747620 1298009047 1267190206 761827841 1383286907 1639995030 2756207988 2154813423]",
		},
	} {
		draw := func(state weft.Array) drawn {
			outs := core.Bind(rng.RNGBitGeneratorP{Algorithm: c.algorithm, DType: core.Uint32, Shape: core.MakeDims(2)}, state.Value())
			return drawn{weft.FromValue(outs[0]), weft.FromValue(outs[1])}
		}
		states := func(dims ...int) weft.Array {
			return weft.Arange(1, 1+4*dims[0]*dims[1]).AsType(weft.Uint32).Reshape(append(dims, 4)...)
		}
		check := func(what string, got drawn, state, bits string) {
			for _, x := range []struct {
				got  weft.Array
				want string
			}{{got.State, state}, {got.Bits, bits}} {
				if text := fmt.Sprint(weft.ToSlice[uint32](x.got)); text != x.want {
					t.Errorf("%s, %s: got %s, want %s", c.algorithm, what, text, x.want)
				}
			}
		}
		three := states(1, 3).Reshape(3, 4)
		for how, f := range map[string]func(weft.Array) drawn{"eager": weft.Vmap(draw), "jit": weft.Jit(weft.Vmap(draw))} {
			check(how, f(three), c.states, c.numbers)
		}
		check("along axis 1", weft.Vmap(draw, weft.In(1))(three.T()), c.states, c.numbers)
		check("of batches", weft.Vmap(weft.Vmap(draw))(states(2, 2)), c.twiceStates, c.twiceDrawn)
	}
}
