// Package opencl runs programs on devices that OpenCL reaches: GPUs of AMD, Intel and
// others, and processors through PoCL. Importing it registers an executor for each
// device, named opencl:0, opencl:1, …:
//
//	import _ "github.com/weft-go/weft/runtime/opencl"
//
//	gpu := weft.DeviceNamed("opencl:0")
//	f := weft.Jit(f, weft.On(gpu))
//
// A device computes the reference executor's bits. One that does not divide and take
// square roots with correct rounding, or has no fused multiply-add or no subnormal
// numbers, is not used; [Devices] states why. The driver is loaded when the process first
// requests its executors, without cgo; a process that imports the package is linked
// dynamically.
//
// Compiled programs are kept in the folder weft/opencl of the user's cache directory, or where
// WEFT_OPENCL_CACHE states; WEFT_OPENCL_CACHE=off keeps none. PoCL has a cache of its own: for
// its devices the folder is used only where the variable names it.
//
// Before version 1.0 nothing here is promised to stay.
package opencl
