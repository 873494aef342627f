//go:build (linux || windows) && (amd64 || arm64)

package cu

import "unsafe"

// A TensorMap describes to the device how tiles of an array are copied to shared memory.
// It is a parameter of a kernel, of 128 bytes.
type TensorMap [16]uint64

// SharedOptIn is the attribute for the largest number of bytes of shared memory that a group can have, see [Library.SetShared].
const SharedOptIn = 97

// The types of the elements of a tensor map.
const (
	MapF16  = 6
	MapBF16 = 9
	MapTF32 = 11 // f32 that is rounded when it is copied
)

// Tile describes the tiles of an array of up to five axes, the innermost first. Rows of a
// tile have 128 bytes; what lies outside of the array is copied as zeros.
type Tile struct {
	Kind    int       // the type of the elements, such as MapF16
	Rank    int       // the number of axes
	Dims    [5]uint64 // of the array
	Strides [4]uint64 // in bytes, of all axes but the first
	Box     [5]uint32 // of a tile
}

// TensorMaps reports whether the driver encodes tensor maps.
func (l *Library) TensorMaps() bool { return l.functions[cuTensorMapEncodeTiled] != 0 }

// EncodeTile writes to m the tensor map of an array whose memory begins at address.
func (l *Library) EncodeTile(m *TensorMap, t *Tile, address uint64) error {
	const interleave, swizzle128, promote128, zeros = 0, 3, 2, 0
	var aligned [24]uint64 // the driver requires an address that is a multiple of 64
	steps := [5]uint32{1, 1, 1, 1, 1}
	tile := *t
	p := unsafe.Pointer(&aligned)
	skip := (64 - uintptr(p)%64) % 64 / 8
	err := l.call(cuTensorMapEncodeTiled, uintptr(unsafe.Pointer(&aligned[skip])), uintptr(tile.Kind), uintptr(tile.Rank), uintptr(address),
		uintptr(unsafe.Pointer(&tile.Dims)), uintptr(unsafe.Pointer(&tile.Strides)), uintptr(unsafe.Pointer(&tile.Box)), uintptr(unsafe.Pointer(&steps)),
		interleave, swizzle128, promote128, zeros)
	copy(m[:], aligned[skip:skip+16])
	return err
}

// SetShared allows a kernel a number of bytes of shared memory beyond those that it declares.
func (l *Library) SetShared(f Handle, bytes int) error {
	const maxDynamicShared = 8
	return l.call(cuFuncSetAttribute, uintptr(f), maxDynamicShared, uintptr(bytes))
}

// CanSetShared reports whether the driver has SetShared.
func (l *Library) CanSetShared() bool { return l.functions[cuFuncSetAttribute] != 0 }
