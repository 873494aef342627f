package main

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
)

// mlp is a perceptron of one hidden layer that recognizes digits.
type mlp struct{ W1, B1, W2, B2 weft.Array }

func (m mlp) loss(x, y weft.Array) weft.Array {
	h := weft.Tanh(x.Dot(m.W1).Add(m.B1))
	z := h.Dot(m.W2).Add(m.B2)
	shifted := z.Sub(weft.StopGradient(z.Max(-1, weft.Keep)))
	logp := shifted.Sub(weft.Log(weft.Exp(shifted).Sum(-1, weft.Keep)))
	return logp.Mul(y).Sum(-1).Mean().Neg()
}

// adam is the state of the optimizer.
type adam struct {
	M, V mlp
	Step weft.Array
}

func waves(n int, dims ...int) weft.Array {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(0.2 * math.Sin(float64(i)*1.7))
	}
	return weft.FromSlice(v, dims...)
}

// trainStep is one step of Adam on a batch, written with functions of package weft.
var trainStep = weft.Jit(func(m mlp, o adam, x, y weft.Array) (mlp, adam, weft.Array) {
	l, g := weft.ValueAndGrad(func(m mlp) weft.Array { return m.loss(x, y) })(m)
	o.Step = o.Step.Add(1)
	o.M = weft.TreeMap2(func(a, g weft.Array) weft.Array { return a.Mul(0.9).Add(g.Mul(0.1)) }, o.M, g)
	o.V = weft.TreeMap2(func(a, g weft.Array) weft.Array { return a.Mul(0.999).Add(weft.Square(g).Mul(0.001)) }, o.V, g)
	c1, c2 := weft.Sub(1, weft.Pow(0.9, o.Step)), weft.Sub(1, weft.Pow(0.999, o.Step))
	m = weft.TreeMap3(func(w, a, v weft.Array) weft.Array {
		return w.Sub(a.Div(c1).Div(weft.Sqrt(v.Div(c2)).Add(1e-8)).Mul(0.001))
	}, m, o.M, o.V)
	return m, o, l
})

func trainStart(batch int) (m mlp, o adam, x, y weft.Array) {
	m = mlp{waves(64*64, 64, 64), waves(64, 64), waves(640, 64, 10), waves(10, 10)}
	o = adam{weft.ZerosLike(m), weft.ZerosLike(m), weft.Scalar(float32(0))}
	label := make([]float32, batch*10)
	for i := range batch {
		label[i*10+i*7%10] = 1
	}
	return m, o, waves(batch*64, batch, 64), weft.FromSlice(label, batch, 10)
}

// BenchmarkTrainStep measures a step on 128 rows of 64 numbers. An epoch of the digits has
// eleven steps.
func BenchmarkTrainStep(b *testing.B) {
	m, o, x, y := trainStart(128)
	measure(b, func() { m, o, _ = trainStep(m, o, x, y) })
}

// The step that is measured learns.
func TestTrainStep(t *testing.T) {
	m, o, x, y := trainStart(20)
	var first, last float64
	for i := range 300 {
		var l weft.Array
		m, o, l = trainStep(m, o, x, y)
		if last = l.Float(); i == 0 {
			first = last
		}
	}
	if !(last < first/2) {
		t.Errorf("loss from %v to %v", first, last)
	}
}
