package irpass_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/weft-go/weft/lower/irpass"
)

// The remainder by a constant, and quotients by constants: what depends on constants alone is computed, quotients
// by powers of two are products, and the bits stay.
func TestFold(t *testing.T) {
	text := `kernel k(in x f32[64], out y f32[64], out z f32[64], out w f64[64], out v f32[64]) {
  %0 = const f32 0xc0800000
  %1 = abs f32 %0
  %2 = convert f64 %1
  %3 = const f64 0x4330000000000000
  %4 = mul f64 %2, %3
  %5 = const f64 0x0
  %6 = lt bool %5, %2
  %7 = const f64 0x7ff0000000000000
  %8 = eq bool %2, %7
  vector a0<64 {
    %9 = load f32 x[a0<64]
    %10 = convert f64 %9
    %11 = div f64 %10, %2
    %12 = div f64 %10, %4
    %13 = lt bool %3, %11
    %14 = and bool %13, %6
    %15 = and bool %8, %14
    %16 = select f64 %15, %12, %11
    %17 = rare f64 %14, %12, %16
    store w[a0<64], %17
    %18 = const f32 0x40400000
    %19 = div f32 %9, %18
    store y[a0<64], %19
    %20 = const f32 0x7e800000
    %21 = div f32 %9, %20
    %22 = const f32 0x00400000
    %23 = div f32 %21, %22
    %24 = canon f32 %23
    store z[a0<64], %24
  }
  %25 = const i64 0x0
  %26 = const i64 0xffffffffffffffff
  %27 = lt bool %26, %25
  %28 = ne bool %26, %25
  %29 = and bool %27, %28
  vector a1<64 {
    %30 = load f32 x[a1<64]
    %31 = abs f32 %30
    %32 = select f32 %29, %30, %31
    %33 = neg f32 %32
    store v[a1<64], %33
  }
}`
	k, q := parsed(t, text), irpass.DropCanon(irpass.Fold(parsed(t, text)))
	if err := q.Check(); err != nil {
		t.Fatal(err)
	}
	got := q.String()
	for _, gone := range []string{"abs f32 %0", "eq bool", "ne bool", "select", "and bool"} {
		if strings.Contains(got, gone) {
			t.Errorf("%s stays:\n%s", gone, got)
		}
	}
	// 3 is no power of two; 2¹²⁶ and 2⁻¹²⁷ have inverses at the bounds of normal numbers.
	if n := strings.Count(got, "div "); n != 3 {
		t.Errorf("%d divisions, want 3:\n%s", n, got)
	}
	want, have := memory(k), memory(q)
	run(t, k, want)
	run(t, q, have)
	for i := range want {
		if !bytes.Equal(want[i], have[i]) {
			t.Errorf("buffer %d differs", i)
		}
	}
}
