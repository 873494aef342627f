//go:build !race && linux && (amd64 || arm64) && !drivers

package cuda

const raceEnabled = false
