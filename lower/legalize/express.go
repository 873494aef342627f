package legalize

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

type programKey struct{}

// Program returns a lowered program with operations replaced. It is memoized in j.
func Program(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	return j.Memo(programKey{}, func() any {
		out := lower.Replace(j, expansionOf)
		if out != j {
			out.Memo(programKey{}, func() any { return out })
		}
		return out
	}).(*jaxpr.Jaxpr)
}

// expansionOf returns what an equation consists of, nil if it stays.
func expansionOf(e *jaxpr.Eqn) lower.Expansion {
	if core.EffectsOf(e.Prim) != 0 || core.NamesAxes(e.Prim) {
		return nil
	}
	if f := ofEmpty(e); f != nil {
		return f
	}
	switch p := e.Prim.(type) {
	case prim.BitcastConvertTypeP:
		return bits(p, e.Ins[0].Aval())
	case prim.ReduceWindowSumP, prim.ReduceWindowMaxP, prim.ReduceWindowMinP:
		return window(e)
	case prim.ReduceP:
		if isElementwise(p.Program) {
			return p.Expand
		}
	case prim.ReduceWindowP:
		if isElementwise(p.Program) {
			return windowOfProgram(p, e.Ins)
		}
	case prim.SelectAndGatherAddP:
		return gatherChosen(p, e.Ins[0].Aval())
	case prim.SelectAndScatterAddP:
		return scatterChosen(p, e.Ins[0].Aval(), e.Ins[1].Aval())
	case prim.DotGeneralP:
		if out := e.Outs[0].Type; out.DType.IsComplex() && out.Size() > 0 {
			return complexDot(p, out)
		}
	case prim.ConvP:
		if out := e.Outs[0].Type; out.DType.IsComplex() && out.Size() > 0 {
			return complexConv(p, out)
		}
	case prim.IgammaP, prim.IgammacP, prim.IgammaGradAP, prim.RandomGammaGradP, prim.RegularizedIncompleteBetaP, prim.ZetaP:
		return inDoubles(e)
	case prim.ScatterApplyP:
		return scatterOfProgram(p.Scattering, p.F, e.Ins[0].Aval(), e.Ins[2].Aval(), 1)
	case prim.ScatterWithP:
		k := len(e.Outs)
		return scatterOfProgram(p.Scattering, p.Program, e.Ins[0].Aval(), e.Ins[k+1].Aval(), k)
	case prim.SortByP:
		return sortByProgram(p, e.Ins[0].Aval())
	case prim.ConvertElementTypeP:
		if out := e.Outs[0].Type; e.Ins[0].Aval().DType == core.Float0 && out.DType != core.Float0 {
			return func([]core.Value) []core.Value { return []core.Value{filled(number(0, out.DType), out.Shape)} }
		}
	}
	if len(e.Ins) > 0 && e.Ins[0].Aval().DType.IsComplex() && hasSome(e) {
		return ofComplex(e)
	}
	return nil
}

// ofComplex returns what a fold of complex numbers consists of, nil if kernels have it.
func ofComplex(e *jaxpr.Eqn) lower.Expansion {
	x := e.Ins[0].Aval()
	switch p := e.Prim.(type) {
	case prim.CumsumP:
		return ofParts(p)
	case prim.CumprodP:
		return complexProducts(p.Axis, p.Reverse)
	case prim.CummaxP:
		return complexRunning(p.Axis, p.Reverse, prim.MaxP{}, -1)
	case prim.CumminP:
		return complexRunning(p.Axis, p.Reverse, prim.MinP{}, 1)
	case prim.ReduceMaxP:
		return complexExtreme(p.Axes, prim.MaxP{}, -1)
	case prim.ReduceMinP:
		return complexExtreme(p.Axes, prim.MinP{}, 1)
	case prim.ArgmaxP:
		return complexArg(p.Axes, p.Index, x, true)
	case prim.ArgminP:
		return complexArg(p.Axes, p.Index, x, false)
	}
	return nil
}

// ofParts applies an operation to the real and to the imaginary part of complex numbers.
func ofParts(p core.Primitive) lower.Expansion {
	return func(in []core.Value) []core.Value {
		return []core.Value{prim.Complex(core.Apply1(p, prim.Real(in[0])), core.Apply1(p, prim.Imag(in[0])))}
	}
}

// number returns a number of a type.
func number(k int, dt core.DType) core.Value { return core.Lit(core.IntNumber(int64(k)), dt) }

// filled returns an array of one number.
func filled(x core.Value, shape core.Dims) core.Value {
	return prim.BroadcastInDim(x, shape, core.Dims{})
}
