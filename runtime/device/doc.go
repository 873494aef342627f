// Package device runs programs on machines whose memory is not the host's. It contains what
// executors for GPUs have in common: arrays that stay on the device, memory that is reused,
// plans whose kernels run there and whose other equations run on the reference executor. A
// [Driver] reaches one device; packages opencl and cuda have one each.
//
// Before version 1.0 nothing here is promised to stay.
package device
