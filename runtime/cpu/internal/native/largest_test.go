//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"math/rand/v2"
	"testing"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// Each lane has the largest of its magnitudes and of what it had; lanes behind a vector stay.
func TestLargest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 16))
	gs := newGuarded(t, 1<<12)
	for _, isa := range targets(t) {
		lanes := isa.Model().VectorBytes / 4
		for _, e := range []schedule.Element{schedule.F32, schedule.F64} {
			size := e.Size()
			code := loadMicro(t, codegen.Largest{Size: size}, isa)
			for count := 1; count <= 70; count++ {
				s := matrix{gs.at(count*size, r.IntN(2) == 0), size}
				s.fill(r, e, r.IntN(3) == 0)
				args := codegen.LargestArgs{Src: s.address(), Count: uint64(count)}
				for i := range args.Out {
					args.Out[i] = r.Uint32() >> (1 + r.IntN(31))
				}
				want := args.Out
				for i := range count {
					lane := (i*size/4 + size/4 - 1) % lanes // of an element's upper half
					want[lane] = max(want[lane], uint32(s.get(i)>>(8*size-32))&0x7fffffff)
				}
				invokeMicro(t, code, &args)
				if args.Out != want {
					t.Fatalf("%v %s: %d elements: got %x, want %x", isa, code.Name(), count, args.Out, want)
				}
			}
		}
	}
}
