package prim_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/testcheck"
	"github.com/weft-go/weft/transforms"
)

// overAxis returns p for all indices of the named axis at once: operands and results have
// it in front.
func overAxis(p core.Primitive) func([]core.Value) []core.Value {
	return func(in []core.Value) []core.Value {
		mapped := make([]bool, len(in))
		for i := range mapped {
			mapped[i] = true
		}
		out, outMapped := transforms.Vmap(primtest.AxisSize, primtest.AxisName, apply1(p), in, mapped)
		for i, v := range out {
			if !outMapped[i] {
				s := v.Aval().Shape
				out[i] = prim.BroadcastInDim(v, s.Prepend(primtest.AxisSize), core.Range(1, s.Len()+1))
			}
		}
		return out
	}
}

// at reads a row-major array of the given shape.
func at(x []complex128, shape core.Dims, index ...int) complex128 {
	k := 0
	for i, n := range shape.All() {
		k = k*n + index[i]
	}
	return x[k]
}

// indices enumerates the indices of a shape in row-major order.
func indices(shape core.Dims, f func(index []int)) {
	ix := make([]int, shape.Len())
	for range shape.Size() {
		f(ix)
		for i := len(ix) - 1; i >= 0; i-- {
			if ix[i]++; ix[i] < shape.At(i) {
				break
			}
			ix[i] = 0
		}
	}
}

// group returns the indices that work together with i.
func group(g prim.Groups, i int) (members []int, rank int) {
	if g.Size == 0 {
		return core.Range(0, primtest.AxisSize).Ints(), i
	}
	k := g.Members.Index(i)
	lo := k / g.Size * g.Size
	return g.Members.Slice(lo, lo+g.Size).Ints(), k - lo
}

// collective returns the element at the position out of what index i gets, computed from the
// definition of p.
func collective(p core.Primitive, in core.ShapedArray, x []complex128, i int, out []int) complex128 {
	full := in.Shape.Prepend(primtest.AxisSize)
	of := func(from int, index ...int) complex128 { return at(x, full, append([]int{from}, index...)...) }
	inserted := func(index []int, axis, v int) []int { return slices.Insert(slices.Clone(index), axis, v) }
	// over ranges over the group of i along the named axis, and over the positional axes of a.
	over := func(a prim.NamedAxes, g prim.Groups, f func(v complex128)) {
		members, _ := group(g, i)
		for _, m := range members {
			indices(a.Positions.Map(in.Shape.At), func(sub []int) {
				index := slices.Clone(out)
				for k, pos := range a.Positions.All() {
					index = inserted(index, pos, sub[k])
				}
				f(of(m, index...))
			})
		}
	}
	switch p := p.(type) {
	case prim.PsumP:
		sum := complex128(0)
		over(p.Axes, p.Groups, func(v complex128) { sum += v })
		return sum
	case prim.PmaxP:
		best := complex(-1e9, 0)
		over(p.Axes, p.Groups, func(v complex128) { best = complex(max(real(best), real(v)), 0) })
		return best
	case prim.PminP:
		best := complex(1e9, 0)
		over(p.Axes, p.Groups, func(v complex128) { best = complex(min(real(best), real(v)), 0) })
		return best
	case prim.AllGatherP:
		members, _ := group(p.Groups, i)
		if !p.Tiled {
			return of(members[out[p.Dimension]], slices.Delete(slices.Clone(out), p.Dimension, p.Dimension+1)...)
		}
		n := in.Shape.At(p.Dimension)
		index := slices.Clone(out)
		index[p.Dimension] %= n
		return of(members[out[p.Dimension]/n], index...)
	case prim.ReduceScatterP:
		members, rank := group(p.Groups, i)
		sum := complex128(0)
		for _, m := range members {
			if !p.Tiled {
				sum += of(m, inserted(out, p.Dimension, rank)...)
				continue
			}
			index := slices.Clone(out)
			index[p.Dimension] += rank * in.Shape.At(p.Dimension) / len(members)
			sum += of(m, index...)
		}
		return sum
	case prim.PpermuteP:
		for k := 0; k < p.Perm.Len(); k += 2 {
			if p.Perm.At(k+1) == i {
				return of(p.Perm.At(k), out...)
			}
		}
		return 0
	case prim.AllToAllP:
		index := slices.Clone(out)
		n := in.Shape.At(p.Concat)
		if p.Split == p.Concat {
			n /= primtest.AxisSize
		}
		from := out[p.Concat] / n
		index[p.Concat] %= n
		index[p.Split] += i * in.Shape.At(p.Split) / primtest.AxisSize
		return of(from, index...)
	case prim.AxisIndexP:
		return complex(float64(i), 0)
	}
	panic("no definition of " + p.Name())
}

// Collectives compute what their definitions say when a batch binds the named axis.
func TestCollectivesAreTheirDefinitions(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(9, 10))
	for _, s := range reductionSamples(true) {
		in := make([]core.Value, len(s.In))
		for i := range in {
			in[i] = drawArray(r, s, i, primtest.AxisSize)
		}
		var out []core.Value
		if len(in) > 0 {
			out = overAxis(s.Prim)(in)
		} else {
			out, _ = transforms.Vmap(primtest.AxisSize, primtest.AxisName, apply1(s.Prim), nil, nil)
		}
		want := core.AbstractOf(s.Prim, s.In)[0]
		got := numbersOf(out[0])
		require.Equal(t, want.WithShape(want.Shape.Prepend(primtest.AxisSize)), out[0].Aval(), what(s))
		tol := 1e-12
		if dt := want.DType; dt.IsInexact() {
			// Sums of a few numbers in f32 or wider, rounded once to the type.
			tol = map[core.DType]float64{core.Float16: 0x1p-11, core.BFloat16: 0x1p-8, core.Float64: 4 * 0x1p-53, core.Complex128: 4 * 0x1p-53}[dt.Real()]
			tol = max(tol, 4*0x1p-53)
			if dt.Real() == core.Float32 {
				tol = 4 * 0x1p-24
			}
			if dt.IsMinorFloat() {
				continue // sums of two bits have their own rounding: see the kernels
			}
		}
		var x []complex128
		first := core.ShapedArray{}
		if len(in) > 0 {
			x, first = numbersOf(in[0]), s.In[0]
		}
		for i := range primtest.AxisSize {
			indices(want.Shape, func(ix []int) {
				g := at(got, out[0].Aval().Shape, append([]int{i}, ix...)...)
				w := collective(s.Prim, first, x, i, ix)
				if want.DType.IsInteger() && want.DType.Bits() < 8 {
					return // wraps
				}
				require.True(t, testcheck.NearComplex(g, w, tol), "%s: index %d gets %v at %v, by definition %v", what(s), i, g, ix, w)
			})
		}
	}
}

// Reverse mode is the adjoint of forward mode along named axes too.
func TestCollectiveVJPIsTheAdjoint(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(11, 12))
	tried := map[string]int{}
	for _, s := range reductionSamples(true) {
		s, ok := inDouble(s)
		if !ok || s.In[0].DType.IsComplex() {
			continue
		}
		in := []core.Value{drawArray(r, s, 0, primtest.AxisSize)}
		dt := []core.Value{drawArray(r, primtest.Sample{In: s.In}, 0, primtest.AxisSize)}
		adjointAt(t, r, what(s), overAxis(s.Prim), in, dt)

		// The tangent is the limit of differences.
		_, tout := transforms.JVP(overAxis(s.Prim), in, dt)
		const h = 1e-6
		hi, lo := overAxis(s.Prim)([]core.Value{moved1(in[0], dt[0], h)}), overAxis(s.Prim)([]core.Value{moved1(in[0], dt[0], -h)})
		a, b, g := numbersOf(hi[0]), numbersOf(lo[0]), numbersOf(tout[0])
		for e := range a {
			require.True(t, testcheck.NearComplex(g[e], (a[e]-b[e])/(2*h), 1e-8), "%s: element %d has tangent %v, differences give %v", what(s), e, g[e], (a[e]-b[e])/(2*h))
		}
		tried[s.Prim.Name()]++
	}
	require.Len(t, tried, 7, "%v", tried)
}

// A batch of collectives has the bits of a loop, whether the named axis is bound
// inside or outside of the batch.
func TestCollectiveBatchIsALoop(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(13, 14))
	const n = 3
	for _, s := range reductionSamples(true) {
		if len(s.In) == 0 {
			continue
		}
		// [n, axis, …]
		wide := s
		wide.In = []core.ShapedArray{s.In[0].WithShape(s.In[0].Shape.Prepend(primtest.AxisSize))}
		x := drawArray(r, primtest.Sample{In: wide.In}, 0, n)
		inside, _ := transforms.Vmap(n, "", overAxis(s.Prim), []core.Value{x}, []bool{true})
		across := core.Range(0, x.Aval().Rank()).Ints()
		across[0], across[1] = 1, 0
		outside := overAxisOf(t, n, s.Prim, prim.Transpose(x, core.MakeDims(across...)))
		for k := range n {
			want := overAxis(s.Prim)([]core.Value{rowOf(x, k)})[0]
			require.True(t, sameBits(want, rowOf(inside[0], k)), "%s, bound inside: %v, alone %v", what(s), numbersOf(rowOf(inside[0], k)), numbersOf(want))
			require.True(t, sameBits(want, rowOf(outside, k)), "%s, bound outside: %v, alone %v", what(s), numbersOf(rowOf(outside, k)), numbersOf(want))
		}
	}
}

// overAxisOf maps over the named axis first and over a batch of n within, and puts
// the batch in front.
func overAxisOf(t *testing.T, n int, p core.Primitive, x core.Value) core.Value {
	out, m := transforms.Vmap(primtest.AxisSize, primtest.AxisName, func(in []core.Value) []core.Value {
		out, m := transforms.Vmap(n, "", apply1(p), in, []bool{true})
		require.True(t, m[0])
		return out
	}, []core.Value{x}, []bool{true})
	y := out[0]
	if !m[0] {
		s := y.Aval().Shape
		y = prim.BroadcastInDim(y, s.Prepend(primtest.AxisSize), core.Range(1, s.Len()+1))
	}
	across := core.Range(0, y.Aval().Rank()).Ints()
	across[0], across[1] = 1, 0
	return prim.Transpose(y, core.MakeDims(across...))
}

// A value that does not vary along an axis counts once for each index of the axis.
func TestUnmappedCollectives(t *testing.T) {
	withRuntime(t)
	r := rand.New(rand.NewPCG(15, 16))
	x := drawArray(r, primtest.Sample{In: []core.ShapedArray{core.Aval(core.Float64, 2)}}, 0, -1)
	both := func(f func(v core.Value) core.Value) []complex128 {
		out, m := transforms.Vmap(3, "i", func([]core.Value) []core.Value { return []core.Value{f(x)} }, nil, nil)
		require.False(t, m[0])
		return numbersOf(out[0])
	}
	v := numbersOf(x)
	require.Equal(t, []complex128{3 * v[0], 3 * v[1]}, both(func(v core.Value) core.Value { return prim.Psum(v, "i") }))
	require.Equal(t, v, both(func(v core.Value) core.Value { return prim.Pmax(v, "i") }))
	require.Equal(t, v, both(func(v core.Value) core.Value { return prim.Pmin(v, "i") }))
	require.Equal(t, slices.Concat(v, v, v), both(func(v core.Value) core.Value { return prim.AllGather(v, "i", 0, false) }))
}

func TestUnboundAxes(t *testing.T) {
	withRuntime(t)
	x := prim.Full(core.Aval(core.Float32, 2), 1)
	for _, f := range []func(){
		func() { prim.Psum(x, "i") },
		func() { prim.Pmax(x, "i") },
		func() { prim.AxisIndex("i") },
		func() { prim.AllGather(x, "i", 0, false) },
		func() {
			transforms.Vmap(2, "j", func(in []core.Value) []core.Value { return []core.Value{prim.Psum(in[0], "i")} }, []core.Value{x}, []bool{true})
		},
	} {
		err := core.Catch(f)
		require.True(t, errors.Is(err, core.ErrAxis), "%v", err)
		require.ErrorContains(t, err, `no axis is called "i" here`)
	}
}
