package nn

import (
	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
)

// LayerNorm subtracts the mean over the last axes of x, as many as Scale has but at least one, divides by
// √(variance + Eps), multiplies by Scale and adds Shift.
type LayerNorm struct {
	Scale, Shift weft.Array
	Eps          float64 // 0: 1e-6
}

// NewLayerNorm returns a LayerNorm over axes of the given sizes, with scale 1 and shift 0.
func NewLayerNorm(dims ...int) LayerNorm {
	requireSizes("NewLayerNorm", dims...)
	return LayerNorm{Scale: weft.Ones(dims...), Shift: weft.Zeros(dims...)}
}

// Apply returns x normalized. Without a Shift, none is added.
func (l LayerNorm) Apply(x weft.Array) weft.Array {
	const op = "LayerNorm"
	avals := []core.ShapedArray{nd.ValueOf(op, x).Aval(), nd.ValueOf(op, l.Scale).Aval()}
	if hasBias(l.Shift) {
		avals = append(avals, l.Shift.Value().Aval())
	}
	nd.BroadcastShapes(op, avals...)
	y := standardized(op, x, lastAxes(op, x, max(l.Scale.Rank(), 1)), orElse(l.Eps, 1e-6))
	return nd.WithJAXPromotion(func() weft.Array { return addBias(y.Mul(l.Scale), l.Shift) })
}

func lastAxes(op string, x weft.Array, n int) []int {
	if a := x.Value().Aval(); a.Rank() < n {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a}, "%v has fewer axes than are normalized (got %d, want %d or more); reshape it", a.Full(), a.Rank(), n)
	}
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i - n
	}
	return axes
}

func orElse(x, otherwise float64) float64 {
	if x == 0 {
		return otherwise
	}
	return x
}

// RMSNorm divides x by the root of the mean of its squares over the last axis, plus Eps under
// the root, and multiplies by Scale.
type RMSNorm struct {
	Scale weft.Array
	Eps   float64 // 0: 1e-6
}

// NewRMSNorm returns an RMSNorm of n features with scale 1.
func NewRMSNorm(n int) RMSNorm {
	requireSizes("NewRMSNorm", n)
	return RMSNorm{Scale: weft.Ones(n)}
}

// Apply returns x normalized.
func (l RMSNorm) Apply(x weft.Array) weft.Array {
	const op = "RMSNorm"
	nd.BroadcastShapes(op, nd.ValueOf(op, x).Aval(), nd.ValueOf(op, l.Scale).Aval())
	y := normalized(op, x, func(x weft.Array) weft.Array {
		return x.Mul(weft.Rsqrt(weft.Square(x).Mean(-1, weft.Keep).Add(orElse(l.Eps, 1e-6))))
	})
	return nd.WithJAXPromotion(func() weft.Array { return y.Mul(l.Scale) })
}

// normalized applies f to x in at least f32 and converts the result to x's floating type.
func normalized(op string, x weft.Array, f func(weft.Array) weft.Array) weft.Array {
	v := nd.Floating(op, nd.ValueOf(op, x))
	dt := v.Aval().DType
	return nd.WithJAXPromotion(func() weft.Array {
		y := f(weft.FromValue(nd.Convert(op, v, nd.AverageType(dt), v.Aval().Weak)))
		if y.DType() == nd.AverageType(dt) && y.DType() != dt {
			return y.AsType(dt)
		}
		return y
	})
}

// GroupNorm cuts the features of x into Groups, and normalizes each group of each example over
// its features and all spatial axes. One group is a LayerNorm of whole examples; as many groups
// as features are an instance norm.
type GroupNorm struct {
	Scale, Shift weft.Array // [features]
	Groups       int
	Eps          float64 // 0: 1e-5
	Axis         int     // of the features; 0: 1
}

// NewGroupNorm returns a GroupNorm of n features with scale 1 and shift 0.
func NewGroupNorm(groups, n int) GroupNorm {
	requireSizes("NewGroupNorm", groups, n)
	if n%groups != 0 {
		core.FailOp(core.ErrShape, "NewGroupNorm", nil, "%d groups do not divide %d features; choose a divisor", groups, n)
	}
	return GroupNorm{Scale: weft.Ones(n), Shift: weft.Zeros(n), Groups: groups}
}

// Apply returns x, whose first axis counts examples, normalized.
func (l GroupNorm) Apply(x weft.Array) weft.Array {
	const op = "GroupNorm"
	axis := featureAxis(op, x, l.Axis, l.Scale)
	dims := x.Shape()
	if l.Groups < 1 || dims[axis]%l.Groups != 0 {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{x.Value().Aval()}, "%d groups do not divide %d features; set Groups to a divisor", l.Groups, dims[axis])
	}
	y := normalized(op, x, func(x weft.Array) weft.Array {
		split := append(append(append([]int{}, dims[:axis]...), l.Groups, dims[axis]/l.Groups), dims[axis+1:]...)
		var axes []int
		for i := 1; i < len(split); i++ {
			if i != axis {
				axes = append(axes, i)
			}
		}
		return centered(x.Reshape(split...), axes, orElse(l.Eps, 1e-5)).Reshape(dims...)
	})
	return affine(y, l.Scale, l.Shift, axis)
}

// affine returns y · scale + shift, both of them along one axis of y.
func affine(y, scale, shift weft.Array, axis int) weft.Array {
	return nd.WithJAXPromotion(func() weft.Array {
		y := y.Mul(alongAxis(scale, axis, y.Rank()))
		if hasBias(shift) {
			y = y.Add(alongAxis(shift, axis, y.Rank()))
		}
		return y
	})
}

// featureAxis returns the axis of the features, 1 for 0, and refuses an x that does not have as
// many of them as scale.
func featureAxis(op string, x weft.Array, axis int, scale weft.Array) int {
	a, s := nd.ValueOf(op, x).Aval(), nd.ValueOf(op, scale).Aval()
	if axis == 0 {
		axis = 1
	}
	if axis < 0 {
		axis += a.Rank()
	}
	if axis < 1 || axis >= a.Rank() || s.Rank() != 1 || a.Shape.At(axis) != s.Shape.At(0) {
		core.FailOp(core.ErrShape, op, []core.ShapedArray{a, s}, "axis %d of x must have the features of the scale (got %v and %v); set Axis or make the layer for x", axis, a.Full(), s.Full())
	}
	return axis
}

// centered returns x less its mean over axes, divided by √(variance + eps).
func centered(x weft.Array, axes []int, eps float64) weft.Array {
	keep := append(append([]int{}, axes...), weft.Keep)
	d := x.Sub(x.Mean(keep...))
	return d.Mul(weft.Rsqrt(weft.Square(d).Mean(keep...).Add(eps)))
}

// BatchNorm normalizes each feature over the examples of a batch and all spatial axes. Training
// uses the statistics of the batch and returns new running ones; [BatchNorm.Apply] uses the
// running ones.
type BatchNorm struct {
	Scale, Shift weft.Array // [features]
	Mean, Var    weft.Array `weft:"frozen"` // running statistics
	Momentum     float64    // share of a batch in the new running statistics; 0: 0.1
	Eps          float64    // 0: 1e-5
	Axis         int        // of the features; 0: 1
}

// NewBatchNorm returns a BatchNorm of n features with scale 1, shift 0, mean 0 and variance 1.
func NewBatchNorm(n int) BatchNorm {
	requireSizes("NewBatchNorm", n)
	return BatchNorm{Scale: weft.Ones(n), Shift: weft.Zeros(n), Mean: weft.Zeros(n), Var: weft.Ones(n)}
}

// Apply returns x normalized by the running statistics.
func (l BatchNorm) Apply(x weft.Array) weft.Array {
	const op = "BatchNorm"
	axis := featureAxis(op, x, l.Axis, l.Scale)
	y := normalized(op, x, func(x weft.Array) weft.Array {
		return l.divide(x.Sub(alongAxis(l.Mean, axis, x.Rank())), l.Var, axis)
	})
	return affine(y, l.Scale, l.Shift, axis)
}

// divide returns d divided by √(variance + Eps).
func (l BatchNorm) divide(d, variance weft.Array, axis int) weft.Array {
	return d.Mul(alongAxis(weft.Rsqrt(variance.Add(orElse(l.Eps, 1e-5))), axis, d.Rank()))
}

// Train returns x normalized by its own statistics, and the layer with the new running
// statistics: (1 − Momentum)·old + Momentum·batch. The running variance is that of a sample
// (n − 1 in the denominator), as in PyTorch. No derivative goes through the running statistics.
func (l BatchNorm) Train(x weft.Array) (weft.Array, BatchNorm) {
	const op = "BatchNorm"
	axis := featureAxis(op, x, l.Axis, l.Scale)
	y := normalized(op, x, func(x weft.Array) weft.Array {
		axes, n := []int{}, 1
		for i, size := range x.Shape() {
			if i != axis {
				axes, n = append(axes, i), n*size
			}
		}
		mean := x.Mean(axes...)
		d := x.Sub(alongAxis(mean, axis, x.Rank()))
		variance := weft.Square(d).Mean(axes...)
		m := orElse(l.Momentum, 0.1)
		running := func(old, batch weft.Array) weft.Array {
			return old.Mul(1 - m).Add(weft.StopGradient(batch).Mul(m)).AsType(old.DType())
		}
		l.Mean = running(l.Mean, mean)
		l.Var = running(l.Var, variance.Mul(float64(n)/float64(max(n-1, 1))))
		return l.divide(d, variance, axis)
	})
	return affine(y, l.Scale, l.Shift, axis), l
}
