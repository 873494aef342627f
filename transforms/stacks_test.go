package transforms_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Every stack of wrappers of a given depth around a function that closes over a
// traced value c, under every outer transformation with respect to c, is compared
// with nested dual numbers and loops: an independent implementation of what the
// wrappers mean for scalars.

// machine is what a stack of wrappers is run on.
type machine[T any] interface {
	num(float64) T
	add(x, y T) T
	mul(x, y T) T
	sin(x T) T
	jit(f func(T) T) func(T) T
	grad(f func(T) T) func(T) T
	jvp(f func(T) T) func(T) T  // value plus derivative
	vmap(f func(T) T) func(T) T // f(x) + f(2x), as a sum over a batch
	remat(f func(T) T) func(T) T
	scan(f func(T) T) func(T) T  // three steps c ← f(c)/2, beside an integer counter
	while(f func(T) T) func(T) T // the same as a while loop
	cond(f func(T) T) func(T) T  // f(x) if x > 0.1, else sin
	customJVP(f func(T) T) func(T) T
	customVJP(f func(T) T) func(T) T
}

type wrapper int

const (
	jitClosing wrapper = iota // a jit whose function closes over c
	jitted
	graded
	jvped
	vmapped
	rematted
	scanned
	conded
	custJVP
	custVJP
	whiled
	numWrappers
)

var wrapperNames = [numWrappers]string{"jitc", "jit", "grad", "jvp", "vmap", "remat", "scan", "cond", "customjvp", "customvjp", "while"}

// build wraps the base function in the stack, outermost first.
func build[T any](m machine[T], stack []wrapper, c T) func(T) T {
	if len(stack) == 0 {
		return func(x T) T { return m.mul(m.sin(m.mul(x, m.num(0.7))), m.add(c, x)) }
	}
	w, inner := stack[0], stack[1:]
	switch w {
	case jitClosing:
		f := build(m, inner, c)
		return m.jit(func(x T) T { return m.mul(f(x), c) })
	case custJVP, custVJP:
		// Custom rules do not differentiate what they close over: c is passed as a
		// part of the argument, here frozen in a program that does not use it.
		f := build(m, inner, m.num(0.9))
		g := m.customJVP(f)
		if w == custVJP {
			g = m.customVJP(f)
		}
		return func(x T) T { return m.mul(g(x), c) }
	}
	f := build(m, inner, c)
	switch w {
	case jitted:
		return m.jit(f)
	case graded:
		return m.grad(f)
	case jvped:
		return m.jvp(f)
	case vmapped:
		return m.vmap(f)
	case rematted:
		return m.remat(f)
	case scanned:
		return m.scan(f)
	case conded:
		return m.cond(f)
	case whiled:
		return m.while(f)
	}
	panic("unknown wrapper")
}

// outers are transformations with respect to c of c ↦ stack(0.8).
var outerNames = []string{"eval", "jit", "grad", "jvp", "vmap", "gradvmap", "jitgrad"}

func outer[T any](m machine[T], k int, f func(T) T) func(T) T {
	switch outerNames[k] {
	case "eval":
		return f
	case "jit":
		return m.jit(f)
	case "grad":
		return m.grad(f)
	case "jvp":
		return m.jvp(f)
	case "vmap":
		return m.vmap(f)
	case "gradvmap":
		return m.grad(m.vmap(f))
	default:
		return m.jit(m.grad(f))
	}
}

// ---- Weft

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

// The rules say three times the derivative of sin, which is not f's: it shows that
// the rule is used.
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

// ---- nested dual numbers

// dnum is a float64, or a number with a derivative at a level above those within.
type dnum struct {
	level int
	v     float64
	p, t  *dnum
}

type dualMachine struct{ level *int }

func (dualMachine) num(v float64) *dnum { return &dnum{v: v} }

// parts splits x at a level.
func (x *dnum) parts(level int) (p, t *dnum) {
	if x.level == level {
		return x.p, x.t
	}
	return x, &dnum{}
}

func (m dualMachine) lift2(x, y *dnum, f func(a, b float64) float64, df func(px, tx, py, ty *dnum) *dnum) *dnum {
	l := max(x.level, y.level)
	if l == 0 {
		return &dnum{v: f(x.v, y.v)}
	}
	px, tx := x.parts(l)
	py, ty := y.parts(l)
	return &dnum{level: l, p: m.lift2(px, py, f, df), t: df(px, tx, py, ty)}
}

func (m dualMachine) add(x, y *dnum) *dnum {
	return m.lift2(x, y, func(a, b float64) float64 { return a + b }, func(_, tx, _, ty *dnum) *dnum { return m.add(tx, ty) })
}

func (m dualMachine) mul(x, y *dnum) *dnum {
	return m.lift2(x, y, func(a, b float64) float64 { return a * b }, func(px, tx, py, ty *dnum) *dnum {
		return m.add(m.mul(tx, py), m.mul(px, ty))
	})
}

func (m dualMachine) lift1(x *dnum, f func(float64) float64, df func(*dnum) *dnum) *dnum {
	if x.level == 0 {
		return &dnum{v: f(x.v)}
	}
	return &dnum{level: x.level, p: m.lift1(x.p, f, df), t: m.mul(df(x.p), x.t)}
}

func (m dualMachine) sin(x *dnum) *dnum { return m.lift1(x, math.Sin, m.cos) }
func (m dualMachine) cos(x *dnum) *dnum {
	return m.lift1(x, math.Cos, func(x *dnum) *dnum { return m.mul(m.num(-1), m.sin(x)) })
}

func (m dualMachine) derivative(f func(*dnum) *dnum, x *dnum) (p, t *dnum) {
	*m.level++
	l := *m.level
	return f(&dnum{level: l, p: x, t: m.num(1)}).parts(l)
}

func (dualMachine) jit(f func(*dnum) *dnum) func(*dnum) *dnum   { return f }
func (dualMachine) remat(f func(*dnum) *dnum) func(*dnum) *dnum { return f }
func (m dualMachine) grad(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { _, t := m.derivative(f, x); return t }
}
func (m dualMachine) jvp(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { p, t := m.derivative(f, x); return m.add(p, t) }
}
func (m dualMachine) vmap(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum { return m.add(f(x), f(m.mul(x, m.num(2)))) }
}
func (m dualMachine) scan(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		for range 3 {
			x = m.mul(f(x), m.num(0.5))
		}
		return x
	}
}
func (m dualMachine) while(f func(*dnum) *dnum) func(*dnum) *dnum { return m.scan(f) }
func (m dualMachine) cond(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		v := x
		for v.level > 0 {
			v = v.p
		}
		if v.v > 0.1 {
			return f(x)
		}
		return m.sin(x)
	}
}
func (m dualMachine) customJVP(f func(*dnum) *dnum) func(*dnum) *dnum {
	return func(x *dnum) *dnum {
		if x.level == 0 {
			return f(x)
		}
		// The rule is applied at the youngest level; what is below sees the rule's
		// own arithmetic, in which f itself is called.
		return &dnum{level: x.level, p: f(x.p), t: m.mul(x.t, m.mul(m.num(3), m.cos(x.p)))}
	}
}
func (m dualMachine) customVJP(f func(*dnum) *dnum) func(*dnum) *dnum { return m.customJVP(f) }

// refused are the two refusals of principle: reverse mode through a while loop, and
// forward mode through a reverse rule.
func refused(err error) bool {
	s := err.Error()
	return strings.Contains(s, "While loop") || strings.Contains(s, "CustomVJP")
}

func runStack(t *testing.T, stack []wrapper, k int) (name string, checked bool) {
	names := []string{outerNames[k]}
	for _, w := range stack {
		names = append(names, wrapperNames[w])
	}
	name = strings.Join(names, " ")
	level := 0
	dm := dualMachine{&level}
	want := outer[*dnum](dm, k, func(c *dnum) *dnum { return build[*dnum](dm, stack, c)(dm.num(0.8)) })(dm.num(0.3))
	var got float64
	err := core.Catch(func() {
		wm := weftMachine{}
		out := outer[val](wm, k, func(c val) val { return build[val](wm, stack, c)(wm.num(0.8)) })(runtimeScalar(0.3))
		n, ok := literalOrArray(out)
		if !ok {
			t.Fatalf("%s: the result is %v, not a number", name, out)
		}
		got = n
	})
	if err != nil {
		if !refused(err) {
			t.Errorf("%s: %v", name, err)
		}
		return name, false
	}
	if d := math.Abs(got - want.v); d > 1e-9*max(1, math.Abs(want.v)) || got != got {
		t.Errorf("%s: got %v, want %v", name, got, want.v)
	}
	return name, true
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

func TestStacks(t *testing.T) {
	depth := 3
	if testing.Short() {
		depth = 2
	}
	total, done := 0, 0
	stack := make([]wrapper, 0, depth)
	var walk func()
	walk = func() {
		if len(stack) > 0 {
			for k := range outerNames {
				total++
				func() {
					defer func() {
						if r := recover(); r != nil {
							t.Errorf("%v %s: panic: %v", stackNames(stack), outerNames[k], r)
						}
					}()
					if _, ok := runStack(t, stack, k); ok {
						done++
					}
				}()
			}
		}
		if len(stack) == depth {
			return
		}
		for w := range numWrappers {
			stack = append(stack, w)
			walk()
			stack = stack[:len(stack)-1]
		}
	}
	walk()
	t.Logf("%d programs, %d with a value, %d refused by principle", total, done, total-done)
}

func stackNames(s []wrapper) string {
	var n []string
	for _, w := range s {
		n = append(n, wrapperNames[w])
	}
	return fmt.Sprint(n)
}
