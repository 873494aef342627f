// Package cuda runs programs on NVIDIA's GPUs. Importing it registers an executor for
// each device, named cuda:0, cuda:1, …:
//
//	import _ "github.com/weft-go/weft/runtime/cuda"
//
//	gpu := weft.DeviceNamed("cuda:0")
//	f := weft.Jit(f, weft.On(gpu))
//
// The driver is all that must be installed: kernels are printed as PTX, which the driver
// compiles. Results have the reference executor's bits, unless weft.Precision(weft.Fast) permits
// others. The driver is loaded when the process first requests its executors, without cgo; a
// process that imports the package is linked dynamically.
//
// Machine code is kept in the folder weft/cuda of the user's cache directory, or in the folder
// that WEFT_CUDA_CACHE names; WEFT_CUDA_CACHE=off keeps none.
//
// WEFT_CUDA_MEMORY, for example 8GiB or 50%, and [LimitMemory] bound the memory that the process uses of each device.
//
// Before version 1.0 anything in this package may change.
package cuda
