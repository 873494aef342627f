package stats

import (
	"math"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/stirling"
	"github.com/weft-go/weft/special"
)

// simplexLog returns log Γ(total + 1 − s) + Σ ((a − s)·log x − log Γ(a + 1 − s)) over the last
// axis, where total is Σ a: the logarithm of a Dirichlet density for s = 1, of a multinomial
// probability for s = 0. Its terms cancel where elements of a are large. For these it uses
// Stirling's formula, and log(x/m) in place of log x, with the mean m = a/total.
func simplexLog(x, a, total weft.Array, s float64) weft.Array {
	large := a.Ge(stirling.Min)
	// Operands of the form that is not chosen are replaced, so that their derivatives are finite.
	xs, as := weft.Where(large, 1., x), weft.Where(large, 1., a)
	small := special.Xlogy(as.Sub(s), xs).Sub(special.Gammaln(as.Add(1 - s)))
	xl, al := weft.Where(large, x, 1.), weft.Where(large, a, stirling.Min)
	big := total.Ge(stirling.Min)
	t := weft.Where(big, total, stirling.Min)
	one := t.ExpandDims(-1)
	excess := xl.Mul(one).Sub(al).Div(al)
	near := weft.Abs(excess).Lt(0.5)
	far := weft.Log(weft.Where(near, 1., xl)).Add(weft.Log(one.Div(al)))
	ratio := weft.Where(near, weft.Log1p(weft.Where(near, excess, 0.)), far)
	const half = 0.5
	constant := half * math.Log(2*math.Pi)
	term := al.Sub(s).Mul(ratio).Sub(weft.Log(al).Mul(half).Add(constant)).Sub(stirling.Tail(al))
	sum := weft.Where(large, term, small).Sum(-1)
	// log Γ(total + 1 − s) less the parts of it that the large elements cancel.
	rest := weft.Where(large, 0., a).Sum(-1)
	count := weft.Where(large, s, 0.).Sum(-1)
	whole := rest.Add(count).Add(half - s).Mul(weft.Log(t)).Sub(rest).Add(constant).Add(stirling.Tail(t))
	return sum.Add(weft.Where(big, whole, special.Gammaln(weft.Where(big, 1., total.Add(1-s)))))
}
