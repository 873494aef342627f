//go:build !purego

package native

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"unsafe"
)

// The system's library has both functions: Go's runtime calls the assembly that jumps to them on a
// stack of the system's. Programs cannot invalidate caches themselves, since they may not read the
// register that contains the length of cache lines.

//go:cgo_import_dynamic libc_sys_icache_invalidate sys_icache_invalidate "/usr/lib/libSystem.B.dylib"
//go:cgo_import_dynamic libc_csops csops "/usr/lib/libSystem.B.dylib"

var libc_sys_icache_invalidate_trampoline_addr, libc_csops_trampoline_addr uintptr

//go:linkname syscall_syscall syscall.syscall
func syscall_syscall(fn, a1, a2, a3 uintptr) (r1, r2 uintptr, err syscall.Errno)

//go:linkname syscall_syscall6 syscall.syscall6
func syscall_syscall6(fn, a1, a2, a3, a4, a5, a6 uintptr) (r1, r2 uintptr, err syscall.Errno)

// synchronize empties the instruction cache of memory that code was written to, so that the processor
// runs that code and not what was there.
func synchronize(start, size uintptr) {
	_, _, _ = syscall_syscall(libc_sys_icache_invalidate_trampoline_addr, start, size, 0)
}

// Perilous returns why the system may end the process at its first instruction of machine code, nil if
// it does not: it ends processes that have the hardened runtime and were signed without an entitlement.
func Perilous() error { return perilous() }

var perilous = sync.OnceValue(func() error {
	const status, hardenedRuntime = 0, 0x10000 // CS_OPS_STATUS, CS_RUNTIME
	var flags uint32
	_, _, err := syscall_syscall6(libc_csops_trampoline_addr, uintptr(os.Getpid()), status, uintptr(unsafe.Pointer(&flags)), unsafe.Sizeof(flags), 0, 0)
	if err != 0 || flags&hardenedRuntime == 0 {
		return nil
	}
	return errors.New("the process has the hardened runtime, so macOS would end it at the first instruction of code that it writes; sign it with the entitlement " +
		"com.apple.security.cs.allow-unsigned-executable-memory, and select the executor by name")
})
