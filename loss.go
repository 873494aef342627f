package weft

import "github.com/weft-go/weft/core"

// Losses are given element by element, or row by row where one number a row is meant:
// the caller takes the mean. Integers and truth values count as floats.

// SoftmaxCrossEntropy is −Σ p · log Softmax(logits) along the last axis, for the
// probabilities p of the labels.
func SoftmaxCrossEntropy(logits, p Array) Array {
	logits, p = losing("SoftmaxCrossEntropy", logits, p)
	return alone(func() Array { return p.Mul(LogSoftmax(logits)).Sum(-1).Neg() })
}

// SoftmaxCrossEntropyOf is −log Softmax(logits) of the right label of each row, for
// labels that are integers.
func SoftmaxCrossEntropyOf(logits, labels Array) Array {
	a, b := valueOf("SoftmaxCrossEntropyOf", logits).Aval(), valueOf("SoftmaxCrossEntropyOf", labels).Aval()
	if !b.DType.IsInteger() || a.Rank() != b.Rank()+1 {
		core.FailOp(core.ErrShape, "SoftmaxCrossEntropyOf", []core.ShapedArray{a, b}, "needs an integer a row of logits, got %v for %v; for probabilities use SoftmaxCrossEntropy", b.Full(), a.Full())
	}
	for k, n := range b.Shape.All() {
		if m := a.Shape.At(k); m != n && m != 1 && n != 1 {
			core.FailOp(core.ErrShape, "SoftmaxCrossEntropyOf", []core.ShapedArray{a, b}, "needs an integer a row of logits, got %v for %v: axis %d has %s and %d rows; make them equal", b.Full(), a.Full(), k, core.Count(n, "label"), m)
		}
	}
	return alone(func() Array {
		return TakeAlongAxis(LogSoftmax(logits), labels.ExpandDims(-1), -1).Squeeze(-1).Neg()
	})
}

// SigmoidCrossEntropy is −p·log Sigmoid(logits) − (1−p)·log(1 − Sigmoid(logits)).
func SigmoidCrossEntropy(logits, p Array) Array {
	logits, p = losing("SigmoidCrossEntropy", logits, p)
	return alone(func() Array {
		return p.Neg().Mul(LogSigmoid(logits)).Sub(Sub(1., p).Mul(LogSigmoid(logits.Neg())))
	})
}

// SquaredError is (x − y)².
func SquaredError(x, y Array) Array {
	x, y = losing("SquaredError", x, y)
	return alone(func() Array { return Square(x.Sub(y)) })
}

// Huber is half the squared error up to delta, and linear from there on.
func Huber(x, y Array, delta float64) Array {
	x, y = losing("Huber", x, y)
	return alone(func() Array {
		e := Abs(x.Sub(y))
		q := Minimum(e, delta)
		return Square(q).Mul(0.5).Add(e.Sub(q).Mul(delta))
	})
}

// LogCosh is log cosh(x − y), without overflow.
func LogCosh(x, y Array) Array {
	x, y = losing("LogCosh", x, y)
	return alone(func() Array {
		e := x.Sub(y)
		return LogAddExp(e, e.Neg()).Sub(0.6931471805599453)
	})
}

// Hinge is max(0, 1 − x·y) for labels y of −1 and 1.
func Hinge(x, y Array) Array {
	x, y = losing("Hinge", x, y)
	return alone(func() Array { return Maximum(Sub(1., x.Mul(y)), 0) })
}

// KLDivergence is Σ q · (log q − logP) along the last axis: how far the distribution
// with the logarithms logP is from q. Where q is 0 nothing is added.
func KLDivergence(logP, q Array) Array {
	logP, q = losing("KLDivergence", logP, q)
	return alone(func() Array {
		none := q.Eq(0)
		return q.Mul(Log(Where(none, 1., q)).Sub(Where(none, 0., logP))).Sum(-1)
	})
}

// CosineSimilarity is the cosine of the angle between the vectors in the last axes, and 0
// where one of them has no direction.
func CosineSimilarity(x, y Array) Array {
	x, y = losing("CosineSimilarity", x, y)
	a, b := x.aval(), y.aval()
	s := broadcastShapes("CosineSimilarity", a, b)
	if s.Len() == 0 {
		core.FailOp(core.ErrShape, "CosineSimilarity", []core.ShapedArray{a, b}, "%v and %v are no vectors; give them an axis", a.Full(), b.Full())
	}
	x, y = FromValue(spread("CosineSimilarity", x.Value(), s)), FromValue(spread("CosineSimilarity", y.Value(), s))
	return alone(func() Array { return direction(x).Mul(direction(y)).Sum(-1) })
}

// direction is the vectors in x's last axis with the length 1; 0 stays. They are brought
// to a largest element of 1 first, so that no square leaves the type.
func direction(x Array) Array {
	x = FromValue(strong("CosineSimilarity", x.Value()))
	if n := x.Dim(-1); n == 0 {
		return x
	}
	top := StopGradient(Abs(x).Max(-1, Keep))
	none := top.Eq(0)
	x = x.Div(Where(none, 1., top))
	return x.Mul(Rsqrt(Where(none, 1., Square(x).Sum(-1, Keep))))
}

// losing is x and y as floats: the differences and products of integers would wrap.
func losing(op string, x, y Array) (Array, Array) {
	v, w := floating(op, valueOf(op, x)), floating(op, valueOf(op, y))
	broadcastShapes(op, v.Aval(), w.Aval()) // or the error that names op
	return FromValue(v), FromValue(w)
}
