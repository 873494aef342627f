//go:build linux && (amd64 || arm64)

package opencl_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/internal/test/devicecheck"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/runtime/opencl"
)

// A driver's compiler evaluates constant expressions of a kernel. Their values must have the reference's bits,
// also for operands for which the compiler's own functions leave the result undefined.
func TestConstantsOnDevices(t *testing.T) {
	unary := []string{"abs", "acos", "acosh", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "erf", "erf_inv", "erfc", "exp", "exp2", "expm1", "floor", "integer_pow[y=3]", "lgamma",
		"log", "log1p", "logistic", "neg", "round[rounding_method=0]", "round[rounding_method=1]", "rsqrt", "sign", "sin", "sinh", "sqrt", "tan", "tanh"}
	binary := []string{"add", "atan2", "div", "max", "min", "mul", "nextafter", "pow", "rem", "sub"}
	kinds := []string{"int8", "int32", "uint32", "int64", "bfloat16", "float16"}
	short := map[string]string{"int8": "i8", "int32": "i32", "uint32": "u32", "int64": "i64", "bfloat16": "bf16", "float16": "f16"}
	devicecheck.Each(t, "opencl:", opencl.Devices, func(t *testing.T, e runtime.Executor) {
		for _, d := range []string{"f32", "f64"} {
			for _, x := range []string{"nan", "inf", "-inf", "-0.0", "1e30", "1e-30", "2.5"} {
				var b strings.Builder
				fmt.Fprintf(&b, "{ lambda ; . let\n    a:%[1]s[1] = broadcast_in_dim[broadcast_dimensions=() shape=(1,) sharding=None] %[2]s:%[1]s[]\n", d, x)
				var outs []string
				result := func(dtype, op, operands string) {
					name := fmt.Sprintf("r%d", len(outs))
					fmt.Fprintf(&b, "    %s:%s[1] = %s %s\n", name, dtype, op, operands)
					outs = append(outs, name)
				}
				for _, op := range unary {
					result(d, op, "a")
				}
				for _, op := range binary {
					result(d, op, "a a")
				}
				for _, k := range kinds {
					result(short[k], "convert_element_type[new_dtype="+k+" weak_type=False]", "a")
				}
				fmt.Fprintf(&b, "  in (%s) }", strings.Join(outs, ", "))
				j, err := jaxpr.Parse(b.String(), prim.Vocabulary)
				if err != nil {
					t.Fatal(err)
				}
				want, err := runtime.Evaluate(context.Background(), runtime.Reference, j, nil)
				if err != nil {
					t.Fatal(err)
				}
				got, err := runtime.Evaluate(context.Background(), e, j, nil)
				if err != nil {
					t.Fatal(err)
				}
				for i := range want {
					if w, g := want[i].Tensor().Data, got[i].Tensor().Data; string(w) != string(g) {
						t.Errorf("%s of %s: got %s, want %s", strings.TrimSpace(strings.Split(b.String(), "\n")[2+i]), x, got[i].Text(nil), want[i].Text(nil))
					}
				}
			}
		}
	})
}
