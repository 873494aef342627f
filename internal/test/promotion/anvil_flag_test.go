package promotion_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/promote"
	"github.com/weft-go/weft/special"
	"github.com/weft-go/weft/stats"
)

// Under anvil's system, reductions and unary operations keep the flag of an ambiguous operand.
// Indices and tests never have it.
func TestAnvilFlag(t *testing.T) {
	type a = weft.Array
	axes := func(f func(a, ...int) a) func(a) a { return func(x a) a { return f(x) } }
	along := func(f func(a, ...int) a) func(a) a { return func(x a) a { return f(x, 0, weft.Keep) } }
	reduce := func(c weft.ReduceConfig) func(a) a { return func(x a) a { return weft.Reduce(x, c) } }
	keep := map[string]func(a) a{
		"Any": axes(a.Any), "All": axes(a.All), "CumSum": axes(a.CumSum), "CumProd": axes(a.CumProd), "CumMax": axes(a.CumMax), "Sort": axes(a.Sort),
		"Median": axes(weft.Median), "CentralDiff": axes(weft.CentralDiff), "Diff": axes(weft.Diff), "Norm": axes(weft.Norm), "LogSumExp": axes(special.LogSumExp),
		"Quantile": func(x a) a { return weft.Quantile(x, 0.5, weft.QuantileConfig{}) },
		"Sin":      weft.Sin, "Exp": weft.Exp, "Log2": weft.Log2, "Log10": weft.Log10, "Abs": weft.Abs, "Neg": a.Neg, "Angle": weft.Angle, "NaNToNum": weft.NaNToNum, "Sinc": weft.Sinc, "Round": func(x a) a { return weft.Round(x, 1) },
		"Diag": func(x a) a { return weft.Diag(x) }, "Diagonal": func(x a) a { return weft.Diagonal(weft.Diag(x)) },
		"Reshape": func(x a) a { return x.Reshape(3, 1) }, "Flip": func(x a) a { return weft.Flip(x) }, "Square": weft.Square, "Sqrt": weft.Sqrt, "Relu": nn.Relu,
		"Softmax": axes(nn.Softmax), "Gelu": nn.Gelu, "Cov": stats.Cov, "Ldexp": func(x a) a { return weft.Ldexp(x, 2) }, "Average": func(x a) a { return weft.Average(x, x) },
		"Hypot": func(x a) a { return weft.Hypot(x, x) }, "Copysign": func(x a) a { return weft.Copysign(x, x) }, "Heaviside": func(x a) a { return weft.Heaviside(x, x) },
	}
	for name, op := range map[string]func(a, ...int) a{"Sum": a.Sum, "Prod": a.Prod, "Max": a.Max, "Min": a.Min, "Mean": a.Mean, "Var": a.Var, "Std": a.Std} {
		keep[name], keep[name+" along an axis"] = axes(op), along(op)
	}
	for name, op := range map[string]weft.ReduceOp{"Sum": weft.ReduceSum, "Prod": weft.ReduceProd, "Max": weft.ReduceMax, "Mean": weft.ReduceMean, "Var": weft.ReduceVar, "Std": weft.ReduceStd} {
		keep["Reduce "+name] = reduce(weft.ReduceConfig{Op: op})
		keep["Reduce "+name+" where"] = reduce(weft.ReduceConfig{Op: op, Where: weft.Of(true, true, false), Initial: initialOf(op)})
		keep["Reduce "+name+" without NaN"] = reduce(weft.ReduceConfig{Op: op, SkipNaN: true})
	}
	never := map[string]func(a) a{"ArgMax": axes(a.ArgMax), "ArgSort": axes(a.ArgSort), "IsFinite": weft.IsFinite, "AsType": func(x a) a { return x.AsType(x.DType()) },
		"Reduce in a type": reduce(weft.ReduceConfig{DType: weft.Float32})}
	weft.With(weft.Promotion(promote.Anvil), func() {
		ints := weft.Of(true, false, true).Add(1)
		for _, x := range []a{ints, weft.Of(true, false, true).Add(1.)} {
			for name, f := range keep {
				for kind, f := range map[string]func(a) a{"": f, " under Jit": weft.Jit(f)} {
					if y := f(x); !y.Weak() {
						t.Errorf("%s%s of %s: got %s, want an ambiguous type", name, kind, arraycheck.TypeText(x), arraycheck.TypeText(y))
					}
					if y := f(x.AsType(x.DType())); y.Weak() {
						t.Errorf("%s%s of a known type: got %s, want a known type", name, kind, arraycheck.TypeText(y))
					}
				}
			}
			for name, f := range never {
				if y := f(x); y.Weak() {
					t.Errorf("%s of %s: got %s, want a known type", name, arraycheck.TypeText(x), arraycheck.TypeText(y))
				}
			}
		}
	})
}

// initialOf returns an Initial for reductions that need one.
func initialOf(op weft.ReduceOp) any {
	if op == weft.ReduceMax {
		return 1
	}
	return nil
}
