package weft_test

import (
	"fmt"
	"testing"

	"github.com/weft-go/weft"
)

func TestAverageWithWeightsOfAnAxis(t *testing.T) {
	x := weft.Of(1., 2, 3, 4, 5, 6).Reshape(2, 3)
	if got := weft.Average(x, weft.Of(1., 0, 1), 1).String(); got != "[2. 5.]" {
		t.Errorf("rows: got %s, want [2. 5.]", got)
	}
	if got := weft.Average(x, weft.Of(3., 1), 0).String(); got != "[1.75 2.75 3.75]" {
		t.Errorf("columns: got %s, want [1.75 2.75 3.75]", got)
	}
	if got := weft.Average(x, weft.Of(3., 1), 0, weft.Keep).String(); got != "[[1.75 2.75 3.75]]" {
		t.Errorf("columns, with Keep: got %s, want [[1.75 2.75 3.75]]", got)
	}
}

func TestCumMin(t *testing.T) {
	x := weft.Of(3, 1, 2, 0, 5, -1).Reshape(2, 3)
	if got := fmt.Sprint(x.CumMin(), x.CumMin(0)); got != "[ 3  1  1  0  0 -1] [[ 3  1  2]\n [ 0  1 -1]]" {
		t.Errorf("got %s", got)
	}
}

func ExampleQuantile() {
	x := weft.Of(1., 2, 3, 4)
	fmt.Println(weft.Quantile(x, 0.5, weft.QuantileConfig{}), weft.Quantile(x, weft.Of(0., 0.25, 1), weft.QuantileConfig{}))
	// Output: 2.5 [1.   1.75 4.  ]
}

func ExampleSegmentReduce() {
	amounts, account := weft.Of(10., 20, 5, 1), weft.Of(0, 1, 0, 2)
	fmt.Println(weft.SegmentReduce(amounts, account, 3, weft.ReduceSum))
	// Output: [15. 20.  1.]
}
