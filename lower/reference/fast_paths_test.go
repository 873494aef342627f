package reference

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/core/prim/windows"
	"github.com/weft-go/weft/lower/reference/internal/block"
	"github.com/weft-go/weft/lower/reference/internal/product"
	"github.com/weft-go/weft/lower/scalar"
)

// odd returns random numbers, zeros of both signs, subnormals, and with wild infinities
// and NaNs among them.
func odd(r *rand.Rand, wild bool) float64 {
	switch k := r.IntN(40); {
	case k == 0:
		return math.Copysign(0, -1)
	case k == 1:
		return 0
	case k == 2:
		return 0x1p-70 * r.NormFloat64()
	case k == 3 && wild && r.IntN(50) == 0:
		return math.Inf(1 - 2*r.IntN(2))
	case k == 4 && wild && r.IntN(50) == 0:
		return math.NaN()
	}
	return r.NormFloat64()
}

// Complex products by tiles have the bits of the loop in Go.
func TestComplexTilesBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range [][3]int{{4, 4, 4}, {5, 7, 127}, {4, 9, 128}, {6, 17, 129}, {13, 33, 400}, {40, 21, 257}} {
		m, n, k := c[0], c[1], c[2]
		for _, wild := range []bool{false, true} {
			x, w := make([]complex64, m*k), make([]complex64, n*k)
			for _, v := range [][]complex64{x, w} {
				for i := range v {
					v[i] = complex(float32(odd(r, wild)), float32(odd(r, wild)))
				}
			}
			x2, w2 := make([]complex128, m*k), make([]complex128, n*k)
			for i, v := range x {
				x2[i] = complex(float64(real(v))/3, float64(imag(v))/7)
			}
			for i, v := range w {
				w2[i] = complex(float64(real(v))/3, float64(imag(v))/7)
			}
			tileBits(t, product.DotC64, x, w, m, n, k)
			tileBits(t, product.DotC128, x2, w2, m, n, k)
		}
	}
}

func tileBits[A comparable](t *testing.T, dot product.DotKernel[A], x, w []A, m, n, k int) {
	t.Helper()
	fast := product.ComplexTiler[A]()
	if fast == nil {
		t.Skip("the machine has no tiles")
	}
	ld := n + 3
	got, want := make([]A, m*ld), make([]A, m*ld)
	fast(got, ld, x, w, m, n, k, nil)
	product.Multiply(dot, want, ld, x, w, m, n, k, nil)
	size := block.ElementBytes[A]()
	if g, e := bytesOf(got, size), bytesOf(want, size); g != e {
		t.Errorf("[%d,%d]·[%d,%d]: other bits than the loop's", m, k, k, n)
	}
}

func bytesOf[A any](x []A, size int) string {
	y, l := block.Borrow[A](len(x))
	defer l.Back()
	copy(y, x)
	var b []byte
	for _, v := range y {
		switch v := any(v).(type) {
		case complex64:
			b = scalarBits(b, uint64(math.Float32bits(real(v))), uint64(math.Float32bits(imag(v))))
		case complex128:
			b = scalarBits(b, math.Float64bits(real(v)), math.Float64bits(imag(v)))
		case float32:
			b = scalarBits(b, uint64(math.Float32bits(v)))
		case float64:
			b = scalarBits(b, math.Float64bits(v))
		}
	}
	return string(b)
}

func scalarBits(b []byte, words ...uint64) []byte {
	for _, w := range words {
		for i := range 8 {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return b
}

// Each element of a depthwise convolution is the chain of its window's products.
func TestDepthwiseBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, c := range []struct{ batch, features, n, in, size, stride, lo, hi, ldil, rdil int }{
		{2, 4, 1, 9, 3, 1, 1, 1, 1, 1}, {1, 5, 2, 8, 3, 2, 0, 1, 1, 1}, {2, 32, 1, 7, 4, 1, 2, 3, 2, 1}, {1, 9, 3, 11, 3, 1, -1, 4, 1, 2}, {3, 6, 1, 5, 1, 1, 0, 0, 1, 1}, {1, 8, 1, 20, 128, 1, 64, 64, 1, 1},
	} {
		for _, wild := range []bool{false, true} {
			x := block.NewTensor(core.Aval(core.Float32, c.batch, c.features, c.in))
			w := block.NewTensor(core.Aval(core.Float32, c.features*c.n, 1, c.size))
			for _, v := range [][]float32{block.View[float32](x), block.View[float32](w)} {
				for i := range v {
					v[i] = float32(odd(r, wild))
				}
			}
			d := core.MakeDims
			p := windows.ConvP{LhsSpec: d(0, 1, 2), RhsSpec: d(0, 1, 2), OutSpec: d(0, 1, 2), Strides: d(c.stride), Padding: d(c.lo, c.hi),
				LhsDilation: d(c.ldil), RhsDilation: d(c.rdil), FeatureGroups: c.features, BatchGroups: 1}
			got := block.View[float32](apply(t, p, x, w)[0])
			out := len(got) / (c.batch * c.features * c.n)
			want := make([]float32, 0, len(got))
			for b := range c.batch {
				for o := range c.features * c.n {
					for s := range out {
						var sum float32
						for k := range c.size {
							pos := s*c.stride + k*c.rdil - c.lo
							if pos < 0 || pos%c.ldil != 0 || pos/c.ldil >= c.in {
								continue
							}
							sum = scalar.FMA32(block.View[float32](x)[(b*c.features+o/c.n)*c.in+pos/c.ldil], block.View[float32](w)[o*c.size+k], sum)
						}
						var zero float32
						want = append(want, zero+sum)
					}
				}
			}
			block.Canon(want)
			if bytesOf(got, 4) != bytesOf(want, 4) {
				t.Errorf("%+v: got %v, want %v", c, got, want)
			}
		}
	}
}

func BenchmarkFactorizations(b *testing.B) {
	const n = 512
	d := core.MakeDims
	r := rand.New(rand.NewPCG(7, 8))
	a := block.NewTensor(core.Aval(core.Float32, n, n))
	for i := range block.View[float32](a) {
		block.View[float32](a)[i] = float32(r.NormFloat64())
		if i%(n+1) == 0 {
			block.View[float32](a)[i] = 4 * n
		}
	}
	c := block.NewTensor(core.Aval(core.Complex64, n, n))
	for i := range block.View[complex64](c) {
		block.View[complex64](c)[i] = complex(float32(r.NormFloat64()), float32(r.NormFloat64()))
	}
	b.Run("complex-matmul", func(b *testing.B) {
		benchLoop(b, "512", n*n*n, prim.DotGeneralP{LhsContract: d(1), RhsContract: d(0)}, c, c)
	})
	b.Run("triangular-solve", func(b *testing.B) {
		benchLoop(b, "512", n*n*n, matrices.TriangularSolveP{LeftSide: true, Lower: true}, a, a)
	})
	b.Run("cholesky", func(b *testing.B) { benchLoop(b, "512", n*n*n, matrices.CholeskyP{}, a) })
	x, w := block.NewTensor(core.Aval(core.Float32, 8, 32, 64, 64)), block.NewTensor(core.Aval(core.Float32, 32, 1, 3, 3))
	b.Run("depthwise", func(b *testing.B) {
		benchLoop(b, "3x3", x.Size(), windows.ConvP{LhsSpec: d(0, 1, 2, 3), RhsSpec: d(0, 1, 2, 3), OutSpec: d(0, 1, 2, 3), Strides: d(1, 1), Padding: d(1, 1, 1, 1),
			LhsDilation: d(1, 1), RhsDilation: d(1, 1), FeatureGroups: 32, BatchGroups: 1}, x, w)
	})
}
