//go:build race

package cpu_test

// The race detector allocates on its own, and pools drop objects at random.
const raceEnabled = true
