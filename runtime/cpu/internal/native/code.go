//go:build (amd64 || (arm64 && (darwin || linux || windows))) && !purego

package native

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"unsafe"
)

// Code is machine code in executable memory. The memory is given back when nothing
// refers to the Code.
type Code struct {
	name  string
	entry uintptr
	size  int
}

// A mapper places code in executable memory. There is one for each way that a system allows.
type mapper interface {
	// place copies code, aligned to 64 bytes, and returns its address and a function
	// that releases the memory.
	place(code []byte) (entry uintptr, release func(), err error)

	// String describes the way.
	String() string
}

var errRefused = errors.New("the system refuses executable memory")

// chosen returns the first mapper that passes the test. The test runs once.
var chosen = sync.OnceValues(func() (mapper, error) { return choose(mappers()) })

// choose returns the first mapper of list that passes the test. The error contains that of the first mapper.
func choose(list []mapper) (mapper, error) {
	var first error
	for _, m := range list {
		err := try(m)
		if err == nil {
			return m, nil
		}
		if first == nil {
			first = err
		}
	}
	if first == nil {
		first = errRefused
	}
	return nil, fmt.Errorf("native: no executable memory (%w)", first)
}

// try runs a function of a few instructions from memory of m.
func try(m mapper) (err error) {
	entry, release, err := m.place([]byte(storesAnswer))
	if err != nil {
		return err
	}
	defer release()
	c := &Code{name: "test", entry: entry}
	x := new(uint64)
	if err := c.Guard(func() { c.Call(unsafe.Pointer(x)) }); err != nil {
		return err
	}
	if *x != 42 {
		return errRefused
	}
	return nil
}

// Available reports why machine code cannot run here, or nil.
func Available() error {
	_, err := chosen()
	return err
}

// Memory returns how executable memory is made here, or why there is none.
func Memory() (string, error) {
	m, err := chosen()
	if err != nil {
		return "", err
	}
	return m.String(), nil
}

// Load places code in executable memory. The name appears in errors.
func Load(name string, code []byte) (*Code, error) {
	m, err := chosen()
	if err != nil {
		return nil, err
	}
	entry, release, err := m.place(code)
	if err != nil {
		return nil, fmt.Errorf("native: %s: %w", name, err)
	}
	c := &Code{name: name, entry: entry, size: len(code)}
	runtime.AddCleanup(c, func(release func()) { release() }, release)
	return c, nil
}

// Name returns the name that Load received.
func (c *Code) Name() string { return c.name }

// Size returns the number of bytes of code and constants.
func (c *Code) Size() int { return c.size }

// Call runs the code with args in the first register of arguments, RDI or X0. What args points
// to must stay reachable and in place until Call returns, so it must not lie on a stack of Go's.
func (c *Code) Call(args unsafe.Pointer) {
	call(c.entry, args)
	runtime.KeepAlive(c)
}

// Guard runs f, which calls c and does nothing else that may fail, and returns a memory fault as
// an error that names c. Panics of other kinds propagate.
func (c *Code) Guard(f func()) (err error) {
	old := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(old)
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

// Fault is an access of machine code to memory that is not its own.
type Fault struct {
	Name    string
	Address uintptr
}

// FaultOf returns the fault of the code called name, which panicked with r; nil if r is no runtime.Error.
func FaultOf(name string, r any) *Fault {
	if _, ok := r.(runtime.Error); !ok {
		return nil
	}
	f := &Fault{Name: name}
	if a, ok := r.(interface{ Addr() uintptr }); ok { // errors near address 0 lack the method
		f.Address = a.Addr()
	}
	return f
}

// Error describes the fault.
func (f *Fault) Error() string {
	return fmt.Sprintf("native: %s: memory fault at address %#x", f.Name, f.Address)
}

// call calls the code at entry, with args in RDI or X0.
//
//go:noescape
func call(entry uintptr, args unsafe.Pointer)

// pause tells the processor n times that the thread spins.
func pause(n int)
