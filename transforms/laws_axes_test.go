package transforms_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// Law: a batch along any axis is a loop along it, and its results go to any axis.
func TestLawBatchAlongAxes(t *testing.T) {
	t.Parallel()
	tried := map[string]int{}
	const size = 3
	for _, x := range some(subjects(t), 3) {
		r := x.generator(34)
		j := trace.Stage("f", x.in, x.f)
		for _, m := range choices(len(x.in)) {
			if len(x.in) == 0 || notBatched(x.Prim, m) != "" || drawsTogether(x.Prim, m) {
				continue
			}
			in := x.args(r, m, size)
			args := slices.Clone(in)
			axes := make([]int, len(in))
			for i, a := range x.in {
				axes[i] = transforms.Unmapped
				if m[i] { // any axis but the first, counted from either side
					axes[i] = a.Rank() - r.IntN(max(a.Rank(), 1))
					args[i] = transforms.MoveAxis(in[i], 0, axes[i])
					if r.IntN(2) == 0 {
						axes[i] -= a.Rank() + 1
					}
				}
			}
			outAxes := make([]int, len(x.out))
			for o, a := range x.out {
				outAxes[o] = r.IntN(a.Rank() + 1)
			}
			batched := transforms.VmapProgram(j, axes, outAxes, size)
			if err := jaxpr.Check(batched); err != nil {
				t.Errorf("%s over %v: %v", x.name, axes, err)
				continue
			}
			outs := jaxpr.Eval(batched, nil, args)
			for o := range outs {
				outs[o] = transforms.MoveAxis(outs[o], outAxes[o], 0)
			}
			if d := unlike(outs, size, func(k int) []val { return x.f(at(in, m, k)) }); d != "" {
				t.Errorf("%s over %v to %v at %s: %s", x.name, axes, outAxes, texts(in), d)
			}
			tried[x.Prim.Name()]++
		}
	}
	t.Logf("%d primitives", len(tried))
	if samples.Whole() && len(tried) < 120 {
		t.Errorf("only %d primitives were tried", len(tried))
	}
}

// What the laws are not tried on is listed, and why: every type that an operand may have
// has a subject, save these.
func TestLawEveryType(t *testing.T) {
	if !samples.Whole() {
		t.Skip("a share of the samples does not cover all types; WEFT_SAMPLES=all does")
	}
	t.Parallel()
	have := map[string]map[core.DType]bool{}
	key := func(name string, operand int) string { return name + " " + string(rune('0'+min(operand, 3))) }
	for _, x := range subjects(t) {
		for i, a := range x.in {
			k := key(x.Prim.Name(), i)
			if have[k] == nil {
				have[k] = map[core.DType]bool{}
			}
			have[k][a.DType] = true
		}
	}
	takes, without, untried := 0, map[string]bool{}, map[string][]string{}
	primtest.Takes(func(p core.Primitive, operand int, dt core.DType) {
		switch {
		case hosted(p):
			without[p.Name()] = true
		case !have[key(p.Name(), operand)][dt]:
			untried[p.Name()] = append(untried[p.Name()], dt.String())
		default:
			takes++
		}
	})
	for name, dts := range untried {
		t.Errorf("%s takes types on which no law is tried: %v", name, dts)
	}
	t.Logf("%d operands in a type; a Go function states the types of %v", takes, slices.Sorted(maps.Keys(without)))
	if takes < 2500 {
		t.Errorf("only %d operands in a type were found", takes)
	}
	// Operations that the types allow, as JAX's do, but numbers do not, are refused by name.
	for dt := core.Int2; dt <= core.Uint64; dt++ {
		p := findSample(t, "cumlogsumexp").Prim
		why := primtest.Typed(p, dt)
		x := draw(rand.New(rand.NewPCG(35, 1)), core.Aval(dt, 3, 4), primtest.Domain{}, 1)
		if why == "" {
			t.Errorf("no refusal is stated for %s of %v", p.Name(), dt)
		}
		refused(t, p.Name()+" of "+dt.String(), why, func() { core.Bind(p, x) })
	}
}

func findSample(t *testing.T, name string) primtest.Sample {
	t.Helper()
	for _, s := range primtest.All() {
		if s.Prim.Name() == name {
			return s
		}
	}
	t.Fatalf("no sample of %s", name)
	return primtest.Sample{}
}
