package transforms_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/fuzzgen"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// foundSeeds are seeds of TestPrograms, at depth 4, whose programs once failed.
var foundSeeds = []uint64{
	1000880, 1001206, 1001352, 1003970, 1011084, 1012423, 2003029, 2010497, 3003762, 3020626, 3026742, 3030938,
	5001475, 5006562, 5008711, 5009784, 5017069, 5019512, 5020213, 5034834, 5035166, 5035725, 5038807,
	7004552, 7030252, 7060446, 7082497, 8004750, 8005478, 8034727, 8039532, 8042121, 8135400, 8136633, 8143286, 8160134, 8162941, 8170545,
	9001393, 9018159, 10108020,
}

// Programs that once failed stay right.
func TestRegressionPrograms(t *testing.T) {
	race.Values(t)
	t.Parallel()
	for _, seed := range foundSeeds {
		p := fuzzgen.Generate(fuzzgen.RandomBytes(seed, 4096), fuzzgen.Options{Depth: 4})
		if v := judge(p); v.wrong != "" {
			t.Errorf("seed %d: %s", seed, v.wrong)
		}
	}
}

func num64(v float64) val { return core.Lit(core.FloatNumber(v), core.Float64) }

func number1(t *testing.T, v val) float64 {
	t.Helper()
	n, ok := golden.Concrete(v).At(0)
	if !ok {
		t.Fatalf("%v is no number", v)
	}
	return n.Float()
}

// On a tape the primal of a while loop is what the rules within give: they may close over
// what is being differentiated around it.
func TestWhileOnATapeKeepsRules(t *testing.T) {
	times := func(y, x val) val { // x·y; its rule doubles the derivative with respect to x
		return core.Bind(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", OutAvals: []core.ShapedArray{core.Aval(core.Float64)},
			F: func(in []val) []val { return []val{prim.Mul(in[0], y)} },
			Rule: func(in, t []val) (outs, touts []val) {
				return []val{prim.Mul(in[0], y)}, []val{prim.Mul(prim.Mul(t[0], y), num64(2))}
			}}, x)[0]
	}
	once := func(x, y val) val { // one step of a loop
		i := core.Lit(core.IntNumber(0), core.Int32)
		return trace.While(func(c []val) val { return prim.Lt(c[0], core.Lit(core.IntNumber(1), core.Int32)) }, func(c []val) []val {
			return []val{prim.Add(c[0], core.Lit(core.IntNumber(1), core.Int32)), prim.Sin(times(y, c[1]))}
		}, []val{i, x})[1]
	}
	// d/dy of the derivative along x, through the primal result only: cos(x·y)·x.
	f := func(in []val) []val {
		outs, _ := transforms.JVP(func(xs []val) []val { return []val{once(xs[0], prim.Mul(in[0], num64(1)))} }, []val{num64(0.5)}, []val{num64(1)})
		return outs
	}
	outs, touts := transforms.JVP(f, []val{num64(0.75)}, []val{num64(1)})
	testcheck.Within(t, "the loop", number1(t, outs[0]), math.Sin(0.375), 1e-15)
	testcheck.Within(t, "the loop's derivative", number1(t, touts[0]), math.Cos(0.375)*0.5, 1e-15)
	// On the tape of a linearization around it, with a tangent of the loop that is not used.
	g := func(in []val) []val {
		outs, _ := transforms.JVP(func(xs []val) []val { return []val{once(xs[0], in[0])} }, []val{prim.Sin(in[0])}, []val{prim.Cos(in[0])})
		return outs
	}
	_, lin := transforms.Linearize(g, []val{num64(0.75)}, []bool{true})
	y := 0.75
	want := math.Cos(math.Sin(y)*y) * (math.Cos(y)*y + math.Sin(y))
	testcheck.Within(t, "the linear map", number1(t, lin.Apply([]val{num64(1)})[0]), want, 1e-15)
}

// A rule may give a value of a trace that has ended, whether or not anything uses the value.
func TestRuleReturnsValueOfEndedTrace(t *testing.T) {
	f := func(unused bool) func(in []val) []val {
		return func(in []val) []val {
			j := trace.Stage("g", core.AvalsOf(in), func(in []val) []val {
				inner := prim.Sin(in[1])
				both := core.Bind(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", OutAvals: []core.ShapedArray{core.Aval(core.Float64), core.Aval(core.Float64)},
					F: func(in []val) []val { return []val{prim.Sin(in[0]), inner} },
					Rule: func(in, t []val) (outs, touts []val) {
						return []val{prim.Sin(in[0]), inner}, []val{prim.Mul(t[0], prim.Cos(in[0])), nil}
					}}, in[0])
				if unused {
					return both[:1]
				}
				return []val{prim.Mul(both[0], both[1])}
			})
			return core.Bind(&jaxpr.Jit{Fn: "g", Jaxpr: j}, in...)
		}
	}
	for unused, want := range map[bool]float64{false: math.Cos(0.5) * math.Sin(0.25), true: math.Cos(0.5)} {
		_, touts := transforms.JVP(f(unused), []val{num64(0.5), num64(0.25)}, []val{num64(1), nil})
		testcheck.Within(t, fmt.Sprintf("derivative, unused %v", unused), number1(t, touts[0]), want, 1e-15)
	}
}

// What a scan's body does not use gets no cotangent: where it came from may be a while
// loop, which has no reverse derivative.
func TestScanCotangentsOfUnusedInputs(t *testing.T) {
	f := func(in []val) []val {
		i := core.Lit(core.IntNumber(0), core.Int32)
		looped := trace.While(func(c []val) val { return prim.Lt(c[0], core.Lit(core.IntNumber(2), core.Int32)) }, func(c []val) []val {
			return []val{prim.Add(c[0], core.Lit(core.IntNumber(1), core.Int32)), prim.Sin(c[1])}
		}, []val{i, prim.Stack(0, in[0], in[0])})[1]
		carry, _ := trace.Scan(func(c, x []val) ([]val, []val) { return []val{prim.Mul(c[0], in[0])}, nil },
			[]val{in[0]}, []val{looped}, trace.ScanConfig{Length: 2})
		return carry
	}
	outs, vjp := transforms.VJP(f, []val{num64(1.5)}, []bool{true})
	if got := number1(t, outs[0]); got != 1.5*1.5*1.5 {
		t.Errorf("the cube of 1.5 is %v", got)
	}
	if got := number1(t, vjp([]val{num64(1)})[0]); got != 3*1.5*1.5 {
		t.Errorf("its derivative is %v", got)
	}
}

// A rule that computes a tangent of zeros alone returns one that is not on the tape. It is
// zero, so that a function with a reverse rule that takes the result needs no forward rule.
// Forward mode refuses the same program.
func TestTangentsOffTheTapeAreZero(t *testing.T) {
	aval := core.Aval(core.Float64)
	var calls int
	f := func(in []val) []val {
		// The first operand's square, whose tangent is that of the first operand alone.
		y := core.Bind(&jaxpr.CustomJVP{Fn: "f", RuleName: "rule", OutAvals: []core.ShapedArray{aval},
			F: func(in []val) []val { return []val{prim.Mul(in[0], in[0])} },
			Rule: func(in, t []val) (outs, touts []val) {
				return []val{prim.Mul(in[0], in[0])}, []val{prim.Mul(prim.Mul(t[0], in[0]), num64(2))}
			}}, num64(3), in[0])
		z := core.Bind(&jaxpr.CustomVJP{Fn: "g", FwdName: "fwd", BwdName: "bwd", OutAvals: []core.ShapedArray{aval},
			F:   func(in []val) []val { return []val{prim.Sin(in[0])} },
			Fwd: func(in []val) (outs, res []val) { calls++; return []val{prim.Sin(in[0])}, nil },
			Bwd: func(res, ct []val) []val { calls++; return ct }}, y...)
		return []val{prim.Mul(z[0], in[0])}
	}
	outs, back := transforms.VJP(f, []val{num64(5)}, []bool{true})
	if got, want := number1(t, outs[0]), 5*math.Sin(9); got != want {
		t.Errorf("value: got %v, want %v", got, want)
	}
	if got, want := number1(t, back([]val{num64(1)})[0]), math.Sin(9); got != want {
		t.Errorf("derivative: got %v, want %v", got, want)
	}
	if calls != 0 {
		t.Errorf("the rules ran %d times, want none", calls)
	}
	err := core.Catch(func() { transforms.JVP(f, []val{num64(5)}, []val{num64(1)}) })
	if !errors.Is(err, core.ErrCustomRule) || !strings.Contains(err.Error(), "does not go through a custom.VJP function") {
		t.Errorf("forward mode: got %v", err)
	}
}
