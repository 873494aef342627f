package prim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/runtime"
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
		windows.ReduceWindowSumP, windows.ReduceWindowMaxP, windows.ReduceWindowMinP, prim.ReduceP, windows.ReduceWindowP,
		windows.SelectAndGatherAddP, windows.SelectAndScatterAddP, prim.DotGeneralP, windows.ConvP, matrices.CholeskyP, matrices.TriangularSolveP,
		prim.PsumP, prim.PmaxP, prim.PminP, prim.AllGatherP, prim.ReduceScatterP, prim.PpermuteP, prim.AllToAllP, prim.AxisIndexP:
		return true
	}
	return false
}

// reductionSamples returns the family's samples that name an axis, or that name none.
func reductionSamples(named bool) (out []primtest.Sample) {
	for _, s := range primtest.All() {
		if isReduction(s.Prim) && (core.NamesAxes(s.Prim)) == named {
			out = append(out, s)
		}
	}
	return out
}

// inDouble returns the sample with f64 for f32 and c128 for c64, unless the primitive has a dtype
// as a parameter.
func inDouble(s primtest.Sample) (primtest.Sample, bool) {
	switch p := s.Prim.(type) {
	case prim.DotGeneralP:
		if p.Preferred != core.Invalid {
			return s, false
		}
	case windows.ConvP:
		if p.Preferred != core.Invalid {
			return s, false
		}
	case prim.ReduceP, windows.ReduceWindowP:
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

// sameBits reports whether two arrays contain the same bits, all NaNs the same.
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

// masks returns all non-empty choices among n operands; if n is 0, the empty one.
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

// differentiable draws operands and tangents of a sample in double precision. Initial values of
// reductions get no tangents.
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

// mayVary reports whether the chosen operands may have tangents.
func mayVary(s primtest.Sample, choice []bool) bool {
	some := false
	for i, c := range choice {
		if c && !s.In[i].DType.IsInexact() {
			return false
		}
		some = some || c
	}
	switch s.Prim.(type) {
	case prim.ReduceP, windows.ReduceWindowP:
		return some && !slices.Contains(choice[len(choice)/2:], true)
	case windows.SelectAndGatherAddP, windows.SelectAndScatterAddP:
		return some && !choice[1]
	}
	return some
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
