package stablehlo

import enc "encoding/binary"

// bigEndian reports whether the host stores the highest byte first.
var bigEndian = enc.NativeEndian.Uint16([]byte{0, 1}) == 1
