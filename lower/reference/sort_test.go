package reference

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/indexed"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/scalar"
)

// tied fills x with few distinct values, so that there are ties.
func tied(r *rand.Rand, x *block.Tensor) {
	v := make([]float64, x.Size()*scalar.Components(x.DType))
	for i := range v {
		v[i] = float64(r.IntN(5)-2) / 50
		if x.DType.IsInexact() {
			v[i] = []float64{0, math.Copysign(0, -1), 1, -1, 2, math.Inf(1), math.Inf(-1), math.NaN(), math.Copysign(math.NaN(), -1), 0.5}[r.IntN(10)]
		}
	}
	setFloats(x, v)
}

// compareAt orders elements i and j of x: NaN last and equal to NaN, −0 equal to +0,
// complex numbers by their parts.
func compareAt(x *block.Tensor, i, j int) int {
	parts := scalar.Components(x.DType)
	f, ok := floatsOf(x)
	if !ok {
		if x.DType == core.Bool {
			return int(x.Data[i]) - int(x.Data[j])
		}
		return cmp.Compare(intAt(x, i), intAt(x, j))
	}
	for p := range parts {
		a, b := f[i*parts+p], f[j*parts+p]
		switch {
		case a != a && b != b:
		case a != a:
			return 1
		case b != b, a < b:
			return -1
		case a > b:
			return 1
		}
	}
	return 0
}

func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 8))
	types := []core.DType{core.Bool, core.Int4, core.Int8, core.Uint16, core.Int32, core.Int64, core.BFloat16, core.Float8E4M3FN, core.Float16, core.Float32, core.Float64, core.Complex64, core.Complex128}
	for range 300 {
		n := []int{0, 1, 2, 5, 31, 32, 33, 70, 33}[r.IntN(9)]
		shape := [][]int{{n}, {2, n}, {n, 2}, {2, n, 3}}[r.IntN(4)]
		dim := slices.Index(shape, n)
		if len(shape) == 3 {
			dim = 1
		} else if len(shape) == 2 && shape[1] == n {
			dim = 1
		}
		keys := 1 + r.IntN(3)
		var in []*block.Tensor
		for range keys {
			x := block.NewTensor(core.Aval(types[r.IntN(len(types))], shape...))
			if r.IntN(2) == 0 {
				draw(r, x, true)
			} else {
				tied(r, x)
			}
			if x.DType == core.Bool {
				for i := range x.Data {
					x.Data[i] &= 1
				}
			}
			in = append(in, x)
		}
		in = append(in, stamped(core.Complex64, core.MakeDims(shape...)))
		out := apply(t, indexed.SortP{Dimension: dim, NumKeys: keys}, in...)
		outer, n, inner := around(in[0].Shape, dim)
		for o := range outer {
			for j := range inner {
				perm := make([]int, n)
				for i := range perm {
					perm[i] = (o*n+i)*inner + j
				}
				slices.SortStableFunc(perm, func(a, b int) int {
					for _, x := range in[:keys] {
						if c := compareAt(x, a, b); c != 0 {
							return c
						}
					}
					return 0
				})
				for i, p := range perm {
					for k, x := range in {
						if string(vector(out[k], (o*n+i)*inner+j, 1).Data) != string(vector(x, p, 1).Data) {
							t.Fatalf("%v along %d by %d keys: array %d, place %d differs", in, dim, keys, k, i)
						}
					}
				}
			}
		}
	}
}

// TestTopK: the greatest first by the total order, −NaN below all and NaN above.
func TestTopK(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	for _, dt := range []core.DType{core.Int8, core.Uint32, core.Float16, core.Float32, core.Float64} {
		for _, n := range []int{1, 7, 40, 300} {
			x := block.NewTensor(core.Aval(dt, 2, n))
			tied(r, x)
			k := r.IntN(n + 1)
			out := apply(t, indexed.TopKP{Axis: 1, K: k}, x)
			for o := range 2 {
				perm := make([]int, n)
				for i := range perm {
					perm[i] = i
				}
				slices.SortStableFunc(perm, func(a, b int) int {
					return totalCompare(x, o*n+b, o*n+a)
				})
				for i, p := range perm[:k] {
					if int(block.View[int32](out[1])[o*k+i]) != p || string(vector(out[0], o*k+i, 1).Data) != string(vector(x, o*n+p, 1).Data) {
						t.Fatalf("%v: place %d has %d, want %d", x, i, block.View[int32](out[1])[o*k+i], p)
					}
				}
			}
		}
	}
}

func totalCompare(x *block.Tensor, i, j int) int {
	f, ok := floatsOf(x)
	if !ok {
		return cmp.Compare(intAt(x, i), intAt(x, j))
	}
	rank := func(v float64) int {
		s := 1
		if math.Signbit(v) {
			s = -1
		}
		switch {
		case v != v:
			return s * 3
		case v == 0:
			return s
		}
		return s * 2
	}
	a, b := f[i], f[j]
	if rank(a) != rank(b) {
		return rank(a) - rank(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func TestArg(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 8))
	for _, dt := range []core.DType{core.Bool, core.Int4, core.Uint8, core.Int64, core.BFloat16, core.Float32, core.Float64, core.Complex64} {
		for _, shape := range [][]int{{1}, {9}, {3, 40}, {40, 3}, {2, 5, 3}} {
			for axis := range shape {
				x := block.NewTensor(core.Aval(dt, shape...))
				tied(r, x)
				if dt == core.Bool {
					for i := range x.Data {
						x.Data[i] &= 1
					}
				}
				for _, greatest := range []bool{true, false} {
					var p core.Primitive = prim.ArgmaxP{Axes: core.MakeDims(axis), Index: core.Int8}
					if !greatest {
						p = prim.ArgminP{Axes: core.MakeDims(axis), Index: core.Int8}
					}
					y := apply(t, p, x)[0]
					outer, n, inner := around(x.Shape, axis)
					for o := range outer {
						for j := range inner {
							best := 0
							for i := 1; i < n; i++ {
								a, b := (o*n+i)*inner+j, (o*n+best)*inner+j
								c := compareAt(x, a, b)
								if isNaN(x, b) {
									continue
								}
								if isNaN(x, a) || greatest && c > 0 || !greatest && c < 0 {
									best = i
								}
							}
							if got := int(block.View[int8](y)[o*inner+j]); got != best {
								t.Fatalf("%v axis %d greatest=%v: got %d, want %d", x, axis, greatest, got, best)
							}
						}
					}
				}
			}
		}
	}
}

func isNaN(x *block.Tensor, i int) bool {
	f, ok := floatsOf(x)
	if !ok {
		return false
	}
	for p := range scalar.Components(x.DType) {
		if v := f[i*scalar.Components(x.DType)+p]; v != v {
			return true
		}
	}
	return false
}
