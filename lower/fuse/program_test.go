package fuse_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// Programs that JAX printed, with constants as arguments, have the reference's bits.
func TestPrintedPrograms(t *testing.T) {
	compared := 0
	for _, file := range []string{"jax/evals.jsonl", "jax/program_texts.jsonl"} {
		records, _ := golden.Records[struct {
			Name, Text string
			In         golden.Arrays
		}](t, file)
		for _, r := range records {
			j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
			if err != nil || len(j.Eqns) == 0 {
				continue
			}
			args := make([]*reference.Tensor, len(r.In))
			for i, a := range r.In {
				args[i] = a.Value().Tensor()
			}
			j = &jaxpr.Jaxpr{Ins: append(append([]*jaxpr.Var{}, j.Consts...), j.Ins...), Eqns: j.Eqns, Outs: j.Outs}
			if err := core.Catch(func() { compare(t, r.Name, lower.Program(j), args) }); err != nil && !isOutside(err) {
				t.Errorf("%s: %v", r.Name, err)
			}
			compared++
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
	t.Logf("%d programs", compared)
}

func isOutside(err error) bool {
	s := err.Error()
	return strings.Contains(s, "not in the vocabulary") || strings.Contains(s, "constant")
}

// trace returns the lowered program of f.
func trace(t testing.TB, f any, args ...any) *jaxpr.Jaxpr {
	t.Helper()
	j, err := weft.Lower(f, args...)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// drawAll draws arguments for a program.
func drawAll(j *jaxpr.Jaxpr) []*reference.Tensor {
	r := rand.New(rand.NewPCG(3, 4))
	var args []*reference.Tensor
	for _, v := range j.Ins {
		args = append(args, draw(r, v.Type, primtest.Domain{Lo: -3, Hi: 3}))
	}
	return args
}

var update = flag.Bool("update", false, "write testdata anew")

// models are programs whose kernels are pinned in testdata, with the number of kernels.
func models(t testing.TB) map[string]*jaxpr.Jaxpr {
	x, v := weft.Zeros(8, 1024), weft.Zeros(1024)
	key := random.New(1)
	return map[string]*jaxpr.Jaxpr{
		"softmax": trace(t, func(x weft.Array) weft.Array { return nn.Softmax(x, 1) }, x),
		"long": trace(t, func(x weft.Array) weft.Array {
			e := weft.Exp(x.Sub(x.Max()))
			return e.Div(e.Sum())
		}, weft.Zeros(1<<18+5)),
		"layernorm": trace(t, func(x, scale, shift weft.Array) weft.Array { return nn.LayerNorm{Scale: scale, Shift: shift}.Apply(x) }, x, v, v),
		"gelu": trace(t, func(x, w weft.Array) weft.Array {
			return nn.Gelu(x.Mul(w).Add(1)).Mul(0.5)
		}, x, v),
		"normal": trace(t, func(k random.Key) weft.Array { return random.Normal(k, 100, 50).Mul(2) }, key),
		"sgd": trace(t, func(p, g, m weft.Array) (weft.Array, weft.Array) {
			m = m.Mul(0.9).Add(g)
			return p.Sub(m.Mul(0.1)), m
		}, x, x, x),
		"rows": trace(t, func(x weft.Array) (weft.Array, weft.Array) {
			y := weft.Exp(x.T())
			return y.Sum(0), weft.Tanh(y)
		}, x),
	}
}

// The kernels of models: softmax, layer norm and a sampler are one kernel each.
func TestModels(t *testing.T) {
	for name, j := range models(t) {
		p := compare(t, name, j, drawAll(j))
		var b strings.Builder
		fmt.Fprintf(&b, "%v\n\n%v", j, p)
		for _, k := range p.Kernels() {
			if err := k.Check(); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			fmt.Fprintf(&b, "\n%s", outline(k.String()))
		}
		pinned(t, name, b.String())
	}
}

// pinned compares a text with the file of testdata that has its name.
func pinned(t *testing.T, name, text string) {
	t.Helper()
	file := "testdata/" + name + ".txt"
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != text {
		t.Errorf("%s is another plan; run the test with -update if it should be:\n%s", name, text)
	}
}

// outline replaces the scalar operations of a kernel's text by their number: the operations
// themselves are the concern of package expand.
func outline(text string) string {
	var b strings.Builder
	skipped := false
	op := regexp.MustCompile(`^ *%[0-9]+ = (\w+) `)
	for line := range strings.Lines(text) {
		if m := op.FindStringSubmatch(line); m != nil && m[1] != "load" && m[1] != "index" {
			skipped = true
			continue
		}
		if skipped {
			b.WriteString("  … operations\n")
			skipped = false
		}
		b.WriteString(regexp.MustCompile(`%[0-9]+`).ReplaceAllString(line, "%"))
	}
	return b.String()
}
