package cpu

import (
	"bytes"
	"context"
	"testing"

	"github.com/weft-go/weft/internal/test/ircheck"
	"github.com/weft-go/weft/runtime"
)

// Products and convolutions of machine code check often whether to stop, and leave the rest undone
// when they must.
func TestProductsStop(t *testing.T) {
	const dimensions = "(((1,), (0,)), ((), ()))"
	dot := func(numbers, x, y, out string) string {
		return "{ lambda ; a:" + x + " b:" + y + ". let c:" + out + " = dot_general[dimension_numbers=" + numbers + " preferred_element_type=None] a b in (c,) }"
	}
	for _, c := range []struct {
		name, text string
		product    int // multiplications
	}{
		{"direct", dot(dimensions, "f32[256,512]", "f32[512,512]", "f32[256,512]"), 1 << 26},
		{"packed", dot("(((1,), (1,)), ((), ()))", "f32[512,512]", "f32[512,512]", "f32[512,512]"), 1 << 27},
		{"f64", dot(dimensions, "f64[256,512]", "f64[512,512]", "f64[256,512]"), 1 << 26},
		{"vector", dot(dimensions, "f32[8192,4096]", "f32[4096]", "f32[8192]"), 1 << 25},
		{"vectors", dot("(((0,), (0,)), ((), ()))", "f32[4194304]", "f32[4194304]", "f32[]"), 1 << 22},
		{"batch", dot("(((2,), (1,)), ((0,), (0,)))", "f32[32,128,128]", "f32[32,128,128]", "f32[32,128,128]"), 1 << 26},
		{"convolution", `{ lambda ; a:f32[2,64,64,64] b:f32[64,64,3,3]. let
    c:f32[2,64,64,64] = conv_general_dilated[
      batch_group_count=1
      dimension_numbers=ConvDimensionNumbers(lhs_spec=(0, 1, 2, 3), rhs_spec=(0, 1, 2, 3), out_spec=(0, 1, 2, 3))
      feature_group_count=1
      lhs_dilation=(1, 1)
      padding=((1, 1), (1, 1))
      precision=None
      preferred_element_type=None
      rhs_dilation=(1, 1)
      window_strides=(1, 1)
    ] a b
  in (c,) }`, 2 * 64 * 64 * 64 * 64 * 9},
	} {
		j := ircheck.Parse(t, c.text)
		native := false
		for _, e := range allExecutors() {
			if e.Available() != nil {
				continue
			}
			p, err := newProgram(e, &runtime.Request{Jaxpr: j, Options: runtime.Options{Threads: 1}})
			if err != nil {
				t.Fatalf("%s on %s: %v", c.name, e.Name(), err)
			}
			native = true
			args := make([]*runtime.Array, len(j.Ins))
			// fill fills the arguments with a number, of f32 or f64.
			fill := func(single, double []byte) {
				for i, v := range j.Ins {
					args[i] = runtime.New(v.Type)
					data, number := args[i].Tensor().Data, single
					if v.Type.DType.Bits() == 64 {
						number = double
					}
					copy(data, bytes.Repeat(number, len(data)/len(number)))
				}
			}
			run := func(stop func() bool) []byte {
				x := begin(context.Background(), 1)
				own := x.stop
				x.stop = stop
				outs := []*runtime.Array{runtime.New(j.Outs[0].Aval())}
				if err := p.guarded(x, args, outs); err != nil {
					t.Fatal(err)
				}
				x.stop = own
				x.end()
				return outs[0].Tensor().Data
			}
			polls := 0
			fill([]byte{0, 0, 0x80, 0x3f}, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}) // 1
			run(func() bool { polls++; return false })
			if most := 1 << 25; polls < c.product/most {
				t.Errorf("%s on %s: asked %d times for %d products, want once for %d at least", c.name, e.Name(), polls, c.product, most)
			}
			fill([]byte{0, 0, 0, 0x40}, []byte{0, 0, 0, 0, 0, 0, 0, 0x40}) // 2: memory has results of 1
			var parts [][]byte
			for _, after := range []int{0, polls / 2} {
				left, late := after, 0
				parts = append(parts, run(func() bool {
					if left--; left >= 0 {
						return false
					}
					late++
					return true
				}))
				if late == 0 {
					t.Errorf("%s on %s: did not ask %d times", c.name, e.Name(), after+1)
				}
			}
			for i, whole := 0, run(func() bool { return false }); i < len(parts); i++ {
				if bytes.Equal(parts[i], whole) {
					t.Errorf("%s on %s, stopped at look %d of %d: everything was computed", c.name, e.Name(), i*polls/2, polls)
				}
			}
		}
		if !native {
			t.Skip("no native executor can run here")
		}
	}
}
