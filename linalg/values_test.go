package linalg_test

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/internal/test/goldenfile"
	"github.com/weft-go/weft/internal/test/testcheck"
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
	"PInv":           func(x []weft.Array) weft.Array { return linalg.PInv(x[0]) },
	"Lstsq":          func(x []weft.Array) weft.Array { return linalg.Lstsq(x[0], x[1]).X },
	"MatrixRank":     func(x []weft.Array) weft.Array { return linalg.MatrixRank(x[0]).AsType(weft.Float64) },
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

// bounds are the greatest errors in ε of the largest element, where they are not 8: the algorithms are stable by norm, so
// rounding moves results by κ·ε of their norm, and an element near zero has no digits of its own. The worst measured are
// about half of these: PInv 14.0, Lstsq 7.9, others 5.3. Of expm κ is at least the norm of its argument, of which 2 ε are counted
// (0.9 measured). 0 is for results that are copies or integers.
var bounds = map[string]float64{"PInv": 32, "Lstsq": 16, "Expm": 2, "BlockDiag": 0, "MatrixPower0": 0, "MatrixRank": 0}

// distance returns how far the elements of a function's result may be off in a type.
func distance(name string, in, want weft.Array, dt weft.DType) func(element float64) float64 {
	bound, ok := bounds[name]
	if !ok {
		bound = 8
	}
	if name == "Expm" {
		bound *= 1 + linalg.Norm(in, linalg.MaxColumnSum).Max().Float()
	}
	eps, largest := testcheck.ULP(1, dt), weft.Abs(want).Max().Float()
	return func(element float64) float64 {
		switch {
		case name == "Kron" && dt == weft.Float64:
			return eps * element // a product: ½ ε of reals, √2·½ ε of complex numbers
		case name == "Kron":
			return 2 * eps * element // whose operands are rounded to f32 before
		case name == "BlockDiag" && dt == weft.Float32:
			return eps / 2 * element // rounded to f32
		}
		return bound * eps * largest
	}
}

// compare compares results with those of f64 element by element.
func compare(t *testing.T, what string, got, want weft.Array, most func(element float64) float64) {
	t.Helper()
	if !slices.Equal(got.Shape(), want.Shape()) {
		t.Errorf("%s: got shape %v, want %v", what, got.Shape(), want.Shape())
		return
	}
	g, w := weft.ToSlice[complex128](got.AsType(weft.Complex128)), weft.ToSlice[complex128](want.AsType(weft.Complex128))
	for i := range w {
		if d := most(cmplx.Abs(w[i])); !testcheck.CloseComplex(g[i], w[i], d) {
			t.Errorf("%s: element %d is %v, want %v within %.2g", what, i, g[i], w[i], d)
		}
	}
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
		for prefix, g := range map[string]func(weft.Array, linalg.Order) weft.Array{
			"Norm": func(a weft.Array, order linalg.Order) weft.Array { return linalg.Norm(a, order) }, "Cond": linalg.Cond,
		} {
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
		y, what := f(in), fmt.Sprintf("%s of %v", r.Name, in[0].Shape())
		compare(t, what, y, want, distance(r.Name, in[0], want, weft.Float64))
		if d := wefttest.Difference(weft.Jit(f)(in), y, wefttest.Tolerance{Exact: true}); d != "" {
			t.Errorf("%s in Jit: %s", what, d)
		}
		if weft.Abs(want).Max().Float() > math.MaxFloat32 {
			want = weft.Where(weft.Abs(want).Gt(math.MaxFloat32), math.Inf(1), want) // f32 overflows
		}
		compare(t, what+" in f32", f(narrow), want, distance(r.Name, in[0], want, weft.Float32))
	}
	if seen < 200 {
		t.Errorf("testdata has %d values, want 200 or more", seen)
	}
}
