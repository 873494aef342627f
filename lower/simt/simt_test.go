package simt_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// fill writes numbers of all kinds, with random bits and small ones, or small ones alone.
func fill(r *rand.Rand, t scalar.Type, b []byte, small bool) {
	for i := 0; i+t.Size() <= len(b); i += t.Size() {
		x := r.Uint64()
		if small || r.IntN(4) != 0 {
			f := (r.Float64() - .5) * 8
			switch t {
			case scalar.F32:
				x = uint64(math.Float32bits(float32(f)))
			case scalar.F64:
				x = math.Float64bits(f)
			default:
				x = uint64(int64(f))
			}
		}
		switch t.Size() {
		case 1:
			b[i] = byte(x)
			if t == scalar.Bool {
				b[i] &= 1
			}
		case 2:
			binary.NativeEndian.PutUint16(b[i:], uint16(x))
		case 4:
			binary.NativeEndian.PutUint32(b[i:], uint32(x))
		default:
			binary.NativeEndian.PutUint64(b[i:], x)
		}
	}
}

// memories returns two equal sets of buffers of a kernel without symbols. Their numbers are of all kinds or small: sums of
// small numbers depend on the order, and sums of numbers of all kinds on the greatest ones alone.
func memories(r *rand.Rand, k *ir.Kernel, small bool) (a, b [][]byte) {
	for _, buf := range k.Buffers {
		m := make([]byte, int(buf.Len.Value)*buf.Type.Size())
		if buf.Role == ir.Out {
			for i := range m {
				m[i] = 0x5a
			}
		} else {
			fill(r, buf.Type, m, small)
		}
		a, b = append(a, m), append(b, bytes.Clone(m))
	}
	return a, b
}

// compare runs a kernel by the evaluator of the kernel IR and as programs of threads. Odd seeds draw small numbers.
func compare(t *testing.T, k *ir.Kernel, seed uint64, options ...simt.Options) bool {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 3))
	want, start := memories(r, k, seed%2 == 1)
	if err := ireval.Run(k, nil, want); err != nil {
		t.Errorf("%v\n%v", err, k)
		return false
	}
	for i := range len(options) + len(options)/2 {
		o, f := simt.Options{}, simt.UnsizedOn(schedule.Device{}, k) // by every sharing, and with sizes that come with the launch
		if i < len(options) {
			o = options[i]
			f = simt.Lower(k, o)
		}
		got := make([][]byte, len(start))
		for i := range start {
			got[i] = bytes.Clone(start[i])
		}
		groups := min(int(f.Groups(f.Values)), (1+int(seed%3))*max(f.Cluster, 1))
		if err := simteval.Run(f, f.Values, got, groups); err != nil {
			t.Errorf("%+v: %v\n%v", o, err, k)
			return false
		}
		for i := range got {
			if !bytes.Equal(got[i], want[i]) {
				t.Errorf("%+v, %d groups: buffer %d is\n%x, want\n%x\n%v", o, groups, i, head(got[i]), head(want[i]), k)
				return false
			}
		}
	}
	return true
}

func head(b []byte) []byte { return b[:min(len(b), 200)] }

var every = []simt.Options{{}, {Mode: simt.PerThread, Threads: 64}, {Mode: simt.PerGroup, Threads: 64}}

// The kernels of every sample of every primitive, in every type, compute what the
// evaluator of the kernel IR does, for any sharing of items.
func TestSamples(t *testing.T) {
	kernels := 0
	for n, s := range primtest.EveryType() {
		if !s.Standalone() {
			continue
		}
		for _, step := range fuse.Translate(s.Jaxpr(), fuse.Target{}).Steps {
			if l, ok := step.(*fuse.Launch); ok {
				kernels++
				if !compare(t, l.Kernel, uint64(n), every...) {
					t.Errorf("of %s", s.Prim.Name())
				}
			}
		}
	}
	if kernels < 4000 {
		t.Errorf("%d kernels were compared, want 4000", kernels)
	}
}

// Reductions and cumulative folds of every order have their canonical bits for extents
// around every boundary, shared by a group or not.
func TestOrders(t *testing.T) {
	orders := map[string]string{}
	for _, o := range []string{"lanes 64", "chunks", "tree", "ordered", "any"} {
		op := "sum"
		if o == "any" {
			op = "max"
		}
		orders[o] = "reduce " + o + " a1<N {\n%0 = load f32 x[a1+N*a0<M]\n} fold %1 = " + op + " %0\n%2 = canon f32 %1\nstore y[a0<R], %2"
	}
	orders["chain"] = "reduce chain a1<N {\n%0 = load f32 x[a1+N*a0<M]\n} fold %1 = sum %0 %0\n%2 = canon f32 %1\nstore y[a0<R], %2"
	for _, reverse := range []string{"", "reverse "} {
		orders["cumulate "+reverse] = "cumulate " + reverse + "sum a1<N {\n%0 = load f32 x[a1+N*a0<M]\n} then %1 = %0 {\n%2 = canon f32 %1\nstore y[a1+N*a0<M], %2\n}"
	}
	for i, n := range []int{0, 1, 2, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 700, 1023, 1024, 1025, 2049, 4097, 33000} {
		for o, body := range orders {
			rows, out := 3, 3
			if n > 2000 {
				rows, out = 1, 1
			}
			if n > 5000 && o != "tree" && o != "cumulate " {
				continue
			}
			if strings.HasPrefix(o, "cumulate") {
				out = rows * n
			}
			text := strings.NewReplacer("N", strconv.Itoa(n), "M", strconv.Itoa(rows*n), "R", strconv.Itoa(rows)).Replace(
				fmt.Sprintf("kernel k(in x f32[M], out y f32[%d]) grid a0<R {\n%s\n}", out, body))
			k, err := irtext.Parse(text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			options := every[1:]
			if i%3 == 0 {
				options = []simt.Options{{Mode: simt.PerGroup, Threads: 256}}
			}
			compare(t, k, uint64(2*i), options...)
			compare(t, k, uint64(2*i+1), options...)
		}
	}
}

// A kernel's functions are computed where they are applied.
func TestFunctions(t *testing.T) {
	k, err := irtext.Parse(`kernel k(in x f32[100], out y f32[100]) {
  f0 = func(f32, f32) f32, f32 {
    table t0 f32 0x3f800000, 0x40000000
    %0 = param f32 0
    %1 = param f32 1
    %2 = mul f32 %0, %1
    %3 = bitcast u32 %0
    %4 = lookup f32 t0 %3
    %5 = fma f32 %2, %4, %1
    ret %5, %0
  }
  vector a0<100 {
    %0 = load f32 x[a0<100]
    apply f0 %0, %0 -> %1, %2
    apply f0 %1, %2 -> %3, %4
    %5 = add f32 %3, %4
    %6 = canon f32 %5
    store y[a0<100], %6
  }
}`)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, k, 1, every...)
}
