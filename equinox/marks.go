package equinox

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// unvmapP reduces its operand over all axes, batch axes included: its result belongs to no
// batch.
type unvmapP struct{ how string } // any, all, max

func (p unvmapP) Name() string { return "unvmap_" + p.how }

func (p unvmapP) Abstract(in []aval) []aval {
	operands(in, 1)
	if p.how != "max" && !in[0].DType.IsBool() {
		core.Failf(core.ErrDType, "takes truth values, got %v; compare the operand with something", in[0])
	}
	return []aval{core.Aval(in[0].DType)}
}

func (p unvmapP) Expand(in []value) []value {
	axes := core.Range(0, in[0].Aval().Rank())
	switch p.how {
	case "any":
		return []value{prim.ReduceOr(in[0], axes)}
	case "all":
		return []value{prim.ReduceAnd(in[0], axes)}
	}
	return []value{prim.ReduceMax(in[0], axes)}
}

func (p unvmapP) Batch(_ int, in []value, _ []bool) ([]value, []bool) {
	return core.Bind(p, in[0]), []bool{false}
}

func (unvmapP) NoJVP() string {
	return "Equinox defines no derivative of it; stop the gradient of its operand"
}

// identity is embedded in the primitives that return their operand.
type identity struct{}

func (identity) Abstract(in []aval) []aval {
	operands(in, 1)
	return []aval{in[0]}
}

// nonbatchableP returns its operand and refuses to be batched. If constant is set, it returns the first
// example of a batch instead: all must be equal, which is not verified.
type nonbatchableP struct {
	identity
	msg      string
	constant bool
}

func readNonbatchable(r *jaxpr.ParamReader) core.Primitive {
	return nonbatchableP{msg: r.Text("msg"), constant: r.Bool("allow_constant_across_batch")}
}

func (nonbatchableP) Name() string { return "nonbatchable" }

func (p nonbatchableP) Params() []core.Param {
	return []core.Param{param("allow_constant_across_batch", pyBool(p.constant)), param("msg", p.msg)}
}

func (nonbatchableP) Expand(in []value) []value { return in }

func (p nonbatchableP) Batch(n int, in []value, mapped []bool) ([]value, []bool) {
	if !p.constant || n == 0 {
		core.FailOp(core.ErrAxis, "nonbatchable", core.AvalsOf(in), "%s", p.msg)
	}
	a := in[0].Aval()
	sizes := a.Shape.Ints()
	sizes[0] = 1
	first := prim.Slice(in[0], core.MakeDims(make([]int, len(sizes))...), core.MakeDims(sizes...), core.Dims{})
	return []value{prim.Squeeze(first, core.MakeDims(0))}, []bool{false}
}

func (nonbatchableP) NoJVP() string {
	return "Equinox defines no derivative of it; stop the gradient of its operand"
}

// nontraceableP returns its operand and refuses every transformation.
type nontraceableP struct {
	identity
	name string
}

func readNontraceable(r *jaxpr.ParamReader) core.Primitive {
	return nontraceableP{name: r.Text("name")}
}

func (nontraceableP) Name() string { return "nontraceable" }

func (p nontraceableP) Params() []core.Param { return []core.Param{param("name", p.name)} }

func (nontraceableP) Expand(in []value) []value { return in }

func (p nontraceableP) Batch(_ int, in []value, _ []bool) ([]value, []bool) {
	core.FailOp(core.ErrAxis, "nontraceable", core.AvalsOf(in), "detected batching of %s", p.name)
	return nil, nil
}

func (p nontraceableP) NoJVP() string { return "detected differentiation of " + p.name }

// noReverseP returns its operand and its tangent, and refuses reverse derivatives. If symbolic
// is false, Equinox refuses only cotangents that are not zero; here they all pass.
type noReverseP struct {
	identity
	msg      string
	symbolic bool
}

func readNoReverse(r *jaxpr.ParamReader) core.Primitive {
	return noReverseP{msg: r.Text("msg"), symbolic: r.Bool("symbolic")}
}

func (noReverseP) Name() string { return "nondifferentiable_backward" }

func (p noReverseP) Params() []core.Param {
	return []core.Param{param("msg", p.msg), param("symbolic", pyBool(p.symbolic))}
}

func (noReverseP) Expand(in []value) []value { return in }

func (p noReverseP) JVP(_, _, t []value) []value { return core.Bind(p, t[0]) }

func (p noReverseP) Transpose(ct, _ []value, _ []bool, av []aval) []value {
	if p.symbolic {
		core.FailOp(core.ErrNoRule, "nondifferentiable_backward", av, "%s", p.msg)
	}
	return []value{ct[0]}
}

func (p noReverseP) Batch(_ int, in []value, mapped []bool) ([]value, []bool) {
	return core.Bind(p, in[0]), mapped
}
