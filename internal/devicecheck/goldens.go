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
	"github.com/weft-go/weft/internal/golden"
	"github.com/weft-go/weft/internal/goldenfile"
	"github.com/weft-go/weft/internal/ircheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device/drivertest"
)

// Goldens runs the programs that JAX printed, on the operands of the golden data, with the bits of
// the reference: one of every stride, or those that WEFT_SAMPLES names, as [drivertest.Samples].
func Goldens(t *testing.T, e runtime.Executor, stride int) {
	share, stride := drivertest.Share(t, stride)
	n, ran := 0, 0
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
				continue // no text has the values of constants of inner programs
			}
			var args []*runtime.Array
			for _, a := range r.In {
				args = append(args, a.Value())
			}
			ran += sameBits(t, e, r.Name, j, args)
		}
	}
	t.Logf("%d programs of %d", ran, n)
	if ran == 0 {
		t.Error("no program ran")
	}
}

// Conformance runs the programs of the StableHLO project, with the bits of the reference: one of
// every stride, or those that WEFT_SAMPLES names. A folder has the package lower/stablehlo.
func Conformance(t *testing.T, e runtime.Executor, stride int, folder string) {
	share, stride := drivertest.Share(t, stride)
	n, ran := 0, 0
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
		ran += sameBits(t, e, name, p.Jaxpr, args)
	}
	t.Logf("%d programs of %d", ran, n)
	if ran == 0 {
		t.Error("no program ran")
	}
}

// sameBits compares a program, its constants being operands, on an executor and on the reference.
// It returns 0 where the reference refuses the program or the program has effects.
func sameBits(t *testing.T, e runtime.Executor, name string, j *jaxpr.Jaxpr, args []*runtime.Array) int {
	t.Helper()
	if j.Effects() != 0 {
		return 0
	}
	j = &jaxpr.Jaxpr{Ins: append(append([]*jaxpr.Var{}, j.Consts...), j.Ins...), Eqns: j.Eqns, Outs: j.Outs}
	err := core.Catch(func() {
		if _, err := runtime.Evaluate(context.Background(), runtime.Reference, j, args); err != nil {
			panic(err)
		}
	})
	var refused *core.Error
	if errors.As(err, &refused) && errors.Is(err, core.ErrNoRule) {
		return 0
	}
	names := make([]string, len(j.Outs))
	for i := range names {
		names[i] = fmt.Sprintf("%s, result %d", name, i)
	}
	if len(names) == 0 {
		return 0
	}
	drivertest.Compare(t, e, j, args, names)
	return 1
}
