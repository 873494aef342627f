package nn

import (
	"math"
	"strconv"
	"strings"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/random"
)

// LSTM is long short-term memory (Hochreiter and Schmidhuber, 1997). The four gates stand side
// by side in the weights: input, forget, cell, output.
type LSTM struct {
	Wx weft.Array // [in, 4·hidden]
	Wh weft.Array // [hidden, 4·hidden]
	B  weft.Array // [4·hidden]; no elements: no bias
}

// LSTMState is the state that an LSTM carries from step to step.
type LSTMState struct{ H, C weft.Array } // [batch…, hidden]

// recurrentInit returns the Init of recurrent weights: uniform in ±1/√hidden, as PyTorch's.
func recurrentInit(hidden int) Init {
	bound := 1 / math.Sqrt(float64(hidden))
	return func(k random.Key, dims ...int) weft.Array {
		return scaled(random.UniformIn(k, -1, 1, dims...), bound)
	}
}

// NewLSTM returns an LSTM whose weights are uniform in ±1/√hidden, unless p names another Init.
func NewLSTM(k random.Key, in, hidden int, p ...Params) LSTM {
	requireSizes("NewLSTM", in, hidden)
	c := paramsOf("NewLSTM", p, recurrentInit(hidden))
	kx, kh := k.Split()
	w := c.Init(kx, in, 4*hidden)
	return LSTM{Wx: w, Wh: c.Init(kh, hidden, 4*hidden), B: c.bias(w, 4*hidden)}
}

// Zero returns the state before the first step, for batch axes of the given sizes.
func (l LSTM) Zero(dims ...int) LSTMState {
	h := weft.ZerosOf(l.Wh.DType(), append(append([]int{}, dims...), l.Wh.Dim(0))...)
	return LSTMState{h, h}
}

// Step returns the state after one step of x, [batch…, in], and its H:
//
//	c ← σ(f)·c + σ(i)·tanh(g)     h ← σ(o)·tanh(c)
func (l LSTM) Step(s LSTMState, x weft.Array) (LSTMState, weft.Array) {
	requireFeatures("LSTM", x, l.Wx, 0)
	requireFeatures("LSTM", s.H, l.Wh, 0)
	g := weft.SplitEvenly(addBias(x.MatMul(l.Wx).Add(s.H.MatMul(l.Wh)), l.B), -1, 4)
	c := Sigmoid(g[1]).Mul(s.C).Add(Sigmoid(g[0]).Mul(weft.Tanh(g[2])))
	h := Sigmoid(g[3]).Mul(weft.Tanh(c))
	return LSTMState{h, c}, h
}

// Apply runs the LSTM along the first axis of xs, [steps, batch…, in], and returns the last state
// and H of every step.
func (l LSTM) Apply(s LSTMState, xs weft.Array) (LSTMState, weft.Array) {
	requireSteps("LSTM.Apply", xs, s.H, l.Wx)
	return weft.Scan(l.Step, s, xs)
}

// requireSteps refuses inputs that are not laid out as [steps, batch…, features], with the batch
// axes of the state h and the features of w.
func requireSteps(op string, xs, h, w weft.Array) {
	a, s := nd.ValueOf(op, xs).Aval(), nd.ValueOf(op, h).Aval()
	features := nd.ValueOf(op, w).Aval().Shape.At(0)
	fits := func(steps, first int) bool { // steps is the axis of the steps, first the first batch axis
		if a.Rank() < 2 || a.Rank() > s.Rank()+1 || a.Shape.At(a.Rank()-1) != features {
			return false
		}
		for k := 1; k < a.Rank()-1; k++ { // aligned at their ends
			at := k
			if k == 1 {
				at = first
			}
			if n := a.Shape.At(at); n != 1 && n != s.Shape.At(s.Rank()-a.Rank()+k) {
				return false
			}
		}
		return true
	}
	if fits(0, 1) {
		return
	}
	want := make([]string, 0, s.Rank()+1)
	want = append(want, "steps")
	for k := range s.Rank() - 1 {
		want = append(want, strconv.Itoa(s.Shape.At(k)))
	}
	want = append(want, strconv.Itoa(features))
	fix := "reshape or transpose them, or make the state with Zero of their batch axes"
	if a.Rank() > 2 && fits(1, 0) {
		fix = "exchange the first two axes with SwapAxes(0, 1)"
	}
	core.FailOp(core.ErrShape, op, []core.ShapedArray{a, s}, "the inputs are laid out as [steps, batch…, features], here [%s] (got %v beside the state %v); %s",
		strings.Join(want, ", "), a.Full(), s.Full(), fix)
}

// GRU is a gated recurrent unit (Cho et al., 2014), with the reset gate applied after the product
// with Wh, as in PyTorch and Flax. The three gates stand side by side in the weights: reset,
// update, new.
type GRU struct {
	Wx weft.Array // [in, 3·hidden]
	Wh weft.Array // [hidden, 3·hidden]
	B  weft.Array // [3·hidden]; no elements: no bias
	Bn weft.Array // [hidden], added to the state's part of the new gate; no elements: none
}

// NewGRU returns a GRU whose weights are uniform in ±1/√hidden, unless p names another Init.
func NewGRU(k random.Key, in, hidden int, p ...Params) GRU {
	requireSizes("NewGRU", in, hidden)
	c := paramsOf("NewGRU", p, recurrentInit(hidden))
	kx, kh := k.Split()
	w := c.Init(kx, in, 3*hidden)
	return GRU{Wx: w, Wh: c.Init(kh, hidden, 3*hidden), B: c.bias(w, 3*hidden), Bn: c.bias(w, hidden)}
}

// Zero returns the state before the first step, for batch axes of the given sizes.
func (l GRU) Zero(dims ...int) weft.Array {
	return weft.ZerosOf(l.Wh.DType(), append(append([]int{}, dims...), l.Wh.Dim(0))...)
}

// Step returns the state after one step of x, [batch…, in], twice, as Scan takes it:
//
//	n = tanh(x·Wx[n] + B[n] + σ(r)·(h·Wh[n] + Bn))     h ← (1 − σ(z))·n + σ(z)·h
//
// where [n] is the part of the new gate, and r and z are the gates before σ.
func (l GRU) Step(h, x weft.Array) (weft.Array, weft.Array) {
	requireFeatures("GRU", x, l.Wx, 0)
	requireFeatures("GRU", h, l.Wh, 0)
	gx := weft.SplitEvenly(addBias(x.MatMul(l.Wx), l.B), -1, 3)
	gh := weft.SplitEvenly(h.MatMul(l.Wh), -1, 3)
	r, z := Sigmoid(gx[0].Add(gh[0])), Sigmoid(gx[1].Add(gh[1]))
	n := weft.Tanh(gx[2].Add(r.Mul(addBias(gh[2], l.Bn))))
	h = weft.Sub(1, z).Mul(n).Add(z.Mul(h))
	return h, h
}

// Apply runs the GRU along the first axis of xs, [steps, batch…, in], and returns the last state
// and that after every step.
func (l GRU) Apply(h, xs weft.Array) (weft.Array, weft.Array) {
	requireSteps("GRU.Apply", xs, h, l.Wx)
	return weft.Scan(l.Step, h, xs)
}
