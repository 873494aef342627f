package mpi

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
)

// An abi has the constants of an MPI library's binary interface, which its header compiles into programs.
type abi struct {
	name string
	// Handles: constants or, if symbols is not nil, the addresses of the variables that it names.
	world, byte, errorsReturn uintptr
	symbols                   []string // the variables of the three handles, in the same order
	request                   int      // bytes of a request's handle
	statusesIgnore            uintptr
	serialized                int32 // MPI_THREAD_SERIALIZED
	undefined                 int32 // MPI_UNDEFINED
	text                      int   // the larger of MPI_MAX_ERROR_STRING and MPI_MAX_LIBRARY_VERSION_STRING, in bytes
}

var (
	standardABI = &abi{name: "standard", world: 0x101, byte: 0x247, errorsReturn: 0x143, request: 8, statusesIgnore: 0, serialized: 2048, undefined: -32766, text: 8192}
	mpichABI    = &abi{name: "MPICH", world: 0x44000000, byte: 0x4c00010d, errorsReturn: 0x54000001, request: 4, statusesIgnore: 1, serialized: 2, undefined: -32766, text: 8192}
	openmpiABI  = &abi{name: "Open MPI", symbols: []string{"ompi_mpi_comm_world", "ompi_mpi_byte", "ompi_mpi_errors_return"}, request: 8, statusesIgnore: 0, serialized: 2, undefined: -32766, text: 8192}
)

// recognize returns the ABI of a library, told by the name of its file and the symbols that it has.
func recognize(file string, find func(name string) (uintptr, error)) (*abi, error) {
	has := func(name string) bool { _, err := find(name); return err == nil }
	switch {
	case !has("MPI_Init_thread"):
		return nil, fmt.Errorf("%s is not an MPI library: it has no MPI_Init_thread; let %s name one, as libmpi_abi.so.1", file, Variable)
	case has("ompi_mpi_comm_world"):
		return openmpiABI, nil
	case strings.HasPrefix(filepath.Base(file), "libmpi_abi"):
		return standardABI, nil
	}
	return mpichABI, nil
}

// understood returns an error unless the ABI of the library is known to be a. text is the library's
// description of itself; major is the version of the standard ABI.
func (a *abi) understood(file, text string, major int32) error {
	switch a {
	case standardABI:
		if major != 1 {
			return fmt.Errorf("%s has version %d of MPI's standard ABI (want 1); install MPICH 5 or another library with that, or update weft", file, major)
		}
	case openmpiABI:
		_, v, _ := strings.Cut(text, "Open MPI v")
		v, _, _ = strings.Cut(v, ".")
		if n, err := strconv.Atoi(v); err != nil || n < 3 || n > 5 {
			return fmt.Errorf("%s is %q (want Open MPI 3 to 5 for this ABI); use its libmpi_abi.so.1 if it has one, or install Open MPI 5", file, text)
		}
	case mpichABI:
		for _, name := range []string{"MPICH", "Intel(R) MPI", "MVAPICH"} {
			if strings.Contains(text, name) {
				return nil
			}
		}
		return fmt.Errorf("%s is %q, whose ABI is not understood; use its libmpi_abi.so.1 if it has one, or install MPICH or Open MPI", file, text)
	}
	return nil
}
