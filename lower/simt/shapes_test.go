package simt_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
)

func parsed(t *testing.T, text string, args ...any) *ir.Kernel {
	t.Helper()
	k, err := irtext.Parse(fmt.Sprintf(text, args...))
	if err != nil {
		t.Fatalf("%v\n%s", err, fmt.Sprintf(text, args...))
	}
	if err := k.Check(); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	return k
}

// unaligned compares a kernel whose buffers begin at no multiple of simt.VecBytes.
func unaligned(t *testing.T, k *ir.Kernel, seed uint64) {
	t.Helper()
	want, start := memories(rand.New(rand.NewPCG(seed, 9)), k, seed%2 == 1)
	if err := ireval.Run(k, nil, want); err != nil {
		t.Fatal(err)
	}
	for i, b := range k.Buffers {
		m := make([]byte, len(start[i])+32)[b.Type.Size():][:len(start[i])]
		copy(m, start[i])
		start[i] = m
	}
	if err := simteval.Run(simt.Lower(k, simt.Options{}), nil, start, 2); err != nil {
		t.Fatalf("%v\n%v", err, k)
	}
	for i := range want {
		if !bytes.Equal(start[i], want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x\n%v", i, head(start[i]), head(want[i]), k)
		}
	}
}

// has reports whether a program has a statement of a type.
func has[S simt.Stmt](f *simt.Func) bool {
	found := false
	simt.Walk(f.Body, func(s simt.Stmt) {
		if _, ok := s.(S); ok {
			found = true
		}
	})
	return found
}

// Kernels that compute element by element use accesses of neighbouring elements for any
// number of elements, at any address.
func TestStreams(t *testing.T) {
	seed := uint64(0)
	for typ, op := range map[string]string{"f32": "add", "f64": "sub", "u8": "add", "u16": "mul", "bool": "or"} {
		for _, n := range []int{1, 3, 4, 5, 127, 512, 1000, 5003} {
			k := parsed(t, `kernel k(in x %[1]s[%[2]d], in s %[1]s[1], out y %[1]s[%[2]d], out z %[1]s[%[2]d]) {
  vector a0<%[2]d {
    %%0 = load %[1]s x[a0<%[2]d]
    %%1 = load %[1]s s[]
    %%2 = %[4]s %[1]s %%0, %%1
    store y[a0<%[2]d], %%2
    store z[%[3]d+-1*a0<%[2]d], %%2
  }
}`, typ, n, n-1, op)
			seed++
			compare(t, k, seed, simt.Options{})
			unaligned(t, k, seed)
			if n >= 4 && !has[*simt.LoadVec](simt.Lower(k, simt.Options{})) {
				t.Errorf("no load of neighbouring elements in\n%v", k)
			}
		}
	}
	// Rows of a tail, an outer axis that stays, one that is merged.
	for _, text := range []string{
		`kernel k(in x f32[1000], out y f32[1000]) grid a0<8 {
  vector a1<128 tail a0 1000 {
    %0 = load f32 x[128*a0+a1<1000]
    %1 = neg f32 %0
    store y[128*a0+a1<1000], %1
  }
}`, `kernel k(in x f32[600], in s f32[20], out y f32[1200]) grid a0<20, a1<5 {
  %2 = load f32 s[a0<20]
  vector a2<12 {
    %0 = load f32 x[clamp 6*a1+30*a0+a2<600]
    %1 = sub f32 %0, %2
    %3 = canon f32 %1
    store y[12*a1+60*a0+a2<1200], %3
  }
}`, `kernel k(in x f32[2400], out y f32[1200], out z i32[1200]) grid a0<20, a1<5 {
  vector a2<12 {
    %0 = load f32 x[12*a1+120*a0+a2<2400]
    store y[12*a1+60*a0+a2<1200], %0
    %1 = index i32 a2 + 3*a1
    store z[12*a1+60*a0+a2<1200], %1
  }
}`} {
		k, err := irtext.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		seed++
		compare(t, k, seed, simt.Options{})
		unaligned(t, k, seed)
	}
}

// A seldom taken operand is computed in a branch, for several elements as for one.
func TestRareBranches(t *testing.T) {
	k := parsed(t, `kernel k(in x f32[1003], out y f32[1003]) {
  %%9 = const f32 0x40000000
  vector a0<1003 {
    %%0 = load f32 x[a0<1003]
    %%1 = lt bool %%9, %%0
    %%2 = mul f32 %%0, %%0
    %%3 = const f32 0x40400000
    %%4 = div f32 %%2, %%3
    %%5 = add f32 %%4, %%9
    %%6 = rare f32 %%1, %%5, %%2
    %%7 = sub f32 %%4, %%3
    %%8 = rare f32 %%1, %%7, %%6
    %%10 = canon f32 %%8
    store y[a0<1003], %%10
  }
}`)
	compare(t, k, 1, every...)
	if f := simt.Lower(k, simt.Options{Mode: simt.PerThread}); !has[*simt.If](f) {
		t.Error("there is no branch")
	}
	// A branch assigns what it computes, and a condition may come from another branch.
	k = parsed(t, `kernel k(in x f32[1003], out y f32[1003]) {
  %%9 = const f32 0x40000000
  vector a0<1003 {
    %%0 = load f32 x[a0<1003]
    %%1 = lt bool %%9, %%0
    %%2 = mul f32 %%0, %%0
    %%3 = div f32 %%2, %%9
    %%4 = le bool %%3, %%9
    %%5 = rare bool %%1, %%4, %%1
    %%6 = sub f32 %%0, %%2
    %%7 = sqrt f32 %%6
    %%8 = rare f32 %%5, %%7, %%2
    %%10 = canon f32 %%8
    store y[a0<1003], %%10
  }
}`)
	compare(t, k, 1, every...)
	selects := 0
	simt.Walk(simt.Lower(k, simt.Options{Mode: simt.PerThread}).Body, func(s simt.Stmt) {
		if o, ok := s.(*simt.Op); ok && (o.Inst.Op == scalar.OpRare || o.Inst.Op == scalar.OpSelect) {
			selects++
		}
	})
	if selects > 0 {
		t.Errorf("%d results of branches are selected, want none", selects)
	}
}

// Rows of any length that are used in several passes are loaded once.
func TestRows(t *testing.T) {
	seed := uint64(0)
	for _, n := range []int{32, 33, 63, 64, 65, 66, 68, 100, 128, 192, 250, 512, 1000, 1023, 1024} {
		for _, rows := range []int{1, 3, 8, 13} {
			if n > 200 && rows > 3 {
				continue
			}
			k := parsed(t, `kernel k(in x f32[%[3]d], in g f32[%[1]d], inout y f32[%[3]d], out s f32[%[2]d]) grid a0<%[2]d {
  reduce any a1<%[1]d {
    %%0 = load f32 x[a1+%[1]d*a0<%[3]d]
  } fold %%1 = max %%0
  vector a2<%[1]d {
    %%2 = load f32 x[a2+%[1]d*a0<%[3]d]
    %%3 = sub f32 %%2, %%1
    %%4 = canon f32 %%3
    store y[a2+%[1]d*a0<%[3]d], %%4
  }
  reduce lanes 64 a3<%[1]d {
    %%5 = load f32 y[a3+%[1]d*a0<%[3]d]
    %%6 = mul f32 %%5, %%5
  } fold %%7 = sum %%6, %%8 = max %%5
  %%9 = canon f32 %%7
  store s[a0<%[2]d], %%9
  vector a4<%[1]d {
    %%10 = load f32 y[a4+%[1]d*a0<%[3]d]
    %%11 = load f32 g[a4<%[1]d]
    %%12 = fma f32 %%10, %%11, %%8
    %%13 = add f32 %%12, %%7
    %%14 = canon f32 %%13
    store y[a4+%[1]d*a0<%[3]d], %%14
  }
}`, n, rows, n*rows)
			seed++
			compare(t, k, seed, simt.Options{})
			unaligned(t, k, seed)
			if !has[*simt.Shuffle](simt.Lower(k, simt.Options{})) {
				t.Errorf("no exchange in\n%v", k)
			}
		}
	}
	for _, n := range []int{40, 64, 300} { // lanes of 8 bytes, integers
		for _, typ := range []string{"f64", "i32"} {
			order, canon := "lanes 32", "canon"
			if typ == "i32" {
				order, canon = "any", "not"
			}
			k := parsed(t, `kernel k(in x %[4]s[%[2]d], out y %[4]s[%[3]d]) grid a0<%[3]d {
  reduce %[5]s a1<%[1]d {
    %%0 = load %[4]s x[a1+%[1]d*a0<%[2]d]
  } fold %%1 = sum %%0
  %%2 = %[6]s %[4]s %%1
  store y[a0<%[3]d], %%2
}`, n, n*7, 7, typ, order, canon)
			compare(t, k, 5, simt.Options{})
			unaligned(t, k, 5)
		}
	}
}

// Threads share what lies beside each other in memory: the elements of a row, be there many rows or few,
// and columns, each of which one thread reduces.
func TestSharedItems(t *testing.T) {
	row := `kernel k(in x f32[%[3]d], out y i64[%[1]d]) grid a0<%[1]d {
  reduce any a1<%[2]d {
    %%0 = load f32 x[a1+%[2]d*a0<%[3]d]
    %%1 = index i64 a1
  } fold %%2 %%3 = argmax %%0 %%1
  store y[a0<%[1]d], %%3
}`
	for _, c := range []struct{ rows, n, threads int }{{1 << 17, 1 << 10, 256}, {1 << 14, 1 << 13, 256}, {1 << 20, 64, 64}, {100, 200, 64}} {
		f := simt.Lower(parsed(t, row, c.rows, c.n, c.rows*c.n), simt.Options{})
		if !f.Group || f.Threads != c.threads {
			t.Errorf("rows of %d: %d threads, together: %t; want %d that share a row", c.n, f.Threads, f.Group, c.threads)
		}
	}
	k := parsed(t, `kernel k(in x f32[4194304], out y i64[1024]) grid a0<16 {
  vector a1<64 tail a0 1024 {
    reduce any a2<4096 {
      %%0 = load f32 x[64*a0+a1+1024*a2<4194304]
      %%1 = index i64 a2
    } fold %%2 %%3 = argmax %%0 %%1
    store y[64*a0+a1<1024], %%3
  }
}`)
	if f := simt.Lower(k, simt.Options{}); !f.Group || f.Threads != 64 {
		t.Errorf("64 columns: %d threads, together: %t; want 64 of a column each", f.Threads, f.Group)
	}
	for _, c := range []struct {
		columns, lines int
		together       bool
	}{{512, 128, true}, {10, 128, true}, {512, 64, false}, {4096, 128, false}} { // a thread has the loads of 16 lines under way
		k := parsed(t, `kernel k(in x f32[%[3]d], out y f32[%[1]d]) {
  vector a0<%[1]d {
    reduce chunks a1<%[2]d {
      %%0 = load f32 x[a0+%[1]d*a1<%[3]d]
    } fold %%1 = sum %%0
    store y[a0<%[1]d], %%1
  }
}`, c.columns, c.lines, c.columns*c.lines)
		if f := simt.Lower(k, simt.Options{}); f.Group != c.together {
			t.Errorf("%d columns of %d lines: together: %t, want %t", c.columns, c.lines, f.Group, c.together)
		}
	}
}

// Transpositions move every element, in whole tiles or not.
func TestTransposes(t *testing.T) {
	for _, typ := range []scalar.Type{scalar.U32, scalar.U64} {
		for _, c := range [][3]int{{64, 64, 1}, {70, 130, 2}, {1, 100, 3}, {128, 32, 1}} {
			rows, cols, batch := c[0], c[1], c[2]
			n := rows * cols * batch
			x := &simt.Transpose{Name: "transpose", Type: typ, Rows: simt.TransposeAxis{N: rows, In: cols, Out: 1}, Cols: simt.TransposeAxis{N: cols, In: 1, Out: rows},
				Offset: 3, Lens: [2]int64{int64(n) + 3, int64(n)}}
			if batch > 1 {
				x.Batch = []simt.TransposeAxis{{N: batch, In: rows * cols, Out: rows * cols}}
			}
			f := simt.LowerTranspose(x)
			b := make([][]byte, 2)
			size := typ.Size()
			for i := range b {
				b[i] = make([]byte, int(x.Lens[i])*size)
			}
			fill(rand.New(rand.NewPCG(1, uint64(n))), typ, b[0], false)
			if err := simteval.Run(f, nil, b, 2); err != nil {
				t.Fatal(err)
			}
			for k := range batch {
				for r := range rows {
					for c := range cols {
						from, to := (3+(k*rows+r)*cols+c)*size, ((k*cols+c)*rows+r)*size
						if !bytes.Equal(b[0][from:from+size], b[1][to:to+size]) {
							t.Fatalf("%v of %v: element %d, %d, %d is %x, want %x", c, typ, k, r, c, b[1][to:to+size], b[0][from:from+size])
						}
					}
				}
			}
		}
	}
}
