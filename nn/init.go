package nn

import (
	"math"
	"slices"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/random"
)

// An Init returns the initial value of a parameter, in the key's dtype ([random.As]). The
// functions here are those of jax.nn.initializers.
type Init func(k random.Key, dims ...int) weft.Array

// Constant returns an Init that fills the parameter with one number.
func Constant(v float64) Init {
	return func(k random.Key, dims ...int) weft.Array {
		return weft.FullLike(weft.ZerosOf(dtypeOf(k), dims...), v)
	}
}

// Normal returns an Init that draws normal numbers of the given standard deviation.
func Normal(stddev float64) Init {
	return func(k random.Key, dims ...int) weft.Array {
		return scaled(random.Normal(k, dims...), stddev)
	}
}

// TruncatedNormal returns an Init that draws normal numbers from [−2, 2] and multiplies them
// by stddev.
func TruncatedNormal(stddev float64) Init {
	return func(k random.Key, dims ...int) weft.Array {
		return scaled(random.TruncatedNormal(k, -2, 2, dims...), stddev)
	}
}

// Uniform returns an Init that draws numbers from [0, scale).
func Uniform(scale float64) Init {
	return func(k random.Key, dims ...int) weft.Array {
		return scaled(random.Uniform(k, dims...), scale)
	}
}

// dtypeOf returns the floating type that is drawn with k.
func dtypeOf(k random.Key) weft.DType { return random.Normal(k.Clone(), 0).DType() }

func scaled(x weft.Array, by float64) weft.Array {
	return nd.WithJAXPromotion(func() weft.Array { return x.Mul(by) })
}

// Fan selects which of a parameter's sizes decides the variance of its numbers.
type Fan uint8

// The sizes: inputs of each output, outputs of each input, their arithmetic mean, and their
// geometric mean.
const (
	FanIn Fan = iota
	FanOut
	FanAvg
	FanGeometric
)

// Distribution selects what [VarianceScaling] draws from.
type Distribution uint8

// The distributions.
const (
	DrawTruncated Distribution = iota // normal numbers within two standard deviations
	DrawNormal
	DrawUniform
)

// VarianceScaling describes parameters whose variance is Scale / n, where n is the size that
// Mode selects. Axes that are neither In, Out nor Batch are window axes and multiply both sizes.
type VarianceScaling struct {
	Scale float64 // 0: 1
	Mode  Fan
	Draw  Distribution
	// In and Out are the axes of the inputs and outputs; both nil: [-2] and [-1].
	In, Out []int
	Batch   []int // axes of independent parameters
}

// Init returns the Init that c describes.
func (c VarianceScaling) Init() Init {
	return func(k random.Key, dims ...int) weft.Array {
		const op = "VarianceScaling"
		in, out := c.fans(op, dims)
		n := in
		switch c.Mode {
		case FanOut:
			n = out
		case FanAvg:
			n = (in + out) / 2
		case FanGeometric:
			n = math.Sqrt(in * out)
		}
		scale := c.Scale
		if scale == 0 {
			scale = 1
		}
		return nd.WithJAXPromotion(func() weft.Array {
			variance := weft.FullLike(weft.ZerosOf(dtypeOf(k).Real()), scale/n)
			switch c.Draw {
			case DrawNormal:
				return random.Normal(k, dims...).Mul(weft.Sqrt(variance))
			case DrawUniform:
				return random.UniformIn(k, -1, 1, dims...).Mul(weft.Sqrt(variance.Mul(3)))
			}
			const truncated = .87962566103423978 // standard deviation of a normal number within [−2, 2]
			return random.TruncatedNormal(k, -2, 2, dims...).Mul(weft.Sqrt(variance).Div(truncated))
		})
	}
}

// fans returns the number of inputs of each output and of outputs of each input.
func (c VarianceScaling) fans(op string, dims []int) (in, out float64) {
	axes := func(list []int, otherwise int) []int {
		if c.In == nil && c.Out == nil && otherwise != 0 {
			list = []int{otherwise}
		}
		at := slices.Clone(list)
		for i, a := range at {
			if a < 0 {
				at[i] += len(dims)
			}
			if at[i] < 0 || at[i] >= len(dims) {
				core.FailOp(core.ErrShape, op, nil, "axis %d does not exist in the shape %v; give an axis of the parameter", a, dims)
			}
		}
		return at
	}
	ins, outs, batch := axes(c.In, -2), axes(c.Out, -1), axes(c.Batch, 0)
	in, out = 1, 1
	for i, n := range dims {
		isIn, isOut := slices.Contains(ins, i), slices.Contains(outs, i)
		if isIn || !isOut && !slices.Contains(batch, i) {
			in *= float64(n)
		}
		if isOut || !isIn && !slices.Contains(batch, i) {
			out *= float64(n)
		}
	}
	return in, out
}

// LecunNormal draws truncated normal numbers of variance 1 / inputs.
func LecunNormal(k random.Key, dims ...int) weft.Array {
	return VarianceScaling{}.Init()(k, dims...)
}

// LecunUniform draws uniform numbers of variance 1 / inputs.
func LecunUniform(k random.Key, dims ...int) weft.Array {
	return VarianceScaling{Draw: DrawUniform}.Init()(k, dims...)
}

// HeNormal draws truncated normal numbers of variance 2 / inputs.
func HeNormal(k random.Key, dims ...int) weft.Array {
	return VarianceScaling{Scale: 2}.Init()(k, dims...)
}

// HeUniform draws uniform numbers of variance 2 / inputs.
func HeUniform(k random.Key, dims ...int) weft.Array {
	return VarianceScaling{Scale: 2, Draw: DrawUniform}.Init()(k, dims...)
}

// GlorotNormal draws truncated normal numbers of variance 2 / (inputs + outputs).
func GlorotNormal(k random.Key, dims ...int) weft.Array {
	return VarianceScaling{Mode: FanAvg}.Init()(k, dims...)
}

// GlorotUniform draws uniform numbers of variance 2 / (inputs + outputs).
func GlorotUniform(k random.Key, dims ...int) weft.Array {
	return VarianceScaling{Mode: FanAvg, Draw: DrawUniform}.Init()(k, dims...)
}

// Orthogonal returns an Init of scale times a matrix with orthonormal columns, or with orthonormal
// rows if it has fewer rows than columns. The last axis counts the columns, the other axes together
// the rows.
func Orthogonal(scale float64) Init {
	return func(k random.Key, dims ...int) weft.Array {
		if len(dims) < 2 {
			core.FailOp(core.ErrShape, "Orthogonal", nil, "a matrix has two axes or more (got shape %v); use another Init for vectors", dims)
		}
		if slices.Contains(dims, 0) {
			return weft.ZerosOf(dtypeOf(k), dims...)
		}
		columns := dims[len(dims)-1]
		rows := 1
		for _, n := range dims[:len(dims)-1] {
			rows *= n
		}
		return scaled(random.SemiOrthogonal(k, rows, columns).Reshape(dims...), scale)
	}
}

// DeltaOrthogonal returns an Init of convolution kernels of odd sizes, output features first and
// input features second, that are 0 but for an orthogonal matrix, times scale, at their center.
// There must not be fewer outputs than inputs.
func DeltaOrthogonal(scale float64) Init {
	return func(k random.Key, dims ...int) weft.Array {
		if len(dims) < 3 {
			core.FailOp(core.ErrShape, "DeltaOrthogonal", nil, "a kernel has outputs, inputs and at least one window axis (got shape %v); use Orthogonal for matrices", dims)
		}
		if dims[0] < dims[1] {
			core.FailOp(core.ErrShape, "DeltaOrthogonal", nil, "there are fewer outputs than inputs (got %d and %d); use another Init", dims[0], dims[1])
		}
		at := []any{weft.All, weft.All}
		for _, n := range dims[2:] {
			at = append(at, (n-1)/2)
		}
		q := random.SemiOrthogonal(k, dims[1], dims[0])
		return weft.ZerosOf(q.DType(), dims...).At(at...).Set(scaled(q.T(), scale))
	}
}
