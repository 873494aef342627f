//go:build windows && (amd64 || arm64)

package cl

import (
	"runtime"
	"syscall"
)

func open() (uintptr, error) {
	lib, err := syscall.LoadLibrary("OpenCL.dll")
	return uintptr(lib), err
}

func symbol(lib uintptr, name string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(lib), name)
}

func keep(b []byte) { runtime.KeepAlive(b) }
