package nn_test

import (
	"math"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

// A NaN goes through Relu and Relu6, as through any operation: nothing hides it.
func TestReluOfNaN(t *testing.T) {
	for name, f := range map[string]func(weft.Array) weft.Array{"Relu": nn.Relu, "Relu6": nn.Relu6} {
		if y := f(weft.Scalar(math.NaN())); !math.IsNaN(y.Float()) {
			t.Errorf("%s(NaN) = %v", name, y)
		}
	}
}
