package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/weft-go/weft"
)

func chainOf(n int) func(x weft.Array) weft.Array {
	return func(x weft.Array) weft.Array {
		y := x
		for range n / 5 {
			y = weft.Tanh(weft.Sin(y.Mul(1.01).Add(x)).Sub(0.5))
		}
		return y
	}
}

// job is a function to compile and its arguments at two shapes.
type job struct {
	name   string
	reps   int
	make   func() func(small bool) // a fresh jitted function, called at one of two shapes
	trace  func() error            // traces a fresh function
	second bool
}

func oneArg(name string, reps int, f func() func(weft.Array) weft.Array, x, y func() weft.Array) job {
	j := job{name: name, reps: reps, second: y != nil}
	a := x()
	b := a
	if y != nil {
		b = y()
	}
	j.make = func() func(bool) {
		g := weft.Jit(f())
		return func(small bool) {
			if small {
				g(b)
			} else {
				g(a)
			}
		}
	}
	j.trace = func() error {
		_, err := weft.Jaxpr(f(), a)
		return err
	}
	return j
}

func stepJob(name string, loss func(p params, x, y weft.Array) weft.Array, p params, x, y, x2, y2 weft.Array) job {
	fresh := func() func(p params, x, y weft.Array) (params, weft.Array) {
		return sgd(func(p params, x, y weft.Array) weft.Array { return loss(p, x, y) })
	}
	return job{name: name, reps: 3, second: true, make: func() func(bool) {
		g := weft.Jit(fresh())
		return func(small bool) {
			if small {
				g(p, x2, y2)
			} else {
				g(p, x, y)
			}
		}
	}, trace: func() error {
		_, err := weft.Jaxpr(fresh(), p, x, y)
		return err
	}}
}

// compilation measures the time from a fresh function to its first result, less that
// of a steady call (rows h/compile/), and the steady calls (rows h/run/).
func compilation(r *runner) {
	at := func(n int) func() weft.Array { return later(1, 1, n) }
	fresh := func(f func(weft.Array) weft.Array) func() func(weft.Array) weft.Array {
		return func() func(weft.Array) weft.Array { return func(x weft.Array) weft.Array { return f(x) } }
	}
	r.compile("h/compile/scalar-affine", func() job {
		return oneArg("h/compile/scalar-affine", 5, fresh(func(x weft.Array) weft.Array { return x.Mul(2).Add(1) }), func() weft.Array { return weft.Scalar(float32(3)) }, nil)
	})
	for _, n := range []int{10, 100, 1000, 5000} {
		name := fmt.Sprint("h/compile/chain-", n)
		r.compile(name, func() job { return oneArg(name, 3, fresh(chainOf(n)), at(1024), at(2048)) })
		r.jit1(fmt.Sprint("h/run/chain-", n), work{}, chainOf(n), at(1024))
	}
	adds := func(x weft.Array) weft.Array {
		y := x
		for range 1000 {
			y = y.Add(x)
		}
		return y
	}
	r.compile("h/compile/1000-adds", func() job { return oneArg("h/compile/1000-adds", 3, fresh(adds), at(16), nil) })
	r.jit1("h/run/1000-adds-f32[16]", work{}, adds, at(16))
	gradient := weft.Grad(func(x weft.Array) weft.Array {
		y := x
		for range 1000 {
			y = weft.Sin(y).Add(x)
		}
		return y.Sum()
	})
	r.compile("h/compile/grad-of-1000-sin-add", func() job {
		return oneArg("h/compile/grad-of-1000-sin-add", 3, fresh(gradient), at(16), nil)
	})
	r.jit1("h/run/grad-of-1000-sin-add", work{}, gradient, at(16))
	r.compile("h/compile/mlp-step", func() job {
		return stepJob("h/compile/mlp-step", mlpLoss, mlpParams(), dev(7, 1, 128, 784), oneHot(128, 10), dev(7, 1, 64, 784), oneHot(64, 10))
	})
	r.compile("h/compile/lenet-step", func() job {
		return stepJob("h/compile/lenet-step", lenetLoss, lenetParams(), dev(50, 1, 64, 28, 28, 1), oneHot(64, 10), dev(50, 1, 32, 28, 28, 1), oneHot(32, 10))
	})
	r.compile("h/compile/transformer-step", func() job {
		return stepJob("h/compile/transformer-step", tfLoss, tfParams(tfWidth, tfLayers), dev(20, 1, 8, 128, 256), dev(60, 1, 8, 128, 256), dev(20, 1, 4, 128, 256), dev(60, 1, 4, 128, 256))
	})
}

// compile measures a job's first call, its tracing alone, and the first call at
// another shape.
func (r *runner) compile(name string, make func() job) {
	if !r.want(name) {
		return
	}
	defer r.recover(name)
	j := make()
	var total, trace, second []float64
	for range j.reps {
		call := j.make()
		total = append(total, first(func() { call(false) }))
		if j.second {
			second = append(second, first(func() { call(true) }))
		}
		t := time.Now()
		if err := j.trace(); err != nil {
			panic(err)
		}
		trace = append(trace, float64(time.Since(t).Nanoseconds()))
	}
	r.samples(name, "", total)
	r.samples(name+"/trace", "", trace)
	if j.second {
		r.samples(name+"/second-shape", "", second)
	}
}

// first returns the time of the first call less the median of five more.
func first(call func()) float64 {
	t := time.Now()
	call()
	d := float64(time.Since(t).Nanoseconds())
	var steady []float64
	for range 5 {
		t := time.Now()
		call()
		steady = append(steady, float64(time.Since(t).Nanoseconds()))
	}
	slices.Sort(steady)
	return d - steady[2]
}
