//go:build linux && (amd64 || arm64)

package mpi

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// open loads a library and makes its symbols those of the process, where plugins of older Open MPIs look for them.
func open(file string) (uintptr, error) {
	runtime.LockOSThread() // the system keeps an error's text for the thread
	defer runtime.UnlockOSThread()
	return purego.Dlopen(file, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

func symbol(lib uintptr, name string) (uintptr, error) {
	runtime.LockOSThread() // as open does
	defer runtime.UnlockOSThread()
	return purego.Dlsym(lib, name)
}

// raw calls a function that returns an int.
func raw(function uintptr, args []uintptr) int32 {
	r, _, _ := purego.SyscallN(function, args...)
	return int32(r)
}

// nap sleeps by a system call: time.Sleep takes up to a millisecond longer.
func nap(d time.Duration) {
	t := unix.NsecToTimespec(int64(d))
	unix.Nanosleep(&t, nil)
}

// exitHandlers runs what a library has registered for the exit of the process, which Go's exit does
// not. MPICH tells its launcher there that the process ends as it should; otherwise the launcher kills
// the other processes. The handlers are run by the first entry of the library's fini_array.
func exitHandlers(lib uintptr) {
	dlinfo, err := symbol(purego.RTLD_DEFAULT, "dlinfo")
	if err != nil {
		return
	}
	type entry struct {
		tag   int64
		value uintptr
	}
	var loaded *struct {
		base    uintptr
		name    *byte
		dynamic *entry
	}
	const linkMap, finiArray = 2, 26
	code, _, _ := purego.SyscallN(dlinfo, lib, linkMap, uintptr(unsafe.Pointer(&loaded)))
	if int32(code) != 0 {
		return
	}
	for e := loaded.dynamic; e.tag != 0; e = (*entry)(unsafe.Add(unsafe.Pointer(e), unsafe.Sizeof(*e))) {
		if e.tag == finiArray {
			array := loaded.base + e.value
			purego.SyscallN(**(**uintptr)(unsafe.Pointer(&array)))
			return
		}
	}
}

// removeSegments removes the names of shared memory that this process has mapped. MPICH leaves them
// if a job fails. When all processes of a machine have begun, no process needs the names any more.
func removeSegments() {
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		return
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if _, name, ok := strings.Cut(s.Text(), "/dev/shm/mpich_shm_"); ok && !strings.Contains(name, " ") {
			os.Remove("/dev/shm/mpich_shm_" + name)
		}
	}
}
