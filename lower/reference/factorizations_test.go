package reference

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim/matrices"
	"github.com/weft-go/weft/lower/reference/internal/block"
)

// kinds are the matrices that factorizations are tried on.
var kinds = []string{"random", "deficient", "graded", "clustered", "ill-conditioned", "zero", "tiny", "huge", "triangular"}

// testMatrix returns a matrix of a kind, Hermitian if asked.
func testMatrix(r *rand.Rand, kind string, dt core.DType, m, n int, hermitian bool) dense {
	a := dense{m, n, make([]complex128, m*n)}
	random := func() complex128 {
		if dt.IsComplex() {
			return complex(r.NormFloat64(), r.NormFloat64())
		}
		return complex(r.NormFloat64(), 0)
	}
	for i := range a.e {
		a.e[i] = random()
	}
	scale := 1.0
	single := dt == core.Float32 || dt == core.Complex64
	switch kind {
	case "deficient":
		k := max(1, min(m, n)/2)
		b, c := dense{m, k, make([]complex128, m*k)}, dense{k, n, make([]complex128, k*n)}
		for i := range b.e {
			b.e[i] = random()
		}
		for i := range c.e {
			c.e[i] = random()
		}
		a = b.times(c)
	case "graded":
		for i := range a.e {
			a.e[i] *= complex(math.Pow(10, -8*float64(i/n+i%n)/float64(m+n)), 0)
		}
	case "clustered":
		for i := range a.e {
			a.e[i] *= 1e-6
		}
		for i := range min(m, n) {
			a.e[i*n+i] += complex(float64(1+i%2), 0)
		}
	case "ill-conditioned": // singular values from 1 down to a tenth of ε, multiplied by random matrices
		k := min(m, n)
		b, c := dense{m, k, make([]complex128, m*k)}, dense{k, n, make([]complex128, k*n)}
		for i := range b.e {
			b.e[i] = random() * complex(math.Pow(dt.Epsilon()/10, float64(i%k)/float64(max(1, k-1))), 0)
		}
		for i := range c.e {
			c.e[i] = random()
		}
		a = b.times(c)
	case "zero":
		clear(a.e)
	case "tiny":
		scale = 1e-290
		if single {
			scale = 1e-30
		}
	case "huge":
		scale = 1e300
		if single {
			scale = 1e30
		}
	case "triangular":
		for i := range a.e {
			if i/n > i%n {
				a.e[i] = 0
			}
		}
	}
	if hermitian {
		b := a.adjoint()
		for i := range a.e {
			a.e[i] = (a.e[i] + b.e[i]) / 2
		}
	}
	for i := range a.e {
		a.e[i] *= complex(scale, 0)
	}
	return denseOf(tensorFrom(a, dt))
}

// ratios checks LAPACK's test ratios: residuals and departures from orthogonality over n·ε.
type ratios struct {
	t    *testing.T
	what string
	eps  float64
	most map[string]float64
}

func (r *ratios) residual(name string, got, want dense, size float64) {
	r.t.Helper()
	n := float64(max(want.m, want.n))
	if size == 0 {
		size = math.SmallestNonzeroFloat64
	}
	d := got.minus(want)
	for i := range d.e { // no underflow of ε·‖A‖
		d.e[i] /= complex(size, 0)
	}
	v := d.norm() / (n * r.eps)
	if !(v <= 30) {
		r.t.Errorf("%s: %s: ratio %.3g, want at most 30", r.what, name, v)
	}
	r.most[name] = max(r.most[name], v)
}

func (r *ratios) orthonormal(name string, q dense) {
	r.t.Helper()
	r.residual(name, q.adjoint().times(q), eye(q.n), 1)
}

// checkFactorizations compares the factors of one matrix with their definition.
func (r *ratios) checkFactorizations(a dense, dt core.DType, hermitian bool) {
	t := r.t
	x := tensorFrom(a, dt)
	size := a.norm()
	if hermitian {
		for _, lower := range []bool{true, false} {
			out := apply(t, matrices.EighP{Lower: lower, Sorted: true}, x)
			v, w := denseOf(out[0]), denseOf(out[1])
			r.residual("eigh", a.times(v), v.times(diagonalMatrix(w.e)), size)
			r.orthonormal("eigh vectors", v)
			for i := 1; i < len(w.e); i++ {
				if real(w.e[i]) < real(w.e[i-1]) {
					t.Errorf("%s: eigenvalues are not sorted", r.what)
				}
			}
			r.checkTridiagonal(a, x, lower, size)
		}
		return
	}
	k := min(a.m, a.n)
	out := apply(t, matrices.LUP{}, x)
	r.checkLU(a, denseOf(out[0]), block.View[int32](out[2]), size)
	var thin []*Tensor
	for _, full := range []bool{false, true} {
		out = apply(t, matrices.QRP{Full: full}, x)
		q, rr := denseOf(out[0]), denseOf(out[1])
		r.residual("qr", q.times(rr), a, size)
		r.orthonormal("qr vectors", q)
		out = apply(t, matrices.SVDP{Full: full, Vectors: true}, x)
		s, u, vh := denseOf(out[0]), denseOf(out[1]), denseOf(out[2])
		mid := dense{u.n, vh.m, make([]complex128, u.n*vh.m)}
		for i := range k {
			mid.e[i*vh.m+i] = s.e[i]
			if i > 0 && real(s.e[i]) > real(s.e[i-1]) || real(s.e[i]) < 0 {
				t.Errorf("%s: singular values do not decrease", r.what)
			}
		}
		r.residual("svd", u.times(mid).times(vh), a, size)
		r.orthonormal("left vectors", u)
		r.orthonormal("right vectors", vh.adjoint())
		if !full {
			thin = out
			continue
		}
		u, vh = dense{a.m, k, nil}, dense{k, a.n, vh.e[:k*a.n]}
		for i := range a.m {
			u.e = append(u.e, denseOf(out[1]).e[i*a.m:i*a.m+k]...)
		}
		if !slices.Equal(u.e, denseOf(thin[1]).e) || !slices.Equal(vh.e, denseOf(thin[2]).e) {
			t.Errorf("%s: the vectors of the values are others than the first of all", r.what)
		}
	}
	if a.m != a.n {
		return
	}
	out = apply(t, matrices.SchurP{Vectors: true}, x)
	tt, q := denseOf(out[0]), denseOf(out[1])
	r.residual("schur", q.times(tt).times(q.adjoint()), a, size)
	r.orthonormal("schur vectors", q)
	for i := range a.n {
		for j := range i {
			block := j == i-1 && !dt.IsComplex() && (j == 0 || tt.at(j, j-1) == 0)
			if tt.at(i, j) != 0 && !block {
				t.Errorf("%s: element %d, %d of the Schur form is %v, want 0", r.what, i, j, tt.at(i, j))
			}
		}
	}
	out = apply(t, matrices.EigP{Left: true, Right: true}, x)
	w, vl, vr := diagonalMatrix(denseOf(out[0]).e), denseOf(out[1]), denseOf(out[2])
	r.residual("eig", a.times(vr), vr.times(w), size)
	r.residual("eig left", vl.adjoint().times(a), w.times(vl.adjoint()), size)
	for j := range a.n {
		s := 0.0
		for i := range a.n {
			s += real(vr.at(i, j) * cmplx.Conj(vr.at(i, j)))
		}
		if math.Abs(s-1) > 100*r.eps {
			t.Errorf("%s: eigenvector %d has norm %v", r.what, j, math.Sqrt(s))
		}
	}
	out = apply(t, matrices.HessenbergP{}, x)
	h, taus := denseOf(out[0]), denseOf(out[1])
	qh := r.product(h, taus, 1)
	for i := range a.n {
		for j := range i - 1 {
			h.e[i*a.n+j] = 0
		}
	}
	r.residual("hessenberg", qh.times(h).times(qh.adjoint()), a, size)
}

// product multiplies reflectors that are packed below the diagonal, or further below by shift.
func (r *ratios) product(packed, taus dense, shift int) dense {
	n := packed.m
	q := eye(n)
	for k := range taus.n {
		v := dense{n, 1, make([]complex128, n)}
		if k+shift < n {
			v.e[k+shift] = 1
		}
		for i := k + shift + 1; i < n; i++ {
			v.e[i] = packed.at(i, k)
		}
		qv := q.times(v)
		for i := range n {
			for j := range n {
				q.e[i*n+j] -= taus.e[k] * qv.e[i] * cmplx.Conj(v.e[j])
			}
		}
	}
	return q
}

func (r *ratios) checkLU(a, lu dense, perm []int32, size float64) {
	k := min(a.m, a.n)
	l, u := dense{a.m, k, make([]complex128, a.m*k)}, dense{k, a.n, make([]complex128, k*a.n)}
	pa := dense{a.m, a.n, nil}
	for i := range a.m {
		for j := range a.n {
			switch {
			case i == j:
				l.e[i*k+j] = 1
				u.e[i*a.n+j] = lu.at(i, j)
			case i > j:
				l.e[i*k+j] = lu.at(i, j)
			default:
				u.e[i*a.n+j] = lu.at(i, j)
			}
		}
		pa.e = append(pa.e, a.e[int(perm[i])*a.n:(int(perm[i])+1)*a.n]...)
	}
	r.residual("lu", l.times(u), pa, size)
}

func (r *ratios) checkTridiagonal(a dense, x *block.Tensor, lower bool, size float64) {
	out := apply(r.t, matrices.TridiagonalP{Lower: lower}, x)
	d, e, taus := denseOf(out[1]).e, denseOf(out[2]).e, denseOf(out[3])
	packed := denseOf(out[0])
	n := a.n
	tri := diagonalMatrix(d)
	for i, v := range e {
		tri.e[i*n+i+1], tri.e[(i+1)*n+i] = v, v
	}
	if !lower { // rows and columns from the last one on are those of the lower form
		rev := func(v []complex128) {
			for i, j := 0, len(v)-1; i < j; i, j = i+1, j-1 {
				v[i], v[j] = v[j], v[i]
			}
		}
		a = dense{n, n, append([]complex128(nil), a.e...)}
		rev(a.e)
		rev(packed.e)
		rev(tri.e)
		rev(taus.e)
	}
	q := r.product(packed, taus, 1)
	r.residual("tridiagonal", q.times(tri).times(q.adjoint()), a, size)
}

// sizesOf are the sizes of a tier.
func checkAllFactorizations(t *testing.T, sizes []int) {
	r := rand.New(rand.NewPCG(19, 7))
	most := map[string]float64{}
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Complex64, core.Complex128} {
		for _, kind := range kinds {
			for _, n := range sizes {
				shapes := [][2]int{{n, n}, {n, max(1, n/3)}, {max(1, 2*n/3), n}}
				for _, s := range shapes {
					c := &ratios{t, fmt.Sprintf("%s %v %d × %d", kind, dt, s[0], s[1]), dt.Epsilon(), most}
					c.checkFactorizations(testMatrix(r, kind, dt, s[0], s[1], false), dt, false)
				}
				c := &ratios{t, fmt.Sprintf("%s %v Hermitian %d", kind, dt, n), dt.Epsilon(), most}
				c.checkFactorizations(testMatrix(r, kind, dt, n, n, true), dt, true)
			}
		}
	}
	t.Logf("largest ratios: %.3v", most)
}

func TestFactorizationsReconstruct(t *testing.T) {
	checkAllFactorizations(t, []int{1, 2, 3, 5, 12, 34})
}

// What is not finite returns NaN, and ends.
func TestFactorizationsOfNotFinite(t *testing.T) {
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		a := testMatrix(rand.New(rand.NewPCG(1, 2)), "random", core.Float64, 6, 6, true)
		a.e[7] = complex(bad, 0)
		x := tensorFrom(a, core.Float64)
		for _, p := range []core.Primitive{matrices.EighP{Lower: true, Sorted: true}, matrices.SVDP{Vectors: true}, matrices.EigP{Right: true}, matrices.SchurP{Vectors: true}} {
			for _, y := range apply(t, p, x) {
				for _, v := range denseOf(y).e {
					if !cmplx.IsNaN(v) {
						t.Fatalf("%s of a matrix with %v: got %v, want NaN", p.Name(), bad, v)
					}
				}
			}
		}
		for _, p := range []core.Primitive{matrices.LUP{}, matrices.QRP{}, matrices.QRP{Pivoting: true}, matrices.HessenbergP{}, matrices.TridiagonalP{Lower: true}} {
			apply(t, p, x)
		}
	}
}

func TestTridiagonalSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, dt := range []core.DType{core.Float32, core.Float64, core.Complex64, core.Complex128} {
		for _, n := range []int{1, 2, 3, 10, 100} {
			d := [3]dense{}
			for i := range d {
				d[i] = testMatrix(r, "random", dt, 1, n, false)
			}
			b := testMatrix(r, "random", dt, n, 2, false)
			a := diagonalMatrix(d[1].e)
			for i := 1; i < n; i++ {
				a.e[i*n+i-1], a.e[(i-1)*n+i] = d[0].e[i], d[2].e[i-1]
			}
			line := func(x dense) *block.Tensor {
				y := block.NewTensor(core.Aval(dt, n))
				block.Store(y, x.e)
				return y
			}
			x := denseOf(apply(t, matrices.TridiagonalSolveP{}, line(d[0]), line(d[1]), line(d[2]), tensorFrom(b, dt))[0])
			c := &ratios{t, fmt.Sprintf("tridiagonal %v %d", dt, n), dt.Epsilon(), map[string]float64{}}
			c.residual("solve", a.times(x), b, a.norm()*max(x.norm(), b.norm()/a.norm()))
		}
	}
}
