//go:build drivers

package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// The rows of a device's table, which [deviceFigures] lists. bench/gpu.sh runs each function in a
// process of its own: after an error of the device nothing runs in the same process.

// Programs that move memory, larger than any L2.
func BenchmarkMemoryDevice(b *testing.B) {
	n, rows := scaled(1<<27), scaled(1<<17)
	x := weft.Linspace(-1, 1, n)
	m := weft.Linspace(-1, 1, rows*1024).Reshape(rows, 1024)
	vector, matrix := 4*n, 4*rows*1024
	on(b, "copy", 2*vector, 0, func(x weft.Array) weft.Array { return x.Neg() }, x)
	on(b, "elementwise", 2*vector, 0, func(x weft.Array) weft.Array { return weft.Exp(x.Mul(x)).Add(x).Mul(0.5) }, x)
	on(b, "sum", vector, 0, func(x weft.Array) weft.Array { return x.Sum() }, x)
	on(b, "row sums", matrix, 0, func(m weft.Array) weft.Array { return m.Sum(1) }, m)
	on(b, "column sums", matrix, 0, func(m weft.Array) weft.Array { return m.Sum(0) }, m)
	on(b, "transpose", 2*matrix, 0, func(m weft.Array) weft.Array { return lax.OptimizationBarrier(m.T())[0] }, m)
	on(b, "softmax", 2*matrix, 0, func(m weft.Array) weft.Array { return nn.Softmax(m, -1) }, m)
	norm := func(m weft.Array) weft.Array {
		c := m.Sub(m.Mean(1).Reshape(rows, 1))
		return c.Mul(weft.Rsqrt(weft.Square(c).Mean(1).Reshape(rows, 1).Add(1e-5)))
	}
	on(b, "layer norm", 2*matrix, 0, norm, m)
	on(b, "gradient of softmax", 2*matrix, 0, weft.Grad(func(m weft.Array) weft.Array { return weft.Square(nn.Softmax(m, -1)).Sum() }), m)
	on(b, "gradient of layer norm", 2*matrix, 0, weft.Grad(func(m weft.Array) weft.Array { return weft.Sin(norm(m)).Sum() }), m)
	on(b, "cumulative sum", 2*matrix, 0, func(m weft.Array) weft.Array { return m.CumSum(1) }, m)
	on(b, "cumulative sum of a vector", 2*vector, 0, func(x weft.Array) weft.Array { return x.CumSum(0) }, x)
	on(b, "gather of rows", 2*matrix, 0, func(m weft.Array) weft.Array {
		return weft.Take(m, weft.Arange(rows).Mul(7919).Rem(rows), 0)
	}, m)
}

// Sorts, scatters and random numbers.
func BenchmarkOrderDevice(b *testing.B) {
	mixed := weft.Sin(weft.Linspace(0, 1e6, scaled(10_000_000)))
	on(b, "sort of 1e7", 0, 0, func(x weft.Array) weft.Array { return x.Sort() }, mixed)
	draws := scaled(100_000_000)
	on(b, "normal 1e8", 4*draws, 0, func(x weft.Array) weft.Array { return random.Normal(random.New(1), draws).Add(x) }, weft.Ones(1))
	on(b, "argsort of 1e7", 0, 0, func(x weft.Array) weft.Array { return lax.SortBy(0, 1, true, x, weft.Arange(x.Size()))[1] }, mixed)
	on(b, "greatest 100 of 1e7", 0, 0, func(x weft.Array) weft.Array {
		values, _ := weft.TopK(x, min(100, x.Size()))
		return values
	}, mixed)
	on(b, "scatter-add of 1e6", 0, 0, func(x weft.Array) weft.Array {
		n := scaled(100_000)
		return weft.Zeros(n).At(weft.Arange(x.Size()).Mul(7919).Rem(n)).Add(x)
	}, weft.Linspace(0, 1, scaled(1_000_000)))
	on(b, "scatter-add of 1e6 to one", 0, 0, func(x weft.Array) weft.Array {
		return weft.Zeros(scaled(100_000)).At(weft.Arange(x.Size()).Mul(0)).Add(x)
	}, weft.Linspace(0, 1, scaled(1_000_000)))
	on(b, "count of 1e7", 0, 0, func(x weft.Array) weft.Array {
		return weft.Bincount(weft.Abs(x).Mul(256).AsType(weft.Int32), 256)
	}, mixed)
	for _, n := range []int{1024, 8192} {
		waves := weft.Linspace(-1, 1, scaled(1<<13)*1024).AsType(weft.Complex64).Reshape(scaled(1<<13)*1024/n, n)
		on(b, fmt.Sprintf("Fourier transforms of %d", n), 16*waves.Size(), 0, func(x weft.Array) weft.Array { return fft.FFT(x) }, waves)
	}
	for _, c := range []struct{ count, n int }{{10000, 16}, {1000, 64}, {1, 1024}} {
		count, n := max(scaled(c.count*16)/16, 1), fixed(c.n, 16)
		definite := weft.Eye(n).Mul(float64(n)).Add(weft.Full(weft.Shape{count, n, n}, 0.5))
		on(b, fmt.Sprintf("Cholesky of %d×%d×%d", c.count, c.n, c.n), 0, count*n*n*n/3, lax.Cholesky, definite)
		if c.count == 10000 {
			continue
		}
		general := random.Normal(random.New(uint64(n)), count, n, n)
		on(b, fmt.Sprintf("LU of %d×%d×%d", c.count, c.n, c.n), 0, 2*count*n*n*n/3, func(x weft.Array) weft.Array { return linalg.LU(x).Packed }, general)
		on(b, fmt.Sprintf("solve of %d×%d×%d", c.count, c.n, c.n), 0, 8*count*n*n*n/3, func(x weft.Array) weft.Array { return linalg.Solve(x, x) }, general)
		on(b, fmt.Sprintf("QR of %d×%d×%d", c.count, c.n, c.n), 0, 8*count*n*n*n/3, func(x weft.Array) weft.Array { q, _ := linalg.QR(x); return q }, general)
	}
	tokens, words := scaled(1<<16), scaled(50_000)
	on(b, "gradient of embedding", 0, 0, func(x weft.Array) weft.Array { // every second word is the same
		i := weft.Arange(tokens)
		return weft.Zeros(words, 256).At(i.Mul(7919).Rem(words).Mul(i.Rem(2))).Add(x)
	}, weft.Linspace(-1, 1, tokens*256).Reshape(tokens, 256))
}

// Products and convolutions without tensor cores, of random operands like the peers': how fast a device
// computes within its limit of power depends on the numbers.
func BenchmarkProductDevice(b *testing.B) {
	eachSize(func(size string, n, flops int) {
		a := random.Normal(random.New(uint64(n)), n, n)
		on(b, "product "+size, 0, flops, func(a weft.Array) weft.Array { return a.MatMul(a) }, a)
	})
	images, channels, side := scaled(256), fixed(64, 16), fixed(56, 16)
	w := random.Normal(random.New(1), channels, channels, 3, 3)
	pictures := random.Normal(random.New(2), images, channels, side, side)
	on(b, "convolution 3x3", 0, 2*images*side*side*9*channels*channels, func(x weft.Array) weft.Array { return lax.Conv(x, w, []int{1, 1}, lax.Same) }, pictures)
}

// Products that may run on tensor cores, of random operands.
func BenchmarkTensorDevice(b *testing.B) {
	square := func(x weft.Array) weft.Array { return x.MatMul(x) }
	along := func(x weft.Array) weft.Array { return x.MatMul(x.T()) }
	eachSize(func(size string, n, flops int) {
		x := random.Normal(random.New(uint64(n)), n, n)
		fast(b, "product in tf32 "+size, flops, square, x)
		fast(b, "product in tf32 along k "+size, flops, along, x)
		fast(b, "product of bf16 "+size, flops, square, x.AsType(weft.BFloat16))
	})
	rows, k := scaled(256), scaled(32768)
	deep := random.Normal(random.New(1), rows, k)
	fast(b, "long sums in tf32", 2*rows*rows*k, along, deep)
	fast(b, "long sums of bf16", 2*rows*rows*k, along, deep.AsType(weft.BFloat16))
	heads, features := fixed(16, 2), fixed(64, 16)
	attend := func(x weft.Array) weft.Array { return nn.Attention(x, x, x, nn.AttentionConfig{Causal: true}) }
	for _, nominal := range []int{4096, 32768} { // the scores of one head of the longer one would take 4.3 GB
		n, name := scaled(nominal), fmt.Sprintf("attention of bf16 %d", nominal)
		x := random.Normal(random.New(uint64(nominal)), n, heads, features).AsType(weft.BFloat16)
		flops := 2 * heads * features * n * n / 2 // of a product of the causal half
		fast(b, name, 2*flops, attend, x)
		fast(b, "gradient of "+name, 11*flops, weft.Grad(func(x weft.Array) weft.Array { return weft.Sin(attend(x)).Sum() }), x)
	}
}

// Convolutions of ResNet-50 that may run on tensor cores, and their gradients. Features are last, except in the rows of NCHW.
func BenchmarkConvDevice(b *testing.B) {
	images := scaled(256)
	for _, layer := range [][2]int{{56, 64}, {14, 256}} {
		side, channels := fixed(layer[0], 4), fixed(layer[1], 16)
		name := fmt.Sprintf("%dx%d", layer[0], layer[1])
		flops := 2 * images * side * side * 9 * channels * channels
		for _, dt := range []weft.DType{weft.Float32, weft.BFloat16} {
			kind := map[weft.DType]string{weft.Float32: " in tf32 ", weft.BFloat16: " of bf16 "}[dt]
			draw := func(seed uint64, dims ...int) weft.Array {
				return random.Normal(random.New(seed), dims...).AsType(dt)
			}
			x, z, w := draw(1, images, side, side, channels), draw(2, images, side, side, channels), draw(3, 3, 3, channels, channels)
			conv := func(x, w weft.Array) weft.Array {
				return lax.ConvGeneralDilated(x, w, lax.ConvConfig{Padding: lax.Same, Lhs: "NHWC", Rhs: "HWIO", Out: "NHWC"})
			}
			fast(b, "convolution"+kind+name, flops, func(x weft.Array) weft.Array { return conv(x, w) }, x)
			fast(b, "gradient by image"+kind+name, flops, func(z weft.Array) weft.Array {
				_, back := weft.VJP(func(x weft.Array) weft.Array { return conv(x, w) }, x)
				return back(z)
			}, z)
			fast(b, "gradient by filter"+kind+name, flops, func(z weft.Array) weft.Array {
				_, back := weft.VJP(func(w weft.Array) weft.Array { return conv(x, w) }, w)
				return back(z)
			}, z)
			if layer[0] == 56 {
				w := draw(3, channels, channels, 3, 3)
				fast(b, "convolution of NCHW"+kind+name, flops, func(x weft.Array) weft.Array { return lax.Conv(x, w, []int{1, 1}, lax.Same) }, draw(1, images, channels, side, side))
			}
		}
	}
}

// Steps of training, the last one with products that fill a device.
func BenchmarkStepDevice(b *testing.B) {
	p, x, y := deviceMLP()
	stepped(b, "perceptron", mlpStepFlops, mlpLoss, func() params { return p }, x, y)
	for _, c := range []struct {
		name                        string
		width, steps, batch, layers int
	}{{"transformer", tfWidth, tfSteps, tfBatch, tfLayers}, {"large transformer", 1024, 512, 16, 4}} {
		n, steps, width, layers := scaled(c.batch*16)/16, scaled(c.steps), fixed(c.width, 16), fixed(c.layers, 1)
		flops := 6 * float64(layers*n*steps) * float64(12*width*width+2*steps*width)
		x, y := dev(20, 1, n, steps, width), dev(60, 1, n, steps, width)
		stepped(b, c.name, flops, tfLoss, func() params { return tfParams(width, layers) }, x, y)
	}
}

// deviceMLP returns the perceptron of the rows, and a batch with its labels.
func deviceMLP() (p params, x, y weft.Array) {
	in, hidden, batch := fixed(784, 16), fixed(512, 16), fixed(128, 16)
	p = biasFree(10, [][]int{{in, hidden}, {hidden}, {hidden, hidden}, {hidden}, {hidden, 10}, {10}})
	return p, dev(7, 1, batch, in), oneHot(batch, 10)
}

// Steps that compute about as long as it takes to upload a batch of 64 MiB: the computation alone, on a batch that is on the
// device, the upload alone, and both at once, each step on a batch of its own.
func BenchmarkTransferDevice(b *testing.B) {
	n := scaled(1 << 24)
	here := weft.Linspace(-1, 1, n)
	step := func(x, batch weft.Array) weft.Array {
		for range fixed(40, 2) { // 128 MiB each
			x = lax.OptimizationBarrier(x.Add(1))[0]
		}
		return x.Add(batch)
	}
	row(b, "compute alone", 0, 0, nil, here, func(d weft.Device) func() weft.Array {
		g, x, batch := weft.Jit(step, weft.On(d)), here.To(d), here.To(d)
		return func() weft.Array { return g(x, batch) }
	})
	row(b, "upload alone", 0, 0, nil, here, func(d weft.Device) func() weft.Array { return func() weft.Array { return here.To(d) } })
	row(b, "compute and upload", 0, 0, nil, here, func(d weft.Device) func() weft.Array {
		g, x := weft.Jit(step, weft.On(d)), here.To(d)
		return func() weft.Array { return g(x, here.To(d)) }
	})
}

// Kernels that do nearly nothing: one, and [manySmall] that run one after another.
func BenchmarkSmallDevice(b *testing.B) {
	next := func(x weft.Array) weft.Array { return lax.OptimizationBarrier(x.Add(1))[0] }
	on(b, "call of one small kernel", 0, 0, next, weft.Ones(64))
	on(b, "many small kernels", 0, 0, func(x weft.Array) weft.Array {
		for range fixed(manySmall, 5) {
			x = next(x)
		}
		return x
	}, weft.Ones(64))
}

// The first call of a step of training the perceptron of the rows; and, before it, the time until the
// device is open and has the parameters and the data.
func BenchmarkDeviceFirstCall(b *testing.B) {
	p, x, y := deviceMLP()
	start := time.Now()
	d := benched(b)
	state := weft.TreeMap(func(a weft.Array) weft.Array { return a.To(d) }, p)
	x, y = x.To(d), y.To(d)
	for _, a := range append(params{x, y}, state...) {
		wait(b, a)
	}
	open := time.Since(start)
	b.ResetTimer()
	for range b.N {
		var l weft.Array
		state, l = weft.Jit(sgd(mlpLoss), weft.Donate(0), weft.On(d))(state, x, y)
		for _, a := range append(params{l}, state...) {
			wait(b, a)
		}
	}
	b.ReportMetric(float64(open.Milliseconds()), "ms-to-open")
}
