//go:build !long

package transforms_test

// How deep stacks are: see stacks_long_test.go for what is run by hand.
const (
	plainDepth = 3
	allDepth   = 2
)

// randomStacks is how many random stacks there are of depth 3, 4, 5, 6.
var randomStacks = []int{1000, 1000, 400, 200}

// wide is how wide programs are.
const wide = 3_000
