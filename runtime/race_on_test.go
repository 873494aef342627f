//go:build race

package runtime

// The race detector allocates on its own.
const raceEnabled = true
