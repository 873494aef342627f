package onnx

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

var attentions = map[string]operator{"Attention": attention, "RotaryEmbedding": rotary, "LinearAttention": linearAttention}

// heads returns queries, keys or values as [batch, heads, sequence, size].
func (n *node) heads(x weft.Array, attr string) weft.Array {
	if x.Rank() == 4 {
		return x
	}
	h := n.int(attr, 0)
	if x.Rank() != 3 || h < 1 || x.Dim(2)%h != 0 {
		n.fail(core.ErrShape, "the operand is %v, want 4 axes, or [batch, sequence, heads·size] with %s (%d) heads; set that attribute", x.Shape(), attr, h)
	}
	return x.Reshape(x.Dim(0), x.Dim(1), h, x.Dim(2)/h).SwapAxes(1, 2)
}

func attention(n *node) []weft.Array {
	q, k, v := n.heads(n.x(0), "q_num_heads"), n.heads(n.x(1), "kv_num_heads"), n.heads(n.x(2), "kv_num_heads")
	past := 0
	if n.has(4) {
		past = n.x(4).Dim(2)
		k, v = weft.Concat(2, n.x(4), k), weft.Concat(2, n.x(5), v)
	}
	presentK, presentV := k, v
	if groups := q.Dim(1) / k.Dim(1); groups > 1 {
		k, v = weft.Repeat(k, groups, 1), weft.Repeat(v, groups, 1)
	}
	t := q.DType()
	scale := math.Sqrt(n.float("scale", 1/math.Sqrt(float64(q.Dim(-1)))))
	scores := q.Mul(scale).MatMul(k.Mul(scale).MT())
	raw := scores
	sq, sk := q.Dim(2), k.Dim(2)
	minus := scalar(math.Inf(-1), t)
	bias := weft.Array{}
	allow := weft.Array{}
	permit := func(m weft.Array) {
		if allow.IsZero() {
			allow = m
		} else {
			allow = allow.And(m)
		}
	}
	if n.has(3) {
		m := n.x(3)
		if missing := sk - m.Dim(-1); missing > 0 {
			widths := make([][3]int, m.Rank())
			widths[m.Rank()-1] = [3]int{0, missing, 0}
			if m.DType() == weft.Bool {
				m = lax.Pad(m, weft.Scalar(false), widths...)
			} else {
				m = lax.Pad(m, scalar(math.Inf(-1), m.DType()), widths...)
			}
		}
		if m.DType() == weft.Bool {
			permit(m)
		} else {
			bias = m
		}
	}
	row := weft.Iota(weft.Int64, 0, sq, sk).Add(past) // the key at the query's position
	if n.has(6) {                                     // each element of the batch has its queries at the end of its keys
		row = row.Sub(past).Add(n.x(6).AsType(weft.Int64).Sub(sq).Reshape(-1, 1, 1, 1))
	}
	column := weft.Iota(weft.Int64, 1, sq, sk)
	if n.int("is_causal", 0) != 0 {
		permit(column.Le(row))
	}
	if w := n.int("left_window_size", -1); w >= 0 {
		permit(column.Ge(row.Sub(w)))
	}
	if w := n.int("right_window_size", -1); w >= 0 {
		permit(column.Le(row.Add(w)))
	}
	if n.has(6) {
		permit(weft.Iota(weft.Int64, 3, 1, 1, 1, sk).Lt(n.x(6).AsType(weft.Int64).Reshape(-1, 1, 1, 1)))
	}
	capped := func() {
		if c := n.float("softcap", 0); c > 0 {
			scores = weft.Tanh(scores.Div(c)).Mul(c)
		}
	}
	masked := func() {
		if !bias.IsZero() {
			scores = scores.Add(bias)
		}
		if !allow.IsZero() {
			scores = weft.Where(allow, scores, minus)
		}
	}
	modes := map[int]weft.Array{0: raw}
	capped()
	modes[1] = scores
	masked()
	modes[2] = scores
	st := n.dtypeOr("softmax_precision", wide(t))
	s := scores.AsType(st)
	most := weft.StopGradient(lax.ExpandDims(lax.ReduceMax(s, 3), 3))
	e := weft.Exp(s.Sub(weft.Where(weft.IsInf(most), weft.ZerosLike(most), most)))
	total := lax.ExpandDims(lax.ReduceSum(e, 3), 3)
	p := e.Div(weft.Where(total.Eq(0.0), weft.OnesLike(total), total)).AsType(t)
	modes[3] = p
	y := p.MatMul(v)
	if n.x(0).Rank() == 3 {
		y = y.SwapAxes(1, 2).Reshape(y.Dim(0), y.Dim(2), -1)
	}
	return []weft.Array{y, presentK, presentV, modes[n.int("qk_matmul_output_mode", 0)]}
}

func rotary(n *node) []weft.Array {
	x := n.x(0)
	four := x.Rank() == 4
	if four {
		x = x.SwapAxes(1, 2) // batch, sequence, heads, size
	} else {
		h := n.int("num_heads", 0)
		if h < 1 || x.Rank() != 3 || x.Dim(2)%h != 0 {
			n.fail(core.ErrShape, "the operand is %v, want 4 axes, or [batch, sequence, heads·size] with num_heads (%d) heads; set that attribute", x.Shape(), h)
		}
		x = x.Reshape(x.Dim(0), x.Dim(1), h, x.Dim(2)/h)
	}
	size := n.int("rotary_embedding_dim", 0)
	if size == 0 {
		size = x.Dim(3)
	}
	parts := weft.Split(x, 3, size, x.Dim(3)-size)
	cos, sin := n.x(1), n.x(2)
	if n.has(3) {
		cos, sin = weft.Take(cos, n.x(3), 0), weft.Take(sin, n.x(3), 0)
	}
	cos, sin = cos.ExpandDims(2), sin.ExpandDims(2)
	var a, b weft.Array
	r := parts[0]
	if n.int("interleaved", 0) != 0 {
		pairs := r.Reshape(r.Dim(0), r.Dim(1), r.Dim(2), size/2, 2)
		halves := weft.Split(pairs, 4, 1, 1)
		a, b = halves[0].Squeeze(4), halves[1].Squeeze(4)
	} else {
		halves := weft.SplitEvenly(r, 3, 2)
		a, b = halves[0], halves[1]
	}
	re, im := a.Mul(cos).Sub(b.Mul(sin)), a.Mul(sin).Add(b.Mul(cos))
	var y weft.Array
	if n.int("interleaved", 0) != 0 {
		y = weft.Stack(-1, re, im).Reshape(r.Shape()...)
	} else {
		y = weft.Concat(3, re, im)
	}
	y = weft.Concat(3, y, parts[1])
	if four {
		return one(y.SwapAxes(1, 2))
	}
	return one(y.Reshape(n.x(0).Shape()...))
}

// linearAttention updates a state at each step and reads it by the queries. A step decays the state if the rule is
// gated, and adds the products of keys and values. With a delta rule the values are replaced by β times their
// differences from the values that the state has for the keys.
func linearAttention(n *node) []weft.Array {
	rule := n.text("update_rule", "gated_delta")
	qh, kh := n.int("q_num_heads", 0), n.int("kv_num_heads", 0)
	if qh < 1 || kh < 1 || qh%kh != 0 {
		n.fail(core.ErrShape, "%d heads of queries cannot share %d of keys evenly; correct q_num_heads and kv_num_heads", qh, kh)
	}
	t := n.x(0).DType()
	steps := func(x weft.Array, heads int) weft.Array { // sequence, batch, heads, size
		return x.AsType(weft.Float32).Reshape(x.Dim(0), x.Dim(1), heads, -1).SwapAxes(0, 1)
	}
	q, k, v := steps(n.x(0), qh), steps(n.x(1), kh), steps(n.x(2), kh)
	dk, dv, batch := k.Dim(3), v.Dim(3), q.Dim(1)
	s := weft.Zeros(batch, kh, dk, dv)
	if n.has(3) {
		s = n.x(3).AsType(weft.Float32)
	}
	type input struct{ Q, K, V, Decay, Beta weft.Array }
	in := input{Q: q, K: k, V: v, Decay: weft.Zeros(q.Dim(0), batch, kh, 1), Beta: weft.Ones(q.Dim(0), batch, 1, 1)}
	gated, delta := rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"
	if !gated && !delta && rule != "linear" {
		n.fail(core.ErrParse, "the update_rule is %q, want linear, gated, delta or gated_delta; use one of these", rule)
	}
	if gated {
		in.Decay = steps(n.x(4), kh)
	}
	if delta {
		b := n.x(5)
		in.Beta = steps(b, b.Dim(2))
	}
	scale := n.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(dk))
	}
	last, ys := weft.Scan(func(s weft.Array, x input) (weft.Array, weft.Array) {
		if gated {
			s = s.Mul(weft.Exp(x.Decay).ExpandDims(-1))
		}
		write := x.V
		if delta {
			write = x.Beta.Mul(x.V.Sub(s.MT().MatMul(x.K.ExpandDims(-1)).Squeeze(-1)))
		}
		s = s.Add(x.K.ExpandDims(-1).Mul(write.ExpandDims(-2)))
		read := weft.Repeat(s, qh/kh, 1)
		return s, x.Q.ExpandDims(-2).MatMul(read).Squeeze(-2).Mul(scale)
	}, s, in)
	return []weft.Array{ys.SwapAxes(0, 1).Reshape(batch, q.Dim(0), qh*dv).AsType(t), last.AsType(t)}
}
