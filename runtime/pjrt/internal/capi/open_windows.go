//go:build windows && (amd64 || arm64)

package capi

import "syscall"

func open(path, name string) (uintptr, error) {
	lib, err := syscall.LoadLibrary(path)
	if err != nil {
		return 0, err
	}
	f, err := syscall.GetProcAddress(lib, name)
	if err != nil {
		_ = syscall.FreeLibrary(lib)
	}
	return f, err
}
