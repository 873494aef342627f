package fuzzgen

import (
	"bytes"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
)

// Any bytes make a program, the same bytes the same, and it has a meaning.
func TestAnyBytesMakeAProgram(t *testing.T) {
	for n := range 200 {
		data := RandomBytes(uint64(n), n)
		o := Options{Depth: n%6 - 1}
		p := Generate(data, o)
		if again := Generate(data, o); p.String() != again.String() {
			t.Fatalf("the same %d bytes make two programs", n)
		}
		for _, recorded := range []bool{false, true} {
			out, err := p.Run(recorded)
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Results) != len(p.Main.Outs) {
				t.Fatalf("%d results, want %d", len(out.Results), len(p.Main.Outs))
			}
		}
	}
}

// The derivatives of the reference are the limits of differences.
func TestReferenceDerivatives(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(dt core.DType) *arr {
		x := newArr(dt, []int{2, 3})
		for k := range x.c {
			v := complex(0.3+r.Float64(), 0)
			if dt.IsComplex() {
				v += complex(0, r.Float64())
			}
			x.c[k].v = v
		}
		return x
	}
	tried := 0
	for _, n := range []*Node{
		{Op: "sin"}, {Op: "cos"}, {Op: "exp"}, {Op: "square"}, {Op: "neg"}, {Op: "conj"}, {Op: "ipow", N: 3}, {Op: "tanh"}, {Op: "atan"}, {Op: "erf"},
		{Op: "logistic"}, {Op: "log"}, {Op: "log1p"}, {Op: "expm1"}, {Op: "sqrt"}, {Op: "rsqrt"}, {Op: "abs"}, {Op: "cabs"}, {Op: "real"}, {Op: "imag"},
		{Op: "add"}, {Op: "sub"}, {Op: "mul"}, {Op: "div"}, {Op: "pow"}, {Op: "max"}, {Op: "min"}, {Op: "sum", A: []int{1}}, {Op: "prod", A: []int{1}},
		{Op: "maxr", A: []int{0}}, {Op: "cumsum", N: 1, Flag: true}, {Op: "cummax", N: 1}, {Op: "sort", N: 1}, {Op: "dot", A: []int{1}, B: []int{1}},
		{Op: "transpose", A: []int{1, 0}}, {Op: "rev", A: []int{1}}, {Op: "reshape", A: []int{6}}, {Op: "concat", N: 1},
	} {
		binary := map[string]bool{"add": true, "sub": true, "mul": true, "div": true, "pow": true, "max": true, "min": true, "dot": true, "concat": true}[n.Op]
		dts := []core.DType{core.Float64}
		switch n.Op {
		case "conj", "cabs", "real", "imag":
			dts = []core.DType{core.Complex128}
		case "sin", "exp", "square", "ipow", "mul", "div", "sum", "prod", "dot", "transpose":
			dts = append(dts, core.Complex128)
		}
		for _, dt := range dts {
			m := &machine{may: map[Reason]bool{}}
			in, dir := []*arr{draw(dt)}, []*arr{draw(dt)}
			if binary {
				in, dir = append(in, draw(dt)), append(dir, draw(dt))
			}
			l, end := m.begin(JVP, 1)
			vals := make([]val, len(in))
			for k := range in {
				vals[k] = m.seed(l, in[k], 0, dir[k])
			}
			_, ts := l.parts(m.apply(n, vals)[0])
			end()
			at := func(h float64) *arr {
				moved := make([]*arr, len(in))
				for k, x := range in {
					moved[k] = newArr(dt, x.shape)
					for i := range x.c {
						moved[k].c[i].v = x.c[i].v + complex(h, 0)*dir[k].c[i].v
					}
				}
				return m.leaf(n, moved)[0]
			}
			const h = 1e-5
			hi, lo := at(h), at(-h)
			for i, c := range base(ts[0]).c {
				if want := (hi.c[i].v - lo.c[i].v) / (2 * h); cmplx.Abs(c.v-want) > 1e-6*(1+cmplx.Abs(want)) {
					t.Errorf("%s of %v: element %d has the tangent %v, differences give %v", n.Op, dt, i, c.v, want)
				}
			}
			tried++
		}
	}
	if tried < 40 {
		t.Errorf("only %d derivatives were tried", tried)
	}
}

// Bounds of errors grow with cancellation.
func TestBounds(t *testing.T) {
	m := &machine{may: map[Reason]bool{}}
	x := newArr(core.Float32, nil)
	x.c[0].v = 1.0 / 3
	y := m.leaf(&Node{Op: "exp"}, []*arr{x})[0]
	z := m.leaf(&Node{Op: "sub"}, []*arr{y, constant(core.Float32, nil, real(y.c[0].v))})[0]
	if e := z.c[0].e; !(e > 1e-8 && e < 1e-5) || math.Abs(real(z.c[0].v)) > e {
		t.Errorf("the difference %v has the bound %g", z.c[0].v, e)
	}
}

func TestShrink(t *testing.T) {
	data := RandomBytes(3, 300)
	data[120], data[121] = 7, 9
	small := Shrink(data, 5000, func(b []byte) bool { return bytes.Contains(b, []byte{7, 9}) })
	if !bytes.Equal(small, []byte{7, 9}) {
		t.Errorf("shrunk to %v", small)
	}
}
