//go:build (linux || darwin || windows) && (amd64 || arm64)

package cl

import (
	"fmt"
	"strings"
	"unsafe"
)

// Build compiles a program.
func Build(context, d Handle, text, options string) (Handle, error) {
	source := append([]byte(text), 0)
	lines := uintptr(unsafe.Pointer(&source[0]))
	var code int32
	p := Handle(call(createProgramWithSource, uintptr(context), 1, uintptr(unsafe.Pointer(&lines)), 0, uintptr(unsafe.Pointer(&code))))
	if err := check(createProgramWithSource, uintptr(code)); err != nil {
		return 0, err
	}
	p, err := link(p, d, options)
	keep(source)
	return p, err
}

// BuildBinary returns the program of code that Binary has returned, in this process or in another one, for
// the same device, driver and options.
func BuildBinary(context, d Handle, binary []byte, options string) (Handle, error) {
	at, n := uintptr(unsafe.Pointer(&binary[0])), uintptr(len(binary))
	var code int32
	p := Handle(call(createProgramWithBinary, uintptr(context), 1, uintptr(unsafe.Pointer(&d)), uintptr(unsafe.Pointer(&n)),
		uintptr(unsafe.Pointer(&at)), 0, uintptr(unsafe.Pointer(&code))))
	if err := check(createProgramWithBinary, uintptr(code)); err != nil {
		return 0, err
	}
	p, err := link(p, d, options)
	keep(binary)
	return p, err
}

// link makes a program executable and returns it. If that fails, the program is released; the error contains the compiler's output.
func link(p, d Handle, options string) (Handle, error) {
	opts := append([]byte(options), 0)
	err := check(buildProgram, call(buildProgram, uintptr(p), 1, uintptr(unsafe.Pointer(&d)), uintptr(unsafe.Pointer(&opts[0])), 0, 0))
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, BuildLog(p, d))
		ReleaseProgram(p)
		return 0, err
	}
	return p, nil
}

// BuildLog returns what the compiler printed about a program: its errors and warnings.
func BuildLog(p, d Handle) string {
	const what = 0x1183
	var n uintptr
	if call(getProgramBuildInfo, uintptr(p), uintptr(d), what, 0, 0, uintptr(unsafe.Pointer(&n))) != 0 || n == 0 {
		return ""
	}
	b := make([]byte, n)
	call(getProgramBuildInfo, uintptr(p), uintptr(d), what, n, uintptr(unsafe.Pointer(&b[0])), 0)
	return strings.TrimRight(string(b), "\x00")
}

// Binary returns the code of a built program for its device, empty if the driver has none.
func Binary(p Handle) ([]byte, error) {
	const binarySizes, binaries = 0x1165, 0x1166
	var n uintptr // the program has one device
	if err := check(getProgramInfo, call(getProgramInfo, uintptr(p), binarySizes, unsafe.Sizeof(n), uintptr(unsafe.Pointer(&n)), 0)); err != nil || n == 0 {
		return nil, err
	}
	code := make([]byte, n)
	at := uintptr(unsafe.Pointer(&code[0]))
	err := check(getProgramInfo, call(getProgramInfo, uintptr(p), binaries, unsafe.Sizeof(at), uintptr(unsafe.Pointer(&at)), 0))
	keep(code)
	return code, err
}

// ReleaseProgram releases a program; its kernels keep what they need.
func ReleaseProgram(p Handle) { call(releaseProgram, uintptr(p)) }

// NewKernel returns a kernel of a program.
func NewKernel(program Handle, name string) (Handle, error) {
	text := append([]byte(name), 0)
	var code int32
	k := call(createKernel, uintptr(program), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&code)))
	return Handle(k), check(createKernel, uintptr(code))
}

// MostThreads returns the number of threads that a group of a kernel may have on a device, which may be fewer than the device's limit.
func MostThreads(kernel, device Handle) (int, error) {
	const workGroupSize = 0x11b0
	var n uintptr
	err := check(getKernelWorkGroupInfo, call(getKernelWorkGroupInfo, uintptr(kernel), uintptr(device), workGroupSize, unsafe.Sizeof(n), uintptr(unsafe.Pointer(&n)), 0))
	return int(n), err
}

// ReleaseKernel releases a kernel. Commands that were given keep it alive.
func ReleaseKernel(k Handle) { call(releaseKernel, uintptr(k)) }
