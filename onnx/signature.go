package onnx

import (
	"strconv"
	"strings"

	"github.com/weft-go/weft/core"
)

// arities lists operators by the largest number of inputs that they take, with which a line begins. Operators that
// are missing here take any number. With "=" behind the number, operators want one type for all inputs:
// the format converts nothing. An operator with "=" behind its name takes any number of inputs of one
// type.
var arities = parseArities(`
1 Abs Acos Acosh Asin Asinh Atan Atanh BitCast BitwiseNot Cast Ceil Celu Cos Cosh DepthToSpace Det DynamicQuantizeLinear Elu Erf Exp EyeLike Flatten Floor Gelu GlobalAveragePool GlobalLpPool GlobalMaxPool
1 HardSigmoid HardSwish Hardmax Identity If IsInf IsNaN LRN LeakyRelu Log LogSoftmax LpNormalization LpPool MaxPool AveragePool MeanVarianceNormalization Mish Neg NonZero Not Reciprocal Relu Round Selu Shape Shrink
1 Sigmoid Sign Sin Sinh Size Softmax Softplus Softsign SpaceToDepth Sqrt Swish Tan Tanh ThresholdedRelu Transpose Unique ArgMax ArgMin Bernoulli Multinomial RandomNormalLike RandomUniformLike HannWindow HammingWindow BlackmanWindow ConstantOfShape
0 Constant RandomNormal RandomUniform
2 CastLike Compress CumSum CumProd Expand Gather GatherElements GatherND AffineGrid GridSample ReverseSequence Reshape Squeeze Unsqueeze Split Trilu TopK Upsample CenterCropPad
2 ReduceSum ReduceProd ReduceMax ReduceMin ReduceMean ReduceL1 ReduceL2 ReduceSumSquare ReduceLogSum ReduceLogSumExp
2= Add Sub Mul Div Mod And Or Xor BitwiseAnd BitwiseOr BitwiseXor Equal Less LessOrEqual Greater GreaterOrEqual PRelu MatMul RMSNormalization SwiGLU
2 Pow BitShift
3 Where Tile OneHot ScatterElements Scatter ScatterND Dropout Col2Im DFT MaxUnpool NegativeLogLikelihoodLoss SoftmaxCrossEntropyLoss QuantizeLinear DequantizeLinear TensorScatter RoiAlign
3= Clip Gemm Conv ConvTranspose LayerNormalization GroupNormalization InstanceNormalization Range
4 Pad Resize STFT MatMulInteger ConvInteger RotaryEmbedding CausalConvWithState
5 BatchNormalization Slice NonMaxSuppression DeformConv MelWeightMatrix
6 GRU RNN LinearAttention
7 Attention
8 LSTM QLinearMatMul
9 QLinearConv
0 Concat= Max= Min= Sum= Mean= Einsum=
`)

// arity is the largest number of inputs, −1 for any number, and whether all must have one type.
type arity struct {
	most int
	same bool
}

func parseArities(text string) map[string]arity {
	out := map[string]arity{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		most, same := strings.CutSuffix(words[0], "=")
		k, _ := strconv.Atoi(most)
		for _, w := range words[1:] {
			if name, any := strings.CutSuffix(w, "="); any {
				out[name] = arity{-1, true}
				continue
			}
			out[w] = arity{k, same}
		}
	}
	return out
}

// fits refuses inputs that an operator cannot take.
func (n *node) fits() {
	a, ok := arities[n.Op]
	if !ok || n.Domain != "" {
		return
	}
	if a.most >= 0 && len(n.in) > a.most {
		n.fail(core.ErrTree, "the operator takes %s (got %d); pass as many", core.Count(a.most, "input"), len(n.in))
	}
	if !a.same {
		return
	}
	first := -1
	for i := range n.in {
		switch {
		case !n.has(i):
		case first < 0:
			first = i
		case n.in[i].DType() != n.in[first].DType():
			n.fail(core.ErrDType, "inputs are of type %v and %v; the format converts nothing, so the model needs a Cast", n.in[first].DType(), n.in[i].DType())
		}
	}
}
