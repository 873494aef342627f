package onnx

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/nn"
)

var recurrent = map[string]operator{"LSTM": recurrence(4, lstmStep), "GRU": recurrence(3, gruStep), "RNN": recurrence(1, rnnStep)}

// A cell is one direction of a recurrent network.
type cell struct {
	n          *node
	hidden     int
	r          weft.Array // weights of the state, transposed
	bias, rest weft.Array // biases of the input and of the state
	peephole   weft.Array // of an LSTM, may be absent
	acts       []func(weft.Array) weft.Array
	clip       float64
}

// state is what a step passes to the next: the hidden state and, of an LSTM, the cell state.
type state struct{ H, C weft.Array }

// recurrence makes an operator of a step, which gets the input's contribution to all gates.
func recurrence(gates int, step func(c *cell, s state, x weft.Array) state) operator {
	return func(n *node) []weft.Array {
		x := n.x(0)
		batchFirst := n.int("layout", 0) == 1
		if batchFirst {
			x = x.SwapAxes(0, 1)
		}
		w, r := n.x(1), n.x(2)
		batch, dirs, hidden := x.Dim(1), w.Dim(0), r.Dim(2)
		direction := n.text("direction", "forward")
		if want := map[string]int{"forward": 1, "reverse": 1, "bidirectional": 2}[direction]; want != dirs {
			n.fail(core.ErrShape, "the direction is %q, the weights are of %d directions; forward and reverse take 1, bidirectional 2", direction, dirs)
		}
		if w.Dim(1) != gates*hidden {
			n.fail(core.ErrShape, "the weights are %v and %v, want %d times %d rows; check hidden_size and the operator", w.Shape(), r.Shape(), gates, hidden)
		}
		start := func(i, d int) weft.Array {
			if !n.has(i) {
				return weft.ZerosOf(x.DType(), batch, hidden)
			}
			if s := n.x(i); batchFirst {
				return s.Index(weft.R(0, batch), d)
			}
			return n.x(i).Index(d)
		}
		of := func(x weft.Array, d int) weft.Array { // the part of a direction
			if dirs == 1 {
				return viewed(x, x.Shape()[1:]...)
			}
			return x.Index(d)
		}
		var ys, hs, cs []weft.Array
		for d := range dirs {
			c := &cell{n: n, hidden: hidden, r: n.once(3*d+1, func() weft.Array { return of(r, d).T() }, r), clip: n.float("clip", 0), acts: n.activations(gates, d)}
			c.bias, c.rest = weft.ZerosOf(x.DType(), gates*hidden), weft.ZerosOf(x.DType(), gates*hidden)
			if n.has(3) {
				parts := func(i int) weft.Array { return weft.Split(n.x(3).Index(d), 0, gates*hidden, gates*hidden)[i] }
				c.bias = n.once(3*d+2, func() weft.Array { return parts(0) }, n.x(3))
				c.rest = n.once(-3*d-2, func() weft.Array { return parts(1) }, n.x(3))
			}
			if gates == 4 && n.has(7) {
				c.peephole = n.x(7).Index(d)
			}
			back := direction == "reverse" || d == 1
			y, last := c.run(x, n.once(3*d+3, func() weft.Array { return of(w, d).T() }, w), state{start(5, d), start(6, d)}, n.input(4), back, gates == 4, step)
			ys, hs, cs = append(ys, y), append(hs, last.H), append(cs, last.C)
		}
		y, h, c := weft.Stack(1, ys...), weft.Stack(0, hs...), weft.Stack(0, cs...)
		if batchFirst {
			y, h, c = y.Transpose(2, 0, 1, 3), h.SwapAxes(0, 1), c.SwapAxes(0, 1)
		}
		return []weft.Array{y, h, c}
	}
}

// run reads the sequence. After the end of a row of the batch its state is kept and its results
// are zeros; backwards each row begins at its own end.
func (c *cell) run(x, w weft.Array, s state, lengths weft.Array, back, cells bool, step func(*cell, state, weft.Array) state) (weft.Array, state) {
	length, batch := x.Dim(0), x.Dim(1)
	turn := func(v weft.Array) weft.Array {
		switch {
		case !back:
			return v
		case lengths.IsZero():
			return weft.Flip(v, 0)
		}
		return weft.TakeAlongAxis(v, reversedPlaces(v.Shape(), lengths, 1, 0), 0)
	}
	xs := turn(x).Reshape(length*batch, x.Dim(2)).MatMul(w).Reshape(length, batch, -1).Add(c.bias)
	if !cells { // the scan carries one array
		s.C = s.H
	}
	type input struct{ X, T weft.Array }
	last, ys := weft.Scan(func(s state, in input) (state, weft.Array) {
		t := step(c, s, in.X)
		if !cells {
			t.C = t.H
		}
		if lengths.IsZero() {
			return t, t.H
		}
		live := weft.Lt(in.T, lengths).Reshape(batch, 1)
		return state{weft.Where(live, t.H, s.H), weft.Where(live, t.C, s.C)}, weft.Where(live, t.H, weft.ZerosLike(t.H))
	}, s, input{xs, weft.Iota(weft.Int32, 0, length)})
	return turn(ys), last
}

// limited clips the operand of an activation.
func (c *cell) limited(x weft.Array) weft.Array {
	if c.clip <= 0 {
		return x
	}
	return weft.Clip(x, -c.clip, c.clip)
}

// gates splits the last axis of x, which holds all gates, into an array for each gate.
func (c *cell) gates(x weft.Array) []weft.Array {
	return weft.SplitEvenly(x, x.Rank()-1, x.Dim(-1)/c.hidden)
}

// lstmStep is a step of an LSTM. Its gates are in the order input, output, forget, cell.
func lstmStep(c *cell, s state, x weft.Array) state {
	g := c.gates(x.Add(s.H.MatMul(c.r)).Add(c.rest))
	i, o, f, z := g[0], g[1], g[2], g[3]
	peep := func(k int) weft.Array { return weft.SplitEvenly(c.peephole, 0, 3)[k] }
	if !c.peephole.IsZero() {
		i, f = i.Add(s.C.Mul(peep(0))), f.Add(s.C.Mul(peep(2)))
	}
	i = c.acts[0](c.limited(i))
	if c.n.int("input_forget", 0) != 0 {
		f = i.Neg().Add(1.0)
	} else {
		f = c.acts[0](c.limited(f))
	}
	cell := f.Mul(s.C).Add(i.Mul(c.acts[1](c.limited(z))))
	if !c.peephole.IsZero() {
		o = o.Add(cell.Mul(peep(1)))
	}
	return state{c.acts[0](c.limited(o)).Mul(c.acts[2](cell)), cell}
}

// gruStep is a step of a GRU. Its gates are in the order update, reset, hidden.
func gruStep(c *cell, s state, x weft.Array) state {
	in, r, b := c.gates(x), c.gates(c.r), c.gates(c.rest)
	z := c.acts[0](c.limited(in[0].Add(s.H.MatMul(r[0])).Add(b[0])))
	reset := c.acts[0](c.limited(in[1].Add(s.H.MatMul(r[1])).Add(b[1])))
	var h weft.Array
	if c.n.int("linear_before_reset", 0) != 0 {
		h = in[2].Add(reset.Mul(s.H.MatMul(r[2]).Add(b[2])))
	} else {
		h = in[2].Add(reset.Mul(s.H).MatMul(r[2])).Add(b[2])
	}
	h = c.acts[1](c.limited(h))
	return state{H: z.Neg().Add(1.0).Mul(h).Add(z.Mul(s.H))}
}

func rnnStep(c *cell, s state, x weft.Array) state {
	return state{H: c.acts[0](c.limited(x.Add(s.H.MatMul(c.r)).Add(c.rest)))}
}

// activations returns the activation functions of a direction, as many as a cell with this number of gates has.
func (n *node) activations(gates, direction int) []func(weft.Array) weft.Array {
	names := map[int][]string{4: {"Sigmoid", "Tanh", "Tanh"}, 3: {"Sigmoid", "Tanh"}, 1: {"Tanh"}}[gates]
	each := len(names)
	alphas, betas := n.floats("activation_alpha"), n.floats("activation_beta")
	if given := n.texts("activations"); given != nil {
		if len(given) < each*(direction+1) {
			n.fail(core.ErrShape, "there are %d activations, want %d for each direction; list all or none", len(given), each)
		}
		// Parameters are listed in order, for the functions that have them.
		for _, name := range given[:each*direction] {
			alphas, betas = rest(alphas, hasAlpha[name]), rest(betas, hasBeta[name])
		}
		names = given[each*direction : each*(direction+1)]
	}
	out := make([]func(weft.Array) weft.Array, each)
	for i, name := range names {
		alpha, beta := defaultAlpha[name], defaultBeta[name]
		if hasAlpha[name] && len(alphas) > 0 {
			alpha = alphas[0]
		}
		if hasBeta[name] && len(betas) > 0 {
			beta = betas[0]
		}
		alphas, betas = rest(alphas, hasAlpha[name]), rest(betas, hasBeta[name])
		switch name {
		case "Relu":
			out[i] = relu
		case "Tanh":
			out[i] = weft.Tanh
		case "Sigmoid":
			out[i] = nn.Sigmoid
		case "Affine":
			out[i] = func(x weft.Array) weft.Array { return x.Mul(alpha).Add(beta) }
		case "LeakyRelu":
			out[i] = func(x weft.Array) weft.Array { return leaky(x, alpha) }
		case "ThresholdedRelu":
			out[i] = func(x weft.Array) weft.Array { return weft.Where(x.Gt(alpha), x, weft.ZerosLike(x)) }
		case "ScaledTanh":
			out[i] = func(x weft.Array) weft.Array { return weft.Tanh(x.Mul(beta)).Mul(alpha) }
		case "HardSigmoid":
			out[i] = func(x weft.Array) weft.Array { return weft.Clip(x.Mul(alpha).Add(beta), 0.0, 1.0) }
		case "Elu":
			out[i] = func(x weft.Array) weft.Array { return elu(x, alpha, 1) }
		case "Softsign":
			out[i] = nn.Softsign
		case "Softplus":
			out[i] = nn.Softplus
		default:
			n.fail(core.ErrNoRule, "the activation %q is not known; names are as those of operators, like Tanh", name)
		}
	}
	return out
}

// rest returns the parameters v without the first one if it was used.
func rest(v []float64, used bool) []float64 {
	if used && len(v) > 0 {
		return v[1:]
	}
	return v
}

var (
	hasAlpha     = map[string]bool{"Affine": true, "LeakyRelu": true, "ThresholdedRelu": true, "ScaledTanh": true, "HardSigmoid": true, "Elu": true}
	hasBeta      = map[string]bool{"Affine": true, "ScaledTanh": true, "HardSigmoid": true}
	defaultAlpha = map[string]float64{"Affine": 1, "LeakyRelu": 0.01, "ThresholdedRelu": 1, "ScaledTanh": 1, "HardSigmoid": 0.2, "Elu": 1}
	defaultBeta  = map[string]float64{"ScaledTanh": 1, "HardSigmoid": 0.5}
)
