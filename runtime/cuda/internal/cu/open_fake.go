//go:build linux && (amd64 || arm64) && fakecuda

package cu

import "github.com/weft-go/weft/internal/test/fakecuda"

// open starts a driver library that evaluates kernels: under the build tag fakecuda the device cuda:0 is one without a GPU, so
// that bench/gpu.sh is known to work before there is one.
func open() (uintptr, error) {
	fakecuda.New().Capability = 90
	return 1, nil
}

func symbol(_ uintptr, name string) (uintptr, error) { return fakecuda.Current().Symbol(name) }
