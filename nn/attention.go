package nn

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/random"
)

// AttentionConfig configures [Attention]. In its zero value every query uses all keys.
type AttentionConfig struct {
	// Mask is true where a query may use a key. It broadcasts to [batch…, heads, T, S], for T
	// queries and S keys. The zero Array masks nothing.
	Mask weft.Array
	// Bias is added to the scores; it broadcasts as Mask does.
	Bias weft.Array
	// Causal masks the keys that come after a query: those at s > t.
	Causal bool
	Scale  float64 // of the scores; 0: 1/√features
}

// Attention returns for each query the mean of the values, weighted by the Softmax of the scores
// q·k. q is [batch…, T, heads, features], k and v are [batch…, S, heads, features]. k and v may
// have fewer heads than q, if their number divides the number of heads of q: consecutive heads of q
// then share one of k and v. A query whose keys are all masked gets the mean of all values.
func Attention(q, k, v weft.Array, c AttentionConfig) weft.Array {
	const op = "Attention"
	checkAttention(op, q, k, v)
	dt := nd.Floating(op, q.Value()).Aval().DType
	wide := nd.AverageType(dt)
	heads, kvHeads, n := q.Dim(-2), k.Dim(-2), q.Rank()
	batch := []int(q.Shape()[:n-3])
	scale := c.Scale
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(max(q.Dim(-1), 1)))
	}
	return nd.WithJAXPromotion(func() weft.Array {
		v := weft.FromValue(nd.Floating(op, v.Value()))
		q := q.Reshape(append(batch, q.Dim(-3), kvHeads, heads/kvHeads, q.Dim(-1))...)
		scores := weft.Einsum("...tkgh,...skh->...kgts", q, k).AsType(wide).Mul(scale)
		scores = scores.Reshape(append(batch, heads, q.Dim(len(batch)), k.Dim(-3))...)
		if !c.Bias.IsZero() {
			scores = scores.Add(c.Bias)
		}
		scores = masked(scores, c)
		weights := Softmax(scores).AsType(v.DType())
		weights = weights.Reshape(append(batch, kvHeads, heads/kvHeads, scores.Dim(-2), scores.Dim(-1))...)
		y := weft.Einsum("...kgts,...skh->...tkgh", weights, v)
		return y.Reshape(append(batch, scores.Dim(-2), heads, v.Dim(-1))...)
	})
}

// masked returns the scores, with a large negative number where the configuration masks them.
func masked(scores weft.Array, c AttentionConfig) weft.Array {
	t, s := scores.Dim(-2), scores.Dim(-1)
	mask := c.Mask
	if c.Causal {
		tri := weft.Tri(t, s).AsType(weft.Bool)
		if mask.IsZero() {
			mask = tri
		} else {
			mask = weft.LogicalAnd(mask, tri)
		}
	}
	if mask.IsZero() {
		return scores
	}
	a := mask.Value().Aval()
	if !a.DType.IsBool() {
		core.FailOp(core.ErrDType, "Attention", []core.ShapedArray{a}, "the mask must be boolean (got %v); compare it, as in mask.Ne(0), or pass it as Bias", a.Full())
	}
	if all := nd.BroadcastShapes("Attention", scores.Value().Aval(), a); all != scores.Value().Aval().Shape {
		core.FailOp(core.ErrShape, "Attention", []core.ShapedArray{scores.Value().Aval(), a}, "the mask must broadcast to the scores (got %v, want [batch…, heads, T, S] = %v); reshape it", a.Shape, scores.Value().Aval().Shape)
	}
	_, largest, _ := scores.DType().Limits()
	return weft.Where(mask, scores, -0.7*largest.Float())
}

func checkAttention(op string, q, k, v weft.Array) {
	a, b, c := nd.ValueOf(op, q).Aval(), nd.ValueOf(op, k).Aval(), nd.ValueOf(op, v).Aval()
	n := a.Rank()
	if n < 3 || b.Rank() != n || c.Rank() != n {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b, c}, "q, k and v must have the axes [batch…, position, head, feature] (got %v, %v and %v); reshape them", a.Full(), b.Full(), c.Full())
	}
	heads, kv := a.Shape.At(n-2), b.Shape.At(n-2)
	same := b.Shape.Slice(0, n-1) == c.Shape.Slice(0, n-1) && a.Shape.Slice(0, n-3) == b.Shape.Slice(0, n-3)
	if !same || a.Shape.At(n-1) != b.Shape.At(n-1) || kv == 0 || heads%kv != 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b, c}, "q, k and v do not fit together (got %v, %v and %v); make batch and features equal, k and v alike, and the heads of k a divisor of those of q", a.Full(), b.Full(), c.Full())
	}
}

// MultiHead is attention of several heads between linear layers: the projections of queries,
// keys and values, and of the result.
type MultiHead struct {
	Q, K, V, O Linear
	Heads      int
	KVHeads    int // number of heads of K and V, a divisor of Heads; 0: Heads
}

// MultiHeadConfig configures [NewMultiHead]. Its zero value is the default.
type MultiHeadConfig struct {
	KVHeads int // number of heads of the keys and values; 0: as many as of the queries
	Size    int // features of each head; 0: width / heads
	Params  Params
}

// NewMultiHead returns a MultiHead from and to vectors of width features.
func NewMultiHead(k random.Key, width, heads int, config ...MultiHeadConfig) MultiHead {
	const op = "NewMultiHead"
	requireSizes(op, width, heads)
	var c MultiHeadConfig
	switch len(config) {
	case 0:
	case 1:
		c = config[0]
	default:
		core.FailOp(core.ErrStatic, op, nil, "too many configurations (got %d, want at most 1); pass one", len(config))
	}
	kv := c.KVHeads
	if kv == 0 {
		kv = heads
	}
	size := c.Size
	if size == 0 {
		if width%heads != 0 {
			core.FailOp(core.ErrShape, op, nil, "%d heads do not divide a width of %d; choose a divisor or set Size", heads, width)
		}
		size = width / heads
	}
	if kv < 1 || heads%kv != 0 || size < 1 {
		core.FailOp(core.ErrShape, op, nil, "KVHeads must divide Heads, and Size must be positive (got %d, %d and %d); change them", kv, heads, size)
	}
	keys := k.SplitN(4)
	return MultiHead{
		Q:     NewLinear(keys.At(0), width, heads*size, c.Params),
		K:     NewLinear(keys.At(1), width, kv*size, c.Params),
		V:     NewLinear(keys.At(2), width, kv*size, c.Params),
		O:     NewLinear(keys.At(3), heads*size, width, c.Params),
		Heads: heads, KVHeads: c.KVHeads,
	}
}

func (m MultiHead) kvHeads() int {
	if m.KVHeads == 0 {
		return m.Heads
	}
	return m.KVHeads
}

func (m MultiHead) split(x weft.Array, heads int) weft.Array {
	if heads < 1 || x.Dim(-1)%heads != 0 {
		core.FailOp(core.ErrShape, "MultiHead", []core.ShapedArray{x.Value().Aval()}, "%d heads do not divide %d features; set Heads, or make the layer with NewMultiHead", heads, x.Dim(-1))
	}
	n := x.Rank()
	return x.Reshape(append(append([]int{}, x.Shape()[:n-1]...), heads, x.Dim(-1)/heads)...)
}

// Project returns the queries, keys and values of x, each [batch…, T, heads, features]: for a use
// that [MultiHead.Apply] does not cover, such as rotary positions.
func (m MultiHead) Project(x weft.Array) (q, k, v weft.Array) {
	if a := nd.ValueOf("MultiHead", x).Aval(); a.Rank() < 2 {
		core.FailOp(core.ErrShape, "MultiHead", []core.ShapedArray{a}, "x must have the axes [batch…, position, feature] (got %v); reshape it", a.Full())
	}
	return m.split(m.Q.Apply(x), m.Heads), m.split(m.K.Apply(x), m.kvHeads()), m.split(m.V.Apply(x), m.kvHeads())
}

// Merge returns the projection of the heads' results y, as [Attention] returns them.
func (m MultiHead) Merge(y weft.Array) weft.Array {
	n := y.Rank()
	if n < 2 {
		core.FailOp(core.ErrShape, "MultiHead", []core.ShapedArray{y.Value().Aval()}, "y must have the axes [batch…, position, head, feature] (got %v); reshape it", y.Value().Aval().Full())
	}
	return m.O.Apply(y.Reshape(append(append([]int{}, y.Shape()[:n-2]...), y.Dim(-2)*y.Dim(-1))...))
}

// Apply returns self-attention of x, [batch…, T, width].
func (m MultiHead) Apply(x weft.Array, c AttentionConfig) weft.Array {
	q, k, v := m.Project(x)
	return m.Merge(Attention(q, k, v, c))
}

// Cross returns attention from x, [batch…, T, width], to memory, [batch…, S, width].
func (m MultiHead) Cross(x, memory weft.Array, c AttentionConfig) weft.Array {
	q := m.split(m.Q.Apply(x), m.Heads)
	k, v := m.split(m.K.Apply(memory), m.kvHeads()), m.split(m.V.Apply(memory), m.kvHeads())
	return m.Merge(Attention(q, k, v, c))
}

// KVCache contains the keys and values of the positions that a model has read, so that each new
// position costs one row of attention.
type KVCache struct {
	K, V weft.Array // [batch…, capacity, heads, features]
	Len  weft.Array // positions in use: an integer without axes
}

// NewCache returns an empty cache for a number of positions. dims are the sizes of the batch axes.
func (m MultiHead) NewCache(positions int, dims ...int) KVCache {
	requireSizes("NewCache", append([]int{positions}, dims...)...)
	heads := m.kvHeads()
	shape := func(l Linear) []int {
		if n := l.W.Dim(-1); heads < 1 || n%heads != 0 {
			core.FailOp(core.ErrShape, "NewCache", []core.ShapedArray{l.W.Value().Aval()}, "%d heads do not divide %d features; set Heads, or make the layer with NewMultiHead", heads, n)
		}
		return append(append([]int{}, dims...), positions, heads, l.W.Dim(-1)/heads)
	}
	return KVCache{K: weft.ZerosOf(m.K.W.DType(), shape(m.K)...), V: weft.ZerosOf(m.V.W.DType(), shape(m.V)...), Len: weft.ZerosOf(weft.Int32)}
}

// Attend appends the keys and values of new positions, [batch…, T, heads, features], and returns
// attention from the queries q of these positions, each to all positions up to its own, and the new
// cache. Beyond the cache's capacity the result is NaN.
func (s KVCache) Attend(q, k, v weft.Array) (weft.Array, KVCache) {
	const op = "KVCache"
	checkAttention(op, q, k, v)
	a, b := nd.ValueOf(op, s.K).Aval(), k.Value().Aval()
	n := a.Rank()
	if b.Rank() != n || a.Shape.Slice(0, n-3) != b.Shape.Slice(0, n-3) || a.Shape.Slice(n-2, n) != b.Shape.Slice(n-2, n) || b.Shape.At(n-3) > a.Shape.At(n-3) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "the new keys do not fit the cache (got %v, want [batch…, T, heads, features] of %v); make the cache for this batch with NewCache", b.Full(), a.Full())
	}
	t, capacity := k.Dim(-3), s.K.Dim(-3)
	return attendCached(s, q, k, v, t, capacity)
}

func attendCached(s KVCache, q, k, v weft.Array, t, capacity int) (y weft.Array, next KVCache) {
	y = nd.WithJAXPromotion(func() weft.Array {
		next.K = lax.DynamicUpdateSliceInDim(s.K, k.AsType(s.K.DType()), s.Len, s.K.Rank()-3)
		next.V = lax.DynamicUpdateSliceInDim(s.V, v.AsType(s.V.DType()), s.Len, s.V.Rank()-3)
		next.Len = s.Len.Add(t)
		// Query i, at position Len+i, uses the keys up to its own position.
		last := s.Len.Add(weft.Iota(s.Len.DType(), 0, t, 1))
		mask := weft.Iota(s.Len.DType(), 1, 1, capacity).Le(last)
		y := Attention(q, next.K, next.V, AttentionConfig{Mask: mask})
		return weft.Where(next.Len.Le(capacity), y, math.NaN())
	})
	return y, next
}

// Step returns causal self-attention of the new positions x, [batch…, T, width], to all
// positions in the cache and themselves, with the new cache.
func (m MultiHead) Step(x weft.Array, cache KVCache) (weft.Array, KVCache) {
	q, k, v := m.Project(x)
	y, cache := cache.Attend(q, k, v)
	return m.Merge(y), cache
}

// RotaryConfig configures [Rotary]. Its zero value is the default.
type RotaryConfig struct {
	Base float64 // of the wavelengths; 0: 10000
	Dims int     // number of features that are rotated, even; 0: all
	// Interleaved rotates the pairs of features (0, 1), (2, 3), …, as GPT-J does, instead of (0,
	// n/2), (1, n/2+1), …, as Llama does.
	Interleaved bool
}

// Rotary returns x, [batch…, T, heads, features], with pairs of features rotated by angles that
// grow with the position (Su et al., 2021). The positions are numbers of shape [T] or [batch…,
// T].
func Rotary(x, positions weft.Array, c RotaryConfig) weft.Array {
	const op = "Rotary"
	a, p := nd.ValueOf(op, x).Aval(), nd.ValueOf(op, positions).Aval()
	n := a.Rank()
	if n < 3 || p.Rank() == 0 || p.Rank() > n-2 || nd.BroadcastShapes(op, core.ShapedArray{Shape: a.Shape.Slice(0, n-2), DType: p.DType}, p) != a.Shape.Slice(0, n-2) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, p}, "x must be [batch…, T, heads, features] and the positions [T] or [batch…, T] (got %v and %v); reshape them", a.Full(), p.Full())
	}
	dims := c.Dims
	if dims == 0 {
		dims = x.Dim(-1)
	}
	if dims < 2 || dims%2 != 0 || dims > x.Dim(-1) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "an even number of features turns (got %d of %d); set Dims", dims, x.Dim(-1))
	}
	return normalized(op, x, func(x weft.Array) weft.Array {
		frequencies := make([]float64, dims/2)
		for i := range frequencies {
			frequencies[i] = math.Pow(orElse(c.Base, 10000), -2*float64(i)/float64(dims))
		}
		angle := positions.AsType(x.DType()).ExpandDims(-1, -2).Mul(weft.FromSlice(frequencies).AsType(x.DType()))
		cos, sin := weft.Cos(angle), weft.Sin(angle)
		turned := x
		if dims < x.Dim(-1) {
			turned = x.Index(weft.Ellipsis, weft.R(0, dims))
		}
		var y weft.Array
		if c.Interleaved {
			pairs := turned.Reshape(append(append([]int{}, turned.Shape()[:n-1]...), dims/2, 2)...)
			first, second := pairs.Index(weft.Ellipsis, 0), pairs.Index(weft.Ellipsis, 1)
			y = weft.Stack(-1, first.Mul(cos).Sub(second.Mul(sin)), second.Mul(cos).Add(first.Mul(sin))).Reshape(turned.Shape()...)
		} else {
			half := weft.SplitEvenly(turned, -1, 2)
			y = weft.Concat(-1, half[0].Mul(cos).Sub(half[1].Mul(sin)), half[1].Mul(cos).Add(half[0].Mul(sin)))
		}
		if dims == x.Dim(-1) {
			return y
		}
		return weft.Concat(-1, y, x.Index(weft.Ellipsis, weft.R(dims, x.Dim(-1))))
	})
}
