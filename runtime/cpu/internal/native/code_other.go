//go:build !(amd64 || (arm64 && (darwin || linux || windows)) || js) || purego

package native

import (
	"runtime"
	"unsafe"
)

var errNone = func() Unsupported {
	if runtime.GOOS == "wasip1" {
		return "a WebAssembly module cannot make others under WASI"
	}
	return "there is no code generator for this platform"
}()

// Code is machine code in executable memory; there is none here.
type Code struct{}

// Available reports why machine code cannot run here.
func Available() error { return errNone }

// Memory reports that there is no executable memory.
func Memory() (string, error) { return "", errNone }

// Load reports that machine code cannot run here.
func Load(string, []byte) (*Code, error) { return nil, errNone }

// Name returns the name that Load received.
func (*Code) Name() string { return "" }

// Size returns the number of bytes of code and constants.
func (*Code) Size() int { return 0 }

// Call is never called: there is no Code.
func (*Code) Call(unsafe.Pointer) { panic("BUG: machine code on a platform that has none") }

// Guard runs f.
func (*Code) Guard(f func()) error { f(); return nil }

// Fault is an access of machine code to memory that is not its own.
type Fault struct {
	Name    string
	Address uintptr
}

// FaultOf returns nil: no code has panicked.
func FaultOf(string, any) *Fault { return nil }

// Error describes the fault.
func (f *Fault) Error() string { return "native: " + f.Name + ": memory fault" }
