//go:build (linux || windows) && (amd64 || arm64)

// Package cu calls NVIDIA's driver library, which it loads without cgo. It is the only
// place of the CUDA executor where pointers become numbers.
package cu

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A Handle is an object of the driver, such as a context, stream, event, module, function or graph.
type Handle uintptr

// The functions of the driver that are called. The address of an optional function is 0 if the
// driver is older than it.
const (
	cuInit = iota
	cuDriverGetVersion
	cuDeviceGetCount
	cuDeviceGet
	cuDeviceGetName
	cuDeviceGetAttribute
	cuDeviceTotalMem
	cuDevicePrimaryCtxRetain
	cuCtxPushCurrent
	cuCtxPopCurrent
	cuGetErrorName
	cuGetErrorString
	cuLinkCreate
	cuLinkAddData
	cuLinkComplete
	cuLinkDestroy
	cuModuleLoadData
	cuModuleGetFunction
	cuModuleUnload
	cuLaunchKernel
	cuStreamCreate
	cuStreamWaitEvent
	cuEventCreate
	cuEventRecord
	cuEventQuery
	cuEventSynchronize
	cuEventElapsedTime
	cuEventDestroy
	cuMemAlloc
	cuMemFree
	cuMemGetInfo
	cuMemHostAlloc
	cuMemcpyHtoDAsync
	cuMemcpyDtoHAsync
	cuMemcpyDtoDAsync
	cuMemcpyPeerAsync
	cuMemAllocAsync
	cuMemFreeAsync
	cuDeviceGetDefaultMemPool
	cuMemPoolSetAttribute
	cuMemPoolTrimTo
	cuGraphCreate
	cuGraphAddKernelNode
	cuGraphInstantiate
	cuGraphExecKernelNodeSetParams
	cuGraphLaunch
	cuGraphExecDestroy
	cuGraphDestroy
	cuFuncSetAttribute
	cuOccupancyMaxActiveBlocksPerMultiprocessor
	cuTensorMapEncodeTiled
	cuGraphConditionalHandleCreate
	cuGraphAddNode
	count
)

// symbols has the names under which a driver may have each function, separated by spaces, the newest first.
var symbols = [count]string{
	"cuInit", "cuDriverGetVersion", "cuDeviceGetCount", "cuDeviceGet", "cuDeviceGetName", "cuDeviceGetAttribute", "cuDeviceTotalMem_v2",
	"cuDevicePrimaryCtxRetain", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuGetErrorName", "cuGetErrorString", "cuLinkCreate_v2", "cuLinkAddData_v2", "cuLinkComplete",
	"cuLinkDestroy", "cuModuleLoadData", "cuModuleGetFunction", "cuModuleUnload", "cuLaunchKernel", "cuStreamCreate", "cuStreamWaitEvent",
	"cuEventCreate", "cuEventRecord", "cuEventQuery", "cuEventSynchronize", "cuEventElapsedTime", "cuEventDestroy_v2", "cuMemAlloc_v2", "cuMemFree_v2",
	"cuMemGetInfo_v2", "cuMemHostAlloc", "cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2", "cuMemcpyDtoDAsync_v2", "cuMemcpyPeerAsync",
	"cuMemAllocAsync", "cuMemFreeAsync", "cuDeviceGetDefaultMemPool", "cuMemPoolSetAttribute", "cuMemPoolTrimTo",
	"cuGraphCreate", "cuGraphAddKernelNode_v2 cuGraphAddKernelNode", "cuGraphInstantiateWithFlags",
	"cuGraphExecKernelNodeSetParams_v2 cuGraphExecKernelNodeSetParams", "cuGraphLaunch", "cuGraphExecDestroy", "cuGraphDestroy",
	"cuFuncSetAttribute", "cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuTensorMapEncodeTiled",
	"cuGraphConditionalHandleCreate", "cuGraphAddNode_v2",
}

// required is the number of functions that are not optional: the first ones.
const required = cuMemAllocAsync

// A Library is a driver that has been loaded.
type Library struct{ functions [count]uintptr }

// New returns a library of the functions that find returns by their names.
func New(find func(name string) (uintptr, error)) (*Library, error) {
	l := &Library{}
	for i, names := range symbols {
		var err error
		for _, n := range strings.Fields(names) {
			if l.functions[i], err = find(n); err == nil {
				break
			}
			l.functions[i] = 0
		}
		if err != nil && i < required {
			return nil, fmt.Errorf("NVIDIA's driver has no function %s (%w); install a newer one", names, err)
		}
	}
	return l, nil
}

// Load loads the machine's driver, once. It returns an error if there is none, or if it lacks a function.
var Load = sync.OnceValues(func() (*Library, error) {
	lib, err := open()
	if err != nil {
		return nil, fmt.Errorf("NVIDIA's driver is not installed (%w); install it, or make libcuda.so.1 visible to this process", err)
	}
	return New(func(name string) (uintptr, error) { return symbol(lib, name) })
})

// call calls a function. Its callers write pointers as uintptr(unsafe.Pointer(…)) in the
// call itself, which keeps what they point to in place.
//
//go:uintptrescapes
func (l *Library) call(f int, args ...uintptr) error {
	r, _, _ := purego.SyscallN(l.functions[f], args...)
	if code := int32(r); code != 0 {
		return l.failure(f, code)
	}
	return nil
}

// quick calls a function of at most three arguments and allocates nothing. Pointers among them must be to memory that stays
// alive and in place: unlike for call, the compiler does not ensure that.
func (l *Library) quick(f int, a, b, c uintptr) error {
	if code := l.code(f, a, b, c); code != 0 {
		return l.failure(f, code)
	}
	return nil
}

// code calls a function as quick does, and returns its code.
func (l *Library) code(f int, a, b, c uintptr) int32 {
	args := quickArgs.Get().(*[3]uintptr)
	*args = [3]uintptr{a, b, c}
	r, _, _ := purego.SyscallN(l.functions[f], args[:]...)
	quickArgs.Put(args)
	return int32(r)
}

var quickArgs = sync.Pool{New: func() any { return new([3]uintptr) }}

// An Error is a code that a function of the driver returned.
type Error struct {
	Function string
	Code     int32
	Name     string // such as CUDA_ERROR_OUT_OF_MEMORY
	Text     string
}

// Error codes of the driver.
const (
	outOfMemory        = 2
	insufficientDriver = 35
	noDevice           = 100
	noCompiler         = 221
	unsupportedPTX     = 222
	notReady           = 600
	IllegalAddress     = 700
	notSupported       = 801
)

// Error returns the function and the driver's words.
func (e *Error) Error() string {
	hint := map[int32]string{
		noDevice:           "; no GPU is visible: check nvidia-smi and CUDA_VISIBLE_DEVICES",
		noCompiler:         "; libnvidia-ptxjitcompiler.so.1 is missing: a container needs the driver capability \"compute\"",
		unsupportedPTX:     "; install a newer driver",
		insufficientDriver: "; install a newer driver",
	}[e.Code]
	if e.FromKernel() {
		hint = "; the device's context is lost: start the process again"
	}
	if e.Name == "" {
		return fmt.Sprintf("%s failed with code %d%s", e.Function, e.Code, hint)
	}
	return fmt.Sprintf("%s failed: %s (%s)%s", e.Function, e.Text, e.Name, hint)
}

// OutOfMemory reports whether the driver ran out of memory.
func (e *Error) OutOfMemory() bool { return e.Code == outOfMemory }

// NotSupported reports whether the device or the system lacks what was asked for.
func (e *Error) NotSupported() bool { return e.Code == notSupported }

// FromKernel reports whether a running kernel has caused the error. The context is lost then, and
// every later call returns the code.
func (e *Error) FromKernel() bool { return slices.Contains(kernelCodes, e.Code) }

// kernelCodes are the codes of kernels that fail while they run: memory that cannot be corrected, an
// error that the device has contained, an address that is not mapped, a time limit, an assertion, errors
// of the stack, of instructions, of alignment, of address spaces and of the program counter, others, and
// memory of tensor cores that was not released.
var kernelCodes = []int32{214, 226, IllegalAddress, 702, 710, 714, 715, 716, 717, 718, 719, 721}

func (l *Library) failure(f int, code int32) error {
	e := &Error{Function: strings.Fields(symbols[f])[0], Code: code}
	text := func(f int) string {
		var p *byte
		if r, _, _ := purego.SyscallN(l.functions[f], uintptr(code), uintptr(unsafe.Pointer(&p))); r != 0 || p == nil {
			return ""
		}
		return unsafe.String(p, length(p))
	}
	e.Name, e.Text = text(cuGetErrorName), text(cuGetErrorString)
	return e
}

func length(p *byte) int {
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return n
}
