package transforms_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// A call with a batching rule that only its text has is transposed as its function is, also
// under a batch, where the rule would be needed.
func TestTransposeOfBatchingRuleWithoutFunction(t *testing.T) {
	number := core.Aval(core.Float64)
	triple := trace.Stage("f", []core.ShapedArray{number}, func(in []val) []val { return []val{prim.Mul(in[0], num64(3))} })
	f := func(in []val) []val {
		return core.Bind(&jaxpr.CustomVmap{Fn: "f", RuleName: "rule", Jaxpr: triple}, in...)
	}
	transposed := func(cts []val) []val {
		_, transpose := transforms.LinearTranspose(f, []core.ShapedArray{number})
		return transpose(cts)
	}
	outs, mapped := transforms.Vmap(3, "", transposed, []val{runtimeOf(1, 2, 4)}, []bool{true})
	if !mapped[0] {
		t.Fatal("got a result that is not mapped")
	}
	for i, want := range []float64{3, 6, 12} {
		if got, _ := golden.Concrete(outs[0]).At(i); got.Float() != want {
			t.Errorf("element %d: got %v, want %v", i, got, want)
		}
	}
}

// What a branch's rule closes over is not differentiated because what another branch's rule
// closes over is: zero times its infinite cotangent would be NaN.
func TestResidualsOfWhatBranchesCloseOver(t *testing.T) {
	derivative := func(p, z weft.Array) weft.Array {
		_, d := weft.JVP(func(y weft.Array) weft.Array {
			scaled := func(k weft.Array) func(weft.Array) weft.Array {
				return custom.JVP(func(x weft.Array) weft.Array { return x }, func(x, dx weft.Array) (weft.Array, weft.Array) {
					return x, dx.Mul(weft.Sin(k))
				})
			}
			return weft.Grad(func(x weft.Array) weft.Array {
				return weft.Sqrt(weft.Cond(p, func() weft.Array { return scaled(y)(x) }, func() weft.Array { return scaled(z)(x) }))
			})(weft.Scalar(float32(0)))
		}, weft.Scalar(float32(1)), weft.Scalar(float32(1)))
		return d
	}
	no, two := weft.Of(false).Index(0), weft.Scalar(float32(2))
	for name, f := range map[string]func(p, z weft.Array) weft.Array{"eager": derivative, "jit": weft.Jit(derivative)} {
		if got := f(no, two).Float(); got != 0 {
			t.Errorf("%s: got the derivative %v of a branch that is not taken, want 0", name, got)
		}
	}
}

// A program is batched anew by each batch, also by two of one size, one in the other, where its
// rule closes over a value of the outer one.
func TestOneProgramUnderTwoBatches(t *testing.T) {
	xs, v := weft.Of[float32](1, 2, 3), weft.Of[float32](10, 20, 40)
	f := func(w weft.Array) weft.Array {
		return weft.Vmap(func(x weft.Array) weft.Array {
			j := trace.Stage("g", []core.ShapedArray{w.Value().Aval()}, func(in []val) []val {
				g := custom.JVP(weft.Sin, func(y, dy weft.Array) (weft.Array, weft.Array) { return y, dy.Mul(x) })
				return []val{g(weft.FromValue(in[0])).Value()}
			})
			g := func(y weft.Array) weft.Array { return weft.FromValue(core.Bind1(jitOf(j), y.Value())) }
			return g(x.Mul(w)).Add(weft.Vmap(g)(v.Mul(w)).Sum())
		})(xs).Sum()
	}
	want := float64(1 + 4 + 9 + (1+2+3)*(10+20+40))
	for name, d := range map[string]func(weft.Array) weft.Array{"eager": weft.Grad(f), "jit": weft.Jit(weft.Grad(f))} {
		if got := d(weft.Scalar(float32(0.5))).Float(); got != want {
			t.Errorf("%s: got the derivative %v, want %v", name, got, want)
		}
	}
}
