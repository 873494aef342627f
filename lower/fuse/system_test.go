package fuse_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/test/primtest"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower"
	"github.com/weft-go/weft/lower/fuse"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/reference/linalg"
	"github.com/weft-go/weft/runtime"
)

// The equations of many small systems are one step, to the bit, where nothing else reads what is between them.
func TestSmallSystems(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	const system = `{ lambda ; x:f64[70,5,5] y:f64[70,5,3]. let
    a:f64[70,5,5] p:i32[70,5] b:i32[70,5] = lu x
    c:bool[70,5] = lt b 0:i32[]
    d:i32[70,5] = add b 5:i32[]
    e:i32[70,5] = select_n c b d
    f:i32[70,5,1] = broadcast_in_dim[broadcast_dimensions=(0, 1) shape=(70, 5, 1) sharding=None] e
    g:f64[70,5,3] = gather[
      dimension_numbers=GatherDimensionNumbers(offset_dims=(2,), collapsed_slice_dims=(1,), start_index_map=(1,), operand_batching_dims=(0,), start_indices_batching_dims=(0,))
      fill_value=None
      indices_are_sorted=False
      mode=GatherScatterMode.FILL_OR_DROP
      slice_sizes=(1, 1, 3)
      unique_indices=False
    ] y f
    h:f64[70,5,3] = triangular_solve[conjugate_a=False left_side=True lower=True transpose_a=False unit_diagonal=True] a g
    i:f64[70,5,3] = triangular_solve[conjugate_a=False left_side=True lower=False transpose_a=False unit_diagonal=False] a h
  in (i,) }`
	shared := strings.NewReplacer("y:f64[70,5,3]. let", `z:f64[5,3]. let
    y:f64[70,5,3] = broadcast_in_dim[broadcast_dimensions=(1, 2) shape=(70, 5, 3) sharding=None] z`).Replace(system)
	for _, c := range []struct {
		name, text, old, new string
		one                  bool
	}{
		{"f64", system, "", "", true},
		{"f32", system, "f64", "f32", true},
		{"shared", shared, "", "", true},
		{"batch axes", strings.NewReplacer("[70,", "[7,10,", "(0, 1)", "(0, 1, 2)", "shape=(70,", "shape=(7, 10,", "offset_dims=(2,)", "offset_dims=(3,)",
			"slice_dims=(1,)", "slice_dims=(2,)", "map=(1,)", "map=(2,)", "batching_dims=(0,)", "batching_dims=(0, 1)", "(1, 1, 3)", "(1, 1, 1, 3)").Replace(system), "", "", true},
		{"few", system, "70", "31", false},
		{"large", system, "5", "17", false},
		{"many right sides", strings.NewReplacer("5,3]", "5,11]", "1, 3)", "1, 11)").Replace(system), "", "", false},
		{"complex", system, "f64", "c64", false},
		{"factors returned", system, "(i,)", "(i, a)", false},
		{"pivots returned", system, "(i,)", "(i, p)", false},
		{"permutation returned", system, "(i,)", "(i, b)", false},
		{"rows returned", system, "(i,)", "(i, g)", false},
		{"forward solution returned", system, "(i,)", "(h, i)", false},
		{"indices returned", system, "(i,)", "(i, f)", false},
		{"other triangle", system, "lower=False", "lower=True", false},
		{"transposed", system, "lower=False transpose_a=False", "lower=False transpose_a=True", false},
		{"no unit diagonal", system, "unit_diagonal=True", "unit_diagonal=False", false},
		{"other order", system, "select_n c b d", "select_n c d b", false},
		{"other matrix", system, "] a h", "] x h", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := c.text
			if c.old != "" {
				text = strings.ReplaceAll(text, c.old, c.new)
			}
			j := parse(t, text)
			if err := jaxpr.Check(j); err != nil {
				t.Fatal(err)
			}
			j = lower.Program(j)
			var args []*reference.Tensor
			var values []core.Value
			for _, v := range j.Ins {
				x := draw(r, v.Type, primtest.Domain{Lo: -1, Hi: 1})
				args, values = append(args, x), append(values, runtime.FromTensor(x))
			}
			p := fuse.Translate(j, fuse.Native())
			same(t, c.name, j, p, args, unboxed(jaxpr.Eval(j, nil, values)))
			one := false
			for _, s := range p.Steps {
				if s, ok := s.(*fuse.Call); ok {
					_, is := s.Eqn.Prim.(linalg.SmallSystemP)
					one = one || is
				}
			}
			if one != c.one {
				t.Errorf("one step: got %v, want %v\n%v", one, c.one, p)
			}
			if one && len(p.Steps) != 1 {
				t.Errorf("got %d steps, want 1\n%v", len(p.Steps), p)
			}
		})
	}
}
