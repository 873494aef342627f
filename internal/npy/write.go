package npy

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// Write writes an array as a .npy file: row-major, in the host's byte order.
func Write(w io.Writer, a *Array) error {
	order := byte('<')
	switch {
	case a.Size == 1 || a.Kind == 'V':
		order = '|'
	case hostIsBig():
		order = '>'
	}
	var dims strings.Builder
	for i, n := range a.Shape {
		if i > 0 {
			dims.WriteString(", ")
		}
		fmt.Fprint(&dims, n)
	}
	if len(a.Shape) == 1 {
		dims.WriteByte(',')
	}
	h := fmt.Sprintf("{'descr': '%c%c%d', 'fortran_order': False, 'shape': (%s), }", order, a.Kind, a.Size, dims.String())
	const start = 10 // magic, version, length
	h += strings.Repeat(" ", 63-(start+len(h))%64) + "\n"
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	if err := binary.Write(&b, binary.LittleEndian, uint16(len(h))); err != nil {
		return err
	}
	b.WriteString(h)
	if _, err := w.Write(b.Bytes()); err != nil {
		return err
	}
	_, err := w.Write(a.Data)
	return err
}
