//go:build js && !purego

package native

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall/js"
	"unsafe"

	"github.com/weft-go/weft/lower/native/wasm"
)

// Code is an instance of a WebAssembly module whose memory is the program's. The engine frees it when
// nothing refers to the Code.
type Code struct {
	name      string
	kernel    js.Value
	size      int
	constants []byte // whose address the module received
}

// programMemory returns the program's memory. Go's support for JavaScript keeps the instance that the memory
// belongs to in the object whose method makes functions: a function that replaces this method for a moment is
// called with the object.
var programMemory = sync.OnceValues(func() (memory js.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("native: the program's memory was not found (%v); load Go's wasm_exec.js as it is", r)
		}
	}()
	support := js.Global().Get("Go")
	if support.Type() != js.TypeFunction {
		return memory, errors.New("native: there is no class Go; load Go's wasm_exec.js as a script")
	}
	const method = "_makeFuncWrapper"
	prototype := support.Get("prototype")
	made := prototype.Get(method)
	var program js.Value
	note := js.FuncOf(func(this js.Value, args []js.Value) any {
		program = this
		return made.Call("call", this, args[0])
	})
	defer note.Release()
	prototype.Set(method, note)
	js.FuncOf(func(js.Value, []js.Value) any { return nil }).Release()
	prototype.Set(method, made)
	memory = program.Get("_inst").Get("exports").Get("mem")
	if !memory.InstanceOf(js.Global().Get("WebAssembly").Get("Memory")) {
		return memory, errors.New("native: the program exports no memory mem; build it with Go")
	}
	return memory, nil
})

// Available reports why modules cannot run here, or nil.
func Available() error {
	if !detected.SIMD128 {
		return Unsupported("the engine has no vectors of 128 bits")
	}
	_, err := programMemory()
	return err
}

// Memory returns where code lies, or why there is none.
func Memory() (string, error) {
	if err := Available(); err != nil {
		return "", err
	}
	if detected.RelaxedMadd {
		return "modules in the program's memory, with relaxed_madd", nil
	}
	return "modules in the program's memory", nil
}

// Load makes an instance of a module that package wasm wrote. The name appears in errors.
func Load(name string, code []byte) (c *Code, err error) {
	memory, err := programMemory()
	if err != nil {
		return nil, err
	}
	constants, err := wasm.Constants(code)
	if err != nil {
		return nil, fmt.Errorf("native: %s: %w", name, err)
	}
	c = &Code{name: name, size: len(code)}
	if len(constants) > 0 {
		const align = 64
		b := make([]byte, len(constants)+align)
		skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(b)))) & (align - 1)
		c.constants = b[skip:][:len(constants)]
		copy(c.constants, constants)
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case js.Error:
			c, err = nil, fmt.Errorf("native: %s: the engine refuses the module (%w)", name, r)
		default:
			panic(r)
		}
	}()
	c.kernel = instance(code, map[string]any{
		wasm.ImportMemory:    memory,
		wasm.ImportConstants: uint32(uintptr(unsafe.Pointer(unsafe.SliceData(c.constants)))),
	})
	return c, nil
}

// instance returns the kernel of a module. It panics with a [js.Error].
func instance(code []byte, imports map[string]any) js.Value {
	assembly := js.Global().Get("WebAssembly")
	bytes := js.Global().Get("Uint8Array").New(len(code))
	js.CopyBytesToJS(bytes, code)
	module := assembly.Get("Module").New(bytes)
	return assembly.Get("Instance").New(module, map[string]any{wasm.ImportModule: imports}).Get("exports").Get(wasm.Export)
}

// Name returns the name that Load received.
func (c *Code) Name() string { return c.name }

// Size returns the number of bytes of the module.
func (c *Code) Size() int { return c.size }

// Call runs the code with the address args. What args points to must stay reachable until Call
// returns. It panics with a [js.Error] if the engine stops the code.
func (c *Code) Call(args unsafe.Pointer) {
	c.kernel.Invoke(uint32(uintptr(args)))
	runtime.KeepAlive(c)
}

// Guard runs f, which calls c and does nothing else that may fail, and returns what stopped c as an error
// that names it. Panics of other kinds propagate.
func (c *Code) Guard(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			f := FaultOf(c.name, r)
			if f == nil {
				panic(r)
			}
			err = f
		}
	}()
	f()
	return nil
}

// Fault is the engine's report about code that it stopped: an access to memory that the program does not have,
// or a stack without room.
type Fault struct {
	Name   string
	reason string
}

// FaultOf returns the fault of the code called name, which panicked with r; nil if r is no [js.Error].
func FaultOf(name string, r any) *Fault {
	e, ok := r.(js.Error)
	if !ok {
		return nil
	}
	f := &Fault{name, e.Error()}
	if e.InstanceOf(js.Global().Get("WebAssembly").Get("RuntimeError")) { // in the code only accesses to memory trap
		f.reason = "memory fault (" + f.reason + ")"
	}
	return f
}

// Error describes the fault.
func (f *Fault) Error() string { return "native: " + f.Name + ": " + f.reason }
