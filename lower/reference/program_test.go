package reference

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// argProgram returns max by value with its position: what a reduction of two arrays by
// one program computes for argmax.
func argProgram() *jaxpr.Jaxpr {
	f, i, b := core.Aval(core.Float64), core.Aval(core.Int16), core.Aval(core.Bool)
	v := func(a core.ShapedArray) *jaxpr.Var { return jaxpr.NewVar(a) }
	a, p, x, q := v(f), v(i), v(f), v(i)
	ge, y, at := v(b), v(f), v(i)
	return &jaxpr.Jaxpr{Ins: []*jaxpr.Var{a, p, x, q}, Eqns: []*jaxpr.Eqn{
		{Outs: []*jaxpr.Var{ge}, Prim: prim.GeP{}, Ins: []jaxpr.Atom{a, x}},
		{Outs: []*jaxpr.Var{y}, Prim: prim.SelectNP{}, Ins: []jaxpr.Atom{ge, x, a}},
		{Outs: []*jaxpr.Var{at}, Prim: prim.SelectNP{}, Ins: []jaxpr.Atom{ge, q, p}},
	}, Outs: []jaxpr.Atom{y, at}}
}

// TestReduceProgramOrder: a reduction by a program of an addition has the bits of a
// sum, since its initial value is neutral.
func TestReduceProgramOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 6))
	for _, c := range sumCases() {
		x := block.NewTensor(core.ShapedArray{Shape: c[0], DType: core.Float32})
		if x.Size() > 20000 {
			continue
		}
		draw(r, x, false)
		init := block.NewTensor(core.Aval(core.Float32))
		for _, order := range []prim.Order{prim.OrderImplied, prim.OrderLanes, prim.OrderChunks} {
			want := apply(t, prim.ReduceSumP{Axes: c[1], Order: order}, x)[0]
			got := apply(t, prim.ReduceP{Axes: c[1], Order: order, Program: reducerOf("add", core.Float32)}, x, init)[0]
			if !sameBits(got, want) {
				t.Errorf("%v over %v in %v: got %x, want %x", x, c[1], order, head(got), head(want))
			}
		}
	}
}

// TestReduceProgramOneByOne: a program that is not elementwise runs element by
// element, with the same bits.
func TestReduceProgramOneByOne(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 6))
	x := block.NewTensor(core.Aval(core.Float32, 4, 90))
	draw(r, x, false)
	init := block.NewTensor(core.Aval(core.Float32))
	flat := reducerOf("add", core.Float32)
	bumpy := reducerOf("add", core.Float32)
	// A reshape of a scalar does nothing, and is not elementwise.
	last := bumpy.Eqns[0]
	y := jaxpr.NewVar(core.Aval(core.Float32))
	bumpy.Eqns = append(bumpy.Eqns, &jaxpr.Eqn{Outs: []*jaxpr.Var{y}, Prim: prim.ReshapeP{}, Ins: []jaxpr.Atom{last.Outs[0]}})
	bumpy.Outs = []jaxpr.Atom{y}
	if !isFlat(flat) || isFlat(bumpy) {
		t.Fatal("isFlat does not distinguish what is elementwise from what is not")
	}
	d := core.MakeDims
	w := windows.SimpleWindow(d(2, 3), d(1, 2), d(0, 1, 1, 0))
	for _, p := range [][2]core.Primitive{
		{prim.ReduceP{Axes: d(1), Program: flat}, prim.ReduceP{Axes: d(1), Program: bumpy}},
		{prim.ReduceP{Axes: d(0), Program: flat}, prim.ReduceP{Axes: d(0), Program: bumpy}},
		{windows.ReduceWindowP{Window: w, Program: flat}, windows.ReduceWindowP{Window: w, Program: bumpy}},
	} {
		a, b := apply(t, p[0], x, init)[0], apply(t, p[1], x, init)[0]
		if !sameBits(a, b) {
			t.Errorf("%v differs", p[0])
		}
	}
}

func TestReduceProgramOfTwo(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 6))
	for _, n := range []int{1, 5, 33, 5000} {
		x := block.NewTensor(core.Aval(core.Float64, n, 2))
		pos := block.NewTensor(core.Aval(core.Int16, n, 2))
		draw(r, x, false)
		count(pos, 0)
		low, none := block.NewTensor(core.Aval(core.Float64)), block.NewTensor(core.Aval(core.Int16))
		block.View[float64](low)[0], block.View[int16](none)[0] = -1e300, -1
		out := apply(t, prim.ReduceP{Axes: core.MakeDims(0), Program: argProgram()}, x, pos, low, none)
		top := apply(t, prim.ReduceMaxP{Axes: core.MakeDims(0)}, x)[0]
		at := apply(t, prim.ArgmaxP{Axes: core.MakeDims(0), Index: core.Int16}, x)[0]
		if fmt.Sprint(block.View[float64](out[0])) != fmt.Sprint(block.View[float64](top)) || fmt.Sprint(block.View[int16](out[1])) != fmt.Sprint(block.View[int16](at)) {
			t.Errorf("%d: got %v at %v, want %v at %v", n, block.View[float64](out[0]), block.View[int16](out[1]), block.View[float64](top), block.View[int16](at))
		}
	}
}
