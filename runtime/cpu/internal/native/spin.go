//go:build (amd64 || (arm64 && (darwin || linux || windows))) && !purego

package native

func spin() { pause(4) }
