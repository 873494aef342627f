//go:build !purego

package linalg

import "unsafe"

//go:noescape
func transposeLanes32(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int, loads, stores, canon uint, loadAhead, storeAhead int)

//go:noescape
func transposeLanes64(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int, loads, stores, canon uint, loadAhead, storeAhead int)

//go:noescape
func choleskyLanes32(t unsafe.Pointer, n int) (bad uint)

//go:noescape
func choleskyLanes64(t unsafe.Pointer, n int) (bad uint)

//go:noescape
func meanLanes32(t unsafe.Pointer, n int)

//go:noescape
func meanLanes64(t unsafe.Pointer, n int)

//go:noescape
func solveLanes32(t unsafe.Pointer, si, sk int, x unsafe.Pointer, ui, uj, n, m, unit int)

//go:noescape
func solveLanes64(t unsafe.Pointer, si, sk int, x unsafe.Pointer, ui, uj, n, m, unit int)

//go:noescape
func luLanes32(t unsafe.Pointer, m, n int, pivots unsafe.Pointer) (ok bool)

//go:noescape
func luLanes64(t unsafe.Pointer, m, n int, pivots unsafe.Pointer) (ok bool)
