package kernel

import (
	"bufio"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/primtest"
)

var updateBits = flag.Bool("update-bits", false, "rewrite testdata/bits.txt")

// spreadTensor fills x with awkward and ordinary elements, the same everywhere.
func spreadTensor(x *Tensor, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	n := Components(x.DType)
	for i := range x.Size() {
		for c := range n {
			v := rng.NormFloat64() * math.Ldexp(1, rng.IntN(40)-20)
			switch rng.IntN(12) {
			case 0:
				v = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, math.Inf(1), math.Inf(-1), math.NaN(), math.Pi, -2}[rng.IntN(10)]
			case 1:
				v *= math.Ldexp(1, rng.IntN(300)-150)
			}
			u := rng.Uint64()
			switch dt := x.DType; {
			case dt == core.Float32:
				View[float32](x)[i] = float32(v)
			case dt == core.Float64:
				View[float64](x)[i] = v
			case dt == core.Complex64:
				View[[2]float32](x)[i][c] = float32(v)
			case dt == core.Complex128:
				View[[2]float64](x)[i][c] = v
			case IsSmallFloat(dt):
				storeBits(x, i, uint64(narrowSmall(dt, float32(v))))
			case dt.IsBool():
				storeBits(x, i, u&1)
			case rng.IntN(2) == 0:
				storeBits(x, i, u>>rng.IntN(64))
			default:
				storeBits(x, i, u)
			}
		}
	}
	extend(x)
}

// Every elementwise operation gives the bits in testdata/bits.txt, on every platform
// and with every setting of the compiler: NaNs too.
func TestSameBits(t *testing.T) {
	path := filepath.Join("testdata", "bits.txt")
	var lines []string
	seen := map[string]bool{}
	for _, s := range primtest.All() {
		if _, ok := expansions[s.Prim.Name()]; !ok {
			continue
		}
		var in []*Tensor
		key := fmt.Sprintf("%v", s.Prim)
		for k, a := range s.In {
			x := NewTensor(core.Aval(a.DType, 1000))
			spreadTensor(x, uint64(k))
			in = append(in, x)
			key += " " + a.DType.String()
		}
		key = s.Prim.Name() + " " + strings.ReplaceAll(key, " ", ",")
		if seen[key] {
			continue
		}
		seen[key] = true
		out := NewTensor(core.AbstractOf(s.Prim, avalsOf(in))[0])
		elementwise(s.Prim, in, []*Tensor{out})
		h := fnv.New64a()
		for i := range out.Size() { // in little-endian order, whatever the host's
			size := out.DType.Size()
			for c := range Components(out.DType) {
				part := &Tensor{ShapedArray: core.Aval(dtypeOf(Stored(out.DType)), 1), Data: out.Data[i*size+c*size/Components(out.DType):]}
				b := loadBits(part, 0)
				h.Write([]byte{byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24), byte(b >> 32), byte(b >> 40), byte(b >> 48), byte(b >> 56)})
			}
		}
		lines = append(lines, fmt.Sprintf("%s %016x", key, h.Sum64()))
	}
	if *updateBits {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := map[string]bool{}
	for s := bufio.NewScanner(f); s.Scan(); {
		want[s.Text()] = true
	}
	if len(lines) < 400 || len(want) != len(lines) {
		t.Errorf("%d operations, %d recorded", len(lines), len(want))
	}
	for _, l := range lines {
		if !want[l] {
			t.Errorf("other bits: %s", l)
		}
	}
}
