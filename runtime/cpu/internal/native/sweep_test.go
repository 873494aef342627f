//go:build ((linux && (amd64 || arm64)) || js) && !purego

package native_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/lower/schedule"
)

// Products of a row with a matrix have the canonical order's bits and touch nothing else.
func TestSweep(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 16))
	gx, gb, gc, gs := newGuarded(t, 1<<14), newGuarded(t, 1<<18), newGuarded(t, 1<<12), newGuarded(t, 1<<12)
	for _, isa := range targets(t) {
		for _, e := range []schedule.Element{schedule.F32, schedule.F64} {
			code := loadMicro(t, codegen.Sweep{Elem: e}, isa)
			size := e.Size()
			for vecs := 1; vecs <= 9; vecs++ {
				for k := 1; k <= 13; k++ {
					n := vecs * isa.Model().VectorBytes / size
					step, ldb := 1+r.IntN(3), n+r.IntN(3)
					end := r.IntN(2) == 0
					x := matrix{gx.at(((k-1)*step+1)*size, end), size}
					b := matrix{gb.at(((k-1)*ldb+n)*size, end), size}
					c := matrix{gc.at(n*size, end), size}
					sums := matrix{gs.at(n*size, end), size}
					special := r.IntN(3) == 0
					for _, m := range []matrix{x, b, c, sums} {
						m.fill(r, e, special)
					}
					flags := uint64(r.IntN(4))
					final := flags&codegen.Final != 0
					want := matrix{bytes.Clone(c.mem), size}
					for j := range n {
						before := uint64(0)
						if flags&codegen.Accumulate != 0 {
							before = want.get(j)
						}
						want.set(j, chain(e, k, k, func(i int) uint64 { return x.get(i * step) }, func(i int) uint64 { return b.get(i*ldb + j) }, before, final))
					}
					invokeMicro(t, code, &codegen.SweepArgs{X: x.address(), B: b.address(), C: c.address(), Sums: sums.address(),
						StepX: uint64(step * size), LdB: uint64(ldb * size), Bytes: uint64(n * size), K: uint64(k), Flags: flags})
					for j := range n {
						if g, v := c.get(j), want.get(j); g != v && (final || !bothNaN(e, g, v)) {
							t.Fatalf("%v %s: k %d, n %d, flags %d: element %d: got %x, want %x", isa, code.Name(), k, n, flags, j, g, v)
						}
					}
				}
			}
		}
	}
}
