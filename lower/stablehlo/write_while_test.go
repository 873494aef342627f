package stablehlo_test

import (
	"context"
	"slices"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/reference"
	"github.com/weft-go/weft/lower/stablehlo"
	"github.com/weft-go/weft/runtime"
)

// A loop with lanes chooses between all words of the keys that it carries: lane i exchanges its two keys i times.
func TestWriteLoopOfKeys(t *testing.T) {
	j, err := jaxpr.Parse(`{ lambda ; a:key<fry>[3] b:key<fry>[3] c:i32[3]. let
    d:key<fry>[3] e:key<fry>[3] f:i32[3] = while[
      body_jaxpr={ lambda ; g:key<fry>[3] h:key<fry>[3] i:i32[3]. let j:i32[3] = sub i 1:i32[] in (h, g, j) }
      body_nconsts=0
      cond_jaxpr={ lambda ; k:key<fry>[3] l:key<fry>[3] m:i32[3]. let n:bool[3] = gt m 0:i32[] in (n,) }
      cond_nconsts=0
    ] a b c
  in (d, e, f) }`, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	text, err := stablehlo.Write(j, writing)
	if err != nil {
		t.Fatal(err)
	}
	m, err := stablehlo.Parse("keys.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	words, counts := core.Aval(core.Uint32, 3, 2), core.Aval(core.Int32, 3)
	p, err := m.Program(m.Main(), []core.ShapedArray{words, words, counts}, options)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c := runtime.New(words), runtime.New(words), runtime.New(counts)
	copy(reference.View[uint32](a.Tensor()), []uint32{1, 2, 3, 4, 5, 6})
	copy(reference.View[uint32](b.Tensor()), []uint32{11, 12, 13, 14, 15, 16})
	copy(reference.View[int32](c.Tensor()), []int32{0, 1, 2})
	got, err := runtime.Evaluate(context.Background(), runtime.Reference, p.Jaxpr, []*runtime.Array{a, b, c})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]uint32{{1, 2, 13, 14, 5, 6}, {11, 12, 3, 4, 15, 16}, {0, 0, 0}} {
		if x := reference.View[uint32](got[i].Tensor()); !slices.Equal(x, want) {
			t.Errorf("result %d: got %v, want %v", i, x, want)
		}
	}
}
