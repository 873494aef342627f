package nn

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// CrossEntropy returns the cross entropy of each row of logits along the last axis. It is −Σ p ·
// log Softmax(logits) for labels that are probabilities p, and −log Softmax(logits) of the right
// class for labels that are integers without that axis.
func CrossEntropy(logits, labels weft.Array) weft.Array {
	const op = "CrossEntropy"
	a, b := nd.ValueOf(op, logits).Aval(), nd.ValueOf(op, labels).Aval()
	if b.DType.IsInteger() && b.Rank() == a.Rank()-1 {
		return labelCrossEntropy(op, logits, labels, a, b)
	}
	logits, labels = floatPair(op, logits, labels)
	return nd.WithJAXPromotion(func() weft.Array { return labels.Mul(LogSoftmax(logits)).Sum(-1).Neg() })
}

func labelCrossEntropy(op string, logits, labels weft.Array, a, b core.ShapedArray) weft.Array {
	for k, n := range b.Shape.All() {
		if m := a.Shape.At(k); m != n && m != 1 && n != 1 {
			core.FailOp(core.ErrShape, op, []core.ShapedArray{a, b}, "axis %d of the labels and of the logits differ (got %v and %v: %s and %d rows); make them equal", k, b.Full(), a.Full(), core.Count(n, "label"), m)
		}
	}
	return nd.WithJAXPromotion(func() weft.Array {
		return weft.TakeAlongAxis(LogSoftmax(logits), labels.ExpandDims(-1), -1).Squeeze(-1).Neg()
	})
}

// SigmoidCrossEntropy returns −p·log Sigmoid(logits) − (1−p)·log(1 − Sigmoid(logits)).
func SigmoidCrossEntropy(logits, p weft.Array) weft.Array {
	logits, p = floatPair("SigmoidCrossEntropy", logits, p)
	return nd.WithJAXPromotion(func() weft.Array {
		return p.Neg().Mul(LogSigmoid(logits)).Sub(weft.Sub(1., p).Mul(LogSigmoid(logits.Neg())))
	})
}

// SquaredError returns (x − y)².
func SquaredError(x, y weft.Array) weft.Array {
	x, y = floatPair("SquaredError", x, y)
	return nd.WithJAXPromotion(func() weft.Array { return weft.Square(x.Sub(y)) })
}

// Huber returns half the squared error where |x − y| is at most delta; beyond, it is linear in
// |x − y|.
func Huber(x, y weft.Array, delta float64) weft.Array {
	x, y = floatPair("Huber", x, y)
	return nd.WithJAXPromotion(func() weft.Array {
		e := weft.Abs(x.Sub(y))
		q := weft.Minimum(e, delta)
		return weft.Square(q).Mul(0.5).Add(e.Sub(q).Mul(delta))
	})
}

// LogCosh returns log cosh(x − y), without overflow, and for real numbers accurate also where x and y are close.
func LogCosh(x, y weft.Array) weft.Array {
	x, y = floatPair("LogCosh", x, y)
	return nd.WithJAXPromotion(func() weft.Array {
		e := x.Sub(y)
		if e.DType().IsComplex() {
			return weft.LogAddExp(e, e.Neg()).Sub(0.6931471805599453)
		}
		near := weft.Abs(e).Lt(1)
		small := weft.Log1p(weft.Square(weft.Sinh(weft.Where(near, e, 0).Mul(0.5))).Mul(2))
		e = weft.Where(near, 0, e)
		return weft.Where(near, small, weft.LogAddExp(e, e.Neg()).Sub(0.6931471805599453))
	})
}

// Hinge returns max(0, 1 − x·y) for labels y of −1 and 1.
func Hinge(x, y weft.Array) weft.Array {
	x, y = floatPair("Hinge", x, y)
	return nd.WithJAXPromotion(func() weft.Array { return weft.Maximum(weft.Sub(1., x.Mul(y)), 0) })
}

// KLDivergence returns Σ q · (log q − logP) along the last axis: how far the distribution
// with the logarithms logP is from q. Where q is 0 nothing is added.
func KLDivergence(logP, q weft.Array) weft.Array {
	logP, q = floatPair("KLDivergence", logP, q)
	return nd.WithJAXPromotion(func() weft.Array {
		none := q.Eq(0)
		return q.Mul(weft.Log(weft.Where(none, 1., q)).Sub(weft.Where(none, 0., logP))).Sum(-1)
	})
}

// CosineSimilarity returns the cosine of the angle between the vectors in the last axes, and 0
// where one of them is zero.
func CosineSimilarity(x, y weft.Array) weft.Array {
	x, y = floatPair("CosineSimilarity", x, y)
	nd.RequireReal("CosineSimilarity", x.Value())
	nd.RequireReal("CosineSimilarity", y.Value())
	a, b := x.Value().Aval(), y.Value().Aval()
	s := nd.BroadcastShapes("CosineSimilarity", a, b)
	if s.Len() == 0 {
		core.FailOp(core.ErrShape, "CosineSimilarity", []core.ShapedArray{a, b}, "%v and %v are no vectors; give them an axis", a.Full(), b.Full())
	}
	x, y = weft.FromValue(nd.Spread("CosineSimilarity", x.Value(), s)), weft.FromValue(nd.Spread("CosineSimilarity", y.Value(), s))
	return nd.WithJAXPromotion(func() weft.Array {
		dt, _ := nd.PromoteTypes("CosineSimilarity", x.Value(), y.Value())
		return direction(x).Mul(direction(y)).Sum(-1).AsType(dt)
	})
}

// direction returns the vectors in x's last axis scaled to length 1; zero vectors stay zero. They
// are first scaled to a largest element of 1, so that no square overflows.
func direction(x weft.Array) weft.Array {
	x = weft.FromValue(nd.Strong("CosineSimilarity", x.Value()))
	x = x.AsType(nd.AverageType(x.DType()))
	if n := x.Dim(-1); n == 0 {
		return x
	}
	top := weft.StopGradient(weft.Abs(x).Max(-1, weft.Keep))
	none := top.Eq(0)
	x = x.Div(weft.Where(none, 1., top))
	return x.Mul(weft.Rsqrt(weft.Where(none, 1., weft.Square(x).Sum(-1, weft.Keep))))
}
