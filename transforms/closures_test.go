package transforms_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/statement"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// around are ways in which a function of a number may be called within another.
var around = map[string]func(f func(val) val) func(val) val{
	"at once":     func(f func(val) val) func(val) val { return f },
	"jit":         weftMachine{}.jit,
	"remat":       weftMachine{}.remat,
	"vmap":        weftMachine{}.vmap,
	"scan":        weftMachine{}.scan,
	"while":       weftMachine{}.while,
	"jit of vmap": func(f func(val) val) func(val) val { return weftMachine{}.jit(weftMachine{}.vmap(f)) },
	"vmap of jit": func(f func(val) val) func(val) val { return weftMachine{}.vmap(weftMachine{}.jit(f)) },
	"scan of jit": func(f func(val) val) func(val) val { return weftMachine{}.scan(weftMachine{}.jit(f)) },
	"cond": func(f func(val) val) func(val) val {
		return func(x val) val {
			return trace.Cond(prim.Gt(x, weftMachine{}.num(-5)), func() []val { return []val{f(x)} }, func() []val { return []val{x} })[0]
		}
	},
}

// A function with a rule, or a rule, that closes over a value that is being differentiated
// is refused by name, wherever it is called. The rules of programs that were recorded used
// to lose the derivative, or to let a dual number out.
func TestRulesCloseOverDifferentiated(t *testing.T) {
	statement.Shows(t, "V-6", "a differentiated value that the function closes over is refused")
	one := weftMachine{}.num(1)
	for name, wrap := range around {
		for _, where := range []string{"function", "rule"} {
			f := func(in []val) []val {
				x := in[0]
				g := func(y val) val {
					return core.Bind1(&jaxpr.CustomJVP{Fn: "g", RuleName: "rule",
						F: func(in []val) []val {
							if where == "function" {
								return []val{prim.Mul(prim.Sin(in[0]), x)}
							}
							return []val{prim.Sin(in[0])}
						},
						Rule: func(in, dt []val) ([]val, []val) {
							y := prim.Sin(in[0])
							if where == "function" {
								y = prim.Mul(y, x)
							}
							return []val{y}, []val{prim.Mul(dt[0], x)}
						}}, y)
				}
				return []val{wrap(g)(prim.Sin(x))}
			}
			for how, run := range map[string]func(){
				"grad": func() {
					_, vjp := transforms.VJP(f, []val{runtimeScalar(0.5)}, []bool{true})
					vjp([]val{one})
				},
				"jvp":       func() { transforms.JVP(f, []val{runtimeScalar(0.5)}, []val{one}) },
				"linearize": func() { transforms.Linearize(f, []val{runtimeScalar(0.5)}, []bool{true}) },
				"jit of grad": func() {
					weftMachine{}.jit(weftMachine{}.grad(func(x val) val { return f([]val{x})[0] }))(runtimeScalar(0.5))
				},
			} {
				err := testcheck.Recover(run)
				var e *core.Error
				if !errors.As(err, &e) || !errors.Is(err, core.ErrCustomRule) || e.Op != "g" || !strings.Contains(e.Msg, "closes over a value") {
					t.Errorf("%s of %s, a %s that closes over: got %v", how, name, where, err)
				}
			}
		}
	}
}

// What a reverse rule's function closes over is refused where the function's arguments have no
// tangent, and so are residuals that hold values of another, younger derivative.
func TestReverseRulesCloseOverDifferentiated(t *testing.T) {
	m := weftMachine{}
	closing := func(y, x val, residual bool) val {
		return core.Bind1(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd",
			F: func(in []val) []val {
				if residual {
					return []val{prim.Sin(in[0])}
				}
				return []val{prim.Mul(prim.Sin(in[0]), x)}
			},
			Fwd: func(in []val) ([]val, []val) {
				if residual {
					return []val{prim.Sin(in[0])}, []val{prim.Mul(in[0], x)}
				}
				return []val{prim.Mul(prim.Sin(in[0]), x)}, []val{in[0]}
			},
			Bwd: func(res, ct []val) []val { return []val{prim.Mul(ct[0], res[0])} }}, y)
	}
	for name, f := range map[string]func(x val) val{
		"function of a constant":      func(x val) val { return closing(runtimeScalar(2), x, false) },
		"function of a stopped value": func(x val) val { return closing(prim.StopGradient(x), x, false) },
		"residual of an older derivative": func(y val) val {
			return m.grad(func(x val) val { return prim.Mul(closing(y, x, true), x) })(runtimeScalar(0.5))
		},
		"result of an older derivative": func(y val) val {
			return m.grad(func(x val) val { return prim.Mul(closing(y, x, false), x) })(runtimeScalar(0.5))
		},
	} {
		err := testcheck.Recover(func() {
			_, vjp := transforms.VJP(lift(f), []val{runtimeScalar(0.5)}, []bool{true})
			vjp([]val{m.num(1)})
		})
		var e *core.Error
		if !errors.As(err, &e) || !errors.Is(err, core.ErrCustomRule) || e.Op != "g" || !strings.Contains(e.Msg, "closes over a value") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// The refusal of a residual with a tangent names both of its causes: within two calls the library cannot determine
// whether a rule closed over what is differentiated.
func TestResidualsThatCallsCloseOver(t *testing.T) {
	m := weftMachine{}
	f := m.jit(func(x val) val {
		return m.jit(func(y val) val {
			return core.Bind1(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd",
				F:   func(in []val) []val { return []val{prim.Sin(in[0])} },
				Fwd: func(in []val) ([]val, []val) { return []val{prim.Sin(in[0])}, []val{prim.Cos(x)} },
				Bwd: func(res, ct []val) []val { return []val{prim.Mul(ct[0], res[0])} }}, prim.Sin(y))
		})(x)
	})
	err := testcheck.Recover(func() { m.grad(f)(runtimeScalar(0.5)) })
	if !errors.Is(err, core.ErrCustomRule) || !strings.Contains(err.Error(), "JVP of Linearize") || !strings.Contains(err.Error(), "closes over a value") {
		t.Errorf("got %v, want a refusal that names JVP of Linearize and what a rule closes over", err)
	}
}
