package lower_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower"
)

// A chain of carries, each needed by the one before it, stays whole, whether it is followed to its end
// or is too long for that; a carry beside a short chain goes.
func TestDeadCarryBesideChain(t *testing.T) {
	for _, n := range []int{3, 7, 30} {
		var ins, eqns, outs, types []string
		for i := range n {
			ins = append(ins, fmt.Sprintf("c%d:f32[]", i))
			eqns = append(eqns, fmt.Sprintf("d%d:f32[] = sin c%d", i, (i+1)%n))
			outs = append(outs, fmt.Sprintf("d%d", i))
			types = append(types, fmt.Sprintf("r%d:f32[]", i))
		}
		text := fmt.Sprintf("{ lambda ; a:f32[]. let %s x:f32[] = scan[jaxpr={ lambda ; %s y:f32[]. let %s; z:f32[] = cos y in (%s, z) } length=3 num_carry=%d num_consts=0 reverse=False unroll=1] %s in (r0,) }",
			strings.Join(types, " "), strings.Join(ins, " "), strings.Join(eqns, "; "), strings.Join(outs, ", "), n+1, strings.Repeat("a ", n+1))
		out := lower.Program(parse(t, text)).String()
		carries := n
		if n == 30 {
			carries = n + 1
		}
		if want := fmt.Sprintf("num_carry=%d", carries); !strings.Contains(out, want) || strings.Count(out, " sin ") != n {
			t.Errorf("%d carries in a chain: want %s and %d sines:\n%s", n, want, n, out)
		}
	}
}
