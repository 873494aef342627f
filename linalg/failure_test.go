package linalg_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/linalg"
)

// What a solver does not read may be anything.
func TestUnitDiagonalIsNotRead(t *testing.T) {
	a := f64(math.NaN(), 2, math.Inf(1), 0).Reshape(2, 2)
	x, err := linalg.TryTriangularSolve(a, f64(5, 1), linalg.Triangle{UnitDiagonal: true})
	if err != nil || x.Ne(f64(3, 1)).Any().Bool() {
		t.Errorf("got %v, %v, want [3 1]", x, err)
	}
	if _, err := linalg.TryTriangularSolve(a, f64(5, 1), linalg.Triangle{UnitDiagonal: true, Lower: true}); err == nil {
		t.Error("an infinite number below the diagonal is no error")
	}
}

func TestTryErrors(t *testing.T) {
	singular := f64(1, 2, 2, 4).Reshape(2, 2)
	indefinite := f64(4, 1, 1, 1, 1, 5, 1, 5, 1).Reshape(3, 3)
	nan := general.At(1, 2).Set(math.NaN())
	b := f64(1, 2)
	batch := weft.Stack(0, weft.Eye(2).AsType(weft.Float64), singular)
	for _, c := range []struct {
		f    func() error
		kind error
		want string
	}{
		{func() error { _, err := linalg.TrySolve(singular, b); return err }, linalg.ErrSingular, "TrySolve: the matrix is singular: pivot 1 is 0; use Lstsq or PInv, or add to the diagonal"},
		{func() error { _, err := linalg.TrySolve(batch, b); return err }, linalg.ErrSingular, "pivot 1 of matrix [1] is 0"},
		{func() error { _, err := linalg.TryInv(singular); return err }, linalg.ErrSingular, "TryInv: the matrix is singular: pivot 1 is 0"},
		{func() error { _, err := linalg.TryInv(nan); return err }, linalg.ErrNotFinite, "TryInv: NaN or infinite elements: element [1 2] of the matrix is nan; remove it"},
		{func() error { _, err := linalg.TrySolve(general, f64(1, math.Inf(1), 2)); return err }, linalg.ErrNotFinite, "element [1] of the right side is inf"},
		{func() error { _, err := linalg.TryCholesky(indefinite); return err }, linalg.ErrNotPositiveDefinite, "TryCholesky: the matrix is not positive definite: pivot 2 is not positive; add to the diagonal, or use LU or Eigh"},
		{func() error { _, err := linalg.TryCholesky(weft.Stack(0, positive, indefinite.Neg())); return err }, linalg.ErrNotPositiveDefinite, "pivot 0 of matrix [1] is not positive"},
		{func() error { _, err := linalg.TryCholesky(nan); return err }, linalg.ErrNotFinite, "element [1 2] of the matrix is nan"},
		{func() error {
			_, err := linalg.TryTriangularSolve(f64(1, 2, 0, 0).Reshape(2, 2), b, linalg.Triangle{})
			return err
		}, linalg.ErrSingular, "pivot 1 is 0"},
		{func() error { _, _, err := linalg.TryEigh(nan); return err }, linalg.ErrNotFinite, "TryEigh: "},
		{func() error { _, _, err := linalg.TryEig(nan); return err }, linalg.ErrNotFinite, "TryEig: "},
		{func() error { _, _, _, err := linalg.TrySVD(nan); return err }, linalg.ErrNotFinite, "TrySVD: "},
		{func() error { _, err := linalg.TryLstsq(nan, f64(1, 2, 3)); return err }, linalg.ErrNotFinite, "TryLstsq: "},
	} {
		if err := c.f(); !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
	for name, err := range map[string]error{
		"TrySolve": second(linalg.TrySolve(general, f64(1, 2, 3))), "TryInv": second(linalg.TryInv(general)), "TryCholesky": second(linalg.TryCholesky(positive)),
		"TryTriangularSolve": second(linalg.TryTriangularSolve(positive, f64(1, 2, 3), linalg.Triangle{Lower: true})),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, _, err := linalg.TryEigh(positive); err != nil {
		t.Error(err)
	}
	if _, _, err := linalg.TryEig(general); err != nil {
		t.Error(err)
	}
	if _, _, _, err := linalg.TrySVD(general); err != nil {
		t.Error(err)
	}
	if _, err := linalg.TryLstsq(general, f64(1, 2, 3)); err != nil {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }

// In jitted functions, failures are NaN.
func TestFailuresInJit(t *testing.T) {
	indefinite := f64(1, 2, 2, 1).Reshape(2, 2)
	nan := general.At(0, 0).Set(math.NaN())
	for name, x := range map[string]weft.Array{
		"Cholesky of an indefinite matrix": weft.Jit(linalg.Cholesky)(indefinite).Index(1, 1),
		"Inv of NaN":                       weft.Jit(linalg.Inv)(nan).Sum(),
		"EigvalsH of NaN":                  weft.Jit(linalg.EigvalsH)(nan).Sum(),
		"EigVals of NaN":                   weft.Jit(linalg.EigVals)(nan).Sum().Real(),
		"SingularValues of NaN":            weft.Jit(linalg.SingularValues)(nan).Sum(),
		"Expm of NaN":                      weft.Jit(linalg.Expm)(nan).Sum(),
		"Solve of a singular matrix":       weft.Jit(linalg.Solve)(weft.Zeros(2, 2), weft.Zeros(2)).Sum(),
	} {
		if !math.IsNaN(x.AsType(weft.Float64).Float()) {
			t.Errorf("%s is %v, want NaN", name, x)
		}
	}
	sign, log := linalg.SlogDet(weft.Zeros(2, 2))
	if sign.Float() != 0 || !math.IsInf(log.Float(), -1) {
		t.Errorf("SlogDet of 0: %v, %v, want 0, -inf", sign, log)
	}
}

func TestRefusals(t *testing.T) {
	x := weft.Ones(3, 4)
	for want, f := range map[string]func() weft.Array{
		"Inv: takes square matrices, got f32[3,4]; make the last two axes equal":                                       func() weft.Array { return linalg.Inv(x) },
		"Inv: takes matrices, got f32[3]; give it two axes or more":                                                    func() weft.Array { return linalg.Inv(weft.Ones(3)) },
		"Solve: the matrix has 3 rows and the right side 4 (f32[3,3] and f32[4]); pass as many rows as the matrix has": func() weft.Array { return linalg.Solve(weft.Eye(3), weft.Ones(4)) },
		"Solve: the matrix has 3 rows and the right side 4 (f32[3,3] and f32[4,3]); transpose one of them":             func() weft.Array { return linalg.Solve(weft.Eye(3), weft.Ones(4, 3)) },
		"Solve: the right side is a number, f32[]; pass a vector or a matrix":                                          func() weft.Array { return linalg.Solve(weft.Eye(3), weft.Scalar(float32(1))) },
		"BlockDiag: there are no blocks; pass one matrix or more":                                                      func() weft.Array { return linalg.BlockDiag() },
		"Norm: there is no norm 99; pass one of the constants, as linalg.Spectral":                                     func() weft.Array { return linalg.Norm(x, 99) },
		"TridiagonalSolve: the diagonals must have one length, and the right side as many rows (got f32[2], f32[3], f32[3] and f32[3]); pad the outer diagonals by one element": func() weft.Array {
			return linalg.TridiagonalSolve(weft.Ones(2), weft.Ones(3), weft.Ones(3), weft.Ones(3))
		},
	} {
		_, err := weft.Try(f)
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
