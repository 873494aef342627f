package equinox_test

import (
	"math"
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/linalg"
)

// solveText returns a program that factors a matrix of m×n numbers and solves.
func solveText(solver, factor string, m, n string, arrays, state, operands, results string) string {
	text := `{ lambda ; a:f64[M,N] b:f64[M]. let
    c:f64[M,N] = stop_gradient a
    FACTOR
    RESULTS = linear_solve[
      flatten=<equinox.internal._primitive.Flatten object at 0xXXXXXXXXXXXX>
      static=(ARRAYS, False)
      treedef=PyTreeDef((CustomNode(MatrixLinearOperator[(Missing, frozenset())], [*]), STATE, *, {}, CustomNode(SOLVER, *))
    ] a OPERANDS b
  in (x,) }`
	object := "<object object at 0xXXXXXXXXXXXX>"
	text = strings.NewReplacer("FACTOR", factor, "RESULTS", results, "ARRAYS", strings.TrimSuffix(strings.Repeat(object+", ", len(arrays)), ", "),
		"STATE", state, "SOLVER", solver, "OPERANDS", operands).Replace(text)
	return strings.NewReplacer("[M,N]", "["+m+","+n+"]", "[N,N]", "["+n+","+n+"]", "[M]", "["+m+"]", "[N]", "["+n+"]").Replace(text)
}

const sizes = "CustomNode(Static[(Missing, [], PyTreeDef(([], *)))], [])"

func static(v string) string { return "CustomNode(Static[(Missing, [" + v + "], PyTreeDef(*))], [])" }

// Solutions, their first and second derivatives and batches are the same as those of another way to solve the system.
func TestLinearSolve(t *testing.T) {
	const qr = "d:f64[M,N] e:f64[N] = geqrf c"
	const svd = "e:f64[N] d:f64[M,N] f:f64[N,N] = svd[\n      algorithm=None\n      compute_uv=True\n      full_matrices=False\n      subset_by_index=None\n    ] c"
	for name, c := range map[string]struct{ text, m, n string }{
		"LU":  {solveText("LU[(Missing,)], [])", "d:f64[M,N] e:i32[M] f:i32[M] = lu c", "3", "3", "****", "((*, *), "+sizes+", "+static("False")+")", "d e", "x:f64[N] y:i32[]"), "3", "3"},
		"QR":  {solveText("QR[(Missing,)], [])", qr, "5", "3", "****", "((*, *), "+static("False")+", "+sizes+")", "d e", "x:f64[N] y:i32[]"), "5", "3"},
		"SVD": {solveText("SVD[(Missing,)], [None])", svd, "5", "3", "*****", "((*, *, *), "+sizes+")", "d e f", "x:f64[N] y:i32[] z:i32[]"), "5", "3"},
		"chosen": {solveText("AutoLinearSolver[(Missing,)], [None])", "d:f64[M,N] e:i32[M] f:i32[M] = lu c", "3", "3", "****",
			"(CustomNode(lu_token[(Missing,)], []), ((*, *), "+sizes+", "+static("False")+"))", "d e", "x:f64[N] y:i32[]"), "3", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			j, err := jaxpr.Parse(c.text, prim.Vocabulary)
			if err == nil {
				err = jaxpr.Check(j)
			}
			if err != nil {
				t.Fatal(err)
			}
			if again, err := jaxpr.Parse(j.String(), prim.Vocabulary); err != nil || jaxpr.Diff(j, again) != "" {
				t.Fatalf("%v: %v", j, err)
			}
			m, n := int(c.m[0]-'0'), int(c.n[0]-'0')
			i := weft.Iota(weft.Float64, 0, 2*m*n)
			a := weft.Sin(i.Mul(i).Add(i)).Reshape(2, m, n)
			b := weft.Cos(weft.Iota(weft.Float64, 0, 2*m)).Reshape(2, m)
			got := func(a, b weft.Array) weft.Array {
				return weft.FromValue(jaxpr.Eval(j, nil, []core.Value{a.Value(), b.Value()})[0])
			}
			want := func(a, b weft.Array) weft.Array {
				if m == n {
					return linalg.Solve(a, b)
				}
				return linalg.Solve(a.T().MatMul(a), a.T().MatMul(b))
			}
			weights := weft.Iota(weft.Float64, 0, n).Add(float64(1))
			grad := func(f func(a, b weft.Array) weft.Array) func(in []weft.Array) []weft.Array {
				return weft.Grad(func(in []weft.Array) weft.Array { return f(in[0], in[1]).Mul(weights).Sum() })
			}
			second := func(f func(a, b weft.Array) weft.Array) func(in []weft.Array) []weft.Array {
				return weft.Grad(func(in []weft.Array) weft.Array {
					g := grad(f)(in)
					return weft.Sin(g[0]).Sum().Add(weft.Sin(g[1]).Sum())
				})
			}
			one := []weft.Array{a.Index(0), b.Index(0)}
			near(t, "solution", []weft.Array{got(one[0], one[1])}, []weft.Array{want(one[0], one[1])})
			near(t, "gradient", grad(got)(one), grad(want)(one))
			near(t, "second derivative", second(got)(one), second(want)(one))
			near(t, "batch", weft.Vmap(grad(got))([]weft.Array{a, b}), weft.Vmap(grad(want))([]weft.Array{a, b}))
			each := func(in []weft.Array) weft.Array { return got(in[0], in[1]) }
			ref := func(in []weft.Array) weft.Array { return want(in[0], in[1]) }
			sum := func(f func([]weft.Array) weft.Array) func(in []weft.Array) []weft.Array {
				return weft.Grad(func(in []weft.Array) weft.Array { return weft.Sin(weft.Vmap(f)(in)).Sum() })
			}
			near(t, "gradient of a batch", sum(each)([]weft.Array{a, b}), sum(ref)([]weft.Array{a, b}))
		})
	}
}

// A tridiagonal operator, in the text of Lineax 0.1.1 under JAX 0.10.2, has the solution and the derivatives of the matrix.
func TestTridiagonalOperator(t *testing.T) {
	object := "<object object at 0xXXXXXXXXXXXX>"
	j, err := jaxpr.Parse(`{ lambda ; a:f64[4] b:f64[3] c:f64[3] d:f64[4]. let
    e:f64[4] = stop_gradient a
    f:f64[3] = stop_gradient b
    g:f64[3] = stop_gradient c
    h:f64[4] i:i32[] = linear_solve[
      flatten=<equinox.internal._primitive.Flatten object at 0xXXXXXXXXXXXX>
      static=(`+strings.Repeat(object+", ", 7)+`True, True)
      treedef=PyTreeDef((CustomNode(TridiagonalLinearOperator[(Missing,)], [*, *, *]), (CustomNode(tridiagonal_token[(Missing,)], []), ((*, *, *), `+sizes+`)), *, {}, CustomNode(AutoLinearSolver[(Missing,)], [*]), *))
    ] a b c e f g d
  in (h,) }`, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	got := func(in []weft.Array) weft.Array {
		return weft.FromValue(jaxpr.Eval(j, nil, values(in))[0])
	}
	want := func(in []weft.Array) weft.Array {
		return linalg.Solve(weft.Diag(in[0]).Add(weft.Diag(in[1], -1)).Add(weft.Diag(in[2], 1)), in[3])
	}
	grad := func(f func([]weft.Array) weft.Array) []weft.Array {
		return weft.Grad(func(in []weft.Array) weft.Array { return weft.Sin(f(in)).Sum() })([]weft.Array{
			weft.FromSlice([]float64{4, 5, 6, 7}), weft.FromSlice([]float64{1, 2, -1}), weft.FromSlice([]float64{-2, 1, 0.5}), weft.FromSlice([]float64{1, 2, 3, 4})})
	}
	near(t, "gradient", grad(got), grad(want))
}

func near(t *testing.T, what string, got, want []weft.Array) {
	t.Helper()
	for i, w := range want {
		x, y := weft.ToSlice[float64](got[i].Reshape(-1)), weft.ToSlice[float64](w.Reshape(-1))
		if len(x) != len(y) {
			t.Fatalf("%s %d: %d numbers, want %d", what, i, len(x), len(y))
		}
		largest := 0.0
		for _, v := range y {
			largest = max(largest, math.Abs(v))
		}
		for k, v := range y {
			if math.Abs(x[k]-v) > 1e-9*largest || x[k] != x[k] {
				t.Errorf("%s %d [%d]: got %v, want %v", what, i, k, x[k], v)
			}
		}
	}
}
