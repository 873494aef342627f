//go:build race && linux && (amd64 || arm64) && !drivers

package cuda

// The race detector allocates on its own.
const raceEnabled = true
