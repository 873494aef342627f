package reference

import (
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/lower/expand"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

var updateBits = flag.Bool("update-bits", false, "rewrite testdata/bits.txt")

// spreadTensor fills x with awkward and ordinary elements, the same everywhere.
func spreadTensor(x *block.Tensor, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 9))
	n := scalar.Components(x.DType)
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
				block.View[float32](x)[i] = float32(v)
			case dt == core.Float64:
				block.View[float64](x)[i] = v
			case dt == core.Complex64:
				block.View[[2]float32](x)[i][c] = float32(v)
			case dt == core.Complex128:
				block.View[[2]float64](x)[i][c] = v
			case scalar.IsSmallFloat(dt):
				storeBits(x, i, uint64(scalar.NarrowSmall(dt, float32(v))))
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

// wordSize returns the size of what an element of a dtype is made of.
func wordSize(dt core.DType) int {
	if dt == core.Key {
		return 4
	}
	return dt.Size() / max(scalar.Components(dt), 1)
}

// littleEndian returns an array's bytes in this order, regardless of the host's.
func littleEndian(x *block.Tensor) []byte {
	b := slices.Clone(x.Data)
	if w := wordSize(x.DType); !hostLittle && w > 1 {
		for at := 0; at < len(b); at += w {
			slices.Reverse(b[at : at+w])
		}
	}
	return b
}

// hashWords adds an array to a hash, every word of it as eight bytes.
func hashWords(h hash.Hash, x *block.Tensor) {
	w := wordSize(x.DType)
	b := littleEndian(x)
	for at := 0; at < len(b); at += w {
		var word [8]byte
		copy(word[:], b[at:at+w])
		h.Write(word[:])
	}
}

// Every elementwise operation returns the bits in testdata/bits.txt, on every platform
// and with every setting of the compiler: NaNs too. All others give those in
// testdata/loop_bits.txt.
func TestSameBits(t *testing.T) {
	var single, loops []string
	seen := map[string]bool{}
	for _, s := range primtest.All() {
		if !Has(s.Prim) {
			continue
		}
		elementwise := expand.Has(s.Prim)
		var in []*block.Tensor
		key := fmt.Sprintf("%v", s.Prim)
		for k, a := range s.In {
			if elementwise {
				a = core.Aval(a.DType, 1000)
				key += " " + a.DType.String()
			} else {
				key += " " + a.Full()
			}
			x := block.NewTensor(a)
			if a.DType == core.Key {
				for i := range block.View[[2]uint32](x) {
					block.View[[2]uint32](x)[i] = [2]uint32{uint32(i) * 0x9e3779b9, uint32(k) + 7}
				}
			} else if a.DType != core.Float0 {
				spreadTensor(x, uint64(k))
			}
			in = append(in, x)
		}
		if _, ok := LookupProgram(s.Prim); ok {
			key += " " + fmt.Sprint(len(loops)) // programs have addresses
			key = s.Prim.Name() + key[strings.LastIndexByte(key, '}')+1:]
		}
		key = s.Prim.Name() + " " + strings.ReplaceAll(key, " ", ",")
		if seen[key] {
			continue
		}
		seen[key] = true
		h := fnv.New64a()
		for _, y := range apply(t, s.Prim, in...) {
			hashWords(h, y)
		}
		if line := fmt.Sprintf("%s %016x", key, h.Sum64()); elementwise {
			single = append(single, line)
		} else {
			loops = append(loops, line)
		}
	}
	sameLines(t, "bits.txt", single, 400)
	sameLines(t, "loop_bits.txt", loops, 400)
}

// sameLines compares lines with those of a file in testdata, or writes them there.
func sameLines(t *testing.T, name string, lines []string, least int) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *updateBits {
		if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := map[string]bool{}
	for line := range goldenfile.Lines(t, goldenfile.OpenFile(t, path)) {
		want[string(line)] = true
	}
	if len(lines) < least || len(want) != len(lines) {
		t.Errorf("%s: %d operations, %d recorded", name, len(lines), len(want))
	}
	for _, l := range lines {
		if !want[l] {
			t.Errorf("%s: other bits: %s", name, l)
		}
	}
}
