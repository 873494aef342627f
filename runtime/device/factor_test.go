package device_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/elem"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/internal/test/drivertest"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/internal/test/race"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// matricesOf returns random matrices. Squares have a heavy diagonal, so that their triangles are factors and they have
// roots; of those that are spoiled some elements are NaN, ∞ or 0.
func matricesOf(r *rand.Rand, dt core.DType, spoil bool, shape ...int) *runtime.Array {
	x := drivertest.Draw(r, core.Aval(dt, shape...), primtest.Domain{Lo: -1, Hi: 1}).Tensor()
	rows, cols := shape[len(shape)-2], shape[len(shape)-1]
	for at := 0; rows == cols && at < x.Size(); at += rows * cols {
		for i := range rows {
			elem.Put(x.Data[(at+i*cols+i)*dt.Size():], core.FloatNumber(float64(rows)+r.Float64()), dt)
		}
	}
	a := runtime.FromTensor(x)
	if spoil {
		drivertest.Spoil(r, a)
	}
	return a
}

// compareFactors compares an operation with the reference, which must not run any of it on the host.
func compareFactors(t *testing.T, e runtime.Executor, p core.Primitive, in ...*runtime.Array) {
	t.Helper()
	b := jaxpr.NewBuilder()
	var atoms, outs []jaxpr.Atom
	label := p.Name()
	for _, x := range in {
		a := x.Tensor().ShapedArray
		atoms = append(atoms, b.Input(a))
		label += " " + a.String()
	}
	var names []string
	for i, v := range b.Eqn(p, atoms...) {
		outs = append(outs, v)
		names = append(names, fmt.Sprintf("%s %+v, result %d", label, p, i))
	}
	if a := drivertest.Compare(t, e, b.Build(outs...), in, names); len(a.Fallbacks) > 0 {
		t.Errorf("%s: the reference runs %v", label, a.Fallbacks)
	}
}

// factored are types that devices factor.
var factored = []core.DType{core.Float32, core.Complex64, core.Float64, core.Complex128, core.Float16, core.BFloat16}

// factorSizes are numbers of rows, with batches, beside those of vectors, warps, groups and blocks.
var factorSizes = [][]int{{0}, {1}, {2}, {3}, {5}, {2, 16}, {31}, {33}, {3, 64}, {65}, {2, 100}, {200}}

// leftOut reports whether a test leaves out type k for sample i, of n rows or columns: two of three, where samples are large.
func leftOut(i, k, n int) bool { return n > 33 && (i+k)%3 > 0 }

// Roots of matrices have the reference's bits, of those without a root too.
func TestCholeskyOnDevices(t *testing.T) {
	race.Values(t)
	e, r := deviceOf(t), rand.New(rand.NewPCG(1, 7))
	for i, s := range factorSizes {
		for k, dt := range factored {
			if leftOut(i, k, s[len(s)-1]) {
				continue
			}
			shape := append(slices.Clip(s), s[len(s)-1])
			compareFactors(t, e, matrices.CholeskyP{}, matricesOf(r, dt, false, shape...))
			compareFactors(t, e, matrices.CholeskyP{}, matricesOf(r, dt, true, shape...))
		}
	}
}

// Solutions have the reference's bits, on both sides and of all triangles.
func TestTriangularSolveOnDevices(t *testing.T) {
	race.Values(t)
	e, r := deviceOf(t), rand.New(rand.NewPCG(1, 8))
	for i, s := range factorSizes {
		n := s[len(s)-1]
		for kind := i % 4; kind < 16; kind += 4 {
			p := matrices.TriangularSolveP{LeftSide: kind&1 > 0, Lower: kind&4 > 0, TransposeA: kind&8 > 0, ConjugateA: i&4 > 0, UnitDiagonal: (kind&2 > 0) != (i&4 > 0)}
			dt := factored[r.IntN(len(factored))]
			sides := []int{1, 3, 32, 40, 70}[r.IntN(5)]
			b := append(slices.Clone(s[:len(s)-1]), sides, n)
			if p.LeftSide {
				b[len(b)-2], b[len(b)-1] = n, sides
			}
			x := drivertest.Draw(r, core.Aval(dt, b...), primtest.Domain{})
			for _, spoil := range []bool{false, true} {
				if spoil {
					drivertest.Spoil(r, x)
				}
				compareFactors(t, e, p, matricesOf(r, dt, spoil, append(slices.Clip(s), n)...), x)
			}
		}
	}
}

// LU factors have the reference's bits, and so have pivots, of matrices with equal elements and with columns of zeros too.
func TestLUOnDevices(t *testing.T) {
	race.Values(t)
	e, r := deviceOf(t), rand.New(rand.NewPCG(1, 9))
	for i, s := range [][]int{{1, 1}, {2, 2}, {3, 3, 4}, {2, 5, 4}, {16, 16}, {33, 17}, {64, 64}, {65, 65}, {2, 40, 100}, {100, 40}, {90, 110}, {2900, 6}, {300, 20}, {1, 70}, {70, 1}, {0, 3}, {3, 0}, {63, 61}} {
		for k, dt := range factored {
			if leftOut(i, k, max(s[len(s)-1], s[len(s)-2])) {
				continue
			}
			a := core.Aval(dt, s...)
			compareFactors(t, e, matrices.LUP{}, drivertest.Draw(r, a, primtest.Domain{}))
			few := drivertest.Draw(r, a, primtest.Domain{Values: []float64{0, 0, 1, -1, 2}})
			zeroColumns(few.Tensor(), r.IntN(3), r.IntN(40))
			compareFactors(t, e, matrices.LUP{}, few)
			drivertest.Spoil(r, few)
			compareFactors(t, e, matrices.LUP{}, few)
			if few.Tensor().Size() > 0 {
				signedZeros(few.Tensor())
				compareFactors(t, e, matrices.LUP{}, few)
			}
		}
	}
}

// QR factors have the reference's bits, and so have products of their reflectors: of columns that are zero, of numbers
// that are large, small and not finite, and of more columns than are reflected at once.
func TestQROnDevices(t *testing.T) {
	race.Values(t)
	e, r := deviceOf(t), rand.New(rand.NewPCG(1, 11))
	for i, s := range [][]int{{1, 1}, {2, 5, 3}, {1, 4}, {3, 1}, {2, 33, 17}, {34, 34}, {2, 3, 0}, {130, 33}, {20, 40}, {65, 40}} {
		m, n := s[len(s)-2], s[len(s)-1]
		k, batch := min(m, n), slices.Clip(s[:len(s)-2])
		c := append(batch, 1+r.IntN(40), m)
		p := matrices.OrmqrP{Left: i&1 > 0, Transposed: i&2 > 0}
		if p.Left {
			slices.Reverse(c[len(batch):])
		}
		for which, dt := range factored {
			if (i+which)%3 > 0 {
				continue
			}
			for kind := range 5 { // with the same programs
				draw := func(shape ...int) *runtime.Array {
					return drivertest.Draw(r, core.Aval(dt, shape...), primtest.Domain{})
				}
				a, taus := draw(s...), draw(append(batch, max(0, k-i%3))...)
				switch kind {
				case 1:
					zeroColumns(a.Tensor(), r.IntN(3), r.IntN(40), n-1)
				case 2:
					scaleColumns(r, a.Tensor())
				case 3:
					drivertest.Spoil(r, a)
				case 4:
					infiniteElement(r, a.Tensor())
					infiniteElement(r, taus.Tensor())
				}
				compareFactors(t, e, matrices.GeqrfP{}, a)
				compareFactors(t, e, matrices.QRP{Full: i%2 > 0}, a)
				if m >= n {
					compareFactors(t, e, matrices.HouseholderProductP{}, a, taus)
				}
				compareFactors(t, e, p, a, taus, draw(c...))
			}
		}
	}
	for _, dt := range factored[:4] { // what an infinite τ makes of the other numbers of T
		draw := func(shape ...int) *runtime.Array {
			return drivertest.Draw(r, core.Aval(dt, shape...), primtest.Domain{})
		}
		taus := draw(2)
		elem.Put(taus.Tensor().Data, core.FloatNumber(math.Inf(1)), dt)
		compareFactors(t, e, matrices.HouseholderProductP{}, draw(3, 2), taus)
		compareFactors(t, e, matrices.OrmqrP{Left: true, Transposed: true}, draw(3, 2), taus, draw(3, 8))
	}
	compareFactors(t, e, matrices.GeqrfP{}, drivertest.Draw(r, core.Aval(core.Float64, 3000, 2), primtest.Domain{})) // more than shared memory has room for
}

// infiniteElement makes one number ∞.
func infiniteElement(r *rand.Rand, x *reference.Tensor) {
	if n := x.Size(); n > 0 {
		elem.Put(x.Data[r.IntN(n)*x.DType.Size():], core.FloatNumber(math.Inf(1)), x.DType)
	}
}

// scaleColumns makes numbers of columns as large and as small as their type has room for.
func scaleColumns(r *rand.Rand, x *reference.Tensor) {
	size := x.DType.Size()
	extremes := []float64{0x1p-1074, 0x1.8p-1030, 0x1p-1000, 0x1p-149, 0x1p-130, 0x1p-24, 0x1p15, 0x1p127, 0x1.8p1000, 0x1.cp1023}
	for i := range x.Size() {
		v := extremes[(i%x.Shape.At(-1)+r.IntN(2))%len(extremes)]
		elem.Put(x.Data[i*size:], core.FloatNumber(v*(r.Float64()-0.5)), x.DType)
	}
}

// signedZeros makes a matrix whose first column alone is eliminated: from zeros of which it leaves some parts negative.
func signedZeros(x *reference.Tensor) {
	minus := math.Copysign(0, -1)
	n := x.Shape.At(-1)
	for i := range x.Size() {
		v := complex(minus, minus)
		switch {
		case i == 0:
			v = 1
		case i < n:
			v = complex(0, minus)
		case i%n == 0:
			v = 0.5 + 0.25i
		}
		number := core.ComplexNumber(v)
		if !x.DType.IsComplex() {
			number = core.FloatNumber(real(v))
		}
		elem.Put(x.Data[i*x.DType.Size():], number, x.DType)
	}
}

// zeroColumns replaces columns of matrices by zeros, every other one of which is −0.
func zeroColumns(x *reference.Tensor, columns ...int) {
	n, size := x.Shape.At(-1), x.DType.Size()
	for i := range x.Size() {
		if slices.Contains(columns, i%n) {
			clear(x.Data[i*size : (i+1)*size])
			x.Data[(i+1)*size-1] = byte(i & 1 << 7)
		}
	}
}

// Exchanges of rows are applied in order, those of rows that do not exist too.
func TestPermutationsOnDevices(t *testing.T) {
	race.Values(t)
	e, r := deviceOf(t), rand.New(rand.NewPCG(1, 10))
	for _, s := range [][]int{{1}, {5}, {3, 40}, {0}, {2, 0}} {
		x := drivertest.Draw(r, core.Aval(core.Int32, s...), primtest.Domain{Lo: -60, Hi: 60})
		compareFactors(t, e, matrices.LUPivotsToPermutationP{Size: 40}, x)
	}
	if largeSizes() { // more than shared memory has room for
		compareFactors(t, e, matrices.LUPivotsToPermutationP{Size: 20000}, drivertest.Draw(r, core.Aval(core.Int32, 2, 300), primtest.Domain{Lo: -20000, Hi: 20000}))
	}
}
