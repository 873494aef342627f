//go:build (darwin || linux || windows) && !purego

package native

import "encoding/binary"

// storeCode returns code that stores x where its argument points to.
func storeCode(x uint32) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 0xd2800001|x&0xffff<<5) // movz x1, #x
	b = binary.LittleEndian.AppendUint32(b, 0xf2a00001|x>>16<<5)       // movk x1, #x, lsl #16
	return append(b, "\x01\x00\x00\xf9\xc0\x03\x5f\xd6"...)            // str x1, [x0]; ret
}

const (
	idle        = "\x1f\x20\x03\xd5"                                 // an instruction that does nothing
	storesThere = "\x01\x00\x40\xf9\x21\x00\x00\xf9\xc0\x03\x5f\xd6" // ldr x1, [x0]; str x1, [x1]; ret
)
