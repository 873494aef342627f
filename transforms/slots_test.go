package transforms_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/runtime"
)

// More than 16 residuals of a kind are packed into one array. The gradient of a conditional has the
// bits of its branch's, of every dtype and shape of residuals, eagerly, staged and mapped.
func TestPackedResiduals(t *testing.T) {
	race.Values(t)
	type a = weft.Array
	bits := func(x a) []byte { return x.Value().(*runtime.Array).Tensor().Data }
	repeated := func(x a, step func(k int, x a) a) a {
		for k := range 20 {
			x = step(k, x)
		}
		return x
	}
	sines := func(dt weft.DType) func(x a) a {
		return func(x a) a {
			return repeated(x.AsType(dt), func(k int, x a) a { return weft.Sin(x).Mul(1 + 0.01*float64(k)) }).Real().AsType(weft.Float32)
		}
	}
	chosen := samples.Named(t, 8)
	for name, f := range map[string]func(x a) a{
		"float16": sines(weft.Float16), "bfloat16": sines(weft.BFloat16), "float32": sines(weft.Float32), "float64": sines(weft.Float64),
		"complex64": sines(weft.Complex64), "complex128": sines(weft.Complex128),
		"bool": func(x a) a {
			return repeated(x, func(k int, x a) a { return weft.Where(x.Gt(0.1*float64(k)), x.Mul(1.25), x.Mul(0.75)) })
		},
		"int32": func(x a) a {
			return repeated(x, func(k int, x a) a {
				return weft.Switch(x.Sum().Mul(7).AsType(weft.Int32).Mod(2), func() a { return weft.Sin(x) }, func() a { return x.Mul(0.75) })
			})
		},
		"kinds together": func(x a) a {
			return repeated(x, func(k int, x a) a {
				return weft.Where(x.Gt(0.1*float64(k)), weft.Sin(x.AsType(weft.Float64)).AsType(weft.Float32), weft.Exp(x.Mul(-1)))
			})
		},
	} {
		for _, shape := range [][]int{{}, {1}, {3}, {0}, {2, 2}} {
			if !chosen(fmt.Sprint(name, shape)) {
				continue
			}
			x := weft.Linspace(0.3, 0.9, weft.Zeros(shape...).Size()).AsType(weft.Float32).Reshape(shape...)
			other := func(x a) a { return weft.Cos(weft.Exp(x)) }
			cond := func(p, x a) a { return weft.Cond(p, func() a { return f(x) }, func() a { return other(x) }).Sum() }
			grad := func(x, p a) a { return weft.Grad(func(x a) a { return cond(p, x) })(x) }
			packs := name == "int32" || len(shape) <= 1 && x.Size() > 0 // the index of a Switch is a scalar
			if text := fmt.Sprint(weft.Jaxpr(grad, x, weft.Of(true).Index(0))); strings.Contains(text, "concatenate") != packs {
				t.Errorf("%s of shape %v: packed residuals: got %t, want %t", name, shape, !packs, packs)
			}
			for _, p := range []bool{true, false} {
				branch := other
				if p {
					branch = f
				}
				want := weft.Grad(func(x a) a { return branch(x).Sum() })(x)
				q := weft.Of(p).Index(0)
				for way, got := range map[string]a{
					"eager":  grad(x, q),
					"staged": weft.Jit(grad)(x, q),
					"mapped": weft.Vmap(grad, weft.In(weft.None, 0))(x, weft.Of(p, !p)).Index(0),
				} {
					if arraycheck.TypeText(got) != arraycheck.TypeText(want) || !bytes.Equal(bits(got), bits(want)) {
						t.Errorf("%s of shape %v, %t, %s: got %s %v, want %s %v", name, shape, p, way, arraycheck.TypeText(got), got, arraycheck.TypeText(want), want)
					}
				}
			}
		}
	}
}

// Up to 16 residuals are results of their own, as in JAX, whose conditionals have n + 1 results for every n.
// More are one array.
func TestPackedResidualsCount(t *testing.T) {
	for n, want := range map[int]int{1: 2, 15: 16, 16: 17, 17: 2, 20: 2} {
		j := programOf(t, weft.Grad(func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0), func() weft.Array {
				y := x
				for range n {
					y = weft.Sin(y)
				}
				return y
			}, func() weft.Array { return x })
		}), weft.Scalar(float32(0.5)))
		for _, e := range j.Eqns {
			if e.Prim.Name() == "cond" {
				if got := len(e.Outs); got != want {
					t.Errorf("%d residuals: the conditional has %d results, want %d", n, got, want)
				}
				break
			}
		}
	}
}
