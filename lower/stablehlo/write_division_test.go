package stablehlo_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/lower/stablehlo"
)

// Starts of updates of divided arrays are bounded in a type that has the bound.
func TestWriteStartsOfUpdates(t *testing.T) {
	if strconv.IntSize < 64 {
		t.Skip("a size exceeds int")
	}
	for _, c := range []struct{ start, size, want string }{
		{"i32", "2147483650", "stablehlo.constant dense<2147483647> : tensor<i32>"},
		{"i32", "2147483651", "stablehlo.constant dense<2147483648> : tensor<i64>"},
		{"ui32", "4294967300", "stablehlo.constant dense<4294967297> : tensor<i64>"},
		{"i8", "300", "stablehlo.constant dense<297> : tensor<i32>"},
		{"ui64", "4294967300", "stablehlo.constant dense<4294967297> : tensor<ui64>"},
	} {
		start := strings.NewReplacer("ui", "u").Replace(c.start)
		j, err := jaxpr.Parse(`{ lambda ; a:i8[`+c.size+`,8] b:i8[3,5] c:`+start+`[]. let
    d:i8[`+c.size+`,8] = dynamic_update_slice a b c c
  in (d,) }`, prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		d := &stablehlo.Division{Mesh: jaxpr.Mesh{Axes: []jaxpr.MeshAxis{{Name: "x", Size: 2}}}, In: make([]stablehlo.Sharding, 3), Out: make([]*stablehlo.Sharding, 1)}
		text, err := stablehlo.Write(j, stablehlo.WriteOptions{Division: d})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(text, c.want) {
			t.Errorf("%s, %s rows: want %s in\n%s", c.start, c.size, c.want, text)
		}
		typ := c.want[strings.LastIndex(c.want, "<")+1 : len(c.want)-1]
		if want := ", tensor<" + typ + ">, tensor<" + typ + ">) ->"; !strings.Contains(text, want) {
			t.Errorf("%s, %s rows: the starts have different types, want %s in\n%s", c.start, c.size, want, text)
		}
	}
}
