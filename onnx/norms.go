package onnx

import (
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/nn"
)

// norms are normalizations along axes; the softmax functions are among them.
var norms = map[string]operator{
	"BatchNormalization": batchNorm, "LayerNormalization": layerNorm, "RMSNormalization": rmsNorm, "GroupNormalization": groupNorm, "LRN": lrn,
	"LpNormalization": lpNorm, "MeanVarianceNormalization": meanVariance,
	"Softmax":    soft(func(x weft.Array, axis int) weft.Array { return nn.Softmax(x, axis) }),
	"LogSoftmax": soft(func(x weft.Array, axis int) weft.Array { return nn.LogSoftmax(x, axis) }),
	"Hardmax": soft(func(x weft.Array, axis int) weft.Array {
		first := lax.ExpandDims(lax.Argmax(x, axis, weft.Int64), axis)
		return weft.Iota(weft.Int64, axis, x.Shape()...).Eq(first).AsType(x.DType())
	}),
	"InstanceNormalization": func(n *node) []weft.Array {
		x := n.atLeast(0, 2)
		dims := slices.Concat([]int{1, -1}, repeated(1, x.Rank()-2))
		t := wide(x.DType())
		y, _, _ := standardized(x.AsType(t), iotas(x.Rank())[2:], n.float("epsilon", 1e-5))
		return one(y.Mul(n.x(1).AsType(t).Reshape(dims...)).Add(n.x(2).AsType(t).Reshape(dims...)).AsType(x.DType()))
	},
}

// soft makes an operator of a function along one axis. Before version 13, all axes from an axis on count as one.
func soft(f func(x weft.Array, axis int) weft.Array) operator {
	return func(n *node) []weft.Array {
		x := n.x(0)
		if n.version >= 13 {
			return one(f(x, n.axis(n.int("axis", -1), x.Rank())))
		}
		axis := n.axis(n.int("axis", 1), x.Rank())
		cols := 1
		for _, d := range []int(x.Shape())[axis:] {
			cols *= d
		}
		if cols == 0 {
			return one(x)
		}
		return one(f(x.Reshape(x.Size()/cols, cols), 1).Reshape(x.Shape()...))
	}
}

// keepdims returns y, a reduction of x along axes, with these axes kept, of size 1.
func keepdims(y, x weft.Array, axes []int) weft.Array {
	dims := slices.Clone([]int(x.Shape()))
	for _, a := range axes {
		dims[a] = 1
	}
	return y.Reshape(dims...)
}

// standardized returns x with mean 0 and variance 1 along axes, the mean, and 1/√(variance + ε).
func standardized(x weft.Array, axes []int, epsilon float64) (y, mu, scale weft.Array) {
	mu = keepdims(mean(x, axes), x, axes)
	d := x.Sub(mu)
	scale = weft.Rsqrt(keepdims(mean(d.Mul(d), axes), x, axes).Add(epsilon))
	return d.Mul(scale), mu, scale
}

func batchNorm(n *node) []weft.Array {
	x := n.x(0)
	if n.version < 9 && n.int("is_test", 0) == 0 && n.version < 7 && n.wants(1) {
		n.fail(core.ErrNoRule, "training with version %d of the operator is not supported; export the model for inference", n.version)
	}
	if n.version < 9 && n.int("spatial", 1) == 0 {
		n.fail(core.ErrNoRule, "spatial = 0, a mean for each element, is not supported; export the model with version 9 or later")
	}
	if x.Rank() == 0 {
		n.fail(core.ErrShape, "the operand is one number, want batch and features; add axes with Unsqueeze")
	}
	dims := repeated(1, x.Rank())
	if x.Rank() > 1 {
		dims[1] = -1
	} else {
		dims[0] = -1
	}
	mu, variance := n.x(3), n.x(4)
	var more []weft.Array
	if n.int("training_mode", 0) != 0 {
		axes := slices.Concat([]int{0}, iotas(x.Rank())[min(2, x.Rank()):])
		z := x.AsType(wide(x.DType()))
		m := mean(z, axes)
		d := z.Sub(m.Reshape(dims...))
		v := mean(d.Mul(d), axes)
		momentum := n.float("momentum", 0.9)
		more = []weft.Array{mu.Mul(momentum).Add(m.Mul(1 - momentum).AsType(mu.DType())), variance.Mul(momentum).Add(v.Mul(1 - momentum).AsType(variance.DType()))}
		mu, variance = m, v
	}
	t := wide(x.DType())
	n.in = append(slices.Clone(n.in[:3]), mu, variance)
	scale, shift := n.affine(t)
	y := x.AsType(t).Mul(scale.Reshape(dims...)).Add(shift.Reshape(dims...)).AsType(x.DType())
	return append(one(y), more...)
}

// affine returns, for each feature, the factor and the summand that normalize it by the given mean and variance.
func (n *node) affine(t weft.DType) (scale, shift weft.Array) {
	scale = n.once(1, func() weft.Array {
		return n.x(1).AsType(t).Mul(weft.Rsqrt(n.x(4).AsType(t).Add(n.float("epsilon", 1e-5))))
	}, n.x(1), n.x(4))
	shift = n.once(2, func() weft.Array { return n.x(2).AsType(t).Sub(n.x(3).AsType(t).Mul(scale)) }, n.x(2), n.x(3), scale)
	return scale, shift
}

// wide returns the type in which elements of type dt are summed: f32 for f16 and bf16, dt for others.
func wide(dt weft.DType) weft.DType {
	if dt == weft.Float16 || dt == weft.BFloat16 {
		return weft.Float32
	}
	return dt
}

func layerNorm(n *node) []weft.Array {
	x := n.x(0)
	axis := n.axis(n.int("axis", -1), x.Rank())
	t := wide(x.DType())
	if n.int("stash_type", 1) == 1 && x.DType() != weft.Float64 {
		t = weft.Float32
	}
	y, mu, scale := standardized(x.AsType(t), iotas(x.Rank())[axis:], n.float("epsilon", 1e-5))
	y = y.AsType(x.DType()).Mul(n.x(1))
	if n.has(2) {
		y = y.Add(n.x(2))
	}
	return []weft.Array{y, mu, scale}
}

func rmsNorm(n *node) []weft.Array {
	x := n.x(0)
	axis := n.axis(n.int("axis", -1), x.Rank())
	axes := iotas(x.Rank())[axis:]
	z := x.AsType(wide(x.DType()))
	scale := weft.Rsqrt(keepdims(mean(z.Mul(z), axes), x, axes).Add(n.float("epsilon", 1e-5)))
	return one(z.Mul(scale).AsType(x.DType()).Mul(n.x(1)))
}

// groupNorm normalizes groups of features. Scale and bias are per group before version 21, and per feature since.
func groupNorm(n *node) []weft.Array {
	x := n.x(0)
	groups, features := n.int("num_groups", 1), x.Dim(1)
	if groups < 1 || features%groups != 0 {
		n.fail(core.ErrShape, "%d features cannot be divided into %d groups; num_groups must divide their number", features, groups)
	}
	t := wide(x.DType())
	if n.int("stash_type", 1) == 1 && x.DType() != weft.Float64 {
		t = weft.Float32
	}
	y, _, _ := standardized(x.AsType(t).Reshape(x.Dim(0), groups, -1), []int{2}, n.float("epsilon", 1e-5))
	y = y.AsType(x.DType())
	if n.version < 21 {
		y = y.Mul(n.x(1).Reshape(1, groups, 1)).Add(n.x(2).Reshape(1, groups, 1))
		return one(y.Reshape(x.Shape()...))
	}
	dims := slices.Concat([]int{1, features}, repeated(1, x.Rank()-2))
	return one(y.Reshape(x.Shape()...).Mul(n.x(1).Reshape(dims...)).Add(n.x(2).Reshape(dims...)))
}

// lrn divides by a power of a constant plus a multiple of the sum of the squares of neighbouring features.
func lrn(n *node) []weft.Array {
	x, size := n.atLeast(0, 2), n.int("size", 1)
	dims, pads := repeated(1, x.Rank()), make([][2]int, x.Rank())
	dims[1] = size
	pads[1] = [2]int{(size - 1) / 2, size / 2}
	z := x.AsType(wide(x.DType()))
	sum := lax.ReduceWindow(z.Mul(z), scalar(0, z.DType()), lax.Add[weft.Array, weft.Array], lax.WindowConfig{Dims: dims, Padding: lax.Pads(pads...)})
	return one(z.Div(weft.Pow(sum.Mul(n.float("alpha", 0.0001)/float64(size)).Add(n.float("bias", 1)), n.float("beta", 0.75))).AsType(x.DType()))
}

func lpNorm(n *node) []weft.Array {
	x := n.x(0)
	axes := []int{n.axis(n.int("axis", -1), x.Rank())}
	z := x.AsType(wide(x.DType()))
	var norm weft.Array
	if n.int("p", 2) == 1 {
		norm = lax.ReduceSum(weft.Abs(z), axes...)
	} else {
		norm = weft.Sqrt(lax.ReduceSum(z.Mul(z), axes...))
	}
	norm = keepdims(norm, x, axes)
	return one(weft.Where(norm.Eq(0.0), weft.ZerosLike(z), z.Div(weft.Where(norm.Eq(0.0), weft.OnesLike(norm), norm))).AsType(x.DType()))
}

func meanVariance(n *node) []weft.Array {
	x := n.x(0)
	axes := n.ints("axes")
	if axes == nil {
		axes = []int{0, 2, 3}
	}
	axes = n.axes(axes, x.Rank())
	z := x.AsType(wide(x.DType()))
	d := z.Sub(keepdims(mean(z, axes), x, axes))
	return one(d.Div(weft.Sqrt(keepdims(mean(d.Mul(d), axes), x, axes)).Add(1e-9)).AsType(x.DType()))
}
