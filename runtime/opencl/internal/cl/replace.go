//go:build (linux || darwin || windows) && (amd64 || arm64)

package cl

import (
	"fmt"
	"slices"
)

// Names returns the names of the functions that are called.
func Names() []string { return names[:] }

// Function returns the address of a function of the library.
func Function(name string) uintptr { return functions[indexOf(name)].Load() }

// Replace puts another function in the place of one of the library, for tests.
func Replace(name string, f uintptr) (restore func()) {
	i := indexOf(name)
	before := functions[i].Swap(f)
	return func() { functions[i].Store(before) }
}

func indexOf(name string) int {
	i := slices.Index(names[:], name)
	if i < 0 {
		panic(fmt.Sprintf("BUG: no function %s", name))
	}
	return i
}
