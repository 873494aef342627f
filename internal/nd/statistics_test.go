package nd_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
)

// What is asked of nothing, or nothing of something, has a shape of its own.
func TestEmptyResults(t *testing.T) {
	x := weft.Of(1, 0, 1, 2)
	for name, c := range map[string]struct {
		got  weft.Array
		want weft.Shape
	}{
		"NonzeroSize of 0 places":            {weft.NonzeroSize(x, 0, -1)[0], weft.Shape{0}},
		"Bincount of 0 numbers":              {weft.Bincount(x, 0), weft.Shape{0}},
		"Quantile with an empty axis":        {weft.Quantile(weft.Zeros(3, 0), 0.5, weft.QuantileConfig{Axes: []int{0}, SkipNaN: true}), weft.Shape{0}},
		"no Quantile of columns":             {weft.Quantile(weft.Zeros(3, 2), weft.Zeros(0), weft.QuantileConfig{Axes: []int{0}, SkipNaN: true}), weft.Shape{0, 2}},
		"Quantiles with an empty axis, Keep": {weft.Quantile(weft.Zeros(3, 0), weft.Zeros(2), weft.QuantileConfig{Axes: []int{0}, SkipNaN: true, Keep: true}), weft.Shape{2, 1, 0}},
	} {
		if got := c.got.Shape(); fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	if got := weft.Bincount(x, 0).DType(); got != weft.Int32 {
		t.Errorf("Bincount of 0 numbers: got %v, want i32", got)
	}
}
