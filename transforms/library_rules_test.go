package transforms_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
	"github.com/weft-go/weft/transforms"
)

// A program that was read from text is differentiated by the rules of JAX's library, which the text only names.
func TestLibraryRules(t *testing.T) {
	for _, c := range []struct {
		name, rule, body string
		x, want          float64
	}{
		// The derivative of the mantissa is the power of two; the program bitcasts, so that its own derivative is 0.
		{"_frexp", "_frexp_jvp", "b:i64[] = bitcast_convert_type[new_dtype=int64] a; c:i64[] = and b 9218868437227405312:i64[]; " +
			"d:i64[] = xor b c; e:i64[] = or d 4602678819172646912:i64[]; f:f64[] = bitcast_convert_type[new_dtype=float64] e; " +
			"g:i64[] = shift_right_logical c 52:i64[]; h:i64[] = sub g 1022:i64[]; i:i32[] = convert_element_type[new_dtype=int32 weak_type=False] h in (f, i)", 12, 1. / 16},
		{"relu", "_relu_jvp", "b:f64[] = max a 0.0:f64[] in (b,)", 0, 0},
		{"_xlogx", "_xlogx_jvp", "b:f64[] = log a; c:f64[] = mul a b in (c,)", 1, 1},
		{"other", "_relu_jvp", "b:f64[] = max a 0.0:f64[] in (b,)", 0, math.NaN()},
	} {
		outs := "y:f64[]"
		if c.name == "_frexp" {
			outs += " z:i32[]"
		}
		j, err := jaxpr.Parse("{ lambda ; x:f64[]. let "+outs+" = custom_jvp_call[name="+c.name+" call_jaxpr={ lambda ; a:f64[]. let "+
			c.body+" } jvp="+c.rule+" symbolic_zeros=False] x in (y,) }", prim.Vocabulary)
		require.NoError(t, err)
		var got float64
		err = core.Catch(func() {
			_, dot := transforms.JVP(func(in []core.Value) []core.Value { return jaxpr.Eval(j, nil, in) },
				[]core.Value{runtimeScalar(c.x)}, []core.Value{runtimeScalar(1)})
			got = viewF64(dot[0].(*runtime.Array))[0]
		})
		if math.IsNaN(c.want) {
			require.ErrorIs(t, err, core.ErrCustomRule)
			continue
		}
		require.NoError(t, err, c.name)
		require.Equal(t, c.want, got, c.name)
	}
}

// The rules hold for a batch of which only some operands, or none, have an axis.
func TestLibraryRulesOfBatches(t *testing.T) {
	const none = transforms.Unmapped
	for _, c := range []struct {
		name, program string
		in            []int
	}{
		{"second", "y:f64[3] = custom_jvp_call[name=xlogy call_jaxpr={ lambda ; a:f64[3] b:f64[3]. let c:f64[3] = log b; d:f64[3] = mul a c in (d,) } jvp=_xlogy_jvp symbolic_zeros=False] u v", []int{none, 0}},
		{"first", "y:f64[3] = custom_jvp_call[name=xlogy call_jaxpr={ lambda ; a:f64[3] b:f64[3]. let c:f64[3] = log b; d:f64[3] = mul a c in (d,) } jvp=_xlogy_jvp symbolic_zeros=False] u v", []int{0, none}},
		{"none", "y:f64[3] = custom_jvp_call[name=relu call_jaxpr={ lambda ; a:f64[3]. let c:f64[3] = max a 0.0:f64[] in (c,) } jvp=_relu_jvp symbolic_zeros=False] u", []int{none, 0}},
	} {
		j, err := jaxpr.Parse("{ lambda ; u:f64[3] v:f64[3]. let "+c.program+" in (y,) }", prim.Vocabulary)
		require.NoError(t, err)
		batch := transforms.VmapProgram(j, c.in, []int{0}, 2)
		read, err := jaxpr.Parse(batch.String(), prim.Vocabulary)
		require.NoError(t, err)
		// Derivative and batch commute, also by way of the batch's text.
		one := transforms.JVPProgram(j)
		want := transforms.VmapProgram(one, append(c.in, c.in...), []int{0, 0}, 2)
		var args []core.Value
		for k, a := range want.InAvals() {
			x := runtime.New(a)
			for i := range viewF64(x) {
				viewF64(x)[i] = float64(1 + (i+2*k)%5)
			}
			args = append(args, x)
		}
		for _, b := range []*jaxpr.Jaxpr{batch, read} {
			got, expected := jaxpr.Eval(transforms.JVPProgram(b), nil, args), jaxpr.Eval(want, nil, args)
			for i := range expected {
				require.Equal(t, viewF64(expected[i].(*runtime.Array)), viewF64(got[i].(*runtime.Array)), "%s %d", c.name, i)
			}
		}
	}
}
