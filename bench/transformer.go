package main

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

// The transformer: width, heads, positions, batch, layers.
const (
	tfWidth, tfHeads, tfSteps, tfBatch, tfLayers = 256, 4, 128, 8, 2
	tfForwardFlops                               = tfLayers * (2*tfBatch*tfSteps*(tfWidth*3*tfWidth+tfWidth*tfWidth+8*tfWidth*tfWidth) + 4*tfBatch*tfSteps*tfSteps*tfWidth)
)

// The decoder's step: width, heads, layers, cached positions.
const (
	decWidth, decHeads, decLayers, decSteps = 512, 8, 6, 256
	decFlops                                = decLayers * (2*12*decWidth*decWidth + 4*decSteps*decWidth)
)

func tfParams(d, layers int) params {
	var ps params
	for l := range layers {
		ps = append(ps, devs(uint32(21+12*l), 0.05, [][]int{{d}, {d}, {d, 3 * d}, {3 * d}, {d, d}, {d}, {d}, {d}, {d, 4 * d}, {4 * d}, {4 * d, d}, {d}})...)
	}
	return ps
}

// feedForward applies the second half of a layer: two products with Gelu between them, whose result it adds to x.
func feedForward(q params, x weft.Array) weft.Array {
	h := layerNorm(x, q[6], q[7])
	return x.Add(nn.Gelu(h.MatMul(q[8]).Add(q[9])).MatMul(q[10])).Add(q[11])
}

func transformer(p params, x weft.Array) weft.Array {
	b, t, d := x.Dim(0), x.Dim(1), x.Dim(2)
	for l := range len(p) / 12 {
		q := p[12*l : 12*l+12]
		h := layerNorm(x, q[0], q[1])
		qkv := weft.SplitEvenly(h.MatMul(q[2]).Add(q[3]), -1, 3)
		for i := range qkv {
			qkv[i] = qkv[i].Reshape(b, t, tfHeads, d/tfHeads)
		}
		s := weft.Einsum("bqhd,bkhd->bhqk", qkv[0], qkv[1]).Mul(float32(1 / math.Sqrt(float64(d/tfHeads))))
		o := weft.Einsum("bhqk,bkhd->bqhd", nn.Softmax(s, -1), qkv[2]).Reshape(b, t, d)
		x = feedForward(q, x.Add(o.MatMul(q[4])).Add(q[5]))
	}
	return x
}

func tfLoss(p params, x, y weft.Array) weft.Array {
	return weft.Square(transformer(p, x).Sub(y)).Mean()
}

type adamState struct {
	P, M, V params
	T       weft.Array
}

// adamStep returns a training step of Adam, written out as the peers write it.
func adamStep(s adamState, x, y weft.Array) (adamState, weft.Array) {
	l, g := weft.ValueAndGrad(func(p params) weft.Array { return tfLoss(p, x, y) })(s.P)
	s.T = s.T.Add(1)
	s.M = weft.TreeMap2(func(m, g weft.Array) weft.Array { return m.Mul(0.9).Add(g.Mul(0.1)) }, s.M, g)
	s.V = weft.TreeMap2(func(v, g weft.Array) weft.Array { return v.Mul(0.999).Add(g.Mul(0.001).Mul(g)) }, s.V, g)
	c1, c2 := weft.Sub(1, weft.Pow(0.9, s.T)), weft.Sub(1, weft.Pow(0.999, s.T))
	s.P = weft.TreeMap3(func(p, m, v weft.Array) weft.Array {
		return p.Sub(m.Div(c1).Mul(1e-3).Div(weft.Sqrt(v.Div(c2)).Add(1e-8)))
	}, s.P, s.M, s.V)
	return s, l
}

type cache struct{ K, V weft.Array }

// decode runs a decoder for the position pos. It returns the updated caches and the output.
func decode(caches []cache, p params, x, pos weft.Array) ([]cache, weft.Array) {
	const hd = decWidth / decHeads
	next := make([]cache, len(caches))
	for l, c := range caches {
		q := p[12*l : 12*l+12]
		qkv := weft.SplitEvenly(layerNorm(x, q[0], q[1]).MatMul(q[2]).Add(q[3]), -1, 3)
		k := c.K.At(pos).Set(qkv[1].Reshape(decHeads, hd))
		v := c.V.At(pos).Set(qkv[2].Reshape(decHeads, hd))
		s := weft.Einsum("hd,khd->hk", qkv[0].Reshape(decHeads, hd), k).Mul(float32(1 / math.Sqrt(hd)))
		s = weft.Where(weft.Arange(decSteps).Le(pos), s, math.Inf(-1))
		o := weft.Einsum("hk,khd->hd", nn.Softmax(s, -1), v).Reshape(1, decWidth)
		x = feedForward(q, x.Add(o.MatMul(q[4])).Add(q[5]))
		next[l] = cache{k, v}
	}
	return next, x
}

// transformers measures a transformer's forward pass, training steps and decoding (rows g/).
func transformers(r *runner) {
	x, y := later(20, 1, tfBatch, tfSteps, tfWidth), later(60, 1, tfBatch, tfSteps, tfWidth)
	ps := func() params { return tfParams(tfWidth, tfLayers) }
	r.row("g/transformer-2l-fwd", work{flops: tfForwardFlops}, func() (func(), func() float64) {
		g, p, a := weft.Jit(transformer), ps(), x()
		return func() { g(p, a) }, func() float64 { return meanAbs(g(p, a)) }
	})
	r.row("g/transformer-2l-fwd@const-weight", work{flops: tfForwardFlops}, func() (func(), func() float64) {
		p, a := ps(), x()
		g := weft.Jit(func(x weft.Array) weft.Array { return transformer(p, x) })
		return func() { g(a) }, func() float64 { return meanAbs(g(a)) }
	})
	r.step("g/transformer-2l-step-sgd", 3*tfForwardFlops, sgd(tfLoss), ps, x, y)
	r.row("g/transformer-2l-step-adam", work{flops: 3 * tfForwardFlops}, func() (func(), func() float64) {
		p := ps()
		s := adamState{p, weft.ZerosLike(p), weft.ZerosLike(p), weft.Scalar(float32(0))}
		g, a, b := weft.Jit(adamStep, weft.Donate(0)), x(), y()
		var loss weft.Array
		return func() { s, loss = g(s, a, b) }, func() float64 { return meanAbs(loss) }
	})
	r.row("g/decode-d512-6l-kv256", work{flops: decFlops, bytes: decLayers * 12 * decWidth * decWidth * 4}, func() (func(), func() float64) {
		p := tfParams(decWidth, decLayers)
		var cs []cache
		for l := range uint32(decLayers) {
			cs = append(cs, cache{dev(100+l, 1, decSteps, decHeads, decWidth/decHeads), dev(200+l, 1, decSteps, decHeads, decWidth/decHeads)})
		}
		g := weft.Jit(decode, weft.Donate(0))
		a, pos := dev(20, 1, 1, decWidth), weft.Scalar(int32(decSteps-1))
		var out weft.Array
		return func() { cs, out = g(cs, p, a, pos) }, func() float64 { return meanAbs(out) }
	})
}
