package hostcall

import (
	"cmp"
	"strings"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/internal/rule"
	"github.com/weft-go/weft/jaxpr"
)

// PureCallbackP calls a Go function that has no effects: it may be called more often than the
// program says, or not at all.
type PureCallbackP struct {
	Fn      *HostFunc
	Results Avals
	// Vmap selects how a batch is made: "" and sequential call the function for each example in
	// order; sequential_unrolled does so with an equation for each; expand_dims and broadcast_all
	// call it once, with a leading axis on every operand. Where an operand is not mapped, that axis
	// has size 1 for expand_dims and the size of the batch for broadcast_all.
	Vmap string
}

// PureCallback calls a Go function without effects.
func PureCallback(fn *HostFunc, results []core.ShapedArray, vmap string, in ...core.Value) []core.Value {
	return core.Bind(PureCallbackP{fn, MakeAvals(results...), vmap}, in...)
}

func (PureCallbackP) Name() string { return "pure_callback" }

func (PureCallbackP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("sharding", "None")
	p := PureCallbackP{Fn: readHostFunc(r), Results: readAvals(r)}
	if !r.IsNone("vmap_method") {
		p.Vmap = r.Text("vmap_method")
	}
	return p
}

// Host returns the function that is called.
func (p PureCallbackP) Host() *HostFunc { return p.Fn }

func (p PureCallbackP) Params() []core.Param {
	return []core.Param{
		rule.Param("callback", p.Fn),
		rule.Param("result_avals", p.Results),
		rule.Param("sharding", "None"),
		rule.Param("vmap_method", cmp.Or(p.Vmap, "None")),
	}
}

func (p PureCallbackP) Abstract([]core.ShapedArray) []core.ShapedArray {
	switch p.Vmap {
	case "", "sequential", "sequential_unrolled", "expand_dims", "broadcast_all":
	default:
		core.Failf(core.ErrStatic, "%q is no way to call a function on a batch; there are sequential, sequential_unrolled, expand_dims and broadcast_all", p.Vmap)
	}
	return p.Results.List()
}

func (p PureCallbackP) NoJVP() string {
	return "the derivative of the Go function " + p.Fn.String() + " is not known; wrap the call in a custom.JVP or custom.VJP"
}

// Batch calls the function for each example, or once for all, as Vmap selects.
func (p PureCallbackP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	switch p.Vmap {
	case "sequential_unrolled":
		return p.unrolled(n, in, mapped)
	case "expand_dims", "broadcast_all":
		args := make([]core.Value, len(in))
		for i, v := range in {
			if !mapped[i] && p.Vmap == "expand_dims" {
				args[i] = prim.ExpandDims(v, core.MakeDims(0))
			} else {
				args[i] = prim.AtFront(n, v, mapped[i])
			}
		}
		p.Results = p.Results.withBatchAxis(n)
		return rule.Bound(p, args...)
	}
	return perExample(p, n, in, mapped)
}

func (p PureCallbackP) unrolled(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	results := p.Results.withBatchAxis(n).List()
	cols := make([][]core.Value, len(results))
	for i := range n {
		args := make([]core.Value, len(in))
		for k, v := range in {
			if args[k] = v; mapped[k] {
				args[k] = prim.Squeeze(prim.SliceAxis(v, 0, i, i+1, 1), core.MakeDims(0))
			}
		}
		for k, v := range core.Bind(p, args...) {
			cols[k] = append(cols[k], v)
		}
	}
	out := make([]core.Value, len(results))
	for k, col := range cols {
		if n == 0 {
			out[k] = prim.Zeros(results[k])
			continue
		}
		for i, v := range col {
			col[i] = prim.ExpandDims(v, core.MakeDims(0))
		}
		out[k] = prim.Concatenate(0, col...)
	}
	return out, rule.AllTrue(len(out))
}

// IOCallbackP calls a Go function for its effects, exactly once each time the program reaches it.
// Ordered calls happen in the order of the program, among all ordered operations.
type IOCallbackP struct {
	Fn      *HostFunc
	Results Avals
	Ordered bool
}

// IOCallback calls a Go function for its effects.
func IOCallback(fn *HostFunc, results []core.ShapedArray, ordered bool, in ...core.Value) []core.Value {
	return core.Bind(IOCallbackP{fn, MakeAvals(results...), ordered}, in...)
}

func (IOCallbackP) Name() string { return "io_callback" }

func (IOCallbackP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("sharding", "None")
	return IOCallbackP{readHostFunc(r), readAvals(r), r.Bool("ordered")}
}

// Host returns the function that is called.
func (p IOCallbackP) Host() *HostFunc { return p.Fn }

func (p IOCallbackP) Params() []core.Param {
	return []core.Param{
		rule.Param("callback", p.Fn),
		rule.Param("ordered", rule.PyBool(p.Ordered)),
		rule.Param("result_avals", p.Results),
		rule.Param("sharding", "None"),
	}
}

func (p IOCallbackP) Abstract([]core.ShapedArray) []core.ShapedArray { return p.Results.List() }

func (p IOCallbackP) Effects() core.Effect {
	if p.Ordered {
		return core.EffectOrderedIO
	}
	return core.EffectIO
}

func (p IOCallbackP) NoJVP() string {
	return "the derivative of the Go function " + p.Fn.String() + " is not known; stop the gradient of its operands, or wrap the call in a custom.JVP or custom.VJP"
}

// Batch calls the function for each example in order.
func (p IOCallbackP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return perExample(p, n, in, mapped)
}

// DebugCallbackP calls a Go function that looks at values and changes nothing.
type DebugCallbackP struct {
	Fn      *HostFunc
	Ordered bool
}

// DebugCallback calls a Go function that looks at values.
func DebugCallback(fn *HostFunc, ordered bool, in ...core.Value) {
	core.Bind(DebugCallbackP{fn, ordered}, in...)
}

func (DebugCallbackP) Name() string { return "debug_callback" }

func (DebugCallbackP) read(r *jaxpr.ParamReader) core.Primitive {
	r.MustBe("partitioned", "False")
	r.MustBe("effect", "Debug", "OrderedDebug")
	return DebugCallbackP{readHostFunc(r), r.Text("effect") == "OrderedDebug"}
}

// Host returns the function that is called.
func (p DebugCallbackP) Host() *HostFunc { return p.Fn }

func (p DebugCallbackP) Params() []core.Param {
	effect := "Debug"
	if p.Ordered {
		effect = "OrderedDebug"
	}
	return []core.Param{rule.Param("callback", p.Fn), rule.Param("effect", effect), rule.Param("partitioned", "False")}
}

func (DebugCallbackP) Abstract([]core.ShapedArray) []core.ShapedArray { return nil }

func (p DebugCallbackP) Effects() core.Effect { return debugEffect(p.Ordered) }

func debugEffect(ordered bool) core.Effect {
	if ordered {
		return core.EffectDebug | core.EffectOrderedIO
	}
	return core.EffectDebug
}

// ZeroJVP applies since there are no results. The function receives the primal of a dual number.
func (DebugCallbackP) ZeroJVP() {}

// Batch calls the function for each example in order.
func (p DebugCallbackP) Batch(n int, in []core.Value, mapped []bool) ([]core.Value, []bool) {
	return perExample(p, n, in, mapped)
}

func readHostFunc(r *jaxpr.ParamReader) *HostFunc {
	return AbsentFunc(r.Text("callback"))
}

// readAvals reads (ShapedArray(float32[3]), ShapedArray(int32[], weak_type=True)).
func readAvals(r *jaxpr.ParamReader) Avals {
	s := r.Text("result_avals")
	var list []core.ShapedArray
	for _, part := range strings.Split(s, "ShapedArray(")[1:] {
		part, _, _ = strings.Cut(part, ")")
		name, dims, ok := strings.Cut(part, "[")
		dt, known := core.ParseDType(name)
		dims, weak, closed := strings.Cut(dims, "]")
		shape := rule.IntLists("(" + dims + ")")
		if !ok || !known || !closed || len(shape) != 1 {
			core.FailOp(core.ErrParse, "", nil, "parameter result_avals must be a tuple of ShapedArrays (got %q); write result_avals=(ShapedArray(float32[3]),)", s)
		}
		list = append(list, core.ShapedArray{Shape: shape[0], DType: dt, Weak: strings.Contains(weak, "weak_type=True")})
	}
	return MakeAvals(list...)
}
