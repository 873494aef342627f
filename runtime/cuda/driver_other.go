//go:build !((linux || windows) && (amd64 || arm64))

package cuda

import "errors"

// Devices returns an error: the driver is not loaded on this platform.
func Devices() ([]string, error) {
	return nil, errors.New("NVIDIA's driver is not loaded on this platform; use linux or Windows on amd64 or arm64")
}
