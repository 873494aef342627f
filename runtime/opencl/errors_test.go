//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime/opencl/internal/cl"
)

// beginning are functions that the test leaves out: they are called before the device has run a kernel, or their errors are not
// reported, because they release objects, read properties, or load binaries that are then compiled anew.
var beginning = []string{"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo", "clCreateContext", "clCreateCommandQueue",
	"clGetProgramBuildInfo", "clReleaseMemObject", "clReleaseEvent", "clReleaseProgram", "clReleaseKernel", "clCreateProgramWithBinary", "clGetProgramInfo"}

// An error that a running kernel causes may be returned by any function that is called next: it names the kernels that were launched last, and no
// other kernel. An error about memory reports sizes instead, and an error that may be either does both.
func TestLateErrorsNameLastKernels(t *testing.T) {
	race.Values(t)
	dev := registered(opened(t))
	guilty := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x) }, weft.On(dev))
	update := weft.Jit(func(x weft.Array) weft.Array { return x.At(0).Set(x.Index(0)) }, weft.On(dev))
	x := weft.Linspace(0, 1, 64).To(dev)
	n := 1
	for _, function := range cl.Names() {
		if slices.Contains(beginning, function) {
			continue
		}
		for _, code := range []int32{-14, -36, -9999, -5, -4} {
			x = x.Mul(1)
			for range 9 { // more than are named
				x = guilty(x)
			}
			calls, restore := failing(function, 0, 1<<30, code)
			_, err := weft.Try(func() int {
				if n++; strings.HasSuffix(function, "Program") || strings.HasPrefix(function, "clCreate") || strings.HasPrefix(function, "clGetKernel") {
					weft.Jit(func(x weft.Array) weft.Array { return x.Add(x) }, weft.On(dev))(weft.OnesOf(weft.Float32, n).To(dev))
				}
				y := update(x)
				weft.Ones(1 << 12).To(dev)
				if _, err := y.MarshalBinary(); err != nil {
					panic(&core.Error{Msg: err.Error()})
				}
				return 0
			})
			restore()
			if err == nil {
				t.Errorf("%s, code %d: no error after %d calls", function, code, calls.Load())
				continue
			}
			text := err.Error()
			_, last, late := strings.Cut(text, "; the kernels launched last are, from the last one, ")
			if !strings.Contains(text, function+" failed") || late != (code != -4) || late && !strings.Contains(last, "k0_sin (errors_test.go:") || strings.Count(text, "launched last") > 1 {
				t.Errorf("%s, code %d: got %q, want the kernels launched last: %v", function, code, text, code != -4)
			}
			isMemory := code == -4 || code == -5
			if sized := strings.Contains(text, "(arrays have ") && strings.Contains(text, "the device has "); sized != isMemory || !isMemory && (strings.Contains(text, "kernel k") || strings.Contains(text, "no memory")) {
				t.Errorf("%s, code %d: got %q, want sizes: %v, and no other kernel: %v", function, code, text, isMemory, !isMemory)
			}
		}
	}
}
