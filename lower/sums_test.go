package lower_test

import (
	"bytes"
	"fmt"
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

// A sum of products that are large together has the bits of the sum of all of them, and holds some at
// a time.
func TestSumsHoldSome(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 6))
	for _, c := range []struct {
		text string
		dt   core.DType
		held bool
	}{
		{sumOf("17,1,330", "17,1,400", "17,330,400"), core.Float32, true},
		{sumOf("65,1,200", "65,1,200", "65,200,200"), core.Float64, true},
		{sumOf("72,3,330", "72,3,100", "72,330,100"), core.Float32, true},
		{sumOf("9,2,600", "9,2,800", "9,600,800"), core.BFloat16, true},
		{sumOf("9,1,600", "9,1,800", "9,600,800"), core.Float16, true},
		{sumOf("9,1,600", "9,1,600", "9,600,600"), core.Int32, true},
		{sumOf("9,1,400", "9,1,400", "9,400,400"), core.Complex64, true},
		{sumOf("8,1,600", "8,1,800", "8,600,800"), core.Float32, false},
		{sumOf("17,1,30", "17,1,40", "17,30,40"), core.Float32, false},
		{`{ lambda ; a:f32[5,4,1,330] b:f32[5,4,1,400]. let
			c:f32[5,4,330,400] = dot_general[dimension_numbers=(([2], [2]), ([0, 1], [0, 1]))] a b
			d:f32[330,5,400,4] = transpose[permutation=(2, 0, 3, 1)] c
			e:f32[330,400] = psum[axes=(1, 3) axis_index_groups=None] d
		in (e,) }`, core.Float32, true},
		{`{ lambda ; a:f32[40,3,2,100] b:f32[3,40,2,300]. let
			c:f32[3,40,100,300] = dot_general[dimension_numbers=(([2], [2]), ([1, 0], [0, 1]))] a b
			d:f32[3,40,30000] = reshape[dimensions=None new_sizes=(3, 40, 30000) sharding=None] c
			e:f32[3,30000] = psum[axes=(1,) axis_index_groups=None] d
		in (e,) }`, core.Float32, true},
	} {
		j := parse(t, strings.ReplaceAll(c.text, "f32", c.dt.String()))
		after := lower.After(j, "sums")
		if err := jaxpr.Check(after); err != nil {
			t.Fatal(err)
		}
		if held := strings.Contains(fmt.Sprint(after), "scan["); held != c.held {
			t.Errorf("a loop: got %v, want %v in\n%v", held, c.held, after)
		}
		in := normals(r, j.InAvals(), c.dt)
		want, got := jaxpr.Eval(j, nil, in)[0].(*runtime.Array), jaxpr.Eval(after, nil, in)[0].(*runtime.Array)
		if !bytes.Equal(got.Tensor().Data, want.Tensor().Data) {
			t.Errorf("%v: got other bits than the sum of all products of\n%v", c.dt, j)
		}
	}
}

// normals returns arrays of random numbers, with zeros and small ones among them.
func normals(r *rand.Rand, avals []core.ShapedArray, dt core.DType) (in []core.Value) {
	for _, a := range avals {
		x := reference.NewTensor(core.Aval(core.Float32, a.Size()))
		for i := range reference.View[float32](x) {
			v := float32(r.NormFloat64())
			switch r.IntN(50) {
			case 0:
				v = 0
			case 1:
				v *= 1e-30
			}
			reference.View[float32](x)[i] = v
		}
		var v core.Value = runtime.FromTensor(x)
		if dt.IsComplex() {
			v = prim.Complex(v, prim.Sin(v))
		}
		in = append(in, prim.Reshape(core.Apply1(prim.ConvertElementTypeP{NewDType: dt}, v), a.Shape))
	}
	return in
}

// sumOf returns the program of the sum of products over their leading axis.
func sumOf(a, b, c string) string {
	n, _, _ := strings.Cut(c, ",")
	rest := strings.TrimPrefix(c, n+",")
	return fmt.Sprintf(`{ lambda ; a:f32[%s] b:f32[%s]. let
		c:f32[%s] = dot_general[dimension_numbers=(([1], [1]), ([0], [0]))] a b
		d:f32[%s] = psum[axes=(0,) axis_index_groups=None] c
	in (d,) }`, a, b, c, rest)
}

// A batch of products with one array, which every device has a copy of, is one product.
func TestProductsOfCopies(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 7))
	for _, c := range []struct {
		text         string
		one, complex bool
	}{
		{`{ lambda ; a:f32[5,2,3] b:f32[4,3]. let
			c:f32[5,4,3] = broadcast_in_dim[broadcast_dimensions=(1, 2) shape=(5, 4, 3) sharding=None] b
			d:f32[5,2,4] = dot_general[dimension_numbers=(([2], [2]), ([0], [0]))] a c
		in (d,) }`, true, false},
		{`{ lambda ; a:f32[5,2,3] b:f32[6,3,4]. let
			c:f32[6,3,5,4] = broadcast_in_dim[broadcast_dimensions=(0, 1, 3) shape=(6, 3, 5, 4) sharding=None] b
			d:f32[5,6,4,2] = dot_general[dimension_numbers=(([1], [2]), ([2], [0]))] c a
		in (d,) }`, true, false},
		{`{ lambda ; a:f32[2,5,3] b:f32[3]. let
			c:f32[5,3] = broadcast_in_dim[broadcast_dimensions=(1,) shape=(5, 3) sharding=None] b
			d:f32[5,2] = dot_general[dimension_numbers=(([1], [2]), ([0], [1]))] c a
		in (d,) }`, false, false},
		{`{ lambda ; a:f32[5,2,3] b:f32[5,3]. let
			c:f32[5,4,3] = broadcast_in_dim[broadcast_dimensions=(0, 2) shape=(5, 4, 3) sharding=None] b
			d:f32[5,2,4] = dot_general[dimension_numbers=(([2], [2]), ([0], [0]))] a c
		in (d,) }`, false, false},
		{`{ lambda ; a:f32[5,2,3] b:f32[1,3]. let
			c:f32[5,4,3] = broadcast_in_dim[broadcast_dimensions=(1, 2) shape=(5, 4, 3) sharding=None] b
			d:f32[5,2,4] = dot_general[dimension_numbers=(([2], [2]), ([0], [0]))] a c
		in (d,) }`, false, false},
		{`{ lambda ; a:f32[5,2,3] b:f32[4,3]. let
			c:f32[5,4,3] = broadcast_in_dim[broadcast_dimensions=(1, 2) shape=(5, 4, 3) sharding=None] b
			d:f32[5,2,4] = dot_general[dimension_numbers=(([2], [2]), ([0], [0]))] a c
		in (d,) }`, true, true},
		{`{ lambda ; a:f32[5,2,3] b:f32[6,3,4]. let
			c:f32[6,3,5,4] = broadcast_in_dim[broadcast_dimensions=(0, 1, 3) shape=(6, 3, 5, 4) sharding=None] b
			d:f32[5,6,4,2] = dot_general[dimension_numbers=(([1], [2]), ([2], [0]))] c a
		in (d,) }`, false, true},
	} {
		dt, text := core.Float32, c.text
		if c.complex {
			dt, text = core.Complex64, strings.ReplaceAll(text, "f32", "c64")
		}
		j := parse(t, text)
		after := lower.After(j, "identities")
		if err := jaxpr.Check(after); err != nil {
			t.Fatal(err)
		}
		if one := strings.Contains(fmt.Sprint(after), "([], [])"); one != c.one {
			t.Errorf("one product: got %v, want %v in\n%v", one, c.one, after)
		}
		in := normals(r, j.InAvals(), dt)
		want, got := jaxpr.Eval(j, nil, in)[0].(*runtime.Array), jaxpr.Eval(after, nil, in)[0].(*runtime.Array)
		if !bytes.Equal(got.Tensor().Data, want.Tensor().Data) {
			t.Errorf("got other bits than of\n%v", j)
		}
	}
}
