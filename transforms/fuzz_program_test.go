package transforms_test

import (
	"flag"
	"fmt"
	"math"
	"math/cmplx"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/fuzzgen"
	"github.com/weft-go/weft/internal/test/fuzzstage"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/trace"
)

// verdict is what became of a program.
type verdict struct {
	wrong   string  // not empty if Weft and the reference disagree
	refused bool    // refused for a reason that the reference confirms
	skip    string  // its numbers depend on rounding
	ratio   float64 // the largest deviation, in units of the bound of rounding errors
	numbers int     // floating numbers compared
	sharp   int     // of those, with a bound below 1e-9 of the number
}

// checking counts the calls of checked that are going on, which share the setting of a package.
var checking struct {
	sync.Mutex
	n   int
	old *func(*jaxpr.Jaxpr) error
}

// checked sets the check of every program that is recorded while f runs.
func checked(f func()) {
	checking.Lock()
	if checking.n++; checking.n == 1 {
		check := jaxpr.Check
		checking.old = trace.Check.Swap(&check)
	}
	checking.Unlock()
	defer func() {
		checking.Lock()
		if checking.n--; checking.n == 0 {
			trace.Check.Store(checking.old)
		}
		checking.Unlock()
	}()
	f()
}

// attempt calls f and returns its panic as an error.
func attempt(f func() []val) (outs []val, err error) {
	err = testcheck.Recover(func() { outs = f() })
	return outs, err
}

// judge runs a program, at once and as one recorded program, and compares it with what it
// means.
func judge(p *fuzzgen.Program) (v verdict) {
	o, err := p.Run(false)
	if err != nil {
		v.skip = err.Error()
		return v
	}
	recorded, err := p.Run(true)
	if err != nil {
		panic(err)
	}
	in := inputs(p)
	var eager, jit []val
	var eagerErr, jitErr error
	var j *jaxpr.Jaxpr
	checked(func() {
		eager, eagerErr = attempt(func() []val { return fuzzstage.Of(p)(in) })
		jit, jitErr = attempt(func() []val {
			j = trace.Stage("main", core.AvalsOf(in), fuzzstage.Of(p))
			return core.Bind(jitOf(j), in...)
		})
	})
	if v.wrong = unexpected("eager", eagerErr, o); v.wrong == "" {
		v.wrong = unexpected("jit", jitErr, recorded)
	}
	if v.wrong != "" {
		return v
	}
	if eagerErr != nil {
		v.refused = true
		return v
	}
	if jitErr == nil {
		if d := differAll(jit, eager); d != "" {
			v.wrong = "jit differs from eager: " + d
			return v
		}
		if d := readsBack(j, in); d != "" {
			v.wrong = "text: " + d
			return v
		}
	}
	if v.skip = o.Skip; v.skip != "" {
		return v
	}
	for k, got := range eager {
		// Reverse mode carries cotangents in the type of the values: those of f16 values
		// vanish below 2⁻²⁴, which bounds found in forward mode do not take into account.
		floor := 0.0
		if p.Stats.DTypes[core.Float16] {
			floor = 0x1p-22
		}
		v.compare(k, got, o.Results[k], o.Errors[k], floor)
		if v.wrong != "" {
			return v
		}
	}
	return v
}

// unexpected returns why an error is not an allowed refusal, "" if it is one.
func unexpected(what string, err error, o *fuzzgen.Outcome) string {
	switch {
	case err == nil || slices.ContainsFunc(reasonsOf(err), func(r fuzzgen.Reason) bool { return slices.Contains(o.Refusals, r) }):
		return ""
	case len(o.Refusals) == 0:
		return fmt.Sprintf("%s: %v", what, err)
	}
	return fmt.Sprintf("%s: may be refused for %v, but is for %v", what, o.Refusals, err)
}

// slack is how many times the bound of rounding errors a number may be off: other
// orders of operations round otherwise.
const slack = 8

func (v *verdict) compare(k int, got val, want fuzzgen.Value, bound []float64, floor float64) {
	if !got.Aval().SameType(want.Type) {
		v.wrong = fmt.Sprintf("result %d is %v, want %v", k, got.Aval(), want.Type)
		return
	}
	x := golden.Concrete(got)
	for i, w := range want.Elems {
		n, _ := x.At(i)
		if bound == nil {
			if n.Float() != real(w) {
				v.wrong = fmt.Sprintf("result %d, element %d: got %v, want %v", k, i, n.Float(), real(w))
				return
			}
			continue
		}
		g := n.Complex()
		d := cmplx.Abs(g - w)
		v.numbers++
		if bound[i] <= 1e-9*max(cmplx.Abs(w), 1e-3) {
			v.sharp++
		}
		if bound[i] > 0 {
			v.ratio = max(v.ratio, (d-floor)/bound[i])
		}
		if !(d <= slack*bound[i]+floor) || math.IsNaN(d) {
			v.wrong = fmt.Sprintf("result %d, element %d: got %v, want %v ± %.3g (off by %.3g)", k, i, g, w, bound[i], d)
			return
		}
	}
}

// like returns a failure without its particulars, so that shrinking keeps to it.
func like(s string) string {
	s = regexp.MustCompile(`[\w/]+\.go:\d+:? ?`).ReplaceAllString(s, "")
	s = regexp.MustCompile(`\d+`).ReplaceAllString(s, "0")
	if len(s) > 60 {
		s = s[:60]
	}
	return s
}

// FuzzProgram compares random programs, whose depth the first byte decides, with an
// independent implementation. The seeds in testdata are programs that once failed.
func FuzzProgram(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(fuzzgen.RandomBytes(seed, 1024))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p := fuzzgen.Generate(data, fuzzgen.Options{Depth: -1})
		if v := judge(p); v.wrong != "" {
			t.Fatalf("%s\n%s", v.wrong, p)
		}
	})
}

// Random programs whose bytes rapid draws: a failure is shrunk.
func TestProgramsShrinking(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		data := rapid.SliceOfN(rapid.Byte(), 0, 600).Draw(r, "bytes")
		p := fuzzgen.Generate(data, fuzzgen.Options{Depth: -1})
		if v := judge(p); v.wrong != "" {
			r.Fatalf("%s\n%s", v.wrong, p)
		}
	})
}

var (
	programs     = flag.Int("programs", 500, "how many random programs TestPrograms tries")
	programsFrom = flag.Uint64("programs.from", 0, "the seed of the first")
	programDepth = flag.Int("programs.depth", 4, "wrappers within wrappers")
	programsStop = flag.Int("programs.stop", 5, "how many programs may be wrong before the rest is left")
)

// Random programs of depth 4: what Weft computes, and what it refuses, is what an
// independent implementation states. The distribution is what it is meant to be.
func TestPrograms(t *testing.T) {
	t.Parallel()
	n := *programs
	if testing.Short() {
		n = min(n, 100)
	}
	var sum census
	for k := range n {
		seed := *programsFrom + uint64(k)
		data := fuzzgen.RandomBytes(seed, 4096)
		p := fuzzgen.Generate(data, fuzzgen.Options{Depth: *programDepth})
		v := judge(p)
		sum.add(p, v)
		if (k+1)%10_000 == 0 {
			t.Logf("%d programs, up to seed %d: %d wrong", k+1, seed, sum.wrong)
		}
		if v.wrong == "" {
			continue
		}
		want := like(v.wrong)
		o := fuzzgen.Options{Depth: *programDepth}
		data = fuzzgen.Shrink(data, 1500, func(d []byte) bool { return like(judge(fuzzgen.Generate(d, o)).wrong) == want })
		p = fuzzgen.Generate(data, o)
		t.Errorf("seed %d, shrunk to %d bytes: %s\n%s", seed, len(data), judge(p).wrong, p)
		if sum.wrong > *programsStop {
			break
		}
	}
	sum.report(t)
}

// Programs over meshes that once failed: batching rules under ShardMap, meshes within meshes, reverse rules on
// devices.
func TestProgramsOnMeshes(t *testing.T) {
	for _, seed := range []uint64{63, 100167, 101233, 102430, 102590, 102854} {
		p := fuzzgen.Generate(fuzzgen.RandomBytes(seed, 4096), fuzzgen.Options{Depth: 4})
		if v := judge(p); v.wrong != "" {
			t.Errorf("seed %d: %s\n%s", seed, v.wrong, p)
		}
	}
}

// Programs that are refused for rules that close over what is differentiated: the reverse rule of one runs
// when that level has ended; what the second closes over has a derivative of zero, and the third only hands it on
// to a function that does not use it.
func TestProgramsWithRulesThatClose(t *testing.T) {
	for _, c := range []struct {
		seed  uint64
		depth int
	}{{100997, 4}, {103429, 4}, {5001455, -1}} {
		p := fuzzgen.Generate(fuzzgen.RandomBytes(c.seed, 4096), fuzzgen.Options{Depth: c.depth})
		if v := judge(p); v.wrong != "" {
			t.Errorf("seed %d: %s\n%s", c.seed, v.wrong, p)
		}
	}
}

// reasonsOf returns the refusals of principle that an error of the library states. A panic, also one whose stack
// contains these words, and an internal error state none.
func reasonsOf(err error) (reasons []fuzzgen.Reason) {
	known, ok := err.(*core.Error)
	if !ok || strings.Contains(known.Error(), "BUG") {
		return nil
	}
	for _, r := range []struct {
		text   string
		reason fuzzgen.Reason
	}{
		{"does not go through a While loop", fuzzgen.ReverseWhile},
		{"a custom.VJP function within a While loop has no derivative", fuzzgen.ReverseWhile},
		{"a custom.VJP function within a While loop has no derivative", fuzzgen.ForwardVJP},
		{"does not go through a custom.VJP function", fuzzgen.ForwardVJP},
		{"does not go through the derivative of a custom.VJP function", fuzzgen.ForwardVJP},
		{"a function with a reverse rule alone (custom.VJP", fuzzgen.ForwardVJP},
		{"a residual of a custom.VJP function depends on the tangent", fuzzgen.ForwardVJP},
		{"closes over a value", fuzzgen.ClosedOver},
		{"used after the trace", fuzzgen.EscapedTracer},
		{"used after the transformation", fuzzgen.EscapedTracer},
	} {
		if strings.Contains(known.Error(), r.text) {
			reasons = append(reasons, r.reason)
		}
	}
	return reasons
}
