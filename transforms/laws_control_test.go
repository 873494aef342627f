package transforms_test

import (
	"fmt"
	"maps"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// The laws for operations that hold programs: calls, control flow, and functions with
// rules of the user's.

// wrapped is a function in which such an operation is applied. once, if not empty, says why its derivative is not the one that differences give.
type wrapped struct {
	name    string
	f       func(in []val) []val // of x: [3], and s: a scalar, both of one type; and i, an i32
	forward bool                 // reverse mode is refused
	reverse bool                 // forward mode is refused
	once    string
}

// slope returns a function of x and s, linear in neither.
func slope(x, s val) val { return prim.Add(prim.Sin(prim.Mul(x, s)), prim.Square(x)) }

func one(v val) []val { return []val{v} }

func stagedAs(in []val, f function, of func(j *jaxpr.Jaxpr) core.Primitive) []val {
	outs, _ := staged("f", f, in, of)
	return outs
}

// diagonalSolve returns A⁻¹ b for A = diag(2 + s²), by a solver of its own.
func diagonalSolve(b, s val) []val {
	diagonal := func(s val) val { return prim.Add(prim.Square(s), prim.Num(s.Aval(), 2)) }
	a := []core.ShapedArray{s.Aval(), b.Aval()}
	times := trace.Stage("matvec", a, func(in []val) []val { return one(prim.Mul(in[1], diagonal(in[0]))) })
	solve := trace.Stage("solve", a, func(in []val) []val { return one(prim.Div(in[1], diagonal(in[0]))) })
	return core.Bind(&jaxpr.LinearSolve{Matvec: times, Vecmat: times, Solve: solve, TransposeSolve: solve, MatvecConsts: 1, VecmatConsts: 1, SolveConsts: 1, TransposeSolveConsts: 1}, s, s, s, s, b)
}

var controls = []wrapped{
	{name: "jit", f: func(in []val) []val {
		return stagedAs(in, func(in []val) []val { return one(slope(in[0], in[1])) }, jitOf)
	}},
	{name: "core_call", f: func(in []val) []val {
		return stagedAs(in, func(in []val) []val { return one(slope(in[0], in[1])) }, func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.CoreCall{Fn: "f", Jaxpr: j} })
	}},
	{name: "remat2", f: func(in []val) []val {
		return stagedAs(in, func(in []val) []val { return one(slope(in[0], in[1])) }, func(j *jaxpr.Jaxpr) core.Primitive { return &jaxpr.Remat{Jaxpr: j, PreventCSE: true} })
	}},
	{name: "cond", f: func(in []val) []val {
		return trace.Cond(prim.Gt(in[2], prim.Num(in[2].Aval(), 1)), func() []val { return one(slope(in[0], in[1])) }, func() []val { return one(prim.Mul(in[0], in[0])) })
	}},
	{name: "switch", f: func(in []val) []val {
		return trace.Switch(in[2], func() []val { return one(in[0]) }, func() []val { return one(slope(in[0], in[1])) }, func() []val { return one(prim.Cos(in[0])) })
	}},
	{name: "scan", f: func(in []val) []val {
		carry, ys := trace.Scan(func(c, x []val) ([]val, []val) {
			next := slope(c[0], x[0])
			return one(prim.Mul(next, prim.Num(next.Aval(), 0.5))), []val{next, prim.Add(x[0], in[1])}
		}, in[1:2], in[:1], trace.ScanConfig{Length: 3})
		return slices.Concat(carry, ys)
	}},
	{name: "scan reversed", f: func(in []val) []val {
		carry, ys := trace.Scan(func(c, x []val) ([]val, []val) {
			return []val{prim.Cos(prim.Add(c[0], x[0])), prim.Add(c[1], prim.Num(c[1].Aval(), 1))}, one(prim.Mul(c[0], in[1]))
		}, []val{in[1], in[2]}, in[:1], trace.ScanConfig{Length: 3, Reverse: true})
		return slices.Concat(carry, ys)
	}},
	{name: "fori", f: func(in []val) []val {
		lit := func(n int64) val { return core.Lit(core.IntNumber(n), core.Int32) }
		return trace.ForI(lit(0), lit(3), func(_ val, c []val) []val { return one(prim.Cos(prim.Mul(c[0], in[1]))) }, in[:1])
	}},
	{name: "while", forward: true, f: func(in []val) []val {
		return trace.While(func(c []val) val { return prim.Lt(c[1], prim.Num(c[1].Aval(), 4)) }, func(c []val) []val {
			return []val{prim.Cos(prim.Mul(c[0], in[1])), prim.Add(c[1], prim.Num(c[1].Aval(), 1))}
		}, []val{in[0], in[2]})
	}},
	{name: "custom_jvp_call", f: func(in []val) []val {
		return core.Bind(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", OutAvals: []core.ShapedArray{in[0].Aval()},
			F: func(in []val) []val { return one(slope(in[0], in[1])) },
			Rule: func(in, t []val) (outs, touts []val) {
				return transforms.JVP(func(in []val) []val { return one(slope(in[0], in[1])) }, in, t)
			}}, in[0], in[1])
	}},
	{name: "custom_vjp_call", reverse: true, f: func(in []val) []val {
		return core.Bind(&jaxpr.CustomVJP{Fn: "f", FwdName: "fwd", BwdName: "bwd", OutAvals: []core.ShapedArray{in[0].Aval()},
			F:   func(in []val) []val { return one(slope(in[0], in[1])) },
			Fwd: func(in []val) (outs, res []val) { return one(slope(in[0], in[1])), in },
			Bwd: func(res, ct []val) []val {
				_, vjp := transforms.VJP(func(in []val) []val { return one(slope(in[0], in[1])) }, res, []bool{true, true})
				return vjp(ct)
			}}, in[0], in[1])
	}},
	{name: "custom_vmap_call", f: func(in []val) []val {
		f := func(in []val) []val { return one(slope(in[0], in[1])) }
		return core.Bind(&jaxpr.CustomVmap{Fn: "f", RuleName: "rule", OutAvals: []core.ShapedArray{in[0].Aval()}, F: f,
			Rule: func(n int, in []val, mapped []bool) ([]val, []bool) { return transforms.Vmap(n, "", f, in, mapped) }}, in[0], in[1])
	}},
	{name: "custom_vmap_call with a linear and an unused operand", f: func(in []val) []val {
		f := func(in []val) []val { return []val{prim.Add(prim.Sin(in[0]), in[1]), prim.Mul(in[1], in[1])} }
		return core.Bind(&jaxpr.CustomVmap{Fn: "f", RuleName: "rule", OutAvals: []core.ShapedArray{in[0].Aval(), in[1].Aval()}, F: f,
			Rule: func(n int, in []val, mapped []bool) ([]val, []bool) { return transforms.Vmap(n, "", f, in, mapped) }}, in[0], in[1], in[2])
	}},
	{name: "linear_call", once: "it is linear in x only, by definition", f: func(in []val) []val {
		a := []core.ShapedArray{in[1].Aval(), in[0].Aval()}
		j := trace.Stage("f", a, func(in []val) []val { return one(prim.Mul(in[1], prim.Sin(in[0]))) })
		return core.Bind(&jaxpr.LinearCall{Fn: "f", TransposeName: "t", Jaxpr: j, Transposed: j, NumRes: 1}, prim.StopGradient(in[1]), in[0])
	}},
	{name: "custom_linear_solve", f: func(in []val) []val { return diagonalSolve(in[0], in[1]) }},
}

// controlTypes are the types of x and s.
var controlTypes = []core.DType{core.Float64, core.Float32, core.Float16, core.BFloat16, core.Complex64, core.Complex128, core.Float8E4M3FN}

// subject returns the function with x and s of a type.
func (w *wrapped) subject(dt core.DType) subject {
	x := subject{name: fmt.Sprintf("%s of %v", w.name, dt), in: []core.ShapedArray{core.Aval(dt, 3), core.Aval(dt), core.Aval(core.Int32)}, rows: make([]bool, 3), f: w.f}
	x.Dom = []primtest.Domain{{Lo: 0.25, Hi: 1.5}, {Lo: 0.5, Hi: 1.25}, {Lo: 0, Hi: 3}}
	if dt.IsComplex() { // the cosine grows along the imaginary axis
		x.Dom[0], x.Dom[1] = primtest.Domain{Lo: 0.125, Hi: 0.5}, primtest.Domain{Lo: 0.25, Hi: 0.5}
	}
	x.out = trace.Stage("f", x.in, x.f).OutAvals()
	return x
}

// primitives counts the primitives of a program, and of those within.
func primitives(j *jaxpr.Jaxpr, names map[string]bool) {
	for _, e := range j.Eqns {
		names[e.Prim.Name()] = true
		for _, k := range jaxpr.Programs(e.Prim) {
			primitives(k, names)
		}
	}
}

// Law: what holds programs is recorded as a legal program that reads back, returns the same
// in every way it is run, and on a batch what a loop returns, to the bit.
func TestLawControlProgramAndBatch(t *testing.T) {
	race.Values(t)
	t.Parallel()
	r := rand.New(rand.NewPCG(31, 1))
	names := map[string]bool{}
	for _, w := range controls {
		for _, dt := range controlTypes {
			x := w.subject(dt)
			j := trace.Stage("f", x.in, x.f)
			primitives(j, names)
			if err := jaxpr.Check(j); err != nil {
				t.Errorf("%s: %v", x.name, err)
			}
			text := j.String()
			back, err := jaxpr.Parse(text, prim.Vocabulary)
			if err != nil {
				t.Errorf("%s: %v\n%s", x.name, err, text)
				continue
			}
			if again := back.String(); again != text {
				t.Errorf("%s: printed again:\n%s\nwas\n%s", x.name, again, text)
			}
			in := x.args(r, nil, 0)
			eager := x.f(in)
			for way, f := range map[string]func() []val{
				"jit":     func() []val { return core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: j}, in...) },
				"program": func() []val { return jaxpr.Eval(j, nil, in) },
				"text":    func() []val { return core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: back}, in...) },
			} {
				if d := differAll(f(), eager); d != "" {
					t.Errorf("%s: %s: %s", x.name, way, d)
				}
			}
			for _, m := range choices(len(x.in)) {
				for _, size := range []int{3, 1} {
					in := x.args(r, m, size)
					outs := batch(x.f, size, in, m)
					if d := unlike(outs, size, func(k int) []val { return x.f(at(in, m, k)) }); d != "" {
						t.Errorf("%s over %v of %d at %s: %s", x.name, m, size, texts(in), d)
					}
				}
			}
		}
	}
	for _, want := range []string{"jit", "core_call", "remat2", "cond", "while", "scan", "custom_jvp_call", "custom_vjp_call", "custom_vmap_call", "linear_call", "custom_linear_solve"} {
		if !names[want] {
			t.Errorf("%s is held to no law; there are %v", want, slices.Sorted(maps.Keys(names)))
		}
	}
}

// Law: the forward derivative of what holds programs is the limit of differences, its
// reverse derivative the transpose of that, and batches of both are loops of them.
func TestLawControlDerivatives(t *testing.T) {
	race.Values(t)
	t.Parallel()
	r := rand.New(rand.NewPCG(32, 1))
	for _, w := range controls {
		for _, dt := range []core.DType{core.Float64, core.Complex128} {
			x := w.subject(dt)
			for _, choice := range subsets([]bool{true, true, false}) {
				in, tan := x.args(r, nil, 0), x.tangents(r, choice)
				var touts []val
				outs := x.f(in)
				if !w.reverse {
					var got []val
					got, touts = transforms.JVP(x.f, slices.Clone(in), slices.Clone(tan))
					if d := differAll(got, outs); d != "" {
						t.Errorf("%s: the primal result: %s", x.name, d)
					}
					if w.once == "" || !choice[1] {
						x.differences(t, in, tan, touts)
					}
				} else {
					refused(t, x.name, "has a reverse rule only", func() { transforms.JVP(x.f, slices.Clone(in), slices.Clone(tan)) })
					continue
				}
				if w.forward {
					refused(t, x.name, "does not go through a While loop", func() {
						_, vjp := transforms.VJP(x.f, in, choice)
						vjp(cotangents(r, outs))
					})
					continue
				}
				_, vjp := transforms.VJP(x.f, in, choice)
				ct := cotangents(r, outs)
				want, s1 := pairing(ct, touts)
				got, s2 := pairing(vjp(slices.Clone(ct)), tan)
				testcheck.Within(t, fmt.Sprintf("%s along %v: ⟨Jᵀ·ȳ, ẋ⟩, as ⟨ȳ, J·ẋ⟩", x.name, choice), got, want, 1e-14*(1+s1+s2)) // sums of the same terms: the worst is 5e-15
			}
			x.batchesOfDerivatives(t, r, w)
		}
	}
	// A reverse rule is compared with the forward derivative of the same function.
	x, y := controls[0].subject(core.Float64), controls[slices.IndexFunc(controls, func(w wrapped) bool { return w.reverse })].subject(core.Float64)
	in := x.args(r, nil, 0)
	ct := cotangents(r, x.f(in))
	_, plain := transforms.VJP(x.f, in, []bool{true, true, false})
	_, ruled := transforms.VJP(y.f, in, []bool{true, true, false})
	if d := differAll(ruled(slices.Clone(ct)), plain(slices.Clone(ct))); d != "" {
		t.Errorf("%s: %s", y.name, d)
	}
}

// batchesOfDerivatives compares batches of derivatives with loops of them.
func (x *subject) batchesOfDerivatives(t *testing.T, r *rand.Rand, w wrapped) {
	t.Helper()
	m := []bool{true, true, false}
	ways := map[string]function{}
	others := map[string][]core.ShapedArray{}
	if !w.reverse {
		ways["forward"], others["forward"] = x.forward(m), x.in[:2]
	}
	if !w.forward {
		ways["reverse"] = x.backwards(m)
		for _, a := range x.out {
			if a.DType.IsInexact() {
				others["reverse"] = append(others["reverse"], a)
			}
		}
	}
	const size = 2
	for name, d := range derivatives {
		if w.reverse && strings.Contains(name, "forward") || w.forward && strings.Contains(name, "reverse") {
			continue
		}
		f := func(in []val) []val { return d(x.f, in, m) }
		for _, vary := range choices(len(x.in)) {
			in := x.args(r, vary, size)
			outs := batch(f, size, in, vary)
			one := func(k int) []val { return f(at(in, vary, k)) }
			d := unlike(outs, size, one)
			if strings.HasPrefix(w.name, "custom_vmap_call") {
				// The derivative of a rule shares no residuals with that of the function, so cotangents are added in
				// another order.
				d = farFrom(outs, size, one, 1e-14)
			}
			if d != "" {
				t.Errorf("%s, %s, over %v: %s", x.name, name, vary, d)
			}
		}
	}
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		f := ways[way]
		for _, vary := range spreads(len(x.in), len(others[way])) {
			in := x.args(r, vary[:len(x.in)], size)
			for k, a := range others[way] {
				if vary[len(x.in)+k] {
					a = a.WithShape(a.Shape.Prepend(size))
				}
				in = append(in, draw(r, a, primtest.Domain{}, 1))
			}
			outs := batch(f, size, in, vary)
			if d := unlike(outs, size, func(k int) []val { return f(at(in, vary, k)) }); d != "" {
				t.Errorf("%s, %s, over %v: %s", x.name, way, vary, d)
			}
		}
	}
}

// farFrom returns how a batch differs from a loop over its elements by more than tol of the largest number.
func farFrom(outs []val, n int, one func(k int) []val, tol float64) string {
	for k := range n {
		for o, want := range one(k) {
			got, want := numbers(row(outs[o], k)), numbers(want)
			for e := range want {
				if d := cmplx.Abs(got[e] - want[e]); !(d <= tol*max(1, largest(want))) {
					return fmt.Sprintf("result %d, element %d of %d: got %v, want %v", o, e, k, got[e], want[e])
				}
			}
		}
	}
	return ""
}

// differences compares tangents with differences.
func (x *subject) differences(t *testing.T, in, tan, touts []val) {
	t.Helper()
	at := func(h float64) []val {
		args := slices.Clone(in)
		for i := range args {
			args[i] = moved(in[i], tan[i], h)
		}
		return x.f(args)
	}
	const h = 1e-3
	p1, m1, p2, m2 := at(h), at(-h), at(2*h), at(-2*h)
	for k := range p1 {
		if !p1[k].Aval().DType.IsInexact() {
			continue
		}
		a, b, c, d := numbers(p1[k]), numbers(m1[k]), numbers(p2[k]), numbers(m2[k])
		got := make([]complex128, len(a))
		if touts[k] != nil {
			got = numbers(touts[k])
		}
		for e := range a {
			want := (8*(a[e]-b[e]) - (c[e] - d[e])) / (12 * h)
			if !(cmplx.Abs(got[e]-want) <= 1e-9*max(1, cmplx.Abs(want))) { // the differences leave h⁴ of the fifth derivative
				t.Errorf("%s at %s along %s: element %d of result %d has the tangent %v, differences give %v", x.name, texts(in), texts(tan), e, k, got[e], want)
				break
			}
		}
	}
}

// cotangents draws cotangents of the results that have one.
func cotangents(r *rand.Rand, outs []val) []val {
	ct := make([]val, len(outs))
	for k, y := range outs {
		if y.Aval().DType.IsInexact() {
			ct[k] = draw(r, y.Aval(), primtest.Domain{}, 1)
		}
	}
	return ct
}

// refused requires that f fails with a text.
func refused(t *testing.T, what, text string, f func()) {
	t.Helper()
	if err := testcheck.Recover(f); err == nil || !containsText(err, text) {
		t.Errorf("%s: got %v, want an error with %q", what, err, text)
	}
}
