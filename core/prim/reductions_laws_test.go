package prim_test

import (
	"fmt"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/samples"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// A batch has the bits of a loop, whichever operands vary over it.
func TestReductionBatchIsALoop(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(3, 4))
	const n = 3
	for _, s := range samples.Of(t, reductionSamples(false), 8) {
		if s.In[0].Size() > 1000 && s.In[0].DType != core.Float32 {
			continue
		}
		for _, mapped := range masks(len(s.In)) {
			switch p := s.Prim.(type) {
			case prim.ReduceP, windows.ReduceWindowP:
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

// makeHermitian adds to matrices their conjugate transposes.
func makeHermitian(x core.Value) {
	y, v, n := x.(*runtime.Array), numbersOf(x), x.Aval().Shape.At(-1)
	for i := range v {
		row, col := i/n%n, i%n
		other := v[i+(col-row)*n+row-col]
		elem.Put(y.Tensor().Data[i*y.Aval().DType.Size():], core.ComplexNumber(v[i]+cmplx.Conj(other)), y.Aval().DType)
	}
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
			_, root := s.Prim.(matrices.CholeskyP)
			if root { // its derivative is that along Hermitian matrices
				makeHermitian(dt[0])
			}
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
					if n := s.In[0].Shape; a[e] == b[e] || root && e/n.At(-1)%n.At(-1) < e%n.At(-1) {
						want = 0 // also of infinities; above the diagonal the operand stays
					}
					// A difference is off by ε/h = 2e-10 of the terms of its sum, which are of the size of 1 or of the result; the
					// worst is 2.4e-9 (32 terms of cumsum).
					require.True(t, testcheck.NearComplex(g[e], want, 5e-9), "%s: element %d has tangent %v, differences give %v", what(s), e, g[e], want)
				}
			}
			tried[s.Prim.Name()]++
		}
	}
	require.Len(t, tried, 22, "%v", tried)
}

// innerProduct returns Σ xᵢ·yᵢ, without conjugation, as cotangents pair with tangents.
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
		if !ok {
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
	require.True(t, testcheck.NearComplex(complex(real(a), 0), complex(real(b), 0), 1e-13), "%s: ⟨ȳ, Jẋ⟩ = %v, ⟨Jᵀȳ, ẋ⟩ = %v", what, a, b)
}
