package reference

import (
	"encoding/binary"
	"encoding/json"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// loopRecord is a line of conv_dot.jsonl.
type loopRecord struct {
	ID     int
	Op     string
	Params loopParams
	In     []goldenArray
	Out    goldenArrays
}

// loopPrims returns the primitives of a record: each is applied to the operands.
func loopPrims(r *loopRecord) []core.Primitive {
	p := r.Params
	scattering := func() indexed.Scattering {
		return indexed.Scattering{
			UpdateWindowDims: p.dims("update_window_dims"), InsertedWindowDims: p.dims("inserted_window_dims"),
			ScatterDimsToOperandDims: p.dims("scatter_dims_to_operand_dims"), OperandBatchingDims: p.dims("operand_batching_dims"),
			ScatterIndicesBatchingDims: p.dims("scatter_indices_batching_dims"), Mode: p.mode(), Unique: p.bool("unique_indices")}
	}
	scatterBy := func(c indexed.Combiner) []core.Primitive {
		dt, _ := core.ParseDType(r.In[0].DType)
		return []core.Primitive{scattering().By(c, dt)}
	}
	one := func(q core.Primitive) []core.Primitive { return []core.Primitive{q} }
	cumulation := func() prim.Cumulation { return prim.Cumulation{Axis: p.int("axis"), Reverse: p.bool("reverse")} }
	switch r.Op {
	case "dot_general":
		n := p["dimension_numbers"].([]any)
		list := func(i, j int) core.Dims { return core.MakeDims(flatInts(n[i].([]any)[j])...) }
		q := prim.DotGeneralP{LhsContract: list(0, 0), RhsContract: list(0, 1), LhsBatch: list(1, 0), RhsBatch: list(1, 1)}
		if p.has("preferred_element_type") {
			q.Preferred, _ = core.ParseDType(p["preferred_element_type"].(string))
		}
		return one(q)
	case "gather":
		q := indexed.GatherP{OffsetDims: p.dims("offset_dims"), CollapsedSliceDims: p.dims("collapsed_slice_dims"),
			StartIndexMap: p.dims("start_index_map"), OperandBatchingDims: p.dims("operand_batching_dims"),
			StartIndicesBatchingDims: p.dims("start_indices_batching_dims"), SliceSizes: p.dims("slice_sizes"), Mode: p.mode()}
		if f, ok := p["fill_value"].(float64); ok {
			q.Fill = core.FloatNumber(f)
		}
		return one(q)
	case "conv_general_dilated":
		spec := func(s, order string) core.Dims {
			var axes []int
			for _, c := range order {
				axes = append(axes, strings.IndexRune(s, c))
			}
			return core.MakeDims(axes...)
		}
		n := p["dimension_numbers"].([]any)
		lhs, rhs, outs := n[0].(string), n[1].(string), n[2].(string)
		letters := strings.NewReplacer("O", "", "I", "").Replace(rhs)
		q := windows.ConvP{Strides: p.dims("window_strides"), LhsDilation: p.dims("lhs_dilation"),
			RhsDilation: p.dims("rhs_dilation"), LhsSpec: spec(lhs, "NC"+letters), RhsSpec: spec(rhs, "OI"+letters),
			OutSpec: spec(outs, "NC"+letters), FeatureGroups: p.int("feature_group_count"), BatchGroups: p.int("batch_group_count")}
		q.Padding = p.padding(q.Strides, func(i int) (n, window int) {
			size := r.In[1].Shape[q.RhsSpec.At(i+2)]
			return r.In[0].Shape[q.LhsSpec.At(i+2)], max((size-1)*q.RhsDilation.At(i)+1, 0)
		})
		if p.has("preferred_element_type") {
			q.Preferred, _ = core.ParseDType(p["preferred_element_type"].(string))
		}
		return one(q)
	case "select_and_scatter_add":
		q := windows.SelectAndScatterAddP{Select: windows.Select(p["select"].(string)), Dims: p.dims("window_dimensions"),
			Strides: p.dims("window_strides")}
		q.Padding = p.dims("padding")
		return one(q)
	case "reduce_window":
		w := windows.Window{Dims: p.dims("window_dimensions"), Strides: p.dims("window_strides"), Padding: p.dims("padding"),
			BaseDilation: p.dims("base_dilation"), WindowDilation: p.dims("window_dilation")}
		dt, _ := core.ParseDType(r.In[0].DType)
		f := p["computation"].(string)
		q := []core.Primitive{windows.ReduceWindowP{Window: w, Program: reducerOf(f, dt)}}
		switch f {
		case "add":
			q = append(q, windows.ReduceWindowSumP{Window: w})
		case "max":
			q = append(q, windows.ReduceWindowMaxP{Window: w})
		case "min":
			q = append(q, windows.ReduceWindowMinP{Window: w})
		}
		return q
	case "scatter":
		return one(indexed.ScatterP{Scattering: scattering()})
	case "scatter_add":
		return scatterBy(indexed.CombineAdd)
	case "scatter_sub":
		return scatterBy(indexed.CombineSub)
	case "scatter_mul":
		return scatterBy(indexed.CombineMul)
	case "scatter_min":
		return scatterBy(indexed.CombineMin)
	case "scatter_max":
		return scatterBy(indexed.CombineMax)
	case "transpose, rev":
		return []core.Primitive{prim.TransposeP{Perm: p.dims("permutation")}, prim.RevP{Dims: p.dims("dimensions")}}
	case "broadcast_in_dim":
		return one(prim.BroadcastInDimP{Shape: p.dims("shape"), Dims: p.dims("broadcast_dimensions")})
	case "dynamic_slice":
		return one(indexed.DynamicSliceP{Sizes: p.dims("slice_sizes")})
	case "dynamic_update_slice":
		return one(indexed.DynamicUpdateSliceP{})
	case "pad":
		return one(prim.PadP{Config: p.dims("padding_config")})
	case "concatenate":
		return one(prim.ConcatenateP{Dimension: p.int("dimension")})
	case "slice":
		return one(prim.SliceP{Start: p.dims("start_indices"), Limit: p.dims("limit_indices"), Strides: p.dims("strides")})
	case "argmax", "argmin":
		dt, _ := core.ParseDType(p["index_dtype"].(string))
		if r.Op == "argmax" {
			return one(prim.ArgmaxP{Axes: p.dims("axes"), Index: dt})
		}
		return one(prim.ArgminP{Axes: p.dims("axes"), Index: dt})
	case "cumsum":
		return one(prim.CumsumP{Cumulation: cumulation()})
	case "cumprod":
		return one(prim.CumprodP{Cumulation: cumulation()})
	case "cummax":
		return one(prim.CummaxP{Cumulation: cumulation()})
	case "cummin":
		return one(prim.CumminP{Cumulation: cumulation()})
	case "sort":
		return one(indexed.SortP{Dimension: p.int("dimension"), NumKeys: p.int("num_keys"), Stable: p.bool("is_stable")})
	case "top_k":
		axis := p.int("axis")
		if axis < 0 {
			axis += len(r.In[0].Shape)
		}
		return one(indexed.TopKP{Axis: axis, K: p.int("k")})
	case "reduce_sum":
		return one(prim.ReduceSumP{Axes: p.dims("axes")})
	case "reduce_prod":
		return one(prim.ReduceProdP{Axes: p.dims("axes")})
	case "reduce_max":
		return one(prim.ReduceMaxP{Axes: p.dims("axes")})
	case "reduce_min":
		return one(prim.ReduceMinP{Axes: p.dims("axes")})
	case "reduce_and":
		return one(prim.ReduceAndP{Axes: p.dims("axes")})
	case "reduce_or":
		return one(prim.ReduceOrP{Axes: p.dims("axes")})
	case "reduce_xor":
		return one(prim.ReduceXorP{Axes: p.dims("axes")})
	}
	return nil
}

// reducerOf returns the program of a computation by its name in the records.
func reducerOf(name string, dt core.DType) *jaxpr.Jaxpr {
	a, b, y := jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt)), jaxpr.NewVar(core.Aval(dt))
	j := &jaxpr.Jaxpr{Ins: []*jaxpr.Var{a, b}, Outs: []jaxpr.Atom{y}}
	eqn := func(p core.Primitive, out *jaxpr.Var, in ...jaxpr.Atom) {
		j.Eqns = append(j.Eqns, &jaxpr.Eqn{Outs: []*jaxpr.Var{out}, Prim: p, Ins: in})
	}
	switch name {
	case "add":
		eqn(prim.AddP{}, y, a, b)
	case "mul":
		eqn(prim.MulP{}, y, a, b)
	case "max":
		eqn(prim.MaxP{}, y, a, b)
	case "min":
		eqn(prim.MinP{}, y, a, b)
	case "and":
		eqn(prim.AndP{}, y, a, b)
	case "or":
		eqn(prim.OrP{}, y, a, b)
	default: // custom add: max(a,b)+min(a,b)
		hi, lo := jaxpr.NewVar(a.Type), jaxpr.NewVar(a.Type)
		eqn(prim.MaxP{}, hi, a, b)
		eqn(prim.MinP{}, lo, a, b)
		eqn(prim.AddP{}, y, hi, lo)
	}
	return j
}

// apply runs p's kernel on in: types first, as an executor does.
func apply(t testing.TB, p core.Primitive, in ...*block.Tensor) []*block.Tensor {
	t.Helper()
	avals := make([]core.ShapedArray, len(in))
	for i, x := range in {
		avals[i] = x.ShapedArray
	}
	var out []*block.Tensor
	for _, a := range core.AbstractOf(p, avals) {
		out = append(out, block.NewTensor(a))
	}
	if f, ok := LookupProgram(p); ok {
		f(p, runFlat, in, out)
	} else if f, ok := Lookup(p); ok {
		f(p, in, out)
	} else {
		t.Fatalf("no kernel for %s", p.Name())
	}
	return out
}

// TestLoopGoldens compares values that are exact in every order of summation.
func TestLoopGoldens(t *testing.T) {
	seen := map[string]int{}
	for line := range goldenfile.Lines(t, goldenfile.Open(t, "jax/conv_dot.jsonl", "testdata/conv_dot.jsonl")) {
		r := new(loopRecord)
		if err := json.Unmarshal(line, r); err != nil {
			t.Fatal(err)
		}
		prims := loopPrims(r)
		if prims == nil {
			seen["? "+r.Op]++
			continue
		}
		seen[r.Op]++
		var in, got []*block.Tensor
		for i := range r.In {
			in = append(in, r.In[i].tensor(t))
		}
		if r.Op == "select_and_scatter_add" {
			in[0], in[1] = in[1], in[0]
		}
		if strings.HasPrefix(r.Op, "dynamic") {
			wrapNegative(in)
		}
		for i, p := range prims {
			args := in
			if r.Op == "reduce_window" && i == 0 {
				args = []*block.Tensor{in[0], initOf(t, r)}
			}
			got = append(got, apply(t, p, args...)...)
		}
		for r.Op == "reduce_window" && len(r.Out) < len(got) {
			r.Out = append(r.Out, r.Out[0])
		}
		if len(got) != len(r.Out) {
			t.Fatalf("%d: %s has %d results, want %d", r.ID, r.Op, len(got), len(r.Out))
		}
		for i := range got {
			want := r.Out[i].tensor(t)
			if n := r.chain(); n == 1 || n == 2 {
				// XLA begins a chain with its first product, and so returns −0 where all are
				// −0, as 0·−1 is: here the result is +0 by definition. In the records that
				// happens to sums of one and two products; their zeros lose their signs.
				positiveZeros(got[i])
				positiveZeros(want)
			}
			if got[i].ShapedArray.Strong() != want.ShapedArray || string(got[i].Data) != string(want.Data) {
				t.Errorf("%d: %s %v\n in %v\n got %v %x\nwant %v %x", r.ID, r.Op, r.Params, r.In, got[i].ShapedArray, got[i].Data, want.ShapedArray, want.Data)
			}
		}
	}
	var left []string
	for k := range seen {
		if strings.HasPrefix(k, "?") {
			left = append(left, k)
		}
	}
	if len(left) > 0 {
		t.Errorf("records of operations that the test does not support: %v", left)
	}
	if len(seen) == 0 {
		t.Error("no records")
	}
}

// positiveZeros makes every −0 of a float or complex array +0.
func positiveZeros(x *block.Tensor) {
	switch x.DType {
	case core.BFloat16, core.Float16:
		for i, v := range block.View[uint16](x) {
			if v == 1<<15 {
				block.View[uint16](x)[i] = 0
			}
		}
	case core.Float32, core.Complex64:
		for i := 0; i < len(x.Data); i += 4 {
			if binary.NativeEndian.Uint32(x.Data[i:]) == 1<<31 {
				clear(x.Data[i : i+4])
			}
		}
	case core.Float64, core.Complex128:
		for i := 0; i < len(x.Data); i += 8 {
			if binary.NativeEndian.Uint64(x.Data[i:]) == 1<<63 {
				clear(x.Data[i : i+8])
			}
		}
	}
}

// initOf returns the initial value of a window.
func initOf(t *testing.T, r *loopRecord) *block.Tensor {
	m := r.Params["init"].(map[string]any)
	g := goldenArray{DType: m["dtype"].(string), Bits: m["bits"].(string)}
	return g.tensor(t)
}

// wrapNegative counts negative starts from the end, as the functions around
// dynamic_slice and dynamic_update_slice do before they bind them.
func wrapNegative(in []*block.Tensor) {
	start := in[len(in)-in[0].Rank():]
	for i, x := range start {
		if v := block.View[int32](x); v[0] < 0 {
			v[0] += int32(in[0].Shape.At(i))
		}
	}
}
