//go:build drivers

package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/cuda"
	"github.com/weft-go/weft/runtime/opencl"
)

// The figures of a device: bench/gpu.sh builds this test without cgo and runs it. WEFT_DEVICE
// names the device, cuda:0 unless set; WEFT_SCALE scales the numbers of elements; WEFT_SECONDS is
// the time of a round of calls, 0.3 unless set. With WEFT_SCALE=0 and WEFT_SECONDS=0 arrays are as
// small as can be, and rows are called a few times, to try bench/gpu.sh without a GPU.

func benched(b *testing.B) weft.Device {
	name := os.Getenv("WEFT_DEVICE")
	d, err := weft.Try(func() weft.Device {
		if name == "" {
			return weft.DeviceNamed("cuda:0")
		}
		return weft.DeviceNamed(name)
	})
	switch {
	case err != nil && name == "":
		b.Skip(err)
	case err != nil:
		b.Fatal(err)
	}
	return d
}

// The device that WEFT_DEVICE names computes: bench/gpu.sh begins with this test, and the table of
// figures has the lines about devices that it logs.
func TestDeviceIsThere(t *testing.T) {
	name := os.Getenv("WEFT_DEVICE")
	if name == "" {
		t.Skip("WEFT_DEVICE names no device")
	}
	for driver, list := range map[string]func() ([]string, error){"cuda:": cuda.Devices, "opencl:": opencl.Devices} {
		if !strings.HasPrefix(name, driver) {
			continue
		}
		lines, err := list()
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range lines {
			t.Log("device: " + line)
		}
	}
	got, err := weft.Try(func() string { return weft.Ones(3).To(weft.DeviceNamed(name)).Add(1).Sum().String() })
	if err != nil {
		t.Fatal(err)
	}
	if want := weft.Ones(3).Add(1).Sum().String(); got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
}

// setting returns the number in a variable of the environment, or otherwise if there is none.
func setting(name string, otherwise float64) float64 {
	if s, err := strconv.ParseFloat(os.Getenv(name), 64); err == nil {
		return s
	}
	return otherwise
}

// scaled returns n times WEFT_SCALE, at least 16 and a multiple of 16.
func scaled(n int) int { return max(int(float64(n)*setting("WEFT_SCALE", 1))/16*16, 16) }

// fixed returns n, which is not scaled, or least if WEFT_SCALE is 0.
func fixed(n, least int) int {
	if setting("WEFT_SCALE", 1) == 0 {
		return least
	}
	return n
}

// wait waits until the device has computed x.
func wait(b *testing.B, x weft.Array) {
	if err := x.Value().(*runtime.Array).Wait(context.Background()); err != nil {
		b.Fatal(err)
	}
}

// programs is called with the rows of the figures in place of measuring them, with the name, f and x that [row] gets; nil: they are
// measured.
var programs func(name string, f func(x weft.Array) weft.Array, x weft.Array)

// row measures the call that start returns, as a row of the figures. f is the program that is called with x, nil if the call does more.
func row(b *testing.B, name string, bytes, flops float64, f func(x weft.Array) weft.Array, x weft.Array, start func(d weft.Device) (call func() weft.Array)) {
	if programs != nil {
		programs(name, f, x)
		return
	}
	b.Run(name, func(b *testing.B) { measureProgram(b, bytes, flops, start) })
}

// on measures calls of a program. bytes and flops are those of one call.
func on(b *testing.B, name string, bytes, flops int, f func(x weft.Array) weft.Array, x weft.Array) {
	row(b, name, float64(bytes), float64(flops), f, x, func(d weft.Device) func() weft.Array {
		g := weft.Jit(f, weft.On(d))
		x := x.To(d)
		return func() weft.Array { return g(x) }
	})
}

// measureProgram measures the call that start returns under the settings of the caller, as gpu_peers.py
// measures peers: the median of three rounds, in which only every few calls one is waited for. A panic
// is a failure of the row alone.
func measureProgram(b *testing.B, bytes, flops float64, start func(d weft.Device) (call func() weft.Array)) {
	defer func() {
		if e := recover(); e != nil {
			b.Errorf("%v", e)
		}
	}()
	call := start(benched(b))
	var last time.Duration
	for range 4 { // compiled, prepared as a graph, run as one
		began := time.Now()
		wait(b, call())
		last = time.Since(began)
	}
	round := time.Duration(setting("WEFT_SECONDS", 0.3) * float64(time.Second))
	calls := min(max(int(round/4/max(last, 1)), 1), 10) // between waits
	var times []float64
	for range 3 {
		n, began := 0, time.Now()
		for n == 0 || time.Since(began) < round {
			var y weft.Array
			for range calls {
				y = call()
			}
			wait(b, y)
			n += calls
		}
		times = append(times, time.Since(began).Seconds()/float64(n))
		if round == 0 {
			break
		}
	}
	slices.Sort(times)
	seconds := times[len(times)/2]
	b.ReportMetric(seconds*1e9, "ns/op")
	if bytes > 0 {
		b.ReportMetric(bytes/seconds/1e9, "GB/s")
	}
	if flops > 0 {
		b.ReportMetric(flops/seconds/1e12, "TFLOP/s")
	}
}

// stepped measures steps of training. Each step is called with the state of the one before, which is donated.
func stepped(b *testing.B, name string, flops float64, loss func(p params, x, y weft.Array) weft.Array, p func() params, x, y weft.Array) {
	row(b, name, 0, flops, nil, x, func(d weft.Device) func() weft.Array {
		g := weft.Jit(sgd(loss), weft.Donate(0), weft.On(d))
		state := weft.TreeMap(func(a weft.Array) weft.Array { return a.To(d) }, p())
		x, y := x.To(d), y.To(d)
		return func() (l weft.Array) {
			state, l = g(state, x, y)
			return l
		}
	})
}

// fast measures a program under weft.Fast.
func fast(b *testing.B, name string, flops int, f func(x weft.Array) weft.Array, x weft.Array) {
	weft.With(weft.Precision(weft.Fast), func() { on(b, name, 0, flops, f, x) })
}

// sizes are the sizes of the matrices of products, by which the rows of the table are named at any scale.
var sizes = []int{1024, 2048, 4096, 8192}

// eachSize calls f with each row's name, its scaled size and its operations.
func eachSize(f func(size string, n, flops int)) {
	for _, nominal := range sizes {
		n := scaled(nominal)
		f(fmt.Sprint(nominal), n, 2*n*n*n)
	}
}
