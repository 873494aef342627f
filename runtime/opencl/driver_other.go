//go:build !((linux || darwin || windows) && (amd64 || arm64))

package opencl

import "errors"

// Devices returns an error: C libraries are not loaded on this platform.
func Devices() ([]string, error) {
	return nil, errors.New("C libraries are not loaded on this platform; use linux, macOS or Windows on amd64 or arm64")
}
