package runtime

import "unsafe"

func align(a *Array) uintptr { return uintptr(unsafe.Pointer(&a.t.Data[0])) }
