//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	goruntime "runtime"
	"sync"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/data"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
)

// collect runs the collector and gives cleanups time.
func collect() {
	goruntime.GC()
	time.Sleep(2 * time.Millisecond)
}

// An upload, however large, waits for no kernel, and later kernels that use the array wait for the upload.
func TestUploadsDoNotWait(t *testing.T) {
	for _, pools := range []bool{true, false} {
		f := fakecuda.New()
		f.Pools = pools
		dev, _ := registered(t, f)
		g := weft.Jit(func(x weft.Array) weft.Array {
			return weft.Sin(lax.Slice(x, []int{x.Size() - 10}, []int{x.Size()}, nil))
		}, weft.On(dev))
		small, x := weft.Ones(10).To(dev), weft.Linspace(0, 1, 5*stageBytes/4)
		want := weft.Sin(lax.Slice(x, []int{x.Size() - 10}, []int{x.Size()}, nil))
		_ = weft.ToSlice[float32](small)
		_ = g(small) // on its way
		waiting := f.Waiting()
		there := x.To(dev)
		if n := f.Waiting(); n <= waiting {
			t.Errorf("pools %v: %d commands had not run before an upload, %d have not after it", pools, waiting, n)
		}
		if _ = weft.ToSlice[float32](there); f.Waiting() < waiting {
			t.Errorf("pools %v: who waits for an upload waits for the kernels before it", pools)
		}
		if got := g(there); !testcheck.SameBinary(got, want) {
			t.Errorf("pools %v: got %v, want %v", pools, got, want)
		}
	}
}

// The number of pieces of pinned memory is bounded, however large uploads are.
func TestPiecesAreBounded(t *testing.T) {
	f := fakecuda.New()
	_, d := registered(t, f)
	data := make([]byte, 2*stages*stageBytes)
	p, err := d.Alloc(len(data))
	if err != nil {
		t.Fatal(err)
	}
	before := f.Calls("cuMemHostAlloc")
	m, err := d.Upload(p, data, 0)
	if err == nil {
		err = d.Arrived(m)
	}
	if n := f.Calls("cuMemHostAlloc") - before; err != nil || n != stages {
		t.Errorf("%v, %d pieces for %d MiB, want %d", err, n, len(data)>>20, stages)
	}
	d.Free(p)
}

// Memory of uploaded arrays that are garbage is used again by uploads, even if no program runs.
func TestUploadsAloneUseMemoryAgain(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	for range 20 {
		weft.Ones(1 << 18).To(dev) // 1 MiB
		collect()
		f.Objects() // all commands run
	}
	if n := f.Objects().Bytes; n > 6<<20 {
		t.Errorf("20 uploads of 1 MiB take %d bytes", n)
	}
}

// Each step of training uploads a batch into memory of earlier batches, while kernels of earlier steps have not run.
func TestUploadsIntoMemoryThatWasUsed(t *testing.T) {
	f := fakecuda.New()
	f.Total = 1 << 17
	dev, _ := registered(t, f)
	step := weft.Jit(func(w, x weft.Array) weft.Array { return w.Add(x).Mul(0.5) }, weft.On(dev))
	const n = 1 << 10
	w, here := weft.Zeros(n).To(dev), weft.Zeros(n)
	for i := range 50 {
		x := weft.Sin(weft.Linspace(0, float64(i), n))
		w, here = step(w, x.To(dev)), here.Add(x).Mul(0.5)
		if i%10 == 0 {
			collect()
		}
	}
	if !testcheck.SameBinary(w, here) {
		t.Errorf("got %v, want %v", w, here)
	}
}

// An array that was uploaded and is garbage leaves memory to commands that did not wait for the upload.
func TestUploadsThatNothingUses(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	g := weft.Jit(func(x weft.Array) weft.Array { return x.Sort().Add(1) }, weft.On(dev))
	x := weft.Linspace(1, 0, 1000)
	want := x.Sort().Add(1)
	there := x.To(dev)
	for range 10 {
		weft.Full(weft.Shape{1000}, 7).To(dev)
		collect()
		got := g(there)
		f.Objects() // all commands run, those of each stream at once
		if !testcheck.SameBinary(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// Batches are copied to a device by the goroutine of Prefetch, while others compute.
func TestPrefetchOntoADevice(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	source := func(yield func(weft.Array) bool) {
		for i := range 20 {
			if !yield(weft.Full(weft.Shape{1000}, float64(i)).To(dev)) {
				return
			}
		}
	}
	step := weft.Jit(func(w, x weft.Array) weft.Array { return w.Mul(0.5).Add(x) }, weft.On(dev))
	w, here := weft.Zeros(1000), weft.Zeros(1000)
	i := 0.0
	for x := range data.Prefetch(t.Context(), source, 3) {
		w, here = step(w, x), here.Mul(0.5).Add(i)
		i++
	}
	if i != 20 || !testcheck.SameBinary(w, here) {
		t.Errorf("%v batches: got %v, want %v", i, w, here)
	}
}

// Goroutines that share an array that is being uploaded all wait for it.
func TestGoroutinesShareAnUpload(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	g := weft.Jit(func(x weft.Array) weft.Array { return x.Add(1) }, weft.On(dev))
	for i := range 10 {
		x := weft.Full(weft.Shape{1000}, float64(i))
		there := x.To(dev)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				if got := g(there); !testcheck.SameBinary(got, x.Add(1)) {
					t.Errorf("got %v", got)
				}
			})
		}
		wg.Wait()
	}
}
