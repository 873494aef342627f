package transforms_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Programs that were written to break the transformations, each beside the same in Go's
// numbers; derivatives by differences.

// levels are the functions of one number within which a closing program runs: it closes
// over tracers of every kind.
var levels = map[string]func(f func(val) val) func(val) val{
	"at once":        func(f func(val) val) func(val) val { return f },
	"jit":            weftMachine{}.jit,
	"remat":          weftMachine{}.remat,
	"policy":         weftMachine{}.policy,
	"scan":           weftMachine{}.onceInScan,
	"cond":           weftMachine{}.condAlways,
	"jit of cond":    func(f func(val) val) func(val) val { return weftMachine{}.jit(weftMachine{}.condAlways(f)) },
	"remat of scan":  func(f func(val) val) func(val) val { return weftMachine{}.remat(weftMachine{}.onceInScan(f)) },
	"policy of jit":  func(f func(val) val) func(val) val { return weftMachine{}.policy(weftMachine{}.jit(f)) },
	"batch of one":   weftMachine{}.batchOfOne,
	"jit of a batch": func(f func(val) val) func(val) val { return weftMachine{}.jit(weftMachine{}.batchOfOne(f)) },
	"scan of remat of a batch": func(f func(val) val) func(val) val {
		return weftMachine{}.onceInScan(weftMachine{}.remat(weftMachine{}.batchOfOne(f)))
	},
}

func (m weftMachine) onceInScan(f func(val) val) func(val) val {
	return func(x val) val {
		_, ys := trace.Scan(func(_, xs []val) ([]val, []val) { return nil, []val{f(xs[0])} }, nil, []val{prim.Mul(x, runtimeOf(1))}, trace.ScanConfig{Length: -1})
		return prim.ReduceSum(ys[0], core.MakeDims(0))
	}
}

func (m weftMachine) condAlways(f func(val) val) func(val) val {
	return func(x val) val {
		return trace.Cond(prim.Lt(x, m.num(1e6)), func() []val { return []val{f(x)} }, func() []val { return []val{m.num(0)} })[0]
	}
}

func (m weftMachine) batchOfOne(f func(val) val) func(val) val {
	return func(x val) val { return summed(prim.Mul(x, runtimeOf(1)), f) }
}

// mode is a set of modes of differentiation.
type mode int

const (
	forward mode = 1 << iota
	reverse
)

// closing are functions of a number a, that close over a wherever they can, and what they
// are in Go's numbers.
var closing = map[string]struct {
	weft  func(m weftMachine, a val) val
	plain func(a float64) float64
	not   mode   // of differentiation that does not go through
	why   string // as the refusal states
}{
	"closures in a switch in a scan in a batch": {
		weft: func(m weftMachine, a val) val {
			return summed(prim.Mul(a, runtimeOf(0.5, 1, 1.5)), func(y val) val {
				c, ys := trace.Scan(func(c, x []val) ([]val, []val) {
					v := trace.Switch(x[1], // the index is not mapped
						func() []val { return []val{prim.Mul(prim.Sin(c[0]), y)} },
						func() []val { return []val{prim.Mul(prim.Mul(x[0], a), y)} },
						func() []val { return []val{prim.Add(prim.Mul(c[0], c[0]), prim.Mul(a, x[0]))} })[0]
					return []val{prim.Mul(v, m.num(0.5))}, []val{prim.Mul(v, c[0])}
				}, []val{prim.Sin(prim.Mul(y, a))}, []val{prim.Mul(y, runtimeOf(1, 2, 3, 4)), int32s(0, 1, 2, 0)}, trace.ScanConfig{Length: -1})
				return prim.Add(c[0], prim.ReduceSum(ys[0], core.MakeDims(0)))
			})
		},
		plain: func(a float64) float64 {
			total := 0.0
			for _, s := range []float64{0.5, 1, 1.5} {
				y := a * s
				c := math.Sin(y * a)
				for k, which := range []int{0, 1, 2, 0} {
					x := y * float64(k+1)
					v := [3]float64{math.Sin(c) * y, x * a * y, c*c + a*x}[which]
					total += v * c
					c = v / 2
				}
				total += c
			}
			return total
		},
	},
	"a predicate that differs within a batch, in a reverse rule": {
		not: forward, why: "custom.VJP",
		weft: func(m weftMachine, a val) val {
			f := func(y, w val) val {
				return core.Bind1(&jaxpr.CustomVJP{Fn: "f", FwdName: "fwd", BwdName: "bwd",
					F:   func(in []val) []val { return []val{prim.Mul(prim.Sin(in[0]), in[1])} },
					Fwd: func(in []val) ([]val, []val) { return []val{prim.Mul(prim.Sin(in[0]), in[1])}, in },
					Bwd: func(res, ct []val) []val {
						y, w := res[0], res[1]
						d := trace.Cond(prim.Gt(y, m.num(1)),
							func() []val { return []val{prim.Mul(ct[0], prim.Mul(prim.Cos(y), w)), prim.Mul(ct[0], prim.Sin(y))} },
							func() []val { return []val{prim.Mul(ct[0], prim.Mul(w, prim.Cos(y))), prim.Mul(prim.Sin(y), ct[0])} })
						return d
					}}, y, w)
			}
			return summed(prim.Mul(a, runtimeOf(0.5, 1, 2)), func(y val) val { return f(y, prim.Mul(y, a)) })
		},
		plain: func(a float64) float64 {
			total := 0.0
			for _, s := range []float64{0.5, 1, 2} {
				total += math.Sin(a*s) * a * s * a
			}
			return total
		},
	},
	"a remat with a policy in a scan in a batch with a name": {
		weft: func(m weftMachine, a val) val {
			outs, mapped := transforms.Vmap(3, "rows", func(in []val) []val {
				y := in[0]
				c, _ := trace.Scan(func(c, _ []val) ([]val, []val) {
					f := m.policy(func(c val) val {
						mean := prim.Mul(prim.Psum(prim.Sin(c), "rows"), m.num(1.0/3))
						return prim.Add(prim.Mul(mean, a), prim.Mul(prim.Sin(prim.Sin(c)), y))
					})
					return []val{f(c[0])}, nil
				}, []val{y}, nil, trace.ScanConfig{Length: 3})
				return c
			}, []val{prim.Mul(a, runtimeOf(0.5, 1, 1.5))}, []bool{true})
			return prim.ReduceSum(stacked(3, outs, mapped)[0], core.MakeDims(0))
		},
		plain: func(a float64) float64 {
			ys := [3]float64{a / 2, a, 1.5 * a}
			c := ys
			for range 3 {
				mean := (math.Sin(c[0]) + math.Sin(c[1]) + math.Sin(c[2])) / 3
				for k := range c {
					c[k] = mean*a + math.Sin(math.Sin(c[k]))*ys[k]
				}
			}
			return c[0] + c[1] + c[2]
		},
	},
	"a while loop that ends differently in each lane, forward": {
		not: reverse, why: "While loop",
		weft: func(m weftMachine, a val) val {
			return summed(prim.Mul(a, runtimeOf(0.5, 1, 1.5)), func(y val) val {
				return trace.While(func(c []val) val { return prim.Lt(c[0], prim.Mul(m.num(3), a)) },
					func(c []val) []val {
						return []val{prim.Add(c[0], prim.Mul(prim.Sin(y), a)), prim.Mul(c[1], prim.Cos(prim.Mul(c[0], a)))}
					},
					[]val{y, a})[1]
			})
		},
		plain: func(a float64) float64 {
			total := 0.0
			for _, s := range []float64{0.5, 1, 1.5} {
				y := a * s
				c0, c1 := y, a
				for c0 < 3*a {
					c0, c1 = c0+math.Sin(y)*a, c1*math.Cos(c0*a)
				}
				total += c1
			}
			return total
		},
	},
	"a linear scan, transposed, that closes over what is differentiated": {
		weft: func(m weftMachine, a val) val {
			_, back := transforms.LinearTranspose(func(in []val) []val {
				c, ys := trace.Scan(func(c, x []val) ([]val, []val) {
					return []val{prim.Add(prim.Mul(c[0], prim.Sin(a)), prim.Mul(x[0], prim.Mul(x[1], a)))}, []val{prim.Mul(c[0], x[1])}
				}, []val{in[0]}, []val{in[1], prim.Mul(a, runtimeOf(1, 2, 3))}, trace.ScanConfig{Length: -1, Reverse: true})
				return []val{c[0], ys[0]}
			}, []core.ShapedArray{f64, core.Aval(core.Float64, 3)})
			cts := back([]val{a, prim.Mul(a, runtimeOf(1, 1, 2))})
			return prim.Add(cts[0], prim.ReduceSum(prim.Mul(cts[1], runtimeOf(1, 2, 4)), core.MakeDims(0)))
		},
		plain: func(a float64) float64 {
			f := func(c float64, x [3]float64) (out float64, ys [3]float64) {
				for k := 2; k >= 0; k-- {
					w := a * float64(k+1)
					ys[k] = c * w
					c = c*math.Sin(a) + x[k]*w*a
				}
				return c, ys
			}
			value := func(c float64, x [3]float64) float64 {
				out, ys := f(c, x)
				return a*out + a*ys[0] + a*ys[1] + 2*a*ys[2]
			}
			return value(1, [3]float64{}) + value(0, [3]float64{1}) + 2*value(0, [3]float64{0, 1}) + 4*value(0, [3]float64{0, 0, 1})
		},
	},
	"a rule that closes over a younger batch and an older number": {
		weft: func(m weftMachine, a val) val {
			return summed(runtimeOf(1, 2, 3), func(y val) val {
				g := core.Bind1(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule", F: lift(prim.Sin), Rule: func(in, t []val) ([]val, []val) {
					// cos(x) t, by way of a batch and a sum over y.
					s := summed(prim.Mul(y, runtimeOf(0.25, 0.75)), func(z val) val { return prim.Mul(prim.Mul(prim.Cos(in[0]), z), t[0]) })
					return []val{prim.Sin(in[0])}, []val{prim.Div(s, y)}
				}}, prim.Mul(a, y))
				return prim.Mul(g, y)
			})
		},
		plain: func(a float64) float64 {
			return math.Sin(a) + 2*math.Sin(2*a) + 3*math.Sin(3*a)
		},
	},
	"a gradient within a branch within a scan": {
		weft: func(m weftMachine, a val) val {
			return m.scan(func(c val) val {
				return trace.Cond(prim.Gt(c, prim.Mul(a, m.num(0.4))), func() []val {
					return []val{m.grad(func(z val) val { return prim.Mul(prim.Sin(prim.Mul(z, a)), prim.Mul(c, z)) })(c)}
				}, func() []val { return []val{prim.Mul(c, a)} })[0]
			})(a)
		},
		plain: func(a float64) float64 {
			c := a
			for range 3 {
				if c > 0.4*a {
					z := c
					c = math.Cos(z*a)*a*c*z + math.Sin(z*a)*c
				} else {
					c *= a
				}
				c /= 2
			}
			return c
		},
	},
	"a solve whose matrix is differentiated, in a loop": {
		weft: func(m weftMachine, a val) val {
			return m.scan(func(c val) val { return m.solve(func(x val) val { return prim.Mul(prim.Sin(x), a) })(prim.Add(c, a)) })(a)
		},
		plain: func(a float64) float64 {
			c := a
			for range 3 {
				x := c + a
				c = math.Sin(x) * a / (2 + x*x) / 2
			}
			return c
		},
	},
}

func int32s(vs ...int) val {
	out := make([]val, len(vs))
	for k, v := range vs {
		out[k] = int32of(int64(v))
	}
	return prim.Stack(0, out...)
}

// differences returns the first two derivatives.
func differences(f func(float64) float64, x float64) (d, dd float64) {
	const h = 1e-3
	at := func(k float64) float64 { return f(x + k*h) }
	d = (45*(at(1)-at(-1)) - 9*(at(2)-at(-2)) + (at(3) - at(-3))) / (60 * h)
	dd = (2*(at(3)+at(-3)) - 27*(at(2)+at(-2)) + 270*(at(1)+at(-1)) - 490*at(0)) / (180 * h * h)
	return d, dd
}

func TestClosuresEverywhere(t *testing.T) {
	race.Values(t)
	t.Parallel()
	m := weftMachine{}
	const x = 0.7
	jvp := func(f func(val) val) func(val) val {
		return func(x val) val {
			_, t := transforms.JVP(lift(f), []val{x}, []val{m.num(1)})
			return m.orZero(t[0])
		}
	}
	chosen := samples.Named(t, 10)
	for name, n := range closing {
		d, dd := differences(n.plain, x)
		for around, wrap := range levels {
			if !chosen(name + around) {
				continue
			}
			f := wrap(func(a val) val { return n.weft(m, a) })
			for what, c := range map[string]struct {
				f     func(val) val
				want  float64
				modes mode // in which f is differentiated
			}{
				"value": {f, n.plain(x), 0}, "jit": {m.jit(f), n.plain(x), 0},
				"jvp": {jvp(f), d, forward}, "linearize": {m.linearize(f), d, forward}, "jit of jvp": {m.jit(jvp(f)), d, forward},
				"grad": {m.grad(f), d, reverse}, "jit of grad": {m.jit(m.grad(f)), d, reverse}, "grad of jit": {m.grad(m.jit(f)), d, reverse},
				"batch of grad": {m.batchOfOne(m.grad(f)), d, reverse}, "grad of remat": {m.grad(m.remat(f)), d, reverse},
				"grad of scan of remat": {m.grad(m.onceInScan(m.remat(f))), d, reverse},
				"jvp of jvp":            {jvp(jvp(f)), dd, forward}, "grad of grad": {m.grad(m.grad(f)), dd, reverse}, "jvp of grad": {jvp(m.grad(f)), dd, reverse},
				"grad of jvp": {m.grad(jvp(f)), dd, forward | reverse}, "jit of grad of jit of grad": {m.jit(m.grad(m.jit(m.grad(f)))), dd, reverse},
			} {
				outs, err := attempt(func() []val { return []val{c.f(runtimeScalar(x))} })
				if c.modes&n.not != 0 {
					if err == nil || !strings.Contains(err.Error(), n.why) {
						t.Errorf("%s of %s, %s: got %v, %v instead of a refusal", what, around, name, outs, err)
					}
					continue
				}
				if err != nil {
					t.Errorf("%s of %s, %s: %v", what, around, name, err)
					continue
				}
				got, _ := literalOrArray(outs[0])
				testcheck.Near(t, what+" of "+around+", "+name, got, c.want, 1e-6)
			}
		}
	}
}
