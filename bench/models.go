package main

import (
	"fmt"
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

// params are the parameters of a model, in the peers' order.
type params = []weft.Array

// products measures matrix products (rows d/).
func products(r *runner) {
	mm := func(x, y weft.Array) weft.Array { return x.MatMul(y) }
	square := func(name string, dt weft.DType, n int) {
		r.jit2(fmt.Sprintf("d/matmul-%s/%d", name, n), work{flops: 2 * math.Pow(float64(n), 3)}, mm, laterOf(dt, 5, 1, n, n), laterOf(dt, 6, 1, n, n))
	}
	for _, n := range []int{16, 32, 64, 128, 256, 512, 1024, 2048} {
		square("f32", weft.Float32, n)
	}
	for _, n := range []int{512, 1024} {
		square("f64", weft.Float64, n)
	}
	square("c64", weft.Complex64, 512)
	square("c128", weft.Complex128, 512)
	square("bf16", weft.BFloat16, 1024)
	r.row("d/matmul-bf16/1024@fast", work{flops: 2 << 30}, func() (func(), func() float64) {
		g, x, y := weft.Jit(mm), laterOf(weft.BFloat16, 5, 1, 1024, 1024)(), laterOf(weft.BFloat16, 6, 1, 1024, 1024)()
		fast := func(f func()) func() { return func() { weft.With(weft.Precision(weft.Fast), f) } }
		return fast(func() { g(x, y) }), func() (m float64) {
			fast(func() { m = meanAbs(g(x, y)) })()
			return m
		}
	})
	for _, s := range [][3]int{{128, 784, 512}, {1, 4096, 4096}, {4096, 64, 4096}} {
		m, k, n := s[0], s[1], s[2]
		r.jit2(fmt.Sprintf("d/matmul-f32/%dx%dx%d", m, k, n), work{flops: 2 * float64(m*k*n)}, mm, later(5, 1, m, k), later(6, 1, k, n))
		r.row(fmt.Sprintf("d/matmul-f32/%dx%dx%d@const-weight", m, k, n), work{flops: 2 * float64(m*k*n)}, func() (func(), func() float64) {
			x, y := dev(5, 1, m, k), dev(6, 1, k, n)
			g := weft.Jit(func(x weft.Array) weft.Array { return mm(x, y) })
			return func() { g(x) }, func() float64 { return meanAbs(g(x)) }
		})
	}
	r.jit2("d/batched-f32/256x128x64x128", work{flops: 2. * 256 * 128 * 64 * 128}, mm, later(5, 1, 32, 8, 128, 64), later(6, 1, 32, 8, 64, 128))
	r.jit2("d/vdot-f32/1e+06", work{flops: 2e6}, func(x, y weft.Array) weft.Array { return weft.Vdot(x, y) }, later(5, 1, 1e6), later(6, 1, 1e6))
}

var mlpDims = [][]int{{784, 512}, {512}, {512, 512}, {512}, {512, 10}, {10}}

const (
	mlpForwardFlops = 2. * 128 * (784*512 + 512*512 + 512*10)
	mlpStepFlops    = 3*mlpForwardFlops - 2.*128*784*512
)

func mlpParams() params { return biasFree(10, mlpDims) }

func mlpLogits(p params, x weft.Array) weft.Array {
	z := nn.Relu(x.MatMul(p[0]).Add(p[1]))
	z = nn.Relu(z.MatMul(p[2]).Add(p[3]))
	return z.MatMul(p[4]).Add(p[5])
}

func crossEntropy(logits, y weft.Array) weft.Array {
	return nn.LogSoftmax(logits, -1).Mul(y).Sum(-1).Mean().Neg()
}

func mlpLoss(p params, x, y weft.Array) weft.Array { return crossEntropy(mlpLogits(p, x), y) }

// sgd returns a training step: parameters minus a hundredth of the gradient, and the loss.
func sgd(loss func(p params, x, y weft.Array) weft.Array) func(p params, x, y weft.Array) (params, weft.Array) {
	return func(p params, x, y weft.Array) (params, weft.Array) {
		l, g := weft.ValueAndGrad(func(p params) weft.Array { return loss(p, x, y) })(p)
		return weft.TreeMap2(func(w, g weft.Array) weft.Array { return w.Sub(g.Mul(0.01)) }, p, g), l
	}
}

// step measures a training step. It is called with the state that the step before returned, which is donated.
func (r *runner) step(name string, flops float64, step func(p params, x, y weft.Array) (params, weft.Array), p func() params, x, y func() weft.Array) {
	r.row(name, work{flops: flops}, func() (func(), func() float64) {
		g, state, a, b := weft.Jit(step, weft.Donate(0)), p(), x(), y()
		var loss weft.Array
		return func() { state, loss = g(state, a, b) }, func() float64 { return meanAbs(loss) }
	})
}

func labels(n int) func() weft.Array { return func() weft.Array { return oneHot(n, 10) } }

// perceptron measures a perceptron's loss and training step (rows e/).
func perceptron(r *runner) {
	x, y := later(7, 1, 128, 784), labels(128)
	r.row("e/mlp-forward-loss/b128", work{flops: mlpForwardFlops}, func() (func(), func() float64) {
		g, p, a, b := weft.Jit(mlpLoss), mlpParams(), x(), y()
		return func() { g(p, a, b) }, func() float64 { return meanAbs(g(p, a, b)) }
	})
	r.row("e/mlp-forward-loss/b128@const-weight", work{flops: mlpForwardFlops}, func() (func(), func() float64) {
		p, a, b := mlpParams(), x(), y()
		g := weft.Jit(func(x, y weft.Array) weft.Array { return mlpLoss(p, x, y) })
		return func() { g(a, b) }, func() float64 { return meanAbs(g(a, b)) }
	})
	r.step("e/mlp-step/b128", mlpStepFlops, sgd(mlpLoss), mlpParams, x, y)
}

var lenetDims = [][]int{{5, 5, 1, 16}, {16}, {5, 5, 16, 32}, {32}, {1568, 128}, {128}, {128, 10}, {10}}

const (
	lenetForwardFlops = 2. * 64 * (28*28*25*16 + 14*14*25*16*32 + 1568*128 + 1280)
	lenetStepFlops    = 3*lenetForwardFlops - 2.*64*28*28*25*16
)

func lenetParams() params { return biasFree(40, lenetDims) }

func convNHWC(x, k weft.Array, c weft.ConvConfig) weft.Array {
	c.Layout = "NHWC,HWIO->NHWC"
	return weft.Conv(x, k, c)
}

func pool2(x weft.Array) weft.Array {
	return nn.MaxPool(x, nn.PoolConfig{Window: []int{1, 2, 2, 1}, Strides: []int{1, 2, 2, 1}})
}

func lenetLoss(p params, x, y weft.Array) weft.Array {
	same := weft.ConvConfig{Same: true}
	z := pool2(nn.Relu(convNHWC(x, p[0], same).Add(p[1])))
	z = pool2(nn.Relu(convNHWC(z, p[2], same).Add(p[3])))
	z = nn.Relu(z.Reshape(z.Dim(0), -1).MatMul(p[4]).Add(p[5]))
	return crossEntropy(z.MatMul(p[6]).Add(p[7]), y)
}

// convolutions measures convolutions and a training step with them (rows f/).
func convolutions(r *runner) {
	x := later(8, 1, 32, 56, 56, 64)
	conv := func(c weft.ConvConfig) func(x, k weft.Array) weft.Array {
		return func(x, k weft.Array) weft.Array { return convNHWC(x, k, c) }
	}
	r.jit2("f/conv2d-nhwc/32x56x56x64-3x3x64", work{flops: 2. * 32 * 56 * 56 * 64 * 64 * 9}, conv(weft.ConvConfig{Same: true}), x, later(9, .1, 3, 3, 64, 64))
	r.jit2("f/conv7x7s2/8x224x224x3-64", work{flops: 2. * 8 * 112 * 112 * 49 * 3 * 64},
		conv(weft.ConvConfig{Strides: []int{2, 2}, Padding: [][2]int{{3, 3}, {3, 3}}}), later(8, 1, 8, 224, 224, 3), later(9, .1, 7, 7, 3, 64))
	r.jit2("f/depthwise3x3/32x56x56x64", work{flops: 2. * 32 * 56 * 56 * 64 * 9}, conv(weft.ConvConfig{Same: true, Groups: 64}), x, later(9, .1, 3, 3, 1, 64))
	r.step("f/lenet-step/b64", lenetStepFlops, sgd(lenetLoss), lenetParams, later(50, 1, 64, 28, 28, 1), labels(64))
}
