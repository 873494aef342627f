package simt_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// spread writes numbers whose running sums and products stay finite for long; where special,
// the last fifth has infinities, NaNs and negative zeros as well.
func spread(r *rand.Rand, t scalar.Type, b []byte, special bool) {
	n := len(b) / t.Size()
	for i := range n {
		x := r.Uint64()
		if t.IsFloat() {
			f := (r.Float64() - .5) * 8
			if r.IntN(2) == 0 {
				f = 1 + (r.Float64()-.5)/16
			}
			if special && i > n-n/5 {
				switch r.IntN(40) {
				case 0:
					f = math.Copysign(0, -1)
				case 1:
					f = math.Inf(1 - 2*r.IntN(2))
				case 2:
					f = math.NaN()
				}
			}
			if x = math.Float64bits(f); t == scalar.F32 {
				x = uint64(math.Float32bits(float32(f)))
			}
		} else if t == scalar.Bool {
			x = uint64(min(r.IntN(n), 1))
		}
		var word [8]byte
		binary.NativeEndian.PutUint64(word[:], x)
		copy(b[i*t.Size():], word[:t.Size()])
	}
}

// compareParts runs a kernel by the evaluator of the kernel IR and as a division, with numbers
// and memory that depend on the seed. Where same is true, its first buffer is the memory of its
// last one, too.
func compareParts(t *testing.T, text string, seed uint64, same bool) {
	t.Helper()
	k, err := irtext.Parse(text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	d := simt.DivideCumulative(k)
	if d == nil {
		t.Fatalf("it is not divided:\n%v", k)
	}
	want, got := memories(rand.New(rand.NewPCG(seed, 9)), k, seed%2 == 1)
	for i, b := range k.Buffers {
		if b.Role == ir.In {
			spread(rand.New(rand.NewPCG(seed, uint64(i))), b.Type, want[i], seed%3 == 0)
			copy(got[i], want[i])
		}
	}
	if err := ireval.Run(k, nil, want); err != nil {
		t.Fatal(err)
	}
	if seed%5 == 0 { // memory that is not aligned
		for i, b := range k.Buffers {
			m := make([]byte, len(got[i])+b.Type.Size())
			copy(m[b.Type.Size():], got[i])
			got[i] = m[b.Type.Size():]
		}
	}
	last := len(got) - 1
	if same {
		copy(got[last], got[0])
		got[0] = got[last]
	}
	run := func(f *simt.Func, memory ...[]byte) {
		t.Helper()
		shared := 0
		for _, a := range f.Arrays {
			if a.Shared {
				shared += a.Len * a.Type.Size()
			}
		}
		if (f == d.Totals || f == d.Elements) && shared > 32<<10 {
			t.Errorf("groups of %s have %d bytes of shared memory, which some devices lack", f.Name, shared)
		}
		if err := simteval.Run(f, nil, memory, min(int(f.Groups(nil)), 1+int(seed%4))); err != nil {
			t.Fatalf("%v\n%v", err, k)
		}
	}
	var divided func(d *simt.CumulativeDivision, memory [][]byte)
	divided = func(d *simt.CumulativeDivision, memory [][]byte) {
		t.Helper()
		memory = slices.Clip(memory)
		totals, running := make([]byte, d.Scratch), make([]byte, d.Scratch)
		run(d.Totals, append(memory, totals)...)
		if d.Above != nil {
			divided(d.Above, [][]byte{totals, running})
		} else {
			run(d.Running, totals, running)
		}
		run(d.Elements, append(memory, totals, running)...)
	}
	divided(d, got)
	if !bytes.Equal(got[last], want[last]) {
		at := 0
		for got[last][at] == want[last][at] {
			at++
		}
		t.Errorf("the result differs from byte %d of %d on\n%v", at, len(want[last]), k)
	}
}

// Divided running folds have their canonical bits around the boundaries of chunks, spans and
// groups, in both directions, for every operation and type.
func TestCumulativeParts(t *testing.T) {
	seed := uint64(0)
	one := func(kind, op string, rows, n int) {
		t.Helper()
		canon := "store y[a1+N*a0<M], %1"
		if kind[0] == 'f' {
			canon = "%2 = canon T %1\nstore y[a1+N*a0<M], %2"
		}
		seed++
		compareParts(t, strings.NewReplacer("T", kind, "OP", op, "N", strconv.Itoa(n), "M", strconv.Itoa(rows*n), "R", strconv.Itoa(rows)).Replace(
			"kernel k(in x T[M], out y T[M]) grid a0<R {\ncumulate OP a1<N {\n%0 = load T x[a1+N*a0<M]\n} then %1 = %0 {\n"+canon+"\n}\n}"), seed, seed%2 == 0)
	}
	for i, n := range []int{32768, 32769, 32799, 32800, 33791, 33792, 33793, 36863, 36864, 36865, 65537} {
		one("f32", []string{"", "reverse "}[i%2]+"sum", 1, n)
		one("f32", []string{"reverse ", ""}[i%2]+[]string{"prod", "max", "min"}[i%3], 1+i%3, n)
	}
	for i, kind := range []string{"f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"} {
		for j, op := range []string{"sum", "prod", "max", "min"} {
			reverse := []string{"", "reverse "}[(i+j)%2]
			one(kind, reverse+op, 1, []int{32772, 36864, 32769, 32770}[(i+j)%4])
		}
	}
	one("bool", "or", 1, 33000)
	one("bool", "reverse and", 2, 32771)
	one("f32", "sum", 5, 33000)
	one("f64", "reverse sum", 3, 33001)
}

// Running folds are divided even if they compute their elements, and wherever these lie:
// backwards, in every second place, in columns, or in rows that are parts of a loop.
func TestCumulativePartsOfAccesses(t *testing.T) {
	for i, text := range []string{
		"kernel k(in x f32[33000], in z f32[33000], in c f32[1], out y f32[33000]) {\n%3 = load f32 c[]\ncumulate sum a0<33000 {\n%0 = load f32 x[32999+-1*a0<33000]\n%1 = load f32 z[a0<33000]\n%4 = mul f32 %0, %3\n%5 = add f32 %4, %1\n} then %6 = %5 {\n%7 = canon f32 %6\nstore y[32999+-1*a0<33000], %7\n}\n}",
		"kernel k(in x f64[33000], out y f64[33000]) {\ncumulate reverse sum a0<33000 {\n%0 = load f64 x[32999+-1*a0<33000]\n} then %1 = %0 {\n%2 = canon f64 %1\nstore y[a0<33000], %2\n}\n}",
		"kernel k(in x f32[66000], out y f32[66000]) grid a0<2 {\ncumulate sum a1<33000 {\n%0 = load f32 x[2*a1+a0<66000]\n} then %1 = %0 {\n%2 = canon f32 %1\nstore y[2*a1+a0<66000], %2\n}\n}",
		"kernel k(in x f32[99000], in z f32[3], out y f32[99000]) {\nvector a0<3 {\n%3 = load f32 z[a0<3]\ncumulate reverse sum a1<33000 {\n%0 = load f32 x[3*a1+a0<99000]\n%4 = mul f32 %0, %3\n} then %1 = %4 {\n%2 = canon f32 %1\nstore y[3*a1+a0<99000], %2\n}\n}\n}",
		"kernel k(in x f32[230468], out y f32[230468]) grid a0<2 {\nvector a1<4 tail a0 7 {\ncumulate max a2<32924 {\n%0 = load f32 x[a2+131696*a0+32924*a1<230468]\n} then %1 = %0 {\n%2 = canon f32 %1\nstore y[a2+131696*a0+32924*a1<230468], %2\n}\n}\n}",
	} {
		compareParts(t, text, uint64(i+1), false)
	}
}

// Short rows, and rows that keep a machine busy with a group each, are not divided.
func TestCumulativeUndivided(t *testing.T) {
	for _, c := range []struct {
		rows, n int
		divided bool
	}{{1, 32767, false}, {1, 32768, true}, {264, 32768, true}, {265, 32768, false}, {1 << 17, 1 << 17, false}} {
		n := c.rows * c.n
		k, err := irtext.Parse(fmt.Sprintf("kernel k(in x f32[%d], out y f32[%[1]d]) grid a0<%d {\ncumulate sum a1<%d {\n%%0 = load f32 x[a1+%[3]d*a0<%[1]d]\n} then %%1 = %%0 {\nstore y[a1+%[3]d*a0<%[1]d], %%1\n}\n}", n, c.rows, c.n))
		if err != nil {
			t.Fatal(err)
		}
		if got := simt.DivideCumulative(k) != nil; got != c.divided {
			t.Errorf("%d rows of %d: divided is %t, want %t", c.rows, c.n, got, c.divided)
		}
	}
}
