package transforms_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// Residuals that pass through many programs are packed. Gradients of programs within each other have the bits of the
// same operations without programs, of each dtype and shape, in each construct and in mixtures of them.
func TestResidualsOfDeepProgramsBits(t *testing.T) {
	race.Values(t)
	type a = weft.Array
	bits := func(x a) []byte { return x.Value().(*runtime.Array).Tensor().Data }
	const depth = 40
	scan := func(f scalarFunc) scalarFunc {
		return func(x a) a {
			c, _ := weft.ScanN(func(x a) (a, a) { return f(x), x }, x, 1)
			return c
		}
	}
	plain := func(f scalarFunc) scalarFunc { return f }
	wrap := func(wraps ...func(scalarFunc) scalarFunc) func(scale float64) scalarFunc {
		return func(scale float64) scalarFunc {
			k := 0
			return nested(depth, func(f scalarFunc) scalarFunc {
				w := wraps[k%len(wraps)]
				k++
				return w(func(x a) a { return weft.Sin(f(x)).Mul(scale) })
			})
		}
	}
	jit := func(f scalarFunc) scalarFunc { return weft.Jit(f) }
	call := func(f scalarFunc) scalarFunc { return weft.Call(f) }
	remat := func(f scalarFunc) scalarFunc { return weft.Remat(f) }
	cond := func(f scalarFunc) scalarFunc {
		return func(x a) a { return weft.Cond(x.Real().Sum().Gt(-9), func() a { return f(x) }, func() a { return x }) }
	}
	vmapped := func(f scalarFunc) scalarFunc { return custom.Vmap[a, a](f, nil) }
	chosen := samples.Named(t, 20)
	for name, fs := range map[string][2]func(float64) scalarFunc{
		"Jit":                    {wrap(plain), wrap(jit)},
		"Call":                   {wrap(plain), wrap(call)},
		"Scan":                   {wrap(plain), wrap(scan)},
		"custom.Vmap":            {wrap(plain), wrap(vmapped)},
		"Jit, Scan":              {wrap(plain), wrap(jit, scan)},
		"Jit, Remat, Call, Cond": {wrap(plain), wrap(jit, remat, call, cond)},
	} {
		for _, dt := range []weft.DType{weft.Float16, weft.Float32, weft.Float64, weft.Complex64} {
			for _, shape := range [][]int{{}, {3}, {2, 2}} {
				if !chosen(fmt.Sprint(name, dt, shape)) {
					continue
				}
				x := weft.Linspace(0.3, 0.9, weft.Zeros(shape...).Size()).AsType(dt).Reshape(shape...)
				grad := func(f scalarFunc) scalarFunc {
					return weft.Grad(func(x a) a { return f(x).Real().Sum() })
				}
				want, g := grad(fs[0](1.01))(x), grad(fs[1](1.01))
				for way, got := range map[string]a{
					"eager":  g(x),
					"staged": weft.Jit(g)(x),
					"mapped": weft.Vmap(g)(weft.Stack(0, x, x)).Index(1),
				} {
					if arraycheck.TypeText(got) != arraycheck.TypeText(want) || !bytes.Equal(bits(got), bits(want)) {
						t.Errorf("%s, %v%v, %s: got %v, want %v", name, dt, shape, way, got, want)
					}
				}
			}
		}
	}
}

// Reverse rules read what they close over of programs that pass packed residuals on.
func TestClosuresInDeepProgramsBits(t *testing.T) {
	type a = weft.Array
	scaled := func(s a) scalarFunc { // the rules close over s
		return custom.VJP(func(y a) a { return s.Mul(y) }, func(y a) (a, a) { return s.Mul(y), weft.Cos(y) },
			func(c, ct a) a { return ct.Mul(c).Add(ct.Mul(weft.Sin(s))) })
	}
	gradient := func(wrap func(f func(x, s a) a) func(x, s a) a) a {
		f := func(x, s a) a { return weft.Sin(x) }
		for range 40 {
			g := f
			f = wrap(func(x, s a) a { return scaled(weft.Cos(s))(weft.Sin(g(x, s))) })
		}
		return weft.Jit(func(s a) a { return weft.Grad(func(x a) a { return f(x, s) })(weft.Scalar(float32(0.5))) })(weft.Scalar(float32(0.75)))
	}
	want := gradient(func(f func(x, s a) a) func(x, s a) a { return f })
	for name, wrap := range map[string]func(f func(x, s a) a) func(x, s a) a{
		"Jit": func(f func(x, s a) a) func(x, s a) a { return weft.Jit(f) },
		"Scan": func(f func(x, s a) a) func(x, s a) a {
			return func(x, s a) a {
				c, _ := weft.ScanN(func(x a) (a, a) { return f(x, s), x }, x, 1)
				return c
			}
		},
	} {
		if got := gradient(wrap); got.Float() != want.Float() {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// In up to 16 nested programs each residual is a result of its own, as in JAX. In deeper ones, the residuals that a program passes on are packed
// into one array if they are more than 16.
func TestResidualsOfDeepProgramsCount(t *testing.T) {
	for depth, want := range map[int]int{2: 4, 16: 18, 17: 3, 18: 4, 40: 10} {
		f := nested(depth, func(f scalarFunc) scalarFunc {
			return weft.Jit(func(x weft.Array) weft.Array { return weft.Sin(f(x)) })
		})
		j := programOf(t, weft.Grad(func(x weft.Array) weft.Array { return f(x) }), weft.Scalar(float32(0.5)))
		for _, e := range j.Eqns {
			if jit, ok := e.Prim.(*jaxpr.Jit); ok {
				if got := len(jit.Jaxpr.Outs); got != want {
					t.Errorf("%d calls: got %d results of the outer one, want %d: %s", depth, got, want, fmt.Sprint(jit.Jaxpr.OutAvals()))
				}
				break
			}
		}
	}
}
