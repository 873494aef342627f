// Package devicecheck compares a device with the reference on golden programs. It is for tests only.
package devicecheck

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// Goldens runs the programs that JAX printed, on the operands of the golden data, with the bits of
// the reference: one of every stride, or those that WEFT_SAMPLES names, as [drivertest.Samples].
func Goldens(t *testing.T, e runtime.Executor, stride int) {
	share, stride := samples.Share(t, stride)
	n, c := 0, &comparison{executor: e}
	for _, file := range []string{"jax/evals.jsonl", "jax/program_texts.jsonl"} {
		records, _ := golden.Records[struct {
			Name, Text string
			In         golden.Arrays
		}](t, file)
		for _, r := range records {
			if n++; n%stride != share {
				continue
			}
			j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
			if err != nil {
				t.Errorf("%s: %v", r.Name, err)
				continue
			}
			if ircheck.HiddenConstants(j) || len(r.In) != len(j.Consts)+len(j.Ins) {
				c.skip("no text has the values of captured arrays")
				continue
			}
			var args []*runtime.Array
			for _, a := range r.In {
				args = append(args, a.Value())
			}
			c.sameBits(t, r.Name, j, args)
		}
	}
	c.report(t, n, stride)
}

// Conformance runs the programs of the StableHLO project, with the bits of the reference: one of
// every stride, or those that WEFT_SAMPLES names. A folder has the package lower/stablehlo.
func Conformance(t *testing.T, e runtime.Executor, stride int, folder string) {
	share, stride := samples.Share(t, stride)
	n, c := 0, &comparison{executor: e}
	archive := tar.NewReader(goldenfile.OpenFile(t, goldenfile.Path(t, "stablehlo/dev.tar.gz", path.Join(folder, "testdata/conformance.tar.gz"))))
	for {
		h, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(archive)
		if err != nil {
			t.Fatal(err)
		}
		if n++; n%stride != share {
			continue
		}
		name := path.Base(h.Name)
		m, err := stablehlo.Parse(name, string(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		p, err := m.Program(m.Main(), nil, stablehlo.Options{
			Array: func(a core.ShapedArray) (core.Value, []byte) {
				x := runtime.New(a)
				return x, x.Tensor().Data
			},
			Share:  func(a core.ShapedArray, data []byte) core.Value { return runtime.Shared(a, data) },
			Checks: true,
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var args []*runtime.Array
		for _, v := range p.Jaxpr.ConstVals {
			args = append(args, v.(*runtime.Array))
		}
		c.sameBits(t, name, p.Jaxpr, args)
	}
	c.report(t, n, stride)
}

// comparison counts what an executor ran.
type comparison struct {
	executor     runtime.Executor
	ran, kernels int            // programs, and those of them with kernels of the device
	fallbacks    map[string]int // programs by an operation that the reference ran
	skipped      map[string]int // programs that did not run, by reason
}

// maxSkipped is the share of programs that may be left out, besides one.
const maxSkipped = 0.01

// skip counts a program that is left out.
func (c *comparison) skip(reason string) {
	if c.skipped == nil {
		c.skipped = map[string]int{}
	}
	c.skipped[reason]++
}

// report logs the counts for one of every stride of n programs. It requires that kernels ran and
// that few programs were left out.
func (c *comparison) report(t *testing.T, n, stride int) {
	t.Helper()
	t.Logf("%d programs ran for one of %d of %d, %d of them with kernels; the reference runs parts of programs: %v", c.ran, stride, n, c.kernels, c.fallbacks)
	skipped := 0
	for _, k := range c.skipped {
		skipped += k
	}
	t.Logf("%d programs were left out: %v", skipped, c.skipped)
	if most := 1 + int(maxSkipped*float64(c.ran+skipped)); skipped > most {
		t.Errorf("%d of %d programs were left out, want at most %d: %v", skipped, c.ran+skipped, most, c.skipped)
	}
	if c.kernels == 0 {
		t.Error("no program has a kernel")
	}
}

// sameBits compares a program, with its constants as operands, on the executor and on the
// reference. It leaves out programs that have effects or no results, and those that the reference
// refuses.
func (c *comparison) sameBits(t *testing.T, name string, j *jaxpr.Jaxpr, args []*runtime.Array) {
	t.Helper()
	switch {
	case j.Effects() != 0:
		c.skip("effects")
		return
	case len(j.Outs) == 0:
		c.skip("no results")
		return
	}
	j = &jaxpr.Jaxpr{Ins: append(append([]*jaxpr.Var{}, j.Consts...), j.Ins...), Eqns: j.Eqns, Outs: j.Outs}
	err := core.Catch(func() {
		if _, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args); err != nil {
			panic(err)
		}
	})
	var refused *core.Error
	if errors.As(err, &refused) && errors.Is(err, core.ErrNoRule) {
		c.skip("the reference refuses " + refused.Op)
		return
	}
	names := make([]string, len(j.Outs))
	for i := range names {
		names[i] = fmt.Sprintf("%s, result %d", name, i)
	}
	a := drivertest.Compare(t, c.executor, j, args, names)
	c.ran++
	if a.Kernels > 0 {
		c.kernels++
	}
	ops := map[string]bool{}
	for _, f := range a.Fallbacks {
		ops[f.Op] = true
	}
	for op := range ops {
		if c.fallbacks == nil {
			c.fallbacks = map[string]int{}
		}
		c.fallbacks[op]++
	}
}
