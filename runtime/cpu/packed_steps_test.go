package cpu

import (
	"bytes"
	"testing"

	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/runtime"
)

// A step that makes the right operand of one product from constants runs in the first call only. What another step
// reads, and what is much larger than the constants, is made in each call.
func TestPackedSteps(t *testing.T) {
	for _, c := range []struct {
		name, jaxpr string
		kept        bool
	}{
		{"widened", `{ lambda a:f16[300,400] ; b:f32[64,300]. let
    w:f32[300,400] = convert_element_type[new_dtype=float32 weak_type=False] a
    c:f32[64,400] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] b w
  in (c,) }`, true},
		{"four times as large", `{ lambda a:i8[300,400] ; b:f32[64,300]. let
    w:f32[300,400] = convert_element_type[new_dtype=float32 weak_type=False] a
    c:f32[64,400] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] b w
  in (c,) }`, true},
		{"eight times as large", `{ lambda a:i8[300,400] ; b:f64[64,300]. let
    w:f64[300,400] = convert_element_type[new_dtype=float64 weak_type=False] a
    c:f64[64,400] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] b w
  in (c,) }`, false},
		{"two products", `{ lambda a:f16[300,400] ; b:f32[64,300] d:f32[70,300]. let
    w:f32[300,400] = convert_element_type[new_dtype=float32 weak_type=False] a
    c:f32[64,400] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] b w
    e:f32[70,400] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] d w
  in (c, e) }`, false},
		{"a result", `{ lambda a:f16[300,400] ; b:f32[64,300]. let
    w:f32[300,400] = convert_element_type[new_dtype=float32 weak_type=False] a
    c:f32[64,400] = dot_general[dimension_numbers=(((1,), (0,)), ((), ())) preferred_element_type=None] b w
  in (c, w) }`, false},
	} {
		j := ircheck.Parse(t, c.jaxpr)
		constant := runtime.New(j.Consts[0].Type)
		data := bytes.Repeat([]byte{0x3f}, len(constant.Tensor().Data)) // of numbers that are not small
		copy(constant.Tensor().Data, data)
		j.ConstVals = append(j.ConstVals, constant)
		args := arguments(j)
		for _, a := range args {
			copy(a.Tensor().Data, bytes.Repeat([]byte{0x3f}, len(a.Tensor().Data)))
		}
		for _, e := range nativeExecutors(t) {
			p, err := newProgram(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: 1}})
			if err != nil {
				t.Fatal(err)
			}
			step, kept := p.steps[0].(constantStep)
			if kept != c.kept {
				t.Errorf("%s on %s: the step that makes the operand is %T", c.name, e.Name(), p.steps[0])
			}
			first, _, err := runEnding(p, 1, -1, args)
			if err != nil {
				t.Fatal(err)
			}
			if kept {
				if step.pack.packed() == 0 {
					t.Errorf("%s on %s: the first call packed nothing", c.name, e.Name())
				}
				// Another constant would change the next results if the step ran again.
				clear(constant.Tensor().Data)
			}
			again, _, err := runEnding(p, 1, -1, args)
			copy(constant.Tensor().Data, data)
			if err != nil {
				t.Fatal(err)
			}
			for i := range first {
				if !bytes.Equal(first[i].Tensor().Data, again[i].Tensor().Data) {
					t.Errorf("%s on %s: the second call has another result %d", c.name, e.Name(), i)
				}
			}
		}
	}
}
