//go:build race

package cpu_test

// The race detector allocates on its own, and pools forget at random.
const raceEnabled = true
