// Package opencl runs programs on devices with OpenCL drivers: GPUs of AMD, Intel and
// others, and processors through PoCL. Importing it registers an executor for each
// device, named opencl:0, opencl:1, …:
//
//	import _ "github.com/weft-go/weft/runtime/opencl"
//
//	gpu := weft.DeviceNamed("opencl:0")
//	f := weft.Jit(f, weft.On(gpu))
//
// Results have the reference executor's bits. A device that does not divide and take
// square roots with correct rounding, or has no fused multiply-add or no subnormal
// numbers, is not used; [Devices] returns the reason. The driver is loaded when the process
// first requests its executors, without cgo; a process that imports the package is linked
// dynamically.
//
// Compiled programs are kept in the folder weft/opencl of the user's cache directory, or in the
// folder that WEFT_OPENCL_CACHE names; WEFT_OPENCL_CACHE=off keeps none. PoCL has a cache of its
// own: for its devices a folder is used only if the variable names it.
//
// Before version 1.0 anything in this package may change.
package opencl
