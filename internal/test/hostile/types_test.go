package hostile

import (
	"reflect"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/fft"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/optim"
	"github.com/weft-go/weft/random"
	"github.com/weft-go/weft/stats"
)

// A pair is a tree that can contain itself.
type pair struct {
	A, B weft.Array
	Keys map[string]weft.Array
	Next *pair
	More []pair
	Any  any
}

// receivers are the types whose methods are called.
var receivers = []reflect.Type{
	reflect.TypeFor[*weft.Array](), reflect.TypeFor[weft.Ref](), reflect.TypeFor[weft.Range](), reflect.TypeFor[weft.Shape](), reflect.TypeFor[weft.Device](),
	reflect.TypeFor[*weft.Compiled[func(weft.Array) weft.Array]](),
	reflect.TypeFor[nn.BatchNorm](), reflect.TypeFor[nn.Conv](), reflect.TypeFor[nn.Embedding](), reflect.TypeFor[nn.GRU](), reflect.TypeFor[nn.GroupNorm](),
	reflect.TypeFor[nn.KVCache](), reflect.TypeFor[nn.LSTM](), reflect.TypeFor[nn.LayerNorm](), reflect.TypeFor[nn.Linear](), reflect.TypeFor[nn.MultiHead](),
	reflect.TypeFor[nn.RMSNorm](), reflect.TypeFor[nn.VarianceScaling](), reflect.TypeFor[linalg.LUFactors](), reflect.TypeFor[fft.Config](),
	reflect.TypeFor[stats.Bernoulli](), reflect.TypeFor[stats.Beta](), reflect.TypeFor[stats.Binom](), reflect.TypeFor[stats.Chi2](), reflect.TypeFor[stats.Dirichlet](),
	reflect.TypeFor[stats.Expon](), reflect.TypeFor[stats.Gamma](), reflect.TypeFor[stats.GaussianKDE](), reflect.TypeFor[stats.Geom](), reflect.TypeFor[stats.Laplace](),
	reflect.TypeFor[stats.Logistic](), reflect.TypeFor[stats.Multinomial](), reflect.TypeFor[stats.MultivariateNormal](), reflect.TypeFor[stats.Norm](),
	reflect.TypeFor[stats.Poisson](), reflect.TypeFor[stats.T](), reflect.TypeFor[stats.Uniform](), reflect.TypeFor[random.Key](),
	reflect.TypeFor[*optim.Accumulate[pair]](), reflect.TypeFor[*optim.Adafactor[weft.Array]](), reflect.TypeFor[*optim.Adagrad[pair]](), reflect.TypeFor[*optim.Adam[pair]](),
	reflect.TypeFor[*optim.Average[pair]](), reflect.TypeFor[*optim.LBFGS[pair]](), reflect.TypeFor[*optim.Lion[pair]](), reflect.TypeFor[*optim.Momentum[pair]](),
	reflect.TypeFor[*optim.Parts[pair]](), reflect.TypeFor[*optim.RMSProp[pair]](), reflect.TypeFor[*optim.SGD[pair]](),
	reflect.TypeFor[optim.Cosine](), reflect.TypeFor[optim.Exponential](), reflect.TypeFor[optim.Join](), reflect.TypeFor[optim.Linear](), reflect.TypeFor[optim.OneCycle](),
	reflect.TypeFor[optim.Interpolate](), reflect.TypeFor[optim.Piecewise](), reflect.TypeFor[optim.Polynomial](), reflect.TypeFor[optim.Rate](), reflect.TypeFor[optim.Restarts](),
	reflect.TypeFor[optim.InverseSqrt](), reflect.TypeFor[optim.Variable](), reflect.TypeFor[optim.Warmup](),
}
