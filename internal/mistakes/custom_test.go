package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
)

func plain(x array) array { return x }

func sinVJP() func(array) array {
	return weft.CustomVJP(weft.Sin, func(x array) (array, array) { return weft.Sin(x), x }, func(_, ct array) array { return ct })
}

// Rules that give what does not fit.
var customMistakes = []mistake{
	{"cjvp_no_rule", func() { weft.NewCustomJVP(plain).Call(one) }, core.ErrCustomRule, []string{"Rule"}},
	{"cjvp_no_rule_named", func() {
		weft.JVP(weft.NewCustomJVP(plain, weft.Name("foo")).Call, one, one)
	}, core.ErrCustomRule, []string{"foo", "Rule"}},
	{"cjvp_shape_mismatch", func() {
		f := weft.CustomJVP(plain, func(p, t array) (array, array) { return p, t.Reshape(1) })
		weft.JVP(f, one, one)
	}, core.ErrCustomRule, []string{"f32[]", "f32[1]"}},
	{"cjvp_dtype_mismatch", func() {
		f := weft.CustomJVP(plain, func(p, t array) (array, array) { return p, t.AsType(weft.Float16) })
		weft.JVP(f, one, one)
	}, core.ErrCustomRule, []string{"f32[]", "f16[]"}},
	{"cjvp_branch_under_jit", func() {
		f := weft.CustomJVP(func(x array) array {
			if x.Gt(0).Bool() {
				return x
			}
			return x.Neg()
		}, func(p, t array) (array, array) { return p, t })
		jit1(f)(one)
	}, core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"cvjp_no_rule", func() { weft.NewCustomVJP[array, array](plain, weft.Name("foo")).Call(one) }, core.ErrCustomRule, []string{"foo"}},
	{"cvjp_jvp", func() { weft.JVP(sinVJP(), one, one) }, core.ErrCustomRule, []string{"CustomJVP"}},
	{"cvjp_jvp_vmap", func() { weft.JVP(weft.Vmap(sinVJP()), ones(3), ones(3)) }, core.ErrCustomRule, []string{"CustomJVP"}},
	{"cvjp_jvp_jit", func() { weft.JVP(weft.Jit(sinVJP()), one, one) }, core.ErrCustomRule, []string{"CustomJVP"}},
	{"cvjp_bwd_shape", func() {
		f := weft.CustomVJP2(func(x, y array) array { return x }, func(x, y array) (array, array) { return x, y },
			func(_, ct array) (array, array) { return ct, weft.Zeros(3) })
		weft.Grad(func(x array) array { return f(x, x) })(one)
	}, core.ErrCustomRule, []string{"f32[]", "f32[3]"}},
	{"cvjp_bwd_dtype", func() {
		f := weft.CustomVJP(plain, func(x array) (array, array) { return x, x }, func(_, ct array) array { return ct.AsType(weft.Float16) })
		weft.Grad(f)(one)
	}, core.ErrCustomRule, []string{"f32[]", "f16[]"}},
	{"cvjp_bwd_int_arg_wrong", func() {
		f := weft.CustomVJP2(func(x, n array) array { return x }, func(x, n array) (array, array) { return x, x },
			func(_, ct array) (array, array) { return ct, ct })
		weft.Grad(func(x array) array { return f(x, weft.Scalar(4)) })(one)
	}, core.ErrCustomRule, []string{"float0", "f32[]"}},
}

func TestCustomRules(t *testing.T) { run(t, "custom_test.go", customMistakes) }
