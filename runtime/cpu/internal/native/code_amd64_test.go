//go:build !purego

package native

import "encoding/binary"

// storeCode returns code that stores x where its argument points to.
func storeCode(x uint32) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte{0x48, 0xc7, 0x07}, x), 0xc3)
}

const (
	idle        = "\x90"                                         // an instruction that does nothing
	storesThere = "\x48\x8b\x07\x48\xc7\x00\x01\x00\x00\x00\xc3" // mov rax, [rdi]; mov qword ptr [rax], 1; ret
)
