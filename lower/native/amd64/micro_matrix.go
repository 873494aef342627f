package amd64

import "github.com/weft-go/weft/lower/native"

// matrixShape writes the shape of a register as LDTILECFG reads it. From byte 16 on, 16 bits for each register
// are the number of bytes of a row; from byte 48 on, 8 bits for each register are the number of rows. Byte 0
// is the number of the palette.
func matrixShape(shapes *[8]uint64, register, rows, bytes int) {
	shapes[0] = 1
	shapes[2+register/4] |= uint64(bytes) << (register % 4 * 16)
	shapes[6] |= uint64(rows) << (register * 8)
}

func (w *micro) StartMatrices(shapes native.Mem) { w.Put(shapes.Of(native.Inst{Op: Ldtilecfg})) }

func (w *micro) ZeroMatrix(d int) { w.Put(native.Inst{Op: Tilezero, D: w.V(d)}) }

func (w *micro) LoadMatrix(d int, m native.Mem) { w.Put(m.Of(native.Inst{Op: Tileloadd, D: w.V(d)})) }

func (w *micro) StoreMatrix(m native.Mem, s int) { w.Put(m.Of(native.Inst{Op: Tilestored, A: w.V(s)})) }

func (w *micro) MultiplyMatrix(d, x, y int) {
	w.Put(native.Inst{Op: Tdpbusd, D: w.V(d), C: w.V(d), A: w.V(y), B: w.V(x)})
}

func (w *micro) EndMatrices() { w.Put(native.Inst{Op: Tilerelease}) }
