package device_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// drawLate returns numbers. Some of them, close to the end and to the beginning of rows, are
// infinite, NaN or −0.
func drawLate(r *rand.Rand, a core.ShapedArray) *runtime.Array {
	x := drivertest.Draw(r, a, primtest.Domain{Lo: 0.96, Hi: 1.04})
	if !a.DType.IsFloat() {
		return x
	}
	v := x.Tensor()
	n, size := a.Size(), a.DType.Size()
	for i, s := range []float64{math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN()} {
		elem.Put(v.Data[(n-400+90*i)*size:], core.FloatNumber(s), a.DType)
	}
	return x
}

// Running folds of few long rows are divided among groups and keep the reference's bits, for every
// operation, type and direction, in rows and in columns.
func TestDividedRunningFolds(t *testing.T) {
	race.Values(t)
	t.Parallel()
	r := rand.New(rand.NewPCG(21, 4))
	devices := []runtime.Executor{deviceOf(t), device.New(&drivertest.Simulated{PTX: true})}
	dtypes := []core.DType{core.Float32, core.Float64, core.Float16, core.BFloat16, core.Int8, core.Uint16, core.Int32, core.Uint64, core.Complex64}
	n := 0
	for i, dt := range dtypes {
		for j, p := range []func(c prim.Cumulation) core.Primitive{
			func(c prim.Cumulation) core.Primitive { return prim.CumsumP{Cumulation: c} },
			func(c prim.Cumulation) core.Primitive { return prim.CumprodP{Cumulation: c} },
			func(c prim.Cumulation) core.Primitive { return prim.CummaxP{Cumulation: c} },
			func(c prim.Cumulation) core.Primitive { return prim.CumminP{Cumulation: c} },
		} {
			if dt.IsComplex() && j > 1 {
				continue
			}
			n++
			shape, c := []int{32768 + n*n%5}, prim.Cumulation{Reverse: (i+j)%2 == 1}
			switch (i + j) % 4 {
			case 1:
				shape, c.Axis = []int{2, 32768 + n%3}, 1
			case 2:
				shape = []int{32768 + n%3, 2}
			}
			a := core.Aval(dt, shape...)
			b := jaxpr.NewBuilder()
			y := b.Eqn(p(c), b.Input(a))[0]
			acc := drivertest.Compare(t, devices[n%2], b.Build(y), []*runtime.Array{drawLate(r, a)}, []string{p(c).Name() + " of " + a.String()})
			if j != 1 && acc.Kernels < 3 || len(acc.Fallbacks) != 0 {
				t.Errorf("%s of %v: %d kernels and fallbacks %v, want 3 and none", p(c).Name(), a, acc.Kernels, acc.Fallbacks)
			}
		}
	}
}

// Running folds are divided in loops, scans and branches, too, and with operations before and after.
func TestDividedRunningFoldsInControl(t *testing.T) {
	race.Values(t)
	t.Parallel()
	d := weft.DeviceNamed(simulated().Name())
	x := weft.Sin(weft.Linspace(0, 500, 33000))
	for name, f := range map[string]func(x weft.Array) weft.Array{
		"computed": func(x weft.Array) weft.Array { return x.Mul(x).CumSum(0).Sub(x) },
		"loop": func(x weft.Array) weft.Array {
			return weft.ForI(2, func(_, x weft.Array) weft.Array { return x.CumMax(0).Mul(0.5) }, x)
		},
		"while": func(x weft.Array) weft.Array {
			return weft.While(func(x weft.Array) weft.Array { return x.At(32999).Get().Lt(3000) }, func(x weft.Array) weft.Array { return x.CumSum(0).Add(1) }, x)
		},
		"scan": func(x weft.Array) weft.Array {
			y, _ := weft.ScanN(func(x weft.Array) (weft.Array, weft.Array) { y := x.CumSum(0); return y.Mul(1e-3), y.Max() }, x, 2)
			return y
		},
		"branch": func(x weft.Array) weft.Array {
			return weft.Cond(x.At(0).Get().Lt(2), func() weft.Array { return x.CumSum(0) }, func() weft.Array { return x })
		},
	} {
		want := weft.ToSlice[float32](f(x))
		if got := weft.ToSlice[float32](weft.Jit(f, weft.On(d))(x.To(d))); !slices.EqualFunc(got, want, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }) {
			t.Errorf("%s differs", name)
		}
	}
}

// A vector is divided twice if it has more totals than one group folds in a round.
func TestDividedTwice(t *testing.T) {
	for n, want := range map[int]int{1 << 20: 3, 1 << 27: 5, 32767: 1} {
		b := jaxpr.NewBuilder()
		j := b.Build(b.Eqn(prim.CumsumP{}, b.Input(core.Aval(core.Float32, n)))[0])
		if got := len(device.Functions(fuse.Translate(j, fuse.Target{}), schedule.Device{})); got != want {
			t.Errorf("%d elements: %d kernels, want %d", n, got, want)
		}
	}
}
