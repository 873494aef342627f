package onnx

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
)

var losses = map[string]operator{
	"NegativeLogLikelihoodLoss": func(n *node) []weft.Array {
		x := n.x(0)
		return one(n.negativeLog(x.AsType(wide(x.DType())), n.x(1)).AsType(x.DType()))
	},
	"SoftmaxCrossEntropyLoss": func(n *node) []weft.Array {
		x := n.x(0)
		logs := nn.LogSoftmax(x.AsType(wide(x.DType())), 1)
		return []weft.Array{n.negativeLog(logs, n.x(1)).AsType(x.DType()), logs.AsType(x.DType())}
	},
}

// negativeLog is the loss of logarithms of probabilities, whose axis 1 is the axis of classes.
func (n *node) negativeLog(logs, target weft.Array) weft.Array {
	classes := logs.Dim(1)
	valid := weft.OnesOf(weft.Bool, target.Shape()...)
	if n.Attrs["ignore_index"] != nil {
		valid = target.Ne(n.int("ignore_index", 0))
	}
	at := weft.Where(valid, target, weft.ZerosLike(target)).AsType(weft.Int64)
	loss := lax.Squeeze(weft.TakeAlongAxis(logs, lax.ExpandDims(fromEnd(at, classes), 1), 1), 1).Neg()
	weight := weft.OnesLike(loss)
	if n.has(2) {
		weight = weft.Take(n.x(2).AsType(logs.DType()), at)
	}
	weight = weft.Where(valid, weight, weft.ZerosLike(weight))
	loss = weft.Where(valid, loss.Mul(weight), weft.ZerosLike(loss))
	switch r := n.text("reduction", "mean"); r {
	case "none":
		return loss
	case "sum":
		return loss.Sum()
	case "mean":
		return loss.Sum().Div(weight.Sum())
	default:
		n.fail(core.ErrParse, "the reduction is %q, want none, sum or mean; set the attribute", r)
		return loss
	}
}
