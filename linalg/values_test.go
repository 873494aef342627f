package linalg_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/goldenfile"
	"github.com/weft-go/weft/lax"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/wefttest"
)

type values struct {
	Shape  []int
	Re, Im []float64
}

func (v values) array() weft.Array {
	x := weft.FromSlice(v.Re, len(v.Re)).Reshape(v.Shape...)
	if v.Im == nil {
		return x
	}
	return lax.Complex(x, weft.FromSlice(v.Im, len(v.Im)).Reshape(v.Shape...))
}

// functions are the functions of testdata/values.jsonl.
var functions = map[string]func(x []weft.Array) weft.Array{
	"Solve":          func(x []weft.Array) weft.Array { return linalg.Solve(x[0], x[1]) },
	"Inv":            func(x []weft.Array) weft.Array { return linalg.Inv(x[0]) },
	"Det":            func(x []weft.Array) weft.Array { return linalg.Det(x[0]) },
	"SlogDet.sign":   func(x []weft.Array) weft.Array { s, _ := linalg.SlogDet(x[0]); return s },
	"SlogDet.log":    func(x []weft.Array) weft.Array { _, l := linalg.SlogDet(x[0]); return l },
	"Expm":           func(x []weft.Array) weft.Array { return linalg.Expm(x[0]) },
	"MatrixPower3":   func(x []weft.Array) weft.Array { return linalg.MatrixPower(x[0], 3) },
	"MatrixPower-2":  func(x []weft.Array) weft.Array { return linalg.MatrixPower(x[0], -2) },
	"MatrixPower0":   func(x []weft.Array) weft.Array { return linalg.MatrixPower(x[0], 0) },
	"Cholesky":       func(x []weft.Array) weft.Array { return linalg.Cholesky(x[0]) },
	"CholSolve":      func(x []weft.Array) weft.Array { return linalg.CholSolve(linalg.Cholesky(x[0]), x[1]) },
	"EigvalsH":       func(x []weft.Array) weft.Array { return linalg.EigvalsH(x[0]) },
	"Sqrtm":          func(x []weft.Array) weft.Array { return linalg.Sqrtm(x[0]) },
	"Funm.exp":       func(x []weft.Array) weft.Array { return linalg.Funm(x[0], weft.Exp) },
	"SingularValues": func(x []weft.Array) weft.Array { return linalg.SingularValues(x[0]) },
	"PInv":           func(x []weft.Array) weft.Array { return linalg.PInv(x[0], 0) },
	"Lstsq":          func(x []weft.Array) weft.Array { return linalg.Lstsq(x[0], x[1], 0).X },
	"MatrixRank":     func(x []weft.Array) weft.Array { return linalg.MatrixRank(x[0], 0).AsType(weft.Float64) },
	"Polar.u":        func(x []weft.Array) weft.Array { u, _ := linalg.Polar(x[0]); return u },
	"Polar.p":        func(x []weft.Array) weft.Array { _, p := linalg.Polar(x[0]); return p },
	"TridiagonalSolve": func(x []weft.Array) weft.Array {
		return linalg.TridiagonalSolve(x[0], x[1], x[2], x[3])
	},
	"TriangularSolve.lower": func(x []weft.Array) weft.Array {
		return linalg.TriangularSolve(x[0], x[1], linalg.Triangle{Lower: true})
	},
	"TriangularSolve.transposed": func(x []weft.Array) weft.Array {
		return linalg.TriangularSolve(x[0], x[1], linalg.Triangle{Lower: true, Transpose: true})
	},
	"Kron":      func(x []weft.Array) weft.Array { return linalg.Kron(x[0], x[1]) },
	"BlockDiag": func(x []weft.Array) weft.Array { return linalg.BlockDiag(x...) },
}

func TestValues(t *testing.T) {
	seen := 0
	for r := range goldenfile.Records[struct {
		Name string
		X    []values
		Y    values
	}](t, goldenfile.OpenFile(t, "testdata/values.jsonl")) {
		seen++
		f := functions[r.Name]
		for prefix, g := range map[string]func(weft.Array, linalg.Order) weft.Array{"Norm": linalg.Norm, "Cond": linalg.Cond} {
			if order, ok := strings.CutPrefix(r.Name, prefix); ok {
				k, err := strconv.Atoi(order)
				if err != nil {
					t.Fatal(err)
				}
				f = func(x []weft.Array) weft.Array { return g(x[0], linalg.Order(k)) }
			}
		}
		if f == nil {
			t.Fatalf("no function %s", r.Name)
		}
		var in, narrow []weft.Array
		for _, v := range r.X {
			x := v.array()
			in = append(in, x)
			dt := weft.Float32
			if x.DType() == weft.Complex128 {
				dt = weft.Complex64
			}
			narrow = append(narrow, x.AsType(dt))
		}
		want := r.Y.array()
		size := weft.Abs(want).Max().Float()
		y := f(in)
		if d := wefttest.Difference(y, want, wefttest.Tolerance{Abs: 3e-13 * size}); d != "" {
			t.Errorf("%s of %v: %s", r.Name, in[0].Shape(), d)
		}
		if d := wefttest.Difference(weft.Jit(f)(in), y, wefttest.Tolerance{Exact: true}); d != "" {
			t.Errorf("%s of %v in Jit: %s", r.Name, in[0].Shape(), d)
		}
		if strings.HasPrefix(r.Name, "Expm") && size > 1e9 || size > 1e30 {
			continue // f32 has lost the digits of the argument
		}
		if d := wefttest.Difference(f(narrow).AsType(want.DType()), want, wefttest.Tolerance{Abs: 1e-5 * size}); d != "" {
			t.Errorf("%s of %v in f32: %s", r.Name, in[0].Shape(), d)
		}
	}
	if seen < 200 {
		t.Errorf("testdata has %d values, want 200 or more", seen)
	}
}
