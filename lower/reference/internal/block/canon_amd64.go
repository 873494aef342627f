//go:build !purego

package block

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:noescape
func canon32(x unsafe.Pointer, n int)

//go:noescape
func canon64(x unsafe.Pointer, n int)

func init() {
	if cpu.X86.HasAVX512F {
		canonizer32, Canonizer64 = canon32, canon64
	}
}
