package weft_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
)

// A NaN goes through Relu and Relu6, as through any operation: nothing hides it.
func TestReluOfNaN(t *testing.T) {
	for name, f := range map[string]func(weft.Array) weft.Array{"Relu": weft.Relu, "Relu6": weft.Relu6} {
		if y := f(weft.Scalar(math.NaN())); !math.IsNaN(y.Float()) {
			t.Errorf("%s(NaN) = %v", name, y)
		}
	}
}
