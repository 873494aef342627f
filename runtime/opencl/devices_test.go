//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/mesh"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// without makes devices lack bits of a property: all of its bits if they are 0xffff.
func without(property uintptr, bits uint64) (restore func()) {
	info := cl.Function("clGetDeviceInfo")
	return cl.Replace("clGetDeviceInfo", purego.NewCallback(func(d, what, bytes uintptr, value *uint64, n uintptr) uintptr {
		r, _, _ := purego.SyscallN(info, d, what, bytes, uintptr(unsafe.Pointer(value)), n)
		if what == property && value != nil {
			*value &^= bits
		}
		return r
	}))
}

// A device that cannot compute the reference's bits of f32 is refused. The error names what it lacks.
func TestInexactDevicesAreRefused(t *testing.T) {
	opened(t)
	for bits, want := range map[uint64]string{
		cl.Denormals:      "the device has no subnormal numbers of f32",
		cl.RoundToNearest: "the device has no rounding to nearest of f32",
		cl.FMA:            "the device has no fused multiply-add of f32",
		cl.RoundedDivide:  "the device has no correctly rounded division of f32",
	} {
		restore := without(cl.DeviceSingle, bits)
		ds, err := find("")
		if err != nil || len(ds) == 0 {
			t.Fatal(ds, err)
		}
		available, lines := ds[0].Available(), ds[0].Description()
		dev := registered(ds[0])
		_, run := weft.Try(func() weft.Array { return weft.Ones(3).To(dev) })
		restore()
		if available == nil || !strings.Contains(available.Error(), want) || !strings.Contains(lines, "not used: "+want) || run == nil || !strings.Contains(run.Error(), want) {
			t.Errorf("got %v, %q and %v, want %q", available, lines, run, want)
		}
	}
}

// The error for Apple's GPUs says that they have no subnormal numbers, and what to use instead. It names all properties that a device lacks.
func TestWhyDevicesAreRefused(t *testing.T) {
	opened(t)
	info := cl.Function("clGetDeviceInfo")
	defer cl.Replace("clGetDeviceInfo", purego.NewCallback(func(d, what, bytes uintptr, value *[8]byte, n uintptr) uintptr {
		if what == cl.DeviceVendor && value != nil {
			copy(value[:], "Apple\x00")
			return 0
		}
		r, _, _ := purego.SyscallN(info, d, what, bytes, uintptr(unsafe.Pointer(value)), n)
		if what == cl.DeviceSingle && value != nil {
			value[0] &^= cl.Denormals | cl.FMA
		}
		return r
	}))()
	ds, err := find("")
	if err != nil || len(ds) == 0 {
		t.Fatal(ds, err)
	}
	err = ds[0].Available()
	for _, want := range []string{"no subnormal numbers and no fused multiply-add of f32", "below 1.2e-38", "the reference executor's bits", "Apple's GPUs", "run on the processor"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A device has f64 if it reports f64 with subnormal numbers and a fused multiply-add; otherwise kernels that need f64 are refused.
func TestDoublesAreDetected(t *testing.T) {
	opened(t)
	double := lowered(t, strings.ReplaceAll(copyOf, "T", "f64"), "double", "user.go:12")
	for _, bits := range []uint64{0, cl.Denormals, cl.FMA, 0xffff} {
		restore := without(cl.DeviceDouble, bits)
		d := opened(t)
		about := d.Description()
		restore()
		_, err := d.Build([]*simt.Func{double})
		if refused := err != nil && strings.Contains(err.Error(), "the device has no f64"); refused != (bits != 0) || err != nil && !refused {
			t.Errorf("without the bits %#x: got %v, want an error: %v", bits, err, bits != 0)
		}
		if strings.HasSuffix(about, ", no f64") != (bits != 0) {
			t.Errorf("without the bits %#x: got %q", bits, about)
		}
	}
}

// onTwoDevices is set in a process whose OpenCL is PoCL with two devices.
const onTwoDevices = "WEFT_ON_TWO_DEVICES"

// Each device has memory, programs and queues of its own; arrays move between them.
func TestTwoDevices(t *testing.T) {
	if os.Getenv(onTwoDevices) == "" {
		opened(t)
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(self, "-test.v", "-test.run", "^TestTwoDevices$")
		c.Env = append(os.Environ(), onTwoDevices+"=1", "POCL_DEVICES=basic pthread")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, out)
		} else if strings.Contains(string(out), "--- SKIP") {
			t.Skipf("%s", out)
		}
		return
	}
	lines, err := Devices()
	if err != nil || len(lines) < 2 {
		t.Skipf("PoCL is not installed: got %q, %v", lines, err)
	}
	if !strings.HasPrefix(lines[0], "opencl:0 ") || !strings.HasPrefix(lines[1], "opencl:1 ") || lines[0][9:] == lines[1][9:] {
		t.Errorf("got %q", lines)
	}
	ds, err := find("")
	if err != nil {
		t.Fatal(err)
	}
	on := []weft.Device{registered(ds[0]), registered(ds[1])}
	x := weft.Linspace(0, 3, 100)
	f := func(x weft.Array) weft.Array { return weft.Sin(x).CumSum(0) }
	want := f(x)
	var wg sync.WaitGroup
	for _, d := range on {
		wg.Go(func() {
			there := x.To(d)
			g := weft.Jit(f, weft.On(d))
			for range 3 {
				if got := g(there); !testcheck.SameBinary(got, want) || string(got.Value().(*runtime.Array).Memory()) != d.String() {
					t.Errorf("%v: got %v in %v, want %v", d, got, got.Value().(*runtime.Array).Memory(), want)
				}
			}
			if got := f(there); !testcheck.SameBinary(got, want) {
				t.Errorf("%v, operation by operation: got %v, want %v", d, got, want)
			}
		})
	}
	wg.Wait()
	if _, err = weft.Try(func() weft.Array { return x.To(on[0]).Add(x.To(on[1])) }); err == nil || !strings.Contains(err.Error(), "To(") {
		t.Errorf("operands on two devices: got %v, want an error that recommends To", err)
	}
	sum := mesh.ShardMap(func(x weft.Array) weft.Array {
		return weft.ForI(2, func(_, y weft.Array) weft.Array { return y.Add(lax.Psum(weft.Sin(y), "d").Div(2)) }, x)
	}, mesh.New(mesh.Axis("d", 4)), mesh.In(mesh.P("d")), mesh.Out(mesh.P("d")))
	whole := sum(x)
	if err := mesh.RunOn(on, func() error {
		if got := sum(x); !testcheck.SameBinary(got, whole) {
			t.Errorf("a mesh on both: got %v, want %v", got, whole)
		}
		return nil
	}); err != nil {
		t.Error(err)
	}
	if got := f(f(x.To(on[0])).To(on[1])); !testcheck.SameBinary(got, f(want)) {
		t.Errorf("moved: got %v, want %v", got, f(want))
	}
}
