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

// A result may have the memory of an operand, where some teams have no row.
func TestRowsOfElementsInPlace(t *testing.T) {
	k := parsed(t, `kernel k(in x f32[650], out y f32[650]) grid a0<10 {
  reduce lanes 64 a1<65 {
    %%0 = load f32 x[65*a0+a1<650]
  } fold %%3 = sum %%0
  vector a2<65 {
    %%1 = load f32 x[65*a0+a2<650]
    %%4 = sub f32 %%1, %%3
    %%5 = canon f32 %%4
    store y[65*a0+a2<650], %%5
  }
}`)
	inPlace(t, k, 0, 1)
}

// A result of rows may have the memory of numbers of rows that are read within them.
func TestRowsInPlace(t *testing.T) {
	for name, text := range map[string]string{
		"loop": `kernel k(in x f32[640], in b f32[10], out z f32[640], out y f32[10]) grid a0<10 {
  reduce lanes 64 a1<64 {
    %0 = load f32 x[64*a0+a1<640]
  } fold %3 = sum %0
  vector a2<64 {
    %1 = load f32 x[64*a0+a2<640]
    %2 = load f32 b[a0<10]
    %4 = sub f32 %1, %2
    %5 = canon f32 %4
    store z[64*a0+a2<640], %5
  }
  %6 = canon f32 %3
  store y[a0<10], %6
}`,
		"reduction": `kernel k(in x f32[640], in b f32[10], out z f32[640], out y f32[10]) grid a0<10 {
  reduce lanes 64 a1<64 {
    %0 = load f32 x[64*a0+a1<640]
    %1 = load f32 b[a0<10]
    %2 = mul f32 %0, %1
  } fold %3 = sum %2
  %6 = canon f32 %3
  store y[a0<10], %6
}`,
		"numbers of rows": `kernel k(in x f32[640], in b f32[10], out z f32[640], out y f32[10]) grid a0<10 {
  %1 = load f32 b[a0<10]
  reduce lanes 64 a1<64 {
    %0 = load f32 x[64*a0+a1<640]
  } fold %3 = sum %0
  %2 = add f32 %1, %3
  %6 = canon f32 %2
  store y[a0<10], %6
}`,
	} {
		k := parsed(t, "%s", text)
		t.Run(name, func(t *testing.T) { inPlace(t, k, 1, 3) })
	}
}

// inPlace compares a kernel of rows two of whose buffers have the same memory.
func inPlace(t *testing.T, k *ir.Kernel, in, out int) {
	t.Helper()
	want, start := memories(rand.New(rand.NewPCG(3, 9)), k, true)
	want[out], start[out] = want[in], start[in]
	if err := ireval.Run(k, nil, want); err != nil {
		t.Fatal(err)
	}
	f := simt.Lower(k, simt.Options{})
	if !has[*simt.Shuffle](f) {
		t.Error("no team of threads takes a row")
	}
	if err := simteval.Run(f, nil, start, 2); err != nil {
		t.Error(err)
	}
	for i := range want {
		if !bytes.Equal(start[i], want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x", i, head(start[i]), head(want[i]))
		}
	}
}
