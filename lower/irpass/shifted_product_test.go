package irpass_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

// Products of exponentials with numbers of all sizes, with infinities and NaNs have the same bits where they are computed in units of
// the least subnormal number.
func TestShiftedProducts(t *testing.T) {
	const rows, n = 8, 96
	for _, typ := range []scalar.Type{scalar.F32, scalar.F64} {
		lanes, least, bits := "lanes 64", 104.0, 126.0
		text := softmaxText(typ, rows, n, -104, 89, math.Log2E, 0x1.8p23, -0x1.62e43p-1, 0x1.05c61p-29, "const f32 0x0")
		if typ == scalar.F64 {
			lanes, least, bits = "lanes 32", 746, 1022
			text = softmaxText(typ, rows, n, -746, 710, math.Log2E, 0x1.8p52, -0x1.62e42fefa39efp-1, -0x1.abc9e3b39803fp-56, "const f64 0x0")
		}
		text = strings.NewReplacer("lanes 32", lanes, "]) grid", "], in b3 @T[768]) grid", "%30 = canon @T %29", `%50 = load @T b3[a2+96*a0<768]
    %51 = mul @T %29, %50
    %52 = load @T b3[96*a0<768]
    %53 = mul @T %52, %51
    %30 = canon @T %53`).Replace(strings.ReplaceAll(text, " "+typ.String(), " @T"))
		k := parsed(t, strings.ReplaceAll(text, "@T", typ.String()))
		q := irpass.Shifted(k, true)
		if strings.Count(q.String(), "rare") != 2 {
			t.Errorf("the products or the other exponential are as they were: %v", q)
		}
		r := rand.New(rand.NewPCG(3, 4))
		unusual := []float64{math.Inf(1), math.Inf(-1), math.NaN(), 0, math.Copysign(0, -1), 5e-324, -1e-45, 1, 0.5, 2}
		for round := range 20 {
			want, got := memory(k), memory(k)
			put := func(buffer, i int, x float64) {
				for _, m := range [][][]byte{want, got} {
					if typ == scalar.F32 {
						binary.LittleEndian.PutUint32(m[buffer][4*i:], math.Float32bits(float32(x)))
					} else {
						binary.LittleEndian.PutUint64(m[buffer][8*i:], math.Float64bits(x))
					}
				}
			}
			for i := range rows * n {
				x := -least / 2 * 1.02 * math.Sqrt(r.Float64()) // the kernel doubles it
				y := math.Ldexp(1+r.Float64(), int(bits*math.Pow(2*r.Float64()-1, 5)))
				switch r.IntN(30) {
				case 0:
					x = unusual[r.IntN(len(unusual))]
				case 1:
					if round > 9 {
						y = unusual[r.IntN(len(unusual))]
					}
				case 2:
					y = -math.Ldexp(1, r.IntN(60)-30)
				}
				put(0, i, x)
				put(3, i, y)
			}
			run(t, k, want)
			run(t, q, got)
			for i := range want {
				if !bytes.Equal(want[i], got[i]) {
					t.Fatalf("%v: buffer %d differs: %v", typ, i, q)
				}
			}
		}
	}
}
