package runtime_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// A donated argument may be a result of a program whose input has another weak mark, as programs read from
// text have: the result has the program's mark, and the argument is dead.
func TestDonatedResultHasProgramsMark(t *testing.T) {
	for _, text := range []string{
		"{ lambda ; a:f32[100000]. let b:f32[100000] = mul a 1.0:f32[] in (a,) }",
		"{ lambda ; a:f32[100000]. let b:f32[100000] = mul a 1.0:f32[] in (a, b) }",
		"{ lambda ; a:f32[100000]. let b:f32[100000] = mul a 1.0:f32[] in (b, a, a) }",
	} {
		for _, name := range []string{"reference", "avx2", "avx512"} {
			e, ok := runtime.Named(name)
			if !ok || e.Available() != nil {
				continue
			}
			j, err := jaxpr.Parse(text, prim.Vocabulary)
			if err != nil {
				t.Fatal(err)
			}
			x := weft.Scalar(2.).BroadcastTo(100000)
			if !x.Weak() {
				t.Fatal("the argument is strong")
			}
			defer runtime.SetDefault(runtime.Default())
			if err := runtime.SetDefault(e); err != nil {
				t.Fatal(err)
			}
			outs := core.Bind(&jaxpr.Jit{Fn: "f", Jaxpr: j, Donated: []bool{true}}, x.Value())
			for k, o := range outs {
				if y := weft.FromValue(o); y.Weak() || !y.Eq(2).All().Bool() {
					t.Errorf("%s on %s: result %d is %v, weak %v; want 2 … and strong", text, name, k, y, y.Weak())
				}
			}
			if !x.Value().(*runtime.Array).Dead() {
				t.Errorf("%s on %s: the argument is alive", text, name)
			}
		}
	}
}
