package irpass_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/irpass"
)

// Quotients of constants by large numbers have the same bits where they are computed in units of the least subnormal
// number: also those in the middle of two units, and by infinities and NaNs.
func TestReciprocals(t *testing.T) {
	const n = 4096
	r := rand.New(rand.NewPCG(7, 8))
	for _, c := range []float32{1, 0x1p-24, 0.3, 2.5, 3.9999998, 0x1.8p-64} {
		text := fmt.Sprintf(`kernel k(in b0 f32[%[1]d], out b1 f32[%[1]d]) {
  %%0 = const f32 %#[2]x
  vector a0<%[1]d {
    %%1 = load f32 b0[a0<%[1]d]
    %%2 = div f32 %%0, %%1
    %%3 = canon f32 %%2
    store b1[a0<%[1]d], %%3
  }
}`, n, math.Float32bits(c))
		k := parsed(t, text)
		q := irpass.Reciprocals(k)
		if !strings.Contains(q.String(), "rare") {
			t.Errorf("%v is not rewritten: %v", c, q)
		}
		if k := parsed(t, strings.Replace(text, "div", "mul", 1)); irpass.Reciprocals(k) != k {
			t.Errorf("a product is rewritten")
		}
		want, got := memory(k), memory(k)
		for i := range n {
			x := math.Float32frombits(r.Uint32())
			switch {
			case i%4 == 0: // near the middle of two units
				x = float32(float64(c) / math.Ldexp(float64(r.IntN(1<<min(24, 1+i/160)))+0.5, -149))
				x = math.Float32frombits(math.Float32bits(x) + uint32(r.IntN(3)) - 1)
			case i%4 == 1:
				x = float32(math.Ldexp(1+r.Float64(), 110+r.IntN(18)))
			}
			binary.LittleEndian.PutUint32(want[0][4*i:], math.Float32bits(x))
		}
		for i, x := range []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0, math.Copysign(0, -1), 1e-45, math.MaxFloat32, 1} {
			binary.LittleEndian.PutUint32(want[0][4*i:], math.Float32bits(float32(x)))
		}
		copy(got[0], want[0])
		run(t, k, want)
		run(t, q, got)
		for i := range n {
			if w, g := want[1][4*i:4*i+4], got[1][4*i:4*i+4]; !bytes.Equal(w, g) {
				t.Fatalf("%v by %x is %x, want %x", c, want[0][4*i:4*i+4], g, w)
			}
		}
	}
}
