package runtime

import (
	"context"
	goruntime "runtime"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/internal/test/race"
)

// Operands that an equation with programs is the last to read are used again after it: a loop of 300
// iterations, each of which makes 400 KB for such an equation, allocates a few of them.
func TestLastOperandsAreUsedAgain(t *testing.T) {
	const first = "f:f32[1] = slice[limit_indices=(1,) start_indices=(0,) strides=None] t; g:f32[] = reshape[dimensions=None new_sizes=() sharding=None] f"
	const below = "{ lambda ; k:i32[] d:f32[]. let p:bool[] = lt k 2:i32[] in (p,) }"
	for name, eqn := range map[string]string{
		"jit":                    "y:f32[] = jit[name=f jaxpr={ lambda ; t:f32[100000]. let " + first + " in (g,) }] t",
		"jit that does not read": "y:f32[] = jit[name=f jaxpr={ lambda ; t:f32[100000] d:f32[]. let h:f32[] = add d 1.0:f32[] in (h,) }] t s",
		"cond":                   "y:f32[] = cond[branches=({ lambda ; t:f32[100000]. let " + first + " in (g,) } { lambda ; t:f32[100000]. let in (2.0:f32[],) })] c t",
		"constants of a solve": "y:f32[] = custom_linear_solve[const_lengths=_LinearSolveTuple(matvec=1, vecmat=0, solve=0, transpose_solve=0) " +
			"jaxprs=_LinearSolveTuple(matvec={ lambda ; t:f32[100000] d:f32[]. let in (d,) }, vecmat=None, " +
			"solve={ lambda ; d:f32[]. let h:f32[] = add d 1.0:f32[] in (h,) }, transpose_solve=None)] t s",
		"constants of scan": "y:f32[] = scan[jaxpr={ lambda ; t:f32[100000] d:f32[]. let " + first +
			"; h:f32[] = add d g in (h,) } length=2 num_carry=1 num_consts=1 reverse=False unroll=1] t s",
		"rows of scan": "y:f32[] = scan[jaxpr={ lambda ; d:f32[] t:f32[]. let h:f32[] = add d t in (h,) } length=100000 num_carry=1 num_consts=0 reverse=False unroll=1] s t",
		"constants of while": "_:i32[] y:f32[] = while[body_jaxpr={ lambda ; t:f32[100000] k:i32[] d:f32[]. let " + first +
			"; l:i32[] = add k 1:i32[] in (l, g) } body_nconsts=1 cond_jaxpr=" + below + " cond_nconsts=0] t c s",
		"constants of the condition": "_:i32[] y:f32[] = while[body_jaxpr={ lambda ; k:i32[] d:f32[]. let l:i32[] = add k 1:i32[] in (l, d) } body_nconsts=0 cond_jaxpr={ lambda ; t:f32[100000] k:i32[] d:f32[]. let " +
			first + "; p:bool[] = lt g -1.0:f32[] in (p,) } cond_nconsts=1] t c s",
	} {
		iterations := "300:i32[]"
		if name == "rows of scan" {
			if race.Enabled {
				continue // a pool drops frames of its 3 million iterations at random
			}
			iterations = "30:i32[]"
		}
		p := newProgram(ircheck.Parse(t, `{ lambda ; n:i32[] a:f32[]. let
    _:i32[] b:f32[] = while[
      body_jaxpr={ lambda ; c:i32[] s:f32[]. let
          t:f32[100000] = broadcast_in_dim[broadcast_dimensions=() shape=(100000,) sharding=None] s
          `+eqn+`
          h:i32[] = add c 1:i32[]
        in (h, y) }
      body_nconsts=0
      cond_jaxpr={ lambda ; c:i32[] d:f32[]. let e:bool[] = lt c `+iterations+` in (e,) }
      cond_nconsts=0
    ] n a
  in (b,) }`))
		if last := newProgram(ircheck.Parse(t, "{ lambda ; t:f32[100000] c:i32[] s:f32[]. let "+eqn+" in (y,) }")).steps[0].last; last == nil || slices.Contains(last, -1) {
			t.Errorf("%s: the equation does not take over each operand", name)
		}
		var before, after goruntime.MemStats
		goruntime.ReadMemStats(&before)
		if err := p.Run(context.Background(), []*Array{New(core.Aval(core.Int32)), New(core.Aval(core.Float32))}, make([]*Array, 1)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		goruntime.ReadMemStats(&after)
		if n := after.TotalAlloc - before.TotalAlloc; n > 10*400_000 {
			t.Errorf("%s: got %d bytes allocated, want at most %d", name, n, 10*400_000)
		}
	}
}
