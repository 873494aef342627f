//go:build !amd64 || purego

package native

var detected Features
