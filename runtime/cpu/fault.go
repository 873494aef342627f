package cpu

import (
	"runtime/debug"

	"github.com/weft-go/weft/runtime/cpu/internal/native"
)

// recoverFault is deferred around machine code, after SetPanicOnFault, whose old setting
// it restores. A memory fault of machine code, on any thread, becomes an error that names
// the kernel. Other panics propagate.
func (s *space) recoverFault(old bool, err *error) {
	debug.SetPanicOnFault(old)
	r := recover()
	if r == nil {
		return
	}
	f := s.fault(r)
	if f == nil {
		panic(r)
	}
	*err = f
}

// fault returns the fault of the kernel that was running; it returns nil if none was, and if the panic r is no
// memory fault.
func (s *space) fault(r any) *native.Fault {
	var f *native.Fault
	for i := range s.workers {
		w := &s.workers[i]
		if w.running != nil {
			f = native.FaultOf(w.running.Name(), r)
			w.running = nil
		}
	}
	return f
}
