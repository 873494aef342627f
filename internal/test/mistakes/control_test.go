package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/lax"
)

type two struct{ A, B array }

func cond(yes, no func() array) func() {
	return func() { weft.Cond(weft.Scalar(true), yes, no) }
}

func same(x array) func() array { return func() array { return x } }

// Branches and loops whose results do not fit.
var controlMistakes = []mistake{
	{"cond_dtype", cond(same(one), func() array { return one.AsType(weft.Int32) }), core.ErrDType, []string{"f32[]", "i32[]", "Cond"}},
	{"cond_shape", cond(same(one), func() array { return ones(3) }), core.ErrShape, []string{"f32[]", "f32[3]", "Cond"}},
	{"cond_two_mismatches", func() {
		weft.Cond(weft.Scalar(true), func() two { return two{one, one} }, func() two { return two{weft.Scalar(1), ones(2)} })
	}, core.ErrDType, []string{"f32[]", "i32[]", "Cond"}},
	{"cond_pred_vector", func() { weft.Cond(weft.Of(true, false), same(one), same(one)) }, core.ErrShape, []string{"bool[2]", "Cond"}},
	{"cond_pred_none", func() { weft.Cond(array{}, same(one), same(one)) }, core.ErrTree, []string{"Cond"}},
	{"switch_empty", func() { weft.Switch[array](weft.Scalar(0)) }, core.ErrStatic, []string{"Switch"}},
	{"switch_float_index", func() { weft.Switch(weft.Scalar(0.5), same(one), same(one)) }, core.ErrDType, []string{"f32[]", "Switch"}},
	{"switch_vector_index", func() { weft.Switch(weft.Of(0, 1), same(one), same(one)) }, core.ErrShape, []string{"i32[2]", "Switch"}},
	{"switch_mismatch", func() { weft.Switch(weft.Scalar(0), same(one), func() array { return one.Gt(0) }, same(one)) }, core.ErrDType, []string{"f32[]", "bool[]", "Switch"}},
	{"while_cond_not_bool", func() {
		weft.While(func(c array) array { return c }, func(c array) array { return c.Add(1) }, one)
	}, core.ErrDType, []string{"f32[]", "While"}},
	{"while_cond_vector", func() {
		weft.While(func(c array) array { return c.Lt(3) }, func(c array) array { return c.Add(1) }, ones(3))
	}, core.ErrShape, []string{"bool[3]", "While"}},
	{"while_carry_dtype", func() {
		weft.While(func(c array) array { return c.Lt(3) }, func(c array) array { return c.Add(1).AsType(weft.Int32) }, weft.Scalar(float32(1)))
	}, core.ErrDType, []string{"f32[]", "i32[]", "While"}},
	{"while_carry_shape", func() {
		weft.While(func(c array) array { return c.Sum().Lt(3) }, func(array) array { return ones(4) }, ones(3))
	}, core.ErrShape, []string{"f32[3]", "f32[4]", "While"}},
	{"fori_carry_dtype", func() {
		weft.ForI(3, func(_, c array) array { return c.Add(0.5) }, weft.Scalar(int32(1)))
	}, core.ErrDType, []string{"i32[]", "f32[]", "ForI"}},
	{"fori_bounds_mixed", func() {
		weft.Jit(func(a, b array) array {
			return weft.ForRange(a, b, func(_, c array) array { return c }, one)
		})(weft.Scalar(0), weft.Scalar(3.))
	}, core.ErrDType, []string{"i32[]", "f32[]"}},
	{"fori_unroll_dynamic", func() {
		jit1(func(n array) array {
			return lax.ForiLoop(0, n, func(_, c array) array { return c }, one, lax.Unroll(2))
		})(weft.Scalar(3))
	}, core.ErrConcrete, []string{"i32[]"}},
	{"scan_carry_dtype", func() {
		weft.Scan(func(c, x array) (array, array) { return c.Add(1.5), x }, weft.Scalar(int32(0)), weft.Arange(3))
	}, core.ErrDType, []string{"i32[]", "f32[]", "Scan"}},
	{"scan_carry_shape", func() {
		weft.Scan(func(_, x array) (array, array) { return ones(2), x }, weft.Scalar(float32(0)), weft.Arange(3))
	}, core.ErrShape, []string{"f32[]", "f32[2]", "Scan"}},
	{"scan_carry_two", func() {
		weft.Scan(func(c two, x array) (two, array) { return two{c.A.Add(0.5), ones(3)}, x }, two{weft.Scalar(int32(0)), weft.Zeros(2)}, weft.Arange(3))
	}, core.ErrDType, []string{"i32[]", "f32[]", "carry 0", "Scan"}},
	{"scan_carry_dict", func() {
		weft.Scan(func(c map[string]array, x array) (map[string]array, array) {
			return map[string]array{"a": c["a"]}, x
		}, map[string]array{"a": one, "b": one}, weft.Arange(3))
	}, core.ErrTree, []string{"b", "Scan"}},
	{"scan_leading_axes", func() {
		weft.Scan(func(c array, x two) (array, two) { return c, x }, one, two{ones(3), ones(4)})
	}, core.ErrShape, []string{"f32[3]", "f32[4]", "Scan"}},
	{"scan_scalar_xs", func() { weft.Scan(func(c, x array) (array, array) { return c, x }, one, one) }, core.ErrShape, []string{"f32[]", "Scan"}},
	{"scan_length_mismatch", func() {
		lax.Scan(func(c, x array) (array, array) { return c, x }, one, ones(3), lax.Length(5))
	}, core.ErrShape, []string{"3", "5"}},
	{"scan_no_length", func() {
		weft.Scan(func(c array, x struct{}) (array, struct{}) { return c, x }, one, struct{}{})
	}, core.ErrShape, []string{"Scan", "ScanN"}},
	{"scan_tracer_length", func() {
		jit1(func(n array) array {
			c, _ := weft.ScanN(func(c array) (array, array) { return c, c }, one, n.Int())
			return c
		})(weft.Scalar(3))
	}, core.ErrConcrete, []string{"Int", "i32[]"}},
	{"scan_unroll_zero", func() {
		weft.Scan(func(c, x array) (array, array) { return c, x }, one, ones(3), weft.Unroll(-1))
	}, core.ErrStatic, []string{"-1", "Unroll"}},
	{"map_scalar", func() { weft.MapScan(weft.Sin, one) }, core.ErrShape, []string{"f32[]", "MapScan"}},
	{"assoc_scan_shapes", func() {
		weft.AssociativeScan(func(a, b two) two { return two{a.A, b.B} }, two{ones(3), ones(4)})
	}, core.ErrShape, []string{"f32[3]", "f32[4]", "AssociativeScan"}},
}

func TestControl(t *testing.T) { run(t, "control_test.go", controlMistakes) }
