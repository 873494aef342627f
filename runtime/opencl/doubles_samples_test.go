//go:build linux && (amd64 || arm64) && !drivers

package opencl

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/jaxpr"
	printer "github.com/weft-go/weft/lower/opencl"
	"github.com/weft-go/weft/lower/schedule"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/device"
)

// drawWide returns operands of a sample. Half of the elements have any exponent, so that rare branches are taken.
func drawWide(r *rand.Rand, s primtest.Sample) []*runtime.Array {
	var args []*runtime.Array
	for i, a := range s.In {
		var d primtest.Domain
		if s.Dom != nil {
			d = s.Dom[i]
		}
		x := drivertest.Draw(r, a, d)
		size := a.DType.Size()
		wide := func() float64 { return math.Ldexp(2*r.Float64()-1, r.IntN(280)-150) }
		for k := range a.Size() {
			at := x.Tensor().Data[k*size:]
			switch {
			case r.IntN(2) == 0:
			case a.DType.IsFloat():
				elem.Put(at, core.FloatNumber(wide()), a.DType)
			case a.DType.IsComplex():
				elem.Put(at, core.ComplexNumber(complex(wide(), wide())), a.DType)
			case a.DType.IsInteger():
				elem.Put(at, core.IntNumber(int64(r.Uint64())>>r.IntN(64)), a.DType)
			}
		}
		args = append(args, x)
	}
	return args
}

// A wideProgram is a program of several samples, which compiles faster than a program for each.
type wideProgram struct {
	t     *testing.T
	e     runtime.Executor
	r     *rand.Rand
	b     *jaxpr.Builder
	args  []*runtime.Array
	outs  []jaxpr.Atom
	names []string // by result
}

func (p *wideProgram) add(s primtest.Sample) {
	if p.b == nil {
		p.b = jaxpr.NewBuilder()
	}
	var in []jaxpr.Atom
	for _, a := range s.In {
		in = append(in, p.b.Input(a))
	}
	p.args = append(p.args, drawWide(p.r, s)...)
	for _, v := range p.b.Eqn(s.Prim, in...) {
		p.outs, p.names = append(p.outs, v), append(p.names, fmt.Sprintf("%s of %v", s.Prim.Name(), s.In))
	}
	if len(p.outs) == 20 {
		p.run()
	}
}

// run checks that the samples that were added have the reference's bits.
func (p *wideProgram) run() {
	if len(p.outs) > 0 {
		drivertest.Compare(p.t, p.e, p.b.Build(p.outs...), p.args, p.names)
	}
	p.b, p.args, p.outs, p.names = nil, nil, nil, nil
}

// wider returns s with operands of n elements if it is elementwise, otherwise s itself.
func wider(s primtest.Sample, n int) primtest.Sample {
	w := s
	w.In = nil
	for _, a := range s.In {
		w.In = append(w.In, core.Aval(a.DType, n))
	}
	var out []core.ShapedArray
	if core.Catch(func() { out = s.Prim.Abstract(w.In) }) != nil || len(out) != 1 || out[0].Size() != n {
		return s
	}
	return w
}

// isDouble reports whether a type has components of 64 bits.
func isDouble(a core.ShapedArray) bool {
	return a.DType == core.Float64 || a.DType == core.Complex128
}

// withoutDoubles returns the samples that have no f64 among operands and results, but whose kernels contain f64: only in
// registers, or also in memory. all is the number of samples without f64 among operands and results.
func withoutDoubles() (inRegisters, inMemory []primtest.Sample, all int) {
	for _, s := range primtest.EveryType() {
		if !s.Standalone() || strings.HasPrefix(s.Prim.Name(), "empty") || slices.ContainsFunc(s.In, isDouble) {
			continue
		}
		j := s.Jaxpr()
		if slices.ContainsFunc(j.Outs, func(v jaxpr.Atom) bool { return isDouble(v.Aval()) }) {
			continue
		}
		all++
		fs := device.Functions(device.PlanOf(j), schedule.Device{Stages: 2})
		switch {
		case needsDoubles(fs) != nil:
			inMemory = append(inMemory, s)
		case strings.Contains(printer.Print(fs...).Text, "double"):
			inRegisters = append(inRegisters, s)
		}
	}
	return inRegisters, inMemory, all
}

// Operations without f64 among operands and results run on a device without f64, with the reference's bits. Operations
// whose kernels exchange f64 in memory are refused by name.
func TestSamplesWithoutDoubles(t *testing.T) {
	race.Values(t)
	d := opened(t)
	d.doubles = false
	registered(d)
	e := device.New(d)
	inRegisters, inMemory, all := withoutDoubles()
	if all < 6000 || len(inRegisters) < 100 {
		t.Errorf("got %d samples without f64, %d with f64 in registers, want 6000 and 100", all, len(inRegisters))
	}
	p := wideProgram{t: t, e: e, r: rand.New(rand.NewPCG(2, 64))}
	ran := map[string]bool{}
	for _, s := range inRegisters {
		name := s.Prim.Name()
		dt := s.In[0].DType
		common := dt == core.Float32 || dt == core.Complex64 || dt == core.Int32
		if ran[name] && !common || (testing.Short() || !samples.Thorough()) && (ran[name] || dt == core.Complex64 || name == "polygamma") {
			continue // one of each operation and, where tests are thorough, the types that models use
		}
		ran[name] = true
		p.add(wider(s, 1024))
	}
	p.run()
	for _, name := range []string{"sin", "cos", "tan", "rem", "lgamma", "digamma", "convert_element_type"} {
		if !ran[name] {
			t.Errorf("no kernel of %s contains f64: its sample tests nothing", name)
		}
	}
	refused := map[string]bool{}
	for _, s := range inMemory {
		name := s.Prim.Name()
		if refused[name] {
			continue
		}
		refused[name] = true
		_, err := runtime.Compile(e, &runtime.Request{Jaxpr: s.Jaxpr(), Label: name})
		if err == nil || !strings.Contains(err.Error(), "kernel "+name) || !strings.Contains(err.Error(), errNoDoubles.Error()) {
			t.Errorf("%s: got %v, want an error that names it", name, err)
		}
	}
	want := []string{"fft", "igamma", "igamma_grad_a", "igammac", "random_gamma_grad", "regularized_incomplete_beta", "zeta"}
	if got := slices.Sorted(maps.Keys(refused)); !slices.Equal(got, want) {
		t.Errorf("refused are %v, want %v", got, want)
	}
}
