package nn_test

import (
	"strings"
	"testing"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
	"github.com/weft-go/weft/random"
)

// Inputs in another layout are refused by the layer's name, with the layout that it takes.
func TestRecurrentLayout(t *testing.T) {
	lstm, gru := nn.NewLSTM(random.New(1), 4, 3), nn.NewGRU(random.New(1), 4, 3)
	for _, c := range []struct {
		batch []int
		x     weft.Array
		want  string // "": it runs
	}{
		{[]int{8}, weft.Ones(5, 8, 4), ""}, {nil, weft.Ones(5, 4), ""}, {[]int{2, 3}, weft.Ones(5, 2, 3, 4), ""}, {[]int{8}, weft.Ones(5, 4), ""},
		{[]int{8}, weft.Ones(5, 1, 4), ""}, {[]int{0}, weft.Ones(5, 0, 4), ""}, {[]int{8}, weft.Ones(0, 8, 4), ""},
		{[]int{8}, weft.Ones(8, 5, 4), "here [steps, 8, 4] (got f32[8,5,4] beside the state f32[8,3]); exchange the first two axes with SwapAxes(0, 1)"},
		{[]int{8}, weft.Ones(5, 8, 7), "here [steps, 8, 4] (got f32[5,8,7] beside the state f32[8,3]); reshape"},
		{nil, weft.Ones(5, 8, 4), "here [steps, 4] (got f32[5,8,4] beside the state f32[3]); reshape"},
		{nil, weft.Ones(4), "here [steps, 4] (got f32[4] beside the state f32[3]); reshape"},
	} {
		for name, f := range map[string]func() weft.Array{
			"LSTM": func() weft.Array { _, y := lstm.Apply(lstm.Zero(c.batch...), c.x); return y },
			"GRU":  func() weft.Array { _, y := gru.Apply(gru.Zero(c.batch...), c.x); return y },
		} {
			_, err := weft.Try(f)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s of %v with a batch of %v: got error %v", name, c.x.Shape(), c.batch, err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), name+".Apply: the inputs are laid out as [steps, batch…, features], "+c.want)):
				t.Errorf("%s of %v with a batch of %v: got %v, want %q", name, c.x.Shape(), c.batch, err, c.want)
			}
		}
	}
}
