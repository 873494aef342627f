package onnx

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

// scores are the products of queries and keys, [batch, heads, queries, keys], from which weights are computed.
type scores struct {
	n *node
	x weft.Array
}

// scored returns the scores of queries and keys, [batch, heads, sequence, size]. If there are
// fewer heads of keys, each is shared by several heads of queries.
func (n *node) scored(q, k weft.Array) *scores {
	scale := n.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(q.Dim(3)))
	}
	return &scores{n, n.grouped(q, k, q.Mul(number(scale, q.DType())), k.MT())}
}

// grouped multiplies x, a matrix for each head of the queries q, by y, a matrix for each head of the keys k.
func (n *node) grouped(q, k, x, y weft.Array) weft.Array {
	h, g := q.Dim(1), k.Dim(1)
	if g == 0 || h%g != 0 {
		n.fail(core.ErrShape, "%d heads of queries cannot share %d of keys; correct num_heads and kv_num_heads", h, g)
	}
	if h == g {
		return x.MatMul(y)
	}
	b, rows := x.Dim(0), x.Dim(2) // heads that share a matrix of y are stacked as rows
	z := x.Reshape(b, g, h/g*rows, x.Dim(3)).MatMul(y)
	return z.Reshape(b, h, rows, z.Dim(3))
}

// mask replaces scores by a number where allow is false.
func (s *scores) mask(allow weft.Array, by float64) {
	s.x = weft.Where(allow, s.x, scalar(by, s.x.DType()))
}

// weigh returns the mean of the values of each head, weighted by the softmax of the scores. A
// sink is a score of each head without a value. Rows whose scores are all −∞ are zeros.
func (s *scores) weigh(q, v, sink weft.Array) weft.Array {
	x := s.x.AsType(wide(s.x.DType()))
	most := lax.ReduceMax(x, 3)
	if !sink.IsZero() {
		sink = sink.AsType(x.DType()).Reshape(1, -1, 1)
		most = weft.Maximum(most, sink)
	}
	most = weft.StopGradient(weft.Where(weft.IsInf(most), weft.ZerosLike(most), most))
	e := weft.Exp(x.Sub(most.ExpandDims(3)))
	total := lax.ReduceSum(e, 3)
	if !sink.IsZero() {
		total = total.Add(weft.Exp(sink.Sub(most)))
	}
	total = weft.Where(total.Eq(0.0), weft.OnesLike(total), total).ExpandDims(3)
	p := e.Div(total).AsType(v.DType())
	return s.n.grouped(q, v, p, v)
}

// split returns [batch, sequence, heads·size] as [batch, heads, sequence, size]. An operand of rank 4 is
// returned unchanged.
func (n *node) split(x weft.Array, heads int) weft.Array {
	if x.Rank() == 4 {
		return x
	}
	if x.Rank() != 3 || heads < 1 || x.Dim(2)%heads != 0 {
		n.fail(core.ErrShape, "the operand is %v for %d heads, want [batch, sequence, heads·size]; correct the number of heads", x.Shape(), heads)
	}
	return x.Reshape(x.Dim(0), x.Dim(1), heads, x.Dim(2)/heads).SwapAxes(1, 2)
}

// joined is the inverse of split for operands of rank 3.
func joined(x weft.Array) weft.Array {
	return x.SwapAxes(1, 2).Reshape(x.Dim(0), x.Dim(2), x.Dim(1)*x.Dim(3))
}

// lower adds a number to scores where allow is false, so that the scores of a row still differ where all its
// keys are masked.
func (s *scores) lower(allow weft.Array, by float64) {
	s.x = s.x.Add(weft.Where(allow, scalar(0, s.x.DType()), scalar(by, s.x.DType())))
}

// causal masks keys that come after their query; the first query stands behind the past keys. As in ONNX Runtime, the
// last query sees all keys, also where there are fewer queries than new keys, and masked scores are the least number.
// If padding adds this number to the other scores of a row, the row is the mean of all values.
func (s *scores) causal(past int) {
	rows, cols := s.x.Dim(2), s.x.Dim(3)
	row := weft.Iota(weft.Int32, 0, rows, cols)
	s.mask(weft.Iota(weft.Int32, 1, rows, cols).Le(row.Add(past)).Or(row.Eq(rows-1)), -math.MaxFloat32)
}

// padded masks keys: m has the number of keys of each row of the batch, or a truth value of each
// key, or of each query and key: those above 0 are true.
func (s *scores) padded(m weft.Array, by float64) {
	m = m.AsType(weft.Int32)
	b, rows, cols := s.x.Dim(0), s.x.Dim(2), s.x.Dim(3)
	switch {
	case m.Rank() == 1 && m.Dim(0) == b:
		s.lower(weft.Iota(weft.Int32, 3, 1, 1, 1, cols).Lt(m.Reshape(b, 1, 1, 1)), by)
	case m.Rank() == 2 && m.Dim(1) == cols:
		s.lower(m.Gt(0).Reshape(m.Dim(0), 1, 1, cols), by)
	case m.Rank() == 3 && m.Dim(1) == rows && m.Dim(2) == cols:
		s.lower(m.Gt(0).Reshape(m.Dim(0), 1, rows, cols), by)
	default:
		s.n.fail(core.ErrNoRule, "the mask is %v for %d keys; only [batch], [batch, keys] and [batch, queries, keys] are supported", m.Shape(), cols)
	}
}

// packedAttention is the operator Attention of ONNX Runtime's domain, which projects its input
// itself.
func packedAttention(n *node) []weft.Array {
	heads := n.int("num_heads", 0)
	y := n.plus(n.x(0).MatMul(n.x(1)), 2)
	sizes := n.ints("qkv_hidden_sizes")
	if sizes == nil {
		sizes = repeated(y.Dim(2)/3, 3)
	}
	if len(sizes) != 3 || sizes[0]+sizes[1]+sizes[2] != y.Dim(2) {
		n.fail(core.ErrShape, "qkv_hidden_sizes is %v, the weights have %d columns; the sizes must add up to them", sizes, y.Dim(2))
	}
	parts := weft.Split(y, 2, sizes...)
	q, k, v := n.split(parts[0], heads), n.split(parts[1], heads), n.split(parts[2], heads)
	if n.int("do_rotary", 0) != 0 {
		n.fail(core.ErrNoRule, "do_rotary is not supported here; export the model with RotaryEmbedding or GroupQueryAttention")
	}
	if n.has(4) {
		k, v = weft.Concat(2, n.x(4).Index(0), k), weft.Concat(2, n.x(4).Index(1), v)
	}
	s := n.scored(q, k)
	if n.has(3) {
		s.padded(n.x(3), n.float("mask_filter_value", -10000))
	}
	if n.int("unidirectional", 0) != 0 {
		s.causal(k.Dim(2) - q.Dim(2))
	}
	s.x = n.plus(s.x, 5)
	return []weft.Array{joined(s.weigh(q, v, weft.Array{})), weft.Stack(0, k, v)}
}

// multiHead is attention whose queries, keys and values are separate inputs. All three, or keys and
// values, may also be packed in one array.
func multiHead(n *node) []weft.Array {
	heads := n.int("num_heads", 0)
	q := n.x(0)
	var k, v weft.Array
	switch {
	case q.Rank() == 5: // [batch, sequence, heads, 3, size]: queries, keys and values are packed
		parts := weft.SplitEvenly(q, 3, 3)
		q, k, v = parts[0].Squeeze(3).SwapAxes(1, 2), parts[1].Squeeze(3).SwapAxes(1, 2), parts[2].Squeeze(3).SwapAxes(1, 2)
	case n.has(1) && n.x(1).Rank() == 5: // keys and values are packed
		parts := weft.SplitEvenly(n.x(1), 3, 2)
		q, k, v = n.split(q, heads), parts[0].Squeeze(3).SwapAxes(1, 2), parts[1].Squeeze(3).SwapAxes(1, 2)
	default:
		q, k, v = n.split(q, heads), n.split(n.x(1), heads), n.split(n.x(2), heads)
	}
	if n.has(3) {
		at := 0
		biased := func(x weft.Array, own bool) weft.Array {
			size := x.Dim(1) * x.Dim(3)
			at += size
			if !own { // keys and values of rank 4 include their bias
				return x
			}
			b := lax.SliceInDim(n.x(3), at-size, at, 1, 0)
			return x.Add(b.Reshape(1, x.Dim(1), 1, x.Dim(3)))
		}
		given := n.has(1) && n.x(1).Rank() == 4
		q, k, v = biased(q, true), biased(k, !given), biased(v, !given)
	}
	past := 0
	if n.has(6) {
		past = n.x(6).Dim(2)
		k, v = weft.Concat(2, n.x(6), k), weft.Concat(2, n.x(7), v)
	}
	s := n.scored(q, k)
	if n.has(4) {
		s.padded(n.x(4), n.float("mask_filter_value", -10000))
	}
	if n.int("unidirectional", 0) != 0 {
		s.causal(past)
	}
	s.x = n.plus(s.x, 5)
	return []weft.Array{joined(s.weigh(q, v, weft.Array{})), k, v, s.x}
}

// turned rotates pairs of elements of x, [batch, heads, sequence, size], by angles whose cosines and
// sines are the rows of cos and sin for the positions `at`, [batch, sequence].
func (n *node) turned(x, cos, sin, at weft.Array, interleaved bool) weft.Array {
	half := cos.Dim(1)
	if x.Dim(3) < 2*half {
		n.fail(core.ErrShape, "the cache %v has more columns than half of a head of %d elements; correct cos_cache", cos.Shape(), x.Dim(3))
	}
	c, s := weft.Take(cos, at, 0).ExpandDims(1), weft.Take(sin, at, 0).ExpandDims(1)
	parts := weft.Split(x, 3, 2*half, x.Dim(3)-2*half)
	r := parts[0]
	var a, b weft.Array
	if interleaved {
		pairs := weft.SplitEvenly(r.Reshape(r.Dim(0), r.Dim(1), r.Dim(2), half, 2), 4, 2)
		a, b = pairs[0].Squeeze(4), pairs[1].Squeeze(4)
	} else {
		halves := weft.SplitEvenly(r, 3, 2)
		a, b = halves[0], halves[1]
	}
	re, im := a.Mul(c).Sub(b.Mul(s)), a.Mul(s).Add(b.Mul(c))
	if interleaved {
		r = weft.Stack(-1, re, im).Reshape(r.Shape()...)
	} else {
		r = weft.Concat(3, re, im)
	}
	return weft.Concat(3, r, parts[1])
}

// rotaryCached is the operator RotaryEmbedding of ONNX Runtime's domain.
func rotaryCached(n *node) []weft.Array {
	x := n.x(0)
	heads := n.int("num_heads", 0)
	if heads == 0 && x.Rank() == 3 {
		size := 2 * n.x(2).Dim(1)
		if size == 0 || x.Dim(2)%size != 0 {
			n.fail(core.ErrShape, "the operand is %v and cos_cache %v; state num_heads", x.Shape(), n.x(2).Shape())
		}
		heads = x.Dim(2) / size
	}
	y := n.split(x, heads)
	at := n.x(1)
	if at.Size() == 1 { // the position of the first element
		at = weft.Iota(at.DType(), 1, y.Dim(0), y.Dim(2)).Add(at.Reshape())
	}
	y = n.turned(y, n.x(2), n.x(3), at, n.int("interleaved", 0) != 0)
	if scale := n.float("scale", 1); scale != 1 {
		y = y.Mul(number(scale, y.DType()))
	}
	if x.Rank() == 3 {
		y = joined(y)
	}
	return one(y)
}

// groupQuery is attention with a cache of keys and values, each head of which is shared by a
// group of heads of queries. Row b of the batch has seqlens_k[b] + 1 keys, with the new ones.
func groupQuery(n *node) []weft.Array {
	heads, shared := n.int("num_heads", 0), n.int("kv_num_heads", 0)
	for _, name := range []string{"k_quant_type", "v_quant_type"} {
		if t := n.text(name, "NONE"); t != "NONE" {
			n.fail(core.ErrNoRule, "%s is %q; only caches of floats are supported", name, t)
		}
	}
	for i := 14; i < len(n.in); i++ {
		if n.has(i) {
			n.fail(core.ErrNoRule, "input %d is not supported; export the model without it", i+1)
		}
	}
	if n.int("sliding_window_cache", 0) != 0 || n.int("qk_output", 0) != 0 {
		n.fail(core.ErrNoRule, "sliding_window_cache and qk_output are not supported; export the model without them")
	}
	var q, k, v weft.Array
	if n.has(1) {
		q, k, v = n.split(n.x(0), heads), n.split(n.x(1), shared), n.split(n.x(2), shared)
	} else {
		x := n.x(0)
		all := heads + 2*shared
		if x.Rank() != 3 || all < 1 || x.Dim(2)%all != 0 {
			n.fail(core.ErrShape, "the packed operand is %v for %d heads; correct num_heads and kv_num_heads", x.Shape(), all)
		}
		size := x.Dim(2) / all
		parts := weft.Split(x, 2, heads*size, shared*size, shared*size)
		q, k, v = n.split(parts[0], heads), n.split(parts[1], shared), n.split(parts[2], shared)
	}
	batch, fresh := q.Dim(0), q.Dim(2)
	total := n.knownOne(6)
	ends := n.x(5).AsType(weft.Int32).Reshape(batch, 1).Add(1)
	before := weft.ZerosOf(weft.Int32, batch, 1) // keys in the cache
	if total > fresh {
		before = ends.Sub(fresh)
	}
	at := weft.Iota(weft.Int32, 1, batch, fresh).Add(before) // positions of queries and new keys
	if n.int("do_rotary", 0) != 0 {
		places := at
		if n.has(9) {
			places = n.x(9)
		}
		turn := n.int("rotary_interleaved", 0) != 0
		q, k = n.turned(q, n.x(7), n.x(8), places, turn), n.turned(k, n.x(7), n.x(8), places, turn)
	}
	if n.has(3) && n.x(3).Dim(2) > 0 {
		k, v = n.cached(n.x(3), k, before, total), n.cached(n.x(4), v, before, total)
	}
	s := n.scored(q, k)
	keys := k.Dim(2)
	if c := n.float("softcap", 0); c > 0 {
		s.x = weft.Tanh(s.x.Div(c)).Mul(c)
	}
	if n.has(10) {
		bias := n.x(10)
		if missing := keys - bias.Dim(3); missing > 0 {
			bias = lax.Pad(bias, scalar(0, bias.DType()), [3]int{}, [3]int{}, [3]int{}, [3]int{0, missing, 0})
		}
		s.x = s.x.Add(bias)
	}
	row, column := at.Reshape(batch, 1, fresh, 1), weft.Iota(weft.Int32, 3, 1, 1, 1, keys)
	allow := column.Le(row)
	if w := n.int("local_window_size", -1); w >= 0 {
		allow = allow.And(column.Gt(row.Sub(w)))
	}
	s.mask(allow, math.Inf(-1))
	var sink weft.Array
	switch {
	case n.has(11):
		sink = n.x(11)
	case n.int("smooth_softmax", 0) != 0:
		sink = weft.ZerosOf(weft.Float32, heads)
	}
	return []weft.Array{joined(s.weigh(q, v, sink)), k, v}
}

// cached returns a cache, [batch, heads, keys, size], with new keys after the keys that it has. A
// cache that has no room for all keys grows.
func (n *node) cached(cache, x, before weft.Array, total int) weft.Array {
	if room := total - cache.Dim(2); room > 0 {
		cache = lax.Pad(cache, scalar(0, cache.DType()), [3]int{}, [3]int{}, [3]int{0, room, 0}, [3]int{})
	}
	if x.Dim(0) == 1 { // written in place
		zero := weft.Scalar(int32(0))
		return lax.DynamicUpdateSlice(cache, x, []weft.Array{zero, zero, before.Reshape(), zero})
	}
	from := weft.Iota(weft.Int32, 1, cache.Dim(0), cache.Dim(2)).Sub(before) // the index of the new key at each position
	fresh := from.Ge(0).And(from.Lt(x.Dim(2)))
	at := weft.Clip(from, 0, x.Dim(2)-1).Reshape(cache.Dim(0), 1, cache.Dim(2), 1)
	return weft.Where(fresh.Reshape(cache.Dim(0), 1, cache.Dim(2), 1), weft.TakeAlongAxis(x, at, 2), cache)
}
