package capi

import (
	"runtime"
	"unsafe"
)

// A topology describes devices that the machine need not have. Plugins for GPUs and TPUs compile for a
// topology without a client.

type topologyArgs struct {
	base
	name     unsafe.Pointer
	nameSize uintptr
	options  *namedValue
	n        uintptr
	topology uintptr
}

// NewTopology returns the devices that a name and options describe, as the plugin defines them.
func (a *API) NewTopology(name string, options []Value) (Handle, error) {
	list, keep, err := namedValues(options)
	if err != nil {
		return 0, err
	}
	text := []byte(name)
	args := &topologyArgs{base: base{size: unsafe.Sizeof(topologyArgs{})}, name: pointer(text), nameSize: uintptr(len(text)), options: unsafe.SliceData(list), n: uintptr(len(list))}
	err = a.call(TopologyCreate, uintptr(unsafe.Pointer(args)))
	runtime.KeepAlive(keep)
	if err == nil && args.topology == 0 {
		err = TopologyCreate.without("a topology")
	}
	return Handle(args.topology), err
}

// DestroyTopology frees a topology.
func (a *API) DestroyTopology(t Handle) error { return a.destroy(TopologyDestroy, t) }

type aheadArgs struct {
	base
	topology    uintptr
	program     *programStruct
	options     unsafe.Pointer
	optionsSize uintptr
	client      uintptr // 0: compile without a client
	executable  uintptr
}

// CompileFor compiles a StableHLO module for the devices of a topology, with the same options as
// [API.Compile]. It returns the size of the serialized program, 0 if the plugin cannot serialize.
func (a *API) CompileFor(topology Handle, module, options []byte) (size int, err error) {
	args := &aheadArgs{base: base{size: unsafe.Sizeof(aheadArgs{})}, topology: uintptr(topology), options: pointer(options), optionsSize: uintptr(len(options)), program: programOf(module)}
	if err := a.call(CompileAhead, uintptr(unsafe.Pointer(args))); err != nil {
		return 0, err
	}
	if args.executable == 0 {
		return 0, CompileAhead.without("a program")
	}
	var code []byte
	if a.Has(ExecutableSerialize) {
		code, err = a.serialize(Handle(args.executable))
	}
	if e := a.destroy(ExecutableDestroy, Handle(args.executable)); err == nil {
		err = e
	}
	return len(code), err
}
