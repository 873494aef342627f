package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// slowCumulate returns the running fold of a row: chunks of 32 in order from the
// identity, then offset ∘ local, the offsets being the running fold of the totals.
func slowCumulate[A block.Float](op slowOp[A], v []A) []A {
	y := make([]A, len(v))
	var totals []A
	for lo := 0; lo < len(v); lo += 32 {
		local := op.id
		for i := lo; i < min(lo+32, len(v)); i++ {
			local = op.do(local, v[i])
			y[i] = local
		}
		totals = append(totals, local)
	}
	if len(totals) > 1 {
		totals = slowCumulate(op, totals)
	}
	for i := 32; i < len(v); i++ {
		y[i] = op.do(totals[i/32-1], y[i])
	}
	return y
}

func reversed[A any](v []A) []A {
	y := make([]A, len(v))
	for i, x := range v {
		y[len(v)-1-i] = x
	}
	return y
}

func TestCumulateOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{0, 1, 2, 31, 32, 33, 64, 65, 255, 256, 257, 511, 512, 513, 1025, 70001} {
		shapes := [][]int{{n}, {2, n}, {n, 3}, {2, n, 2}}
		if n > 2000 { // the totals make chunks, and theirs, too
			shapes = [][]int{{n}, {n, 2}}
		}
		for _, shape := range shapes {
			axis := len(shape) - 1
			if shape[axis] != n || len(shape) == 3 {
				axis = len(shape) - 2
			}
			for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16} {
				x := block.NewTensor(core.Aval(dt, shape...))
				draw(r, x, r.IntN(3) == 0)
				for _, reverse := range []bool{false, true} {
					c := prim.Cumulation{Axis: axis, Reverse: reverse}
					checkCumulate(t, apply(t, prim.CumsumP{Cumulation: c}, x)[0], x, c, true)
					checkCumulate(t, apply(t, prim.CumprodP{Cumulation: c}, x)[0], x, c, false)
				}
			}
		}
	}
}

func checkCumulate(t *testing.T, got, x *block.Tensor, c prim.Cumulation, sum bool) {
	t.Helper()
	want := block.NewTensor(x.ShapedArray)
	f, _ := floatsOf(x)
	outer, n, inner := around(x.Shape, c.Axis)
	for o := range outer {
		for j := range inner {
			col := make([]float64, n)
			for i := range n {
				col[i] = f[(o*n+i)*inner+j]
			}
			if c.Reverse {
				col = reversed(col)
			}
			if x.DType == core.Float64 {
				op := slowMul[float64]()
				if sum {
					op = slowAdd[float64]()
				}
				col = slowCumulate(op, col)
			} else {
				op := slowMul[float32]()
				if sum {
					op = slowAdd[float32]()
				}
				single := make([]float32, n)
				for i, v := range col {
					single[i] = float32(v)
				}
				for i, v := range slowCumulate(op, single) {
					col[i] = float64(v)
				}
			}
			if c.Reverse {
				col = reversed(col)
			}
			for i, v := range col {
				f[(o*n+i)*inner+j] = v
			}
		}
	}
	setFloats(want, f)
	if !sameBits(got, want) {
		t.Errorf("%v %+v sum=%v: got %x, want %x", x, c, sum, head(got), head(want))
	}
}

// TestCumulateChoices: running maxima and minima are those of the elements so far.
func TestCumulateChoices(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	for _, dt := range []core.DType{core.Float32, core.Float16, core.Int8, core.Uint64, core.Int4} {
		x := block.NewTensor(core.Aval(dt, 600))
		draw(r, x, true)
		top := apply(t, prim.CummaxP{}, x)[0]
		low := apply(t, prim.CumminP{Cumulation: prim.Cumulation{Reverse: true}}, x)[0]
		for i := range 600 {
			if i%37 != 0 {
				continue
			}
			d := core.MakeDims(0)
			hi := apply(t, prim.ReduceMaxP{Axes: d}, vector(x, 0, i+1))[0]
			lo := apply(t, prim.ReduceMinP{Axes: d}, vector(x, i, 600-i))[0]
			if string(hi.Data) != string(vector(top, i, 1).Data) || string(lo.Data) != string(vector(low, i, 1).Data) {
				t.Errorf("%v: position %d differs", dt, i)
			}
		}
	}
}

// Sums and cumulative sums of 10⁷ equal numbers stay near the exact ones.
func TestSumOfEqualNumbers(t *testing.T) {
	const n = 1e7
	for _, v := range []float32{0.1, 1.0 / 3, 1e-3} {
		x := block.NewTensor(core.Aval(core.Float32, n))
		block.FillRun(block.View[float32](x), v)
		off := func(got float32, k int) float64 { return math.Abs(float64(got)/(float64(v)*float64(k)) - 1) }
		sum := func(shape []int, axes ...int) float32 {
			x := &block.Tensor{ShapedArray: core.Aval(core.Float32, shape...), Data: x.Data}
			y := apply(t, prim.ReduceSumP{Axes: core.MakeDims(axes...)}, x)[0]
			return block.View[float32](y)[0]
		}
		for _, c := range []struct {
			shape, axes []int
			n           int
		}{{[]int{n}, []int{0}, n}, {[]int{n / 2, 2}, []int{0}, n / 2}, {[]int{1000, 1e4}, []int{0, 1}, n}} {
			if e := off(sum(c.shape, c.axes...), c.n); e > 0x1p-23 {
				t.Errorf("sum of %d times %g in %v is off by %.2g, want at most an ε", c.n, v, c.shape, e)
			}
		}
		for _, shape := range [][]int{{n}, {n / 2, 2}} {
			y := block.View[float32](apply(t, prim.CumsumP{}, &block.Tensor{ShapedArray: core.Aval(core.Float32, shape...), Data: x.Data})[0])
			worst := 0.0
			for i := 0; i < len(y); i += len(y) / shape[0] {
				worst = max(worst, off(y[i], i/(len(y)/shape[0])+1))
			}
			// A prefix passes 5 levels of chunks of 32, whose roundings all have one sign for equal numbers.
			if worst > 1.1e-6 {
				t.Errorf("cumulative sum of %g in %v is off by %.2g, want at most 1.1e-6", v, shape, worst)
			}
		}
	}
}
