//go:build linux && (amd64 || arm64) && !drivers

package cuda

import (
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fakecuda"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/runtime/cuda/internal/cu"
)

// beginning are functions that TestLateErrorsNameLastKernels leaves out: they are called before the device has run a kernel, or
// not by the programs of the test, or their errors are not reported.
var beginning = []string{"cuInit", "cuDriverGetVersion", "cuDeviceGet", "cuDeviceGetCount", "cuDeviceGetName", "cuDeviceGetAttribute", "cuDeviceTotalMem_v2",
	"cuDevicePrimaryCtxRetain", "cuStreamCreate", "cuDeviceGetDefaultMemPool", "cuMemPoolSetAttribute",
	"cuLinkDestroy", "cuModuleUnload", "cuMemFree_v2", "cuMemFreeAsync", "cuMemPoolTrimTo", "cuGraphExecDestroy", "cuGraphDestroy",
	"cuGetErrorName", "cuGetErrorString", "cuMemGetInfo_v2", "cuCtxPopCurrent_v2",
	"cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuMemcpyPeerAsync", "cuEventElapsedTime", "cuEventDestroy_v2"}

// afterGuilty runs sin on a device, then makes a function of the driver return a code, and returns the first error that the
// following programs report. These launch, make and launch a graph, copy, compile, allocate, read, and use tensor cores.
func afterGuilty(t *testing.T, function string, code int32, pools bool) (text string, d *driver) {
	f := fakecuda.New()
	f.Capability, f.Pools = 90, pools
	dev, d := registered(t, f)
	x := weft.Linspace(0, 1, 64).To(dev)
	graph := weft.Jit(func(x weft.Array) weft.Array { return x.Sort().CumSum(0).Sort().CumSum(0) }, weft.On(dev))
	other := weft.Jit(func(x weft.Array) weft.Array { return x.Add(2) }, weft.On(dev))
	update := weft.Jit(func(x weft.Array) weft.Array { return x.At(0).Set(x.Index(0)) }, weft.On(dev))
	fast := weft.Jit(func(x weft.Array) weft.Array { m := x.Mul(x.Reshape(64, 1)); return m.MatMul(m.T()) }, weft.On(dev))
	guilty := weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(x) }, weft.On(dev))
	loop := func(n float64) func(x weft.Array) weft.Array {
		return weft.Jit(func(x weft.Array) weft.Array {
			return weft.While(func(c weft.Array) weft.Array { return c.Max().Lt(n) }, func(c weft.Array) weft.Array { return c.Sort().Add(1) }, x)
		}, weft.On(dev))
	}
	if function == "cuGraphConditionalHandleCreate" || function == "cuGraphAddNode_v2" {
		loop(2)(x) // so that the driver is known to have loops
		graph = loop(3)
	} else if !strings.HasPrefix(function, "cuGraph") {
		graph = func(x weft.Array) weft.Array { return x }
	} else if graph(x); function == "cuGraphExecKernelNodeSetParams_v2" || function == "cuGraphLaunch" {
		graph(x)
	}
	if function == "cuLaunchKernel" || function == "cuEventRecord" {
		other(x)
	}
	for range 9 { // more than are named
		x = guilty(x)
	}
	f.Fail(function, 0, code, 1<<30)
	_, err := weft.Try(func() int {
		graph(x)
		y := update(other(x))
		weft.With(weft.Precision(weft.Fast), func() { y = y.Add(fast(x).Sum()) })
		weft.Ones(1 << 12).To(dev)
		if _, err := y.MarshalBinary(); err != nil {
			panic(&core.Error{Msg: err.Error()})
		}
		return 0
	})
	f.Fail(function, 0, 0, 0)
	if n := f.Calls(function); n == 0 {
		t.Errorf("%s: not called", function)
	}
	if err == nil {
		return "", d
	}
	return err.Error(), d
}

// An error that a running kernel causes may be returned by any function that is called next: it names the kernels that were launched last, and no
// other kernel. An error about memory reports sizes instead.
func TestLateErrorsNameLastKernels(t *testing.T) {
	race.Values(t)
	for _, function := range fakecuda.Names() {
		if slices.Contains(beginning, function) {
			continue
		}
		pools := function != "cuMemAlloc_v2"
		for _, code := range []int32{cu.IllegalAddress, 716, 719} {
			text, _ := afterGuilty(t, function, code, pools)
			_, last, _ := strings.Cut(text, "; the kernels launched last are, from the last one, ")
			if !strings.Contains(text, function+" failed") || !strings.Contains(text, "start the process again") || !strings.Contains(last, "k0_sin (errors_test.go:") ||
				strings.Contains(text, "kernel k") || strings.Contains(text, "no memory") || strings.Count(text, "launched last") != 1 {
				t.Errorf("%s, code %d: got %q", function, code, text)
			}
		}
		text, d := afterGuilty(t, function, 2, pools)
		if !strings.Contains(text, function+" failed") || !strings.Contains(text, " 1 GiB)") || strings.Contains(text, "launched last") {
			t.Errorf("%s, out of memory: got %q", function, text)
		}
		if about := d.Description(); strings.Contains(about, "not used") {
			t.Errorf("%s: afterwards the device is %s", function, about)
		}
	}
}

// The error of an eager operation names the line of the call that fails. The kernels have no line, because calls at other
// lines use them again.
func TestEagerErrorsNameTheirCall(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	x := weft.Linspace(0, 1, 10).To(dev)
	y := weft.Sin(x) // compiles the kernel
	f.Fail("cuLaunchKernel", 0, 1, 1)
	_, err := weft.Try(func() weft.Array {
		return weft.Sin(x)
	})
	if err == nil || strings.Count(err.Error(), "errors_test.go:") != 1 || !strings.Contains(err.Error(), "kernel sin: cuLaunchKernel failed") {
		t.Errorf("got %v, want the kernel, and one line", err)
	}
	f.Fail("cuEventSynchronize", 0, cu.IllegalAddress, 1)
	if _, err := y.MarshalBinary(); err == nil || !strings.HasSuffix(err.Error(), "from the last one, sin") {
		t.Errorf("got %v, want the kernel without a line", err)
	}
}

// Kernels of graphs are among those that were launched last.
func TestLateErrorsNameKernelsOfGraphs(t *testing.T) {
	f := fakecuda.New()
	dev, _ := registered(t, f)
	x := weft.Linspace(0, 1, 10).To(dev)
	graph := weft.Jit(func(x weft.Array) weft.Array { return weft.Cos(x.Sort().CumSum(0).Sort().CumSum(0)) }, weft.On(dev))
	for range 2 {
		_ = graph(x)
	}
	for range 9 { // more than are named
		x = weft.Sin(x)
	}
	y := graph(x)
	f.Fail("cuEventSynchronize", 0, cu.IllegalAddress, 1)
	_, err := y.MarshalBinary()
	if err == nil {
		t.Fatal("got no error")
	}
	_, last, _ := strings.Cut(err.Error(), "from the last one, ")
	if n := f.Calls("cuGraphLaunch"); n != 2 || !strings.Contains(last, "cos (errors_test.go:") || !strings.Contains(last, "sort_keys (errors_test.go:") {
		t.Errorf("%d graphs were launched: got %v, want their kernels", n, err)
	}
}
