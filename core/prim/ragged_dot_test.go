package prim_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
)

// Sizes of groups may have fewer bits than the number of rows.
func TestRaggedDotOfFewBits(t *testing.T) {
	x, y := weft.Ones(200, 1), weft.Of(2., 3).Reshape(2, 1, 1).AsType(weft.Float32)
	want := weft.Where(weft.Arange(200).Lt(100), float32(2), float32(3)).Reshape(200, 1)
	for _, dt := range []weft.DType{weft.Int8, weft.Uint8, weft.Int64} {
		got := weft.FromValue(core.Bind1(prim.RaggedDotP{}, x.Value(), y.Value(), weft.Of(100, 100).AsType(dt).Value()))
		if got.Ne(want).Any().Bool() {
			t.Errorf("%v: rows differ", dt)
		}
	}
}

// The three forms, as JAX 0.10.2 writes the derivative of ragged_dot, read, print and compute: two
// groups of one and two rows, and a row of no group.
func TestRaggedForms(t *testing.T) {
	const numbers = "RaggedDotDimensionNumbers(dot_dimension_numbers="
	for _, c := range []struct {
		numbers, types, out string
		y, want             weft.Array
	}{
		{"(((1,), (1,)), ((), ())), lhs_ragged_dimensions=(0,), rhs_group_dimensions=(0,))", "b:f32[2,2,1]", "f32[4,1]",
			weft.Of[float32](1, 10, 100, 1000).Reshape(2, 2, 1), weft.Of[float32](21, 4300, 6500, 0).Reshape(4, 1)},
		{"(((1,), (2,)), ((), ())), lhs_ragged_dimensions=(0,), rhs_group_dimensions=(0,))", "b:f32[2,1,2]", "f32[4,1]",
			weft.Of[float32](1, 10, 100, 1000).Reshape(2, 1, 2), weft.Of[float32](21, 4300, 6500, 0).Reshape(4, 1)},
		{"(((0,), (0,)), ((), ())), lhs_ragged_dimensions=(0,), rhs_group_dimensions=())", "b:f32[4,1]", "f32[2,2,1]",
			weft.Of[float32](1, 10, 100, 1000).Reshape(4, 1), weft.Of[float32](1, 2, 530, 640).Reshape(2, 2, 1)},
	} {
		text := "{ lambda ; a:f32[4,2] " + c.types + " c:i32[2]. let\n    d:" + c.out + ` = ragged_dot_general[
      group_offset=None
      out_sharding=None
      precision=None
      preferred_element_type=None
      ragged_dot_dimension_numbers=` + numbers + c.numbers + "\n    ] a b c\n  in (d,) }"
		j, err := jaxpr.Parse(text, prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		if got := j.String(); got != text {
			t.Errorf("prints\n%s\nfor\n%s", got, text)
		}
		x := weft.Of[float32](1, 2, 3, 4, 5, 6, 7, 8).Reshape(4, 2)
		got := weft.FromValue(core.Bind1(j.Eqns[0].Prim, x.Value(), c.y.Value(), weft.Of[int32](1, 2).Value()))
		if got.Ne(c.want).Any().Bool() {
			t.Errorf("%s: %v for %v", c.numbers, got, c.want)
		}
	}
}

// Rows of other groups, and of none, are in no sum, whatever they are.
func TestRaggedSumsOfGroupsAlone(t *testing.T) {
	nan := float32(math.NaN())
	for k, want := range [][]float32{{nan, nan, 5, 5}, {1, 1, nan, nan}, {1, 1, nan, nan}, {1, 1, 5, 5}} {
		for operand := range 2 {
			x, y := weft.Ones(4, 2), weft.FromSlice([]float32{1, 2, 3, 4}).Reshape(4, 1)
			if bad := weft.FromSlice([]float32{0, 0, 0, 0}).At(k).Set(nan).Reshape(4, 1); operand == 0 {
				x = x.Add(bad)
			} else {
				y = y.Add(bad)
			}
			p := prim.RaggedDotP{Form: prim.RaggedSums}
			got := weft.FromValue(core.Bind1(p, x.Value(), y.Value(), weft.Of[int32](1, 2).Value())).Reshape(4)
			for i, g := range weft.ToSlice[float32](got) {
				if g != want[i] && (g == g || want[i] == want[i]) {
					t.Errorf("NaN in row %d of operand %d: %v, want %v", k, operand, got, want)
					break
				}
			}
		}
	}
}
