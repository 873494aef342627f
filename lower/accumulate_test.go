package lower_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/runtime"
)

// addedRows adds two rows to a sum in each step of a scan; the second one's place is often outside.
const addedRows = `{ lambda ; s:f32[4,3] x:f32[5,3] i:i32[5]. let
    r:f32[4,3] = scan[
      jaxpr={ lambda ; s:f32[4,3] x:f32[3] i:i32[]. let
          z:f32[4,3] = broadcast_in_dim[broadcast_dimensions=() shape=(4, 3) sharding=None] 0.0:f32[]
          a:f32[1,3] = broadcast_in_dim[broadcast_dimensions=(1,) shape=(1, 3) sharding=None] x
          b:f32[4,3] = dynamic_update_slice z a i 0:i32[]
          c:f32[4,3] = add_any s b
          d:f32[1,3] = neg a
          e:i32[] = mul i 2:i32[]
          f:f32[4,3] = dynamic_update_slice z d e 0:i32[]
          g:f32[4,3] = add_any f c
        in (g,) }
      length=5 num_carry=1 num_consts=0 reverse=True unroll=1
    ] s x i
  in (r,) }`

// Rows are added to a sum where it lies, with the bits of the program as written: also to −0 and NaN.
func TestAccumulate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 5))
	unusual := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), 1e-45, -1e-45, 1, -1}
	for _, dt := range []core.DType{core.Float32, core.Float64, core.BFloat16, core.Float16, core.Complex64, core.Int32} {
		text := strings.NewReplacer("f32", dt.String(), "0.0:f32", "0:"+dt.String()).Replace(addedRows)
		if dt.IsFloat() {
			text = strings.ReplaceAll(addedRows, "f32", dt.String())
		}
		if dt.IsInteger() {
			text = strings.ReplaceAll(text, "add_any", "add")
		}
		j := parse(t, text)
		after := lower.After(j, "accumulate")
		if s := after.String(); strings.Count(s, "dynamic_slice[") != 2 {
			t.Errorf("got\n%v\nwant two rows read from the sum", s)
		}
		for range 20 {
			number := func(n int) core.Value {
				v := make([]float64, n)
				for i := range v {
					if v[i] = unusual[r.IntN(len(unusual))]; dt.IsInteger() {
						v[i] = float64(r.IntN(100))
					}
				}
				x := reference.NewTensor(core.Aval(core.Float64, n))
				copy(reference.View[float64](x), v)
				return core.Apply1(prim.ConvertElementTypeP{NewDType: dt}, runtime.FromTensor(x))
			}
			index := reference.NewTensor(core.Aval(core.Int32, 5))
			for i := range 5 {
				reference.View[int32](index)[i] = int32(r.IntN(8) - 2)
			}
			args := []core.Value{prim.Reshape(number(12), core.MakeDims(4, 3)), prim.Reshape(number(15), core.MakeDims(5, 3)), runtime.FromTensor(index)}
			want := jaxpr.Eval(j, nil, args)[0].(*runtime.Array).Tensor().Data
			got := jaxpr.Eval(after, nil, args)[0].(*runtime.Array).Tensor().Data
			if !bytes.Equal(got, want) {
				t.Fatalf("%v: got %x, want %x of\n%v", dt, got, want, args)
			}
		}
	}
}

// Sums that something else reads, that are made otherwise, or that start from other numbers than zeros, stay.
func TestAccumulateStays(t *testing.T) {
	for _, c := range [][2]string{
		{"add_any f c", "mul c c"},
		{"z d e 0:i32[]", "c d e 0:i32[]"},
		{"add_any f c", "sub c f"},
		{" 0.0:f32[]", " -0.0:f32[]"},
	} {
		j := parse(t, strings.Replace(addedRows, c[0], c[1], 1))
		if after := lower.After(j, "accumulate"); strings.Contains(fmt.Sprint(after), "dynamic_slice[") {
			t.Errorf("got\n%v\nwant it unchanged", after)
		}
	}
	spread := strings.NewReplacer("z:f32[4,3]", "z:f32[1,3]", "shape=(4, 3)", "shape=(1, 3)", "b:f32[4,3]", "b:f32[1,3]", "f:f32[4,3]", "f:f32[1,3]", "add_any", "add")
	if after := lower.After(parse(t, spread.Replace(addedRows)), "accumulate"); strings.Contains(fmt.Sprint(after), "dynamic_slice[") {
		t.Errorf("a row that the addition spreads: got\n%v\nwant it unchanged", after)
	}
}
