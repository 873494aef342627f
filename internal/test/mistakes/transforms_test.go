package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

func grad(f func(array) array, x array) func() { return func() { weft.Grad(f)(x) } }

func id(x array) array { return x }

// Derivatives of what has none, and tangents that do not fit.
var derivativeMistakes = []mistake{
	{"grad_vector_output", grad(weft.Sin, ones(3)), core.ErrShape, []string{"f32[3]", "Grad"}},
	{"grad_shape_1_output", grad(id, ones(1)), core.ErrShape, []string{"f32[1]", "Grad"}},
	{"grad_int_input", grad(func(x array) array { return x.Mul(2) }, weft.Scalar(3)), core.ErrDType, []string{"i32[]", "Grad"}},
	{"grad_int_output", grad(func(array) array { return weft.Scalar(int32(3)) }, one), core.ErrDType, []string{"i32[]", "Grad"}},
	{"grad_bool_output", grad(func(x array) array { return x.Gt(0) }, one), core.ErrDType, []string{"bool[]", "Grad"}},
	{"grad_complex_output", grad(func(x array) array { return x.Add(1i) }, one), core.ErrDType, []string{"c64[]", "Grad"}},
	{"grad_complex_input", grad(func(x array) array { return x.Mul(x) }, weft.Scalar(1+2i)), core.ErrDType, []string{"c64[]", "Grad"}},
	{"grad_string_input", func() { weft.Grad(func(string) array { return one })("a") }, core.ErrTree, []string{"Grad", "string"}},
	{"grad_while", grad(func(x array) array {
		return weft.While(func(c array) array { return c.Lt(10) }, func(c array) array { return c.Mul(2) }, x)
	}, one), core.ErrNoRule, []string{"while"}},
	{"grad_fori_dynamic", func() {
		f := weft.Jit(func(x, n array) array {
			return weft.ForRange(weft.Scalar(0), n, func(_, c array) array { return c.Mul(2) }, x)
		})
		weft.Grad(func(x array) array { return f(x, weft.Scalar(3)) })(one)
	}, core.ErrNoRule, []string{"while"}},
	{"jacfwd_int", func() { weft.Jacfwd(id)(weft.Scalar(1)) }, core.ErrDType, []string{"i32[]", "Jacfwd"}},
	{"jacrev_int", func() { weft.Jacrev(id)(weft.Scalar(1)) }, core.ErrDType, []string{"i32[]", "Jacrev"}},
	{"hessian_int", func() { weft.Hessian(id)(weft.Scalar(1)) }, core.ErrDType, []string{"i32[]", "Hessian"}},
	{"jvp_shape_mismatch", func() { weft.JVP(weft.Sin, ones(3), ones(2)) }, core.ErrShape, []string{"f32[3]", "f32[2]", "JVP"}},
	{"jvp_dtype_mismatch", func() { weft.JVP(weft.Sin, ones(3), ints(3)) }, core.ErrDType, []string{"f32[3]", "i32[3]", "JVP"}},
	{"jvp_int_primal", func() { weft.JVP(id, weft.Scalar(1), weft.Scalar(1)) }, core.ErrDType, []string{"i32[]", "JVP"}},
	{"vjp_ct_shape", func() {
		_, back := weft.VJP(weft.Sin, one)
		back(ones(3))
	}, core.ErrShape, []string{"f32[]", "f32[3]", "VJP"}},
	{"vjp_ct_dtype", func() {
		_, back := weft.VJP(weft.Sin, weft.Scalar(float32(1)))
		back(weft.Scalar(1.).AsType(weft.Float16))
	}, core.ErrDType, []string{"f32[]", "f16[]", "VJP"}},
	{"linearize_tangent_shape", func() {
		_, at := weft.Linearize(weft.Sin, one)
		at(ones(3))
	}, core.ErrShape, []string{"f32[]", "f32[3]", "Linearize"}},
	{"linear_transpose_nonlinear", func() { weft.LinearTranspose(weft.Sin, one)(one) }, core.ErrNoRule, []string{"sin"}},
	{"linear_transpose_int_float", func() {
		weft.LinearTranspose(func(x array) array { return x.AsType(weft.Float32) }, weft.Scalar(int32(1)))(one)
	}, core.ErrDType, []string{"i32[]", "LinearTranspose"}},
	{"float0_arith", func() {
		type p struct{ X, N array }
		g := weft.Grad(func(p p) array { return p.X.Mul(p.N) })(p{one, weft.Scalar(3)})
		g.N.Add(1)
	}, core.ErrPromotion, []string{"float0", "Add"}},
}

func TestDerivatives(t *testing.T) { run(t, "transforms_test.go", derivativeMistakes) }

func vmap(x array, opts ...weft.VmapOption) func() { return func() { weft.Vmap(id, opts...)(x) } }

// Batches that do not fit.
var batchMistakes = []mistake{
	{"vmap_size_mismatch", func() { weft.Vmap(weft.Add[array, array])(ones(3), ones(4)) }, core.ErrShape, []string{"f32[3]", "f32[4]", "Vmap"}},
	{"vmap_size_mismatch_three", func() {
		weft.Vmap(func(x, y, z array) array { return x })(ones(3), ones(3), ones(2, 4))
	}, core.ErrShape, []string{"f32[3]", "f32[2,4]", "Vmap"}},
	{"vmap_size_mismatch_dict", func() {
		weft.Vmap(func(d map[string]array) array { return d["a"] })(map[string]array{"a": ones(3), "b": ones(2, 3)})
	}, core.ErrShape, []string{"f32[3]", "f32[2,3]", "Vmap"}},
	{"vmap_scalar", vmap(one), core.ErrShape, []string{"f32[]", "Vmap"}},
	{"vmap_axis_too_big", vmap(ones(3), weft.In(1)), core.ErrIndex, []string{"f32[3]", "axis 1", "Vmap"}},
	{"vmap_axis_negative_out", vmap(ones(2, 3), weft.In(-3)), core.ErrIndex, []string{"f32[2,3]", "-3", "Vmap"}},
	{"vmap_in_axes_len", vmap(ones(3), weft.In(0, 0)), core.ErrAxis, []string{"2", "1", "Vmap"}},
	{"vmap_in_axes_tree", func() {
		weft.Vmap(func(d map[string]array) array { return d["a"] }, weft.In(weft.Axes{"a": 0}))(map[string]array{"a": ones(3), "b": ones(3)})
	}, core.ErrTree, []string{`"b"`, "Vmap"}},
	{"vmap_all_none", vmap(ones(3), weft.In(weft.None)), core.ErrAxis, []string{"Vmap"}},
	{"vmap_no_args", func() { weft.Vmap(func() array { return one })() }, core.ErrAxis, []string{"Vmap"}},
	{"vmap_in_axes_bool", vmap(ones(3), weft.In(true)), core.ErrAxis, []string{"bool", "Vmap"}},
	{"vmap_in_axes_float", vmap(ones(3), weft.In(0.5)), core.ErrAxis, []string{"float64", "Vmap"}},
	{"vmap_out_none", vmap(ones(3), weft.Out(weft.None)), core.ErrAxis, []string{"Vmap"}},
	{"vmap_out_tree", func() {
		weft.Vmap(func(x array) (array, array) { return x, x }, weft.Out(0, 0, 0))(ones(3))
	}, core.ErrAxis, []string{"3", "2", "Vmap"}},
	{"vmap_out_axis_big", vmap(ones(3), weft.Out(2)), core.ErrIndex, []string{"2", "Vmap"}},
	{"vmap_axis_size", vmap(ones(3), weft.AxisSize(4)), core.ErrShape, []string{"f32[3]", "4", "Vmap"}},
	{"vmap_unbound_axis", func() {
		weft.Vmap(func(x array) array { return lax.Psum(x, "j") }, weft.AxisName("i"))(ones(3))
	}, core.ErrAxis, []string{`"j"`}},
	{"psum_outside", func() { lax.Psum(1., "i") }, core.ErrAxis, []string{`"i"`}},
}

func TestBatches(t *testing.T) { run(t, "transforms_test.go", batchMistakes) }

// Functions that cannot be staged, and calls that do not fit.
var stageMistakes = []mistake{
	{"jit_non_callable", func() { weft.Jit(3) }, core.ErrStatic, []string{"int", "Jit"}},
	{"jit_aot_wrong_type", func() {
		f, err := weft.Compile(func(x array) array { return x }, ones(3))
		if err != nil {
			panic(err)
		}
		f.Call(ones(4))
	}, core.ErrShape, []string{"f32[3]", "f32[4]"}},
	{"jit_wrapped_call", func() { weft.Jit(one) }, core.ErrStatic, []string{"Jit: takes a function", "Array", "did you call it?"}},
	{"tree_map_mismatch", func() {
		weft.TreeMap2(func(x, y array) array { return x.Add(y) }, map[string]array{"a": one}, map[string]array{"b": one})
	}, core.ErrTree, []string{"a", "TreeMap2"}},
	{"tree_map_len", func() {
		weft.TreeMap2(func(x, y array) array { return x.Add(y) }, []array{one, one}, []array{one, one, one})
	}, core.ErrTree, []string{"2", "3", "TreeMap2"}},
	{"debug_print_format", func() {
		jit1(func(x array) array { weft.DebugPrint("{y}", x); return x })(one)
	}, core.ErrStatic, []string{"{y}", "debug_print"}},
	{"debug_nans", func() {
		weft.With(weft.DebugNaNs(true), func() { weft.Log(weft.Scalar(-1.)) })
	}, core.ErrNaN, []string{"log"}},
	{"grad_of_nothing", func() { // JAX returns zeros
		w := weft.Ones(3)
		weft.With(weft.DebugGradients(true), func() {
			weft.Grad(func(p array) array { return weft.Square(w).Sum() })(w)
		})
	}, core.ErrNoRule, []string{"f32[3]", "Grad", "none of the parameters"}},
	{"remat_if", func() {
		weft.Remat(func(x array) array {
			if x.Gt(0).Bool() {
				return x
			}
			return x.Neg()
		})(one)
	}, core.ErrConcrete, []string{"Bool", "bool[]"}},
}

func TestStaging(t *testing.T) { run(t, "transforms_test.go", stageMistakes) }
