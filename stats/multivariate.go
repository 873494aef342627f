package stats

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/nd"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/special"
)

// vectors promotes arrays to one floating-point type.
func vectors(op string, xs ...weft.Array) []weft.Array {
	vs := make([]core.Value, len(xs))
	for i, x := range xs {
		vs[i] = nd.ValueOf(op, x)
	}
	out := make([]weft.Array, len(vs))
	for i, v := range nd.PromoteFloating(op, vs) {
		nd.RequireReal(op, v)
		out[i] = weft.FromValue(v)
	}
	return out
}

// lastAxes requires that two arrays have last axes of one length.
func lastAxes(op, what string, x, y weft.Array) {
	if x.Rank() == 0 || y.Rank() == 0 || x.Dim(-1) != y.Dim(-1) {
		core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{x.Value(), y.Value()}),
			"%v and %v must have last axes of one length, the %s; reshape one of them", x.Value().Aval().Full(), y.Value().Aval().Full(), what)
	}
}

// MultivariateNormal is the normal distribution of vectors, along the last axis, with the mean Mean
// and the covariance matrix Cov. The zero Array is a mean of 0, or the identity.
type MultivariateNormal struct{ Mean, Cov weft.Array }

// LogPDF returns the logarithm of the density at the vectors x. It is NaN where Cov is not
// positive definite.
func (d MultivariateNormal) LogPDF(x weft.Array) weft.Array {
	const op = "MultivariateNormal.LogPDF"
	in := []weft.Array{x}
	for _, p := range []weft.Array{d.Mean, d.Cov} {
		if !p.IsZero() {
			in = append(in, p)
		}
	}
	in = vectors(op, in...)
	x = in[0]
	if x.Rank() == 0 {
		core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{x.Value()}), "takes vectors along the last axis, got %v; give it an axis", x.Value().Aval().Full())
	}
	n := x.Dim(-1)
	rest := in[1:]
	return nd.WithJAXPromotion(func() weft.Array {
		if !d.Mean.IsZero() {
			lastAxes(op, "vectors", x, rest[0])
			x, rest = x.Sub(rest[0]), rest[1:]
		}
		constant := 0.5 * float64(n) * math.Log(2*math.Pi)
		if d.Cov.IsZero() {
			return weft.Square(x).Sum(-1).Mul(-0.5).Sub(constant)
		}
		cov := rest[0]
		if cov.Rank() < 2 || cov.Dim(-1) != n || cov.Dim(-2) != n {
			core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{x.Value(), cov.Value()}),
				"the covariance of vectors of length %d must be %d×%d (got %v); pass the matrix, not its diagonal", n, n, n, cov.Value().Aval().Full())
		}
		l := lax.Cholesky(cov)
		batch := nd.BroadcastShapes(op, x.Index("..., 0").Value().Aval(), l.Index("..., 0, 0").Value().Aval()).Ints()
		x = x.BroadcastTo(append(append([]int{}, batch...), n)...)
		l = l.BroadcastTo(append(append([]int{}, batch...), n, n)...)
		y := lax.TriangularSolve(l, x, lax.TriangularConfig{LeftSide: true, Lower: true})
		return weft.Square(y).Sum(-1).Mul(-0.5).Sub(constant).Sub(weft.Log(weft.Diagonal(l)).Sum(-1))
	})
}

// PDF returns the density at the vectors x.
func (d MultivariateNormal) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// Dirichlet is the distribution of positive vectors, along the last axis, whose sum is 1, with the
// parameters Alpha along the last axis.
type Dirichlet struct{ Alpha weft.Array }

// LogPDF returns the logarithm of the density at the vectors x. It is −∞ where x has a negative
// element, or a sum that differs from 1 by 1e-6 or more.
func (d Dirichlet) LogPDF(x weft.Array) weft.Array {
	const op = "Dirichlet.LogPDF"
	in := vectors(op, x, d.Alpha)
	x, alpha := in[0], in[1]
	lastAxes(op, "vectors", x, alpha)
	return nd.WithJAXPromotion(func() weft.Array {
		alpha = positive(alpha)
		inside := x.Ge(0).All(-1, weft.Keep).And(weft.Abs(x.Sum(-1, weft.Keep).Sub(1)).Lt(1e-6))
		safe := weft.Where(inside, x, 1/float64(x.Dim(-1)))
		y := simplexLog(safe, alpha, alpha.Sum(-1), 1)
		nan := weft.IsNaN(x).Any(-1).Or(weft.IsNaN(y))
		return weft.Where(inside.Squeeze(-1), y, weft.Where(nan, math.NaN(), -inf))
	})
}

// PDF returns the density at the vectors x.
func (d Dirichlet) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }

// Multinomial is the distribution of the numbers of times that each outcome occurs in N trials,
// along the last axis. P has the probabilities of the outcomes along its last axis.
type Multinomial struct{ N, P weft.Array }

// LogPMF returns the logarithm of the probability of the counts x. It is −∞ where x is negative
// or not whole, or its sum is not N.
func (d Multinomial) LogPMF(x weft.Array) weft.Array {
	const op = "Multinomial.LogPMF"
	in := vectors(op, x, d.N, d.P)
	x, n, p := in[0], in[1], in[2]
	lastAxes(op, "outcomes", x, p)
	return nd.WithJAXPromotion(func() weft.Array {
		inside := x.Ge(0).And(x.Eq(weft.Floor(x))).All(-1).And(x.Sum(-1).Eq(n))
		safe := weft.Where(inside.ExpandDims(-1), x, 0.)
		y := simplexLog(probability(p), safe, n, 0)
		nan := weft.IsNaN(x).Any(-1).Or(weft.IsNaN(y))
		return weft.Where(inside, y, weft.Where(nan, math.NaN(), -inf))
	})
}

// PMF returns the probability of the counts x.
func (d Multinomial) PMF(x weft.Array) weft.Array { return weft.Exp(d.LogPMF(x)) }

// GaussianKDE is the density that is estimated from observations: the mean of normal densities
// around them. Data has a variable in each row and an observation in each column, or is one
// variable; Weights are those of the observations, equal ones if it is the zero Array. The
// covariance of each density is that of the data times Bandwidth². A Bandwidth of 0 is Scott's,
// m^(−1/(d+4)), where m is the effective number of observations and d the number of variables.
type GaussianKDE struct {
	Data, Weights weft.Array
	Bandwidth     float64
}

// LogPDF returns the logarithm of the density at the points x, which are columns as those of
// Data, or numbers if there is one variable.
func (d GaussianKDE) LogPDF(x weft.Array) weft.Array {
	const op = "GaussianKDE.LogPDF"
	in := []weft.Array{x, d.Data}
	if !d.Weights.IsZero() {
		in = append(in, d.Weights)
	}
	in = vectors(op, in...)
	x, data := in[0], in[1]
	if data.Rank() < 1 || data.Rank() > 2 {
		core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{data.Value()}), "the data must be a vector, or a matrix with variables as rows (got %v); reshape it", data.Value().Aval().Full())
	}
	if data.Rank() == 1 {
		data = data.ExpandDims(0)
	}
	vars, n := data.Dim(0), data.Dim(1)
	shape := x.Shape()
	if vars == 1 && (x.Rank() == 0 || x.Rank() == 1) {
		x = x.Reshape(1, -1)
	} else if x.Rank() == 1 && x.Dim(0) == vars {
		x, shape = x.Reshape(vars, 1), nil
	} else if x.Rank() == 2 {
		shape = shape[1:]
	}
	if x.Rank() != 2 || x.Dim(0) != vars || n < 2 {
		core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{x.Value(), data.Value()}), "the points %v do not fit the data %v; pass as many rows as variables, and two observations or more", x.Value().Aval().Full(), data.Value().Aval().Full())
	}
	return nd.WithJAXPromotion(func() weft.Array {
		w := weft.ZerosOf(data.DType(), n).Add(1 / float64(n))
		if len(in) == 3 {
			if in[2].Rank() != 1 || in[2].Dim(0) != n {
				core.FailOp(core.ErrShape, op, core.AvalsOf([]core.Value{in[2].Value(), data.Value()}), "%v and the data %v must have as many weights as observations; pass %d weights", in[2].Value().Aval().Full(), data.Value().Aval().Full(), n)
			}
			w = in[2].Div(in[2].Sum())
		}
		effective := weft.Reciprocal(weft.Square(w).Sum())
		factor := weft.FullLike(effective, d.Bandwidth)
		if d.Bandwidth == 0 {
			factor = weft.Pow(effective, -1/float64(vars+4))
		}
		centered := data.Sub(data.Mul(w).Sum(1, weft.Keep))
		cov := centered.Mul(w).MatMul(centered.T()).Div(weft.Sub(1, weft.Square(w).Sum())).Mul(weft.Square(factor))
		l := lax.Cholesky(cov)
		solve := lax.TriangularConfig{LeftSide: true, Lower: true}
		a, b := lax.TriangularSolve(l, data, solve), lax.TriangularSolve(l, x, solve)
		energy := weft.Square(a.ExpandDims(1).Sub(b.ExpandDims(2))).Sum(0).Mul(0.5) // points × observations
		y := special.LogSumExp(weft.Log(w).Sub(energy), 1)
		y = y.Sub(0.5 * float64(vars) * math.Log(2*math.Pi)).Sub(weft.Log(weft.Diagonal(l)).Sum())
		return y.Reshape(shape...)
	})
}

// PDF returns the density at the points x.
func (d GaussianKDE) PDF(x weft.Array) weft.Array { return weft.Exp(d.LogPDF(x)) }
