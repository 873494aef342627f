package onnx

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
)

// contributed are operators of ONNX Runtime's own domain, which its optimizers and its builder of
// language models write. Operators on small integers are in contributedIntegers.
var contributed = map[string]operator{
	"Gelu": unary(gelu), "Inverse": unary(linalg.Inv),
	"BiasGelu":  func(n *node) []weft.Array { return one(gelu(n.x(0).Add(n.x(1)))) },
	"FastGelu":  func(n *node) []weft.Array { return one(nn.GeluTanh(n.plus(n.x(0), 1))) },
	"QuickGelu": func(n *node) []weft.Array { return one(n.x(0).Mul(nn.Sigmoid(n.x(0).Mul(n.float("alpha", 1.702))))) },

	"FusedMatMul": fusedMatMul, "TransposeMatMul": fusedMatMul,
	"FusedGemm": func(n *node) []weft.Array { return one(n.activated(gemm(n)[0])) },
	"FusedConv": func(n *node) []weft.Array { return one(n.activated(n.plus(conv(n)[0], 3))) },

	"SimplifiedLayerNormalization": simplifiedNorm, "EmbedLayerNormalization": embedNorm,
	"SkipLayerNormalization": func(n *node) []weft.Array {
		sum := n.plus(n.x(0).Add(n.x(1)), 4)
		y, mu, scale := standardized(sum.AsType(wide(sum.DType())), []int{sum.Rank() - 1}, n.float("epsilon", 1e-12))
		y = y.AsType(sum.DType()).Mul(n.x(2))
		return []weft.Array{n.plus(y, 3), mu, scale, sum}
	},
	"SkipSimplifiedLayerNormalization": func(n *node) []weft.Array {
		sum := n.plus(n.x(0).Add(n.x(1)), 3)
		y, scale := rootMeanSquare(sum.AsType(wide(sum.DType())), []int{sum.Rank() - 1}, n.float("epsilon", 1e-12))
		return []weft.Array{y.AsType(sum.DType()).Mul(n.x(2)), scale, scale, sum}
	},

	"Attention": packedAttention, "MultiHeadAttention": multiHead, "GroupQueryAttention": groupQuery, "RotaryEmbedding": rotaryCached,
}

// plus returns y plus input i, or y if the input is left off.
func (n *node) plus(y weft.Array, i int) weft.Array {
	if !n.has(i) {
		return y
	}
	return y.Add(n.x(i))
}

// fusedMatMul multiplies matrices that may be transposed. Before that, transBatchA and transBatchB move
// axis 0 in front of the last axis.
func fusedMatMul(n *node) []weft.Array {
	side := func(i int, batch, matrix string) weft.Array {
		x := n.x(i)
		if n.int(batch, 0) != 0 && x.Rank() > 2 {
			order := append(append(iotas(x.Rank() - 1)[1:], 0), x.Rank()-1)
			x = x.Transpose(order...)
		}
		if n.int(matrix, 0) != 0 && x.Rank() > 1 {
			x = x.MT()
		}
		return x
	}
	y := side(0, "transBatchA", "transA").MatMul(side(1, "transBatchB", "transB"))
	if alpha := n.float("alpha", 1); alpha != 1 {
		y = y.Mul(number(alpha, y.DType()))
	}
	return one(y)
}

// activated applies the function that attribute activation names, if there is one.
func (n *node) activated(y weft.Array) weft.Array {
	p := n.floats("activation_params")
	param := func(i int, name string, def float64) float64 {
		if i < len(p) {
			return p[i]
		}
		return n.float(name, def)
	}
	switch name := n.text("activation", ""); name {
	case "":
		return y
	case "Relu":
		return relu(y)
	case "Tanh":
		return weft.Tanh(y)
	case "Sigmoid":
		return nn.Sigmoid(y)
	case "LeakyRelu":
		return leaky(y, param(0, "activation_alpha", 0.01))
	case "Clip":
		return weft.Clip(y, param(0, "activation_alpha", 0), param(1, "activation_beta", 0))
	case "HardSigmoid":
		return weft.Clip(y.Mul(param(0, "activation_alpha", 0.2)).Add(param(1, "activation_beta", 0.5)), 0.0, 1.0)
	default:
		n.fail(core.ErrNoRule, "the activation %q is not supported (want Relu, Tanh, Sigmoid, LeakyRelu, Clip or HardSigmoid); export the model without fusing it", name)
		return y
	}
}

// rootMeanSquare divides by the root of the mean square along axes, and returns the inverse of this root too.
func rootMeanSquare(x weft.Array, axes []int, epsilon float64) (y, scale weft.Array) {
	scale = weft.Rsqrt(keepdims(mean(x.Mul(x), axes), x, axes).Add(epsilon))
	return x.Mul(scale), scale
}

func simplifiedNorm(n *node) []weft.Array {
	x := n.x(0)
	axis := n.axis(n.int("axis", -1), x.Rank())
	y, scale := rootMeanSquare(x.AsType(wide(x.DType())), iotas(x.Rank())[axis:], n.float("epsilon", 1e-5))
	return []weft.Array{y.AsType(x.DType()).Mul(n.x(1)), scale}
}

// embedNorm adds the embeddings of words, positions and segments, and normalizes the sum.
func embedNorm(n *node) []weft.Array {
	ids := n.x(0)
	if ids.Rank() != 2 {
		n.fail(core.ErrShape, "input_ids is %v, want [batch, sequence]; reshape it", ids.Shape())
	}
	places := weft.Iota(weft.Int32, 1, 1, ids.Dim(1))
	if n.has(8) {
		places = n.x(8)
	}
	sum := weft.Take(n.x(2), ids, 0).Add(weft.Take(n.x(3), places, 0))
	switch {
	case n.has(1):
		sum = sum.Add(weft.Take(n.x(4), n.x(1), 0))
	case n.has(4): // all words are of the first segment
		sum = sum.Add(n.x(4).Index(0))
	}
	y, _, _ := standardized(sum.AsType(wide(sum.DType())), []int{2}, n.float("epsilon", 1e-12))
	y = y.AsType(sum.DType()).Mul(n.x(5)).Add(n.x(6))
	mask := weft.ZerosOf(weft.Int32, ids.Dim(0))
	if n.has(7) { // how many words of each row count
		mask = lax.ReduceSum(n.x(7).AsType(weft.Int32), 1)
	}
	return []weft.Array{y, mask, sum}
}
