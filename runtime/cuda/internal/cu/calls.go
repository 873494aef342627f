//go:build (linux || windows) && (amd64 || arm64)

package cu

import (
	"bytes"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Init starts the driver and returns its version, for example 13000 for 13.0.
func (l *Library) Init() (version int, err error) {
	if err := l.call(cuInit, 0); err != nil {
		return 0, err
	}
	var v int32
	err = l.call(cuDriverGetVersion, uintptr(unsafe.Pointer(&v)))
	return int(v), err
}

// Devices returns the number of devices.
func (l *Library) Devices() (int, error) {
	var n int32
	err := l.call(cuDeviceGetCount, uintptr(unsafe.Pointer(&n)))
	return int(n), err
}

// A Device is a device's number in the driver.
type Device int32

// Device returns device i.
func (l *Library) Device(i int) (Device, error) {
	var d Device
	err := l.call(cuDeviceGet, uintptr(unsafe.Pointer(&d)), uintptr(i))
	return d, err
}

// Name returns a device's name.
func (l *Library) Name(d Device) (string, error) {
	b := make([]byte, 256)
	err := l.call(cuDeviceGetName, uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), uintptr(d))
	text, _, _ := bytes.Cut(b, []byte{0})
	return string(text), err
}

// The attributes of devices.
const (
	MaxThreads       = 1
	SharedPerGroup   = 8
	WarpSize         = 10
	Multiprocessors  = 16
	L2Bytes          = 38
	CapabilityMajor  = 75
	CapabilityMinor  = 76
	SharedPerMulti   = 81
	MemoryPools      = 115
	ThreadsPerMulti  = 39
	MemoryClockKHz   = 36
	MemoryBusBits    = 37
	ClockKHz         = 13
	IntegratedMemory = 18
)

// Attribute returns an attribute of a device.
func (l *Library) Attribute(d Device, what int) (int, error) {
	var x int32
	err := l.call(cuDeviceGetAttribute, uintptr(unsafe.Pointer(&x)), uintptr(what), uintptr(d))
	return int(x), err
}

// TotalMemory returns the bytes of a device's memory.
func (l *Library) TotalMemory(d Device) (uint64, error) {
	var n uint64
	err := l.call(cuDeviceTotalMem, uintptr(unsafe.Pointer(&n)), uintptr(d))
	return n, err
}

// Context returns a device's primary context, which other libraries of the process share.
func (l *Library) Context(d Device) (Handle, error) {
	var c Handle
	err := l.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&c)), uintptr(d))
	return c, err
}

// Push makes a context that of the calling thread, until the thread calls Pop.
func (l *Library) Push(c Handle) error { return l.quick(cuCtxPushCurrent, uintptr(c), 0, 0) }

// Pop gives the calling thread the context that it had before Push, or none.
func (l *Library) Pop() error {
	c := popped.Get().(*Handle) // on the heap: it stays where it is
	defer popped.Put(c)
	return l.quick(cuCtxPopCurrent, uintptr(unsafe.Pointer(c)), 0, 0)
}

var popped = sync.Pool{New: func() any { return new(Handle) }}

// MemoryInfo returns the free and the total bytes of the memory of the current context's device.
func (l *Library) MemoryInfo() (free, total uint64, err error) {
	err = l.call(cuMemGetInfo, uintptr(unsafe.Pointer(&free)), uintptr(unsafe.Pointer(&total)))
	return free, total, err
}

// Targets of PTX with the instructions of compute capability 9.0 alone, and with those of the family of 10.0 alone.
const (
	Target90a  = 0x10000 + 90
	Target100f = 0x20000 + 100
)

// Assemble translates PTX to machine code for a target, or for the current context's device if target
// is 0. Its error contains the assembler's words. The driver keeps the addresses of the options, their
// values and the log as long as the linker exists, and writes to them.
func (l *Library) Assemble(text string, target uintptr) ([]byte, error) {
	const (
		errorLog, errorLogBytes, jitTarget, ptxInput = 5, 6, 9, 1
	)
	log := make([]byte, 16<<10)
	var pinned runtime.Pinner
	defer pinned.Unpin() // after the linker is destroyed
	pinned.Pin(&log[0])
	options := []int32{errorLog, errorLogBytes}
	values := []uintptr{uintptr(unsafe.Pointer(&log[0])), uintptr(len(log))}
	if target != 0 {
		options, values = append(options, jitTarget), append(values, target)
	}
	pinned.Pin(&options[0])
	pinned.Pin(&values[0])
	source := append([]byte(text), 0)
	name := []byte("weft.ptx\x00")
	fail := func(err error) error {
		words, _, _ := bytes.Cut(log, []byte{0})
		if len(words) > 0 {
			return fmt.Errorf("%w\n%s", err, bytes.TrimSpace(words))
		}
		return err
	}
	var state Handle
	if err := l.call(cuLinkCreate, uintptr(len(options)), uintptr(unsafe.Pointer(&options[0])), uintptr(unsafe.Pointer(&values[0])), uintptr(unsafe.Pointer(&state))); err != nil {
		return nil, fail(err)
	}
	defer l.call(cuLinkDestroy, uintptr(state)) // frees the code, which is copied before
	if err := l.call(cuLinkAddData, uintptr(state), ptxInput, uintptr(unsafe.Pointer(&source[0])), uintptr(len(source)), uintptr(unsafe.Pointer(&name[0])), 0, 0, 0); err != nil {
		return nil, fail(err)
	}
	var code *byte
	var n uintptr
	if err := l.call(cuLinkComplete, uintptr(state), uintptr(unsafe.Pointer(&code)), uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, fail(err)
	}
	return bytes.Clone(unsafe.Slice(code, n)), nil
}

// LoadModule loads machine code, or PTX, which the driver then compiles.
func (l *Library) LoadModule(code []byte) (Handle, error) {
	code = append(bytes.Clone(code), 0)
	var m Handle
	err := l.call(cuModuleLoadData, uintptr(unsafe.Pointer(&m)), uintptr(unsafe.Pointer(&code[0])))
	return m, err
}

// Function returns a kernel of a module.
func (l *Library) Function(module Handle, name string) (Handle, error) {
	text := append([]byte(name), 0)
	var f Handle
	err := l.call(cuModuleGetFunction, uintptr(unsafe.Pointer(&f)), uintptr(module), uintptr(unsafe.Pointer(&text[0])))
	return f, err
}

// Resident returns the number of groups of a kernel that a multiprocessor runs at once, 0 if the driver does not report it. A
// group has the given threads, and shared is the number of its bytes of shared memory beyond those that the kernel declares.
func (l *Library) Resident(f Handle, threads, shared int) int {
	var n int32
	if l.functions[cuOccupancyMaxActiveBlocksPerMultiprocessor] == 0 ||
		l.call(cuOccupancyMaxActiveBlocksPerMultiprocessor, uintptr(unsafe.Pointer(&n)), uintptr(f), uintptr(threads), uintptr(shared)) != nil {
		return 0
	}
	return int(n)
}

// Unload unloads a module.
func (l *Library) Unload(module Handle) error { return l.call(cuModuleUnload, uintptr(module)) }

// NewStream returns a stream that does not wait for the legacy default stream.
func (l *Library) NewStream() (Handle, error) {
	const nonBlocking = 1
	var s Handle
	err := l.call(cuStreamCreate, uintptr(unsafe.Pointer(&s)), nonBlocking)
	return s, err
}

// NewEvent returns an event without a clock. A thread that waits for it sleeps.
func (l *Library) NewEvent() (Handle, error) {
	const blockingSync, disableTiming = 1, 2
	var e Handle
	err := l.call(cuEventCreate, uintptr(unsafe.Pointer(&e)), blockingSync|disableTiming)
	return e, err
}

// NewClock returns an event with a clock.
func (l *Library) NewClock() (Handle, error) {
	const blockingSync = 1
	var e Handle
	err := l.call(cuEventCreate, uintptr(unsafe.Pointer(&e)), blockingSync)
	return e, err
}

// Elapsed returns the time between two events with clocks that are over.
func (l *Library) Elapsed(from, to Handle) (time.Duration, error) {
	var ms float32
	err := l.call(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), uintptr(from), uintptr(to))
	return time.Duration(float64(ms) * 1e6), err
}

// DestroyEvent destroys an event.
func (l *Library) DestroyEvent(event Handle) error { return l.call(cuEventDestroy, uintptr(event)) }

// Record puts an event after the commands of a stream.
func (l *Library) Record(event, stream Handle) error {
	return l.quick(cuEventRecord, uintptr(event), uintptr(stream), 0)
}

// WaitEvent makes the commands that a stream is given from now on wait for an event.
func (l *Library) WaitEvent(stream, event Handle) error {
	return l.quick(cuStreamWaitEvent, uintptr(stream), uintptr(event), 0)
}

// Done reports whether the commands before an event have run.
func (l *Library) Done(event Handle) (bool, error) {
	switch code := l.code(cuEventQuery, uintptr(event), 0, 0); code {
	case 0:
		return true, nil
	case notReady:
		return false, nil
	default:
		return false, l.failure(cuEventQuery, code)
	}
}

// Wait waits for an event.
func (l *Library) Wait(event Handle) error { return l.call(cuEventSynchronize, uintptr(event)) }

// Pools reports whether the driver can allocate memory in the order of a stream, if the device
// supports it.
func (l *Library) Pools() bool {
	return l.functions[cuMemAllocAsync] != 0 && l.functions[cuMemFreeAsync] != 0 && l.functions[cuDeviceGetDefaultMemPool] != 0 &&
		l.functions[cuMemPoolSetAttribute] != 0 && l.functions[cuMemPoolTrimTo] != 0
}

// DefaultPool returns a device's memory pool, and lets it keep at most `keep`
// bytes of freed memory.
func (l *Library) DefaultPool(d Device, keep uint64) (Handle, error) {
	const releaseThreshold = 4
	var p Handle
	if err := l.call(cuDeviceGetDefaultMemPool, uintptr(unsafe.Pointer(&p)), uintptr(d)); err != nil {
		return 0, err
	}
	return p, l.call(cuMemPoolSetAttribute, uintptr(p), releaseThreshold, uintptr(unsafe.Pointer(&keep)))
}

// Trim releases what a pool keeps.
func (l *Library) Trim(pool Handle) error { return l.call(cuMemPoolTrimTo, uintptr(pool), 0) }

// Alloc returns the address of n bytes of device memory.
func (l *Library) Alloc(n int) (uintptr, error) {
	var p uintptr
	err := l.call(cuMemAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n))
	return p, err
}

// Free releases device memory once the device is idle.
func (l *Library) Free(p uintptr) error { return l.call(cuMemFree, p) }

// AllocAsync returns memory that commands given to the stream from now on can use.
func (l *Library) AllocAsync(n int, stream Handle) (uintptr, error) {
	var p uintptr
	err := l.call(cuMemAllocAsync, uintptr(unsafe.Pointer(&p)), uintptr(n), uintptr(stream))
	return p, err
}

// FreeAsync releases memory after the commands given to a stream.
func (l *Library) FreeAsync(p uintptr, stream Handle) error {
	return l.call(cuMemFreeAsync, p, uintptr(stream))
}

// HostMemory returns n bytes of host memory that the device can access. They are never freed.
func (l *Library) HostMemory(n int) ([]byte, error) {
	const portable = 1
	var p *byte
	if err := l.call(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n), portable); err != nil {
		return nil, err
	}
	return unsafe.Slice(p, n), nil
}

// Upload copies to the device from memory that HostMemory has returned.
func (l *Library) Upload(dst uintptr, src []byte, stream Handle) error {
	return l.call(cuMemcpyHtoDAsync, dst, uintptr(unsafe.Pointer(&src[0])), uintptr(len(src)), uintptr(stream))
}

// Download copies from the device to memory that HostMemory has returned.
func (l *Library) Download(dst []byte, src uintptr, stream Handle) error {
	return l.call(cuMemcpyDtoHAsync, uintptr(unsafe.Pointer(&dst[0])), src, uintptr(len(dst)), uintptr(stream))
}

// Copy copies within the device.
func (l *Library) Copy(dst, src uintptr, n int, stream Handle) error {
	return l.call(cuMemcpyDtoDAsync, dst, src, uintptr(n), uintptr(stream))
}

// CopyPeer copies from the memory of a context to that of another one.
func (l *Library) CopyPeer(dst uintptr, to Handle, src uintptr, from Handle, n int, stream Handle) error {
	return l.call(cuMemcpyPeerAsync, dst, uintptr(to), src, uintptr(from), uintptr(n), uintptr(stream))
}

// A Launcher launches kernels without allocating. Only one goroutine may use it at a time.
type Launcher struct {
	l      *Library
	args   [11]uintptr
	extra  [5]uintptr
	bytes  uintptr
	params [maxParams]uint64
	node   nodeParams
}

// maxParams bounds the parameters of a kernel, of 8 bytes each: PTX promises no more than 4 KiB.
const maxParams = 512

// NewLauncher returns a launcher of a library.
func NewLauncher(l *Library) *Launcher {
	x := &Launcher{l: l}
	const buffer, size = 1, 2
	x.extra = [5]uintptr{buffer, uintptr(unsafe.Pointer(&x.params)), size, uintptr(unsafe.Pointer(&x.bytes)), 0}
	x.args[3], x.args[5], x.args[6] = 1, 1, 1
	x.args[10] = uintptr(unsafe.Pointer(&x.extra))
	x.args[2] = 1
	return x
}

// Params returns the memory for the n parameters of the next launch or node.
func (x *Launcher) Params(n int) ([]uint64, error) {
	if n > maxParams {
		return nil, fmt.Errorf("BUG: the kernel has %d parameters, at most %d are possible", n, maxParams)
	}
	x.bytes = uintptr(8 * n)
	return x.params[:n], nil
}

// Shared sets the bytes of shared memory of the next launches beyond those that kernels
// declare.
func (x *Launcher) Shared(bytes int) { x.args[7] = uintptr(bytes) }

// Launch launches a kernel on the parameters that were written to the memory of Params.
func (x *Launcher) Launch(f Handle, groups, threads int, stream Handle) error {
	x.args[0], x.args[1], x.args[4], x.args[8] = uintptr(f), uintptr(groups), uintptr(threads), uintptr(stream)
	r, _, _ := purego.SyscallN(x.l.functions[cuLaunchKernel], x.args[:]...)
	if code := int32(r); code != 0 {
		return x.l.failure(cuLaunchKernel, code)
	}
	return nil
}

// nodeParams is CUDA_KERNEL_NODE_PARAMS_v2.
type nodeParams struct {
	function     Handle
	grid, block  [3]uint32
	shared       uint32
	kernelParams uintptr
	extra        uintptr
	kernel       uintptr
	context      uintptr
}

// Graphs reports whether the driver has graphs.
func (l *Library) Graphs() bool {
	for f := cuGraphCreate; f <= cuGraphDestroy; f++ {
		if l.functions[f] == 0 {
			return false
		}
	}
	return true
}

// NewGraph returns an empty graph.
func (l *Library) NewGraph() (Handle, error) {
	var g Handle
	err := l.call(cuGraphCreate, uintptr(unsafe.Pointer(&g)), 0)
	return g, err
}

func (x *Launcher) fill(f Handle, groups, threads int) {
	x.node = nodeParams{function: f, grid: [3]uint32{uint32(groups), 1, 1}, block: [3]uint32{uint32(threads), 1, 1}, shared: uint32(x.args[7]), extra: uintptr(unsafe.Pointer(&x.extra))}
}

// AddNode adds a kernel with the parameters of Params to a graph. The kernel runs after the node `behind`, unless that is 0.
func (x *Launcher) AddNode(graph, behind, f Handle, groups, threads int) (Handle, error) {
	x.fill(f, groups, threads)
	var node Handle
	n := uintptr(1)
	if behind == 0 {
		n = 0
	}
	err := x.l.call(cuGraphAddKernelNode, uintptr(unsafe.Pointer(&node)), uintptr(graph), uintptr(unsafe.Pointer(&behind)), n, uintptr(unsafe.Pointer(&x.node)))
	return node, err
}

// SetNode replaces the kernel, the groups and threads, and the parameters of an instance's node. The parameters are those of
// Params.
func (x *Launcher) SetNode(instance, node, f Handle, groups, threads int) error {
	x.fill(f, groups, threads)
	// The launcher is not on a stack: the node stays where it is.
	return x.l.quick(cuGraphExecKernelNodeSetParams, uintptr(instance), uintptr(node), uintptr(unsafe.Pointer(&x.node)))
}

// Instantiate returns an instance of a graph that can be launched.
func (l *Library) Instantiate(graph Handle) (Handle, error) {
	var e Handle
	err := l.call(cuGraphInstantiate, uintptr(unsafe.Pointer(&e)), uintptr(graph), 0)
	return e, err
}

// LaunchGraph launches an instance.
func (l *Library) LaunchGraph(instance, stream Handle) error {
	return l.quick(cuGraphLaunch, uintptr(instance), uintptr(stream), 0)
}

// DestroyGraph destroys a graph and its instance, unless that is 0.
func (l *Library) DestroyGraph(graph, instance Handle) error {
	var failed error
	if instance != 0 {
		failed = l.call(cuGraphExecDestroy, uintptr(instance))
	}
	if err := l.call(cuGraphDestroy, uintptr(graph)); failed == nil {
		failed = err
	}
	return failed
}
