package fuse_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/ir"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// divides is the irpass.Divider that divides all kernels, or none.
type divides bool

func (d divides) Divides(*ir.Kernel) bool { return bool(d) }

// finite is a domain of numbers whose sums depend on the order. A long column of a domain with infinities would have the sum NaN.
var finite = primtest.Domain{Lo: -4, Hi: 5}

// Reductions that are divided for a device have the reference's bits, and enough parts to keep it
// busy. Reductions that the device divides itself are not divided.
func TestDividedForDevices(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 5))
	for _, c := range []struct {
		in    core.ShapedArray
		axes  []int
		parts [3]int64 // of each program, 0: it is not divided
	}{
		{core.Aval(core.Float32, 300_000), []int{0}, [3]int64{74, 74, 74}},
		{core.Aval(core.Float64, 3, 70_001), []int{1}, [3]int64{18, 0, 18}}, // several loops are divided later
		{core.Aval(core.Float32, 1<<16-1), []int{0}, [3]int64{}},
		{core.Aval(core.Float32, 1500, 1030), []int{0}, [3]int64{47, 47, 47}},
		{core.Aval(core.Float32, 2, 700, 3), []int{1}, [3]int64{22, 22, 22}},
		{core.Aval(core.BFloat16, 1<<12, 300), []int{0}, [3]int64{128, 128, 128}},
		{core.Aval(core.Int8, 5000, 7), []int{0}, [3]int64{157, 157, 157}},
		{core.Aval(core.Float32, 2000, 3, 20), []int{0, 2}, [3]int64{63, 63}},
		{core.Aval(core.Float32, 255, 1030), []int{0}, [3]int64{}},
	} {
		for i, j := range columnPrograms(c.in, c.axes...) {
			args := []*reference.Tensor{draw(r, c.in, finite)}
			want := unboxed(jaxpr.Eval(j, nil, []core.Value{runtime.FromTensor(args[0])}))
			plan := fuse.Translate(j, fuse.Device(divides(false)))
			same(t, "divided", j, plan, args, want)
			if got := partsOf(plan); got != c.parts[i] {
				t.Errorf("%v, program %d: got %d parts, want %d\n%v", c.in.Full(), i, got, c.parts[i], plan)
			}
			plan = fuse.Translate(j, fuse.Device(divides(true)))
			same(t, "undivided", j, plan, args, want)
			if got := partsOf(plan); got != 0 {
				t.Errorf("%v, program %d: got %d parts of what the device divides, want 0\n%v", c.in.Full(), i, got, plan)
			}
		}
	}
}

// A sum along an axis of size 1, such as the transpose of a broadcast has after its sum along other axes, is not a fold but
// the sum of +0 and the one element. So the sum along the other axes is divided.
func TestSumOfOne(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, dt := range []core.DType{core.Float32, core.BFloat16, core.Int16, core.Complex64} {
		b := jaxpr.NewBuilder()
		in := core.Aval(dt, 4, 300, 40)
		x := b.Input(in)
		y := b.Eqn(prim.ReduceSumP{Axes: core.MakeDims(0, 1)}, x)[0]
		y = b.Eqn(prim.ReshapeP{Shape: core.MakeDims(1, 40)}, y)[0]
		j := b.Build(b.Eqn(prim.ReduceSumP{Axes: core.MakeDims(0)}, y)[0], b.Eqn(prim.ReduceSumP{Axes: core.MakeDims(0)}, b.Eqn(prim.ReshapeP{Shape: core.MakeDims(1, 4, 300, 40)}, x)[0])[0])
		args := []*reference.Tensor{draw(r, in, finite)}
		if dt == core.Float32 {
			copy(args[0].Data[:4], []byte{0, 0, 0, 0x80}) // −0
		}
		want := unboxed(jaxpr.Eval(j, nil, []core.Value{runtime.FromTensor(args[0])}))
		plan := fuse.Translate(j, fuse.Device(divides(false)))
		same(t, "sum of one", j, plan, args, want)
		if partsOf(plan) == 0 {
			t.Errorf("%v: the sum is not divided\n%v", dt, plan)
		}
		for _, k := range plan.Kernels() {
			k.Body.Walk(func(s ir.Stmt) {
				if r, ok := s.(*ir.Reduce); ok && r.Extent.Value == 1 {
					t.Errorf("%v: a fold of one element\n%v", dt, k)
				}
			})
		}
	}
}

// Reductions of reductions have the reference's bits when a device first computes the inner reductions, each as a point of
// a kernel.
func TestNestedForDevices(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 6))
	for _, c := range []struct {
		in   core.ShapedArray
		axes []int
		rows int64 // inner reductions, or parts of them; 0: the kernel is left as it is
	}{
		{core.Aval(core.Float32, 9, 3, 40), []int{0, 2}, 27},
		{core.Aval(core.Float32, 40, 2), []int{0}, 0},
		{core.Aval(core.Float64, 33, 300, 33), []int{0, 2}, 33 * 300},
		{core.Aval(core.Float32, 5, 1100, 64), []int{0, 2}, 5 * 1100},
		{core.Aval(core.BFloat16, 20, 3, 50, 6), []int{0, 2}, 20 * 3 * 6},
		{core.Aval(core.Int8, 6, 2, 5, 3, 40), []int{0, 2, 4}, 6 * 2 * 3},
		{core.Aval(core.Float32, 3, 2, 70_000), []int{0, 2}, 3 * 2},
		{core.Aval(core.Float32, 9, 3, 31), []int{0, 2}, 0}, // short
	} {
		for i, j := range columnPrograms(c.in, c.axes...) {
			args := []*reference.Tensor{draw(r, c.in, finite)}
			want := unboxed(jaxpr.Eval(j, nil, []core.Value{runtime.FromTensor(args[0])}))
			plan := fuse.Translate(j, fuse.Device(divides(false)))
			same(t, "nested", j, plan, args, want)
			var rows int64
			for _, k := range plan.Kernels() {
				if strings.Contains(k.Name, "_elements") {
					rows = 1
					for _, d := range k.Grid {
						rows *= d.Extent.Value
					}
					break
				}
			}
			if rows < c.rows || c.rows == 0 && rows != 0 {
				t.Errorf("%v, program %d: got %d points of inner reductions, want %d\n%v", c.in.Full(), i, rows, c.rows, plan)
			}
		}
	}
}

// partsOf returns how many parts a plan's divided reductions have, 0 if there are none.
func partsOf(plan *fuse.Plan) int64 {
	for _, k := range plan.Kernels() {
		if _, columns := k.Body[len(k.Body)-1].(*ir.Loop); !strings.HasSuffix(k.Name, "_parts") {
			continue
		} else if columns {
			return k.Grid[0].Extent.Value
		}
		return k.Grid[len(k.Grid)-1].Extent.Value
	}
	return 0
}

// The sum of −0 alone is +0, as of any fold that begins with +0.
func TestSumOfNegativeZero(t *testing.T) {
	for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Complex64} {
		b := jaxpr.NewBuilder()
		in := core.Aval(dt, 1, 5)
		j := b.Build(b.Eqn(prim.ReduceSumP{Axes: core.MakeDims(0)}, b.Input(in))[0])
		x := reference.NewTensor(in)
		size := dt.Size()
		if dt.IsComplex() {
			size /= 2
		}
		for i := size - 1; i < len(x.Data); i += size {
			x.Data[i] = 0x80
		}
		compare(t, dt.String(), j, []*reference.Tensor{x})
	}
}
