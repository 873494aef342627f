package simt_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// Functions for arrays of other shapes are equal once their constants are symbols, and those of other operations are not.
func TestUnsizedFuncsAreEqual(t *testing.T) {
	sums := func(rows, n int) *simt.Func {
		return simt.UnsizedOn(schedule.Device{}, parsed(t, `kernel k(in x f32[%[3]d], out y f32[%[3]d]) grid a0<%[1]d {
  cumulate sum a1<%[2]d {
    %%0 = load f32 x[a1+%[2]d*a0<%[3]d]
  } then %%1 = %%0 {
    %%2 = canon f32 %%1
    store y[a1+%[2]d*a0<%[3]d], %%2
  }
}`, rows, n, rows*n))
	}
	keys := map[string]string{}
	for name, pair := range map[string][2]*simt.Func{
		"running sums": {sums(3, 40), sums(5, 37)},
		"merge":        {merge(3000, 2), merge(5000, 3)},
	} {
		if pair[0].Key() != pair[1].Key() {
			t.Errorf("%s: functions for two shapes differ", name)
		}
		if len(pair[0].Values) == 0 || len(pair[0].Values) != len(pair[1].Values) {
			t.Errorf("%s: %d and %d values, want as many, and some", name, len(pair[0].Values), len(pair[1].Values))
		}
		for other, key := range keys {
			if key == pair[0].Key() {
				t.Errorf("%s and %s are equal", name, other)
			}
		}
		keys[name] = pair[0].Key()
	}
}

func merge(n, rows int64) *simt.Func {
	return simt.UnsizedOn(schedule.Device{}, schedule.Sort{Key: scalar.U32, Rows: rows, N: n}.Kernels()[1])
}

// Attentions have keys, which differ by their scales.
func TestKeyOfAttention(t *testing.T) {
	key := func(scale float32) string {
		return (&simt.Func{Kernel: &ir.Kernel{}, Attention: &simt.Attention{Scale: scale}}).Key()
	}
	if key(0.5) != key(0.5) || key(0.5) == key(0.25) {
		t.Error("keys are equal for different scales, or differ for one")
	}
}

// A function whose constants are symbols does what it did, also where equal constants have to share symbols.
func TestUnsizedKinds(t *testing.T) {
	unsized := 0
	for name, f := range simttest.Kinds() {
		if len(f.Kernel.Symbols) > 0 || f.Cluster > 1 || name == "product" { // batched_product and product_f64 are smaller ones
			continue
		}
		u := f.Unsized()
		if len(u.Values) == 0 {
			continue
		}
		unsized++
		r := rand.New(rand.NewPCG(1, uint64(len(name))))
		var a, b [][]byte
		for _, x := range f.Kernel.Buffers {
			m := make([]byte, int(x.Len.Value)*x.Type.Size())
			if x.Type.IsFloat() {
				fill(r, x.Type, m, false)
			}
			a, b = append(a, m), append(b, bytes.Clone(m))
		}
		if err := simteval.Run(f, nil, a, 1); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if err := simteval.Run(u, u.Values, b, 1); err != nil {
			t.Errorf("%s with symbols: %v", name, err)
		}
		for i := range a {
			if !bytes.Equal(a[i], b[i]) {
				t.Errorf("%s: buffer %d differs", name, i)
			}
		}
	}
	if unsized < 10 {
		t.Errorf("%d functions have symbols, want at least 10", unsized)
	}
}
