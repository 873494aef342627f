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
	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// Under Fast, products of bf16 lie within the stated error of the exact ones: every
// layout, odd and even numbers of terms, operands at guard pages, one thread and several, which
// have the same bits.
func TestFastProducts(t *testing.T) {
	e, ok := runtime.Named("avx512")
	if !ok || e.Available() != nil || !native.CPU().BF16 {
		t.Skip("the processor has no products of bf16")
	}
	o := newOperation(t, 12, 2)
	ctx := context.Background()
	fast, ran := 0, 0
	for range rounds(400) {
		q, in := o.dot(core.BFloat16, func(kind int) int {
			if o.r.IntN(4) == 0 {
				return 1 + o.r.IntN(8)
			}
			return 16 + o.r.IntN(70)
		})
		q.Preferred = []core.DType{core.Invalid, core.Float32}[o.r.IntN(2)]
		build := func(wide, abs bool) *jaxpr.Jaxpr {
			b := jaxpr.NewBuilder()
			atoms := make([]jaxpr.Atom, 2)
			for i, a := range in {
				atoms[i] = b.Input(a)
				if wide {
					atoms[i] = b.Eqn(prim.ConvertElementTypeP{NewDType: core.Float64}, atoms[i])[0]
				}
				if abs {
					atoms[i] = b.Eqn(prim.AbsP{}, atoms[i])[0]
				}
			}
			p := q
			if wide {
				p.Preferred = core.Invalid
			}
			return b.Build(b.Eqn(p, atoms...)[0])
		}
		j := build(false, false)
		out := j.OutAvals()[0]
		k := q.LhsContract.Map(in[0].Shape.At).Size()
		if max(in[0].Size(), in[1].Size(), 4*out.Size()) > 1<<20 || out.Size()*k > 1<<24 {
			continue
		}
		ran++
		args := make([]*runtime.Array, 2)
		for i, a := range in {
			args[i] = o.mem[i].array(a, o.r.IntN(2) == 0)
			fill(o.r, args[i], false)
		}
		eval := func(j *jaxpr.Jaxpr) *runtime.Array {
			r, err := runtime.Evaluate(ctx, runtime.Reference, j, args)
			if err != nil {
				t.Fatal(err)
			}
			return r[0]
		}
		exact, size := eval(build(true, false)), eval(build(true, true))
		var first []byte
		for _, threads := range []int{1, 3} {
			x, err := e.Compile(&runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: threads, Precision: runtime.Fast}})
			if err != nil {
				t.Fatal(err)
			}
			got := []*runtime.Array{o.mem[2].array(out, o.r.IntN(2) == 0)}
			if err := x.Run(ctx, args, got); err != nil {
				t.Fatal(err)
			}
			data := got[0].Tensor().Data
			if first == nil {
				first = append([]byte(nil), data...)
			} else if string(first) != string(data) {
				t.Fatalf("%d threads have other bits than one: %v", threads, j)
			}
			for i := range out.Size() {
				at := func(a *runtime.Array) float64 {
					z := a.Aval().DType.Size()
					x, _ := elem.Get(a.Tensor().Data[i*z:], a.Aval().DType)
					return x.Float()
				}
				y, want, bound := at(got[0]), at(exact), (float64(k)+9)*0x1p-22*at(size)
				if out.DType == core.BFloat16 {
					bound += 0x1p-8 * (math.Abs(want) + bound)
				}
				if !(math.Abs(y-want) <= bound) {
					t.Fatalf("element %d: got %g, want %g ± %g\n%v", i, y, want, bound, j)
				}
			}
		}
		if string(first) != string(eval(j).Tensor().Data) {
			fast++
		}
	}
	if fast < ran/8 {
		t.Errorf("%d of %d products have other bits than the reference's", fast, ran)
	}
}
