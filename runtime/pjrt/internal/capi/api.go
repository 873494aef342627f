// Package capi calls plugins through PJRT's C interface, without cgo. It is the only place of the
// executor where pointers become numbers.
//
// The interface is a table of functions. Each takes a pointer to a struct, whose first field is its
// size, and returns an error or nil. Fields are only ever appended, to the table as to the structs:
// a plugin ignores fields after those that it knows, if they are zero, and refuses a struct that
// lacks a field that it knows, with an error that names the struct.
package capi

import (
	"errors"
	"fmt"
	"unsafe"
)

// A Handle is an object of a plugin: a client, device, executable, buffer or event.
type Handle uintptr

// A Function is the index of a function in a plugin's table.
type Function int

// The functions that are called.
const (
	ErrorDestroy                  Function = 0
	ErrorMessage                  Function = 1
	ErrorGetCode                  Function = 2
	PluginInitialize              Function = 3
	PluginAttributes              Function = 4
	EventDestroy                  Function = 5
	EventAwait                    Function = 8
	ClientCreate                  Function = 10
	ClientDestroy                 Function = 11
	ClientPlatformName            Function = 12
	ClientPlatformVersion         Function = 14
	ClientAddressableDevices      Function = 16
	ClientCompile                 Function = 20
	ClientBufferFromHostBuffer    Function = 22
	DeviceDescriptionID           Function = 23
	DeviceDescriptionKind         Function = 26
	DeviceGetDescription          Function = 29
	DeviceMemoryStats             Function = 34
	ExecutableDestroy             Function = 40
	ExecutableNumOutputs          Function = 44
	ExecutableOptimizedProgram    Function = 48
	ExecutableSerialize           Function = 49
	LoadedExecutableDestroy       Function = 50
	LoadedExecutableGetExecutable Function = 51
	LoadedExecutableExecute       Function = 55
	ExecutableDeserializeAndLoad  Function = 56
	BufferDestroy                 Function = 58
	BufferCopyToDevice            Function = 69
	BufferToHostBuffer            Function = 70
	BufferReadyEvent              Function = 72
	TopologyCreate                Function = 82
	TopologyDestroy               Function = 83
	CompileAhead                  Function = 89
	ExecutableOutputElementTypes  Function = 90
	ExecutableOutputDimensions    Function = 91
	ExecutableMemoryStats         Function = 96
	Functions                     Function = 97 // the number of entries of the table that are read
)

var names = [Functions]string{
	ErrorDestroy: "Error_Destroy", ErrorMessage: "Error_Message", ErrorGetCode: "Error_GetCode",
	PluginInitialize: "Plugin_Initialize", PluginAttributes: "Plugin_Attributes",
	EventDestroy: "Event_Destroy", EventAwait: "Event_Await",
	ClientCreate: "Client_Create", ClientDestroy: "Client_Destroy", ClientPlatformName: "Client_PlatformName", ClientPlatformVersion: "Client_PlatformVersion",
	ClientAddressableDevices: "Client_AddressableDevices", ClientCompile: "Client_Compile", ClientBufferFromHostBuffer: "Client_BufferFromHostBuffer",
	DeviceDescriptionID: "DeviceDescription_Id", DeviceDescriptionKind: "DeviceDescription_Kind",
	DeviceGetDescription: "Device_GetDescription", DeviceMemoryStats: "Device_MemoryStats",
	ExecutableDestroy: "Executable_Destroy", ExecutableNumOutputs: "Executable_NumOutputs", ExecutableOptimizedProgram: "Executable_OptimizedProgram", ExecutableSerialize: "Executable_Serialize",
	LoadedExecutableDestroy: "LoadedExecutable_Destroy", LoadedExecutableGetExecutable: "LoadedExecutable_GetExecutable", LoadedExecutableExecute: "LoadedExecutable_Execute",
	ExecutableDeserializeAndLoad: "Executable_DeserializeAndLoad",
	BufferDestroy:                "Buffer_Destroy", BufferCopyToDevice: "Buffer_CopyToDevice", BufferToHostBuffer: "Buffer_ToHostBuffer", BufferReadyEvent: "Buffer_ReadyEvent",
	TopologyCreate: "TopologyDescription_Create", TopologyDestroy: "TopologyDescription_Destroy", CompileAhead: "Compile",
	ExecutableOutputElementTypes: "Executable_OutputElementTypes", ExecutableOutputDimensions: "Executable_OutputDimensions", ExecutableMemoryStats: "Executable_GetCompiledMemoryStats",
}

// String returns the function's name in the interface.
func (f Function) String() string { return "PJRT_" + names[f] }

// Called returns the functions that are called.
func Called() (fs []Function) {
	for f, n := range names {
		if n != "" {
			fs = append(fs, Function(f))
		}
	}
	return fs
}

// optional are the functions without which a plugin can be used.
var optional = map[Function]bool{
	PluginAttributes: true, DeviceMemoryStats: true, ExecutableSerialize: true, ExecutableDeserializeAndLoad: true, BufferCopyToDevice: true,
	ExecutableMemoryStats: true, ClientPlatformVersion: true, ExecutableOptimizedProgram: true,
	TopologyCreate: true, TopologyDestroy: true, CompileAhead: true,
}

// table is what every version of the interface begins with.
type table struct {
	size        uintptr
	extensions  *extension
	versionSize uintptr
	_           uintptr // extensions of the version
	major       int32
	minor       int32
	functions   [Functions]uintptr
}

const head = unsafe.Offsetof(table{}.functions)

// extension is what every extension of a table begins with.
type extension struct {
	size uintptr
	kind int32
	next *extension
}

// An API is the table of a plugin.
type API struct {
	Major, Minor int
	functions    [Functions]uintptr
	extensions   *extension
}

// Symbol is the name of the function that a plugin exports. It returns the address of the table.
const Symbol = "GetPjrtApi"

// Open loads the plugin of a file. It is never unloaded: its threads may still run.
func Open(path string) (*API, error) {
	f, err := open(path, Symbol)
	if err != nil {
		return nil, err
	}
	return New(invoke(f, 0))
}

// New returns the interface whose table is at an address. It refuses tables of other major versions and
// tables that lack a function that is not optional.
func New(address uintptr) (*API, error) {
	t := *(**table)(unsafe.Pointer(&address))
	if t == nil {
		return nil, errors.New(Symbol + " returned no table of functions; use another plugin")
	}
	if t.size < head || t.versionSize < unsafe.Offsetof(t.functions)-unsafe.Offsetof(t.versionSize) {
		return nil, fmt.Errorf("%s returned a table of %d bytes, too few for a version; use a newer plugin", Symbol, t.size)
	}
	a := &API{Major: int(t.major), Minor: int(t.minor), extensions: t.extensions}
	if a.Major != 0 {
		return nil, fmt.Errorf("the plugin has version %d.%d of the interface, and 0 is supported; use a plugin of version 0, or a newer release of weft", a.Major, a.Minor)
	}
	for _, f := range Called() {
		if end := head + (uintptr(f)+1)*unsafe.Sizeof(uintptr(0)); t.size >= end {
			a.functions[f] = t.functions[f]
		}
		if a.functions[f] == 0 && !optional[f] {
			return nil, fmt.Errorf("the plugin has version 0.%d of the interface, without %v; use a newer plugin", a.Minor, f)
		}
	}
	return a, nil
}

// Has reports whether the plugin has a function.
func (a *API) Has(f Function) bool { return a.functions[f] != 0 }

// An Error is an error that a function of a plugin returned.
type Error struct {
	Function Function
	Code     int32
	Message  string
}

var codes = [...]string{
	"OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED",
	"FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS", "UNAUTHENTICATED",
}

// Codes of errors.
const (
	exhausted     = 8
	Unimplemented = 12
	Internal      = 13
)

// Error returns the function and the plugin's words.
func (e *Error) Error() string {
	code := fmt.Sprintf("code %d", e.Code)
	if e.Code >= 0 && int(e.Code) < len(codes) {
		code = codes[e.Code]
	}
	return fmt.Sprintf("%v failed: %s (%s)", e.Function, e.Message, code)
}

// OutOfMemory reports whether the plugin ran out of memory.
func (e *Error) OutOfMemory() bool { return e.Code == exhausted }

// without returns the error of a function that has succeeded without its result.
func (f Function) without(what string) error {
	return fmt.Errorf("%v returned neither %s nor an error; use another version of the plugin", f, what)
}

// base is what every struct begins with.
type base struct {
	size uintptr
	ext  unsafe.Pointer
}

type errorArgs struct {
	base
	err uintptr
}

type messageArgs struct {
	base
	err     uintptr
	message *byte
	size    uintptr
}

type codeArgs struct {
	base
	err  uintptr
	code int32
}

// call calls a function. Its callers write the argument as uintptr(unsafe.Pointer(…)) in the
// call itself, which keeps the struct in place.
//
//go:uintptrescapes
func (a *API) call(f Function, args uintptr) error {
	if a.functions[f] == 0 {
		return &Error{Function: f, Code: Unimplemented, Message: fmt.Sprintf("the plugin, of version 0.%d of the interface, lacks the function", a.Minor)}
	}
	return a.Failure(f, invoke(a.functions[f], args))
}

// void is invoke for a function without a result.
//
//go:uintptrescapes
func (a *API) void(f Function, args uintptr) { invoke(a.functions[f], args) }

// Failure returns the error that a function returned, nil for 0.
func (a *API) Failure(f Function, err uintptr) error {
	if err == 0 {
		return nil
	}
	e := &Error{Function: f, Code: Internal}
	m := &messageArgs{base: base{size: unsafe.Sizeof(messageArgs{})}, err: err}
	a.void(ErrorMessage, uintptr(unsafe.Pointer(m)))
	e.Message = text(m.message, m.size)
	c := &codeArgs{base: base{size: 28}, err: err}
	if r := a.code(uintptr(unsafe.Pointer(c))); r == 0 {
		e.Code = c.code
	} else {
		a.destroyError(r)
	}
	a.destroyError(err)
	return e
}

//go:uintptrescapes
func (a *API) code(args uintptr) uintptr { return invoke(a.functions[ErrorGetCode], args) }

func (a *API) destroyError(err uintptr) {
	a.void(ErrorDestroy, uintptr(unsafe.Pointer(&errorArgs{base{size: unsafe.Sizeof(errorArgs{})}, err})))
}

// text copies a plugin's text.
func text(p *byte, n uintptr) string {
	if p == nil || n == 0 {
		return ""
	}
	return string(unsafe.Slice(p, n))
}

func bytesAt(p *byte, n uintptr) []byte { return []byte(text(p, n)) }

// pointer returns the address of the first byte, or a valid address if data is empty.
func pointer(data []byte) unsafe.Pointer {
	if len(data) == 0 {
		return unsafe.Pointer(&nothing)
	}
	return unsafe.Pointer(unsafe.SliceData(data))
}

var nothing [16]byte
