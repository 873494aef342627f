//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/irtext"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/lower/scalar"
	"github.com/weft-go/weft/lower/simt"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// creating has, for each function that returns an object, the number of the argument through which it returns its code.
var creating = map[string]int{"clCreateContext": 5, "clCreateCommandQueue": 3, "clCreateProgramWithSource": 4, "clCreateProgramWithBinary": 6, "clCreateKernel": 2, "clCreateBuffer": 4}

// quiet are the prefixes of functions whose failure has no effect: nothing can be done if an object is not released.
var quiet = []string{"clRelease", "clGetProgramBuildInfo"}

// failing makes calls of a function fail with a code: as many calls as times, beginning after the first calls whose
// number is after. calls counts all calls.
func failing(name string, after, times int, code int32) (calls *atomic.Int64, restore func()) {
	calls = new(atomic.Int64)
	f := cl.Function(name)
	return calls, cl.Replace(name, purego.NewCallback(func(a, b, c, d, e, g, h, i, j uintptr) uintptr {
		if n := int(calls.Add(1)) - 1; n < after || n >= after+times {
			r, _, _ := purego.SyscallN(f, a, b, c, d, e, g, h, i, j)
			return r
		}
		if at, ok := creating[name]; ok {
			*(*int32)(*(*unsafe.Pointer)(unsafe.Pointer(&[]uintptr{a, b, c, d, e, g, h}[at]))) = code
			return 0
		}
		return uintptr(uint32(code))
	}))
}

// session opens the device, runs programs on it and reads the results: with an empty folder of compiled programs,
// and again with the programs that are there then.
func session(t *testing.T) (y, z weft.Array, err error) {
	dir, err := os.MkdirTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	if y, z, err = half(dir); err != nil {
		return y, z, err
	}
	again, _, err := half(dir)
	if err == nil && !testcheck.SameBinary(y, again) {
		err = fmt.Errorf("with compiled programs got %v, without %v", again, y)
	}
	return y, z, err
}

// half is a half of a session, with a given folder of compiled programs.
func half(dir string) (y, z weft.Array, err error) {
	ds, err := find(dir)
	if err != nil {
		return y, z, err
	}
	d := ds[0]
	_ = d.Description()
	if err := d.Available(); err != nil {
		return y, z, err
	}
	dev := registered(d)
	_, err = weft.Try(func() int {
		x := weft.Linspace(0, 1, 100)
		g := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).Sort().CumSum(0).Add(1) }, weft.On(dev))
		for range 3 {
			y = g(x.To(dev))
		}
		z = weft.Jit(func(x weft.Array) weft.Array { return x.At(0).Set(x.Index(0)) }, weft.On(dev))(y) // in a copy
		for _, a := range []weft.Array{y, z} {
			if _, err := a.MarshalBinary(); err != nil {
				panic(&core.Error{Msg: err.Error()})
			}
		}
		return 0
	})
	return y, z, err
}

// The first, a middle and the last call of every function of the driver fail: the session ends with an error that
// names the function, or has right results.
func TestEveryFunctionFails(t *testing.T) {
	opened(t)
	x := weft.Linspace(0, 1, 100)
	want := weft.Sin(x).Sort().CumSum(0).Add(1)
	for _, name := range cl.Names() {
		counted, restore := failing(name, 0, 0, 0)
		y, z, err := session(t)
		restore()
		if err != nil || !testcheck.SameBinary(y, want) || !testcheck.SameBinary(z, want) {
			t.Fatalf("without failures: got %v, %v, %v", y, z, err)
		}
		n := int(counted.Load())
		if isQuiet := hasPrefix(name, quiet); n == 0 || isQuiet {
			if n == 0 && !isQuiet {
				t.Errorf("the session does not call %s", name)
			}
			continue
		}
		calls := []int{0, n / 2, n - 1}
		if !samples.Thorough() {
			calls = calls[1:2]
		}
		for _, after := range calls {
			_, restore := failing(name, after, 1, -999)
			y, z, err := session(t)
			restore()
			switch {
			case err != nil && (!strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "-999")):
				t.Errorf("%s, call %d of %d: the error is %v", name, after+1, n, err)
			case err == nil && (!testcheck.SameBinary(y, want) || !testcheck.SameBinary(z, want)):
				t.Errorf("%s, call %d of %d: got %v and %v, want %v", name, after+1, n, y, z, want)
			}
		}
	}
}

func hasPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// Errors name the kernel and the user's line. Errors of a running kernel name the kernels that were launched last.
// Errors about memory report sizes.
func TestErrorsNameKernels(t *testing.T) {
	d := opened(t)
	dev := registered(d)
	x := weft.Linspace(0, 1, 10)
	f := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x).Sort().Add(1) }, weft.On(dev))
	want := f(x)
	for _, c := range []struct {
		function string
		code     int32
		want     []string
	}{
		{"clEnqueueNDRangeKernel", -54, []string{"kernel k0_sin (", "failures_test.go:", "clEnqueueNDRangeKernel failed: invalid work group size"}},
		{"clEnqueueNDRangeKernel", -4, []string{"kernel k0_sin (", "memory object allocation failure (arrays have ", "the device has ", "iB)"}},
		{"clSetKernelArg", -51, []string{"kernel k0_sin (", "clSetKernelArg failed: invalid argument size"}},
		{"clWaitForEvents", -14, []string{"a command before failed; the kernels launched last are, from the last one, ", "add (", "failures_test.go:", "k0_sin"}},
		{"clEnqueueReadBuffer", -5, []string{"out of resources (arrays have ", "launched last are", "k0_sin"}},
		{"clEnqueueMarkerWithWaitList", -36, []string{"invalid command queue; the kernels launched last are", "k0_sin"}},
	} {
		y := x.Mul(1) // so that an argument changes
		_, restore := failing(c.function, 0, 1, c.code)
		_, err := weft.Try(func() int {
			if _, err := f(y).MarshalBinary(); err != nil {
				panic(&core.Error{Msg: err.Error()})
			}
			return 0
		})
		restore()
		for _, part := range c.want {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: got %v, want %q", c.function, err, part)
			}
		}
		if got := f(y); !testcheck.SameBinary(got, want) {
			t.Errorf("after a failure of %s: got %v, want %v", c.function, got, want)
		}
	}
}

// Memory that the device does not have is an error that reports sizes.
func TestOutOfMemory(t *testing.T) {
	d := opened(t)
	dev := registered(d)
	_, restore := failing("clCreateBuffer", 0, 1000, -4)
	_, err := weft.Try(func() weft.Array { return weft.Ones(1 << 20).To(dev) })
	restore()
	for _, want := range []string{"no memory for 4 MiB", "are in use", "clCreateBuffer failed: memory object allocation failure", "the device has "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	x := weft.Ones(8).To(dev)
	if _, err := d.Alloc(1 << 50); err == nil || !strings.Contains(err.Error(), "the device has ") {
		t.Errorf("2⁵⁰ bytes: got %v", err)
	}
	if got := x.Add(1); !got.Equal(weft.Full(weft.Shape{8}, float32(2))) {
		t.Errorf("afterwards: got %v", got)
	}
}

// lowered returns the function of a kernel's text, with a name and the user's line.
func lowered(t *testing.T, text, name, pos string) *simt.Func {
	k, err := irtext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f := simt.Lower(k, simt.Options{})
	f.Name, f.Pos = name, pos
	return f
}

const copyOf = "kernel k(in x T[8], out y T[8]) {\nvector a0<8 {\n%0 = load T x[a0<8]\nstore y[a0<8], %0\n}\n}"

// A device without f64 refuses a kernel that reads or writes it, by its name and line. It runs other kernels,
// also kernels of f32 that compute in f64 in rare branches.
func TestDoublesAreRefused(t *testing.T) {
	d := opened(t)
	d.doubles = false
	single := lowered(t, strings.ReplaceAll(copyOf, "T", "f32"), "single", "user.go:11")
	double := lowered(t, strings.ReplaceAll(copyOf, "T", "f64"), "double", "user.go:12")
	if _, err := d.Build([]*simt.Func{single}); err != nil {
		t.Error(err)
	}
	_, err := d.Build([]*simt.Func{single, double})
	if err == nil || !strings.Contains(err.Error(), "kernel double (user.go:12): the device has no f64") {
		t.Errorf("got %v", err)
	}
	dev := registered(d)
	f := weft.Jit(func(x weft.Array) weft.Array { return weft.Exp(x) }, weft.On(dev))
	if got, want := f(weft.Ones(3)), weft.Exp(weft.Ones(3)); !testcheck.SameBinary(got, want) {
		t.Errorf("f32: got %v, want %v", got, want)
	}
	sin := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x) }, weft.On(dev))
	x := weft.Linspace(0, 1e30, 100)
	if got, want := sin(x), weft.Sin(x); !testcheck.SameBinary(got, want) {
		t.Errorf("sin: got %v, want %v", got, want)
	}
	_, err = weft.Try(func() weft.Array { return f(weft.OnesOf(weft.Float64, 3)) })
	if err == nil || !strings.Contains(err.Error(), "kernel k0_exp (") || !strings.Contains(err.Error(), "failures_test.go:") {
		t.Errorf("f64: got %v", err)
	}
}

// Text that the compiler refuses is an error that names the kernel and its line.
func TestRefusedText(t *testing.T) {
	good, bad := lowered(t, strings.ReplaceAll(copyOf, "T", "f32"), "good", ""), lowered(t, strings.ReplaceAll(copyOf, "T", "f32"), "bad", "user.go:12")
	bad.Body = append(bad.Body, &simt.Special{Dst: simt.Reg(len(bad.Types)), What: simt.Symbol, Index: 3}) // it has no symbols
	bad.Types = append(bad.Types, scalar.I64)
	for _, dir := range []string{"", t.TempDir()} {
		_, err := openedWith(t, dir).Build([]*simt.Func{good, bad})
		if err == nil || !strings.Contains(err.Error(), "kernel bad (user.go:12): clBuildProgram failed: build program failure") {
			t.Errorf("with the folder %q: got %v", dir, err)
		}
	}
}

// Programs of equal text are compiled once, as long as one is in use.
func TestProgramsAreShared(t *testing.T) {
	d := opened(t)
	calls, restore := failing("clBuildProgram", 0, 0, 0)
	defer restore()
	dev := registered(d)
	x := weft.Linspace(0, 1, 5)
	layer := func() func(x weft.Array) weft.Array {
		return weft.Jit(func(x weft.Array) weft.Array { return x.Mul(2).CumSum(0) }, weft.On(dev))
	}
	fs := []func(x weft.Array) weft.Array{layer(), layer(), layer()}
	for _, f := range fs {
		for range 2 {
			if got, want := f(x), x.Mul(2).CumSum(0); !testcheck.SameBinary(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		}
	}
	if n := calls.Load(); n != 1 {
		t.Errorf("three equal programs: %d were compiled, want 1", n)
	}
}
