package mistakes

import (
	"errors"
	"fmt"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
	"github.com/weft-go/weft/random"
)

// works are the programs of errors.jsonl that are no mistakes here, with their values.
var works = map[string]struct {
	f    func() array
	want float64
}{
	"prod_shape_device": {func() array {
		f := weft.Jit(func(x array) array {
			if weft.FromSlice(x.Shape()).Prod().Gt(100).Bool() {
				return x
			}
			return x.Neg()
		})
		return f(ones(3, 4)).Sum()
	}, -12},
	"bool_no_arg": {func() array {
		return weft.Jit(func() array {
			if x := ones(); x.Gt(0).Bool() {
				return x
			}
			return weft.Scalar(0.)
		})()
	}, 1},
	"cvjp_nondiff_tracer_jit": {func() array {
		return weft.Jit(func(lo, hi, x array) array { return clipGradient(lo, hi)(x) })(one, weft.Scalar(2.), weft.Scalar(3.))
	}, 3},
	"cvjp_nondiff_tracer_vmap": {func() array {
		return weft.Vmap(func(k array) array { return clipGradient(k, k)(one) })(weft.Arange(3.)).Sum()
	}, 3},
	"leak_global_key": {func() array { // keys of no argument are known: they are their values
		key := random.New(0)
		init := weft.Jit(func() array {
			var k random.Key
			key, k = key.Split()
			return random.Normal(k)
		})
		init()
		init()
		return weft.Abs(random.Normal(key)).Ge(0)
	}, 1},

	// What is no array is static: part of the key as an argument, kept from the trace as a
	// result.
	"jit_unhashable_static": {func() array {
		return weft.Jit(func(x array, n []int) array { return x })(one, []int{1})
	}, 1},
	"jit_string_arg": {func() array {
		return truth(weft.Jit(func(x string) string { return x })("a") == "a")
	}, 1},
	"jit_none_ok_str_in_dict": {func() array {
		d := weft.Jit(func(d map[string]any) map[string]any { return d })(map[string]any{"a": one, "b": "x"})
		return d["a"].(array).Add(truth(d["b"] == "x"))
	}, 2},
	"jit_returns_string": {func() array {
		return truth(weft.Jit(func(x array) string { return "hello" })(one) == "hello")
	}, 1},
	"jit_returns_object": {func() array {
		x, object := weft.Jit(func(x array) (array, any) { return x, errors.New })(one)
		return x.Add(truth(object != nil))
	}, 2},
	"grad_list_of_str": {func() array {
		g := weft.Grad(func(p map[string]any) array { return p["a"].(array) })(map[string]any{"a": one, "b": "c"})
		return g["a"].(array)
	}, 1},
	"format_tracer_ok": {func() array {
		return truth(weft.Jit(func(x array) string { return fmt.Sprintf("%.2f", x) })(one) != "")
	}, 1},

	// Where a rule runs, its result is the function's: there is no other to compare it with.
	"cjvp_out_tree_vs_primal": {func() array {
		f := custom.JVP(func(x array) []array { return []array{x, x} }, func(p, t array) ([]array, []array) { return []array{p}, []array{t} })
		out, t := weft.JVP(f, weft.Scalar(2.), one)
		return out[0].Mul(t[0]).Mul(len(out))
	}, 2},
	"cvjp_fwd_out_tree": {func() array {
		foo := custom.VJP(func(x array) []array { return []array{x, x} }, func(x array) ([]array, custom.None) { return []array{x}, custom.None{} },
			func(_ custom.None, ct []array) array { return ct[0] })
		return weft.Grad(func(x array) array { return foo(x)[0] })(weft.Scalar(3.))
	}, 1},

	// JAX accepts these, too.
	"fori_bounds_float": {func() array {
		return weft.ForRange(weft.Scalar(0.), weft.Scalar(3.), func(_, c array) array { return c }, one)
	}, 1},
	"x64_request":      {func() array { return truth(weft.ZerosOf(weft.Float64, 3).DType() == weft.Float64) }, 1},
	"x64_astype":       {func() array { return truth(weft.Zeros(3).AsType(weft.Int64).DType() == weft.Int64) }, 1},
	"complex_to_real":  {func() array { return weft.OnesOf(weft.Complex64, 3).AsType(weft.Float32).Sum() }, 3},
	"donation_warning": {func() array { return weft.Jit(func(x array) array { return x.Sum() }, weft.Donate(0))(ones(3)) }, 3},

	"cvjp_nondiff_tracer_container": {func() array {
		return weft.Grad(func(k array) array { return clipGradient(k, weft.Scalar(2.))(one) })(one)
	}, 0},
}

func truth(b bool) array {
	if b {
		return one
	}
	return weft.Scalar(0.)
}

// clipGradient returns the identity with a reverse rule that closes over its limits.
func clipGradient(lo, hi array) func(array) array {
	return custom.VJP(func(x array) array { return x }, func(x array) (array, custom.None) { return x, custom.None{} },
		func(_ custom.None, ct array) array { return weft.Clip(ct, lo, hi) })
}

func TestWorksHere(t *testing.T) {
	for name, w := range works {
		got, err := weft.Try(w.f)
		if err != nil || got.AsType(weft.Float32).Float() != w.want {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, w.want)
		}
	}
}
