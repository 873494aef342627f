package simt_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/lower/simt"
)

// Running folds along rows have their canonical bits for extents around every boundary,
// types of both sizes, both directions, and rows that are divided into parts.
func TestRowFolds(t *testing.T) {
	one := func(text string, seed int, threads int) {
		t.Helper()
		k, err := irtext.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if f := simt.Lower(k, simt.Options{}); f.Threads != threads {
			t.Errorf("groups of %d threads, want %d\n%s", f.Threads, threads, text)
		}
		compare(t, k, uint64(seed), simt.Options{})
	}
	for i, c := range []struct{ n, threads int }{
		{256, 128}, {257, 128}, {1000, 128}, {1023, 128}, {1024, 128}, {1025, 64}, {2048, 64}, {2049, 128},
		{3100, 128}, {5000, 256}, {8192, 256}, {8193, 256}, {16384, 256}, {33000, 256}, {70001, 256},
	} {
		rows := max(1, 5000/c.n)
		for j, op := range []string{"sum", "reverse sum", "max", "reverse prod"} {
			if c.n > 10000 && j > 0 {
				continue
			}
			one(fmt.Sprintf("kernel k(in x f32[%d], out y f32[%[1]d]) grid a0<%d {\ncumulate %s a1<%d {\n%%0 = load f32 x[a1+%[4]d*a0<%[1]d]\n} then %%1 = %%0 {\n%%2 = canon f32 %%1\nstore y[a1+%[4]d*a0<%[1]d], %%2\n}\n}",
				rows*c.n, rows, op, c.n), 4*i+j, c.threads)
		}
	}
	one("kernel k(in x f64[20000], out y f64[20000]) grid a0<2 {\ncumulate sum a1<10000 {\n%0 = load f64 x[a1+10000*a0<20000]\n} then %1 = %0 {\nstore y[a1+10000*a0<20000], %1\n}\n}", 80, 128)
	one("kernel k(in x i16[900], out y i16[900]) grid a0<3 {\ncumulate sum a1<300 {\n%0 = load i16 x[a1+300*a0<900]\n} then %1 = %0 {\nstore y[a1+300*a0<900], %1\n}\n}", 81, 128)
	one("kernel k(in x bool[900], out y bool[900]) grid a0<3 {\ncumulate or a1<300 {\n%0 = load bool x[a1+300*a0<900]\n} then %1 = %0 {\nstore y[a1+300*a0<900], %1\n}\n}", 82, 128)
	one("kernel k(in x f32[3900], in z f32[13], out y f32[3900]) grid a0<4 {\nvector a1<4 tail a0 13 {\n%3 = load f32 z[4*a0+a1<13]\ncumulate sum a2<300 {\n%0 = load f32 x[a2+1200*a0+300*a1<3900]\n%4 = mul f32 %0, %3\n} then %1 = %4 {\nstore y[a2+1200*a0+300*a1<3900], %1\n}\n}\n}", 83, 128)
	one("kernel k(in x f32[3900], out y f32[3900]) {\nvector a0<13 {\ncumulate sum a1<300 {\n%0 = load f32 x[a1+300*a0<3900]\n} then %1 = %0 {\nstore y[a1+300*a0<3900], %1\n}\n}\n}", 84, 128)
}
