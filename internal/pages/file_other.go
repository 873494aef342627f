//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd

package pages

import "os"

// File returns the bytes of a file. It reports whether they are mapped.
func File(f *os.File) (data []byte, mapping bool, err error) { return Read(f) }

// Forget does nothing: no file is mapped.
func Forget([]byte) {}
