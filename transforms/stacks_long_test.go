//go:build long

package transforms_test

// These tests take some minutes: go test -tags long -run TestStacks ./transforms
const (
	plainDepth = 4
	allDepth   = 3
)

// randomStacks is how many random stacks there are of depth 4, 5, 6.
var randomStacks = []int{20000, 10000, 5000}

// wide is how wide programs are.
const wide = 100_000
