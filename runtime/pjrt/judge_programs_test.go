package pjrt_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fuzzgen"
	"github.com/weft-go/weft/internal/test/fuzzstage"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
)

var programs = flag.Int("programs", 60, "how many random programs TestJudgePrograms runs; TestJudgeDivided runs a third of it")

// judgePrograms runs n random programs: nestings of loops, branches, batches, derivatives and custom
// rules. The unit of distances is the error that rounding may cause in a correct evaluation. place
// returns a program's arguments, placed on the device.
func judgePrograms(t *testing.T, e runtime.Executor, n int, file string, place func(seed uint64, args []*runtime.Array) []*runtime.Array) {
	t.Helper()
	var v verdicts
	ran := 0
	for seed := uint64(0); ran < n && seed < uint64(3*n+20); seed++ {
		p := fuzzgen.Generate(fuzzgen.RandomBytes(seed, 400), fuzzgen.Options{Depth: 3})
		o, err := p.Run(true)
		if err != nil || o.Skip != "" {
			continue // its numbers depend on rounding
		}
		var args []*runtime.Array
		in := fuzzstage.Inputs(p)
		for _, x := range in {
			args = append(args, x.(*runtime.Array))
		}
		var j *jaxpr.Jaxpr
		if core.Catch(func() { j = trace.Stage("main", core.AvalsOf(in), fuzzstage.Of(p)) }) != nil {
			continue // the program is refused
		}
		ds, err := judgedOn(e, j, args, place(seed, args), o.Errors)
		if err != nil && strings.HasPrefix(err.Error(), "reference: ") {
			continue
		}
		ran++
		v.add(fmt.Sprint("seed ", seed), "the program", ds, err)
	}
	v.check(t, file)
	if ran < n {
		t.Errorf("%d programs ran, want %d", ran, n)
	}
}

func TestJudgePrograms(t *testing.T) {
	judgePrograms(t, executor(t), *programs, "testdata/programs.txt", func(_ uint64, args []*runtime.Array) []*runtime.Array { return args })
}

// Programs that XLA divides, with arguments cut at random, are close to the reference.
func TestJudgeDivided(t *testing.T) {
	var list []runtime.Executor
	for _, d := range devices(t, 4) {
		e, err := runtime.Lookup(d.String())
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	g, err := list[0].(runtime.Divisible).Together(list)
	if err != nil {
		t.Fatal(err)
	}
	m := jaxpr.Mesh{Axes: []jaxpr.MeshAxis{{Name: "x", Size: 2}, {Name: "y", Size: 2}}}
	judgePrograms(t, g, *programs/3, "testdata/divided.txt", func(seed uint64, args []*runtime.Array) (placed []*runtime.Array) {
		r := rand.New(rand.NewPCG(seed, 7))
		for _, a := range args {
			spec := make(jaxpr.Spec, a.Aval().Rank())
			free := []string{"x", "y"}
			for i := range spec {
				n := a.Aval().Shape.At(i)
				switch c := r.IntN(4); {
				case n%4 == 0 && c == 0 && len(free) == 2:
					spec[i], free = free, nil
				case n%2 == 0 && c < 3 && len(free) > 0:
					spec[i], free = free[:1], free[1:]
				}
			}
			b, err := runtime.Cut(context.Background(), g, a, m, spec)
			if err != nil {
				t.Fatal(err)
			}
			placed = append(placed, b)
		}
		return placed
	})
}
