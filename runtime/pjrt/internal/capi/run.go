package capi

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
)

// executeOptions are left empty: callbacks of sends and receives and their numbers, the number of a launch,
// arguments that are not donated, a context, the caller's line, and tasks.
type executeOptions struct {
	base
	_, _ unsafe.Pointer
	_, _ uintptr
	_    int32
	_    unsafe.Pointer
	_, _ uintptr
	_    unsafe.Pointer
	_    uintptr
	_, _ unsafe.Pointer
}

type executeArgs struct {
	base
	executable uintptr
	options    *executeOptions
	arguments  unsafe.Pointer
	devices    uintptr
	count      uintptr
	results    unsafe.Pointer
	events     unsafe.Pointer
	device     uintptr
}

// execution is the memory of a call of a program on one device.
type execution struct {
	args      executeArgs
	options   executeOptions
	in, out   []Handle
	ins, outs [1]unsafe.Pointer
	event     [1]uintptr
}

var executions = sync.Pool{New: func() any { return new(execution) }}

// handles returns a list of n handles of 0, with room for one at least.
func handles(old []Handle, n int) []Handle {
	if cap(old) <= n {
		return make([]Handle, n, n+1)
	}
	old = old[:n]
	clear(old)
	return old
}

// Execute starts a program of one device, and puts its results into outs. fill sets the arguments, whose
// number is count. Execute returns before the results are computed, unless wait is true.
func (a *API) Execute(program Handle, outs []Handle, count int, fill func(in []Handle), wait bool) error {
	x := executions.Get().(*execution)
	x.in, x.out = handles(x.in, count), handles(x.out, len(outs))
	fill(x.in)
	x.ins[0], x.outs[0] = unsafe.Pointer(unsafe.SliceData(x.in)), unsafe.Pointer(unsafe.SliceData(x.out))
	x.options = executeOptions{base: base{size: unsafe.Sizeof(executeOptions{})}}
	x.args = executeArgs{base: base{size: unsafe.Sizeof(executeArgs{})}, executable: uintptr(program), options: &x.options, arguments: unsafe.Pointer(&x.ins), devices: 1,
		count: uintptr(count), results: unsafe.Pointer(&x.outs)}
	x.event[0] = 0
	if wait {
		x.args.events = unsafe.Pointer(&x.event)
	}
	err := a.call(LoadedExecutableExecute, uintptr(unsafe.Pointer(&x.args)))
	if wait && err == nil {
		err = a.await(Handle(x.event[0]))
	}
	for i, h := range x.out {
		if h == 0 && err == nil {
			err = LoadedExecutableExecute.without(fmt.Sprintf("result %d", i))
		}
	}
	if err != nil {
		for _, h := range x.out {
			_ = a.DestroyBuffer(h)
		}
	} else {
		copy(outs, x.out)
	}
	executions.Put(x)
	return err
}

// ExecuteAll starts a program of several devices on the arguments of each device, and puts the results of
// each into outs, or zeros after an error. It returns before the results are computed, unless wait is
// true. The function over, unless it is nil, is called once all devices have ended the program, or if none starts it.
func (a *API) ExecuteAll(program Handle, outs, args [][]Handle, wait bool, over func()) error {
	ins, results := make([]unsafe.Pointer, len(args)), make([]unsafe.Pointer, len(outs))
	for i := range args {
		ins[i], results[i] = unsafe.Pointer(unsafe.SliceData(args[i])), unsafe.Pointer(unsafe.SliceData(outs[i]))
	}
	events := make([]Handle, len(args))
	x := &executeArgs{base: base{size: unsafe.Sizeof(executeArgs{})}, executable: uintptr(program), options: &executeOptions{base: base{size: unsafe.Sizeof(executeOptions{})}},
		arguments: unsafe.Pointer(unsafe.SliceData(ins)), devices: uintptr(len(args)), count: uintptr(len(args[0])), results: unsafe.Pointer(unsafe.SliceData(results))}
	if wait || over != nil {
		x.events = unsafe.Pointer(unsafe.SliceData(events))
	}
	err := a.call(LoadedExecutableExecute, uintptr(unsafe.Pointer(x)))
	end := func() (err error) {
		for _, e := range events {
			if failed := a.await(e); err == nil {
				err = failed
			}
		}
		if over != nil {
			over()
		}
		return err
	}
	if wait || err != nil {
		if failed := end(); err == nil {
			err = failed
		}
	} else if over != nil {
		go func() { _ = end() }() // the error is reported when a result is waited for
	}
	for k, list := range outs {
		for i, h := range list {
			if h == 0 && err == nil {
				err = LoadedExecutableExecute.without(fmt.Sprintf("result %d of device %d", i, k))
			}
		}
	}
	if err != nil {
		for _, list := range outs {
			for _, h := range list {
				_ = a.DestroyBuffer(h)
			}
			clear(list)
		}
	}
	return err
}

// DestroyBuffer frees a buffer. Programs that compute or read it go on.
func (a *API) DestroyBuffer(b Handle) error { return a.destroy(BufferDestroy, b) }

type uploadArgs struct {
	base
	client      uintptr
	data        unsafe.Pointer
	element     int32
	dims        unsafe.Pointer
	rank        uintptr
	strides     unsafe.Pointer
	strideCount uintptr
	semantics   int32
	device      uintptr
	memory      uintptr
	layout      unsafe.Pointer
	done        uintptr
	buffer      uintptr
}

// Upload copies elements to a device. data may be changed when it returns.
func (a *API) Upload(client, device Handle, data []byte, t Type) (Handle, error) {
	args := &uploadArgs{base: base{size: unsafe.Sizeof(uploadArgs{})}, client: uintptr(client), device: uintptr(device), data: pointer(data), element: t.Element,
		dims: unsafe.Pointer(unsafe.SliceData(t.Dims)), rank: uintptr(len(t.Dims))}
	err := a.call(ClientBufferFromHostBuffer, uintptr(unsafe.Pointer(args)))
	runtime.KeepAlive(data)
	if err != nil {
		return 0, err
	}
	if args.done != 0 { // the copy is over: semantics is 0, so data is read during the call only
		err = a.destroy(EventDestroy, Handle(args.done))
	}
	if args.buffer == 0 && err == nil {
		err = ClientBufferFromHostBuffer.without("a buffer")
	}
	if err != nil {
		_ = a.DestroyBuffer(Handle(args.buffer))
		return 0, err
	}
	return Handle(args.buffer), nil
}

// tiled is a memory layout of the tiled kind; it has no tiles.
type tiled struct {
	base
	struct_ struct {
		base
		order     unsafe.Pointer
		rank      uintptr
		tiles     unsafe.Pointer
		tileSizes unsafe.Pointer
		tileCount uintptr
	}
	kind int32
}

type downloadArgs struct {
	base
	buffer uintptr
	layout unsafe.Pointer
	data   unsafe.Pointer
	size   uintptr
	event  uintptr
}

// Download waits for the elements of a buffer of the given rank and copies them to data in row-major
// order.
func (a *API) Download(b Handle, data []byte, rank int) error {
	order := make([]int64, rank)
	for i := range order {
		order[i] = int64(rank - 1 - i)
	}
	layout := &tiled{base: base{size: unsafe.Sizeof(tiled{})}}
	layout.struct_.base.size = 56
	layout.struct_.order, layout.struct_.rank = unsafe.Pointer(unsafe.SliceData(order)), uintptr(rank)
	args := &downloadArgs{base: base{size: unsafe.Sizeof(downloadArgs{})}, buffer: uintptr(b), layout: unsafe.Pointer(layout), data: pointer(data), size: uintptr(len(data))}
	if err := a.call(BufferToHostBuffer, uintptr(unsafe.Pointer(args))); err != nil {
		return err
	}
	if args.event == 0 { // nobody knows when the elements are there
		return BufferToHostBuffer.without("an event")
	}
	err := a.await(Handle(args.event))
	runtime.KeepAlive(data)
	return err
}

type copyArgs struct {
	base
	buffer, device, result uintptr
}

// Copy copies a buffer to another device of its client.
func (a *API) Copy(b, device Handle) (Handle, error) {
	args := &copyArgs{base: base{size: unsafe.Sizeof(copyArgs{})}, buffer: uintptr(b), device: uintptr(device)}
	err := a.call(BufferCopyToDevice, uintptr(unsafe.Pointer(args)))
	if err == nil && args.result == 0 {
		err = BufferCopyToDevice.without("a buffer")
	}
	return Handle(args.result), err
}

// Wait waits until the elements of a buffer have been computed. It returns the error if that failed.
func (a *API) Wait(b Handle) error {
	args := &descriptionArgs{base: base{size: unsafe.Sizeof(descriptionArgs{})}, device: uintptr(b)}
	if err := a.call(BufferReadyEvent, uintptr(unsafe.Pointer(args))); err != nil {
		return err
	}
	if args.description == 0 {
		return BufferReadyEvent.without("an event")
	}
	return a.await(Handle(args.description))
}

// await waits for an event and frees it.
func (a *API) await(event Handle) error {
	if event == 0 {
		return nil
	}
	err := a.call(EventAwait, uintptr(unsafe.Pointer(&one{base{size: unsafe.Sizeof(one{})}, uintptr(event)})))
	if e := a.destroy(EventDestroy, event); err == nil {
		err = e
	}
	return err
}
