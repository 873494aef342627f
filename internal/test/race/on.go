//go:build race

package race

// Enabled reports whether the program is built with -race.
const Enabled = true
