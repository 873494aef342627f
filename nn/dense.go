package nn

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/random"
)

// Params describes the initial parameters of a new layer. Its zero value is the default.
type Params struct {
	NoBias bool // leave the bias out: it is an array of no elements
	Init   Init // of the weights; nil: the layer's default. Biases begin at 0.
}

func paramsOf(op string, p []Params, init Init) Params {
	if len(p) > 1 {
		core.FailOp(core.ErrStatic, op, nil, "too many Params (got %d, want at most 1); pass one", len(p))
	}
	var c Params
	if len(p) == 1 {
		c = p[0]
	}
	if c.Init == nil {
		c.Init = init
	}
	return c
}

// bias returns a bias of n zeros in the dtype of the weights, or of no elements.
func (p Params) bias(w weft.Array, n int) weft.Array {
	if p.NoBias {
		n = 0
	}
	return weft.ZerosOf(w.DType(), n)
}

// requireSizes refuses sizes that are not positive.
func requireSizes(op string, sizes ...int) {
	for _, n := range sizes {
		if n < 1 {
			core.FailOp(core.ErrShape, op, nil, "sizes must be positive (got %d); give 1 or more", n)
		}
	}
}

func hasBias(b weft.Array) bool { return !b.IsZero() && b.Size() > 0 }

// addBias returns x + b, or x where there is no bias.
func addBias(x, b weft.Array) weft.Array {
	if !hasBias(b) {
		return x
	}
	return x.Add(b)
}

// Linear multiplies the last axis of x by a matrix: x·W + B.
type Linear struct {
	W weft.Array // [in, out]
	B weft.Array // [out]; no elements: no bias
}

// NewLinear returns a Linear whose weights are [LecunNormal] unless p names another Init.
func NewLinear(k random.Key, in, out int, p ...Params) Linear {
	requireSizes("NewLinear", in, out)
	c := paramsOf("NewLinear", p, LecunNormal)
	w := c.Init(k, in, out)
	return Linear{W: w, B: c.bias(w, out)}
}

// Apply returns x·W + B.
func (l Linear) Apply(x weft.Array) weft.Array {
	requireFeatures("Linear", x, l.W, 0)
	return addBias(x.MatMul(l.W), l.B)
}

// requireFeatures refuses an x whose last axis is not as long as axis of w.
func requireFeatures(op string, x, w weft.Array, axis int) {
	a, b := nd.ValueOf(op, x).Aval(), nd.ValueOf(op, w).Aval()
	if b.Rank() != 2 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "the weights have %s (got %v, want 2 axes); make the layer with its New function", core.Count(b.Rank(), "axis"), b.Full())
	}
	if a.Rank() == 0 || a.Shape.At(a.Rank()-1) != b.Shape.At(axis) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "the last axis of x must have %d features (got %v); reshape x or make the layer for its size", b.Shape.At(axis), a.Full())
	}
}

// Embedding maps each of a number of things, by its index, to a vector: a row of W.
type Embedding struct {
	W weft.Array // [things, features]
}

// NewEmbedding returns an Embedding of normal numbers of variance 1 / features, unless p names
// another Init.
func NewEmbedding(k random.Key, things, features int, p ...Params) Embedding {
	requireSizes("NewEmbedding", things, features)
	c := paramsOf("NewEmbedding", p, VarianceScaling{Draw: DrawNormal, In: []int{-1}, Out: []int{-2}}.Init())
	return Embedding{W: c.Init(k, things, features)}
}

// Apply returns the rows of W with the numbers ids, along a new last axis. A number outside the
// table selects a row of NaN; a negative one counts from the end.
func (e Embedding) Apply(ids weft.Array) weft.Array {
	nd.ValueOf("Embedding", e.W)
	if a := nd.ValueOf("Embedding", ids).Aval(); !a.DType.IsInteger() {
		core.FailOp(core.ErrDType, "Embedding", []core.ShapedArray{a}, "ids must be integers (got %v); convert them with AsType(weft.Int32)", a.Full())
	}
	return weft.Take(e.W, ids, 0)
}

// Attend returns x·Wᵀ, the score of each row for x: the output layer of a model that shares its
// embedding.
func (e Embedding) Attend(x weft.Array) weft.Array {
	requireFeatures("Embedding.Attend", x, e.W, 1)
	return x.MatMul(e.W.T())
}

// Dropout returns x with each element set to 0 with probability rate, and the others divided by 1
// − rate, so that the mean is kept. Pass a new key every time; leave the call out when the model
// is not trained.
func Dropout(k random.Key, x weft.Array, rate float64) weft.Array {
	if !(rate >= 0 && rate <= 1) {
		core.FailOp(core.ErrDType, "Dropout", nil, "the rate must be a probability (got %v, want 0 to 1); change it", rate)
	}
	v := nd.Floating("Dropout", nd.ValueOf("Dropout", x))
	x = weft.FromValue(v)
	switch rate {
	case 0:
		return x
	case 1:
		return weft.ZerosLike(x)
	}
	keep := random.Bernoulli(k, 1-rate, x.Shape()...)
	return nd.WithJAXPromotion(func() weft.Array { return weft.Where(keep, x.Div(1-rate), 0.) })
}
