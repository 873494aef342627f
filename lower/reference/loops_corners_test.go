package reference

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// loopCorner is a record of corners.jsonl about one of the loops.
type loopCorner struct {
	ID     int
	Prim   string
	DType  string
	Case   string
	Params loopParams
	In     []goldenArray
	Jit    goldenArrays
	IEEE   goldenArrays
	Exact  goldenArrays
	Error  string
}

func loopCorners(t *testing.T, f func(r *loopCorner)) {
	t.Helper()
	for line := range goldenfile.Lines(t, goldenfile.Open(t, "jax/corners.jsonl.gz", "testdata/loop_corners.jsonl")) {
		// Records of other primitives have other shapes: they are not decoded further.
		var head struct{ Prim string }
		if err := json.Unmarshal(line, &head); err != nil {
			t.Fatal(err)
		}
		if !loopNames()[head.Prim] {
			continue
		}
		r := new(loopCorner)
		if err := json.Unmarshal(line, r); err != nil {
			t.Fatal(err)
		}
		f(r)
	}
}

// floatsOf returns the elements of a float or complex array, the parts of complex ones in
// a row; ok is false for other types.
func floatsOf(x *block.Tensor) (v []float64, ok bool) {
	switch x.DType {
	case core.Float64, core.Complex128:
		y := block.NewTensor(core.Aval(core.Float64, len(x.Data)/8))
		copy(y.Data, x.Data)
		return block.View[float64](y), true
	case core.Complex64:
		y := block.NewTensor(core.Aval(core.Float32, len(x.Data)/4))
		copy(y.Data, x.Data)
		return floatsOf(y)
	}
	if !x.DType.IsFloat() {
		return nil, false
	}
	v = make([]float64, x.Size())
	block.ToFloats(v, x)
	return v, true
}

// sameBits compares arrays, all NaNs being equal.
func sameBits(got, want *block.Tensor) bool {
	if got.ShapedArray.Strong() != want.ShapedArray.Strong() {
		return false
	}
	g, ok := floatsOf(got)
	if !ok {
		return string(got.Data) == string(want.Data)
	}
	w, _ := floatsOf(want)
	for i := range g {
		if math.Float64bits(g[i]) != math.Float64bits(w[i]) && !(g[i] != g[i] && w[i] != w[i]) {
			return false
		}
	}
	return true
}

// TestLoopCorners compares reductions, sorts and dots of awkward values with XLA's.
// Where the order of addition shows, only the size of the error is compared.
func TestLoopCorners(t *testing.T) {
	seen := map[string]int{}
	loopCorners(t, func(r *loopCorner) {
		if r.Error != "" {
			return
		}
		prims := loopPrims(&loopRecord{Op: r.Prim, Params: r.Params, In: r.In})
		if prims == nil {
			t.Errorf("%d: the test does not support %s", r.ID, r.Prim)
			return
		}
		seen[r.Prim]++
		var in []*block.Tensor
		for i := range r.In {
			in = append(in, r.In[i].tensor(t))
		}
		if r.Params["second_operand"] == "iota i32" {
			iota := block.NewTensor(in[0].WithDType(core.Int32))
			count(iota, r.Params.int("dimension"))
			in = append(in, iota)
		}
		got := apply(t, prims[0], in...)
		want := r.Jit
		if r.IEEE != nil {
			want = r.IEEE
		}
		for i := range want {
			w := want[i].tensor(t)
			if r.Case == "order" {
				closeInSum(t, r, in, got[i], w)
				continue
			}
			if r.Case == "big" && (r.Prim == "reduce_sum" || r.Prim == "cumsum") {
				continue // overflows on the way or not, as the order has it
			}
			if !sameBits(got[i], w) {
				t.Errorf("%d: %s %s %v of %v\n got %v %x\nwant %v %x", r.ID, r.Prim, r.Case, r.Params, r.In, got[i], got[i].Data, w, w.Data)
			}
		}
	})
	if len(seen) < 14 {
		t.Errorf("records of only %v", seen)
	}
}

// closeInSum allows a sum, product or dot of n terms an error of n halves of an ulp
// of the sum of magnitudes; XLA's own value is as far off.
func closeInSum(t *testing.T, r *loopCorner, in []*block.Tensor, got, want *block.Tensor) {
	t.Helper()
	g, _ := floatsOf(got)
	w, _ := floatsOf(want)
	x, _ := floatsOf(in[0])
	size := 0.0
	for i, v := range x {
		if len(in) == 2 && len(x) == in[1].Size() {
			y, _ := floatsOf(in[1])
			v *= y[i]
		}
		size += math.Abs(v)
	}
	eps := map[core.DType]float64{core.Float64: 0x1p-53, core.Float32: 0x1p-24, core.BFloat16: 0x1p-8, core.Float16: 0x1p-11}[got.DType]
	for i := range g {
		if math.Abs(g[i]-w[i]) > eps*float64(len(x))*size {
			t.Errorf("%d: %s: got %v, XLA has %v, size %v", r.ID, r.Prim, g[i], w[i], size)
		}
	}
}
