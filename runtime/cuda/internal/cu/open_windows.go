//go:build windows && (amd64 || arm64)

package cu

import "syscall"

// open returns the machine's driver library.
func open() (uintptr, error) {
	lib, err := syscall.LoadLibrary("nvcuda.dll")
	return uintptr(lib), err
}

func symbol(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}
