//go:build !amd64 || purego

package native

func spin() {}
