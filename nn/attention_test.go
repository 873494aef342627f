package nn_test

import (
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

// The mean of integers is none.
func TestAttentionToIntegers(t *testing.T) {
	x := weft.Ones(2, 1, 4)
	v := weft.Of(3, 6).Reshape(2, 1, 1)
	y := nn.Attention(x, x, v, nn.AttentionConfig{})
	if got := y.Reshape(-1); y.DType() != weft.Float32 || got.Ne(4.5).Any().Bool() {
		t.Errorf("got %v, want the mean 4.5 of 3 and 6", y)
	}
}
