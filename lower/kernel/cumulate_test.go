package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
)

// slowCumulate returns the running fold of a row: chunks of 256 in order from the
// identity, then the last result of the chunk before ∘ what the chunk gave.
func slowCumulate[A float](op slowOp[A], v []A) []A {
	y := make([]A, len(v))
	var offset A
	for lo := 0; lo < len(v); lo += 256 {
		local := op.id
		hi := min(lo+256, len(v))
		for i := lo; i < hi; i++ {
			local = op.do(local, v[i])
			y[i] = local
			if lo > 0 {
				y[i] = op.do(offset, local)
			}
		}
		offset = y[hi-1]
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
	for _, n := range []int{0, 1, 2, 255, 256, 257, 511, 512, 513, 1025} {
		for _, shape := range [][]int{{n}, {2, n}, {n, 3}, {2, n, 2}} {
			axis := len(shape) - 1
			if shape[axis] != n || len(shape) == 3 {
				axis = len(shape) - 2
			}
			for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16} {
				x := NewTensor(core.Aval(dt, shape...))
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

func checkCumulate(t *testing.T, got, x *Tensor, c prim.Cumulation, sum bool) {
	t.Helper()
	want := NewTensor(x.ShapedArray)
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
		x := NewTensor(core.Aval(dt, 600))
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
