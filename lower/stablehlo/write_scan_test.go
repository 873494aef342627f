package stablehlo_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
)

// A scan of length 0 is written as its carry and empty arrays: XLA refuses to slice a row from an empty array.
func TestWriteScanOfNothing(t *testing.T) {
	j, err := jaxpr.Parse(`{ lambda ; a:f32[] b:f32[0,2]. let
    c:f32[] d:f32[0,2] = scan[
      jaxpr={ lambda ; e:f32[] f:f32[2]. let g:f32[] = sin e; h:f32[2] = mul f g in (g, h) }
      length=0
      num_carry=1
      num_consts=0
      reverse=False
      unroll=1
    ] a b
  in (c, d) }`, prim.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	text, err := stablehlo.Write(j, stablehlo.WriteOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "stablehlo.while") || strings.Contains(text, "slice") {
		t.Errorf("got a loop:\n%s", text)
	}
	if _, err := stablehlo.Parse("scan.mlir", text); err != nil {
		t.Errorf("got %v reading\n%s", err, text)
	}
}
