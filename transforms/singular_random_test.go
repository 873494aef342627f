package transforms_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
)

var singularSeeds = flag.Int("singular", 40, "how many random functions with singular branches are differentiated")

// scalarFunction is a random function of a number, with its text.
type scalarFunction struct {
	text string
	run  func(weft.Array) weft.Array
	loop bool // contains a While: it has no derivative in reverse
}

// singularities have no finite derivative at 0, or no value below.
var singularities = []scalarFunction{
	{text: "sqrt", run: func(x weft.Array) weft.Array { return weft.Sqrt(x) }},
	{text: "log", run: func(x weft.Array) weft.Array { return weft.Log(x) }},
	{text: "reciprocal", run: func(x weft.Array) weft.Array { return weft.Scalar(1.).Div(x) }},
	{text: "rsqrt", run: func(x weft.Array) weft.Array { return weft.Rsqrt(x) }},
	{text: "power", run: func(x weft.Array) weft.Array { return x.Pow(0.3) }},
	{text: "norm", run: func(x weft.Array) weft.Array { return weft.Sqrt(x.Mul(x)).Mul(weft.Sqrt(x)) }},
	{text: "quotient", run: func(x weft.Array) weft.Array { return weft.Sin(x).Div(x) }},
}

// safe functions have all derivatives everywhere.
var safe = []scalarFunction{
	{text: "zero", run: func(x weft.Array) weft.Array { return x.Mul(0) }},
	{text: "sin", run: func(x weft.Array) weft.Array { return weft.Sin(x) }},
	{text: "square", run: func(x weft.Array) weft.Array { return x.Mul(x) }},
}

// singularFunction returns a random conditional that takes a singular branch only above 0, under a
// random number of wrappers.
func singularFunction(r *rand.Rand) scalarFunction {
	s, o := singularities[r.IntN(len(singularities))], safe[r.IntN(len(safe))]
	f := scalarFunction{text: s.text + " or " + o.text}
	switch r.IntN(3) {
	case 0:
		f.text, f.run = "cond of "+f.text, func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(0), func() weft.Array { return s.run(x) }, func() weft.Array { return o.run(x) })
		}
	case 1:
		f.text, f.run = "switch of "+f.text, func(x weft.Array) weft.Array {
			return weft.Switch(x.Gt(0).AsType(weft.Int32).Add(1), func() weft.Array { return weft.Log(x.Sub(2)) }, func() weft.Array { return o.run(x) }, func() weft.Array { return s.run(x) })
		}
	default:
		f.text, f.run = "cond of operands of "+f.text, func(x weft.Array) weft.Array {
			y := x.Mul(2)
			return weft.Cond(x.Le(0), func() weft.Array { return o.run(y) }, func() weft.Array { return s.run(y).Mul(x) })
		}
	}
	for range 1 + r.IntN(3) {
		f = singularWrapped(r, f)
	}
	return f
}

func singularWrapped(r *rand.Rand, f scalarFunction) scalarFunction {
	g := f.run
	named := func(name string, run func(weft.Array) weft.Array) scalarFunction {
		return scalarFunction{name + " of " + f.text, run, f.loop}
	}
	switch r.IntN(13) {
	case 0:
		return named("jit", weft.Jit(g))
	case 1:
		return named("remat", weft.Remat(g))
	case 2:
		return named("call", weft.Call(g))
	case 3:
		return named("scan", func(x weft.Array) weft.Array {
			c, ys := weft.Scan(func(c, w weft.Array) (weft.Array, weft.Array) { y := g(x).Mul(w); return c.Add(y), y },
				weft.Scalar(float32(0)), weft.Of[float32](0.25, 0.75))
			return c.Add(ys.Sum())
		})
	case 4:
		return named("fori", func(x weft.Array) weft.Array {
			return weft.ForI(3, func(i, c weft.Array) weft.Array { return c.Add(g(x).Mul(i)) }, weft.Scalar(float32(0)))
		})
	case 5:
		return named("mapscan", func(x weft.Array) weft.Array {
			return weft.MapScan(g, weft.Stack(0, x, x.Neg(), x.Mul(0.5))).Sum()
		})
	case 6:
		return named("cond", func(x weft.Array) weft.Array {
			return weft.Cond(x.Gt(-100), func() weft.Array { return g(x) }, func() weft.Array { return weft.Log(x) })
		})
	case 7:
		return named("vmap", func(x weft.Array) weft.Array { return weft.Vmap(g)(weft.Stack(0, x, x.Neg())).Sum() })
	case 8:
		return named("sequential vmap", custom.Vmap(g, nil))
	case 9:
		return named("custom.JVP", custom.JVP(g, func(x, t weft.Array) (weft.Array, weft.Array) { return weft.JVP(g, x, t) }))
	case 10:
		return named("while", func(x weft.Array) weft.Array {
			type carry struct{ I, C weft.Array }
			return weft.While(func(c carry) weft.Array { return c.I.Lt(2) },
				func(c carry) carry { return carry{c.I.Add(1), c.C.Add(g(x))} }, carry{weft.Scalar(int32(0)), weft.Scalar(float32(0))}).C
		}).looping()
	case 11:
		return named("carry of scan", func(x weft.Array) weft.Array {
			c, _ := weft.ScanN(func(c weft.Array) (weft.Array, struct{}) { return g(c).Sub(0.5), struct{}{} }, x, 2)
			return c
		})
	default:
		return named("switch", func(x weft.Array) weft.Array {
			return weft.Switch(x.Gt(-100).AsType(weft.Int32), func() weft.Array { return weft.Sqrt(x.Sub(1000)) }, func() weft.Array { return g(x) })
		})
	}
}

func (f scalarFunction) looping() scalarFunction { f.loop = true; return f }

// Derivatives of a batch of any control flow are those of its elements: a branch that an
// element does not take adds nothing, also where its derivative is infinite or NaN.
func TestSingularBranchesOfRandomPrograms(t *testing.T) {
	race.Values(t)
	numbers := []float32{0, -1, 1, 4, -0.25}
	xs := weft.FromSlice(numbers)
	functions, compared := 0, 0
	chosen := samples.Named(t, 10)
	for seed := range uint64(*singularSeeds) {
		if !chosen(fmt.Sprint(seed)) {
			continue
		}
		functions++
		f := singularFunction(rand.New(rand.NewPCG(seed, 16)))
		forward := func(g func(weft.Array) weft.Array) func(weft.Array) weft.Array {
			return func(x weft.Array) weft.Array { _, d := weft.JVP(g, x, weft.OnesLike(x)); return d }
		}
		modes := map[string]func(func(weft.Array) weft.Array) func(weft.Array) weft.Array{"jvp": forward}
		if !f.loop {
			modes["grad"] = func(g func(weft.Array) weft.Array) func(weft.Array) weft.Array {
				return weft.Grad(func(x weft.Array) weft.Array { return g(x).Sum() })
			}
		}
		first := map[string]func(weft.Array) weft.Array{}
		for inner, d := range modes {
			first[inner] = d(f.run)
		}
		batched := map[string]func(weft.Array) weft.Array{}
		single := map[string]func(weft.Array) weft.Array{}
		for outer, d := range modes {
			batched[outer+" of vmap"], single[outer+" of vmap"] = d(weft.Vmap(f.run)), first[outer]
			batched["vmap of "+outer], single["vmap of "+outer] = weft.Vmap(first[outer]), first[outer]
			twice := func(x weft.Array) weft.Array { return weft.Vmap(weft.Vmap(f.run))(weft.Stack(0, x, x)).Mean(0) }
			batched[outer+" of vmap of vmap"], single[outer+" of vmap of vmap"] = d(twice), first[outer]
			shared := func(x weft.Array) weft.Array { // the inner batch is the outer one's operand
				return weft.Vmap(func(w weft.Array) weft.Array { return weft.Vmap(f.run)(x).Mul(w) })(weft.Of[float32](0.25, 0.75)).Sum(0)
			}
			batched[outer+" of shared vmap"], single[outer+" of shared vmap"] = d(shared), first[outer]
			for inner := range modes {
				name := outer + " of vmap of " + inner
				batched[name], single[name] = d(weft.Vmap(first[inner])), d(first[inner])
			}
		}
		for name, g := range batched {
			want, err := weft.Try(func() []weft.Array {
				var out []weft.Array
				for i := range numbers {
					out = append(out, single[name](xs.Index(i)))
				}
				return out
			})
			for how, g := range map[string]func(weft.Array) weft.Array{"eager": g, "jit": weft.Jit(g)} {
				got, err2 := weft.Try(func() weft.Array { return g(xs) })
				if err != nil || err2 != nil {
					if (err == nil) != (err2 == nil) {
						t.Errorf("seed %d, %s, %s: got %v of the batch, %v of its elements\n%s", seed, how, name, err2, err, f.text)
					}
					continue
				}
				compared++
				for i, w := range want {
					a, b := got.Index(i).Float(), w.Float()
					if !testcheck.Close(a, b, 1e-5*math.Abs(b)+1e-6) {
						t.Errorf("seed %d, %s, %s at %v: got %v, want %v\n%s", seed, how, name, numbers[i], a, b, f.text)
					}
				}
			}
		}
	}
	if compared < 4*functions {
		t.Errorf("compared %d derivatives, want 4 a function at least", compared)
	}
	t.Logf("%d derivatives compared", compared)
}

// The transpose of a user's linear function is that of the function's values: a selection
// between an operand and the operand without its derivative is the identity.
func TestTransposeSelectionOfStoppedOperand(t *testing.T) {
	c := weft.Of(true, false, true)
	for name, f := range map[string]func(weft.Array) weft.Array{
		"stopped where true":  func(x weft.Array) weft.Array { return weft.Where(c, weft.StopGradient(x), x) },
		"stopped where false": func(x weft.Array) weft.Array { return weft.Where(c, x, weft.StopGradient(x)) },
	} {
		got := weft.LinearTranspose(f, weft.Zeros(3))(weft.Of[float32](1, 2, 3))
		for i, want := range []float64{1, 2, 3} {
			if g := got.Index(i).Float(); g != want {
				t.Errorf("%s, element %d: got %v, want %v", name, i, g, want)
			}
		}
	}
}
