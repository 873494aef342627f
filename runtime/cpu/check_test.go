package cpu

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/ir"
	codegen "github.com/weft-go/weft/lower/native"
	"github.com/weft-go/weft/runtime"
)

// The records of the check before the first use are the reference executor's bits.
func TestSampleRecords(t *testing.T) {
	j := sampleProgram()
	if err := jaxpr.Check(j); err != nil {
		t.Fatal(err)
	}
	outs, err := runtime.Evaluate(context.Background(), runtime.Reference, j, sampleArguments(j))
	if err != nil {
		t.Fatal(err)
	}
	if len(outs) != len(sampleResults) {
		t.Fatalf("%d results, want %d", len(outs), len(sampleResults))
	}
	for i, r := range sampleResults {
		if got := hashOf(outs[i]); got != r.hash {
			t.Errorf("%s: got the hash %#x, want %#x", r.what, got, r.hash)
		}
	}
}

// Executors pass their check. One that computes other bits, or has no code, cannot run, and states why
// each time.
func TestCheckBeforeUse(t *testing.T) {
	for _, made := range nativeExecutors(t) {
		made.unseen = true
		if err := made.check(sampleResults); err != nil {
			t.Errorf("%s: %v", made.name, err)
		}
		for i, r := range sampleResults {
			wrong := slices.Clone(sampleResults)
			wrong[i].hash++
			e := newExecutor(made.target)
			e.checked = sync.OnceValue(func() error { return e.check(wrong) })
			for range 2 {
				expectUnavailable(t, e, "a check before the first use failed: "+r.what+" has other bits")
			}
		}
		e := newExecutor(made.target)
		e.compile = func(*ir.Kernel, codegen.Options) (*codegen.Code, error) {
			return nil, errors.New("no such instruction")
		}
		e.checked = sync.OnceValue(func() error { return e.check(sampleResults) })
		expectUnavailable(t, e, "tanh has no machine code: no such instruction")
	}
}

// An executor cannot run where the system refuses executable memory, or would end the process.
func TestMemoryRefused(t *testing.T) {
	for _, made := range nativeExecutors(t) {
		e := newExecutor(made.target)
		e.memory = func() error { return errors.New("native: no executable memory (permission denied)") }
		for range 2 {
			expectUnavailable(t, e, "no executable memory (permission denied)")
		}
		e = newExecutor(made.target)
		e.perilous = func() error { return errors.New("the process would end") }
		t.Setenv(runtime.ExecutorVariable, "")
		expectUnavailable(t, e, "the process would end")
		t.Setenv(runtime.ExecutorVariable, e.name)
		if err := e.Available(); err != nil {
			t.Errorf("%s: got %v although it was selected by name", e.name, err)
		}
	}
}

// expectUnavailable fails unless an executor refuses to run for a reason.
func expectUnavailable(t *testing.T, e *executor, reason string) {
	t.Helper()
	if err := e.Available(); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("%s is available, or for another reason not: got %v, want %q", e.name, err, reason)
	}
	x := core.ShapedArray{Shape: core.MakeDims(4096), DType: core.Float32}
	if e.Leaf(prim.NegP{}, []core.ShapedArray{x}, []core.ShapedArray{x}) != nil {
		t.Errorf("%s: got code of an operation", e.name)
	}
	_, err := e.Compile(&runtime.Request{Jaxpr: sampleProgram()})
	if !errors.Is(err, core.ErrDevice) || !strings.Contains(err.Error(), reason) {
		t.Errorf("%s: got the error %v of Compile, want one of kind %v with %q", e.name, err, core.ErrDevice, reason)
	}
}

// BenchmarkCheck has the time of a check, with kernels that no earlier one has compiled.
func BenchmarkCheck(b *testing.B) {
	for _, t := range generated() {
		if newExecutor(t).Available() != nil {
			continue
		}
		b.Run(t.name, func(b *testing.B) {
			for b.Loop() {
				if err := newExecutor(t).check(sampleResults); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
