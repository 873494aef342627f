package transforms_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// scaleBy is y ↦ k·y with a rule of its own, which takes the derivative to be k·cos y. The
// function and its rules close over k.
var scaleBy = map[string]func(k val) func(y val) val{
	"rule": func(k val) func(val) val {
		return func(y val) val {
			return core.Bind1(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule", F: lift(func(y val) val { return prim.Mul(k, y) }),
				Rule: func(in, t []val) ([]val, []val) {
					return []val{prim.Mul(k, in[0])}, []val{prim.Mul(prim.Mul(k, prim.Cos(in[0])), t[0])}
				}}, y)
		}
	},
	"residual": func(k val) func(val) val {
		return func(y val) val {
			return core.Bind1(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd", F: lift(func(y val) val { return prim.Mul(k, y) }),
				Fwd: func(in []val) ([]val, []val) {
					return []val{prim.Mul(k, in[0])}, []val{prim.Mul(k, prim.Cos(in[0]))}
				},
				Bwd: func(res, ct []val) []val { return []val{prim.Mul(ct[0], res[0])} }}, y)
		}
	},
	"bwd": func(k val) func(val) val {
		return func(y val) val {
			return core.Bind1(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd", F: lift(func(y val) val { return prim.Mul(k, y) }),
				Fwd: func(in []val) ([]val, []val) { return []val{prim.Mul(k, in[0])}, in },
				Bwd: func(res, ct []val) []val { return []val{prim.Mul(ct[0], prim.Mul(k, prim.Cos(res[0])))} }}, y)
		}
	},
}

// A rule may close over a value of a trace that has ended when the rule runs: an argument
// of a program, what was computed from it, an element that a scan runs over, a carry, what
// a branch computed.
func TestRuleClosesOverEndedTrace(t *testing.T) {
	m := weftMachine{}
	const a, x = 2.0, 0.7
	for name, scale := range scaleBy {
		jit := func(f func(in []val) val) func(in ...val) val {
			return func(in ...val) val {
				outs, _ := staged("f", func(in []val) []val { return []val{f(in)} }, in, jitOf)
				return outs[0]
			}
		}
		call := func(of func(j *jaxpr.Jaxpr) core.Primitive) func(a, y val) val {
			return func(a, y val) val {
				outs, _ := staged("f", func(in []val) []val { return []val{scale(prim.Sin(in[0]))(in[1])} }, []val{a, y}, of)
				return outs[0]
			}
		}
		d := math.Sin(a) * math.Cos(x)
		programs := map[string]struct {
			f    func(a, y val) val
			want float64
		}{
			"argument of jit":  {func(a, y val) val { return jit(func(in []val) val { return scale(in[0])(in[1]) })(a, y) }, a * math.Cos(x)},
			"value within jit": {call(jitOf), d},
			"core_call":        {call(func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.CoreCall{Fn: "f", Jaxpr: j} }), d},
			"remat":            {call(func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Remat{Jaxpr: j} }), d},
			"jit of jit": {func(a, y val) val {
				return jit(func(o []val) val {
					return jit(func(in []val) val { return scale(prim.Mul(in[0], prim.Sin(o[0])))(in[1]) })(o[0], o[1])
				})(a, y)
			}, a * d},
			"argument of the outer jit": {func(a, y val) val {
				return jit(func(o []val) val { return jit(func(in []val) val { return scale(o[0])(in[0]) })(o[1]) })(a, y)
			}, a * math.Cos(x)},
			"remat of jit": {func(a, y val) val { return m.remat(func(y val) val { return call(jitOf)(a, y) })(y) }, d},
			"element of a scan": {func(a, y val) val {
				c, _ := trace.Scan(func(c, x []val) ([]val, []val) { return []val{scale(prim.Sin(x[0]))(c[0])}, nil },
					[]val{y}, []val{prim.Mul(a, runtimeOf(1, 0.5))}, trace.ScanConfig{Length: -1})
				return c[0]
			}, d * math.Sin(a/2) * math.Cos(math.Sin(a)*x)},
			"element of a scan in jit": {func(a, y val) val {
				return jit(func(in []val) val {
					c, _ := trace.Scan(func(c, x []val) ([]val, []val) {
						return []val{scale(prim.Mul(in[0], prim.Sin(x[0])))(c[0])}, nil
					}, []val{in[1]}, []val{prim.Mul(in[0], runtimeOf(1))}, trace.ScanConfig{Length: -1})
					return c[0]
				})(a, y)
			}, a * d},
			"carry of a scan, backwards": {func(a, y val) val {
				_, ys := trace.Scan(func(c, x []val) ([]val, []val) {
					return []val{prim.Mul(c[0], c[0])}, []val{scale(prim.Sin(c[0]))(prim.Mul(y, x[0]))}
				}, []val{a}, []val{runtimeOf(3, 1)}, trace.ScanConfig{Length: -1, Reverse: true})
				return prim.ReduceSum(ys[0], core.MakeDims(0))
			}, d + 3*math.Sin(a*a)*math.Cos(3*x)},
			"branch": {func(a, y val) val {
				return trace.CondOn(prim.Gt(a, m.num(1)), trace.Body{F: func(in []val) []val { return []val{scale(prim.Sin(in[0]))(in[1])} }},
					trace.Body{F: func(in []val) []val { return in[1:] }}, []val{a, y})[0]
			}, d},
			"jit of branch": {func(a, y val) val {
				return jit(func(o []val) val {
					return trace.Cond(prim.Gt(o[0], m.num(1)), func() []val { return []val{scale(prim.Sin(o[0]))(o[1])} }, func() []val { return o[1:] })[0]
				})(a, y)
			}, d},
			"scan of branch in jit": {func(a, y val) val {
				return jit(func(o []val) val {
					c, _ := trace.Scan(func(c, x []val) ([]val, []val) {
						s := prim.Sin(x[0])
						return trace.Cond(prim.Gt(x[0], m.num(1)), func() []val { return []val{scale(s)(c[0])} }, func() []val { return c }), nil
					}, []val{o[1]}, []val{prim.Mul(o[0], runtimeOf(1, 0.25))}, trace.ScanConfig{Length: -1})
					return c[0]
				})(a, y)
			}, d},
		}
		for what, p := range programs {
			f := func(y val) val { return p.f(runtimeScalar(a), y) }
			jvp := func(f func(val) val) func(val) val {
				return func(x val) val {
					_, t := transforms.JVP(lift(f), []val{x}, []val{m.num(1)})
					return m.orZero(t[0])
				}
			}
			ways := map[string]func(val) val{
				"grad": m.grad(f), "jit of grad": m.jit(m.grad(f)), "grad of jit": m.grad(m.jit(f)), "grad of remat": m.grad(m.remat(f)),
				"grad of batch": m.grad(m.batchOfOne(f)), "batch of grad": m.batchOfOne(m.grad(f)), "jit of batch of grad of jit": m.jit(m.batchOfOne(m.grad(m.jit(f)))),
				"grad of scan": m.grad(m.onceInScan(f)), "grad of cond": m.grad(m.condAlways(f)),
				"grad over a mapped value": func(x val) val { // what the rule closes over is mapped
					return summed(runtimeOf(a), func(a val) val { return m.grad(func(y val) val { return p.f(a, y) })(x) })
				},
			}
			if name == "rule" {
				ways["jvp"], ways["jit of jvp"], ways["jvp of jit"], ways["linearize"] = jvp(f), m.jit(jvp(f)), jvp(m.jit(f)), m.linearize(f)
			}
			for way, g := range ways {
				outs, err := attempt(func() []val { return []val{g(runtimeScalar(x))} })
				if err != nil {
					t.Errorf("%s, %s, %s: %v", way, what, name, err)
					continue
				}
				got, _ := literalOrArray(outs[0])
				near(t, way+", "+what+", "+name, got, p.want)
			}
			// Programs are cached, but what they closed over is not.
			g := func(a, y float64) float64 {
				n, _ := literalOrArray(m.grad(func(y val) val { return p.f(runtimeScalar(a), y) })(runtimeScalar(y)))
				return n
			}
			if g(a, x) == g(1.5, x) {
				t.Errorf("%s, %s: the derivative does not depend on what the rule closes over", what, name)
			}
		}
	}
}

// A recorded program whose rule closes over one of its arguments has the derivative of
// each call.
func TestRuleClosesOverEndedTraceTwice(t *testing.T) {
	for name, scale := range scaleBy {
		inner := trace.Stage("inner", []core.ShapedArray{f64, f64}, func(in []val) []val { return []val{scale(in[0])(in[1])} })
		outer := trace.Stage("outer", []core.ShapedArray{f64, f64}, func(in []val) []val {
			j := trace.Stage("within", []core.ShapedArray{f64}, func(y []val) []val {
				return []val{prim.Add(scale(in[0])(y[0]), core.Bind1(&jaxpr.Jit{Fn: "inner", Jaxpr: inner}, y[0], y[0]))}
			})
			return core.Bind(&jaxpr.Jit{Fn: "within", Jaxpr: j}, append(trace.HoistTracers(j), in[1])...)
		})
		for _, p := range []*jaxpr.Jaxpr{inner, outer} {
			for _, a := range []float64{2, 3, -1} {
				f := func(in []val) []val { return core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: p}, in...) }
				if p == outer {
					continue // differentiates what inner closes over
				}
				_, vjp := transforms.VJP(f, []val{runtimeScalar(a), runtimeScalar(0.5)}, []bool{false, true})
				got, _ := literalOrArray(vjp([]val{weftMachine{}.num(1)})[1])
				near(t, name, got, a*math.Cos(0.5))
			}
		}
	}
}
