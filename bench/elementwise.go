package main

import (
	"fmt"
	"math"
	"runtime"
	"time"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/special"
)

// calls measures what a call costs besides its work (rows a/).
func calls(r *runner) {
	affine := func(x weft.Array) weft.Array { return x.Mul(2).Add(1) }
	three := func() weft.Array { return weft.Scalar(float32(3)) }
	for _, kind := range []string{"chained", "blocked"} {
		next := kind == "chained"
		r.row("a/scalar/"+kind, work{}, func() (func(), func() float64) {
			g, x := weft.Jit(affine), three()
			return func() {
				if y := g(x); next {
					x = y
				}
			}, nil
		})
		r.row("a/scalar2/"+kind, work{}, func() (func(), func() float64) {
			g, x, y := weft.Jit(func(x, y weft.Array) weft.Array { return x.Mul(y).Add(1) }), three(), weft.Scalar(float32(2))
			return func() {
				if z := g(x, y); next {
					x = z
				}
			}, nil
		})
		r.row("a/pytree20/"+kind, work{}, func() (func(), func() float64) {
			type layer = map[string]weft.Array
			tree := map[string]layer{}
			for i := range 10 {
				tree[fmt.Sprint("layer", i)] = layer{"w": dev(uint32(i), 1, 16), "b": dev(uint32(i), 1, 16)}
			}
			g := weft.Jit(func(t map[string]layer) map[string]layer { return weft.TreeMap(affine, t) })
			return func() {
				if y := g(tree); next {
					tree = y
				}
			}, nil
		})
	}
	r.row("a/scalar/host-float-in-out", work{}, func() (func(), func() float64) {
		g := weft.Jit(affine)
		return func() { runtime.KeepAlive(g(weft.Scalar(float32(3))).Float()) }, nil
	})
	r.row("a/scalar/eager-mul-add", work{}, func() (func(), func() float64) {
		x := three()
		return func() { x = x.Mul(2).Add(1) }, nil
	})
	r.row("a/scalar/blocked@aot", work{}, func() (func(), func() float64) {
		x := three()
		g, err := weft.Compile(affine, x)
		if err != nil {
			panic(err)
		}
		return func() { g.Call(x) }, nil
	})
}

func chain(x weft.Array) weft.Array {
	return weft.Tanh(x.Mul(1.5).Add(0.25)).Mul(weft.Exp(weft.Square(x).Neg())).Add(0.125)
}

// elementwise measures chains over many elements (rows b/).
func elementwise(r *runner) {
	for _, n := range []float64{1e3, 1e4, 1e5, 1e6, 1e7} {
		r.jit1(fmt.Sprintf("b/chain/%.0e", n), work{elems: n}, chain, later(1, 2, int(n)))
	}
	for _, n := range []float64{1e5, 1e6, 1e7} {
		r.row(fmt.Sprintf("b/chain/%.0e@donate", n), work{elems: n}, func() (func(), func() float64) {
			g, x := weft.Jit(chain, weft.Donate(0)), dev(1, 2, int(n))
			return func() { x = g(x) }, nil
		})
	}
	const n = 1_000_000
	for _, t := range []struct {
		tag string
		dt  weft.DType
	}{{"", weft.Float32}, {"-f64", weft.Float64}, {"-bf16", weft.BFloat16}} {
		x := laterOf(t.dt, 1, 2, n)
		if t.tag != "" {
			r.jit1("b/chain"+t.tag+"/1e+06", work{elems: n}, chain, x)
		}
		for _, f := range []struct {
			name string
			f    func(weft.Array) weft.Array
		}{
			{"gelu-tanh", nn.GeluTanh}, {"sigmoid", nn.Sigmoid},
			{"softplus", func(x weft.Array) weft.Array { return weft.Log1p(weft.Exp(x)) }},
			{"sincos", func(x weft.Array) weft.Array { return weft.Sin(x).Add(weft.Cos(x)) }},
		} {
			r.jit1("b/"+f.name+t.tag+"/1e+06", work{elems: n}, f.f, x)
		}
		base := func() weft.Array { return dev(1, 1, n).Add(float32(1.5)).AsType(t.dt) }
		r.jit2("b/pow"+t.tag+"/1e+06", work{elems: n}, func(x, y weft.Array) weft.Array { return x.Pow(y) }, base, laterOf(t.dt, 2, 2, n))
	}
}

// functions measures single functions of arrays that fit into the first cache, also in cycles (rows b/fn/).
func functions(r *runner) {
	const n = 4096
	ghz := 0.0
	for _, dt := range []weft.DType{weft.Float32, weft.Float64} {
		for _, f := range []struct {
			name         string
			f            func(weft.Array) weft.Array
			scale, shift float32
		}{
			{"neg", func(x weft.Array) weft.Array { return x.Neg() }, 8, 0},
			{"exp", weft.Exp, 8, 0}, {"exp2", weft.Exp2, 8, 0}, {"expm1", weft.Expm1, 4, 0},
			{"log", weft.Log, 4, 5}, {"log1p", weft.Log1p, 4, 4.5}, {"tanh", weft.Tanh, 4, 0}, {"logistic", nn.Sigmoid, 8, 0},
			{"sin", weft.Sin, 8, 0}, {"cos", weft.Cos, 8, 0}, {"tan", weft.Tan, 1.5, 0}, {"erf", special.Erf, 3, 0}, {"erfc", special.Erfc, 3, 0},
			{"sqrt", weft.Sqrt, 4, 5}, {"rsqrt", weft.Rsqrt, 4, 5}, {"cbrt", weft.Cbrt, 8, 0},
			{"asin", weft.Asin, 1, 0}, {"acos", weft.Acos, 1, 0}, {"atan", weft.Atan, 4, 0},
			{"sinh", weft.Sinh, 4, 0}, {"cosh", weft.Cosh, 4, 0}, {"asinh", weft.Asinh, 4, 0}, {"acosh", weft.Acosh, 4, 5.5}, {"atanh", weft.Atanh, 0.99, 0},
			{"erf_inv", special.ErfInv, 0.99, 0}, {"lgamma", special.Gammaln, 8, 8.5}, {"digamma", special.Digamma, 8, 8.5},
		} {
			name := fmt.Sprintf("b/fn/%s-%v/%d", f.name, dt, n)
			if !r.want(name) {
				continue
			}
			if ghz == 0 {
				ghz = clockGHz()
			}
			r.fn(name, ghz, f.f, dev(1, f.scale, n).Add(f.shift).AsType(dt))
		}
		name := fmt.Sprintf("b/fn/pow-%v/%d", dt, n)
		if r.want(name) {
			if ghz == 0 {
				ghz = clockGHz()
			}
			y := dev(2, 2, n).AsType(dt)
			r.fn(name, ghz, func(x weft.Array) weft.Array { return x.Pow(y) }, dev(1, 1, n).Add(float32(1.5)).AsType(dt))
		}
	}
}

// fn measures a jitted function and notes the cycles for 16 numbers. They include the cycles of the
// call and of the result's memory; the row of neg consists of little else.
func (r *runner) fn(name string, ghz float64, f func(weft.Array) weft.Array, x weft.Array) {
	defer r.recover(name)
	g := weft.Jit(f)
	g(x)
	var samples []float64
	for start := time.Now(); time.Since(start) < r.max || len(samples) < 5; {
		t := time.Now()
		for range 64 {
			g(x)
		}
		samples = append(samples, float64(time.Since(t).Nanoseconds())/64)
	}
	best := math.Inf(1)
	for _, s := range samples {
		best = min(best, s)
	}
	r.samples(name, fmt.Sprintf("%.1f cycles for 16 at %.2f GHz", best*ghz*16/float64(x.Size()), ghz), samples)
}

// clockGHz measures the clock by a chain of integer multiplications, each of which
// takes three cycles on the processors of the last fifteen years.
func clockGHz() float64 {
	best := math.Inf(1)
	x := uint64(time.Now().UnixNano()) | 1
	for range 50 {
		t := time.Now()
		for range 100_000 { // squares, so that the compiler cannot combine two multiplications
			x *= x
			x *= x
			x *= x
			x *= x
		}
		best = min(best, float64(time.Since(t).Nanoseconds()))
	}
	runtime.KeepAlive(x)
	return 3 * 400_000 / best
}

// rowwise measures normalizations of rows (rows c/).
func rowwise(r *runner) {
	for _, s := range [][2]int{{1024, 1024}, {32768, 128}, {64, 32768}} {
		tag := fmt.Sprintf("%dx%d", s[0], s[1])
		w := work{elems: float64(s[0] * s[1])}
		x := later(2, 4, s[0], s[1])
		r.jit1("c/softmax/"+tag, w, func(x weft.Array) weft.Array { return nn.Softmax(x, -1) }, x)
		r.jit3("c/layernorm/"+tag, w, layerNorm, x, later(3, 1, s[1]), later(4, 1, s[1]))
		r.jit1("c/logsumexp/"+tag, w, func(x weft.Array) weft.Array { return special.LogSumExp(x, -1) }, x)
	}
}

// layerNorm is written out as the peers write it.
func layerNorm(x, g, b weft.Array) weft.Array {
	d := x.Sub(x.Mean(-1, weft.Keep))
	v := weft.Square(d).Mean(-1, weft.Keep)
	return d.Mul(weft.Rsqrt(v.Add(1e-5))).Mul(g).Add(b)
}
