// Package device runs programs on machines whose memory is not the host's. It contains what
// executors for GPUs have in common: arrays that stay on the device, memory that is reused,
// plans whose kernels run there and whose other equations run on the reference executor. A
// [Driver] controls one device; packages opencl and cuda implement it.
//
// Before version 1.0 anything in this package may change.
package device
