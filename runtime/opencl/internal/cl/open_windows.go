//go:build windows && (amd64 || arm64)

package cl

import (
	"runtime"
	"syscall"
)

// open returns the machine's OpenCL library.
func open() (uintptr, error) {
	lib, err := syscall.LoadLibrary("OpenCL.dll")
	return uintptr(lib), err
}

func symbol(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}

// keep keeps bytes alive until it is called.
func keep(b []byte) { runtime.KeepAlive(b) }
