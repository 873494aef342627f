package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/custom"
)

func plain(x array) array { return x }

func noRule(names ...weft.NameOption) *custom.JVPRule[custom.None, array, array] {
	return custom.NewJVP(func(_ custom.None, x array) array { return x }, names...)
}

func sinVJP() func(array) array {
	return custom.VJP(weft.Sin, func(x array) (array, array) { return weft.Sin(x), x }, func(_, ct array) array { return ct })
}

// Rules that give what does not fit.
var customMistakes = []mistake{
	{"cjvp_closed_over", func() { weft.JVP(shifted, weft.Scalar(3.), one) }, core.ErrCustomRule, []string{"closes over", "f32[]"}},
	{"cjvp_closed_over_grad", func() { weft.Grad(shifted)(weft.Scalar(3.)) }, core.ErrCustomRule, []string{"closes over", "f32[]"}},
	{"cvjp_closed_over", func() {
		weft.Grad(func(x array) array {
			g := custom.VJP(func(y array) array { return x.Add(y) }, func(y array) (array, custom.None) { return x.Add(y), custom.None{} }, func(_ custom.None, ct array) array { return ct })
			return g(one)
		})(weft.Scalar(3.))
	}, core.ErrCustomRule, []string{"closes over", "f32[]"}},
	{"cjvp_no_rule", func() { noRule().Call(custom.None{}, one) }, core.ErrCustomRule, []string{"Rule"}},
	{"cjvp_no_rule_named", func() {
		weft.JVP(func(x array) array { return noRule(weft.Name("foo")).Call(custom.None{}, x) }, one, one)
	}, core.ErrCustomRule, []string{"foo", "Rule"}},
	{"cjvp_shape_mismatch", func() {
		f := custom.JVP(plain, func(p, t array) (array, array) { return p, t.Reshape(1) })
		weft.JVP(f, one, one)
	}, core.ErrCustomRule, []string{"f32[]", "f32[1]"}},
	{"cjvp_dtype_mismatch", func() {
		f := custom.JVP(plain, func(p, t array) (array, array) { return p, t.AsType(weft.Float16) })
		weft.JVP(f, one, one)
	}, core.ErrCustomRule, []string{"f32[]", "f16[]"}},
	{"cjvp_branch_under_jit", func() {
		f := custom.JVP(func(x array) array {
			if x.Gt(0).Bool() {
				return x
			}
			return weft.Scalar(0.)
		}, func(p, t array) (array, array) { return p, t })
		jit1(f)(one)
	}, core.ErrConcrete, []string{"Bool", "bool[]"}},
	{"cvjp_no_rule", func() {
		custom.NewVJP[custom.None, array, array](func(_ custom.None, x array) array { return x }, weft.Name("foo")).Call(custom.None{}, one)
	}, core.ErrCustomRule, []string{"foo"}},
	{"cvjp_jvp", func() { weft.JVP(sinVJP(), one, one) }, core.ErrCustomRule, []string{"custom.JVP"}},
	{"cvjp_jvp_vmap", func() { weft.JVP(weft.Vmap(sinVJP()), ones(3), ones(3)) }, core.ErrCustomRule, []string{"custom.JVP"}},
	{"cvjp_jvp_jit", func() { weft.JVP(weft.Jit(sinVJP()), one, one) }, core.ErrCustomRule, []string{"custom.JVP"}},
	{"cvjp_bwd_shape", func() {
		f := custom.VJP(func(p [2]array) array { return p[0] }, func(p [2]array) (array, array) { return p[0], p[1] },
			func(_, ct array) [2]array { return [2]array{ct, weft.Zeros(3)} })
		weft.Grad(func(x array) array { return f([2]array{x, x}) })(one)
	}, core.ErrCustomRule, []string{"f32[]", "f32[3]"}},
	{"cvjp_bwd_dtype", func() {
		f := custom.VJP(plain, func(x array) (array, array) { return x, x }, func(_, ct array) array { return ct.AsType(weft.Float16) })
		weft.Grad(f)(one)
	}, core.ErrCustomRule, []string{"f32[]", "f16[]"}},
	{"cvjp_bwd_int_arg_wrong", func() {
		f := custom.VJP(func(p [2]array) array { return p[0] }, func(p [2]array) (array, array) { return p[0], p[0] },
			func(_, ct array) [2]array { return [2]array{ct, ct} })
		weft.Grad(func(x array) array { return f([2]array{x, weft.Scalar(4)}) })(one)
	}, core.ErrCustomRule, []string{"float0", "f32[]"}},
}

func TestCustomRules(t *testing.T) { run(t, "custom_test.go", customMistakes) }

// shifted calls a function whose forward rule closes over x.
func shifted(x array) array {
	g := custom.JVP(func(y array) array { return x.Add(y) }, func(p, t array) (array, array) { return x.Add(p), t.Mul(2) })
	return g(one)
}
