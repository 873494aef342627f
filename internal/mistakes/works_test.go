package mistakes

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/custom"
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
	"cvjp_nondiff_tracer_container": {func() array {
		return weft.Grad(func(k array) array { return clipGradient(k, weft.Scalar(2.))(one) })(one)
	}, 0},
}

// clipGradient returns the identity with a reverse rule that closes over its limits.
func clipGradient(lo, hi array) func(array) array {
	return custom.VJP(func(x array) array { return x }, func(x array) (array, custom.None) { return x, custom.None{} },
		func(_ custom.None, ct array) array { return weft.Clip(ct, lo, hi) })
}

func TestWorksHere(t *testing.T) {
	for name, w := range works {
		got, err := weft.Try(w.f)
		if err != nil || got.Float() != w.want {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, w.want)
		}
	}
}
