package device

import "github.com/weft-go/weft/runtime"

// CapacityOf returns the bytes of a device's memory, 0 if they are not known.
func CapacityOf(e runtime.Executor) int { return e.(*executor).driver.Capacity() }

// HasTensorCores reports whether products under weft.Fast may use tensor cores of a device.
func HasTensorCores(e runtime.Executor) bool {
	t, ok := e.(*executor).driver.(Tensorer)
	return ok && t.TensorCores().MMA
}

// TensorConv describes a convolution of a plan that runs on tensor cores.
var TensorConv = tensorConv
