//go:build linux

package cpu_test

import (
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime"
)

// guarded is memory between pages that must not be touched.
type guarded struct{ mem []byte }

func newGuarded(t testing.TB, most int) *guarded {
	const page = 4096
	n := (most+page-1)/page*page + 2*page
	m, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range [][]byte{m[:page], m[n-page:]} {
		if err := unix.Mprotect(p, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = unix.Munmap(m) })
	return &guarded{m[page : n-page]}
}

// array returns an array of type t that ends at a guard page or begins behind one.
func (g *guarded) array(t core.ShapedArray, end bool) *runtime.Array {
	n := t.Size() * t.DType.Size()
	b := g.mem[:n:n]
	if end {
		b = g.mem[len(g.mem)-n:]
	}
	return runtime.Made(t, b, nil)
}

// fill draws elements; some floats are not finite if special is set.
func fill(r *rand.Rand, a *runtime.Array, special bool) {
	t, data := a.Aval(), a.Tensor().Data
	size := t.DType.Size()
	for i := range t.Size() {
		at := data[i*size:]
		x := r.NormFloat64()
		if special && r.IntN(16) == 0 {
			x = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), 1e-40, 3e38}[r.IntN(7)]
		}
		switch {
		case t.DType == core.Bool:
			at[0] = byte(r.IntN(2))
		case t.DType.IsInteger():
			elem.Put(at, core.IntNumber(int64(r.Uint64())), t.DType)
		case t.DType.IsComplex():
			elem.Put(at, core.ComplexNumber(complex(x, r.NormFloat64())), t.DType)
		default:
			elem.Put(at, core.FloatNumber(x), t.DType)
		}
	}
}

// rounds returns how many cases a fuzz test runs: the number in the environment variable
// WEFT_FUZZ_ROUNDS, else few, of which a quarter under the race detector.
func rounds(few int) int {
	if n, err := strconv.Atoi(os.Getenv("WEFT_FUZZ_ROUNDS")); err == nil && n > 0 {
		return n
	}
	return race.Few(few)
}
