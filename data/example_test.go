package data_test

import (
	"context"
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/data"
)

// Flowers is a data set: both fields have an entry for each example.
type Flowers struct {
	Leaves weft.Array // [n, 2]
	Kind   []string
}

var flowers = Flowers{
	Leaves: weft.Of(5.1, 3.5, 4.9, 3.0, 6.3, 3.3, 5.8, 2.7, 7.1, 3.0).Reshape(5, 2),
	Kind:   []string{"setosa", "setosa", "virginica", "virginica", "virginica"},
}

func ExampleBatches() {
	for b := range data.Batches(flowers, 2, data.KeepRest) {
		fmt.Println(b.Kind, b.Leaves.Mean(0))
	}
	// Output:
	// [setosa setosa] [5.   3.25]
	// [virginica virginica] [6.05 3.  ]
	// [virginica] [7.1 3. ]
}

func ExampleShuffle() {
	fmt.Println(data.Shuffle(weft.Arange(8), 1))
	fmt.Println(data.Shuffle(weft.Arange(8), 2))
	// Output:
	// [0 3 1 2 4 6 5 7]
	// [6 5 4 2 1 3 0 7]
}

func ExampleSplit() {
	train, test := data.Split(flowers, 3, 0)
	fmt.Println(data.Len(train), data.Len(test))
	// Output: 3 2
}

func ExampleTake() {
	fmt.Println(data.Take(flowers, []int{4, 0}).Kind)
	// Output: [virginica setosa]
}

func ExampleEpochs() {
	for epoch, b := range data.Epochs(weft.Arange(4), 2, 2, data.DropRest, 7) {
		fmt.Println(epoch, b)
	}
	// Output:
	// 0 [2 1]
	// 0 [3 0]
	// 1 [3 0]
	// 1 [2 1]
}

func ExamplePrefetch() {
	ctx := context.Background()
	sum := weft.Scalar(0)
	for b := range data.Prefetch(ctx, data.Batches(weft.Arange(10), 4, data.KeepRest), 2) {
		sum = sum.Add(b.Sum())
	}
	fmt.Println(sum, ctx.Err())
	// Output: 45 <nil>
}
