//go:build !race

package race

// Enabled is true in a program that is built with -race.
const Enabled = false
