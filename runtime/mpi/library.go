package mpi

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"unsafe"
)

// The functions that are called. Only the last is optional: its address is 0 in a library without it.
const (
	mpiGetLibraryVersion = iota
	mpiInitialized
	mpiInitThread
	mpiCommSetErrhandler
	mpiCommRank
	mpiCommSize
	mpiTestsome
	mpiErrorString
	mpiAbort
	mpiFinalize
	mpiIsend
	mpiIrecv
	mpiIprobe
	mpiAbiGetVersion
	count
)

// symbols has the names under which a library may have each function, separated by spaces, the best
// first. Functions whose names end in _c take 64-bit counts.
var symbols = [count]string{
	"MPI_Get_library_version", "MPI_Initialized", "MPI_Init_thread", "MPI_Comm_set_errhandler", "MPI_Comm_rank", "MPI_Comm_size",
	"MPI_Testsome", "MPI_Error_string", "MPI_Abort", "MPI_Finalize", "MPI_Isend_c MPI_Isend", "MPI_Irecv_c MPI_Irecv", "MPI_Iprobe", "MPI_Abi_get_version",
}

type library struct {
	file      string
	version   string
	abi       *abi
	functions [count]uintptr
	names     [count]string
	most      int // bytes of the largest message

	// begun is called when all processes have begun, ended when MPI has been finalized.
	begun, ended func()

	world, byte, errorsReturn uintptr
}

// newLibrary returns the library of a file. find returns the address of a function or variable of that name.
func newLibrary(file string, find func(name string) (uintptr, error)) (*library, error) {
	a, err := recognize(file, find)
	if err != nil {
		return nil, fmt.Errorf("mpi: %w", err)
	}
	l := &library{file: file, abi: a, most: math.MaxInt, begun: func() {}, ended: func() {}, world: a.world, byte: a.byte, errorsReturn: a.errorsReturn}
	for i, names := range symbols {
		for _, n := range strings.Fields(names) {
			if l.functions[i], err = find(n); err == nil {
				l.names[i] = n
				if n == "MPI_Isend" || n == "MPI_Irecv" {
					l.most = math.MaxInt32 &^ 4095
				}
				break
			}
			l.functions[i] = 0
		}
		if err != nil && (i != mpiAbiGetVersion || a == standardABI) {
			return nil, fmt.Errorf("mpi: %s has no function %s (%w); install MPICH 3.1, Open MPI 3, or a newer one", file, names, err)
		}
	}
	for i, at := range []*uintptr{&l.world, &l.byte, &l.errorsReturn} {
		if a.symbols != nil {
			if *at, err = find(a.symbols[i]); err != nil {
				return nil, fmt.Errorf("mpi: %s has no %s (%w); install Open MPI 3, 4 or 5", file, a.symbols[i], err)
			}
		}
	}
	text, n := make([]byte, a.text), int32(0)
	if err := l.call(mpiGetLibraryVersion, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&n))); err != nil {
		return nil, err
	}
	text, _, _ = bytes.Cut(text, []byte{'\n'})
	l.version, _, _ = strings.Cut(line(text, n), ",")
	var version [2]int32
	if a == standardABI {
		if err := l.call(mpiAbiGetVersion, uintptr(unsafe.Pointer(&version[0])), uintptr(unsafe.Pointer(&version[1]))); err != nil {
			return nil, err
		}
	}
	if err := a.understood(file, l.version, version[0]); err != nil {
		return nil, fmt.Errorf("mpi: %w", err)
	}
	return l, nil
}

// line returns the first n bytes of text, up to a zero byte, as one line.
func line(text []byte, n int32) string {
	text = text[:min(max(int(n), 0), len(text))]
	text, _, _ = bytes.Cut(text, []byte{0})
	return strings.Join(strings.Fields(string(text)), " ")
}

// call calls a function. Its callers write pointers as uintptr(unsafe.Pointer(…)) in the call
// itself, which keeps what they point to in place.
//
//go:uintptrescapes
func (l *library) call(f int, args ...uintptr) error {
	if code := raw(l.functions[f], args); code != 0 {
		return l.failure(f, code)
	}
	return nil
}

// An Error is an error code that a function of the library returned.
type Error struct {
	Function string
	Code     int
	Text     string // the library's description of the code, "" if there is none
}

// Error names the function and describes the error in the library's words.
func (e *Error) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("mpi: %s failed with code %d", e.Function, e.Code)
	}
	return fmt.Sprintf("mpi: %s failed: %s", e.Function, e.Text)
}

func (l *library) failure(f int, code int32) error {
	e := &Error{Function: l.names[f], Code: int(code)}
	text, n := make([]byte, l.abi.text), int32(0)
	if f != mpiErrorString && l.call(mpiErrorString, uintptr(uint32(code)), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&n))) == nil {
		e.Text = line(text, n)
	}
	return e
}
