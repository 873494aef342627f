package nn_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/nn"
)

func ExampleMaxPool() {
	x := weft.Arange(16).Reshape(4, 4)
	fmt.Println(nn.MaxPool(x, nn.PoolConfig{Window: []int{2, 2}}))
	// Output:
	// [[ 5  7]
	//  [13 15]]
}

func ExampleCrossEntropy() {
	logits := weft.Of(2., 1, 0, 0, 0, 5).Reshape(2, 3)
	fmt.Printf("%.3f\n", nn.CrossEntropy(logits, weft.Of(0, 2)))
	// Output: [0.408 0.013]
}
