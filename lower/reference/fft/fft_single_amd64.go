//go:build !purego

package fft

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func singleFirst4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func singleReal4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func singleRows4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func singleRows2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func singleFours4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func singlePairs4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func singleLast4(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func singleLast2(src, to unsafe.Pointer, m, l int, w unsafe.Pointer)

//go:noescape
func storeSingleColumns(to unsafe.Pointer, step int, src unsafe.Pointer, n int, columns uint)

func init() {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		singleKernels, singleStore = singleKernels512, storeSingleColumns
	}
}

// singleKernels512 chooses kernels whose registers hold eight numbers of a row, or rows of one,
// two or four numbers of several groups.
func singleKernels512(s *singleStage, together int, w []cplx32) {
	m := s.m * together
	side := 8 / min(m, 8) // groups side by side
	switch {
	case s.l == 1 && s.q == 4 && m%8 == 0:
		s.kernel = singleFirst4
		if together == 1 {
			s.real = singleReal4
		}
		return
	case s.l == 1 || s.l%side != 0:
		return
	case m%8 == 0 && s.q == 2:
		s.kernel = singleRows2
	case m%8 == 0:
		s.kernel = singleRows4
	case m == 4:
		s.kernel = singleFours4
	case m == 2:
		s.kernel = singlePairs4
	case s.q == 4:
		s.kernel = singleLast4
	default:
		s.kernel = singleLast2
	}
	numbers := 8 / side
	if side == 1 {
		numbers = 1
	}
	for j := 0; j < s.l; j += side {
		for r := 1; r < s.q; r++ {
			for k := range side {
				for range numbers {
					s.w = append(s.w, w[r*s.m*(j+k)])
				}
			}
		}
	}
}
