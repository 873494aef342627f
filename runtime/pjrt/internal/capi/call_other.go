//go:build !((linux || darwin || windows) && (amd64 || arm64))

package capi

import "errors"

func open(path, name string) (uintptr, error) {
	return 0, errors.New("plugins are not loaded on this platform; use Linux, macOS or Windows on amd64 or arm64")
}

func invoke(f, arg uintptr) uintptr { return 0 }

func invoke3(f, x, y, z uintptr) uintptr { return 0 }

// Callback returns 0: no plugin is loaded on this platform.
func Callback(f func(arg uintptr) uintptr) uintptr { return 0 }
