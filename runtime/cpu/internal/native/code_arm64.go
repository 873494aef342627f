//go:build linux && !purego

package native

import "unsafe"

// storesAnswer is code that stores 42 where its argument points to:
// mov x1, #42; str x1, [x0]; ret
const storesAnswer = "\x41\x05\x80\xd2\x01\x00\x00\xf9\xc0\x03\x5f\xd6"

func mappers() []mapper { return []mapper{flipMapper{}} }

// synchronize makes the processor run what was written to memory that was just made executable. An
// address that has run is mapped anew before that: some processors, and emulators, would go on
// with the instructions that they have decoded.
func synchronize(code []byte) {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(code)))
	cleanCaches(start, start+uintptr(len(code)))
}

// cleanCaches writes lines of the data cache back and invalidates those of the instruction cache.
func cleanCaches(start, end uintptr)
