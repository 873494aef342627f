package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/cmd/weft/internal/args"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

type autodiffRecord struct {
	ID           int
	Text         string
	Consts, In   golden.Arrays
	Tangents, Ct golden.Arrays
}

// stacked returns n copies of a, copy i rotated by i elements.
func stacked(a *runtime.Array, n int) *runtime.Array {
	t := a.Aval()
	b := runtime.New(t.WithShape(t.Shape.Prepend(n)).Strong())
	from, to := a.Tensor().Data, b.Tensor().Data
	if len(from) == 0 {
		return b
	}
	w := len(from) / t.Size()
	for i := range n {
		k := i * w % len(from)
		copy(to[i*len(from):], from[k:])
		copy(to[(i+1)*len(from)-k:], from[:k])
	}
	return b
}

// scalar returns j with the sum of the squares of its first real floating result as its
// one result, so that it has a gradient; nil if there is none.
func scalar(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
	k := slices.IndexFunc(j.OutAvals(), func(a core.ShapedArray) bool { return a.DType.IsFloat() })
	if k < 0 || !slices.ContainsFunc(j.InAvals(), func(a core.ShapedArray) bool { return a.DType.IsInexact() }) {
		return nil
	}
	n := len(j.Consts)
	avals := constantsFirst(j).InAvals()
	p := trace.Stage("scalar", avals, func(in []core.Value) []core.Value {
		y := jaxpr.Eval(j, in[:n], in[n:])[k]
		return []core.Value{prim.ReduceSum(prim.Mul(y, y), core.Range(0, y.Aval().Rank()))}
	})
	return &jaxpr.Jaxpr{Consts: p.Ins[:n], Ins: p.Ins[n:], Eqns: p.Eqns, Outs: p.Outs}
}

// Programs that are transformed through texts and pipes return the same bits as those transformed in one process.
func TestPipesAgree(t *testing.T) {
	const size = 3
	records, _ := golden.Records[autodiffRecord](t, "jax/autodiff.jsonl")
	file := filepath.Join(t.TempDir(), "p.jaxpr")
	compared, refused := map[string]int{}, map[string]int{}
	for _, r := range samples.Of(t, records, 20) {
		if r.Text == "" || len(r.Ct) == 0 || len(r.Tangents) == 0 {
			continue
		}
		j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
		if err != nil {
			t.Logf("%d: %v", r.ID, err) // which the tests of parsing report
			continue
		}
		if unknown, unsupported := outside(j); len(unknown)+len(unsupported) > 0 {
			continue // a program that cannot be evaluated
		}
		vmap := func(p *jaxpr.Jaxpr) *jaxpr.Jaxpr { // constants have become inputs
			in := make([]int, len(p.Ins))
			for i := range j.Consts {
				in[i] = transforms.Unmapped
			}
			return transforms.VmapProgram(p, in, make([]int, len(p.Outs)), size)
		}
		for _, w := range []struct {
			line string
			from *jaxpr.Jaxpr
			then func(*jaxpr.Jaxpr) *jaxpr.Jaxpr
			more golden.Arrays // operands after the inputs
		}{
			{"weft jvp | weft vmap --size 3", j, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
				return vmap(transforms.JVPProgram(j))
			}, tangents(r.Tangents)},
			{"weft vjp - | weft jit | weft vmap --in 0 --size 3", j, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
				return vmap(transforms.JitProgram(transforms.VJPProgram(j), "main"))
			}, tangents(r.Ct)},
			{"weft grad | weft vmap --in 0 --size 3", scalar(j), func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
				return vmap(transforms.GradProgram(j, nil))
			}, nil},
			{"weft jit --name f | weft linearize --part fwd - | weft vmap --size 3", j, func(j *jaxpr.Jaxpr) *jaxpr.Jaxpr {
				n := len(j.Consts)
				j = transforms.JitProgram(j, "f")
				fwd, _ := transforms.LinearizeProgram(&jaxpr.Jaxpr{Consts: j.Ins[:n], Ins: j.Ins[n:], Eqns: j.Eqns, Outs: j.Outs})
				return vmap(fwd)
			}, nil},
		} {
			if w.from == nil {
				continue
			}
			name := fmt.Sprintf("%d: %s", r.ID, w.line)
			var in []*runtime.Array
			for _, a := range r.Consts {
				in = append(in, a.Value())
			}
			for _, a := range slices.Concat(r.In, w.more) {
				in = append(in, stacked(a.Value(), size))
			}
			var want []*runtime.Array
			var program *jaxpr.Jaxpr
			err := core.Catch(func() { program = w.then(w.from) })
			if err == nil {
				want, err = runtime.Evaluate(context.Background(), runtime.Reference, program, in)
			}
			status, text := pipe(t, w.from.String()+"\n", w.line)
			if err != nil || status != done {
				if c := (*core.Error)(nil); errors.As(err, &c) && status != done && strings.Contains(text, c.Msg) {
					refused[c.Op+": "+c.Msg]++
				} else {
					t.Errorf("%s: in one process: %v; in a pipe: %s", name, err, text)
				}
				continue
			}
			if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			var lines strings.Builder
			for _, a := range in {
				lines.WriteString(args.Bits(a) + "\n")
			}
			status, out, errs := weft(t, lines.String(), "eval", "--bits", file)
			if status != done {
				t.Errorf("%s: %s%s", name, text, errs)
				continue
			}
			wanted := ""
			for _, a := range want {
				wanted += args.Bits(a) + "\n"
			}
			if out != wanted {
				t.Errorf("%s:\n%swant\n%s", name, out, wanted)
			}
			compared[strings.Fields(w.line)[1]]++
		}
	}
	t.Logf("compared: %v", compared)
	for why, n := range refused {
		t.Logf("refused %d times by both: %s", n, why)
	}
	for _, c := range []string{"jvp", "vjp", "grad", "jit"} {
		if compared[c] == 0 {
			t.Errorf("no pipe with %s was compared", c)
		}
	}
}

// tangents returns the tangents of inexact inputs, which are those that programs take.
func tangents(as golden.Arrays) (out golden.Arrays) {
	for _, a := range as {
		if a.Type().DType.IsInexact() {
			out = append(out, a)
		}
	}
	return out
}
