package transforms_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/fuzzgen"
	"github.com/weft-go/weft/internal/test/fuzzstage"
	"github.com/weft-go/weft/trace"
	"github.com/weft-go/weft/transforms"
)

// derivatives are ways to differentiate f with respect to the operands that active marks.
var derivatives = map[string]func(f function, in []val, active []bool) []val{
	"reverse": reverseOf,
	"forward": forwardOf,
	"forward over reverse": func(f function, in []val, active []bool) []val {
		return forwardOf(func(in []val) []val { return reverseOf(f, in, active) }, in, active)
	},
	"reverse over forward": func(f function, in []val, active []bool) []val {
		return reverseOf(func(in []val) []val { return forwardOf(f, in, active) }, in, active)
	},
	"reverse over reverse": func(f function, in []val, active []bool) []val {
		return reverseOf(func(in []val) []val { return reverseOf(f, in, active) }, in, active)
	},
}

// someCotangent returns a value of v's tangent type that differs from element to element.
func someCotangent(a core.ShapedArray, k int) val {
	a = a.Tangent()
	v := prim.Convert(prim.Iota(core.Float32, core.MakeDims(a.Size()), 0), a.DType, false)
	v = prim.Add(prim.Mul(v, prim.Num(v.Aval(), 0.375)), prim.Num(v.Aval(), 0.8125+float64(k)))
	return prim.Reshape(v, a.Shape)
}

func reverseOf(f function, in []val, active []bool) []val {
	outs, vjp := transforms.VJP(f, in, append([]bool(nil), active...))
	cts := make([]val, len(outs))
	for k, v := range outs {
		if v.Aval().DType.IsInexact() {
			cts[k] = someCotangent(v.Aval(), k)
		}
	}
	var out []val
	for k, v := range vjp(cts) {
		if active[k] {
			out = append(out, orZero(v, in[k]))
		}
	}
	return out
}

func forwardOf(f function, in []val, active []bool) []val {
	ts := make([]val, len(in))
	for k, v := range in {
		if active[k] {
			ts[k] = someCotangent(v.Aval(), k)
		}
	}
	return inexactTangents(transforms.JVP(f, in, ts))
}

// differentiatedBits compares derivatives of a program at once and staged, bit by bit. It returns
// the number of comparisons and what differs.
func differentiatedBits(p *fuzzgen.Program) (compared int, wrong string) {
	in := inputs(p)
	active := make([]bool, len(in))
	for k, v := range in {
		active[k] = v.Aval().DType.IsInexact()
	}
	f := fuzzstage.Of(p)
	for name, d := range derivatives {
		whole := func(in []val) []val { return d(f, in, active) }
		eager, err := attempt(func() []val { return whole(in) })
		staged, err2 := attempt(func() []val {
			return core.Bind(jitOf(trace.Stage("main", core.AvalsOf(in), whole)), in...)
		})
		if err != nil || err2 != nil {
			continue // refused: compared by judge
		}
		compared++
		if d := differAll(staged, eager); d != "" {
			return compared, fmt.Sprintf("%s: staged differs from eager: %s", name, d)
		}
	}
	return compared, ""
}

// Derivatives of random programs have the same bits at once and staged.
func TestDerivativeBitsOfPrograms(t *testing.T) {
	t.Parallel()
	n, wrong, compared := *programs/8, 0, 0
	if testing.Short() {
		n = min(n, 10)
	}
	for k := range n {
		seed := *programsFrom + uint64(k)
		data := fuzzgen.RandomBytes(seed, 4096)
		o := fuzzgen.Options{Depth: *programDepth}
		p := fuzzgen.Generate(data, o)
		if v := judge(p); v.skip != "" || v.refused || v.wrong != "" {
			continue
		}
		c, d := differentiatedBits(p)
		if compared += c; d == "" {
			continue
		}
		wrong++
		want := like(d)
		data = fuzzgen.Shrink(data, 1500, func(b []byte) bool { _, d := differentiatedBits(fuzzgen.Generate(b, o)); return like(d) == want })
		p = fuzzgen.Generate(data, o)
		_, d = differentiatedBits(p)
		t.Errorf("seed %d, shrunk to %d bytes: %s\n%s", seed, len(data), d, p)
		if wrong > *programsStop {
			break
		}
	}
	if n > 0 && compared == 0 {
		t.Errorf("no derivative of %d programs was compared", n)
	}
	t.Logf("%d derivatives compared, %d differ", compared, wrong)
}
