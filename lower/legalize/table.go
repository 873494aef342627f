package legalize

import (
	"reflect"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

// A rule returns the expansion of an equation, nil if it stays.
type rule func(e *jaxpr.Eqn) lower.Expansion

type row struct {
	of   reflect.Type
	rule rule
}

func on[P core.Primitive](f func(p P, e *jaxpr.Eqn) lower.Expansion) row {
	return row{reflect.TypeFor[P](), func(e *jaxpr.Eqn) lower.Expansion { return f(e.Prim.(P), e) }}
}

// devices lists the rules of operations that devices have no kernels for.
var devices = table(
	// Changes of type.
	on(func(p prim.BitcastConvertTypeP, e *jaxpr.Eqn) lower.Expansion { return bits(p, operand(e, 0)) }),
	on(func(p prim.ConvertElementTypeP, e *jaxpr.Eqn) lower.Expansion { return ofNoBytes(e) }),

	// Reductions, windows, sorts and scatters, by operations or by programs.
	on(func(p prim.ReduceP, e *jaxpr.Eqn) lower.Expansion { return ifElementwise(p.Program, p.Expand) }),
	on(func(p windows.ReduceWindowP, e *jaxpr.Eqn) lower.Expansion {
		return ifElementwise(p.Program, windowOfProgram(p, e.Ins))
	}),
	on(func(_ windows.ReduceWindowSumP, e *jaxpr.Eqn) lower.Expansion { return window(e) }),
	on(func(_ windows.ReduceWindowMaxP, e *jaxpr.Eqn) lower.Expansion { return window(e) }),
	on(func(_ windows.ReduceWindowMinP, e *jaxpr.Eqn) lower.Expansion { return window(e) }),
	on(func(p windows.SelectAndGatherAddP, e *jaxpr.Eqn) lower.Expansion {
		return gatherChosen(p, operand(e, 0))
	}),
	on(func(p windows.SelectAndScatterAddP, e *jaxpr.Eqn) lower.Expansion {
		return scatterChosen(p, operand(e, 0), operand(e, 1))
	}),
	on(func(p indexed.SortByP, e *jaxpr.Eqn) lower.Expansion { return sortByProgram(p, operand(e, 0)) }),
	on(func(p indexed.ScatterApplyP, e *jaxpr.Eqn) lower.Expansion {
		return scatterOfProgram(p.Scattering, p.F, operand(e, 0), operand(e, 2), 1)
	}),
	on(func(p indexed.ScatterWithP, e *jaxpr.Eqn) lower.Expansion {
		k := len(e.Outs)
		return scatterOfProgram(p.Scattering, p.Program, operand(e, 0), operand(e, k+1), k)
	}),

	// Products and folds of complex numbers.
	on(func(p prim.DotGeneralP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, e.Outs[0].Type, complexDot(p, e.Outs[0].Type))
	}),
	on(func(p windows.ConvP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, e.Outs[0].Type, complexConv(p, e.Outs[0].Type))
	}),
	on(func(p prim.CumsumP, e *jaxpr.Eqn) lower.Expansion { return ifComplex(e, operand(e, 0), ofParts(p)) }),
	on(func(p prim.CumprodP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, operand(e, 0), complexProducts(p.Axis, p.Reverse))
	}),
	on(func(p prim.CummaxP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, operand(e, 0), complexRunning(p.Axis, p.Reverse, prim.MaxP{}, -1))
	}),
	on(func(p prim.CumminP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, operand(e, 0), complexRunning(p.Axis, p.Reverse, prim.MinP{}, 1))
	}),
	on(func(p prim.ReduceMaxP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, operand(e, 0), complexExtreme(p.Axes, prim.MaxP{}, -1))
	}),
	on(func(p prim.ReduceMinP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, operand(e, 0), complexExtreme(p.Axes, prim.MinP{}, 1))
	}),
	on(func(p prim.ArgmaxP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, operand(e, 0), complexArg(p.Axes, p.Index, operand(e, 0), true))
	}),
	on(func(p prim.ArgminP, e *jaxpr.Eqn) lower.Expansion {
		return ifComplex(e, operand(e, 0), complexArg(p.Axes, p.Index, operand(e, 0), false))
	}),

	// Special functions, whose kernels are of f64.
	on(func(_ prim.IgammaP, e *jaxpr.Eqn) lower.Expansion { return inDoubles(e) }),
	on(func(_ prim.IgammacP, e *jaxpr.Eqn) lower.Expansion { return inDoubles(e) }),
	on(func(_ prim.IgammaGradAP, e *jaxpr.Eqn) lower.Expansion { return inDoubles(e) }),
	on(func(_ prim.RandomGammaGradP, e *jaxpr.Eqn) lower.Expansion { return inDoubles(e) }),
	on(func(_ prim.RegularizedIncompleteBetaP, e *jaxpr.Eqn) lower.Expansion { return inDoubles(e) }),
	on(func(_ prim.ZetaP, e *jaxpr.Eqn) lower.Expansion { return inDoubles(e) }),
)

func table(rows ...row) map[reflect.Type]rule {
	t := make(map[reflect.Type]rule, len(rows))
	for _, r := range rows {
		if t[r.of] != nil {
			panic("BUG: two rows of " + r.of.String())
		}
		t[r.of] = r.rule
	}
	return t
}

type programKey struct{}

// Program returns a lowered program in which operations that devices have no kernels for are replaced, as far as
// there are rules for them. It is memoized in j.
func Program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return j.Memo(programKey{}, func() any {
		out := lower.Replace(j, expansionOf)
		if out != j {
			out.Memo(programKey{}, func() any { return out })
		}
		return out
	}).(*jaxpr.Jaxpr)
}

type emptyKey struct{}

// WithoutEmpty returns a lowered program in which operations on empty arrays are replaced, as far as there are rules for
// them: a matrix product over an empty axis becomes zeros. It is memoized in j.
func WithoutEmpty(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return j.Memo(emptyKey{}, func() any {
		out := lower.Replace(j, func(e *jaxpr.Eqn) lower.Expansion {
			if core.EffectsOf(e.Prim) != 0 || core.NamesAxes(e.Prim) {
				return nil
			}
			return ofEmpty(e)
		})
		if out != j {
			out.Memo(emptyKey{}, func() any { return out })
		}
		return out
	}).(*jaxpr.Jaxpr)
}

// expansionOf returns the expansion of an equation, nil if it stays. Operations on empty arrays
// have rules of their own, since kernels need at least one element.
func expansionOf(e *jaxpr.Eqn) lower.Expansion {
	if core.EffectsOf(e.Prim) != 0 || core.NamesAxes(e.Prim) {
		return nil
	}
	if f := ofEmpty(e); f != nil {
		return f
	}
	if f := devices[reflect.TypeOf(e.Prim)]; f != nil {
		return f(e)
	}
	return nil
}

func operand(e *jaxpr.Eqn, i int) core.ShapedArray { return e.Ins[i].Aval() }

// ifComplex returns f if type a is complex and the equation computes elements, else nil.
func ifComplex(e *jaxpr.Eqn, a core.ShapedArray, f lower.Expansion) lower.Expansion {
	if !hasSome(e) || !a.DType.IsComplex() {
		return nil
	}
	return f
}

func ifElementwise(program *jaxpr.Jaxpr, f lower.Expansion) lower.Expansion {
	if !isElementwise(program) {
		return nil
	}
	return f
}

// ofNoBytes returns the conversion of elements without bytes, which are zeros.
func ofNoBytes(e *jaxpr.Eqn) lower.Expansion {
	out := e.Outs[0].Type
	if operand(e, 0).DType != core.Float0 || out.DType == core.Float0 {
		return nil
	}
	return func([]core.Value) []core.Value { return []core.Value{filled(number(0, out.DType), out.Shape)} }
}

// ofParts applies an operation to the real and to the imaginary part of complex numbers.
func ofParts(p core.Primitive) lower.Expansion {
	return func(in []core.Value) []core.Value {
		return []core.Value{prim.Complex(core.Apply1(p, prim.Real(in[0])), core.Apply1(p, prim.Imag(in[0])))}
	}
}

func number(k int, dt core.DType) core.Value { return core.Lit(core.IntNumber(int64(k)), dt) }

// filled returns an array of the given shape whose elements are all the scalar x.
//
//go:noinline // keeps programs small
func filled(x core.Value, shape core.Dims) core.Value {
	return prim.BroadcastInDim(x, shape, core.Dims{})
}
