package lower_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
)

func TestInline(t *testing.T) {
	const nested = `let f = { lambda ; a:f32[]. let b:f32[] = sin a in (b, a) } in
		{ lambda ; c:f32[]. let
			d:f32[] e:f32[] = jit[name=f jaxpr=f] c
			g:f32[] h:f32[] = jit[name=f jaxpr=f] d
			i:f32[] = custom_jvp_call[name=q call_jaxpr={ lambda ; j:f32[]. let k:f32[] = sin j in (k,) } jvp=r symbolic_zeros=False] g
		in (i, e, h) }`
	j := parse(t, nested)
	ircheck.Prints(t, "jit", lower.Inline(j, lower.Inlining{}), `{ lambda ; a:f32[]. let
    b:f32[] = sin a
    c:f32[] = sin b
    d:f32[] = custom_jvp_call[
      name=q
      call_jaxpr={ lambda ; e:f32[]. let f:f32[] = sin e in (f,) }
      jvp=r
      symbolic_zeros=False
    ] c
  in (d, a, b) }`)
	ircheck.Prints(t, "custom", lower.Inline(j, lower.Inlining{Custom: true}),
		"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin b; d:f32[] = sin c in (d, a, b) }")
	plain := parse(t, "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }")
	if got := lower.Inline(plain, lower.Inlining{}); got != plain {
		t.Errorf("a program without calls: got a copy, want the program itself")
	}
	loop := parse(t, `{ lambda ; a:f32[]. let
		b:f32[] = scan[
			jaxpr={ lambda ; c:f32[]. let d:f32[] = jit[name=f jaxpr={ lambda ; e:f32[]. let g:f32[] = sin e in (g,) }] c in (d,) }
			length=3 num_carry=1 num_consts=0 reverse=False unroll=1] a
		in (b,) }`)
	if got := lower.Inline(loop, lower.Inlining{}).String(); !strings.Contains(got, "jit[") {
		t.Errorf("a loop's body stays as it is:\n%s", got)
	}
	within := lower.Inline(loop, lower.Inlining{Within: true})
	if got := within.String(); strings.Contains(got, "jit[") || !strings.Contains(got, "sin") {
		t.Errorf("a loop's body is inlined too:\n%s", got)
	}
	if err := jaxpr.Check(within); err != nil {
		t.Error(err)
	}
}

// Constants of called programs become constants of the whole.
func TestInlineConstants(t *testing.T) {
	in := jaxpr.NewBuilder()
	x := in.Input(f32)
	k := in.Const(lit(5))
	call := &jaxpr.Jit{Fn: "f", Jaxpr: in.Build(in.Eqn(prim.AddP{}, k, x)[0])}
	b := jaxpr.NewBuilder()
	y := b.Input(f32)
	out := b.Eqn(call, y)[0]
	j := lower.Inline(b.Build(out), lower.Inlining{})
	ircheck.Prints(t, "whole", j, "{ lambda a:f32[]; b:f32[]. let c:f32[] = add a b in (c,) }")
	if got := jaxpr.Eval(j, nil, []core.Value{lit(2)})[0].(core.Concrete); !is(got, 7) {
		t.Errorf("got %v, want 7", got)
	}
}

func lit(x float64) core.Literal { return core.Lit(core.FloatNumber(x), core.Float32) }

func is(v core.Concrete, x float64) bool {
	n, ok := v.Scalar()
	return ok && n.Float() == x
}

// Calls nested deeply are inlined without a deep stack of copies, and a program that
// would grow exponentially keeps its calls.
func TestInlineBounds(t *testing.T) {
	nest := func(depth, calls int) *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		j := b.Build(b.Eqn(prim.SinP{}, b.Input(f32))[0])
		for range depth {
			b := jaxpr.NewBuilder()
			call := &jaxpr.Jit{Fn: "f", Jaxpr: j}
			x := jaxpr.Atom(b.Input(f32))
			for range calls {
				x = b.Eqn(call, x)[0]
			}
			j = b.Build(x)
		}
		return j
	}
	ircheck.Prints(t, "deep", lower.Program(nest(1000, 1)), "{ lambda ; a:f32[]. let b:f32[] = sin a in (b,) }")
	if n := len(lower.Program(nest(10, 2)).Eqns); n != 1024 {
		t.Errorf("%d equations, want 1024", n)
	}
	wide := lower.Program(nest(60, 2))
	if err := jaxpr.Check(wide); err != nil {
		t.Error(err)
	}
	if s := jaxpr.Stats(wide); s.Equations > 1000 {
		t.Errorf("%d equations of 121", s.Equations)
	}
}

// A call of a program on the same operands again is the call before, also where the program without that would
// grow exponentially; of rematerialized programs and of barriers each stays.
func TestInlineSharedCalls(t *testing.T) {
	nest := func(depth int, inner core.Primitive, call func(j *jaxpr.Jaxpr) core.Primitive) *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		j := b.Build(b.Eqn(inner, b.Input(f32))[0])
		for range depth {
			b := jaxpr.NewBuilder()
			x := b.Input(f32)
			p := call(j)
			j = b.Build(b.Eqn(prim.MulP{}, b.Eqn(p, x)[0], b.Eqn(p, x)[0])[0])
		}
		return j
	}
	jit := func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Jit{Fn: "f", Jaxpr: j} }
	remat := func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Remat{Jaxpr: j, PreventCSE: true} }
	ircheck.Prints(t, "shared", lower.Inline(nest(2, prim.SinP{}, jit), lower.Inlining{}),
		"{ lambda ; a:f32[]. let b:f32[] = sin a; c:f32[] = sin a; d:f32[] = mul b c; e:f32[] = mul d d in (e,) }")
	for _, c := range []struct {
		name string
		j    *jaxpr.Jaxpr
		want int
	}{
		{"60 deep", nest(60, prim.SinP{}, jit), 61},
		{"remat", nest(3, prim.SinP{}, remat), 8 + 7},
		{"barrier", nest(3, prim.OptimizationBarrierP{}, jit), 8 + 7},
	} {
		out := lower.Program(c.j)
		if err := jaxpr.Check(out); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got := len(out.Eqns); got != c.want {
			t.Errorf("%s: got %d equations, want %d", c.name, got, c.want)
		}
	}
}

// The solver of custom_linear_solve takes some of the operands; its other programs serve
// derivatives.
func TestInlineCalls(t *testing.T) {
	j := parse(t, `{ lambda ; a:f32[] b:f32[]. let
		c:f32[] = linear_call[callee={ lambda ; a:f32[] b:f32[]. let c:f32[] = mul a b in (c,) } num_callee_consts=0 num_res=1 num_transpose_consts=0 transpose={ lambda ; a:f32[] b:f32[]. let c:f32[] = mul a b in (c,) }] a b
		in (c,) }`)
	ircheck.Prints(t, "linear_call", lower.Program(j), "{ lambda ; a:f32[] b:f32[]. let c:f32[] = mul a b in (c,) }")
	square := func(p core.Primitive) *jaxpr.Jaxpr {
		b := jaxpr.NewBuilder()
		k, x := b.Input(f32), b.Input(f32)
		return b.Build(b.Eqn(p, x, k)[0])
	}
	b := jaxpr.NewBuilder()
	m, n, s, y := b.Input(f32), b.Input(f32), b.Input(f32), b.Input(f32)
	p := &jaxpr.LinearSolve{Matvec: square(prim.MulP{}), Vecmat: square(prim.MulP{}), Solve: square(prim.DivP{}), MatvecConsts: 1, VecmatConsts: 1, SolveConsts: 1}
	solve := b.Build(b.Eqn(p, m, n, s, y)[0])
	ircheck.Prints(t, "custom_linear_solve", lower.Program(solve), "{ lambda ; a:f32[] b:f32[] c:f32[] d:f32[]. let e:f32[] = div d c in (e,) }")
}
