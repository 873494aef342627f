package prim_test

import (
	"encoding/hex"
	"encoding/json"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/jaxpr"
)

// exactly runs f with naive arithmetic of 64-bit precision at the bottom.
func exactly(t *testing.T, f func()) {
	t.Helper()
	old := core.Bottom
	core.Bottom = scalars{}
	defer func() { core.Bottom = old }()
	f()
}

// goldenArray is an array of the golden files.
type goldenArray struct {
	DType string
	Shape []int
	Bits  string
}

func (b goldenArray) array(t *testing.T) *array {
	t.Helper()
	dt, ok := core.ParseDType(b.DType)
	require.True(t, ok, b.DType)
	data, err := hex.DecodeString(b.Bits)
	require.NoError(t, err)
	x := &array{ShapedArray: core.Aval(dt, b.Shape...)}
	for i := 0; i < len(data); i += dt.Size() {
		n, ok := elem.Get(data[i:], dt)
		require.True(t, ok)
		x.e = append(x.e, n)
	}
	return x
}

// tolerances are relative to each element. The rules run in f64 here, so what differs is JAX's rounding of some factors of a
// product, an ε each. The worst are 6.8 ε of f64 and 3.6 of c128, 4.6 of f32 and 10.2 of c64, 0.8 of f16, 0.6 of bf16.
var tolerances = map[core.DType]float64{
	core.Float64: 8 * 0x1p-52, core.Complex128: 8 * 0x1p-52, core.Float32: 8 * 0x1p-23, core.Complex64: 12 * 0x1p-23, core.Float16: 0x1p-10, core.BFloat16: 0x1p-7,
}

// Records that are not followed, and why.
var notFollowed = map[string]string{
	"jnp.sqrt": "on the branch cut JAX ignores the sign of the zero imaginary part, C99 does not",
}

// The forward derivatives of the elementwise operations are JAX's, at kinks, ties and
// poles too.
func TestElementwiseDerivativesAreJAXs(t *testing.T) {
	n := 0
	for _, line := range records(t, "jax/autodiff.jsonl", "elementwise_jvp.jsonl") {
		var r struct {
			ID                   int
			Src, Kind, Text      string
			In, Tangents, Consts []*goldenArray
			JVP                  json.RawMessage
		}
		require.NoError(t, json.Unmarshal(line, &r))
		j, err := jaxpr.Parse(r.Text, prim.Vocabulary)
		var want goldenArray
		if err != nil || len(j.Eqns) != 1 || len(r.Consts) > 0 || json.Unmarshal(r.JVP, &want) != nil || want.Bits == "" {
			continue
		}
		p := j.Eqns[0].Prim
		rule, ok := p.(core.JVPer)
		if !ok || function(p) == nil && !isSelection(p) || r.Kind == "kink" && notFollowed[r.Src] != "" {
			continue
		}
		n++
		values, tangents := map[core.Value]core.Value{}, map[core.Value]core.Value{}
		for i, v := range j.Ins {
			values[v] = r.In[i].array(t)
			if d := r.Tangents[i]; d != nil && d.DType != "float0" {
				tangents[v] = d.array(t)
			}
		}
		var in, dt []core.Value
		for _, v := range j.Eqns[0].Ins {
			if _, ok := v.(core.Literal); ok {
				in, dt = append(in, v), append(dt, nil)
				continue
			}
			in, dt = append(in, values[v]), append(dt, tangents[v])
		}
		exactly(t, func() {
			out := core.Bind(p, in...)
			got := rule.JVP(in, out, dt)[0]
			expected := want.array(t)
			require.True(t, got == nil || got.Aval().SameType(expected.ShapedArray), "%s: %v", r.Src, got)
			for i := range expected.e {
				g := complex128(0)
				if got != nil {
					g = concrete(got).e[i].Complex()
				}
				tolerance := tolerances[expected.DType]
				assert.True(t, testcheck.AlikeComplex(g, expected.e[i].Complex(), tolerance), "record %d: %s at %v along %v: element %d is %v, want %v",
					r.ID, r.Src, dump(in, i), dump(dt, i), i, g, expected.e[i].Complex())
			}
		})
	}
	t.Logf("%d records", n)
	require.Greater(t, n, 40)
}

func isSelection(p core.Primitive) bool { _, ok := p.(prim.SelectNP); return ok }

// dump is element i of every array, for messages.
func dump(vs []core.Value, i int) []any {
	var s []any
	for _, v := range vs {
		if v == nil {
			s = append(s, nil)
			continue
		}
		a := concrete(v)
		s = append(s, a.e[min(i, len(a.e)-1)].Complex())
	}
	return s
}

// drawn returns an array of values from a domain.
func drawn(rng *rand.Rand, a core.ShapedArray, d primtest.Domain) *array {
	x := zerosOf(a)
	one := func() float64 {
		switch {
		case d.Values != nil:
			return d.Values[rng.IntN(len(d.Values))]
		case d.Lo != 0 || d.Hi != 0:
			return d.Lo + rng.Float64()*(d.Hi-d.Lo)
		}
		return rng.Float64()*4 - 2
	}
	for i := range x.e {
		x.e[i] = wrap(a.DType, core.ComplexNumber(complex(one(), one())))
	}
	return x
}

func step(x *array, d core.Value, h float64) *array {
	y := zerosOf(x.ShapedArray)
	for i := range y.e {
		z := x.e[i].Complex()
		if d != nil {
			z += complex(h, 0) * concrete(d).e[i].Complex()
		}
		y.e[i] = wrap(x.DType, core.ComplexNumber(z))
	}
	return y
}

// JVP is the limit of differences, for every choice of operands that have a tangent.
func TestElementwiseJVPIsTheLimitOfDifferences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	exactly(t, func() {
		for _, s := range elementwiseSamples() {
			rule, ok := s.Prim.(core.JVPer)
			if !ok || s.NoFD != "" || function(s.Prim) == nil && !isSelection(s.Prim) {
				continue
			}
			var floats int
			for _, a := range s.In {
				if a.DType.IsInexact() {
					floats++
				}
			}
			for choice := 1; choice < 1<<floats; choice++ {
				in, dt := make([]core.Value, len(s.In)), make([]core.Value, len(s.In))
				k := 0
				for i, a := range s.In {
					d := primtest.Domain{}
					if s.Dom != nil {
						d = s.Dom[i]
					}
					in[i] = drawn(rng, a, d)
					if a.DType.IsInexact() {
						if choice>>k&1 == 1 {
							dt[i] = drawn(rng, a, primtest.Domain{})
						}
						k++
					}
				}
				out := core.Bind(s.Prim, in...)
				got := rule.JVP(in, out, dt)
				const h = 1e-6
				plus, minus := make([]core.Value, len(in)), make([]core.Value, len(in))
				for i, v := range in {
					plus[i], minus[i] = step(v.(*array), dt[i], h), step(v.(*array), dt[i], -h)
				}
				hi, lo := core.Bind(s.Prim, plus...), core.Bind(s.Prim, minus...)
				for i := range out {
					y := out[i].Aval()
					if got[i] != nil {
						require.True(t, got[i].Aval().SameType(y), "%s: tangent %v of %v", what(s), got[i].Aval(), y)
					}
					for e := range y.Size() {
						want := (concrete(hi[i]).e[e].Complex() - concrete(lo[i]).e[e].Complex()) / (2 * h)
						g := complex128(0)
						if got[i] != nil {
							g = concrete(got[i]).e[e].Complex()
						}
						// A difference is off by ε/h of the value, about 2e-10, and by h² of the third derivative; tan, digamma and
						// such have greater ones. The worst is 1.9e-9 of the value and the slope.
						most := 4e-9 * (cmplx.Abs(concrete(hi[i]).e[e].Complex()) + cmplx.Abs(want))
						require.True(t, testcheck.CloseComplex(g, want, most), "%s at %v along %v: %v, differences give %v", what(s), dump(in, e), dump(dt, e), g, want)
					}
				}
			}
		}
	})
}

// Transpose is the adjoint: ⟨ct, J dx⟩ = ⟨Jᵀct, dx⟩, without conjugation, for every
// choice of linear operands.
func TestElementwiseTransposeIsTheAdjoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	dot := func(x, y core.Value) (sum, size float64) {
		for i, n := range concrete(x).e {
			term := n.Complex() * concrete(y).e[i].Complex()
			sum, size = sum+real(term), size+cmplx.Abs(term)
		}
		return sum, size
	}
	exactly(t, func() {
		for _, s := range elementwiseSamples() {
			rule, ok := s.Prim.(core.Transposer)
			if !ok || function(s.Prim) == nil && !isSelection(s.Prim) {
				if _, ok := s.Prim.(prim.ConvertElementTypeP); !ok {
					continue
				}
			}
			if _, rounds := s.Prim.(prim.ReducePrecisionP); rounds {
				continue // a convention, and not linear
			}
			if _, jvp := s.Prim.(core.JVPer); !jvp || core.AbstractOf(s.Prim, s.In)[0].DType.Tangent() == core.Float0 {
				continue
			}
			for i, a := range s.In {
				if _, div := s.Prim.(prim.DivP); div && i == 1 || !a.DType.IsInexact() {
					continue
				}
				in, dt := make([]core.Value, len(s.In)), make([]core.Value, len(s.In))
				lin, rest := make([]bool, len(s.In)), make([]core.Value, len(s.In))
				for k, a := range s.In {
					d := primtest.Domain{}
					if s.Dom != nil {
						d = s.Dom[k]
					}
					in[k] = drawn(rng, a, d)
					if k != i {
						rest[k] = in[k]
					}
				}
				lin[i], dt[i] = true, drawn(rng, a, primtest.Domain{})
				out := core.Bind(s.Prim, in...)
				ct := drawn(rng, out[0].Aval(), primtest.Domain{})
				forward := s.Prim.(core.JVPer).JVP(in, out, dt)[0]
				back := rule.Transpose([]core.Value{ct}, rest, lin, s.In)
				require.Len(t, back, len(in))
				require.True(t, back[i].Aval().SameType(a), "%s: cotangent %v of %v", what(s), back[i].Aval(), a)
				left, size := dot(ct, forward)
				right, _ := dot(back[i], dt[i])
				// Each term is the same product in another order: two or three roundings a side, of terms that may cancel.
				require.True(t, testcheck.Close(left, right, 4*0x1p-52*size), "%s: ⟨ct, J dx⟩ is %v, ⟨Jᵀct, dx⟩ is %v", what(s), left, right)
			}
		}
	})
}

// A batch of selections or clampings is a loop, whichever operands are mapped.
func TestElementwiseBatchIsALoop(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const size = 3
	n := 0
	exactly(t, func() {
		for _, s := range elementwiseSamples() {
			p, ok := s.Prim.(core.Batcher)
			if !ok || s.In[len(s.In)-1].DType.IsComplex() && !isSelection(p) {
				continue
			}
			for set := 1; set < 1<<len(s.In); set++ {
				in, mapped := make([]core.Value, len(s.In)), make([]bool, len(s.In))
				for i := range in {
					a, dom := s.In[i], primtest.Domain{}
					if s.Dom != nil {
						dom = s.Dom[i]
					}
					if mapped[i] = set>>i&1 == 1; mapped[i] {
						a = a.WithShape(a.Shape.Prepend(size))
					}
					in[i] = drawn(r, a, dom)
				}
				out, outMapped := p.Batch(size, in, mapped)
				require.Equal(t, []bool{true}, outMapped)
				require.Equal(t, size, out[0].Aval().Shape.At(0), what(s))
				for b := range size {
					at := clone(in)
					for i := range at {
						if mapped[i] {
							at[i] = row(in[i], b)
						}
					}
					require.Equal(t, elements(core.Bind(p, at...)[0]), elements(row(out[0], b)), "%s mapped %v, row %d", what(s), mapped, b)
					n++
				}
			}
		}
	})
	require.Greater(t, n, 100)
}

// elementwiseSamples returns the samples of elementwise functions.
func elementwiseSamples() []primtest.Sample {
	var s []primtest.Sample
	for _, x := range primtest.All() {
		_, convert := x.Prim.(prim.ConvertElementTypeP)
		if function(x.Prim) != nil || isSelection(x.Prim) || convert {
			if !hasKey(x.In) {
				s = append(s, x)
			}
		}
	}
	return s
}

func hasKey(in []core.ShapedArray) bool {
	for _, a := range in {
		if a.DType.IsKey() {
			return true
		}
	}
	return false
}
