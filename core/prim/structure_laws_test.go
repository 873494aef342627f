package prim_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/core/prim/rng"
	"github.com/weft-go/weft/internal/test/primtest"
)

// withNaive puts the naive evaluator at the bottom until the test ends.
func withNaive(t *testing.T) {
	old := core.Bottom
	core.Bottom = naive{}
	t.Cleanup(func() { core.Bottom = old })
}

// structureSamples returns the samples of operations that the naive evaluator implements.
func structureSamples() []primtest.Sample {
	var out []primtest.Sample
	for _, s := range primtest.All() {
		switch s.Prim.(type) {
		case prim.BroadcastInDimP, prim.ReshapeP, prim.SqueezeP, prim.TransposeP, prim.RevP, prim.TileP,
			prim.ConcatenateP, prim.SplitP, prim.StackP, prim.UnstackP, prim.PadP, prim.SliceP,
			indexed.DynamicSliceP, indexed.DynamicUpdateSliceP, indexed.GatherP,
			indexed.ScatterP, indexed.ScatterApplyP,
			indexed.SortP, indexed.TopKP, rng.RandomSeedP, prim.RandomWrapP, prim.RandomUnwrapP, rng.RandomSplitP,
			rng.RandomFoldInP, rng.RandomBitsP, rng.RandomCloneP:
			out = append(out, s)
		}
	}
	return out
}

// draw returns a random array for operand i of a sample: small integers, so that nothing
// rounds. batch, if not negative, is a further leading axis; rows are drawn one by one.
func draw(r *rand.Rand, s primtest.Sample, i, batch int) *array {
	if batch >= 0 {
		y := &array{ShapedArray: s.In[i].WithShape(s.In[i].Shape.Prepend(batch))}
		for range batch {
			y.e = append(y.e, draw(r, s, i, -1).e...)
		}
		return y
	}
	var dom primtest.Domain
	if s.Dom != nil {
		dom = s.Dom[i]
	}
	y := zerosOf(s.In[i])
	choices := slices.Clone(dom.Values)
	if choices == nil {
		lo, hi := -4.0, 4.0
		if dom.Lo != dom.Hi {
			lo, hi = dom.Lo, dom.Hi
		}
		for v := lo; v <= hi; v++ {
			if y.DType.IsUnsigned() && v < 0 {
				continue
			}
			choices = append(choices, v)
		}
	}
	for k := range y.e {
		if y.DType.IsKey() {
			y.e[k] = core.UintNumber(r.Uint64())
			continue
		}
		c := r.IntN(len(choices))
		y.e[k] = number(y.DType, choices[c])
		if y.DType.IsComplex() {
			y.e[k] = core.ComplexNumber(complex(choices[c], float64(r.IntN(5)-2)))
		}
		if dom.Unique {
			choices = slices.Delete(choices, c, c+1)
		}
	}
	return y
}

// elements returns the elements of v, with one NaN in place of all NaNs and 0 in place of −0.
func elements(v core.Value) []core.Number {
	e := slices.Clone(concrete(v).e)
	for i, n := range e {
		switch c := n.Complex(); {
		case n.Kind() != core.KindFloat && n.Kind() != core.KindComplex:
		case math.IsNaN(real(c)) || math.IsNaN(imag(c)):
			e[i] = core.Number{}
		case n.Kind() == core.KindFloat:
			e[i] = core.FloatNumber(n.Float() + 0)
		default:
			e[i] = core.ComplexNumber(c + 0)
		}
	}
	return e
}

// along returns x + eps·t.
func along(x, t *array, eps float64) *array {
	y := zerosOf(x.ShapedArray)
	for k := range y.e {
		if x.DType.IsComplex() {
			y.e[k] = core.ComplexNumber(x.e[k].Complex() + complex(eps, 0)*t.e[k].Complex())
		} else {
			y.e[k] = core.FloatNumber(x.e[k].Float() + eps*t.e[k].Float())
		}
	}
	return y
}

func clone(in []core.Value) []core.Value { return slices.Clone(in) }

// A tangent is the difference that a small step makes, exactly: all these
// operations are piecewise linear in each operand.
func TestStructureTangents(t *testing.T) {
	withNaive(t)
	r := rand.New(rand.NewPCG(1, 2))
	const eps = 1.0 / 1024
	n := 0
	for _, s := range structureSamples() {
		p, ok := s.Prim.(core.JVPer)
		if !ok || s.NoFD != "" {
			continue
		}
		in := make([]core.Value, len(s.In))
		for i := range in {
			in[i] = draw(r, s, i, -1)
		}
		out := core.Bind(p, in...)
		total := make([]core.Value, len(out))
		ts := make([]core.Value, len(in))
		for i := range in {
			if !s.In[i].DType.IsInexact() {
				continue
			}
			dt := draw(r, primtest.Sample{In: s.In}, i, -1)
			t1 := make([]core.Value, len(in))
			t1[i], ts[i] = dt, dt
			moved := clone(in)
			moved[i] = along(in[i].(*array), dt, eps)
			after := core.Bind(p, moved...)
			d := p.JVP(in, out, t1)
			require.Len(t, d, len(out), what(s))
			for k, y := range out {
				if !y.Aval().DType.IsInexact() {
					require.Nil(t, d[k], what(s))
					continue
				}
				if d[k] == nil {
					d[k] = zerosOf(y.Aval())
				}
				require.Equal(t, y.Aval(), d[k].Aval(), what(s))
				want := along(zerosOf(y.Aval()), along(concrete(after[k]), concrete(y), -1), 1/eps)
				require.Equal(t, elements(want), elements(d[k]), "%s: operand %d, result %d\nin %v\ntangent %v", what(s), i, k, in, dt)
				if total[k] == nil {
					total[k] = d[k]
				} else {
					total[k] = along(concrete(total[k]), concrete(d[k]), 1)
				}
				n++
			}
		}
		if ts == nil || !slices.ContainsFunc(ts, func(v core.Value) bool { return v != nil }) {
			continue
		}
		for k, d := range p.JVP(in, out, ts) {
			if total[k] != nil {
				require.Equal(t, elements(total[k]), elements(d), "%s: all operands together, result %d", what(s), k)
			}
		}
	}
	require.Greater(t, n, 200)
}

// linearIn lists the operands in which an operation is linear together.
func linearIn(s primtest.Sample) []int {
	switch p := s.Prim.(type) {
	case prim.ConcatenateP, prim.StackP:
		all := make([]int, len(s.In))
		for i := range all {
			all[i] = i
		}
		return all
	case prim.PadP, indexed.DynamicUpdateSliceP:
		return []int{0, 1}
	case indexed.ScatterP:
		switch p.Combine {
		case indexed.CombineSet, indexed.CombineAdd, indexed.CombineSub:
			return []int{0, 2}
		case indexed.CombineMin, indexed.CombineMax:
			return nil
		}
	}
	return []int{0}
}

// inner returns Σ a·b.
func inner(a, b core.Value) complex128 {
	var sum complex128
	x, y := concrete(a), concrete(b)
	for k := range x.e {
		sum += x.e[k].Complex() * y.e[k].Complex()
	}
	return sum
}

// ⟨ct, p(dx)⟩ = ⟨pᵀ ct, dx⟩ for every set of linear operands; a cotangent that is
// zero may be nil.
func TestStructureTransposes(t *testing.T) {
	withNaive(t)
	r := rand.New(rand.NewPCG(3, 4))
	n := 0
	for _, s := range structureSamples() {
		p, ok := s.Prim.(core.Transposer)
		if !ok || !s.In[0].DType.IsInexact() || s.In[0].DType.Bits() < 32 {
			continue
		}
		if g, ok := p.(indexed.GatherP); ok && g.Mode == indexed.FillOrDrop {
			g.Fill = core.IntNumber(0) // what a tangent is filled with: linear
			p = g
		}
		linear := linearIn(s)
		for set := 1; set < 1<<len(linear); set++ {
			lin := make([]bool, len(s.In))
			for b, i := range linear {
				lin[i] = set>>b&1 == 1
			}
			in, dx, known := make([]core.Value, len(s.In)), make([]core.Value, len(s.In)), make([]core.Value, len(s.In))
			for i := range in {
				in[i] = draw(r, s, i, -1)
				dx[i] = in[i]
				switch {
				case lin[i]:
				case slices.Contains(linear, i):
					dx[i] = zerosOf(s.In[i]) // not moved
					known[i] = in[i]
				default:
					known[i] = in[i]
				}
			}
			dy := core.Bind(p, dx...)
			for nils := range 1<<len(dy) - 1 {
				ct := make([]core.Value, len(dy))
				var want complex128
				for k, y := range dy {
					if nils>>k&1 == 0 {
						ct[k] = draw(r, primtest.Sample{In: core.AvalsOf(dy)}, k, -1)
						want += inner(ct[k], y)
					}
				}
				got := p.Transpose(ct, known, lin, s.In)
				require.Len(t, got, len(in), what(s))
				var sum complex128
				for i, g := range got {
					if !lin[i] {
						require.Nil(t, g, "%s: operand %d is not linear", what(s), i)
						continue
					}
					if g != nil {
						require.True(t, s.In[i].SameType(g.Aval()), "%s: cotangent %d is %v", what(s), i, g.Aval())
						sum += inner(g, dx[i])
					}
				}
				require.Equal(t, want, sum, "%s: linear in %v", what(s), lin)
				n++
			}
		}
	}
	require.Greater(t, n, 200)
}

// row is row b of a batch.
func row(v core.Value, b int) *array {
	a := concrete(v)
	s := a.Shape.Slice(1, a.Rank())
	return &array{a.WithShape(s), a.e[b*s.Size() : (b+1)*s.Size()]}
}

// A batch is a loop, whichever operands are mapped, down to an empty batch.
func TestStructureBatches(t *testing.T) {
	withNaive(t)
	r := rand.New(rand.NewPCG(5, 6))
	n := 0
	for _, s := range structureSamples() {
		p := s.Prim.(core.Batcher)
		for set := 1; set < 1<<len(s.In); set++ {
			for _, size := range []int{3, 1, 0} {
				in, mapped := make([]core.Value, len(s.In)), make([]bool, len(s.In))
				for i := range in {
					mapped[i] = set>>i&1 == 1
					batch := -1
					if mapped[i] {
						batch = size
					}
					in[i] = draw(r, s, i, batch)
				}
				out, outMapped := p.Batch(size, in, mapped)
				avals := core.AbstractOf(p, s.In)
				require.Len(t, out, len(avals), what(s))
				for k, y := range out {
					if outMapped[k] {
						require.Equal(t, avals[k].WithShape(avals[k].Shape.Prepend(size)), y.Aval(), "%s mapped %v", what(s), mapped)
					}
				}
				for b := range size {
					at := clone(in)
					for i := range at {
						if mapped[i] {
							at[i] = row(in[i], b)
						}
					}
					for k, want := range core.Bind(p, at...) {
						got := out[k]
						if outMapped[k] {
							got = row(got, b)
						}
						require.Equal(t, elements(want), elements(got), "%s mapped %v, row %d of %d", what(s), mapped, b, size)
						n++
					}
				}
			}
		}
	}
	require.Greater(t, n, 1000)
}
