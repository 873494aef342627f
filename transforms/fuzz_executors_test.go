package transforms_test

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fuzzgen"
	"github.com/weft-go/weft/internal/test/fuzzstage"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	_ "github.com/weft-go/weft/runtime/cpu" // the native executors
	"github.com/weft-go/weft/trace"
)

// natives returns the executors of this machine whose bits must be the reference's.
func natives() []runtime.Executor {
	var es []runtime.Executor
	for _, e := range runtime.Executors() {
		if e != runtime.Reference && e.Memory() == runtime.Host && e.Available() == nil {
			es = append(es, e)
		}
	}
	return es
}

// onExecutors runs a recorded program on the reference executor and on others, and returns
// how they differ, "" if they do not. kernels is the number of kernels of the results that were compared: 0 of a
// program that all refuse.
func onExecutors(j *jaxpr.Jaxpr, in []val, others []runtime.Executor) (differ string, kernels int) {
	args := make([]*runtime.Array, len(in))
	for i, v := range in {
		args[i] = golden.Concrete(v)
	}
	on := func(e runtime.Executor) (outs []val, n int, err error) {
		outs, err = attempt(func() []val {
			c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j})
			if err != nil {
				panic(err)
			}
			n = c.Account().Kernels
			as, err := c.Run(context.Background(), args)
			if err != nil {
				panic(err)
			}
			vs := make([]val, len(as))
			for i, a := range as {
				vs[i] = a
			}
			return vs
		})
		return outs, n, err
	}
	want, _, wantErr := on(runtime.Reference)
	for _, e := range others {
		got, n, err := on(e)
		switch {
		case (err == nil) != (wantErr == nil):
			return fmt.Sprintf("%s: error %v, reference: %v\n%v", e.Name(), err, wantErr, j), kernels
		case err != nil:
			continue
		}
		kernels += n
		if d := differAll(got, want); d != "" {
			return fmt.Sprintf("%s differs from the reference: %s\n%v", e.Name(), d, j), kernels
		}
	}
	return "", kernels
}

var (
	executorPrograms = flag.Int("executors.programs", 60, "how many random programs TestProgramsOnExecutors runs")
	executorFrom     = flag.Uint64("executors.from", 0, "the seed of the first")
	executorDepth    = flag.Int("executors.depth", -1, "wrappers within wrappers; -1: the seed decides")
	executorBytes    = flag.Int("executors.bytes", 400, "random bytes of a program")
)

// Random programs have the same bits on all executors.
func TestProgramsOnExecutors(t *testing.T) {
	if len(natives()) == 0 {
		t.Skip("no native executor runs here")
	}
	n := *executorPrograms
	if testing.Short() {
		n = min(n, race.Few(60))
	}
	programsOn(t, natives(), n, *executorFrom)
}

// programsOn compares the given number of random programs on executors with the reference. Those that are refused, or have no kernel, do not count.
func programsOn(t *testing.T, on []runtime.Executor, programs int, from uint64) {
	tried, ran, kernels, wrong := 0, 0, 0, 0
	for ; ran < programs && tried < 2*programs+20; tried++ {
		seed := from + uint64(tried)
		p := fuzzgen.Generate(fuzzgen.RandomBytes(seed, *executorBytes), fuzzgen.Options{Depth: *executorDepth})
		in := inputs(p)
		var j *jaxpr.Jaxpr
		if _, err := attempt(func() []val { j = trace.Stage("main", core.AvalsOf(in), fuzzstage.Of(p)); return nil }); err != nil {
			continue // it is refused
		}
		d, n := onExecutors(j, in, on)
		kernels += n
		if n > 0 {
			ran++
		}
		if d != "" {
			t.Errorf("seed %d: %s", seed, d)
			if wrong++; wrong >= *programsStop {
				break
			}
		}
		if (tried+1)%10_000 == 0 {
			t.Logf("up to seed %d: %d ran, %d kernels, %d wrong", seed, ran, kernels, wrong)
		}
	}
	t.Logf("%d programs ran, %d kernels, %d wrong; %d were tried", ran, kernels, wrong, tried)
	if ran < programs && wrong < *programsStop {
		t.Errorf("%d programs ran, want %d", ran, programs)
	}
}

// A result may be a value of a trace that has ended; the trace that returns it writes it again. With seed 20243320 a trace once waited for itself.
func TestResultOfEndedTrace(t *testing.T) {
	p := fuzzgen.Generate(fuzzgen.RandomBytes(20243320, 400), fuzzgen.Options{Depth: -1})
	in := inputs(p)
	if _, err := attempt(func() []val { trace.Stage("main", core.AvalsOf(in), fuzzstage.Of(p)); return nil }); err != nil {
		t.Fatal(err)
	}
}
