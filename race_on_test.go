//go:build race

package weft_test

// The race detector allocates on its own.
const raceEnabled = true
