package prim_test

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// exactRecord is a line of conv_dot.jsonl: small integers in every type, so that
// values and derivatives are exact in any order.
type exactRecord struct {
	ID       int
	Op       string
	Params   map[string]json.RawMessage
	In       []goldenArray
	Tangents []goldenArray
	DiffArgs []int `json:"diff_args"`
	JVP, CT  []goldenArray
	VJP      []goldenArray
}

func (b goldenArray) concrete(t *testing.T) *runtime.Array {
	t.Helper()
	dt, ok := core.ParseDType(b.DType)
	require.True(t, ok, b.DType)
	data, err := hex.DecodeString(b.Bits)
	require.NoError(t, err)
	x := runtime.New(core.Aval(dt, b.Shape...))
	require.Equal(t, len(data), copy(x.Tensor().Data, data))
	return x
}

func (r exactRecord) param(t *testing.T, name string, to any) {
	t.Helper()
	require.NoError(t, json.Unmarshal(r.Params[name], to), "%s of record %d", name, r.ID)
}

// dims returns a parameter that is a list of integers, or of lists of them, as one list.
func (r exactRecord) dims(t *testing.T, name string) core.Dims {
	t.Helper()
	var v any
	r.param(t, name, &v)
	return core.MakeDims(integersIn(v)...)
}

func integersIn(v any) (out []int) {
	switch v := v.(type) {
	case float64:
		return []int{int(v)}
	case []any:
		for _, x := range v {
			out = append(out, integersIn(x)...)
		}
	}
	return out
}

func (r exactRecord) text(t *testing.T, name string) (s string) {
	t.Helper()
	if len(r.Params[name]) > 0 && r.Params[name][0] == '"' {
		r.param(t, name, &s)
	}
	return s
}

// function returns the record as a function of its operands, nil if it is of another family.
func (r exactRecord) function(t *testing.T) func([]core.Value) []core.Value {
	t.Helper()
	cum := func() (c prim.Cumulation) {
		r.param(t, "axis", &c.Axis)
		r.param(t, "reverse", &c.Reverse)
		return c
	}
	preferred := func() core.DType {
		dt, _ := core.ParseDType(r.text(t, "preferred_element_type"))
		return dt
	}
	switch r.Op {
	case "reduce_sum":
		return apply1(prim.ReduceSumP{Axes: r.dims(t, "axes")})
	case "reduce_prod":
		return apply1(prim.ReduceProdP{Axes: r.dims(t, "axes")})
	case "reduce_max":
		return apply1(prim.ReduceMaxP{Axes: r.dims(t, "axes")})
	case "reduce_min":
		return apply1(prim.ReduceMinP{Axes: r.dims(t, "axes")})
	case "cumsum":
		return apply1(prim.CumsumP{Cumulation: cum()})
	case "cumprod":
		return apply1(prim.CumprodP{Cumulation: cum()})
	case "cummax":
		return apply1(prim.CummaxP{Cumulation: cum()})
	case "cummin":
		return apply1(prim.CumminP{Cumulation: cum()})
	case "dot_general":
		var n [2][2][]int
		r.param(t, "dimension_numbers", &n)
		d := func(v []int) core.Dims { return core.MakeDims(v...) }
		return apply1(prim.DotGeneralP{LhsContract: d(n[0][0]), RhsContract: d(n[0][1]), LhsBatch: d(n[1][0]), RhsBatch: d(n[1][1]), Preferred: preferred()})
	case "conv_general_dilated":
		return apply1(r.conv(t, preferred()))
	case "reduce_window":
		w := windows.Window{Dims: r.dims(t, "window_dimensions"), Strides: r.dims(t, "window_strides"), Padding: r.dims(t, "padding"),
			BaseDilation: r.dims(t, "base_dilation"), WindowDilation: r.dims(t, "window_dilation")}
		switch r.text(t, "computation") {
		case "add":
			return apply1(windows.ReduceWindowSumP{Window: w})
		case "max":
			return apply1(windows.ReduceWindowMaxP{Window: w})
		case "min":
			return apply1(windows.ReduceWindowMinP{Window: w})
		case "mul":
			dt, _ := core.ParseDType(r.In[0].DType)
			a, b, y := jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt))
			product := &jaxpr.Jaxpr{Ins: []*jaxpr.Var{a, b}, Outs: []jaxpr.Atom{y}, Eqns: []*jaxpr.Eqn{{Outs: []*jaxpr.Var{y}, Prim: prim.MulP{}, Ins: []jaxpr.Atom{a, b}}}}
			return func(in []core.Value) []core.Value {
				return windows.ReduceWindow(in, []core.Value{prim.Num(core.Aval(dt), 1)}, w, product)
			}
		}
	}
	return nil
}

func (r exactRecord) conv(t *testing.T, preferred core.DType) windows.ConvP {
	p := windows.ConvP{Strides: r.dims(t, "window_strides"), LhsDilation: r.dims(t, "lhs_dilation"), RhsDilation: r.dims(t, "rhs_dilation"), Preferred: preferred}
	r.param(t, "feature_group_count", &p.FeatureGroups)
	r.param(t, "batch_group_count", &p.BatchGroups)
	var spec [3]string
	r.param(t, "dimension_numbers", &spec)
	p.LhsSpec, p.RhsSpec, p.OutSpec = windows.ConvSpecs(spec[0], spec[1], spec[2])
	switch word := r.text(t, "padding"); word {
	case "":
		p.Padding = r.dims(t, "padding")
	case "VALID":
		p.Padding = core.MakeDims(make([]int, 2*p.Strides.Len())...)
	default:
		in := p.LhsSpec.Slice(2, p.LhsSpec.Len()).Map(core.MakeDims(r.In[0].Shape...).At)
		window := dilatedBy(p.RhsSpec.Slice(2, p.RhsSpec.Len()).Map(core.MakeDims(r.In[1].Shape...).At), p.RhsDilation)
		if word == "SAME" {
			p.Padding = windows.SamePadding(in, window, p.Strides)
		} else {
			p.Padding = windows.SameLowerPadding(in, window, p.Strides)
		}
	}
	return p
}

// Derivatives are JAX's, to the bit where all numbers are small integers.
func TestReductionDerivativesAreJAXs(t *testing.T) {
	withRuntime(t)
	n := map[string]int{}
	for _, line := range records(t, "jax/conv_dot.jsonl", "reductions_values.jsonl") {
		var r exactRecord
		require.NoError(t, json.Unmarshal(line, &r))
		f := r.function(t)
		if f == nil || len(r.VJP) == 0 {
			continue
		}
		in := make([]core.Value, len(r.In))
		for i, a := range r.In {
			in[i] = a.concrete(t)
		}
		var some, dt []core.Value
		for i, k := range r.DiffArgs {
			some, dt = append(some, in[k]), append(dt, r.Tangents[i].concrete(t))
		}
		of := func(some []core.Value) []core.Value {
			all := slices.Clone(in)
			for i, k := range r.DiffArgs {
				all[k] = some[i]
			}
			return f(all)
		}
		_, tout := transforms.JVP(of, some, dt)
		require.Equal(t, numbersOf(r.JVP[0].concrete(t)), numbersOf(tout[0]), "record %d, jvp of %s", r.ID, r.Op)
		active := make([]bool, len(some))
		for i := range active {
			active[i] = true
		}
		_, vjp := transforms.VJP(of, some, active)
		back := vjp([]core.Value{r.CT[0].concrete(t)})
		require.Len(t, back, len(r.VJP))
		for i, want := range r.VJP {
			if back[i] == nil {
				back[i] = runtime.New(some[i].Aval())
			}
			require.Equal(t, numbersOf(want.concrete(t)), numbersOf(back[i]), "record %d, vjp %d of %s", r.ID, i, r.Op)
		}
		n[r.Op]++
	}
	require.Len(t, n, 11, "%v", n)
	t.Log(n)
}
