package onnx

import (
	"hash/fnv"
	"math"
	"slices"

	"github.com/weft-go/weft"
	format "github.com/weft-go/weft/lower/onnx"
	"github.com/weft-go/weft/random"
)

// randoms draw numbers. A node draws the same numbers in each call, since the format has no state.
// Other runtimes draw other numbers.
var randoms = map[string]operator{
	"RandomNormal":      func(n *node) []weft.Array { return one(n.normal(n.ints("shape"), n.dtype("dtype", weft.Float32))) },
	"RandomNormalLike":  func(n *node) []weft.Array { return one(n.normal(n.x(0).Shape(), n.dtype("dtype", n.x(0).DType()))) },
	"RandomUniform":     func(n *node) []weft.Array { return one(n.uniform(n.ints("shape"), n.dtype("dtype", weft.Float32))) },
	"RandomUniformLike": func(n *node) []weft.Array { return one(n.uniform(n.x(0).Shape(), n.dtype("dtype", n.x(0).DType()))) },
	"Bernoulli": func(n *node) []weft.Array {
		x := n.x(0)
		return one(uniform(n, x.Shape(), weft.Float32).Lt(x.AsType(weft.Float32)).AsType(n.dtype("dtype", x.DType())))
	},
	"Multinomial": func(n *node) []weft.Array {
		x := n.x(0)
		k := n.int("sample_size", 1)
		g := uniform(n, slices.Concat([]int(x.Shape()), []int{k}), weft.Float32)
		gumbel := weft.Log(weft.Log(weft.Maximum(g, 1e-30)).Neg()).Neg()
		return one(x.AsType(weft.Float32).ExpandDims(-1).Add(gumbel).ArgMax(1).AsType(n.dtype("dtype", weft.Int32)))
	},
}

// key returns the random key of a node, made from its path and its seed.
func (n *node) key() random.Key {
	h := fnv.New64a()
	h.Write([]byte(n.f.path + label(n.Node)))
	seed := uint64(0)
	switch a := n.f.attr(n.Attrs["seed"]); {
	case a == nil:
	case a.Type == format.AttrInt:
		seed = uint64(a.Int)
	default:
		seed = math.Float64bits(n.float("seed", 0))
	}
	return random.New(h.Sum64() ^ seed)
}

// uniform returns numbers of [0, 1), rounded to dt.
func uniform(n *node, shape []int, dt weft.DType) weft.Array {
	return random.Uniform(n.key(), shape...).AsType(dt)
}

func (n *node) uniform(shape []int, dt weft.DType) weft.Array {
	lo, hi := n.float("low", 0), n.float("high", 1)
	return uniform(n, shape, weft.Float32).Mul(hi - lo).Add(lo).AsType(dt)
}

func (n *node) normal(shape []int, dt weft.DType) weft.Array {
	return random.Normal(n.key(), shape...).Mul(n.float("scale", 1)).Add(n.float("mean", 0)).AsType(dt)
}
