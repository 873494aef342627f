package pjrt_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// distance returns how many ulps an array is from the one that is wanted, at the magnitude of the
// element; +Inf where a number is none, or where they differ that are not floats.
func distance(got, want *runtime.Array) float64 {
	a := want.Aval()
	size, most := a.DType.Size(), 0.0
	if size == 0 {
		return 0
	}
	x, y := got.Tensor().Data, want.Tensor().Data
	if !a.DType.IsInexact() && !a.DType.IsMinorFloat() {
		if string(x) != string(y) {
			return math.Inf(1)
		}
		return 0
	}
	for i := range a.Size() {
		p, q := number(x[i*size:], a.DType), number(y[i*size:], a.DType)
		largest := math.Hypot(real(q), imag(q))
		for _, v := range [][2]float64{{real(p), real(q)}, {imag(p), imag(q)}} {
			switch {
			case v[0] == v[1] || math.IsNaN(v[0]) && math.IsNaN(v[1]):
			case math.IsNaN(v[0]) != math.IsNaN(v[1]) || math.IsInf(v[0], 0) || math.IsInf(v[1], 0):
				return math.Inf(1)
			case !a.DType.IsComplex():
				most = max(most, math.Abs(v[0]-v[1])/testcheck.ULP(v[1], a.DType))
			default:
				most = max(most, math.Abs(v[0]-v[1])/testcheck.ULP(largest, a.DType))
			}
		}
	}
	return most
}

func number(data []byte, dt core.DType) complex128 {
	n, _ := elem.Get(data, dt)
	return n.Complex()
}

// judged runs a program on a device and returns how many ulps each result is from the reference's.
func judged(e runtime.Executor, j *jaxpr.Jaxpr, args []*runtime.Array) ([]float64, error) {
	ctx := context.Background()
	want, err := runtime.Evaluate(ctx, runtime.Reference, j, args)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	got, err := runtime.Evaluate(ctx, e, j, args)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(want))
	for i := range want {
		h, err := runtime.Reference.Place(ctx, got[i])
		if err != nil {
			return nil, err
		}
		out[i] = distance(h, want[i])
	}
	return out, nil
}

func executor(t *testing.T) runtime.Executor {
	e, err := runtime.Lookup(device(t, 0).String())
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// Every sample of every primitive, in every type.
func TestJudgeSamples(t *testing.T) {
	e := executor(t)
	r := rand.New(rand.NewPCG(1, 2))
	share, stride := samples.Share(t, 20)
	type one struct {
		s    primtest.Sample
		args []*runtime.Array
	}
	var batch []one
	report := func(s primtest.Sample, d []float64, err error) {
		name := fmt.Sprintf("%s of %v", s.Prim.Name(), s.In)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		if m := slices.Max(append(d, 0)); m > 4 {
			t.Errorf("%s: %.3g ulps (%v)", name, m, d)
		}
	}
	run := func(list []one) ([]float64, error) {
		b := jaxpr.NewBuilder()
		var args []*runtime.Array
		var outs []jaxpr.Atom
		for _, o := range list {
			in := make([]jaxpr.Atom, len(o.s.In))
			for i, a := range o.s.In {
				in[i] = b.Input(a)
			}
			args = append(args, o.args...)
			for _, v := range b.Eqn(o.s.Prim, in...) {
				outs = append(outs, v)
			}
		}
		return judged(e, b.Build(outs...), args)
	}
	flush := func() {
		d, err := run(batch)
		for _, o := range batch {
			if err != nil {
				d, err := run([]one{o})
				report(o.s, d, err)
				continue
			}
			n := len(core.AbstractOf(o.s.Prim, o.s.In))
			report(o.s, d[:n], nil)
			d = d[n:]
		}
		batch = nil
	}
	n := 0
	for _, s := range primtest.EveryType() {
		if name := s.Prim.Name(); !s.Standalone() || name == "empty" || name == "empty2" {
			continue
		}
		if n++; n%stride != share {
			continue
		}
		o := one{s: s}
		for i, a := range s.In {
			var d primtest.Domain
			if s.Dom != nil {
				d = s.Dom[i]
			}
			o.args = append(o.args, drivertest.Draw(r, a, d))
		}
		if batch = append(batch, o); len(batch) == 20 {
			flush()
		}
	}
	flush()
	t.Logf("%d samples", n)
}
