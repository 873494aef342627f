package drivertest

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// Draw returns a tensor of random numbers from a domain.
func Draw(r *rand.Rand, a core.ShapedArray, d primtest.Domain) *runtime.Array {
	t := reference.NewTensor(a)
	size := a.DType.Size()
	lo, hi := d.Lo, d.Hi
	if lo == 0 && hi == 0 {
		lo, hi = -4, 4
	}
	used := map[float64]bool{}
	for i := range a.Size() {
		x := lo + r.Float64()*(hi-lo)
		if d.Values != nil {
			x = d.Values[r.IntN(len(d.Values))]
		}
		for n := 0; d.Unique && used[float64(int(x))] && n < 1000; n++ {
			x = lo + r.Float64()*(hi-lo)
		}
		used[float64(int(x))] = true
		if d.Unique {
			x = float64(int(x))
		}
		at := t.Data[i*size:]
		switch {
		case a.DType.IsKey():
			for k := range size {
				at[k] = byte(r.Uint32())
			}
		case a.DType == core.Bool && d.Values == nil:
			at[0] = byte(r.IntN(2))
		case a.DType.IsInteger():
			elem.Put(at, core.IntNumber(int64(x)), a.DType)
		case a.DType.IsComplex():
			elem.Put(at, core.ComplexNumber(complex(x, lo+r.Float64()*(hi-lo))), a.DType)
		case size > 0:
			elem.Put(at, core.FloatNumber(x), a.DType)
		}
	}
	return runtime.FromTensor(t)
}

// Compare runs a program on an executor and on the reference, and requires equal bits. names
// describes the results.
func Compare(t *testing.T, e runtime.Executor, j *jaxpr.Jaxpr, args []*runtime.Array, names []string) runtime.Account {
	t.Helper()
	ctx := context.Background()
	want, err := runtime.Evaluate(ctx, runtime.Reference, j, args)
	if err != nil {
		t.Errorf("%s …: reference: %v", names[0], err)
		return runtime.Account{}
	}
	c, err := runtime.Compile(e, &runtime.Request{Jaxpr: j, Label: names[0]})
	if err != nil {
		t.Errorf("%s …: %v\n%v", names[0], err, j)
		return runtime.Account{}
	}
	got, err := c.Run(ctx, args)
	if err != nil {
		t.Errorf("%s …: %v\n%v", names[0], err, j)
		return c.Account()
	}
	for i := range want {
		a, err := bytesOf(ctx, got[i])
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		if b, _ := bytesOf(ctx, want[i]); !bytes.Equal(a, b) {
			t.Errorf("%s (result %d)\ngot  %s\nwant %s", names[i], i, short(a), short(b))
		}
	}
	return c.Account()
}

func short(b []byte) string { return fmt.Sprintf("%x", b[:min(len(b), 160)]) }

func bytesOf(ctx context.Context, a *runtime.Array) ([]byte, error) {
	h, err := runtime.Reference.Place(ctx, a)
	if err != nil {
		return nil, err
	}
	return h.Tensor().Data, nil
}

// Samples runs every sample of every primitive in every type, or one of every stride, in
// programs of batch samples each: a driver may take long to build one. WEFT_SAMPLES=all
// runs all, and WEFT_SAMPLES=3/16 the third of 16 shares of all, so that several processes
// run them.
func Samples(t *testing.T, e runtime.Executor, stride, batch int) {
	compareSamples(t, e, primtest.EveryType(), 6000, stride, batch)
}

// Empty is [Samples] for samples with axes of size 0.
func Empty(t *testing.T, e runtime.Executor, stride, batch int) {
	compareSamples(t, e, primtest.Empty(), 6000, stride, batch)
}

// compareSamples compares one of every stride samples. There must be at least least of them.
func compareSamples(t *testing.T, e runtime.Executor, all []primtest.Sample, least, stride, batch int) {
	r := rand.New(rand.NewPCG(1, 2))
	kernels, fallbacks := 0, map[string]bool{}
	if race.Enabled {
		stride *= 8
	}
	share, stride := samples.Share(t, stride)
	var p program
	flush := func() {
		if len(p.outs) == 0 {
			return
		}
		a := Compare(t, e, p.b.Build(p.outs...), p.args, p.names)
		kernels += a.Kernels
		for _, f := range a.Fallbacks {
			fallbacks[f.Op] = true
		}
		p = program{}
	}
	n := 0
	for _, s := range all {
		if !s.Standalone() {
			continue
		}
		if s.Prim.Name() == "empty" || s.Prim.Name() == "empty2" {
			continue // its elements are anything
		}
		if n++; n%stride != share {
			continue
		}
		if p.add(r, s); p.samples == batch {
			flush()
		}
	}
	flush()
	if kernels == 0 && e != runtime.Reference || n < least {
		t.Errorf("%d kernels ran for one of %d of %d samples, want %d samples", kernels, stride, n, least)
	}
	t.Logf("%d kernels of %d samples; the reference runs %v", kernels, n/stride, slices.Sorted(maps.Keys(fallbacks)))
}

// program is a program of several samples.
type program struct {
	b       *jaxpr.Builder
	args    []*runtime.Array
	outs    []jaxpr.Atom
	names   []string // by result
	samples int
}

func (p *program) add(r *rand.Rand, s primtest.Sample) {
	if p.b == nil {
		p.b = jaxpr.NewBuilder()
	}
	p.samples++
	in := make([]jaxpr.Atom, len(s.In))
	for i, a := range s.In {
		in[i] = p.b.Input(a)
		var d primtest.Domain
		if s.Dom != nil {
			d = s.Dom[i]
		}
		p.args = append(p.args, Draw(r, a, d))
	}
	for _, v := range p.b.Eqn(s.Prim, in...) {
		p.outs = append(p.outs, v)
		p.names = append(p.names, fmt.Sprintf("%s of %v", s.Prim.Name(), s.In))
	}
}
