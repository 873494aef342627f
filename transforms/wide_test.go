package transforms_test

import (
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Programs that are wide instead of long: n constants, operands, results, carries,
// residuals. What took time by the square of n would not end here.

// wideBody takes n numbers to n numbers: the sine of each by its neighbour.
func wideBody(in []val) []val {
	out := make([]val, len(in))
	for k := range in {
		out[k] = prim.Mul(prim.Sin(in[k]), in[(k+1)%len(in)])
	}
	return out
}

func repeated[T any](n int, v T) []T { return slices.Repeat([]T{v}, n) }

// widePrograms are programs of n operands.
var widePrograms = map[string]func(n int) *jaxpr.Jaxpr{
	"flat": func(n int) *jaxpr.Jaxpr { return trace.Stage("wide", repeated(n, f64), wideBody) },
	"constants": func(n int) *jaxpr.Jaxpr {
		cs := make([]val, n)
		for k := range cs {
			cs[k] = runtimeScalar(float64(k))
		}
		return trace.Stage("wide", repeated(1, f64), func(in []val) []val {
			out := make([]val, n)
			for k, c := range cs {
				out[k] = prim.Sin(prim.Mul(in[0], c))
			}
			return out
		})
	},
	"jit": within(func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Jit{Fn: "f", Jaxpr: j} }),
	"jit of jit": within(func(j *jaxpr.Jaxpr) core.Primitive {
		return &jaxpr.Jit{Fn: "g", Jaxpr: trace.Stage("g", j.InAvals(), func(in []val) []val { return core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: j}, in...) })}
	}),
	"remat":  within(func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Remat{Jaxpr: j} }),
	"policy": within(func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Remat{Jaxpr: j, Policy: keepsSines{}} }),
	"cond": func(n int) *jaxpr.Jaxpr {
		return trace.Stage("wide", repeated(n, f64), func(in []val) []val {
			return trace.Cond(prim.Gt(in[0], prim.Num(f64, 0)), func() []val { return wideBody(in) }, func() []val { return append(in[:1:1], wideBody(in[1:])...) })
		})
	},
	"scan": func(n int) *jaxpr.Jaxpr {
		return trace.Stage("wide", repeated(n, f64), func(in []val) []val {
			c, _ := trace.Scan(func(c, _ []val) ([]val, []val) {
				next := wideBody(c)
				for k := range next {
					next[k] = prim.Mul(next[k], in[k])
				}
				return next, nil
			}, in, nil, trace.ScanConfig{Length: 2})
			return c
		})
	},
	"scan over": func(n int) *jaxpr.Jaxpr {
		return trace.Stage("wide", repeated(n, core.Aval(core.Float64, 2)), func(in []val) []val {
			_, ys := trace.Scan(func(_, x []val) ([]val, []val) { return nil, wideBody(x) }, nil, in, trace.ScanConfig{Length: -1})
			return ys
		})
	},
	"custom_jvp": func(n int) *jaxpr.Jaxpr {
		return trace.Stage("wide", repeated(n, f64), func(in []val) []val {
			return core.Bind(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", F: wideBody,
				Rule: func(in, t []val) ([]val, []val) { return transforms.JVP(wideBody, in, t) }}, in...)
		})
	},
	"custom_vjp": func(n int) *jaxpr.Jaxpr {
		return trace.Stage("wide", repeated(n, f64), func(in []val) []val {
			return core.Bind(&jaxpr.CustomVJP{Fn: "f", FwdName: "fwd", BwdName: "bwd", F: wideBody,
				Fwd: func(in []val) ([]val, []val) { return wideBody(in), in },
				Bwd: func(res, ct []val) []val {
					_, vjp := transforms.VJP(wideBody, res, repeated(n, true))
					return vjp(ct)
				}}, in...)
		})
	},
	"while": func(n int) *jaxpr.Jaxpr {
		return trace.Stage("wide", repeated(n, f64), func(in []val) []val {
			return trace.While(func(c []val) val { return prim.Lt(c[0], prim.Num(f64, 0)) }, wideBody, in)
		})
	},
}

// within returns a function that makes a program of one operation, which holds the wide program.
func within(p func(j *jaxpr.Jaxpr) core.Primitive) func(n int) *jaxpr.Jaxpr {
	return func(n int) *jaxpr.Jaxpr {
		body := trace.Stage("f", repeated(n, f64), wideBody)
		return trace.Stage("wide", repeated(n, f64), func(in []val) []val { return core.Bind(p(body), in...) })
	}
}

// half marks every other one of n.
func half(n int) []bool {
	m := make([]bool, n)
	for k := range m {
		m[k] = k%2 == 0
	}
	return m
}

// wideTransformations return the number of results of a transformed program and the expected one, for n results.
var wideTransformations = map[string]func(j *jaxpr.Jaxpr) (got, want int){
	"jvp": func(j *jaxpr.Jaxpr) (int, int) { return len(transforms.JVPProgram(j).Outs), 2 * len(j.Outs) },
	"linearize": func(j *jaxpr.Jaxpr) (int, int) {
		_, lin := transforms.LinearizeProgram(j)
		return len(lin.Outs), len(j.Outs)
	},
	"vjp": func(j *jaxpr.Jaxpr) (int, int) { return len(transforms.VJPProgram(j).Outs), len(j.Ins) },
	"vmap": func(j *jaxpr.Jaxpr) (int, int) {
		return len(transforms.VmapProgram(j, repeated(len(j.Ins), 0), repeated(len(j.Outs), 0), 3).Outs), len(j.Outs)
	},
	"split": func(j *jaxpr.Jaxpr) (int, int) {
		known, rest, res, _ := transforms.Split(j, half(len(j.Ins)), nil)
		return len(known.Outs) + len(rest.Outs), len(j.Outs) + res
	},
}

func TestWidePrograms(t *testing.T) {
	race.Values(t)
	t.Parallel()
	for name, program := range widePrograms {
		for what, transform := range wideTransformations {
			t.Run(what+" of "+name, func(t *testing.T) {
				if name == "while" && what == "vjp" || name == "custom_vjp" && what == "jvp" {
					t.Skip("refused by principle")
				}
				got, want := transform(program(wide))
				if got != want {
					t.Errorf("%d results, want %d", got, want)
				}
			})
		}
	}
}
