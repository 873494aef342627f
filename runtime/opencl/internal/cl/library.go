//go:build (linux || darwin || windows) && (amd64 || arm64)

// Package cl calls the OpenCL library of the machine, which it loads without cgo.
package cl

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Handle is an object of the library, or 0.
type Handle uintptr

var names = [...]string{
	"clGetPlatformIDs", "clGetPlatformInfo", "clGetDeviceIDs", "clGetDeviceInfo", "clCreateContext", "clCreateCommandQueue",
	"clCreateProgramWithSource", "clBuildProgram", "clGetProgramBuildInfo", "clCreateKernel", "clSetKernelArg", "clEnqueueNDRangeKernel",
	"clCreateBuffer", "clReleaseMemObject", "clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueCopyBuffer",
	"clEnqueueMarkerWithWaitList", "clWaitForEvents", "clRetainEvent", "clReleaseEvent", "clFlush", "clReleaseProgram", "clReleaseKernel",
	"clCreateProgramWithBinary", "clGetProgramInfo", "clGetKernelWorkGroupInfo",
}

const (
	getPlatformIDs = iota
	getPlatformInfo
	getDeviceIDs
	getDeviceInfo
	createContext
	createCommandQueue
	createProgramWithSource
	buildProgram
	getProgramBuildInfo
	createKernel
	setKernelArg
	enqueueNDRangeKernel
	createBuffer
	releaseMemObject
	enqueueReadBuffer
	enqueueWriteBuffer
	enqueueCopyBuffer
	enqueueMarkerWithWaitList
	waitForEvents
	retainEvent
	releaseEvent
	flush
	releaseProgram
	releaseKernel
	createProgramWithBinary
	getProgramInfo
	getKernelWorkGroupInfo
)

// functions contains the addresses of the functions in names. Tests replace them while goroutines that
// release memory may call them.
var functions [len(names)]atomic.Uintptr

// Load loads the library, once. It returns an error if there is none, or if it lacks a function.
var Load = sync.OnceValue(func() error {
	lib, err := open()
	if err != nil {
		return fmt.Errorf("there is no OpenCL library (%w); install the driver of the device", err)
	}
	for i, n := range names {
		f, err := symbol(lib, n)
		if err != nil {
			return fmt.Errorf("the OpenCL library has no function %s: %w", n, err)
		}
		functions[i].Store(f)
	}
	return nil
})

// call calls a function. Its callers write pointers as uintptr(unsafe.Pointer(…)) in the
// call itself, which keeps what they point to in place.
//
//go:uintptrescapes
func call(f int, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(functions[f].Load(), args...)
	return r
}

// Error is an error code that a function of the library returned.
type Error struct {
	Function string
	Code     int32
}

// Error returns the function and the name of the code.
func (e *Error) Error() string {
	if n, ok := codes[e.Code]; ok {
		return fmt.Sprintf("%s failed: %s", e.Function, n)
	}
	return fmt.Sprintf("%s failed with code %d", e.Function, e.Code)
}

// OutOfMemory reports whether memory may have been exhausted.
func (e *Error) OutOfMemory() bool {
	return e.Code == -4 || e.Code == -5 || e.Code == -6 || e.Code == -61 // −61: the buffer is larger than the device allows
}

// FromKernel reports whether a running kernel may have caused the error, which any later call may return. One of
// these codes, out of resources, may also concern the call itself.
func (e *Error) FromKernel() bool {
	const leastVendor = -2000 // codes below are a vendor's own, such as −9999 for a kernel that reads outside of memory
	return e.Code == -5 || e.Code == -14 || e.Code == -36 || e.Code < leastVendor
}

var codes = map[int32]string{
	-1: "device not found", -2: "device not available", -4: "memory object allocation failure", -5: "out of resources", -6: "out of host memory",
	-11: "build program failure", -14: "a command before failed", -30: "invalid value", -33: "invalid device", -34: "invalid context", -42: "invalid binary", -36: "invalid command queue",
	-38: "invalid memory object", -44: "invalid program", -45: "invalid program executable", -46: "invalid kernel name", -48: "invalid kernel",
	-49: "invalid argument index", -50: "invalid argument value", -51: "invalid argument size", -52: "invalid kernel arguments",
	-53: "invalid work dimension", -54: "invalid work group size", -55: "invalid work item size", -61: "invalid buffer size", -1001: "no driver is installed",
}

func check(f int, r uintptr) error {
	if code := int32(r); code != 0 {
		return &Error{names[f], code}
	}
	return nil
}

// Devices returns all devices of all platforms. Platforms that fail are left out; if there is no device, it returns their errors.
func Devices() ([]Handle, error) {
	var n uint32
	if err := check(getPlatformIDs, call(getPlatformIDs, 0, 0, uintptr(unsafe.Pointer(&n)))); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, nil
	}
	platforms := make([]Handle, n)
	if err := check(getPlatformIDs, call(getPlatformIDs, uintptr(n), uintptr(unsafe.Pointer(&platforms[0])), 0)); err != nil {
		return nil, err
	}
	var all []Handle
	var failed error
	for _, p := range platforms {
		const every, notFound = 0xffffffff, -1
		var k uint32
		if r := call(getDeviceIDs, uintptr(p), every, 0, 0, uintptr(unsafe.Pointer(&k))); r != 0 || k == 0 {
			if int32(r) != notFound { // which a platform without devices returns
				failed = errors.Join(failed, check(getDeviceIDs, r))
			}
			continue
		}
		ds := make([]Handle, k)
		if err := check(getDeviceIDs, call(getDeviceIDs, uintptr(p), every, uintptr(k), uintptr(unsafe.Pointer(&ds[0])), 0)); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		all = append(all, ds...)
	}
	if len(all) == 0 {
		return nil, failed
	}
	return all, nil
}

// The properties of devices.
const (
	DeviceUnits          = 0x1002 // uint
	DeviceMaxGroup       = 0x1004 // size_t
	DeviceGlobalBytes    = 0x101f // ulong
	DeviceParameterBytes = 0x1017 // size_t
	DeviceLocalBytes     = 0x1023 // ulong
	DeviceSingle         = 0x101b // the bits below, for f32
	DeviceDouble         = 0x1032 // the bits below, for f64; 0: it has no f64
	DeviceName           = 0x102b // text
	DeviceVendor         = 0x102c // text
	DeviceVersion        = 0x102f // text
	DriverVersion        = 0x102d // text
)

// Bits of DeviceSingle and DeviceDouble.
const (
	Denormals      = 1 << 0
	RoundToNearest = 1 << 2
	FMA            = 1 << 5
	RoundedDivide  = 1 << 7
)

// Info returns a property of a device that is a number.
func Info(d Handle, what int) (uint64, error) {
	var x uint64
	err := check(getDeviceInfo, call(getDeviceInfo, uintptr(d), uintptr(what), 8, uintptr(unsafe.Pointer(&x)), 0))
	return x, err
}

// Text returns a property of a device that is text.
func Text(d Handle, what int) string { return text(getDeviceInfo, d, what) }

// text returns a property that is text, "" if the function fails.
func text(f int, object Handle, what int) string {
	var n uintptr
	if call(f, uintptr(object), uintptr(what), 0, 0, uintptr(unsafe.Pointer(&n))) != 0 || n == 0 {
		return ""
	}
	b := make([]byte, n)
	if call(f, uintptr(object), uintptr(what), n, uintptr(unsafe.Pointer(&b[0])), 0) != 0 {
		return ""
	}
	return strings.TrimSpace(strings.TrimRight(string(b), "\x00"))
}

// The properties of platforms.
const (
	PlatformVersion = 0x0901 // text
	PlatformName    = 0x0902 // text
)

// PlatformText returns a property of a device's platform that is text.
func PlatformText(d Handle, what int) string {
	const devicePlatform = 0x1031
	p, err := Info(d, devicePlatform)
	if err != nil {
		return ""
	}
	return text(getPlatformInfo, Handle(p), what)
}

// NewContext returns a context of one device.
func NewContext(d Handle) (Handle, error) {
	var code int32
	c := call(createContext, 0, 1, uintptr(unsafe.Pointer(&d)), 0, 0, uintptr(unsafe.Pointer(&code)))
	return Handle(c), check(createContext, uintptr(code))
}

// NewQueue returns a queue that runs commands in order.
func NewQueue(context, d Handle) (Handle, error) {
	var code int32
	q := call(createCommandQueue, uintptr(context), uintptr(d), 0, uintptr(unsafe.Pointer(&code)))
	return Handle(q), check(createCommandQueue, uintptr(code))
}

// A Launcher sets arguments of kernels, launches them and marks points of a queue without allocating. Only
// one goroutine may use it at a time.
type Launcher struct {
	args  [9]uintptr
	word  uint64     // an argument
	sizes [2]uintptr // all threads, those of a group
	event Handle
}

// Set sets an argument of 8 bytes: memory or a number.
func (l *Launcher) Set(kernel Handle, i int, word uint64) error {
	l.word = word
	l.args[0], l.args[1], l.args[2], l.args[3] = uintptr(kernel), uintptr(i), 8, uintptr(unsafe.Pointer(&l.word))
	r, _, _ := purego.SyscallN(functions[setKernelArg].Load(), l.args[:4]...)
	return check(setKernelArg, r)
}

// Launch runs a kernel with groups of threads.
func (l *Launcher) Launch(queue, kernel Handle, groups, threads int) error {
	l.sizes = [2]uintptr{uintptr(groups * threads), uintptr(threads)}
	l.args = [9]uintptr{uintptr(queue), uintptr(kernel), 1, 0, uintptr(unsafe.Pointer(&l.sizes[0])), uintptr(unsafe.Pointer(&l.sizes[1]))}
	r, _, _ := purego.SyscallN(functions[enqueueNDRangeKernel].Load(), l.args[:]...)
	return check(enqueueNDRangeKernel, r)
}

// Mark returns an event after the commands so far, and hands them to the device.
func (l *Launcher) Mark(queue Handle) (Handle, error) {
	l.args[0], l.args[1], l.args[2], l.args[3] = uintptr(queue), 0, 0, uintptr(unsafe.Pointer(&l.event))
	r, _, _ := purego.SyscallN(functions[enqueueMarkerWithWaitList].Load(), l.args[:4]...)
	if err := check(enqueueMarkerWithWaitList, r); err != nil {
		return 0, err
	}
	r, _, _ = purego.SyscallN(functions[flush].Load(), l.args[:1]...)
	return l.event, check(flush, r)
}

// NewMemory returns n bytes of device memory.
func NewMemory(context Handle, n int) (Handle, error) {
	var code int32
	m := call(createBuffer, uintptr(context), 1, uintptr(n), 0, uintptr(unsafe.Pointer(&code)))
	return Handle(m), check(createBuffer, uintptr(code))
}

// Release releases memory once commands no longer use it.
func Release(m Handle) { call(releaseMemObject, uintptr(m)) }

// Read copies from the device and waits.
func Read(queue, m Handle, offset int, data []byte) error {
	return check(enqueueReadBuffer, call(enqueueReadBuffer, uintptr(queue), uintptr(m), 1, uintptr(offset), uintptr(len(data)), uintptr(unsafe.Pointer(&data[0])), 0, 0, 0))
}

// Write copies to the device and waits.
func Write(queue, m Handle, offset int, data []byte) error {
	return check(enqueueWriteBuffer, call(enqueueWriteBuffer, uintptr(queue), uintptr(m), 1, uintptr(offset), uintptr(len(data)), uintptr(unsafe.Pointer(&data[0])), 0, 0, 0))
}

// Copy copies n bytes within the device. They begin at byte `at` of the memory `from`, and at byte `offset` of the memory `to`.
func Copy(queue, from, to Handle, at, offset, n int) error {
	return check(enqueueCopyBuffer, call(enqueueCopyBuffer, uintptr(queue), uintptr(from), uintptr(to), uintptr(at), uintptr(offset), uintptr(n), 0, 0, 0))
}

// Wait waits for an event.
func Wait(event Handle) error {
	return check(waitForEvents, call(waitForEvents, 1, uintptr(unsafe.Pointer(&event))))
}

// RetainEvent keeps an event until it is released once more.
func RetainEvent(e Handle) error { return check(retainEvent, call(retainEvent, uintptr(e))) }

// ReleaseEvent releases an event.
func (l *Launcher) ReleaseEvent(e Handle) {
	l.args[0] = uintptr(e)
	_, _, _ = purego.SyscallN(functions[releaseEvent].Load(), l.args[:1]...)
}
