package stablehlo

import enc "encoding/binary"

var bigEndian = enc.NativeEndian.Uint16([]byte{0, 1}) == 1
