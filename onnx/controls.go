package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	format "github.com/weft-go/weft/lower/onnx"
)

var controls = map[string]operator{"If": ifThen, "Loop": loop, "Scan": scan}

// ifThen evaluates one branch where the condition is known; branches may differ in type then.
func ifThen(n *node) []weft.Array {
	yes, no := n.body("then_branch"), n.body("else_branch")
	pred := n.x(0).Reshape()
	if v, known := look(pred); known {
		if v {
			return n.f.body(n.Node, yes)
		}
		return n.f.body(n.Node, no)
	}
	return weft.Cond(pred, func() []weft.Array { return n.f.body(n.Node, yes) }, func() []weft.Array { return n.f.body(n.Node, no) })
}

// loop runs as a scan if the number of iterations is known and each is of the same types. Else, if
// the condition is always known, iterations are evaluated one by one, and carried values may
// change their shapes. Otherwise it is a while loop, which cannot have results of each iteration.
func loop(n *node) []weft.Array {
	body := n.body("body")
	carried := len(n.in) - 2
	if carried < 0 || len(body.Inputs) != carried+2 || len(body.Outputs) < carried+1 {
		n.fail(core.ErrTree, "the body has %d inputs and %d outputs for %d carried values; it takes the iteration, the condition and those values, and returns the condition, the values and the results of each iteration", len(body.Inputs), len(body.Outputs), carried)
	}
	outs := len(body.Outputs) - 1 - carried
	limit, bounded := -1, true
	if n.has(0) {
		err := core.Catch(func() { limit = max(0, n.x(0).Reshape().Int()) })
		bounded = err == nil
	}
	cond := weft.Scalar(true)
	if n.has(1) {
		cond = n.x(1).Reshape()
	}
	state := slices.Clone(n.in[2:])
	going, known := look(cond)
	if bounded && limit >= 0 && known && passes(body) && !changes(n, body, state) {
		if !going {
			limit = 0
		}
		return n.scanned(body, state, limit, cond)
	}
	if bounded && known {
		if out, ok := n.unrolled(body, state, limit, cond, outs); ok {
			return out
		}
	}
	if outs > 0 {
		n.fail(core.ErrConcrete, "the number of iterations is not known while the model is traced, and the loop has results of each iteration; bind the inputs that decide it, or call the model without Jit")
	}
	return n.whiles(body, state, cond)
}

// passes reports whether a body returns the condition that it is given, unchanged, or always
// returns true.
func passes(g *format.Graph) bool {
	name := g.Outputs[0].Name
	for range len(g.Nodes) + 1 { // the nodes of a damaged file may form a cycle
		if name == g.Inputs[1].Name {
			return true
		}
		i := slices.IndexFunc(g.Nodes, func(m *format.Node) bool { return slices.Contains(m.Outputs, name) })
		if i < 0 {
			return slices.ContainsFunc(g.Initializers, func(t *format.Tensor) bool {
				return t.Name == name && len(t.Data) == 1 && t.Data[0] == 1
			})
		}
		switch m := g.Nodes[i]; {
		case m.Op == "Identity" && m.Domain == "" && len(m.Inputs) == 1:
			name = m.Inputs[0]
		case m.Op == "Constant" && m.Domain == "" && m.Attrs["value"] != nil:
			t := m.Attrs["value"].Tensor
			return t != nil && len(t.Data) == 1 && t.Data[0] == 1
		default:
			return false
		}
	}
	return false
}

// iterate evaluates a body and returns the condition, the carried values and the results of the
// iteration.
func (n *node) iterate(body *format.Graph, i, cond weft.Array, state []weft.Array) (weft.Array, []weft.Array, []weft.Array) {
	out := n.f.body(n.Node, body, slices.Concat([]weft.Array{i, cond}, state)...)
	return out[0].Reshape(), out[1 : 1+len(state)], out[1+len(state):]
}

// changes reports whether an iteration changes the types of the carried values, or cannot be traced
// by itself, for example since it reads their values.
func changes(n *node, body *format.Graph, state []weft.Array) bool {
	changed := false
	err := core.Catch(func() {
		_, err := weft.EvalShape(func(i weft.Array, state []weft.Array) []weft.Array {
			_, next, _ := n.iterate(body, i, weft.Scalar(true), state)
			for k, x := range next {
				changed = changed || !x.Value().Aval().SameType(state[k].Value().Aval())
			}
			return next
		}, weft.Scalar(int64(0)), state)
		if err != nil {
			changed = true
		}
	})
	return changed || err != nil
}

func (n *node) scanned(body *format.Graph, state []weft.Array, k int, cond weft.Array) []weft.Array {
	last, ys := weft.Scan(func(s []weft.Array, i weft.Array) ([]weft.Array, []weft.Array) {
		_, next, out := n.iterate(body, i, cond, s)
		return next, out
	}, state, weft.Iota(weft.Int64, 0, k))
	return append(last, ys...)
}

// unrolled evaluates one iteration after the other; ok is false if the condition after one of them is
// not known.
func (n *node) unrolled(body *format.Graph, state []weft.Array, limit int, cond weft.Array, outs int) (all []weft.Array, ok bool) {
	results := make([][]weft.Array, outs)
	for i := 0; limit < 0 || i < limit; i++ {
		going, known := look(cond)
		if !known {
			return nil, false
		}
		if !going {
			break
		}
		var out []weft.Array
		cond, state, out = n.iterate(body, weft.Scalar(int64(i)), cond, state)
		for k, y := range out {
			results[k] = append(results[k], y)
		}
	}
	all = slices.Clone(state)
	for k, ys := range results {
		if len(ys) == 0 {
			all = append(all, n.noIterations(body, len(state)+1+k))
			continue
		}
		all = append(all, weft.Stack(0, ys...))
	}
	return all, true
}

// noIterations returns the results that output i of a body has after no iterations: an array without
// rows. The graph must state the output's type.
func (n *node) noIterations(body *format.Graph, i int) weft.Array {
	t := body.Outputs[i].Type.Tensor
	if t == nil || t.Elem.DType() == core.Invalid {
		n.fail(core.ErrShape, "there was no iteration, and the graph does not state the type of output %q; export the model with shapes", body.Outputs[i].Name)
	}
	dims := []int{0}
	for _, d := range t.Shape {
		dims = append(dims, max(0, int(d.Size)))
	}
	return weft.ZerosOf(t.Elem.DType(), dims...)
}

// whiles is a loop whose number of iterations is decided while it runs.
func (n *node) whiles(body *format.Graph, state []weft.Array, cond weft.Array) []weft.Array {
	type carry struct {
		I, Go weft.Array
		S     []weft.Array
	}
	end := weft.While(func(c carry) weft.Array {
		if !n.has(0) {
			return c.Go
		}
		return c.Go.And(c.I.Lt(n.x(0).Reshape()))
	}, func(c carry) carry {
		going, next, _ := n.iterate(body, c.I, c.Go, c.S)
		return carry{c.I.Add(1), going, next}
	}, carry{weft.Scalar(int64(0)).AsType(weft.Int64), cond, state})
	return end.S
}

// scan runs a body over slices of arrays. In version 8 all arrays have a batch axis in front.
func scan(n *node) []weft.Array {
	body := n.body("body")
	inputs := n.in
	if n.version < 9 {
		if n.has(0) {
			n.fail(core.ErrNoRule, "lengths of sequences are not supported; export the model with version 9 of Scan or later, which has none")
		}
		inputs = n.in[1:]
	}
	m := n.int("num_scan_inputs", 0)
	k := len(inputs) - m
	if m < 1 || k < 0 || len(body.Outputs) < k {
		n.fail(core.ErrTree, "the node has %d inputs, of which %d are scanned, and the body %d outputs; correct num_scan_inputs", len(inputs), m, len(body.Outputs))
	}
	if n.version < 9 {
		f := func(in []weft.Array) []weft.Array {
			return n.scanOnce(body, in[:k], in[k:], repeated(0, m), n.listOr("directions", m), repeated(0, len(body.Outputs)-k), repeated(0, len(body.Outputs)-k))
		}
		return weft.Vmap(f)(slices.Clone(inputs))
	}
	outs := len(body.Outputs) - k
	return n.scanOnce(body, inputs[:k], inputs[k:], n.listOr("scan_input_axes", m), n.listOr("scan_input_directions", m), n.listOr("scan_output_axes", outs), n.listOr("scan_output_directions", outs))
}

// listOr returns an attribute, or k zeros if it is left off.
func (n *node) listOr(name string, k int) []int {
	v := n.ints(name)
	if v == nil {
		return repeated(0, k)
	}
	if len(v) != k {
		n.fail(core.ErrShape, "%s has %d numbers, want %d; give one for each scanned value", name, len(v), k)
	}
	return v
}

func (n *node) scanOnce(body *format.Graph, state, xs []weft.Array, axes, back, outAxes, outBack []int) []weft.Array {
	in := make([]weft.Array, len(xs))
	for i, x := range xs {
		in[i] = x.MoveAxis(n.axis(axes[i], x.Rank()), 0)
		if back[i] != 0 {
			in[i] = weft.Flip(in[i], 0)
		}
	}
	last, ys := weft.Scan(func(s, x []weft.Array) ([]weft.Array, []weft.Array) {
		out := n.f.body(n.Node, body, slices.Concat(s, x)...)
		return out[:len(s)], out[len(s):]
	}, slices.Clone(state), in)
	for i, y := range ys {
		if outBack[i] != 0 {
			y = weft.Flip(y, 0)
		}
		ys[i] = y.MoveAxis(0, n.axis(outAxes[i], y.Rank()))
	}
	return append(last, ys...)
}
