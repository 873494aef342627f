package mistakes

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/linalg"
	"github.com/weft-go/weft/random"
)

// What the compiler refuses where types state it can be written all the same with slices,
// maps, nil, numbers for types and arguments that are any.

type list = []weft.Array

// first and both are functions of lists.
func first(p list) weft.Array { return p[0] }

func both(x weft.Array) list { return list{x, x} }

// failing is a call that returns an error.
func failing[T any](_ T, err error) {
	if err != nil {
		panic(err)
	}
}

var dynamicMistakes = []mistake{
	// Structures that are of one type and differ.
	{"jvp_tree_mismatch", func() { weft.JVP(first, list{one}, list{one, one}) }, core.ErrTree, []string{"JVP", "1 element", "2 elements"}},
	{"vjp_ct_tree", func() { _, back := weft.VJP(both, one); back(list{one}) }, core.ErrTree, []string{"VJP", "2 elements", "1 element"}},
	{"cond_tree", func() {
		x := one
		weft.Cond(weft.Scalar(true), func() list { return list{x, x} }, func() list { return list{x} })
	}, core.ErrTree, []string{"Cond", "2 elements", "1 element"}},
	{"cond_tree_dict", func() {
		x := one
		type dict = map[string]weft.Array
		weft.Cond(weft.Scalar(true), func() dict { return dict{"a": x} }, func() dict { return dict{"b": x} })
	}, core.ErrTree, []string{"Cond", `[\"a\"]`}},
	{"while_carry_tree", func() {
		weft.While(func(c list) weft.Array { return c[0].Lt(3) }, func(c list) list { return c[:1] }, list{one, one})
	}, core.ErrTree, []string{"While", "2 elements", "1 element"}},
	{"while_carry_len", func() {
		weft.While(func(c list) weft.Array { return c[0].Lt(3) }, func(c list) list { return list{c[0], c[1], c[1]} }, list{one, one})
	}, core.ErrTree, []string{"While", "2 elements", "3 elements"}},
	{"scan_carry_tree", func() {
		weft.Scan(func(c list, x weft.Array) (list, weft.Array) { return list{c[0], c[0]}, x }, list{one}, weft.Arange(3.))
	}, core.ErrTree, []string{"Scan", "1 element", "2 elements"}},
	{"cjvp_tree_mismatch", func() {
		f := custom.JVP(func(x weft.Array) list { return list{x} }, func(x, t weft.Array) (list, list) { return list{x}, list{t, t} }, weft.Name("f"))
		weft.JVP(f, one, one)
	}, core.ErrCustomRule, []string{"f", "1", "2"}},
	{"cvjp_bwd_len", func() {
		f := custom.VJP(first, func(p list) (weft.Array, weft.Array) { return p[0], p[0] }, func(_, g weft.Array) list { return list{g} }, weft.Name("f"))
		weft.Grad(f)(list{one, one})
	}, core.ErrCustomRule, []string{"f", "1", "2"}},
	{"tree_unflatten_len", func() { _, back := weft.Ravel(list{one, one}); back(ones(1)) }, core.ErrShape, []string{"2 elements", "f32[1]"}},

	// What is not there.
	{"cond_not_callable", func() { weft.Cond[weft.Array](weft.Scalar(true), nil, nil) }, core.ErrTree, []string{"Cond", "nil"}},
	{"scan_not_callable", func() { weft.Scan[weft.Array, weft.Array, weft.Array](nil, one, ones(3)) }, core.ErrTree, []string{"Scan", "nil"}},
	{"grad_none_output", func() { weft.Grad(func(weft.Array) weft.Array { return weft.Array{} })(one) }, core.ErrTree, []string{"Grad"}},
	{"random_no_key", func() { random.Normal(random.Key{}, 3) }, core.ErrTree, []string{"Normal"}},

	// What is of another type where any type may stand.
	{"tree_dict_keys", func() {
		for range weft.TreeLeaves(map[any]weft.Array{"a": one, 2: one}) {
		}
	}, core.ErrTree, []string{"map[interface {}]weft.Array", "string or integer keys"}},
	{"sin_list", func() { failing(weft.Jaxpr(weft.Sin, []float64{1})) }, core.ErrTree, []string{"argument 0 of Sin", "[]float64", "weft.Array"}},
	{"sin_string", func() { failing(weft.Jaxpr(weft.Sin, "a")) }, core.ErrTree, []string{"argument 0 of Sin", "string", "weft.Array"}},
	{"jit_missing_arg", func() { failing(weft.Jaxpr(func(x, y weft.Array) weft.Array { return x }, 1.)) }, core.ErrTree, []string{"takes 2 arguments, got 1"}},
	{"dtype_unknown", func() { weft.ZerosOf(weft.DType(200), 3) }, core.ErrDType, []string{"Zeros"}},
	{"random_float_key", func() { random.Normal(random.Key{Data: ones(2)}, 3) }, core.ErrDType, []string{"f32[2]"}},
	{"random_float_words", func() { random.Normal(random.Wrap(ones(2)), 3) }, core.ErrDType, []string{"f32[2]"}},
	{"random_float_seed", func() { random.FromSeed(weft.Scalar(0.5)) }, core.ErrDType, []string{"f32"}},
	{"key_plus_one", func() { random.New(0).Data.Add(1) }, core.ErrPromotion, []string{"key<fry>", "Add"}},
	{"jit_donate_static", func() { weft.Jit(func(n int, x weft.Array) weft.Array { return x }, weft.Donate(0)) }, core.ErrIndex, []string{"Donate", "argument 0"}},
	{"jit_static_nan", func() {
		type config struct{ Rate float64 }
		weft.Jit(func(x weft.Array, c config) weft.Array { return x })(one, config{math.NaN()})
	}, core.ErrStatic, []string{"NaN", "Rate"}},
	{"jit_donated_reuse", func() {
		x := ones(3)
		weft.Jit(func(a weft.Array) weft.Array { return a.Add(1) }, weft.Donate(0))(x)
		x.Add(1)
	}, core.ErrDevice, []string{"f32[3]", "donated"}},
	{"solve_shapes", func() { linalg.Solve(ones(2, 3), ones(2)) }, core.ErrShape, []string{"f32[2,3]", "Solve"}},
	{"linear_solve_shapes", func() {
		a := ones(2, 3)
		product := func(x weft.Array) weft.Array { return a.Dot(x) }
		solve := func(_ func(weft.Array) weft.Array, b weft.Array) weft.Array { return b }
		custom.LinearSolve(product, ones(2), solve, solve)
	}, core.ErrShape, []string{"f32[2,3]", "f32[2]"}},

	// A traced number where Go code takes one.
	{"numpy_on_tracer", func() {
		weft.Jit(func(x weft.Array) weft.Array { return weft.Scalar(math.Sin(x.Float())) })(one)
	}, core.ErrConcrete, []string{"argument 0", "Float"}},
	{"np_asarray", func() {
		weft.Jit(func(x weft.Array) weft.Array { return weft.FromSlice(weft.ToSlice[float32](x)) })(ones(3))
	}, core.ErrConcrete, []string{"argument 0", "ToSlice"}},
	{"np_index_by_tracer", func() {
		table := []float64{0, 1, 2, 3, 4}
		weft.Jit(func(i weft.Array) weft.Array { return weft.Scalar(table[i.Int()]) })(weft.Scalar(2))
	}, core.ErrConcrete, []string{"argument 0", "Int"}},
	{"remat_static_missing", func() {
		weft.Remat(func(x weft.Array, n [2]weft.Array) weft.Array { return x.Reshape(n[0].Int(), n[1].Int()) })(ones(4), [2]weft.Array{weft.Scalar(2), weft.Scalar(2)})
	}, core.ErrConcrete, []string{"Int"}},
	{"make_jaxpr_static_missing", func() {
		failing(weft.Jaxpr(func(x, n weft.Array) weft.Array { return x.Reshape(n.Int()) }, ones(4), 2))
	}, core.ErrConcrete, []string{"argument 1", "Int"}},
}

func TestDynamic(t *testing.T) { run(t, "dynamic_test.go", dynamicMistakes) }
