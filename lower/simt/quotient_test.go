package simt_test

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

// Quotients of rows by one number have the bits of divisions, for special numbers too.
func TestQuotientsOfRows(t *testing.T) {
	const rows, n = 1024, 256
	k := parsed(t, `kernel k(in x f32[%d], in d f32[%d], out y f32[%d], out z f32[%d]) grid a0<%d {
  reduce lanes 64 a1<%d {
    %%0 = load f32 x[%d*a0+a1<%d]
  } fold %%3 = sum %%0
  %%7 = canon f32 %%3
  store z[a0<%d], %%7
  %%2 = load f32 d[a0<%d]
  vector a2<%d {
    %%1 = load f32 x[%d*a0+a2<%d]
    %%4 = div f32 %%1, %%2
    %%5 = canon f32 %%4
    store y[%d*a0+a2<%d], %%5
  }
}`, rows*n, rows, rows*n, rows, rows, n, n, rows*n, rows, rows, n, n, rows*n, n, rows*n)
	f := simt.Lower(k, simt.Options{})
	if fused, want := fusedOf(f), 2*n/16; fused != want { // 16 threads take a row
		t.Fatalf("%d fused multiplications, want %d: quotients are not computed by a reciprocal", fused, want)
	}
	r := rand.New(rand.NewPCG(8, 1))
	inf := float32(math.Inf(1))
	special := []float32{0, float32(math.Copysign(0, -1)), inf, -inf, float32(math.NaN()), 1, -1, 3, math.MaxFloat32, 0x1.8p127, 0x1p-149, 0x1p-126, 0x1p-90, 0x1p100, 0x1.fffffep-91, 0x1.000002p100, 0x1.fffffep0, 0x1p-97, 0x1p-120}
	// number returns a special number, one with random bits, one from 1 up to 2, one of few digits, or one whose
	// quotient by d is beside the middle of two numbers.
	number := func(d float32) float32 {
		switch r.IntN(8) {
		case 4, 5:
			middle := float64(r.IntN(1<<24)*2 + 1<<24 + 1)
			return float32(math.Ldexp(float64(d)*middle, r.IntN(300)-200))
		case 0:
			return special[r.IntN(len(special))]
		case 1, 2:
			return math.Float32frombits(r.Uint32())
		case 3: // few digits, close to ties
			return float32(r.IntN(1<<12)) * float32(math.Exp2(float64(r.IntN(8))))
		}
		return math.Float32frombits(r.Uint32()>>9 | 0x3f800000)
	}
	for range 4 {
		buffers := [][]byte{make([]byte, 4*rows*n), make([]byte, 4*rows), make([]byte, 4*rows*n), make([]byte, 4*rows)}
		set := func(b, i int, x float32) { binary.LittleEndian.PutUint32(buffers[b][4*i:], math.Float32bits(x)) }
		get := func(b, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(buffers[b][4*i:])) }
		for i := range rows {
			d := number(1)
			digits := uint32(1<<23 + 2*r.IntN(1<<22) + 1)
			scale := []int{0, -113, -60, 60, 76, 103}[r.IntN(6)]
			switch i % 8 {
			case 1, 5:
				d = float32(math.Ldexp(float64(digits), scale))
			case 3:
				d = float32(math.Ldexp(float64(digits>>12|1), scale))
			case 0, 2, 4, 6:
				d = float32(math.Abs(float64(d)))
			}
			set(1, i, d)
			near := slices.Collect(nearMiddle(digits))
			kind := r.IntN(4)
			for j := range n {
				x := number(d)
				switch {
				case i%4 == 1 && j%2 == 0:
					if len(near) > 0 {
						least := []int{scale - 20, -140, scale - 149}[r.IntN(3)] // of x, or of the quotient
						x = float32(math.Ldexp(float64(near[r.IntN(len(near))]), least+r.IntN(40)))
					}
				case i%8 == 3 && j%2 == 0: // the quotient lies in the middle of two subnormal numbers
					x = float32(math.Ldexp(float64(d)*float64(2*r.IntN(1<<11)+1), -150))
				case kind == 1 && !(x == 0 || math.Abs(float64(x)) > 0x1p-60 && math.Abs(float64(x)) < 0x1p60):
					x = 1 // no number of the row needs a division
				case kind == 2:
					x = special[r.IntN(2)] // zeros
				}
				set(0, i*n+j, x)
			}
		}
		if err := simteval.Run(f, nil, buffers, 3); err != nil {
			t.Fatal(err)
		}
		for i := range rows * n {
			x, d := get(0, i), get(1, i/n)
			want := math.Float32bits(x / d)
			if x/d != x/d {
				want = 0x7fc00000
			}
			if got := math.Float32bits(get(2, i)); got != want {
				t.Fatalf("%g/%g: got %08x, want %08x", x, d, got, want)
			}
		}
	}
}

// Each of several divisors of one row has quotients of its own: a constant, one that is loaded among the elements, a
// fold, and one whose dividend is a quotient.
func TestSeveralDivisors(t *testing.T) {
	for _, n := range []int{128, 256} { // 32 threads take a row
		k := parsed(t, `kernel k(in x f32[%[2]d], in d f32[9], out y f32[%[2]d], out z f32[%[2]d]) grid a0<9 {
  reduce any a1<%[1]d {
    %%0 = load f32 x[%[1]d*a0+a1<%[2]d]
  } fold %%1 = max %%0
  vector a2<%[1]d {
    %%2 = load f32 x[%[1]d*a0+a2<%[2]d]
    %%3 = load f32 d[a0<9]
    %%4 = const f32 0x40400000
    %%5 = div f32 %%2, %%1
    %%6 = div f32 %%2, %%3
    %%7 = div f32 %%2, %%4
    %%8 = div f32 %%5, %%4
    %%9 = div f32 %%2, %%1
    %%10 = sub f32 %%6, %%7
    %%11 = add f32 %%8, %%9
    %%12 = canon f32 %%10
    %%13 = canon f32 %%11
    store y[%[1]d*a0+a2<%[2]d], %%12
    store z[%[1]d*a0+a2<%[2]d], %%13
  }
}`, n, 9*n)
		for seed := range uint64(4) {
			compare(t, k, seed, simt.Options{})
		}
		if got, want := fusedOf(simt.Lower(k, simt.Options{})), 2*4*n/32; got != want {
			t.Errorf("rows of %d: %d fused multiplications, want %d: two for each of four quotients of an element", n, got, want)
		}
	}
}

// fusedOf returns the number of fused multiplications of a program.
func fusedOf(f *simt.Func) (n int) {
	simt.Walk(f.Body, func(s simt.Stmt) {
		if o, ok := s.(*simt.Op); ok && o.Inst.Op == scalar.OpFMA {
			n++
		}
	})
	return n
}

// Quotients of f64 are computed by divisions.
func TestQuotientsOfDoubles(t *testing.T) {
	k := parsed(t, `kernel k(in x f64[900], in d f64[9], out y f64[900], out z f64[9]) grid a0<9 {
  reduce lanes 32 a1<100 {
    %%0 = load f64 x[100*a0+a1<900]
  } fold %%3 = sum %%0
  %%7 = canon f64 %%3
  store z[a0<9], %%7
  %%2 = load f64 d[a0<9]
  vector a2<100 {
    %%1 = load f64 x[100*a0+a2<900]
    %%4 = div f64 %%1, %%2
    %%6 = div f64 %%4, %%3
    %%5 = canon f64 %%6
    store y[100*a0+a2<900], %%5
  }
}`)
	compare(t, k, 1, simt.Options{})
	f := simt.Lower(k, simt.Options{})
	if !has[*simt.Shuffle](f) {
		t.Fatal("no team takes a row")
	}
	if fusedOf(f) > 0 {
		t.Error("quotients are computed by a reciprocal")
	}
}

// nearMiddle yields the whole numbers x of 24 binary digits whose quotient by d, which has 24 digits too, differs by at
// most 16 units of 2⁻²⁵/d, or of 2⁻²⁴/d where it is at least 1, from the middle of two numbers.
func nearMiddle(d uint32) func(yield func(x uint32) bool) {
	return func(yield func(x uint32) bool) {
		twos := bits.TrailingZeros32(d)
		odd := d >> twos
		inverse := odd
		for range 4 {
			inverse *= 2 - odd*inverse
		}
		for _, below := range []int{25, 24} { // the middle of two quotients below 1 has one more digit after the point
			period := uint64(1) << below >> twos
			for u := int64(-16); u <= 16; u++ { // x·2^below = middle·d + u
				if u == 0 || u&(1<<twos-1) != 0 {
					continue
				}
				for middle := uint64(-u>>twos*int64(inverse)) & (period - 1); middle < 1<<25; middle += period {
					x := uint64(int64(middle*uint64(d))+u) >> below
					if middle&1 == 1 && middle >= 1<<24 && x >= 1<<23 && x < 1<<24 && (x < uint64(d)) == (below == 25) && !yield(uint32(x)) {
						return
					}
				}
			}
		}
	}
}

// The quotient by a reciprocal that is corrected once is the number nearest to the exact one. Let x and y have 24 digits
// before the point. The sum before it is rounded differs from x/y by less than 7 units of 2⁻²⁵/y if x < y, and by less than 2 units
// of 2⁻²⁴/y otherwise, so all other x and y are right.
func TestReciprocals(t *testing.T) {
	n := 0
	for d := uint32(1 << 23); d < 1<<24; d++ {
		y := float32(d)
		inverse := 1 / y
		for k := range nearMiddle(d) {
			n++
			x := float32(k)
			q := float32(x * inverse)
			q = scalar.FMA32(-scalar.FMA32(y, q, -x), inverse, q)
			if q != x/y {
				t.Fatalf("%g/%g: got %g, want %g", x, y, q, x/y)
			}
		}
	}
	if want := 93_036_199; n != want {
		t.Errorf("%d quotients were computed, want %d", n, want)
	}
}
