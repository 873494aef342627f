//go:build (linux || windows) && (amd64 || arm64)

package cu

import (
	"fmt"
	"os"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// NVIDIA's profilers see ranges that a process names through NVTX, which consists of headers alone: the process
// loads the library that a profiler names in the environment, which writes its functions to a table
// of the process. Without a profiler there is nothing to call.

const injectionVariable = "NVTX_INJECTION64_PATH"

// The numbers of two functions in the table of the core module, and its size.
const (
	rangePush = 9
	rangePop  = 11
	coreSize  = 16
)

// core is the table of the core module: pointers to the places where a profiler writes its functions, with 0 at both ends.
var core struct {
	places    [coreSize + 1]*uintptr
	functions [coreSize]uintptr
}

// callbackTable is NvtxExportTableCallbacks.
type callbackTable struct {
	size    uintptr
	modules uintptr // the address of a function
}

// versionTable is NvtxExportTableVersionInfo.
type versionTable struct {
	size    uintptr
	version uint32
	_       uint32
	set     uintptr // the address of a function
}

var (
	callbackExport callbackTable
	versionExport  versionTable
)

// exports makes the tables and returns the function that a profiler calls for them.
var exports = sync.OnceValue(func() uintptr {
	for i := 1; i < coreSize; i++ {
		core.places[i] = &core.functions[i]
	}
	callbackExport = callbackTable{unsafe.Sizeof(callbackExport), purego.NewCallback(func(module uintptr, table ***uintptr, n *uint32) uintptr {
		const coreModule = 1
		if uint32(module) != coreModule {
			return 0
		}
		if table != nil {
			*table = &core.places[0]
		}
		if n != nil {
			*n = uint32(len(core.places))
		}
		return 1
	})}
	versionExport = versionTable{size: unsafe.Sizeof(versionExport), version: 3, set: purego.NewCallback(func(version uintptr) uintptr { return 0 })}
	return purego.NewCallback(func(id uintptr) uintptr {
		const callbacks, versions = 1, 3
		switch uint32(id) {
		case callbacks:
			return uintptr(unsafe.Pointer(&callbackExport))
		case versions:
			return uintptr(unsafe.Pointer(&versionExport))
		}
		return 0
	})
})

// Inject starts the profiler that the environment names and reports whether there is one that takes ranges.
var Inject = sync.OnceValues(func() (bool, error) {
	path := os.Getenv(injectionVariable)
	if path == "" {
		return false, nil
	}
	start, err := profiler(path)
	if err != nil {
		return false, fmt.Errorf("%s names no profiler that starts (%w); unset it, or start the process by the profiler", injectionVariable, err)
	}
	return Profiler(start), nil
})

// Profiler starts a profiler by its function InitializeInjectionNvtx2, and reports whether it takes ranges.
func Profiler(start uintptr) bool {
	r, _, _ := purego.SyscallN(start, exports())
	return int32(r) == 1 && core.functions[rangePush] != 0 && core.functions[rangePop] != 0
}

// PushRange begins a range of the calling thread. The name ends with a zero.
func PushRange(name []byte) {
	purego.SyscallN(core.functions[rangePush], uintptr(unsafe.Pointer(&name[0])))
}

// PopRange ends the range of the calling thread that began last.
func PopRange() { purego.SyscallN(core.functions[rangePop]) }
