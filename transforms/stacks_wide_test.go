package transforms_test

import (
	"fmt"
	"sync/atomic"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// The wrappers of weftMachine beyond the plain ones.

func (weftMachine) stop(x val) val { return prim.StopGradient(x) }

func int32of(n int64) val { return core.Literal{Num: core.IntNumber(n), Type: core.Int32} }

func (m weftMachine) linearize(f func(val) val) func(val) val {
	return func(x val) val {
		_, lin := transforms.Linearize(lift(f), []val{x}, []bool{true})
		return m.orZero(lin.Apply([]val{m.num(1)})[0])
	}
}

func (m weftMachine) orZero(v val) val {
	if v == nil {
		return m.num(0)
	}
	return v
}

// thirds returns a sum over a batch of two, of what is linear in 1 and 2, divided by 3.
func (m weftMachine) thirds(f func(t val) val) val {
	outs, mapped := transforms.Vmap(2, "", lift(f), []val{runtimeOf(1, 2)}, []bool{true})
	if !mapped[0] {
		return prim.Mul(outs[0], m.num(2.0/3))
	}
	return prim.Mul(prim.ReduceSum(outs[0], core.MakeDims(0)), m.num(1.0/3))
}

func (m weftMachine) jacfwd(f func(val) val) func(val) val {
	return func(x val) val {
		return m.thirds(func(t val) val {
			_, touts := transforms.JVP(lift(f), []val{x}, []val{t})
			return m.orZero(touts[0])
		})
	}
}

func (m weftMachine) jacrev(f func(val) val) func(val) val {
	return func(x val) val {
		_, vjp := transforms.VJP(lift(f), []val{x}, []bool{true})
		return m.thirds(func(ct val) val { return m.orZero(vjp([]val{ct})[0]) })
	}
}

// keepsSines is a policy that saves sines.
type keepsSines struct{}

func (keepsSines) Saves(p core.Primitive, _ []core.ShapedArray) bool { return p.Name() == "sin" }
func (keepsSines) String() string                                    { return "keeps_sines" }

func (weftMachine) policy(f func(val) val) func(val) val {
	return func(x val) val {
		j := trace.Stage("f", []core.ShapedArray{f64}, lift(f))
		extra := trace.HoistAll(j)
		return core.Bind1(&jaxpr.Remat{Jaxpr: j, Policy: keepsSines{}}, append(extra, x)...)
	}
}

func (m weftMachine) fori(f func(val) val) func(val) val {
	return func(x val) val {
		return trace.ForI(int32of(0), int32of(2), func(i val, c []val) []val {
			return []val{prim.Add(prim.Mul(f(c[0]), m.num(0.5)), prim.Mul(prim.Convert(i, core.Float64, false), m.num(0.1)))}
		}, []val{x})[0]
	}
}

func (m weftMachine) scanXs(f func(val) val) func(val) val   { return m.overXs(f, false) }
func (m weftMachine) scanBack(f func(val) val) func(val) val { return m.overXs(f, true) }

func (m weftMachine) overXs(f func(val) val, reverse bool) func(val) val {
	return func(x val) val {
		carry, ys := trace.Scan(func(c, xs []val) ([]val, []val) {
			next := prim.Add(prim.Mul(f(c[0]), m.num(0.5)), xs[0])
			return []val{next}, []val{prim.Mul(c[0], x), next}
		}, []val{x}, []val{prim.Mul(x, runtimeOf(0.5, 1.5))}, trace.ScanConfig{Length: -1, Reverse: reverse})
		ys0 := prim.ReduceSum(ys[0], core.MakeDims(0))
		return prim.Add(carry[0], prim.Add(ys0, prim.ReduceSum(prim.Mul(ys[1], runtimeOf(1, 2)), core.MakeDims(0))))
	}
}

func (m weftMachine) search(f func(val) val) func(val) val {
	return func(x val) val {
		return trace.While(func(c []val) val {
			return prim.And(prim.Lt(c[0], int32of(3)), prim.Lt(c[1], m.num(1.25)))
		}, func(c []val) []val {
			return []val{prim.Add(c[0], int32of(1)), prim.Add(prim.Mul(f(c[1]), m.num(0.5)), x)}
		}, []val{int32of(0), x})[1]
	}
}

func (m weftMachine) branch(f func(val) val) func(val) val {
	return func(x val) val {
		over := func(v float64) val { return prim.Convert(prim.Gt(x, m.num(v)), core.Int32, false) }
		return trace.Switch(prim.Add(over(0.1), over(1)),
			func() []val { return []val{m.sin(x)} },
			func() []val { return []val{f(x)} },
			func() []val { return []val{prim.Mul(x, f(m.sin(x)))} })[0]
	}
}

var axes atomic.Int64

func (m weftMachine) named(f func(val) val) func(val) val {
	return func(x val) val {
		name := fmt.Sprint("i", axes.Add(1))
		outs, mapped := transforms.Vmap(2, name, func(in []val) []val {
			return []val{prim.Mul(prim.Psum(f(in[0]), name), in[0])}
		}, []val{prim.Mul(x, runtimeOf(1, 2))}, []bool{true})
		return prim.ReduceSum(stacked(2, outs, mapped)[0], core.MakeDims(0))
	}
}

func (m weftMachine) linear(f func(val) val) func(val) val {
	return func(x val) val {
		_, back := transforms.LinearTranspose(func(in []val) []val {
			return []val{prim.Add(prim.Mul(f(x), in[0]), m.jit(func(t val) val { return prim.Mul(x, t) })(in[0]))}
		}, []core.ShapedArray{f64})
		return m.orZero(back([]val{x})[0])
	}
}

func (m weftMachine) solve(f func(val) val) func(val) val {
	return func(x val) val {
		a, b := prim.Add(m.num(2), prim.Mul(x, x)), f(x)
		times := trace.Stage("matvec", []core.ShapedArray{f64, f64}, func(in []val) []val { return []val{prim.Mul(in[0], in[1])} })
		by := trace.Stage("solve", []core.ShapedArray{f64, f64}, func(in []val) []val { return []val{prim.Div(in[1], in[0])} })
		s := &jaxpr.LinearSolve{Matvec: times, Vecmat: times, Solve: by, TransposeSolve: by, MatvecConsts: 1, VecmatConsts: 1, SolveConsts: 1, TransposeSolveConsts: 1}
		return core.Bind1(s, a, a, a, a, b)
	}
}

func (m weftMachine) linearCall(f func(val) val) func(val) val {
	times := trace.Stage("times", []core.ShapedArray{f64, f64}, func(in []val) []val { return []val{prim.Mul(in[0], in[1])} })
	call := &jaxpr.LinearCall{Fn: "times", TransposeName: "times", Jaxpr: times, Transposed: times, NumRes: 1}
	return func(x val) val { return core.Bind1(call, runtimeScalar(0.7), f(x)) }
}

func (m weftMachine) ruleJVP(f func(val) val) func(val) val {
	return func(x val) val {
		return core.Bind1(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", F: lift(f), Rule: func(in, t []val) ([]val, []val) {
			return transforms.JVP(lift(f), in, t)
		}}, x)
	}
}

func (m weftMachine) ruleVJP(f func(val) val) func(val) val {
	return func(x val) val {
		return core.Bind1(&jaxpr.CustomVJP{Fn: "f", FwdName: "fwd", BwdName: "bwd", F: lift(f),
			Fwd: func(in []val) ([]val, []val) { return []val{f(in[0])}, in },
			Bwd: func(res, ct []val) []val {
				_, vjp := transforms.VJP(lift(f), res, []bool{true})
				return []val{m.orZero(vjp(ct)[0])}
			},
		}, x)
	}
}

func (weftMachine) customVmap(f func(val) val) func(val) val {
	return func(x val) val {
		return core.Bind1(&jaxpr.CustomVmap{Fn: "f", RuleName: "rule", F: lift(f), Rule: func(n int, in []val, mapped []bool) ([]val, []bool) {
			return transforms.Vmap(n, "", lift(f), in, mapped)
		}}, x)
	}
}

func (m weftMachine) stopped(f func(val) val) func(val) val {
	return func(x val) val {
		y := f(x)
		return prim.Mul(y, m.stop(y))
	}
}
