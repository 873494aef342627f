package cpu

import (
	"errors"
	"testing"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/core/prim"
	"github.com/weft-go/weft/jaxpr"
	"github.com/weft-go/weft/runtime"
)

// An executor whose instructions the processor lacks refuses programs and eager operations: its
// code would end the process.
func TestLackingProcessor(t *testing.T) {
	for _, e := range allExecutors() {
		if e.Available() == nil {
			continue
		}
		x := core.ShapedArray{Shape: core.MakeDims(4096), DType: core.Float32}
		if e.Leaf(prim.NegP{}, []core.ShapedArray{x}, []core.ShapedArray{x}) != nil {
			t.Errorf("%s: got code of an operation", e.name)
		}
		j, err := jaxpr.Parse("{ lambda ; a:f32[4096]. let b:f32[4096] = neg a in (b,) }", prim.Vocabulary)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Compile(&runtime.Request{Jaxpr: j})
		if !errors.Is(err, core.ErrDevice) {
			t.Errorf("%s: got the error %v of Compile, want one of kind %v", e.name, err, core.ErrDevice)
		}
	}
}
