//go:build linux && (amd64 || arm64)

package opencl

import (
	"fmt"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/device"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// copying returns the code of a kernel that copies n numbers.
func copying(t testing.TB, d *driver, n int) device.Kernel {
	text := fmt.Sprintf("kernel k(in x f32[%[1]d], out y f32[%[1]d]) {\nvector a0<%[1]d {\n%%0 = load f32 x[a0<%[1]d]\nstore y[a0<%[1]d], %%0\n}\n}", n)
	k, err := irtext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	code, err := d.Build([]*simt.Func{simt.Lower(k, simt.Options{})})
	if err != nil {
		t.Fatal(err)
	}
	return code.Kernels[0]
}

// A launch allocates nothing, and an argument that differs from that of the launch before is set.
func TestLaunchAllocatesNothing(t *testing.T) {
	d := opened(t)
	k := copying(t, d, 2)
	m, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Free(m)
	memory := make([]byte, 64)
	for i := range memory {
		memory[i] = byte(i)
	}
	if err := d.Write(m, 0, memory); err != nil {
		t.Fatal(err)
	}
	launch := func(from, to int) {
		if err := d.Launch(k, 1, []device.Place{{Memory: m, Offset: from}, {Memory: m, Offset: to}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range [][2]int{{0, 16}, {8, 24}, {8, 32}, {16, 40}} {
		launch(c[0], c[1])
		copy(memory[c[1]:c[1]+8], memory[c[0]:c[0]+8])
	}
	mark, err := d.Mark()
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Wait(mark); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 64)
	readComputed(t, d, got, m)
	if string(got) != string(memory) {
		t.Errorf("got %v, want %v", got, memory)
	}
	if race.Enabled {
		return // the race detector allocates on its own
	}
	places := []device.Place{{Memory: m, Offset: 0}, {Memory: m, Offset: 48}}
	if n := testing.AllocsPerRun(200, func() {
		if err := d.Launch(k, 1, places, nil); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("a launch makes %v allocations", n)
	}
}

// Arguments that a kernel has already are not set again, except when other memory may have got a handle, and
// after an argument that could not be set.
func TestArgumentsThatHaveChangedAreSet(t *testing.T) {
	d := opened(t)
	k := copying(t, d, 2)
	m, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	sets, fail := 0, false
	set := cl.Function("clSetKernelArg")
	defer cl.Replace("clSetKernelArg", purego.NewCallback(func(kernel, i, size, word uintptr) uintptr {
		if sets++; fail && i == 2 {
			const outOfHostMemory = 1<<32 - 6
			return outOfHostMemory
		}
		r, _, _ := purego.SyscallN(set, kernel, i, size, word)
		return r
	}))()
	launch := func(from, to, want int) {
		t.Helper()
		sets = 0
		err := d.Launch(k, 1, []device.Place{{Memory: m, Offset: from}, {Memory: m, Offset: to}}, nil)
		if (err != nil) != fail {
			t.Fatalf("got %v, want an error: %v", err, fail)
		}
		if sets != want {
			t.Errorf("from %d to %d: %d arguments were set, want %d", from, to, sets, want)
		}
	}
	launch(0, 16, 4)
	launch(0, 16, 0)
	launch(0, 24, 1)
	launch(8, 32, 2)
	other, err := d.Alloc(64)
	if err != nil {
		t.Fatal(err)
	}
	d.Free(other)
	launch(8, 32, 4) // the next memory may have the handle
	d.Free(m)
	if m, err = d.Alloc(64); err != nil {
		t.Fatal(err)
	}
	fail = true
	launch(8, 40, 3)
	fail = false
	launch(8, 40, 2)
	launch(8, 40, 0)
	d.Free(m)
	d.Trim()
}

// The processor time of a launch without the driver's part, at most 0.2 µs. It is reported as cpu-ns/op, in which other
// work of the machine does not count. One of three buffers has other memory than in the launch before, as results have.
func BenchmarkLaunch(b *testing.B) {
	d := opened(b)
	k := &kernel{handle: 1 << 40, threads: 128}
	libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		b.Skip(err)
	}
	nothing, err := purego.Dlsym(libc, "abs") // its argument is the low half of a handle, which is 0
	if err != nil {
		b.Skip(err)
	}
	for _, name := range []string{"clSetKernelArg", "clEnqueueNDRangeKernel"} {
		defer cl.Replace(name, nothing)()
	}
	d.queue = 1 << 40
	var kernel device.Kernel = k
	places := []device.Place{{Memory: 1, Offset: 0}, {Memory: 2, Offset: 64}, {Memory: 3, Offset: 0}}
	b.ReportAllocs()
	start := testcheck.CPUTime()
	for b.Loop() {
		places[2].Memory ^= 4
		if err := d.Launch(kernel, 100, places, nil); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(testcheck.CPUTime()-start)/float64(b.N), "cpu-ns/op")
}

// A program with a kernel that runs in smaller groups only has the reference's bits.
func TestKernelsOfSmallerGroups(t *testing.T) {
	dev := registered(opened(t))
	f := func(x weft.Array) weft.Array { return weft.Sin(x).Sort().CumSum(0).Add(1) }
	x := weft.Linspace(0, 1, 1000)
	want := f(x)
	asked := 0
	defer cl.Replace("clGetKernelWorkGroupInfo", purego.NewCallback(func(kernel, device, what, size, value, written uintptr) uintptr {
		asked++
		*(*uintptr)(*(*unsafe.Pointer)(unsafe.Pointer(&value))) = 32
		return 0
	}))()
	if got := weft.Jit(f, weft.On(dev))(x); !testcheck.SameBinary(got, want) || asked < 2 {
		t.Errorf("after %d questions: got %v, want %v", asked, got, want)
	}
	if got := f(x.To(dev)); !testcheck.SameBinary(got, want) {
		t.Errorf("eager: got %v, want %v", got, want)
	}
}
