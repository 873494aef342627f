package prim_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/transforms"
)

// stored is an array as the golden files contain it.
type stored struct {
	DType string
	Shape []int
	Bits  string
}

func (s stored) array(t *testing.T) *array {
	t.Helper()
	dt, ok := core.ParseDType(s.DType)
	require.True(t, ok, s.DType)
	y := zerosOf(core.Aval(dt, s.Shape...))
	data, err := hex.DecodeString(s.Bits)
	require.NoError(t, err)
	for k := range y.e {
		y.e[k] = element(t, dt, data[k*dt.Size():(k+1)*dt.Size()])
	}
	return y
}

func element(t *testing.T, dt core.DType, b []byte) core.Number {
	var raw [8]byte
	copy(raw[:], b)
	u := binary.LittleEndian.Uint64(raw[:])
	f32 := func(u uint32) float64 { return float64(math.Float32frombits(u)) }
	switch {
	case dt.IsBool() || dt.IsInteger():
		return wrap(dt, core.UintNumber(u))
	case dt == core.Key:
		return core.UintNumber(u<<32 | u>>32)
	case dt == core.Float32:
		return core.FloatNumber(f32(uint32(u)))
	case dt == core.BFloat16:
		return core.FloatNumber(f32(uint32(u) << 16))
	case dt == core.Float64:
		return core.FloatNumber(math.Float64frombits(u))
	case dt == core.Complex64:
		return core.ComplexNumber(complex(f32(uint32(u)), f32(uint32(u>>32))))
	}
	t.Fatalf("no element of %v", dt)
	return core.Number{}
}

// list reads one array or a list of them.
func list(t *testing.T, raw json.RawMessage) []*array {
	t.Helper()
	var many []stored
	if json.Unmarshal(raw, &many) != nil {
		many = make([]stored, 1)
		require.NoError(t, json.Unmarshal(raw, &many[0]))
	}
	out := make([]*array, len(many))
	for i, s := range many {
		out[i] = s.array(t)
	}
	return out
}

// record is a line of conv_dot.jsonl.
type record struct {
	ID       int
	Op       string
	Params   recordParams
	In       []stored
	Out      json.RawMessage
	DiffArgs []int `json:"diff_args"`
	Tangents []stored
	JVP      json.RawMessage
	CT       json.RawMessage
	VJP      []stored
}

type recordParams struct {
	OffsetDims   []int `json:"offset_dims"`
	Collapsed    []int `json:"collapsed_slice_dims"`
	StartMap     []int `json:"start_index_map"`
	OperandBatch []int `json:"operand_batching_dims"`
	StartBatch   []int `json:"start_indices_batching_dims"`
	SliceSizes   []int `json:"slice_sizes"`
	Mode         string
	FillValue    *float64 `json:"fill_value"`
	Window       []int    `json:"update_window_dims"`
	Inserted     []int    `json:"inserted_window_dims"`
	Scattered    []int    `json:"scatter_dims_to_operand_dims"`
	IndexBatch   []int    `json:"scatter_indices_batching_dims"`
	Unique       bool     `json:"unique_indices"`

	Shape, Permutation []int
	BroadcastDims      []int   `json:"broadcast_dimensions"`
	Padding            [][]int `json:"padding_config"`
	Dimension          int
	Dimensions         []int
	Stable             bool  `json:"is_stable"`
	NumKeys            int   `json:"num_keys"`
	Start              []int `json:"start_indices"`
	Limit              []int `json:"limit_indices"`
	Strides            []int
	K, Axis            int
}

var modes = map[string]indexed.IndexMode{
	"clip": indexed.Clip, "fill": indexed.FillOrDrop, "drop": indexed.FillOrDrop, "promise_in_bounds": indexed.PromiseInBounds,
}

// run returns the function that the record is about; ok is false for other families.
func (r record) run(t *testing.T) (f func(in []core.Value) []core.Value, ps []core.Primitive) {
	q, d := r.Params, func(v []int) core.Dims { return core.MakeDims(v...) }
	bind := func(p core.Primitive) (func([]core.Value) []core.Value, []core.Primitive) {
		return func(in []core.Value) []core.Value { return core.Bind(p, in...) }, []core.Primitive{p}
	}
	mode := modes[q.Mode]
	s := indexed.Scattering{UpdateWindowDims: d(q.Window), InsertedWindowDims: d(q.Inserted), ScatterDimsToOperandDims: d(q.Scattered),
		OperandBatchingDims: d(q.OperandBatch), ScatterIndicesBatchingDims: d(q.IndexBatch), Mode: mode, Unique: q.Unique}
	dt, ok := core.ParseDType(r.In[0].DType)
	require.True(t, ok)
	switch r.Op {
	case "gather":
		p := indexed.GatherP{OffsetDims: d(q.OffsetDims), CollapsedSliceDims: d(q.Collapsed), StartIndexMap: d(q.StartMap),
			OperandBatchingDims: d(q.OperandBatch), StartIndicesBatchingDims: d(q.StartBatch), SliceSizes: d(q.SliceSizes), Mode: mode}
		if q.FillValue != nil {
			p.Fill = core.FloatNumber(*q.FillValue)
		}
		return bind(p)
	case "scatter":
		return bind(indexed.ScatterP{Scattering: s})
	case "scatter_add":
		return bind(s.By(indexed.CombineAdd, dt))
	case "scatter_sub":
		return bind(s.By(indexed.CombineSub, dt))
	case "scatter_mul":
		return bind(s.By(indexed.CombineMul, dt))
	case "scatter_min":
		return bind(s.By(indexed.CombineMin, dt))
	case "scatter_max":
		return bind(s.By(indexed.CombineMax, dt))
	case "sort":
		return bind(indexed.SortP{Dimension: q.Dimension, NumKeys: q.NumKeys, Stable: q.Stable})
	case "top_k":
		return bind(indexed.TopKP{Axis: len(r.In[0].Shape) + q.Axis, K: q.K})
	case "pad":
		var config []int
		for _, c := range q.Padding {
			config = append(config, c...)
		}
		return bind(prim.PadP{Config: d(config)})
	case "slice":
		return bind(prim.SliceP{Start: d(q.Start), Limit: d(q.Limit), Strides: d(q.Strides)})
	case "concatenate":
		return bind(prim.ConcatenateP{Dimension: q.Dimension})
	case "broadcast_in_dim":
		return bind(prim.BroadcastInDimP{Shape: d(q.Shape), Dims: d(q.BroadcastDims)})
	case "dynamic_slice":
		return bind(indexed.DynamicSliceP{Sizes: d(q.SliceSizes)})
	case "dynamic_update_slice":
		return bind(indexed.DynamicUpdateSliceP{})
	case "transpose, rev":
		transpose, rev := prim.TransposeP{Perm: d(q.Permutation)}, prim.RevP{Dims: d(q.Dimensions)}
		return func(in []core.Value) []core.Value {
			return []core.Value{core.Bind1(transpose, in...), core.Bind1(rev, in...)}
		}, []core.Primitive{transpose, rev}
	}
	return nil, nil
}

// Values and derivatives are JAX's, on records whose arithmetic is exact.
func TestStructureValues(t *testing.T) {
	withNaive(t)
	n, pushed, pulled := 0, 0, 0
	for _, line := range records(t, "jax/conv_dot.jsonl", "structure_values.jsonl") {
		var r record
		if json.Unmarshal(line, &r) != nil {
			continue // convolutions, whose parameters are of other kinds
		}
		f, ps := r.run(t)
		if f == nil {
			continue
		}
		n++
		id := r.Op + " " + strconv.Itoa(r.ID)
		in := make([]core.Value, len(r.In))
		for i, s := range r.In {
			x := s.array(t)
			if first := map[string]int{"dynamic_slice": 1, "dynamic_update_slice": 2}[r.Op]; first > 0 && i >= first {
				// lax counts a negative start from the end.
				if at := index(x.e[0]); at < 0 {
					x.e[0] = core.IntNumber(int64(at + r.In[0].Shape[i-first]))
				}
			}
			in[i] = x
		}
		out := f(in)
		for k, want := range list(t, r.Out) {
			require.Equal(t, want.ShapedArray, out[k].Aval(), id)
			require.Equal(t, elements(want), elements(out[k]), id)
		}
		if r.JVP == nil {
			continue
		}
		push := func(ts []core.Value) []core.Value {
			var d []core.Value
			at := 0
			for _, p := range ps {
				m := len(out) / len(ps)
				d = append(d, p.(core.JVPer).JVP(in, out[at:at+m], ts)...)
				at += m
			}
			return orZeros(d, out)
		}
		ts := make([]core.Value, len(in))
		for k, i := range r.DiffArgs {
			ts[i] = r.Tangents[k].array(t)
		}
		want := list(t, r.JVP)
		got := push(ts)
		if undefined(r, want) {
			continue
		}
		pushed++
		k := 0
		for i, d := range got {
			if out[i].Aval().DType.IsInexact() {
				require.Equal(t, elements(want[k]), elements(d), "%s: tangent %d", id, i)
				k++
			}
		}
		// Cotangents go through the rules of transposition, which receive the linear part alone.
		active := make([]bool, len(in))
		for _, i := range r.DiffArgs {
			active[i] = true
		}
		var cts []core.Value
		ct := list(t, r.CT)
		for _, o := range out {
			if o.Aval().DType.IsInexact() {
				cts, ct = append(cts, ct[0]), ct[1:]
			} else {
				cts = append(cts, nil)
			}
		}
		_, pull := transforms.VJP(f, in, active)
		back := pull(cts)
		for k, i := range r.DiffArgs {
			want := r.VJP[k].array(t)
			if undefined(r, []*array{want}) {
				continue
			}
			got := back[i]
			if got == nil {
				got = zerosOf(in[i].Aval())
			}
			require.Equal(t, complexes(want), complexes(got), "%s: cotangent of operand %d", id, i)
			pulled++
		}
	}
	t.Logf("%d values, %d tangents, %d cotangents", n, pushed, pulled)
	require.Greater(t, n, 20)
	require.Greater(t, pushed, 10)
	require.Greater(t, pulled, 10)
}

// undefined reports whether JAX's derivative is wrong: those of scatter_min and scatter_max read at
// other positions than they write.
func undefined(r record, got []*array) bool {
	if r.Op != "scatter_min" && r.Op != "scatter_max" {
		return false
	}
	for _, a := range got {
		for _, e := range a.e {
			if f := e.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
				return true
			}
		}
	}
	return false
}

// orZeros writes out tangents that are nil.
func orZeros(d, out []core.Value) []core.Value {
	for i := range d {
		if d[i] == nil {
			d[i] = zerosOf(out[i].Aval())
		}
	}
	return d
}
