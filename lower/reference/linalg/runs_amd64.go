//go:build !purego

package linalg

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func lessRuns(y unsafe.Pointer, yStep int, x unsafe.Pointer, xStep int, a unsafe.Pointer, count int)

//go:noescape
func moreRuns(y unsafe.Pointer, yStep int, x unsafe.Pointer, xStep int, a unsafe.Pointer, count int)

//go:noescape
func scaleRuns(y unsafe.Pointer, yStep int, a unsafe.Pointer, count int)

//go:noescape
func innerRuns(c, x unsafe.Pointer, xStep int, y unsafe.Pointer, yStep, count int)

//go:noescape
func sumRuns(c, x unsafe.Pointer, xStep int, y unsafe.Pointer, yStep, count int)

//go:noescape
func largestRuns(big, x unsafe.Pointer, xStep, count int)

//go:noescape
func reflectorRuns(x unsafe.Pointer, xStep, count int, beta, tau unsafe.Pointer) (bad uint)

//go:noescape
func sweepTridiagonal(s unsafe.Pointer, count int) (bad uint)

//go:noescape
func sweepBidiagonal(s unsafe.Pointer, count int) (bad uint)

func init() {
	if !cpu.X86.HasAVX512F || !cpu.X86.HasAVX512DQ {
		return
	}
	runs64 = &runOps{lessRuns, moreRuns, scaleRuns, innerRuns, sumRuns, largestRuns, reflectorRuns, sweepTridiagonal, sweepBidiagonal}
}
