package simt_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/simt"
)

// Reductions across lines keep their order, divided into parts or not.
func TestColumns(t *testing.T) {
	for _, c := range []struct{ columns, lines int }{{1 << 16, 64}, {1<<16 + 2, 100}, {1 << 16, 96}, {1 << 16, 300}} {
		k := columns(t, c.columns, c.lines, "chunks", "sum")
		if f := simt.Lower(k, simt.Options{}); !has[*simt.LoadVec](f) || has[*simt.Shuffle](f) {
			t.Errorf("no loads of neighbouring elements in\n%v", k)
		}
		if c.lines == 96 {
			compare(t, k, 1, simt.Options{})
		}
	}
	for _, c := range []struct{ columns, lines int }{{16, 512}, {6, 1000}, {5, 1030}, {128, 1100}, {4, 5000}, {700, 256}, {1030, 300}} {
		for order, op := range map[string]string{"chunks": "sum", "any": "max"} {
			runDivided(t, columns(t, c.columns, c.lines, order, op), c.columns)
		}
	}
	// Elements that are not reduced are loaded by the kernel that combines parts, not by the kernel of the parts.
	k := parsed(t, `kernel k(in b f32[256], in x f32[262144], out y f32[256]) {
  %%6 = const f32 0x3c23d70a
  vector a0<256 {
    %%0 = load f32 b[a0<256]
    reduce chunks a1<1024 {
      %%1 = load f32 x[a0+256*a1<262144]
    } fold %%2 = sum %%1
    %%7 = mul f32 %%2, %%6
    %%9 = sub f32 %%0, %%7
    %%10 = canon f32 %%9
    store y[a0<256], %%10
  }
}`)
	runDivided(t, k, 256)
	for _, s := range simt.Divide(k).Parts.Body[len(simt.Divide(k).Parts.Body)-1].(*ir.Loop).Body {
		if l, ok := s.(*ir.Load); ok {
			t.Errorf("parts load buffer %d for each column", l.At.Buffer)
		}
	}
}

// runDivided compares the division of a kernel with what the kernel computes.
func runDivided(t *testing.T, k *ir.Kernel, columns int) {
	t.Helper()
	d := simt.Divide(k)
	if d == nil {
		t.Errorf("not divided: %v", k)
		return
	}
	if n := simt.Lower(d.Join, simt.Options{}).Items(nil); n != int64(columns) {
		t.Errorf("the kernel that combines parts has %d items, want one for each of %d columns\n%v", n, columns, d.Join)
	}
	want, got := memories(rand.New(rand.NewPCG(1, 2)), k, true)
	if err := ireval.Run(k, nil, want); err != nil {
		t.Fatal(err)
	}
	for _, n := range d.Scratch {
		got = append(got, make([]byte, n))
	}
	for _, k := range []*ir.Kernel{d.Parts, d.Join} {
		f := simt.Lower(k, simt.Options{})
		if err := simteval.Run(f, nil, got, int(min(f.Groups(nil), 3))); err != nil {
			t.Fatalf("%v\n%v", err, k)
		}
	}
	for i := range want {
		if !bytes.Equal(got[i], want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x\n%v", i, head(got[i]), head(want[i]), k)
		}
	}
}

// Kernels that are divided, or fill a device, or have columns that groups take, need no other division.
func TestColumnsNeedNoDivision(t *testing.T) {
	for _, c := range []struct {
		columns, lines int
		want           bool
	}{{1024, 1 << 17, true}, {1 << 16, 64, true}, {1000, 255, false}, {1000, 256, true}} {
		if k := columns(t, c.columns, c.lines, "chunks", "sum"); simt.Columns(k) != c.want {
			t.Errorf("%v: got %t, want %t", c, !c.want, c.want)
		}
	}
	k := parsed(t, `kernel k(in x f32[65536], out y f32[128]) {
  vector a0<128 {
    reduce chunks a1<512 {
      %%0 = load f32 x[a0+128*a1<65536]
    } fold %%1 = sum %%0
    store y[a0<128], %%1
  }
}`)
	if f := simt.Lower(k, simt.Options{}); !simt.Columns(k) || simt.Divide(k) != nil || !f.Group || f.Groups(nil) != 128 {
		t.Errorf("got %t and %d groups, want 128 groups of a column each", simt.Columns(k), f.Groups(nil))
	}
}

// columns returns a kernel that reduces the columns of a matrix.
func columns(t *testing.T, n, lines int, order, op string) *ir.Kernel {
	return parsed(t, `kernel k(in x f32[%[3]d], out y f32[%[1]d]) grid a0<%[4]d {
  vector a1<64 tail a0 %[1]d {
    reduce %[5]s a2<%[2]d {
      %%0 = load f32 x[64*a0+a1+%[1]d*a2<%[3]d]
      %%1 = mul f32 %%0, %%0
    } fold %%2 = %[6]s %%1
    %%3 = canon f32 %%2
    store y[64*a0+a1<%[1]d], %%3
  }
}`, n, lines, n*lines, (n+63)/64, order, op)
}
