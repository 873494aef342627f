//go:build linux && (amd64 || arm64) && fakecuda

package cu

import "github.com/weft-go/weft/internal/test/fakecuda"

// open starts a fake driver, which evaluates kernels. Under the build tag fakecuda the device cuda:0 needs no GPU, so that
// bench/gpu.sh can be tested without one.
func open() (uintptr, error) {
	fakecuda.New().Capability = 90
	return 1, nil
}

func symbol(_ uintptr, name string) (uintptr, error) { return fakecuda.Current().Symbol(name) }
