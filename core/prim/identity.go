package prim

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// CopyP is x in memory of its own.
type CopyP struct{ unary[anything] }

// Copy returns a copy of x.
func Copy(x Value) Value { return core.Apply1(CopyP{}, x) }

func (CopyP) Name() string { return "copy" }

func (CopyP) JVP(in, out, t []Value) []Value { return rule.One(Copy(t[0])) }

func (CopyP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	return rule.One(Copy(ct[0]))
}

// StopGradientP is x, constant for differentiation.
type StopGradientP struct {
	unary[anything]
	constant
	// Masks marks x as belonging to elements of a batch that take another branch: no cotangent
	// passes. Texts do not show it.
	Masks bool
}

// StopGradient returns x without its derivative.
func StopGradient(x Value) Value { return core.Apply1(StopGradientP{}, x) }

func (StopGradientP) Name() string { return "stop_gradient" }

func (StopGradientP) read(*jaxpr.ParamReader) core.Primitive { return StopGradientP{} }

// Transpose returns the cotangent, unless p masks: as a linear function p is the identity. Only a
// transposition that the user requests reaches it: tangents do not pass it.
func (p StopGradientP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	if p.Masks {
		return rule.One(nil)
	}
	return rule.One(ct[0])
}

// NameP is x under a name by which policies of rematerialization select it.
type NameP struct {
	unary[anything]
	Label string
}

// Named returns x under a name.
func Named(x Value, name string) Value { return core.Apply1(NameP{Label: name}, x) }

func (NameP) Name() string { return "name" }

func (NameP) read(r *jaxpr.ParamReader) core.Primitive { return NameP{Label: r.Text("name")} }

func (p NameP) Params() []core.Param { return []core.Param{rule.Param("name", p.Label)} }

func (NameP) JVP(in, out, t []Value) []Value { return rule.One(t[0]) }

// OptimizationBarrierP is the identity of all operands at once: an executor computes
// all of them before it uses any result, and moves nothing across.
type OptimizationBarrierP struct{}

// OptimizationBarrier keeps optimizations from crossing it.
func OptimizationBarrier(xs ...Value) []Value { return core.Bind(OptimizationBarrierP{}, xs...) }

func (OptimizationBarrierP) Name() string { return "optimization_barrier" }

func (OptimizationBarrierP) Abstract(in []ShapedArray) []ShapedArray {
	for _, a := range in {
		want[anything](a)
	}
	return append([]ShapedArray(nil), in...)
}

// JVP puts a barrier around the nonzero tangents.
func (OptimizationBarrierP) JVP(in, out, t []Value) []Value { return barrierOf(t) }

// Transpose puts a barrier around the nonzero cotangents.
func (OptimizationBarrierP) Transpose(ct, in []Value, lin []bool, av []ShapedArray) []Value {
	r := barrierOf(ct)
	for i := range r {
		if !lin[i] {
			r[i] = nil
		}
	}
	return r
}

func barrierOf(vs []Value) []Value {
	var some []Value
	for _, v := range vs {
		if v != nil {
			some = append(some, v)
		}
	}
	some = OptimizationBarrier(some...)
	out := make([]Value, len(vs))
	for i, v := range vs {
		if v != nil {
			out[i], some = some[0], some[1:]
		}
	}
	return out
}

func (p OptimizationBarrierP) Batch(n int, in []Value, mapped []bool) ([]Value, []bool) {
	return core.Bind(p, in...), append([]bool(nil), mapped...)
}
