package simt_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/internal/test/ireval"
	"github.com/weft-go/weft/internal/test/simteval"
	"github.com/weft-go/weft/internal/test/simttest"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/lower/simt"
)

// A result may have the memory of an operand, even where some teams have no row.
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
	inPlace(t, k, 0, 1, schedule.Device{})
}

// A result with one number a row may have the memory of an operand with one number a row.
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
		t.Run(name, func(t *testing.T) { inPlace(t, k, 1, 3, schedule.Device{}) })
	}
}

// So may one of long rows, which the groups of a cluster read.
func TestLongRowsInPlace(t *testing.T) {
	inPlace(t, simttest.LongRows("f32", 4610, 2)["norm"], 2, 4, schedule.Device{Group: 64, Cluster: 4})
}

// Sums of complex numbers have fewer lanes than a warp has threads.
func TestRowsOfFewLanes(t *testing.T) {
	for _, n := range []int{100, 300, 1500} {
		k := parsed(t, `kernel k(in x f64[%[2]d], out y f64[3]) grid a0<3 {
  reduce lanes 16 a1<%[1]d {
    %%0 = load f64 x[%[1]d*a0+a1<%[2]d]
    %%1 = mul f64 %%0, %%0
  } fold %%2 = sum %%0, %%3 = sum %%1
  %%4 = sub f64 %%2, %%3
  %%5 = canon f64 %%4
  store y[a0<3], %%5
}`, n, 3*n)
		compare(t, k, 1, simt.Options{}, simt.Options{Device: schedule.Device{Group: 32, Cluster: 2}})
	}
}

// inPlace compares a kernel of rows two of whose buffers have the same memory.
func inPlace(t *testing.T, k *ir.Kernel, in, out int, d schedule.Device) {
	t.Helper()
	want, start := memories(rand.New(rand.NewPCG(3, 9)), k, true)
	want[out], start[out] = want[in], start[in]
	if err := ireval.Run(k, nil, want); err != nil {
		t.Fatal(err)
	}
	f := simt.Lower(k, simt.Options{Device: d})
	if !has[*simt.Shuffle](f) || d.Cluster > 0 && f.Cluster < 2 {
		t.Error("no team of threads takes a row")
	}
	if err := simteval.Run(f, nil, start, 2*max(f.Cluster, 1)); err != nil {
		t.Error(err)
	}
	for i := range want {
		if !bytes.Equal(start[i], want[i]) {
			t.Errorf("buffer %d is\n%x, want\n%x", i, head(start[i]), head(want[i]))
		}
	}
}
