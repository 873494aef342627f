//go:build !(amd64 || (linux && arm64)) || purego

package native

func spin() {}
