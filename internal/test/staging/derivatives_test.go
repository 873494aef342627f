package staging_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/race"
)

var (
	derivativeSeeds = flag.Int("derivatives", 50, "how many random programs are differentiated at once and staged")
	derivativesFrom = flag.Uint64("derivatives.from", 0, "the seed of the first")
	derivativeDepth = flag.Int("derivatives.depth", 3, "wrappers within wrappers")
	derivativeWays  = flag.Int("derivatives.ways", 5, "in how many of the five ways each program is differentiated")
)

// env is a whole environment: functions of it take all that is in scope.
type env []weft.Array

// program is a random function of an environment.
type program struct {
	text string
	run  func(env) env
}

// randomProgram returns a function of n variables to n variables; each wrapper applies to the
// whole environment.
func randomProgram(r *rand.Rand, n, depth int) program {
	var steps []program
	for range 1 + r.IntN(3) {
		steps = append(steps, randomStep(r, n, depth))
	}
	var texts []string
	for _, s := range steps {
		texts = append(texts, s.text)
	}
	return program{strings.Join(texts, "; "), func(e env) env {
		for _, s := range steps {
			e = s.run(e)
		}
		return e
	}}
}

func randomStep(r *rand.Rand, n, depth int) program {
	i, j, k := r.IntN(n), r.IntN(n), r.IntN(n)
	set := func(e env, v weft.Array) env {
		e = append(env(nil), e...)
		e[k] = v
		return e
	}
	if depth == 0 || r.IntN(3) == 0 {
		switch r.IntN(12) {
		case 7:
			return program{fmt.Sprintf("v%d=stop(v%d)", k, i), func(e env) env { return set(e, weft.StopGradient(e[i])) }}
		case 8:
			return program{fmt.Sprintf("v%d=-stop(v%d)*v%d", k, i, j), func(e env) env { return set(e, weft.StopGradient(e[i]).Neg().Mul(e[j])) }}
		case 9:
			return program{fmt.Sprintf("v%d=zeros", k), func(e env) env { return set(e, weft.ZerosLike(e[k])) }}
		case 10:
			return program{fmt.Sprintf("v%d=where(v%d>0,v%d,v%d)", k, i, j, i), func(e env) env { return set(e, weft.Where(e[i].Gt(0), e[j], e[i])) }}
		case 0:
			return program{fmt.Sprintf("v%d=v%d*v%d", k, i, j), func(e env) env { return set(e, e[i].Mul(e[j])) }}
		case 1:
			return program{fmt.Sprintf("v%d=v%d+v%d", k, i, j), func(e env) env { return set(e, e[i].Add(e[j])) }}
		case 2:
			return program{fmt.Sprintf("v%d=sin(v%d)", k, i), func(e env) env { return set(e, weft.Sin(e[i])) }}
		case 3:
			return program{fmt.Sprintf("v%d=v%d-0.5*v%d", k, i, j), func(e env) env { return set(e, e[i].Sub(e[j].Mul(0.5))) }}
		case 4:
			return program{fmt.Sprintf("v%d=tanh(v%d)*v%d", k, i, i), func(e env) env { return set(e, weft.Tanh(e[i]).Mul(e[i])) }}
		case 5:
			return program{fmt.Sprintf("v%d=v%d", k, i), func(e env) env { return set(e, e[i]) }}
		case 6:
			return program{fmt.Sprintf("v%d=-0.75", k), func(e env) env { return set(e, e[k].Mul(0).Sub(0.75)) }}
		default:
			return program{fmt.Sprintf("v%d=max(v%d,v%d)", k, i, j), func(e env) env { return set(e, weft.Maximum(e[i], e[j])) }}
		}
	}
	f := randomProgram(r, n, depth-1)
	wrap := func(name string, run func(env) env) program { return program{name + "{" + f.text + "}", run} }
	again := func(g func(env) env) func(env) env { // applied to all, and the results added to what was there
		return func(e env) env {
			o := g(e)
			return set(o, o[k].Add(e[i]))
		}
	}
	switch r.IntN(26) {
	case 20:
		return wrap("JVP of Scan", func(e env) env {
			x, t := weft.JVP(func(x weft.Array) weft.Array {
				c, _ := weft.ScanN(func(c weft.Array) (weft.Array, struct{}) {
					return f.run(set(e, c.Mul(x)))[j].Add(x), struct{}{}
				}, x, 2)
				return c
			}, e[i], e[i])
			return set(e, t.Add(x.Mul(e[j])))
		})
	case 21:
		return wrap("JVP of ForI", func(e env) env {
			_, t := weft.JVP(func(x weft.Array) weft.Array {
				return weft.ForI(2, func(_ weft.Array, c weft.Array) weft.Array { return f.run(set(e, c))[j].Mul(x).Add(e[i]) }, x)
			}, e[k], e[i])
			return set(e, t)
		})
	case 22, 23:
		root := func(a weft.Array) weft.Array {
			return custom.Root(func(x weft.Array) weft.Array { return weft.Tanh(x).Mul(0.25).Add(x).Sub(a) }, a,
				func(f func(weft.Array) weft.Array, x weft.Array) weft.Array {
					for range 3 {
						v, d := weft.JVP(f, x, weft.OnesLike(x))
						x = x.Sub(v.Div(d))
					}
					return x
				}, func(g func(weft.Array) weft.Array, y weft.Array) weft.Array { return y.Div(g(weft.OnesLike(y))) })
		}
		if r.IntN(2) == 0 {
			return wrap("Vmap of Root", func(e env) env { return set(e, weft.Vmap(root)(f.run(e)[j])) })
		}
		return wrap("Root", func(e env) env { return set(e, root(f.run(e)[j])) })
	case 24:
		return wrap("Vmap of HVP", func(e env) env {
			g := func(e env) weft.Array {
				_, t := weft.JVP(weft.Grad(func(e env) weft.Array { o := f.run(e); return o[j].Mul(o[i]).Sum() }), e, e)
				return t[k]
			}
			return set(e, weft.Vmap(g)(weft.TreeStack(e, e)).Sum(0))
		})
	case 25:
		return wrap("Grad of Grad", func(e env) env {
			g := weft.Grad(func(e env) weft.Array {
				g := weft.Grad(func(e env) weft.Array { return f.run(e)[j].Sum() })(e)
				return g[i].Mul(e[k]).Sum()
			})(e)
			return set(e, g[i])
		})
	case 0:
		return wrap("Call", again(weft.Call(f.run)))
	case 1:
		return wrap("Vmap without a rule", again(custom.Vmap(f.run, nil)))
	case 2:
		return wrap("Remat", again(weft.Remat(f.run)))
	case 3:
		return wrap("Jit", again(weft.Jit(f.run)))
	case 4:
		return wrap("ForI", func(e env) env {
			return weft.ForI(3, func(_ weft.Array, c env) env { return f.run(c) }, e)
		})
	case 5:
		return wrap("Scan", func(e env) env {
			c, ys := weft.ScanN(func(c env) (env, weft.Array) { c = f.run(c); return c, c[i] }, e, 2)
			return set(c, ys.Sum(0).Add(c[j]))
		})
	case 6:
		return wrap("Cond", func(e env) env {
			return weft.Cond(e[i].Sum().Gt(0), func() env { return f.run(e) }, func() env { return e })
		})
	case 7:
		return wrap("Vmap", func(e env) env {
			out := weft.Vmap(f.run)(weft.TreeStack(e, e))
			return weft.TreeIndex(out, 1)
		})
	case 8:
		return wrap("HVP", func(e env) env {
			g := weft.Grad(func(e env) weft.Array { o := f.run(e); return o[j].Mul(o[i]).Sum() })
			_, t := weft.JVP(g, e, e)
			return set(e, t[i].Add(e[j]))
		})
	case 9:
		return wrap("Grad", func(e env) env {
			g := weft.Grad(func(e env) weft.Array { return f.run(e)[j].Sum() })(e)
			return set(e, g[i].Add(e[j]))
		})
	case 11:
		return wrap("Switch", func(e env) env {
			at := weft.Clip(e[i].Sum().Mul(2).Add(1), 0, 2).AsType(weft.Int32)
			return weft.Switch(at, func() env { return f.run(e) }, func() env { return e }, func() env { return set(e, e[j].Neg()) })
		})
	case 12:
		return wrap("custom.JVP", func(e env) env {
			return again(custom.JVP(f.run, func(p, t env) (env, env) { return weft.JVP(f.run, p, t) }))(e)
		})
	case 13:
		return wrap("custom.VJP", func(e env) env {
			return again(custom.VJP(f.run, func(p env) (env, env) { return f.run(p), p }, func(p, ct env) env {
				_, back := weft.VJP(f.run, p)
				return back(ct)
			}))(e)
		})
	case 14:
		return wrap("custom.Vmap", again(custom.Vmap(f.run, func(n int, mapped, p env) (env, env) {
			for k := range p {
				if !mapped[k].Bool() {
					p[k] = p[k].ExpandDims(0).BroadcastTo(append([]int{n}, p[k].Shape()...)...)
				}
			}
			o := weft.Vmap(f.run)(p)
			return o, weft.TreeMap(func(weft.Array) weft.Array { return weft.Scalar(true) }, o)
		})))
	case 15:
		return wrap("MapScan", func(e env) env {
			return weft.TreeIndex(weft.MapScan(f.run, weft.TreeStack(e, e)), 1)
		})
	case 16:
		return wrap("While", func(e env) env {
			type carry struct {
				I weft.Array
				E env
			}
			return weft.While(func(c carry) weft.Array { return c.I.Lt(2) }, func(c carry) carry { return carry{c.I.Add(1), f.run(c.E)} }, carry{weft.Scalar(int32(0)), e}).E
		})
	case 17:
		return wrap("Jacrev", func(e env) env {
			g := weft.Jacrev(func(e env) weft.Array { return f.run(e)[j] })(e)
			return set(e, g[i].Sum(0).Add(e[j]))
		})
	case 18:
		return wrap("Linearize", func(e env) env {
			o, lin := weft.Linearize(f.run, e)
			t := lin(e)
			return set(o, t[i].Add(e[j]))
		})
	case 19:
		return wrap("Vmap of Grad of Cond", func(e env) env {
			g := weft.Vmap(weft.Grad(func(e env) weft.Array {
				return weft.Cond(e[i].Sum().Gt(0), func() weft.Array { return f.run(e)[j].Sum() }, func() weft.Array { return e[j].Mul(0).Sum() })
			}))(weft.TreeStack(e, env(weft.TreeMap(func(x weft.Array) weft.Array { return x.Neg() }, e))))
			return set(e, g[i].Sum(0).Add(e[j]))
		})
	case 10:
		return wrap("closing Call", func(e env) env {
			return weft.Call(func(x weft.Array) env { return f.run(set(e, x)) })(e[i].Mul(e[j]))
		})
	default:
		return wrap("JVP", func(e env) env {
			_, t := weft.JVP(func(e env) weft.Array { return f.run(e)[j] }, e, e)
			return set(e, t.Add(e[i]))
		})
	}
}

// Derivatives of programs whose wrappers take the whole environment have the same bits at once
// and staged.
func TestDerivativesAtOnceAndStagedHaveEqualBits(t *testing.T) {
	race.Values(t)
	seeds := *derivativeSeeds
	wrong, compared, refused := 0, 0, 0
	for at := range uint64(seeds) {
		seed := *derivativesFrom + at
		r := rand.New(rand.NewPCG(seed, 7))
		p := randomProgram(r, 3, *derivativeDepth)
		in := env{weft.Of(float32(0.3), -0.7), weft.Of(float32(1.1), 0.4), weft.Of(float32(-0.2), 0.9)}
		total := func(e env) weft.Array {
			o := p.run(e)
			return o[0].Mul(0.7).Add(o[1]).Add(o[2].Mul(o[0])).Sum()
		}
		ways := []struct {
			name string
			of   func(env) env
		}{
			{"reverse over forward", func(e env) env {
				return weft.Grad(func(e env) weft.Array { _, t := weft.JVP(total, e, e); return t })(e)
			}},
			{"reverse over reverse", func(e env) env {
				return weft.Grad(func(e env) weft.Array { g := weft.Grad(total)(e); return g[0].Add(g[1]).Mul(g[2]).Sum() })(e)
			}},
			{"grad", weft.Grad(total)},
			{"hvp", func(e env) env { _, t := weft.JVP(weft.Grad(total), e, e); return t }},
			{"jvp", func(e env) env { _, t := weft.JVP(p.run, e, e); return t }},
		}
		for k := range *derivativeWays {
			way := ways[(int(seed)+k)%len(ways)]
			name, d := way.name, way.of
			eager, err := weft.Try(func() env { return d(in) })
			staged, err2 := weft.Try(func() env { return weft.Jit(d)(in) })
			if (err == nil) != (err2 == nil) {
				t.Errorf("seed %d, %s: %v at once, %v staged\n%s", seed, name, err, err2, p.text)
				continue
			}
			if err != nil {
				refused++
				continue
			}
			for k := range eager {
				compared++
				if a, b := fmt.Sprintf("%x", eager[k]), fmt.Sprintf("%x", staged[k]); a != b {
					if wrong++; wrong < 12 {
						t.Errorf("seed %d, %s, variable %d: at once %s, staged %s\n%s", seed, name, k, a, b, p.text)
					}
				}
			}
		}
	}
	if compared < 8*seeds**derivativeWays/5 {
		t.Errorf("%d derivatives of %d programs compared, %d refused, want 8 a program", compared, seeds, refused)
	}
	t.Logf("%d derivatives compared, %d differ, %d refused", compared, wrong, refused)
}
