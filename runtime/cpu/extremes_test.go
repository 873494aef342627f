//go:build linux

package cpu_test

import (
	"context"
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// The position of an extreme is that of the first one, also where all elements are the
// worst there is, and that of the first NaN where there are several.
func TestPositionsOfExtremes(t *testing.T) {
	r := newOperation(t, 15, 0).r
	for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Int32, core.Uint8} {
		numbers := []float64{math.Inf(-1), math.Inf(1), -1, 0, 1, 2, 3}
		if !dt.IsFloat() {
			numbers = []float64{0, 1, 2, 255}
		}
		for n := 1; n <= 150; n += 1 + n/8 {
			b := jaxpr.NewBuilder()
			x := b.Input(core.Aval(dt, 6, n))
			axes := core.MakeDims(1)
			j := b.Build(b.Eqn(prim.ArgmaxP{Axes: axes, Index: core.Int32}, x)[0], b.Eqn(prim.ArgminP{Axes: axes, Index: core.Int64}, x)[0])
			a := runtime.New(x.Aval())
			data, size := a.Tensor().Data, dt.Size()
			for i := range 6 * n {
				v := numbers[r.IntN(len(numbers))]
				switch i / n {
				case 0: // all the worst of one kind
					v = numbers[0]
				case 1: // … of the other
					v = numbers[1]
				case 2: // many ties
					v = numbers[2+r.IntN(2)]
				case 3, 4:
					if dt.IsFloat() && r.IntN(n) < 2 {
						v = math.NaN()
					}
				}
				elem.Put(data[i*size:], core.FloatNumber(v), dt)
			}
			sameInAll(t, j, a)
		}
	}
}

// The extremes of numbers and zeros of both signs have the reference's bits, NaN if there is one.
func TestZerosOfExtremes(t *testing.T) {
	r := newOperation(t, 16, 0).r
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Float16, core.BFloat16} {
		for n := 1; n <= 150; n += 1 + n/8 {
			a := runtime.New(core.Aval(dt, 8, n))
			data, size := a.Tensor().Data, dt.Size()
			zeros := []float64{0, math.Copysign(0, -1)}
			for i := range 8 * n {
				v := zeros[r.IntN(2)]
				switch row := i / n; row {
				case 0, 1: // zeros of one sign
					v = zeros[row]
				case 2: // one of the other
					v = zeros[min(1, r.IntN(n))]
				case 3: // besides, smaller numbers
					v -= float64(r.IntN(2))
				case 4: // greater ones
					v += float64(r.IntN(2))
				case 5:
					if r.IntN(n) < 2 {
						v = math.NaN()
					}
				case 6:
					v = math.Inf(1 - 2*r.IntN(2))
				}
				elem.Put(data[i*size:], core.FloatNumber(v), dt)
			}
			axes := core.MakeDims(1)
			for _, ps := range [][]core.Primitive{{prim.ReduceMaxP{Axes: axes}}, {prim.ReduceMinP{Axes: axes}}, {prim.ReduceMaxP{Axes: axes}, prim.ReduceMinP{Axes: axes}}} {
				b := jaxpr.NewBuilder()
				x := b.Input(a.Aval())
				var outs []jaxpr.Atom
				for _, p := range ps {
					outs = append(outs, b.Eqn(p, x)[0])
				}
				sameInAll(t, b.Build(outs...), a)
			}
		}
	}
}

// sameInAll compares what the executors compute of a with the reference.
func sameInAll(t *testing.T, j *jaxpr.Jaxpr, a *runtime.Array) {
	t.Helper()
	args := []*runtime.Array{a}
	want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range runtime.Executors() {
		if e.Available() != nil {
			continue
		}
		got, err := runtime.Evaluate(context.Background(), e, j, args)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if string(got[i].Tensor().Data) != string(want[i].Tensor().Data) {
				t.Errorf("%s, %v, result %d: %s", e.Name(), a.Aval(), i, difference(got[i], want[i]))
			}
		}
	}
}
