package linalg_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/arraycheck"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/wefttest"
)

var f64 = arraycheck.Vector64

// general and positive are well-conditioned matrices with eigenvalues that differ.
var (
	general  = f64(2, -1, 0.5, 1, 3, -0.25, 0.75, 0.5, -1.5).Reshape(3, 3)
	positive = general.MatMul(general.T()).Add(weft.Eye(3))
)

func adjoint(x weft.Array) weft.Array { return weft.Conj(x.MT()) }

// near requires that two arrays differ by at most 4e-15: products of factors are sums of terms up to 12, the largest element, and the worst
// product, U·S·Vᴴ, is off by 1.4 ε of 12.
func near(t *testing.T, what string, got, want weft.Array) {
	t.Helper()
	arraycheck.Within(t, what, got, want, 4e-15)
}

func TestFactorsReconstruct(t *testing.T) {
	batch := weft.Stack(0, general, general.T().Mul(2))
	for name, a := range map[string]weft.Array{
		"3×3": general, "batch": batch, "3×2": general.Index(":, :2"), "2×3": general.Index(":2"),
		"complex": general.AsType(weft.Complex128).Add(positive.AsType(weft.Complex128).Mul(1i)),
	} {
		f := linalg.LU(a)
		near(t, name+": P·A = L·U", f.P().MatMul(a), f.L().MatMul(f.U()))
		q, r := linalg.QR(a)
		near(t, name+": A = Q·R", q.MatMul(r), a)
		near(t, name+": QᴴQ = 1", adjoint(q).MatMul(q), weft.Eye(q.Dim(-1)).BroadcastTo(adjoint(q).MatMul(q).Shape()...))
		u, s, vh := linalg.SVD(a)
		near(t, name+": A = U·S·Vᴴ", u.Mul(s.ExpandDims(-2).AsType(u.DType())).MatMul(vh), a)
		if a.Dim(-1) != a.Dim(-2) {
			continue
		}
		w, v := linalg.Eig(a)
		near(t, name+": A·V = V·W", a.AsType(v.DType()).MatMul(v), v.Mul(w.ExpandDims(-2)))
		near(t, name+": EigVals", linalg.EigVals(a), w)
		h := a.Add(adjoint(a)).Mul(0.5)
		wh, vh2 := linalg.Eigh(a)
		near(t, name+": H·V = V·W", h.MatMul(vh2), vh2.Mul(wh.ExpandDims(-2).AsType(vh2.DType())))
		b := weft.ZerosLike(a).Index("..., :2").Add(1)
		near(t, name+": LUSolve", a.MatMul(linalg.LUSolve(linalg.LU(a), b)), b)
	}
	r := linalg.Lstsq(general.Index(":, :2"), f64(1, 2, 3))
	left := general.Index(":, :2").MatMul(r.X).Sub(f64(1, 2, 3))
	near(t, "Lstsq: residual", r.Residuals, weft.Square(left).Sum())
	if r.Rank.Int() != 2 || r.SingularValues.Dim(0) != 2 {
		t.Errorf("Lstsq: rank %v and singular values %v, want rank 2", r.Rank, r.SingularValues)
	}
}

// pair are a matrix and right sides.
type pair struct{ A, B weft.Array }

func TestGradients(t *testing.T) {
	b := f64(1, -2, 0.5)
	low := f64(1, 2, 3).Reshape(3, 1).MatMul(f64(1, -1, 0.5).Reshape(1, 3)).Add(f64(0, 1, 1).Reshape(3, 1).MatMul(f64(2, 0, 1).Reshape(1, 3)))
	tall := general.Index(":, :2")
	for name, c := range map[string]struct {
		f func(weft.Array) weft.Array
		x weft.Array
	}{
		"Inv": {linalg.Inv, general}, "Det": {linalg.Det, general}, "Expm": {linalg.Expm, general}, "Cholesky": {linalg.Cholesky, positive},
		"SlogDet":     {func(a weft.Array) weft.Array { _, l := linalg.SlogDet(a); return l }, general},
		"EigvalsH":    {linalg.EigvalsH, positive},
		"Sqrtm":       {linalg.Sqrtm, positive},
		"Funm":        {func(a weft.Array) weft.Array { return linalg.Funm(a, weft.Log) }, positive},
		"MatrixPower": {func(a weft.Array) weft.Array { return linalg.MatrixPower(a, -3) }, general},
		"PInv":        {func(a weft.Array) weft.Array { return linalg.PInv(a) }, tall},
		"QR":          {func(a weft.Array) weft.Array { q, r := linalg.QR(a); return q.MatMul(weft.Square(r)) }, tall},
		"SVD":         {func(a weft.Array) weft.Array { u, s, vh := linalg.SVD(a); return u.Mul(weft.Square(s)).MatMul(vh) }, general},
		"Polar":       {func(a weft.Array) weft.Array { u, p := linalg.Polar(a); return u.Add(p) }, general},
		"Nuclear":     {func(a weft.Array) weft.Array { return linalg.Norm(a, linalg.Nuclear) }, general},
		"Cond":        {func(a weft.Array) weft.Array { return linalg.Cond(a, linalg.Spectral) }, general},
		"Lstsq":       {func(a weft.Array) weft.Array { return linalg.Lstsq(a, b).X }, tall},
		"BlockDiag":   {func(a weft.Array) weft.Array { return linalg.BlockDiag(a, weft.Square(a)) }, general},
		"Kron":        {func(a weft.Array) weft.Array { return linalg.Kron(a, a) }, tall},
	} {
		t.Run(name, func(t *testing.T) {
			order := 2
			if name == "Expm" {
				order = 1
			}
			wefttest.CheckGrads(t, c.f, c.x, wefttest.GradConfig{Order: order})
		})
	}
	for name, f := range map[string]func(a, b weft.Array) weft.Array{
		"Solve":     linalg.Solve,
		"CholSolve": func(a, b weft.Array) weft.Array { return linalg.CholSolve(linalg.Cholesky(a), b) },
		"LUSolve":   func(a, b weft.Array) weft.Array { return linalg.LUSolve(linalg.LU(a), b) },
		"TriangularSolve": func(a, b weft.Array) weft.Array {
			return linalg.TriangularSolve(weft.Tril(a), b, linalg.Triangle{Lower: true})
		},
		"TridiagonalSolve": func(a, b weft.Array) weft.Array {
			return linalg.TridiagonalSolve(a.Index(1), a.Index(0).Add(5), a.Index(2), b)
		},
	} {
		t.Run(name, func(t *testing.T) {
			wefttest.CheckGrads(t, func(p pair) weft.Array { return f(p.A, p.B) }, pair{positive, b}, wefttest.GradConfig{Order: 2})
		})
	}
	// For singular matrices the derivative of the determinant consists of the cofactors, and agrees with differences.
	for name, a := range map[string]weft.Array{"rank 2": low, "zero column": general.At(weft.All, 0).Set(0), "rank 1": f64(1, 2, 3).Reshape(3, 1).MatMul(f64(1, -1, 0.5).Reshape(1, 3))} {
		t.Run("Det of "+name, func(t *testing.T) { wefttest.CheckGrads(t, linalg.Det, a, wefttest.GradConfig{}) })
	}
	t.Run("Eig forward", func(t *testing.T) {
		sum := func(a weft.Array) weft.Array { return weft.Square(linalg.EigVals(a)).Sum().Real() }
		wefttest.CheckGrads(t, sum, general, wefttest.GradConfig{})
	})
}

// Solutions within Vmap, Jit and Grad of each other agree with those of single systems.
func TestSolveTransformed(t *testing.T) {
	as := weft.Stack(0, general, positive)
	b := f64(1, 2, -1)
	each := weft.Jit(weft.Vmap(func(a weft.Array) weft.Array { return linalg.Solve(a, b) }))(as)
	for i := range 2 {
		arraycheck.Within(t, "Vmap", each.Index(i), linalg.Solve(as.Index(i), b), 0)
	}
	g := weft.Vmap(weft.Grad(func(a weft.Array) weft.Array { return linalg.Solve(a, b).Sum() }))(as)
	for i := range 2 {
		arraycheck.Within(t, "Vmap of Grad", g.Index(i), weft.Grad(func(a weft.Array) weft.Array { return linalg.Solve(a, b).Sum() })(as.Index(i)), 0)
	}
}

// Lstsq of a batch that contains a matrix of low rank has the bits of the single systems, and the least residual.
func TestLstsqOfBatch(t *testing.T) {
	tall := general.Index(":, :2")
	low := f64(1, 2, 3).Reshape(3, 1).MatMul(f64(1, -1).Reshape(1, 2))
	as, b := weft.Stack(0, tall, low, tall.Mul(1e-200)), f64(1, -2, 0.5)
	bs := b.BroadcastTo(3, 3).Reshape(3, 3, 1)
	together := linalg.Lstsq(as, bs)
	for i, rank := range []int{2, 1, 2} {
		alone := linalg.Lstsq(as.Index(i), bs.Index(i))
		arraycheck.Within(t, "x of the batch", together.X.Index(i), alone.X, 0)
		if alone.Rank.Int() != rank {
			t.Errorf("matrix %d: got rank %v, want %d", i, alone.Rank, rank)
		}
		// The residual is orthogonal to the columns, and x to the null space.
		p := linalg.PInv(as.Index(i)).MatMul(bs.Index(i))
		near(t, "x", alone.X.Div(weft.Abs(p).Max()), p.Div(weft.Abs(p).Max()))
	}
}

// EigvalsH has the bits of the eigenvalues of Eigh, for one matrix and for batches.
func TestEigvalsHSameBits(t *testing.T) {
	batch := weft.Stack(0, positive, positive.Mul(2), weft.Eye(3).AsType(weft.Float64)).BroadcastTo(40, 3, 3, 3)
	for name, a := range map[string]weft.Array{"one": positive, "batch": batch, "complex": positive.AsType(weft.Complex128)} {
		w, _ := linalg.Eigh(a)
		arraycheck.Within(t, name, linalg.EigvalsH(a), w, 0)
		arraycheck.Within(t, name+" in Jit", weft.Jit(linalg.EigvalsH)(a), w, 0)
	}
}
