package irpass_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/irpass"
	"github.com/weft-go/weft/lower/scalar"
)

const quotientsText = `kernel k(in b0 T[ALL], in b1 T[ROWS], out b2 T[ALL]) grid a0<ROWS {
  %0 = load T b1[a0<ROWS]
  vector a1<N {
    %1 = load T b0[a1+N*a0<ALL]
    %2 = div T %1, %0
    %3 = canon T %2
    store b2[a1+N*a0<ALL], %3
  }
}`

// Quotients have the same bits with and without the pass: those nearest to the middle of two floats, where anything is
// too small or too large for floats, and of any bits.
func TestQuotients(t *testing.T) {
	const rows, n = 600, 64
	for _, typ := range []scalar.Type{scalar.F32, scalar.F64} {
		text := strings.NewReplacer("T", typ.String(), "ALL", fmt.Sprint(rows*n), "ROWS", fmt.Sprint(rows), "N", fmt.Sprint(n)).Replace(quotientsText)
		k := parsed(t, text)
		q := irpass.Quotients(k, n)
		if strings.Count(q.String(), "rare") != 1 || strings.Count(q.String(), "canon") != 1 {
			t.Fatalf("%v: %v", typ, q)
		}
		if k.String() != parsed(t, text).String() {
			t.Error("Quotients changed its argument")
		}
		size, digits, most := typ.Size(), 24, 127
		if typ == scalar.F64 {
			digits, most = 53, 1023
		}
		r := rand.New(rand.NewPCG(1, 2))
		number := func() uint64 {
			switch r.IntN(8) {
			case 0:
				return r.Uint64()
			case 1:
				special := []float64{0, 1, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(0, -1), math.MaxFloat64, math.MaxFloat32, 0x1p-1022, 0x1p-126, 0x1p-149, 5e-324, 0x1p-100, 0x1p100}
				return bitsOf(typ, special[r.IntN(len(special))])
			case 2: // with an exponent of any size
				return bitsOf(typ, math.Ldexp(1+r.Float64(), r.IntN(2*most)-most))
			}
			return bitsOf(typ, r.NormFloat64())
		}
		store := func(m []byte, i int, x uint64) {
			if size == 4 {
				binary.LittleEndian.PutUint32(m[4*i:], uint32(x))
			} else {
				binary.LittleEndian.PutUint64(m[8*i:], x)
			}
		}
		want := memory(k)
		for i := range rows {
			if i%3 == 0 {
				store(want[1], i, number())
				for j := range n {
					store(want[0], i*n+j, number())
				}
				continue
			}
			// x·2ᵈ⁺¹ = y·m ± 1, where m has d + 1 digits and is odd.
			y := uint64(1)<<(digits-1) | r.Uint64N(1<<(digits-1)) | 1
			if i%30 == 1 {
				y = 1<<digits - 1 - 2*uint64(i/30)
			}
			b := new(big.Int).SetUint64(y)
			x := new(big.Int).ModInverse(new(big.Int).Lsh(big.NewInt(1), uint(digits+1)), b).Uint64()
			x = max(x, y-x)
			e := 0
			if i%3 == 1 {
				e = r.IntN(140) - 70
			}
			store(want[1], i, bitsOf(typ, math.Ldexp(float64(y), e)))
			for j := range n {
				store(want[0], i*n+j, bitsOf(typ, math.Ldexp(float64(x)*float64(1-j%2*2), (j-n/2)*most/n*i%3-digits)))
			}
		}
		got := make([][]byte, len(want))
		for i := range want {
			got[i] = bytes.Clone(want[i])
		}
		run(t, k, want)
		run(t, q, got)
		for i := range rows * n {
			if x, y := want[2][i*size:(i+1)*size], got[2][i*size:(i+1)*size]; !bytes.Equal(x, y) {
				t.Fatalf("%v: % x / % x is % x, without the pass % x", typ, want[0][i*size:(i+1)*size], want[1][i/n*size:(i/n+1)*size], y, x)
			}
		}
	}
}

func bitsOf(t scalar.Type, x float64) uint64 {
	if t == scalar.F32 {
		return uint64(math.Float32bits(float32(x)))
	}
	return math.Float64bits(x)
}

// Quotients by what changes in the loop, of few numbers and among much else stay.
func TestQuotientsRefuses(t *testing.T) {
	good := strings.NewReplacer("T", "f32", "ALL", "256", "ROWS", "4", "N", "64").Replace(quotientsText)
	more := "%2 = div f32 %1, %0"
	for i := range 8 {
		more += fmt.Sprintf("\n    %%%d = add f32 %%2, %%1\n    store b2[a1+64*a0<256], %%%d", 10+i, 10+i)
	}
	for name, edit := range map[string][2]string{
		"the divisor changes": {"div f32 %1, %0", "div f32 %0, %1"},
		"few":                 {"vector a1<64", "vector a1<63"},
		"much else":           {"%2 = div f32 %1, %0", more},
	} {
		text := strings.Replace(good, edit[0], edit[1], 1)
		if text == good {
			t.Fatal(name)
		}
		if k := parsed(t, text); irpass.Quotients(k, 64) != k {
			t.Error(name)
		}
	}
	if k := parsed(t, good); irpass.Quotients(k, 64) == k {
		t.Error("the kernel that is edited is refused")
	}
}
