package simt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/simt"
)

// Gathers of rows have the bits of the kernel's evaluator: for chunks of four, two and one
// elements, rows that are divided, several axes, and several chunks a thread. Memory that is
// not aligned is read element by element.
func TestRowGathers(t *testing.T) {
	rows := func(dt string, rows, n, all int) string {
		return fmt.Sprintf("kernel k(in i i32[%d], in x %s[%d], out y %[2]s[%[4]d]) grid a0<%[1]d {\n%%0 = load i32 i[a0<%[1]d]\nvector a1<%[5]d {\n%%1 = load %[2]s x[clamp %%0<%[6]d*%[5]d, a1<%[5]d]\nstore y[a1+%[5]d*a0<%[4]d], %%1\n}\n}",
			rows, dt, all*n, rows*n, n, all)
	}
	for i, c := range []struct {
		text string
		vec  int // elements of the widest access
	}{
		{rows("f32", 7, 24, 40), 4},
		{rows("f32", 3, 10, 40), 2},
		{rows("u8", 300, 12, 5), 4},
		{rows("f64", 9, 6, 5), 2},
		{rows("i16", 9, 7, 5), 1},
		{rows("i32", 1<<14, 64, 50), 4}, // two chunks a thread
		{`kernel k(in i i32[3], in x f32[400], in z f32[3], out y f32[300]) grid a0<3, a1<7 {
  %0 = load i32 i[a0<3]
  %1 = load f32 z[a0<3]
  vector a2<16 tail a1 100 {
    %2 = load f32 x[clamp %0<4*100, a2+16*a1<100]
    %3 = add f32 %2, %1
    %4 = canon f32 %3
    store y[a2+16*a1+100*a0<300], %4
  }
}`, 4},
		{`kernel k(in i i32[12], in x f32[320], out y f32[192]) grid a0<3, a1<4 {
  %0 = load i32 i[4*a0+a1<12]
  vector a2<16 {
    %1 = load f32 x[clamp %0<4*16, 64*a1+a2<256]
    store y[a2+16*a1+64*a0<192], %1
  }
}`, 4},
	} {
		k, err := irtext.Parse(c.text)
		if err != nil {
			t.Fatalf("%v\n%s", err, c.text)
		}
		f := simt.Lower(k, simt.Options{})
		vec := 1
		simt.Walk(f.Body, func(s simt.Stmt) {
			if s, ok := s.(*simt.LoadVec); ok {
				vec = max(vec, len(s.Dst))
			}
		})
		if vec != c.vec {
			t.Errorf("accesses of %d elements, want %d\n%s", vec, c.vec, c.text)
		}
		compare(t, k, uint64(i), simt.Options{})
	}
	k, err := irtext.Parse(rows("f32", 7, 24, 40))
	if err != nil {
		t.Fatal(err)
	}
	all := [][]byte{make([]byte, 4*7), make([]byte, 4*24*40+4)[4:], make([]byte, 4*7*24+4)[4:]}
	for i := range all[1] {
		all[1][i] = byte(i * 3)
	}
	if err := simteval.Run(simt.Lower(k, simt.Options{}), nil, all, 2); err != nil {
		t.Error(err)
	}
	if want := strings.Repeat(string(all[1][:4*24]), 7); string(all[2]) != want {
		t.Errorf("memory that is not aligned: got\n%x, want\n%x", all[2], want)
	}
}
