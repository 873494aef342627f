//go:build !purego

package native

import "golang.org/x/sys/windows"

var flushInstructionCache = windows.NewLazySystemDLL("kernel32.dll").NewProc("FlushInstructionCache")

// synchronize makes the processor run the code that was written to memory just made executable.
func synchronize(start, size uintptr) {
	_, _, _ = flushInstructionCache.Call(uintptr(windows.CurrentProcess()), start, size)
}
