//go:build !linux || !(amd64 || arm64)

package mpi

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

func open(string) (uintptr, error) {
	return 0, fmt.Errorf("MPI libraries are loaded on Linux on amd64 and arm64, not on %s/%s; %w", runtime.GOOS, runtime.GOARCH, errors.ErrUnsupported)
}

func symbol(uintptr, string) (uintptr, error) { return 0, errors.ErrUnsupported }

func raw(uintptr, []uintptr) int32 { panic("mpi: no library is loaded on this system; Open says so") }

func nap(d time.Duration) { time.Sleep(d) }

func exitHandlers(uintptr) {}

func removeSegments() {}

// A segment is memory that processes of a machine share: there is none on this system.
type segment struct{ memory []byte }

func newSegment(int) *segment { return nil }

func (s *segment) announcement() []byte { return make([]byte, announced) }

func (s *segment) closeFile() {}

func boxOf([]byte, int, int) []byte { return nil }

func unmap([]byte) {}
