package ir

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/lower/scalar"
)

// The table of known operations is a stack of maps.
func TestKnownOps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var k knownOps
	type entry struct {
		in scalar.Inst
		r  Ref
	}
	var want []entry // in the order of their entry
	for i := range 20_000 {
		if r.IntN(50) == 0 {
			n := r.IntN(len(want) + 1)
			k.truncate(n)
			want = want[:n]
		}
		in := scalar.Inst{Op: scalar.Op(r.IntN(3)), Type: scalar.Type(r.IntN(3)), Args: [3]Ref{Ref(r.IntN(4)), Ref(r.IntN(4)), NoRef}, Imm: r.Uint64N(3)}
		at := slices.IndexFunc(want, func(e entry) bool { return e.in == in })
		got, ok := k.find(&in)
		if ok != (at >= 0) || ok && got != want[at].r {
			t.Fatalf("step %d: %v: got %v %v, want entry %d", i, in, got, ok, at)
		}
		if !ok {
			k.add(&in, Ref(i))
			want = append(want, entry{in, Ref(i)})
		}
	}
}
