package prim_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/primtest"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// The laws of reductions are tried on the real kernels: their numbers, with the
// order of addition, are part of the law that a batch is a loop.

// runtimeBottom is the evaluator that package runtime installs; other tests put theirs
// in its place for a while.
var runtimeBottom = core.Bottom

func withRuntime(t *testing.T) {
	old := core.Bottom
	core.Bottom = runtimeBottom
	t.Cleanup(func() { core.Bottom = old })
}

// isReduction reports whether a sample is of the family that this file tests.
func isReduction(p core.Primitive) bool {
	switch p.(type) {
	case prim.ReduceSumP, prim.ReduceProdP, prim.ReduceMaxP, prim.ReduceMinP, prim.ReduceAndP, prim.ReduceOrP, prim.ReduceXorP,
		prim.ArgmaxP, prim.ArgminP, prim.CumsumP, prim.CumprodP, prim.CummaxP, prim.CumminP, prim.CumlogsumexpP,
		prim.ReduceWindowSumP, prim.ReduceWindowMaxP, prim.ReduceWindowMinP, prim.ReduceP, prim.ReduceWindowP,
		prim.SelectAndGatherAddP, prim.SelectAndScatterAddP, prim.DotGeneralP, prim.ConvP, prim.CholeskyP, prim.TriangularSolveP,
		prim.PsumP, prim.PmaxP, prim.PminP, prim.AllGatherP, prim.ReduceScatterP, prim.PpermuteP, prim.AllToAllP, prim.AxisIndexP:
		return true
	}
	return false
}

// reductionSamples returns the family's samples that name an axis, or that name none.
func reductionSamples(named bool) (out []primtest.Sample) {
	for _, s := range primtest.All() {
		if isReduction(s.Prim) && (len(core.AxisNamesOf(s.Prim)) > 0) == named {
			out = append(out, s)
		}
	}
	return out
}

// inDouble returns the sample with f64 for f32 and c128 for c64, where the primitive does
// not hold a dtype.
func inDouble(s primtest.Sample) (primtest.Sample, bool) {
	switch p := s.Prim.(type) {
	case prim.DotGeneralP:
		if p.Preferred != core.Invalid {
			return s, false
		}
	case prim.ConvP:
		if p.Preferred != core.Invalid {
			return s, false
		}
	case prim.ReduceP, prim.ReduceWindowP:
		return s, s.In[0].DType == core.Float64
	}
	s.In = slices.Clone(s.In)
	inexact := false
	for i, a := range s.In {
		switch a.DType {
		case core.Float32, core.Float64:
			s.In[i].DType, inexact = core.Float64, true
		case core.Complex64, core.Complex128:
			s.In[i].DType, inexact = core.Complex128, true
		default:
			if a.DType.IsInexact() {
				return s, false
			}
		}
	}
	return s, inexact
}

// drawArray returns an array of the sample's operand i, rows drawn one by one.
func drawArray(r *rand.Rand, s primtest.Sample, i, batch int) *runtime.Array {
	a := s.In[i]
	full := a
	if batch >= 0 {
		full = a.WithShape(a.Shape.Prepend(batch))
	}
	x := runtime.New(full)
	d := primtest.Domain{}
	if s.Dom != nil {
		d = s.Dom[i]
	}
	w := a.DType.Size()
	for row := range max(batch, 1) {
		if batch == 0 {
			break
		}
		left := slices.Clone(d.Values)
		one := func() float64 {
			switch {
			case len(left) > 0:
				k := r.IntN(len(left))
				v := left[k]
				if d.Unique {
					left = slices.Delete(left, k, k+1)
				}
				return v
			case d.Lo != d.Hi && a.DType.IsInteger():
				return d.Lo + float64(r.IntN(int(d.Hi-d.Lo)+1))
			case d.Lo != d.Hi:
				return d.Lo + (d.Hi-d.Lo)*r.Float64()
			case a.DType.IsBool() || a.DType.IsUnsigned():
				return float64(r.IntN(2))
			case a.DType.IsInteger():
				return float64(r.IntN(4) - 2)
			}
			return 2*r.Float64() - 1
		}
		size := a.Size()
		for k := range size {
			re, im := one(), 0.0
			if a.DType.IsComplex() {
				im = one()
			}
			if n := a.Rank(); d.Diag != 0 && n >= 2 && k/a.Shape.At(n-1)%a.Shape.At(n-2) == k%a.Shape.At(n-1) {
				re += d.Diag + d.Step*float64(k%a.Shape.At(n-1))
			}
			elem.Put(x.Tensor().Data[(row*size+k)*w:], core.ComplexNumber(complex(re, im)), a.DType)
		}
	}
	return x
}

func rowOf(v core.Value, i int) core.Value {
	x := v.(*runtime.Array)
	a := x.Aval()
	y := runtime.New(a.WithShape(a.Shape.Slice(1, a.Rank())))
	n := len(y.Tensor().Data)
	copy(y.Tensor().Data, x.Tensor().Data[i*n:])
	return y
}

func numbersOf(v core.Value) []complex128 {
	if l, ok := v.(core.Literal); ok {
		v = runtime.FromLiteral(l)
	}
	x := v.(*runtime.Array)
	out := make([]complex128, x.Aval().Size())
	for i := range out {
		n, _ := x.At(i)
		out[i] = n.Complex()
	}
	return out
}

// sameBits reports whether two arrays hold the same bits, all NaNs the same.
func sameBits(x, y core.Value) bool {
	a, b := x.(*runtime.Array), y.(*runtime.Array)
	if string(a.Tensor().Data) == string(b.Tensor().Data) {
		return true
	}
	p, q := numbersOf(a), numbersOf(b)
	for i := range p {
		if !sameNumber(math.Float64bits(real(p[i])), math.Float64bits(real(q[i])), real(p[i]), real(q[i])) ||
			!sameNumber(math.Float64bits(imag(p[i])), math.Float64bits(imag(q[i])), imag(p[i]), imag(q[i])) {
			return false
		}
	}
	return true
}

func sameNumber(a, b uint64, x, y float64) bool { return a == b || x != x && y != y }

// masks returns all choices of at least one of n, and of none if there are none.
func masks(n int) (out [][]bool) {
	for c := 1; c < 1<<n; c++ {
		m := make([]bool, n)
		for i := range m {
			m[i] = c>>i&1 == 1
		}
		out = append(out, m)
	}
	return out
}

func apply1(p core.Primitive) func([]core.Value) []core.Value {
	return func(in []core.Value) []core.Value { return core.Bind(p, in...) }
}

// A batch has the bits of a loop, whichever operands vary over it.
func TestReductionBatchIsALoop(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(3, 4))
	const n = 3
	for _, s := range reductionSamples(false) {
		if s.In[0].Size() > 1000 && s.In[0].DType != core.Float32 {
			continue
		}
		for _, mapped := range masks(len(s.In)) {
			switch p := s.Prim.(type) {
			case prim.ReduceP, prim.ReduceWindowP:
				if slices.Contains(mapped[len(mapped)/2:], true) {
					continue // refused: see TestReductionRefusals
				}
			default:
				_ = p
			}
			in := make([]core.Value, len(s.In))
			for i := range in {
				in[i] = drawArray(r, s, i, -1)
				if mapped[i] {
					in[i] = drawArray(r, s, i, n)
				}
			}
			out, outMapped := transforms.Vmap(n, "", apply1(s.Prim), in, mapped)
			for k := range n {
				args := slices.Clone(in)
				for i := range args {
					if mapped[i] {
						args[i] = rowOf(in[i], k)
					}
				}
				want := core.Bind(s.Prim, args...)
				for o := range want {
					require.True(t, outMapped[o])
					got := rowOf(out[o], k)
					require.Equal(t, want[o].Aval(), got.Aval(), what(s))
					require.True(t, sameBits(want[o], got), "%s mapped %v row %d: %v, alone %v", what(s), mapped, k, numbersOf(got), numbersOf(want[o]))
				}
			}
		}
	}
}

// moved1 returns x + h·d.
func moved1(x, d core.Value, h float64) core.Value {
	if d == nil {
		return x
	}
	y := runtime.New(x.Aval())
	p, q := numbersOf(x), numbersOf(d)
	for i := range p {
		elem.Put(y.Tensor().Data[i*y.Aval().DType.Size():], core.ComplexNumber(p[i]+complex(h, 0)*q[i]), y.Aval().DType)
	}
	return y
}

func closeTo(a, b complex128, tol float64) bool {
	return a == b || cmplx.Abs(a-b) <= tol*(1+max(cmplx.Abs(a), cmplx.Abs(b)))
}

// differentiable draws operands and tangents of a sample in double precision: of
// initial values of reductions there are none.
func differentiable(r *rand.Rand, s primtest.Sample, choice []bool) (in, dt []core.Value) {
	in, dt = make([]core.Value, len(s.In)), make([]core.Value, len(s.In))
	for i, a := range s.In {
		in[i] = drawArray(r, s, i, -1)
		if a.DType.IsInexact() && choice[i] {
			dt[i] = drawArray(r, primtest.Sample{In: s.In}, i, -1)
		}
	}
	return in, dt
}

// mayVary reports whether operands of the choice have derivatives.
func mayVary(s primtest.Sample, choice []bool) bool {
	some := false
	for i, c := range choice {
		if c && !s.In[i].DType.IsInexact() {
			return false
		}
		some = some || c
	}
	switch s.Prim.(type) {
	case prim.ReduceP, prim.ReduceWindowP:
		return some && !slices.Contains(choice[len(choice)/2:], true)
	case prim.SelectAndGatherAddP, prim.SelectAndScatterAddP:
		return some && !choice[1]
	}
	return some
}

// The rules' tangents are the limits of differences.
func TestReductionJVPIsTheLimitOfDifferences(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(5, 6))
	tried := map[string]int{}
	for _, s := range reductionSamples(false) {
		rule, ok := s.Prim.(core.JVPer)
		if !ok || s.NoFD == "elements that are equal or chosen have no difference quotient" {
			continue
		}
		s, ok := inDouble(s)
		if !ok {
			continue
		}
		for _, choice := range masks(len(s.In)) {
			if !mayVary(s, choice) {
				continue
			}
			in, dt := differentiable(r, s, choice)
			out := core.Bind(s.Prim, in...)
			got := rule.JVP(in, out, dt)
			const h = 1e-6
			plus, minus := slices.Clone(in), slices.Clone(in)
			for i := range in {
				plus[i], minus[i] = moved1(in[i], dt[i], h), moved1(in[i], dt[i], -h)
			}
			hi, lo := core.Bind(s.Prim, plus...), core.Bind(s.Prim, minus...)
			for o := range out {
				a, b := numbersOf(hi[o]), numbersOf(lo[o])
				g := make([]complex128, len(a))
				if got[o] != nil {
					require.Equal(t, out[o].Aval(), got[o].Aval(), what(s))
					g = numbersOf(got[o])
				}
				for e := range a {
					want := (a[e] - b[e]) / (2 * h)
					if a[e] == b[e] {
						want = 0 // also of infinities
					}
					require.True(t, closeTo(g[e], want, 1e-5), "%s: element %d has tangent %v, differences give %v", what(s), e, g[e], want)
				}
			}
			tried[s.Prim.Name()]++
		}
	}
	require.Len(t, tried, 22, "%v", tried)
}

// product is Re Σ xᵢ·yᵢ, as cotangents pair with tangents: without conjugation.
func innerProduct(xs, ys []core.Value) (sum complex128) {
	for i := range xs {
		if xs[i] == nil || ys[i] == nil {
			continue
		}
		x, y := numbersOf(xs[i]), numbersOf(ys[i])
		for k := range x {
			sum += x[k] * y[k]
		}
	}
	return sum
}

// Reverse mode is the adjoint of forward mode: ⟨ȳ, J·ẋ⟩ = ⟨Jᵀ·ȳ, ẋ⟩.
func TestReductionVJPIsTheAdjoint(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(7, 8))
	tried := map[string]int{}
	for _, s := range reductionSamples(false) {
		if _, ok := s.Prim.(core.JVPer); !ok {
			continue
		}
		s, ok := inDouble(s)
		if !ok || noReverse(s.Prim) {
			continue
		}
		for _, choice := range masks(len(s.In)) {
			if !mayVary(s, choice) {
				continue
			}
			adjoint(t, r, s, choice, apply1(s.Prim))
			tried[s.Prim.Name()]++
		}
	}
	require.Len(t, tried, 22, "%v", tried)
}

// noReverse reports whether a primitive has forward derivatives only.
func noReverse(p core.Primitive) bool {
	var w prim.Window
	switch p := p.(type) {
	case prim.ReduceWindowMaxP:
		w = p.Window
	case prim.ReduceWindowMinP:
		w = p.Window
	case prim.SelectAndGatherAddP:
		w = p.Window
	}
	return slices.ContainsFunc(w.WindowDilation.Ints(), func(d int) bool { return d != 1 })
}

func adjoint(t *testing.T, r *rand.Rand, s primtest.Sample, choice []bool, f func([]core.Value) []core.Value) {
	t.Helper()
	in, dt := differentiable(r, s, choice)
	// What has no tangent is closed over.
	of := func(some []core.Value) []core.Value {
		all := slices.Clone(in)
		for i, c := range choice {
			if c {
				all[i], some = some[0], some[1:]
			}
		}
		return f(all)
	}
	adjointAt(t, r, fmt.Sprintf("%s, operands %v", what(s), choice), of, pick(in, choice), pick(dt, choice))
}

// adjointAt compares forward and reverse mode of f, all of whose arguments vary.
func adjointAt(t *testing.T, r *rand.Rand, what string, f func([]core.Value) []core.Value, in, dt []core.Value) {
	t.Helper()
	out, tout := transforms.JVP(f, in, dt)
	cts := make([]core.Value, len(out))
	for i, y := range out {
		cts[i] = drawArray(r, primtest.Sample{In: []core.ShapedArray{y.Aval()}}, 0, -1)
	}
	active := make([]bool, len(in))
	for i := range active {
		active[i] = true
	}
	_, vjp := transforms.VJP(f, in, active)
	a, b := innerProduct(cts, tout), innerProduct(vjp(cts), dt)
	// Between real and complex numbers a derivative is linear over the reals only.
	require.True(t, closeTo(complex(real(a), 0), complex(real(b), 0), 1e-9), "%s: ⟨ȳ, Jẋ⟩ = %v, ⟨Jᵀȳ, ẋ⟩ = %v", what, a, b)
}

// pick returns the chosen values.
func pick(vs []core.Value, choice []bool) (out []core.Value) {
	for i, c := range choice {
		if c {
			out = append(out, vs[i])
		}
	}
	return out
}
