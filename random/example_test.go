package random_test

import (
	"fmt"

	"github.com/weft-go/weft"
	"github.com/weft-go/weft/random"
)

func ExampleNew() {
	key := random.New(42)
	fmt.Println(key)
	fmt.Println(random.Uniform(key, 3))
	// The same key produces the same numbers.
	fmt.Println(random.Uniform(key, 3))
	// Output:
	// key<fry>[] [ 0 42]
	// [0.48870957 0.6797972  0.6162715 ]
	// [0.48870957 0.6797972  0.6162715 ]
}

func ExampleKey_Split() {
	key := random.New(0)
	for range 2 {
		var sub random.Key
		key, sub = key.Split() // key goes on, sub is drawn from
		fmt.Println(random.RandInt(sub, 0, 100, 5))
	}
	// Output:
	// [22 22 96 35 51]
	// [68 79 74 98  2]
}

func ExampleKey_SplitN() {
	keys := random.New(0).SplitN(3)
	fmt.Println(random.Uniform(keys.At(0)))
	// All at once: one draw per key.
	fmt.Println(weft.Vmap(func(k random.Key) weft.Array { return random.Uniform(k) })(keys))
	// Output:
	// 0.8423141
	// [0.8423141  0.00729382 0.9024495 ]
}

func ExampleKey_FoldIn() {
	key := random.New(7)
	for epoch := range 2 {
		fmt.Println(random.Permutation(key.FoldIn(epoch), 6))
	}
	// Output:
	// [1 2 4 3 0 5]
	// [0 4 1 2 5 3]
}

func ExampleNormal() {
	fmt.Printf("%.3f\n", random.Normal(random.New(1), 2, 3))
	// Output:
	// [[-0.154  0.085 -0.136]
	//  [-0.155  1.267  0.148]]
}

func ExampleAs() {
	fmt.Printf("%+.3v\n", random.Normal(random.As(random.New(1), weft.BFloat16), 4))
	// Output:
	// bf16[4] [ 0.562  -0.69 -0.054   1.55]
}

// The gradient of a mean over samples goes through the samples: their noise is held
// fixed.
func ExampleUniformIn() {
	key := random.New(3)
	mean := func(width weft.Array) weft.Array { return random.UniformIn(key, 0., width, 10000).Mean() }
	fmt.Printf("%.2f\n", weft.Grad(mean)(weft.Scalar(4.)))
	// Output:
	// 0.50
}

func ExampleChoiceFrom() {
	hand := random.ChoiceFrom(random.New(5), 52, random.ChoiceConfig{Shape: []int{5}, Unique: true})
	fmt.Println(hand)
	// Output:
	// [45 10 17 43 31]
}

func ExampleCategorical() {
	logits := weft.Log(weft.Of(0.7, 0.2, 0.1))
	draws := random.Categorical(random.New(0), logits, 10000)
	fmt.Printf("%.2f\n", weft.OneHot(draws, 3).Mean(0))
	// Output:
	// [0.70 0.20 0.10]
}

// A walk whose key is part of the carry.
func ExampleKey_scan() {
	type state struct {
		Key random.Key
		At  weft.Array
	}
	_, path := weft.ScanN(func(s state) (state, weft.Array) {
		key, sub := s.Key.Split()
		at := s.At.Add(random.Rademacher(sub))
		return state{key, at}, at
	}, state{random.New(9), weft.Scalar(int32(0))}, 8)
	fmt.Println(path)
	// Output:
	// [ 1  0 -1  0  1  2  3  2]
}
