package main

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

func gruCell(w, b, h, xw weft.Array) weft.Array {
	x, g := weft.SplitEvenly(xw, -1, 3), weft.SplitEvenly(h.MatMul(w).Add(b), -1, 3)
	r, z := nn.Sigmoid(x[0].Add(g[0])), nn.Sigmoid(x[1].Add(g[1]))
	n := weft.Tanh(x[2].Add(r.Mul(g[2])))
	return weft.Sub(1, z).Mul(n).Add(z.Mul(h))
}

// gru returns the function of a layer of gated recurrent units, which returns its states. If hoist is true,
// all inputs are projected before the loop.
func gru(hoist bool) func(p params, x weft.Array) weft.Array {
	return func(p params, x weft.Array) weft.Array {
		in := func(x weft.Array) weft.Array { return x.MatMul(p[0]).Add(p[1]) }
		xs := x
		if hoist {
			xs = in(x)
		}
		_, hs := weft.Scan(func(h, xt weft.Array) (weft.Array, weft.Array) {
			if !hoist {
				xt = in(xt)
			}
			h = gruCell(p[2], p[3], h, xt)
			return h, h
		}, weft.Zeros(x.Dim(1), 128), xs)
		return hs
	}
}

// lstm returns the function of a layer of LSTM cells, as gru does for gated recurrent units.
func lstm(hoist bool) func(p params, x weft.Array) weft.Array {
	type state struct{ H, C weft.Array }
	return func(p params, x weft.Array) weft.Array {
		in := func(x weft.Array) weft.Array { return x.MatMul(p[0]).Add(p[1]) }
		xs := x
		if hoist {
			xs = in(x)
		}
		zero := weft.Zeros(x.Dim(1), 128)
		_, hs := weft.Scan(func(s state, xt weft.Array) (state, weft.Array) {
			if !hoist {
				xt = in(xt)
			}
			g := weft.SplitEvenly(xt.Add(s.H.MatMul(p[2])).Add(p[3]), -1, 4)
			s.C = nn.Sigmoid(g[1]).Mul(s.C).Add(nn.Sigmoid(g[0]).Mul(weft.Tanh(g[2])))
			s.H = nn.Sigmoid(g[3]).Mul(weft.Tanh(s.C))
			return s, s.H
		}, state{zero, zero}, xs)
		return hs
	}
}

// loops measures recurrent layers and plain loops (rows k/).
func loops(r *runner) {
	for _, cell := range []struct {
		name  string
		make  func(hoist bool) func(p params, x weft.Array) weft.Array
		gates int
	}{{"gru", gru, 3}, {"lstm", lstm, 4}} {
		n := cell.gates * 128
		flops := 2. * 256 * 32 * 128 * float64(n) * 2
		start := func() (params, weft.Array) {
			return devs(70, .08, [][]int{{128, n}, {n}, {128, n}, {n}}), dev(74, 1, 256, 32, 128)
		}
		for _, v := range []struct {
			tag   string
			hoist bool
		}{{"", false}, {"@hoisted", true}} {
			f := cell.make(v.hoist)
			r.row("k/"+cell.name+"-fwd/256x32x128"+v.tag, work{flops: flops}, func() (func(), func() float64) {
				p, x := start()
				g := weft.Jit(f)
				return func() { g(p, x) }, func() float64 { return meanAbs(g(p, x)) }
			})
			r.row("k/"+cell.name+"-grad/256x32x128"+v.tag, work{flops: 3 * flops}, func() (func(), func() float64) {
				p, x := start()
				g := weft.Jit(func(p params, x weft.Array) params {
					return weft.Grad(func(p params) weft.Array { return weft.Square(f(p, x)).Mean() })(p)
				})
				return func() { g(p, x) }, func() float64 { return meanAbs(g(p, x)[0]) }
			})
		}
	}
	type count struct{ I, X weft.Array }
	r.jit1("k/while-1e6-scalar", work{elems: 1e6}, func(x weft.Array) weft.Array {
		return weft.While(func(c count) weft.Array { return c.I.Lt(1_000_000) }, func(c count) count {
			return count{c.I.Add(1), c.X.Mul(float32(0.999)).Add(float32(0.001))}
		}, count{weft.Scalar(int32(0)), x}).X
	}, func() weft.Array { return weft.Scalar(float32(3)) })
	r.jit1("k/fori-1e5-vec16", work{elems: 1e5}, func(x weft.Array) weft.Array {
		return weft.ForI(100_000, func(_, v weft.Array) weft.Array { return v.Mul(float32(0.999)).Add(float32(0.001)) }, x)
	}, later(1, 1, 16))
}
