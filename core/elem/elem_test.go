package elem

import (
	"encoding/hex"
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
)

var minor = []core.DType{core.BFloat16, core.Float16, core.Float8E3M4, core.Float8E4M3, core.Float8E4M3B11FNUZ,
	core.Float8E4M3FN, core.Float8E4M3FNUZ, core.Float8E5M2, core.Float8E5M2FNUZ, core.Float8E8M0FNU,
	core.Float4E2M1FN, core.Float6E2M3FN, core.Float6E3M2FN}

// Every pattern of every format reads as a number that is stored as that pattern.
func TestPatterns(t *testing.T) {
	for _, dt := range minor {
		for b := range 1 << dt.Bits() {
			buf := []byte{byte(b), byte(b >> 8)}
			n, ok := Get(buf, dt)
			if !ok {
				t.Fatalf("%v has no numbers", dt)
			}
			if f := n.Float(); f != f {
				continue
			}
			var out [2]byte
			Put(out[:], n, dt)
			if got := int(out[0]) | int(out[1])<<8; got != b {
				t.Fatalf("%v: pattern %#x reads as %v, which is stored as %#x", dt, b, n.Float(), got)
			}
		}
	}
}

// Between neighbours the nearer wins, and the even one in the middle.
func TestRoundingToNearest(t *testing.T) {
	for _, dt := range minor {
		if dt == core.Float8E8M0FNU {
			continue
		}
		f := formats[dt]
		for b := uint64(0); b+1 < f.overflow(); b++ {
			lo, hi := f.decode(b), f.decode(b+1)
			mid := lo + (hi-lo)/2
			even := b
			if b&1 != 0 {
				even = b + 1
			}
			for _, c := range []struct {
				x    float64
				want uint64
			}{{mid, even}, {math.Nextafter(mid, 0), b}, {math.Nextafter(mid, hi), b + 1}} {
				if got := f.encode(c.x); got != c.want {
					t.Fatalf("%v: %v between %v and %v: got %#x, want %#x", dt, c.x, lo, hi, got, c.want)
				}
			}
		}
	}
}

func TestPut(t *testing.T) {
	i, u, f := core.IntNumber, core.UintNumber, core.FloatNumber
	for _, c := range []struct {
		n    core.Number
		dt   core.DType
		want core.Number
	}{
		{f(0.1), core.Float32, f(0.10000000149011612)},
		{f(0.1), core.BFloat16, f(0.10009765625)},
		{f(0.1), core.Float16, f(0.0999755859375)},
		{f(1 + 0x1p-8 + 0x1p-40), core.BFloat16, f(1 + 0x1p-7)},
		{i(1<<62 + 1<<54 + 1), core.BFloat16, f(1<<62 + 1<<55)},
		{i(1<<62 + 1<<54), core.BFloat16, f(1 << 62)},
		{i(-(1<<62 + 1<<38 + 1)), core.Float32, f(-(1<<62 + 1<<39))},
		{u(math.MaxUint64), core.Float32, f(0x1p64)},
		{i(-1), core.Uint8, u(255)},
		{i(300), core.Int8, i(44)},
		{i(9), core.Int4, i(-7)},
		{f(300), core.Int8, i(127)},
		{f(-300.5), core.Int2, i(-2)},
		{f(-1), core.Uint4, u(0)},
		{f(1e30), core.Uint64, u(math.MaxUint64)},
		{f(math.NaN()), core.Int32, i(0)},
		{f(2.75), core.Uint2, u(2)},
		{f(0.5), core.Bool, core.BoolNumber(true)},
		{core.ComplexNumber(0.1 + 2i), core.Complex64, core.ComplexNumber(complex(0.10000000149011612, 2))},
		{core.ComplexNumber(3 + 2i), core.Float64, f(3)},
		{i(3), core.Complex128, core.ComplexNumber(3)},
		{core.BoolNumber(true), core.Float8E5M2, f(1)},
		{f(3), core.Float8E8M0FNU, f(4)},
	} {
		if got := Round(c.n, c.dt); got != c.want {
			t.Errorf("%v as %v: %v, want %v", c.n, c.dt, got, c.want)
		}
	}
}

// Integers are rounded once, as exact arithmetic rounds them.
func TestIntegersRoundOnce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		v := r.Uint64()>>r.IntN(12) | r.Uint64()<<r.IntN(64)
		want, _ := new(big.Float).SetPrec(64).SetUint64(v).Float32()
		if got := Round(core.UintNumber(v), core.Float32).Float(); got != float64(want) {
			t.Fatalf("%d as f32: %v, want %v", v, got, want)
		}
	}
}

// Conversions to the small formats are those of JAX, or of IEEE 754 where these differ. The subset in testdata has seven types of operands, each
// with its corner cases.
func TestGolden(t *testing.T) {
	zr := goldenfile.Open(t, "jax/corners.jsonl.gz", "testdata/conversions.jsonl.gz")
	type array struct {
		DType, Bits string
	}
	n := 0
	for line := range goldenfile.Lines(t, zr) {
		var r struct {
			Prim      string
			In        []array
			Jit, IEEE *array
			Exact     *array
		}
		err := json.Unmarshal(line, &r) // operations of several results have lists
		if r.Prim == "convert_element_type" && err != nil {
			t.Fatal(err)
		}
		if r.Prim != "convert_element_type" || r.Jit == nil {
			continue
		}
		from, _ := core.ParseDType(r.In[0].DType)
		to, _ := core.ParseDType(r.Jit.DType)
		if !to.IsFloat() || to == core.Float32 || to == core.Float64 || !from.IsFloat() && !from.IsInteger() {
			continue
		}
		if to == core.BFloat16 && from == core.Float64 {
			continue // XLA rounds twice
		}
		want := r.Jit
		if r.Exact != nil {
			want = r.Exact
		}
		if r.IEEE != nil {
			want = r.IEEE
		}
		in, _ := hex.DecodeString(r.In[0].Bits)
		out, _ := hex.DecodeString(want.Bits)
		for i := range len(in) / from.Size() {
			x, _ := Get(in[i*from.Size():], from)
			y, _ := Get(out[i*to.Size():], to)
			got := Round(x, to)
			if got != y && !(got.Float() != got.Float() && y.Float() != y.Float()) {
				t.Errorf("%v %v as %v: %v, want %v", from, x.Float(), to, got.Float(), y.Float())
			}
			n++
		}
	}
	if n < 1000 {
		t.Fatalf("only %d conversions were compared", n)
	}
	t.Logf("%d conversions", n)
}

func BenchmarkPut(b *testing.B) {
	var buf [8]byte
	for b.Loop() {
		Put(buf[:], core.FloatNumber(0.1), core.Float32)
	}
}
