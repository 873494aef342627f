//go:build drivers

package main

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// The figures of a device: bench/gpu.sh builds this test without cgo and runs it. WEFT_DEVICE
// names the device, cuda:0 unless set; WEFT_SCALE scales the numbers of elements.

func benched(b *testing.B) weft.Device {
	name := os.Getenv("WEFT_DEVICE")
	if name == "" {
		name = "cuda:0"
	}
	d, err := weft.Try(func() weft.Device { return weft.DeviceNamed(name) })
	if err != nil {
		b.Skip(err)
	}
	return d
}

// The device that WEFT_DEVICE names computes: bench/gpu.sh begins with this test.
func TestDeviceIsThere(t *testing.T) {
	name := os.Getenv("WEFT_DEVICE")
	if name == "" {
		t.Skip("WEFT_DEVICE names no device")
	}
	got, err := weft.Try(func() string { return weft.Ones(3).To(weft.DeviceNamed(name)).Add(1).Sum().String() })
	if err != nil {
		t.Fatal(err)
	}
	if want := weft.Ones(3).Add(1).Sum().String(); got != want {
		t.Errorf("%s: got %s, want %s", name, got, want)
	}
	t.Log(weft.Devices())
}

// scaled returns n times WEFT_SCALE, at least 16 and a multiple of 16.
func scaled(n int) int {
	s, err := strconv.ParseFloat(os.Getenv("WEFT_SCALE"), 64)
	if err != nil {
		s = 1
	}
	return max(int(float64(n)*s)/16*16, 16)
}

// finish waits until the device has computed x.
func finish(x weft.Array) {
	for x.Rank() > 0 {
		x = x.Index(0)
	}
	_ = x.String()
}

// programs receives the programs of the figures in place of a device; nil: they are measured.
var programs func(name string, f func(x weft.Array) weft.Array, x weft.Array)

// on measures calls of a program. bytes and flops are those of one call.
func on(b *testing.B, name string, bytes, flops int, f func(x weft.Array) weft.Array, x weft.Array) {
	if programs != nil {
		programs(name, f, x)
		return
	}
	b.Run(name, func(b *testing.B) { measureCalls(b, bytes, flops, f, x) })
}

// measureCalls measures calls of a program under the settings of the caller.
func measureCalls(b *testing.B, bytes, flops int, f func(x weft.Array) weft.Array, x weft.Array) {
	d := benched(b)
	g := weft.Jit(f, weft.On(d))
	x = x.To(d)
	for range 3 { // compiled, then prepared as a graph
		finish(g(x))
	}
	b.ResetTimer()
	start := time.Now()
	var y weft.Array
	for range b.N {
		y = g(x)
	}
	finish(y)
	seconds := time.Since(start).Seconds() / float64(b.N)
	if bytes > 0 {
		b.ReportMetric(float64(bytes)/seconds/1e9, "GB/s")
	}
	if flops > 0 {
		b.ReportMetric(float64(flops)/seconds/1e12, "TFLOP/s")
	}
}

func BenchmarkDevice(b *testing.B) {
	n := scaled(1 << 27) // elements: larger than any L2
	rows := scaled(1 << 17)
	x := weft.Linspace(-1, 1, n)
	m := weft.Linspace(-1, 1, rows*1024).Reshape(rows, 1024)
	size := 4 * n
	on(b, "copy", 2*size, 0, func(x weft.Array) weft.Array { return x.Neg() }, x)
	on(b, "elementwise", 2*size, 0, func(x weft.Array) weft.Array { return weft.Exp(x.Mul(x)).Add(x).Mul(0.5) }, x)
	on(b, "sum", size, 0, func(x weft.Array) weft.Array { return x.Sum() }, x)
	on(b, "row sums", 4*rows*1024, 0, func(m weft.Array) weft.Array { return m.Sum(1) }, m)
	on(b, "column sums", 4*rows*1024, 0, func(m weft.Array) weft.Array { return m.Sum(0) }, m)
	on(b, "transpose", 8*rows*1024, 0, func(m weft.Array) weft.Array { return lax.OptimizationBarrier(m.T())[0] }, m)
	on(b, "softmax", 8*rows*1024, 0, func(m weft.Array) weft.Array { return nn.Softmax(m, -1) }, m)
	norm := func(m weft.Array) weft.Array {
		c := m.Sub(m.Mean(1).Reshape(rows, 1))
		return c.Mul(weft.Rsqrt(weft.Square(c).Mean(1).Reshape(rows, 1).Add(1e-5)))
	}
	on(b, "layer norm", 8*rows*1024, 0, norm, m)
	on(b, "gradient of softmax", 8*rows*1024, 0, weft.Grad(func(m weft.Array) weft.Array { return weft.Square(nn.Softmax(m, -1)).Sum() }), m)
	on(b, "gradient of layer norm", 8*rows*1024, 0, weft.Grad(func(m weft.Array) weft.Array { return weft.Sin(norm(m)).Sum() }), m)
	on(b, "cumulative sum", 8*rows*1024, 0, func(m weft.Array) weft.Array { return m.CumSum(1) }, m)
	on(b, "cumulative sum of a vector", 2*size, 0, func(x weft.Array) weft.Array { return x.CumSum(0) }, x)
	on(b, "gather of rows", 8*rows*1024, 0, func(m weft.Array) weft.Array {
		return weft.Take(m, weft.Arange(rows).Mul(7919).Rem(rows), 0)
	}, m)
	on(b, "sort of 1e7", 0, 0, func(x weft.Array) weft.Array { return weft.Sin(x.Mul(1e6)).Sort() }, weft.Linspace(0, 1, scaled(10_000_000)))
	on(b, "argsort of 1e7", 0, 0, func(x weft.Array) weft.Array {
		return lax.SortBy(0, 1, true, weft.Sin(x.Mul(1e6)), weft.Arange(x.Size()))[1]
	}, weft.Linspace(0, 1, scaled(10_000_000)))
	on(b, "greatest 100 of 1e7", 0, 0, func(x weft.Array) weft.Array {
		values, _ := weft.TopK(weft.Sin(x.Mul(1e6)), min(100, x.Size()))
		return values
	}, weft.Linspace(0, 1, scaled(10_000_000)))
	on(b, "scatter-add of 1e6", 0, 0, func(x weft.Array) weft.Array {
		n := scaled(100_000)
		return weft.Zeros(n).At(weft.Arange(x.Size()).Mul(7919).Rem(n)).Add(x)
	}, weft.Linspace(0, 1, scaled(1_000_000)))
	draws := scaled(100_000_000)
	on(b, "normal 1e8", 4*draws, 0, func(x weft.Array) weft.Array { return random.Normal(random.New(1), draws).Add(x) }, weft.Ones(1))
	for _, n := range []int{1024, 2048, 4096, 8192} {
		if n = scaled(n); n < 16 {
			continue
		}
		a := weft.Linspace(-1, 1, n*n).Reshape(n, n)
		on(b, fmt.Sprintf("product %d", n), 0, 2*n*n*n, func(a weft.Array) weft.Array { return a.MatMul(a) }, a)
	}
	w := weft.Linspace(-1, 1, 3*3*64*64).Reshape(64, 64, 3, 3)
	images := scaled(256)
	pictures := weft.Linspace(-1, 1, images*56*56*64).Reshape(images, 64, 56, 56)
	on(b, "convolution 3x3", 0, 2*images*56*56*9*64*64, func(x weft.Array) weft.Array { return lax.Conv(x, w, []int{1, 1}, lax.Same) }, pictures)
	on(b, "many small kernels", 0, 0, func(x weft.Array) weft.Array {
		for range 200 {
			x = lax.OptimizationBarrier(x.Add(1))[0]
		}
		return x
	}, weft.Ones(64))
}

// stepped measures steps of training whose state is donated and goes round.
func stepped(b *testing.B, name string, flops float64, loss func(p params, x, y weft.Array) weft.Array, p func() params, x, y weft.Array) {
	b.Run(name, func(b *testing.B) {
		d := benched(b)
		g := weft.Jit(sgd(loss), weft.Donate(0), weft.On(d))
		state := weft.TreeMap(func(a weft.Array) weft.Array { return a.To(d) }, p())
		x, y := x.To(d), y.To(d)
		var last weft.Array
		for range 3 {
			state, last = g(state, x, y)
		}
		finish(last)
		b.ReportAllocs()
		b.ResetTimer()
		start := time.Now()
		for range b.N {
			state, last = g(state, x, y)
		}
		finish(last)
		b.ReportMetric(flops/(time.Since(start).Seconds()/float64(b.N))/1e12, "TFLOP/s")
	})
}

// Steps of training, the last one with products that fill a device.
func BenchmarkStepDevice(b *testing.B) {
	stepped(b, "perceptron", mlpStepFlops, mlpLoss, mlpParams, dev(7, 1, 128, 784), oneHot(128, 10))
	for _, c := range []struct {
		name                        string
		width, steps, batch, layers int
	}{{"transformer", tfWidth, tfSteps, tfBatch, tfLayers}, {"large transformer", 1024, 512, 16, 4}} {
		n := scaled(c.batch*16) / 16
		flops := 6 * float64(c.layers*n*c.steps) * float64(12*c.width*c.width+2*c.steps*c.width)
		x, y := dev(20, 1, n, c.steps, c.width), dev(60, 1, n, c.steps, c.width)
		stepped(b, c.name, flops, tfLoss, func() params { return tfParams(c.width, c.layers) }, x, y)
	}
}

// The first call of a step of training a perceptron, and the time until the device is open
// and has the parameters.
func BenchmarkDeviceFirstCall(b *testing.B) {
	start := time.Now()
	d := benched(b)
	x, y := weft.Linspace(-1, 1, 64*784).Reshape(64, 784), weft.Linspace(0, 1, 64*10).Reshape(64, 10)
	type params struct{ W1, W2 weft.Array }
	p := params{weft.Linspace(-1, 1, 784*256).Reshape(784, 256).To(d), weft.Linspace(-1, 1, 256*10).Reshape(256, 10).To(d)}
	finish(p.W1)
	open := time.Since(start)
	b.ResetTimer()
	b.ReportMetric(float64(open.Milliseconds()), "ms-to-open")
	for i := range b.N {
		step := weft.Jit(func(p params) params {
			g := weft.Grad(func(p params) weft.Array {
				return weft.Square(weft.Tanh(x.MatMul(p.W1)).MatMul(p.W2).Sub(y)).Mean()
			})(p)
			return weft.TreeMap2(func(w, g weft.Array) weft.Array { return w.Sub(g.Mul(0.1 + float64(i))) }, p, g)
		}, weft.On(d))
		finish(step(p).W1)
	}
}
