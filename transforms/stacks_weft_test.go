package transforms_test

import (
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// weftMachine runs stacks on Weft, whose results are tested.
type weftMachine struct{}

type val = core.Value

var f64 = core.Aval(core.Float64)

func lift(f func(val) val) func([]val) []val {
	return func(in []val) []val { return []val{f(in[0])} }
}

func (weftMachine) num(v float64) val {
	return core.Literal{Num: core.FloatNumber(v), Type: core.Float64}
}
func (weftMachine) add(x, y val) val { return prim.Add(x, y) }
func (weftMachine) mul(x, y val) val { return prim.Mul(x, y) }
func (weftMachine) sin(x val) val    { return prim.Sin(x) }
func (weftMachine) jit(f func(val) val) func(val) val {
	return func(x val) val {
		j := trace.Stage("f", []core.ShapedArray{f64}, lift(f))
		extra := trace.HoistTracers(j)
		return core.Bind1(&jaxpr.Jit{Fn: "f", Jaxpr: j}, append(extra, x)...)
	}
}
func (weftMachine) grad(f func(val) val) func(val) val {
	return func(x val) val {
		outs, vjp := transforms.VJP(lift(f), []val{x}, []bool{true})
		ct := vjp([]val{prim.Num(outs[0].Aval(), 1)})[0]
		if ct == nil {
			return weftMachine{}.num(0)
		}
		return ct
	}
}
func (m weftMachine) jvp(f func(val) val) func(val) val {
	return func(x val) val {
		outs, touts := transforms.JVP(lift(f), []val{x}, []val{m.num(1)})
		if touts[0] == nil {
			return outs[0]
		}
		return prim.Add(outs[0], touts[0])
	}
}
func (weftMachine) vmap(f func(val) val) func(val) val {
	return func(x val) val {
		xs := prim.Mul(x, runtimeOf(1, 2))
		outs, mapped := transforms.Vmap(2, "", lift(f), []val{xs}, []bool{true})
		if !mapped[0] {
			return prim.Mul(outs[0], weftMachine{}.num(2))
		}
		return prim.ReduceSum(outs[0], core.MakeDims(0))
	}
}
func (weftMachine) remat(f func(val) val) func(val) val {
	return func(x val) val {
		j := trace.Stage("f", []core.ShapedArray{f64}, lift(f))
		extra := trace.HoistTracers(j)
		return core.Bind1(&jaxpr.Remat{Jaxpr: j, PreventCSE: true}, append(extra, x)...)
	}
}
func (m weftMachine) scan(f func(val) val) func(val) val {
	return func(x val) val {
		i := core.Literal{Num: core.IntNumber(0), Type: core.Int32}
		c, _ := trace.Scan(func(c, _ []val) ([]val, []val) {
			return []val{prim.Add(c[0], core.Literal{Num: core.IntNumber(1), Type: core.Int32}), prim.Mul(f(c[1]), m.num(0.5))}, nil
		}, []val{i, x}, nil, trace.ScanConfig{Length: 3})
		return c[1]
	}
}
func (m weftMachine) while(f func(val) val) func(val) val {
	return func(x val) val {
		i := core.Literal{Num: core.IntNumber(0), Type: core.Int32}
		c := trace.While(func(c []val) val {
			return prim.Lt(c[0], core.Literal{Num: core.IntNumber(3), Type: core.Int32})
		}, func(c []val) []val {
			return []val{prim.Add(c[0], core.Literal{Num: core.IntNumber(1), Type: core.Int32}), prim.Mul(f(c[1]), m.num(0.5))}
		}, []val{i, x})
		return c[1]
	}
}
func (m weftMachine) cond(f func(val) val) func(val) val {
	return func(x val) val {
		return trace.Cond(prim.Gt(x, m.num(0.1)), func() []val { return []val{f(x)} }, func() []val { return []val{m.sin(x)} })[0]
	}
}

// The rules return three times the derivative of sin, which is not f's: so the test shows
// that the rule is used.
func (m weftMachine) customJVP(f func(val) val) func(val) val {
	return func(x val) val {
		return core.Bind1(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", F: lift(f), Rule: func(in, t []val) ([]val, []val) {
			return []val{f(in[0])}, []val{prim.Mul(t[0], prim.Mul(m.num(3), prim.Cos(in[0])))}
		}}, x)
	}
}
func (m weftMachine) customVJP(f func(val) val) func(val) val {
	return func(x val) val {
		return core.Bind1(&jaxpr.CustomVJP{Fn: "f", FwdName: "fwd", BwdName: "bwd", F: lift(f),
			Fwd: func(in []val) ([]val, []val) { return []val{f(in[0])}, []val{prim.Cos(in[0])} },
			Bwd: func(res, ct []val) []val { return []val{prim.Mul(ct[0], prim.Mul(m.num(3), res[0]))} },
		}, x)
	}
}

func runtimeOf(vs ...float64) val {
	a := runtime.New(core.Aval(core.Float64, len(vs)))
	copy(viewF64(a), vs)
	return a
}

func runtimeScalar(v float64) val {
	a := runtime.New(f64)
	viewF64(a)[0] = v
	return a
}

func literalOrArray(v val) (float64, bool) {
	switch v := v.(type) {
	case core.Literal:
		return v.Num.Float(), true
	case core.Concrete:
		n, ok := v.Scalar()
		return n.Float(), ok
	}
	return 0, false
}
