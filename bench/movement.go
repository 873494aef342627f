package main

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// movement measures reductions and operations that move elements (rows i/).
func movement(r *runner) {
	const n = 4096
	m := later(1, 1, n, n)
	nn2 := 4. * n * n
	sum := func(x weft.Array) weft.Array { return x.Sum() }
	r.jit1("i/sum-1e7", work{bytes: 4e7}, sum, later(1, 1, 1e7))
	r.jit1("i/sum-1e7-f64", work{bytes: 8e7}, sum, laterOf(weft.Float64, 1, 1, 1e7))
	r.jit1("i/rowsum-4096x4096", work{bytes: nn2}, func(x weft.Array) weft.Array { return x.Sum(1) }, m)
	r.jit1("i/colsum-4096x4096", work{bytes: nn2}, func(x weft.Array) weft.Array { return x.Sum(0) }, m)
	r.jit1("i/argmax-rows-4096x4096", work{bytes: nn2}, func(x weft.Array) weft.Array { return x.ArgMax(1) }, m)
	r.jit1("i/cumsum-1e6", work{elems: 1e6}, func(x weft.Array) weft.Array { return x.CumSum() }, later(1, 1, 1e6))
	r.jit1("i/sort-1e6", work{elems: 1e6}, func(x weft.Array) weft.Array { return x.Sort() }, later(1, 1, 1e6))
	r.jit1("i/transpose-4096x4096", work{bytes: 2 * nn2}, func(x weft.Array) weft.Array { return x.T() }, m)
	ints := func(n, limit int) func() weft.Array {
		return func() weft.Array { return weft.FromSlice(fillInts(n, limit, 3)) }
	}
	take := func(x, i weft.Array) weft.Array { return x.At(i).Mode(weft.PromiseInBounds).Get() }
	r.jit2("i/gather-1e6-of-1e6", work{elems: 1e6}, take, later(1, 1, 1e6), ints(1e6, 1e6))
	r.jit2("i/gather-rows-1e5x64", work{bytes: 2 * 4 * 64e5}, take, later(1, 1, 1e5, 64), ints(1e5, 1e5))
	r.jit3("i/scatter-add-1e5-into-1e4x64", work{bytes: 4 * 64e5}, func(x, i, u weft.Array) weft.Array {
		return x.At(i).Mode(weft.PromiseInBounds).Add(u)
	}, later(1, 1, 1e4, 64), ints(1e5, 1e4), later(2, 1, 1e5, 64))
	r.jit2("i/concat-2x4096x2048-axis1", work{bytes: 2 * nn2}, func(x, y weft.Array) weft.Array { return weft.Concat(1, x, y) }, later(1, 1, n, n/2), later(2, 1, n, n/2))
	r.jit1("i/maxpool3x3s2/8x112x112x64", work{bytes: 4. * 8 * 112 * 112 * 64}, func(x weft.Array) weft.Array {
		return nn.MaxPool(x, nn.PoolConfig{Window: []int{1, 3, 3, 1}, Strides: []int{1, 2, 2, 1}, Padding: [][2]int{{0, 0}, {1, 1}, {1, 1}, {0, 0}}})
	}, later(1, 1, 8, 112, 112, 64))
}

// derivatives measures transformations (rows j/).
func derivatives(r *runner) {
	rosenbrock := func(x weft.Array) weft.Array {
		head, tail := x.Index(":-1"), x.Index("1:")
		return weft.Square(tail.Sub(weft.Square(head))).Mul(100).Add(weft.Square(weft.Sub(1, head))).Sum()
	}
	r.jit1("j/hessian-rosenbrock-100", work{}, weft.Hessian(rosenbrock), later(1, 1, 100))
	r.row("j/jacobian-mlp-input/b128", work{}, func() (func(), func() float64) {
		g := weft.Jit(func(p params, xs weft.Array) weft.Array {
			return weft.Vmap(weft.Jacrev(func(x weft.Array) weft.Array { return mlpLogits(p, x.ExpandDims(0)).Index(0) }))(xs)
		})
		p, x := mlpParams(), dev(7, 1, 128, 784)
		return func() { g(p, x) }, func() float64 { return meanAbs(g(p, x)) }
	})
	r.row("j/per-example-grad-mlp/b128", work{}, func() (func(), func() float64) {
		g := weft.Jit(func(p params, xs, ys weft.Array) params {
			return weft.Vmap(func(x, y weft.Array) params {
				return weft.Grad(func(p params) weft.Array { return mlpLoss(p, x.ExpandDims(0), y.ExpandDims(0)) })(p)
			})(xs, ys)
		})
		p, x, y := mlpParams(), dev(7, 1, 128, 784), oneHot(128, 10)
		return func() { g(p, x, y) }, func() float64 { return meanAbs(g(p, x, y)[0]) }
	})
}

// randomness measures JAX's generator and samplers (rows m/).
func randomness(r *runner) {
	key := func() random.Key { return random.New(1) }
	draw := func(name string, f func(k random.Key) weft.Array) {
		r.row(name, work{elems: 1e7}, func() (func(), func() float64) {
			g, k := weft.Jit(f), key()
			return func() { g(k) }, func() float64 { return meanAbs(g(k)) }
		})
	}
	draw("m/normal-1e7-f32", func(k random.Key) weft.Array { return random.Normal(k, 1e7) })
	draw("m/uniform-1e7-f32", func(k random.Key) weft.Array { return random.Uniform(k, 1e7) })
	draw("m/bits-1e7-u32", func(k random.Key) weft.Array { return random.Bits(k, 1e7) })
}
