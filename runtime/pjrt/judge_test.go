package pjrt_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/golden"
	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// distance returns the largest distance of an element of got from that of want, in units. The unit is an
// ulp at the magnitude of the element, plus the element of errors unless that is nil. The distance is
// +Inf if NaNs or infinities differ, or elements that are not floats.
func distance(got, want *runtime.Array, errors []float64) float64 {
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
		own := 0.0
		if errors != nil {
			own = errors[i]
		}
		for _, v := range [][2]float64{{real(p), real(q)}, {imag(p), imag(q)}} {
			switch {
			case v[0] == v[1] || math.IsNaN(v[0]) && math.IsNaN(v[1]):
			case math.IsNaN(v[0]) != math.IsNaN(v[1]) || math.IsInf(v[0], 0) || math.IsInf(v[1], 0):
				return math.Inf(1)
			case !a.DType.IsComplex():
				most = max(most, math.Abs(v[0]-v[1])/(own+testcheck.ULP(v[1], a.DType)))
			default:
				most = max(most, math.Abs(v[0]-v[1])/(own+testcheck.ULP(largest, a.DType)))
			}
		}
	}
	return most
}

func number(data []byte, dt core.DType) complex128 {
	n, _ := elem.Get(data, dt)
	return n.Complex()
}

// judged runs a program on a device and returns the distance of each result from the reference's. errors,
// unless it is nil, has for each result the errors that rounding may cause in its elements.
func judged(e runtime.Executor, j *jaxpr.Jaxpr, args []*runtime.Array, errors [][]float64) ([]float64, error) {
	return judgedOn(e, j, args, args, errors)
}

// judgedOn is judged for arguments that have been placed on the device.
func judgedOn(e runtime.Executor, j *jaxpr.Jaxpr, args, placed []*runtime.Array, errors [][]float64) ([]float64, error) {
	ctx := context.Background()
	want, err := runtime.Evaluate(ctx, runtime.Reference, j, args)
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	got, err := runtime.Evaluate(ctx, e, j, placed)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(want))
	for i := range want {
		h, err := runtime.Reference.Place(ctx, got[i])
		if err != nil {
			return nil, err
		}
		var own []float64
		if errors != nil {
			own = errors[i]
		}
		out[i] = distance(h, want[i], own)
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

// verdicts are the results of a run, by subject: the largest [distance] of its programs, which is NaN if a
// program is refused.
type verdicts struct {
	most  map[string]float64
	first map[string]string // the first program with the worst verdict
}

// add adds a program's verdict.
func (v *verdicts) add(subject, program string, ds []float64, err error) {
	d := 0.0
	if err != nil {
		d, program = math.NaN(), program+": "+err.Error()
	} else if len(ds) > 0 {
		d = slices.Max(ds)
	}
	if v.most == nil {
		v.most, v.first = map[string]float64{}, map[string]string{}
	}
	if old, ok := v.most[subject]; !ok || d > old || math.IsNaN(d) && !math.IsNaN(old) {
		v.most[subject], v.first[subject] = d, program
	}
}

// usual is the largest distance that needs no record.
const usual = 4

var update = flag.Bool("update", false, "add what is found to the record of exceptions")

// exception is a line of the record: how far results may be from the reference's, and why.
type exception struct{ bound, why string }

// bound returns a verdict in the form of the record: the next power of two, "differ", or "refused".
func bound(d float64) string {
	switch {
	case math.IsNaN(d):
		return "refused"
	case math.IsInf(d, 1):
		return "differ"
	}
	return strconv.FormatFloat(math.Exp2(math.Ceil(math.Log2(d))), 'g', -1, 64)
}

// within reports whether a verdict is no worse than the recorded exception.
func (e exception) within(d float64) bool {
	switch e.bound {
	case "refused":
		return math.IsNaN(d) || d <= usual // other plugins accept the program
	case "differ":
		return !math.IsNaN(d)
	}
	n, err := strconv.ParseFloat(e.bound, 64)
	return err == nil && d <= n
}

// check compares the verdicts with a file of exceptions, whose lines have a subject, a bound and a reason.
func (v *verdicts) check(t *testing.T, file string) {
	t.Helper()
	known := map[string]exception{}
	data, err := os.ReadFile(file)
	if err != nil && !*update {
		t.Fatal(err)
	}
	head := ""
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			head += line
			continue
		}
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(f) == 3 {
			known[f[0]] = exception{f[1], f[2]}
		} else {
			t.Errorf("%s: %q has not three parts", file, line)
		}
	}
	exceptions := 0
	for _, subject := range slices.Sorted(maps.Keys(v.most)) {
		d := v.most[subject]
		e, ok := known[subject]
		switch {
		case d <= usual:
		case ok && e.within(d):
			exceptions++
		case *update:
			known[subject] = exception{bound(d), e.why}
			t.Logf("%s: %s, %s", subject, bound(d), v.first[subject])
		default:
			t.Errorf("%s: %.3g ulps (NaN: refused), in %s", subject, d, v.first[subject])
		}
	}
	t.Logf("%d subjects, %d of them exceptions by record", len(v.most), exceptions)
	if *update {
		var b strings.Builder
		b.WriteString(head)
		for _, subject := range slices.Sorted(maps.Keys(known)) {
			fmt.Fprintf(&b, "%s\t%s\t%s\n", subject, known[subject].bound, known[subject].why)
		}
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// terms returns the number of elements or products that XLA adds up in the operands' type for an element
// of the result, 0 for operations that are no such sums. Of f16 and bf16 only reductions are: products are
// added up in f32 and rounded once, as the reference computes all sums.
func terms(p core.Primitive, in, out []core.ShapedArray) int {
	if len(in) == 0 || out[0].DType != in[0].DType {
		return 0
	}
	switch in[0].DType {
	case core.Float32, core.Float64, core.Complex64, core.Complex128:
	case core.Float16, core.BFloat16:
		if _, ok := p.(prim.ReduceSumP); !ok {
			return 0
		}
	default:
		return 0
	}
	n := 1
	switch p := p.(type) {
	case prim.CumsumP:
		return in[0].Shape.At(p.Axis)
	case prim.ReduceSumP:
		for _, axis := range p.Axes.All() {
			n *= in[0].Shape.At(axis)
		}
		return n
	case prim.DotGeneralP:
		for _, axis := range p.LhsContract.All() {
			n *= in[0].Shape.At(axis)
		}
		return n
	case prim.RaggedDotP:
		return in[0].Shape.At(-1)
	case windows.ConvP:
		return in[1].Size() / max(1, in[1].Shape.At(p.RhsSpec.At(0)))
	}
	return 0
}

// roundings returns, for each result of a sample, the errors of its elements that the order of a sum may
// cause, nil for operations that are no sums. A sum of n terms, in any order, with products that are
// rounded or not, is within n·ε/2·Σ|terms| of the exact sum. So two sums differ by at most n·ε·Σ|terms|.
// A quarter of this is returned, as [usual] times the result is allowed. The real part of a sum of complex
// products has 2n terms, and so has the imaginary part; their magnitudes add up to at most Σ|products|.
func roundings(t *testing.T, s primtest.Sample, args []*runtime.Array) [][]float64 {
	t.Helper()
	types := core.AbstractOf(s.Prim, s.In)
	out := make([][]float64, len(types))
	if p, ok := s.Prim.(prim.FFTP); ok {
		out[0] = transformRoundings(t, p, s.In[0], types[0], args)
		return out
	}
	n := terms(s.Prim, s.In, types)
	if n == 0 {
		return out
	}
	p := s.Prim
	if s.In[0].DType.IsComplex() {
		n *= 2
		switch q := p.(type) { // magnitudes are real
		case prim.DotGeneralP:
			q.Preferred = core.Invalid
			p = q
		case prim.RaggedDotP:
			q.Type = core.Invalid
			p = q
		case windows.ConvP:
			q.Preferred = core.Invalid
			p = q
		}
	}
	b := jaxpr.NewBuilder()
	in := make([]jaxpr.Atom, len(s.In))
	for i, a := range s.In {
		in[i] = b.Input(a)
		if a.DType.IsInexact() {
			in[i] = b.Eqn(prim.AbsP{}, in[i])[0]
		}
	}
	sums, err := runtime.Evaluate(context.Background(), runtime.Reference, b.Build(b.Eqn(p, in...)[0]), args)
	if err != nil {
		t.Fatal(err)
	}
	dt := sums[0].Aval().DType
	out[0] = make([]float64, types[0].Size())
	for i := range out[0] {
		sum := real(number(sums[0].Tensor().Data[i*dt.Size():], dt))
		if e := float64(n) * testcheck.ULP(1, dt) * sum / usual; !math.IsInf(e, 0) && !math.IsNaN(e) {
			out[0][i] = e
		}
	}
	return out
}

// transformRoundings is [roundings] for Fourier transforms, whose elements are sums of all complex terms
// of a transform. The first element of the transform of magnitudes is their sum.
func transformRoundings(t *testing.T, p prim.FFTP, in, out core.ShapedArray, args []*runtime.Array) []float64 {
	t.Helper()
	b := jaxpr.NewBuilder()
	x := b.Eqn(prim.AbsP{}, b.Input(in))[0]
	if in.DType.IsComplex() {
		x = b.Eqn(prim.ComplexP{}, x, b.Eqn(prim.SubP{}, x, x)[0])[0]
	}
	sums, err := runtime.Evaluate(context.Background(), runtime.Reference, b.Build(b.Eqn(p, x)[0]), args)
	if err != nil {
		t.Fatal(err)
	}
	n, each := 1, 1 // terms, and elements of a transform
	for i, length := range p.Lengths.All() {
		n *= length
		each *= out.Shape.At(out.Rank() - p.Lengths.Len() + i)
	}
	errors := make([]float64, out.Size())
	for i := range errors {
		sum := real(number(sums[0].Tensor().Data[i/each*each*out.DType.Size():], out.DType))
		if e := float64(2*n) * testcheck.ULP(1, out.DType) * sum / usual; !math.IsInf(e, 0) && !math.IsNaN(e) {
			errors[i] = e
		}
	}
	return errors
}

// hasSixBits reports whether an operand or a result has a float type of six bits, which XLA lacks.
func hasSixBits(s primtest.Sample) bool {
	for _, a := range slices.Concat(s.In, core.AbstractOf(s.Prim, s.In)) {
		if a.DType == core.Float6E2M3FN || a.DType == core.Float6E3M2FN {
			return true
		}
	}
	return false
}

// The samples of every primitive in every type are close to the reference. One of twenty is run, or all
// if WEFT_SAMPLES is all.
func TestJudgeSamples(t *testing.T) {
	e := executor(t)
	share, stride := samples.Share(t, 20)
	type one struct {
		s    primtest.Sample
		args []*runtime.Array
	}
	var v verdicts
	var batch []one
	report := func(s primtest.Sample, d []float64, err error) {
		names := func(types []core.ShapedArray) string {
			var list []string
			for _, a := range types {
				list = append(list, a.DType.String())
			}
			slices.Sort(list)
			return strings.Join(slices.Compact(list), " ")
		}
		subject := s.Prim.Name() + ": " + names(s.In) + " → " + names(core.AbstractOf(s.Prim, s.In))
		if hasSixBits(s) {
			if !errors.Is(err, core.ErrDType) {
				t.Errorf("%s: got %v, want a refusal", subject, err)
			}
			return
		}
		v.add(subject, fmt.Sprint(s.In), d, err)
	}
	run := func(list []one) ([]float64, error) {
		b := jaxpr.NewBuilder()
		var args []*runtime.Array
		var outs []jaxpr.Atom
		var errors [][]float64
		for _, o := range list {
			in := make([]jaxpr.Atom, len(o.s.In))
			for i, a := range o.s.In {
				in[i] = b.Input(a)
			}
			args = append(args, o.args...)
			for _, v := range b.Eqn(o.s.Prim, in...) {
				outs = append(outs, v)
			}
			errors = append(errors, roundings(t, o.s, o.args)...)
		}
		return judged(e, b.Build(outs...), args, errors)
	}
	flush := func() {
		if len(batch) == 0 {
			return
		}
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
		r := rand.New(rand.NewPCG(1, uint64(n))) // the same numbers whatever the share
		for i, a := range s.In {
			var d primtest.Domain
			if s.Dom != nil {
				d = s.Dom[i]
			}
			o.args = append(o.args, drivertest.Draw(r, a, d))
		}
		if hasSixBits(s) {
			d, err := run([]one{o})
			report(s, d, err)
			continue
		}
		if batch = append(batch, o); len(batch) == 20 {
			flush()
		}
	}
	flush()
	v.check(t, "testdata/samples.txt")
}

// record is a line of evals.jsonl: a program that JAX printed, with inputs, captured constants first.
type record struct {
	Name, Text string
	In         golden.Arrays
}

// The programs that JAX printed are close to the reference, too.
func TestJudgeEvaluations(t *testing.T) {
	e := executor(t)
	records, _ := golden.Records[record](t, "jax/evals.jsonl")
	share, stride := samples.Share(t, max(1, len(records)/100))
	var v verdicts
	for i, r := range records {
		if i%stride != share {
			continue
		}
		j, err := jaxpr.Parse(golden.NameBlanks(r.Text), prim.Vocabulary)
		if err != nil || ircheck.HiddenConstants(j) {
			continue // package runtime's test of these records reports the former
		}
		in := r.In.Values()
		n := len(j.Consts)
		j.ConstVals = in[:n:n]
		var args []*runtime.Array
		for _, x := range in[n:] {
			args = append(args, golden.Concrete(x))
		}
		ds, err := judged(e, j, args, nil)
		if err != nil && strings.HasPrefix(err.Error(), "reference: ") {
			continue
		}
		v.add(r.Name, "the record", ds, err)
	}
	v.check(t, "testdata/evaluations.txt")
}
