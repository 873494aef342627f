package npy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
)

// file returns a .npy file of version 1 with the header and the data.
func file(header string, data []byte) []byte {
	out := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(header)))...)
	return append(append(out, header...), data...)
}

func fuzzSeeds() [][]byte {
	seeds := [][]byte{nil, []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff"), []byte("\x93NUMPY\x03\x00\x10\x00\x00\x00")}
	for _, d := range []string{"<f4", ">f8", "|b1", "<c16", "=i8", "|V2", "<f16", "<b4", "|b0", "<i3", "<c4", "<i99999999999999999999"} {
		for _, s := range []string{"()", "(2,)", "(2, 3)", "(0, 9223372036854775807)", "(4294967296, 4294967296)", "(,)"} {
			for _, f := range []string{"True", "False"} {
				seeds = append(seeds, file(fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", d, f, s), make([]byte, 96)))
			}
		}
	}
	return seeds
}

// consistent demands that an array has the bytes that its shape needs.
func consistent(t *testing.T, a *Array) {
	if a.Unreadable != nil {
		if a.Data != nil {
			t.Errorf("an unreadable member has %d bytes of elements", len(a.Data))
		}
		return
	}
	if !slices.Contains(sizes[a.Kind], a.Size) {
		t.Errorf("an array of %c%d", a.Kind, a.Size)
	}
	n := a.Size
	for _, k := range a.Shape {
		n *= k
	}
	if n != len(a.Data) {
		t.Errorf("an array of shape %v with elements of %d bytes has %d", a.Shape, a.Size, len(a.Data))
	}
}

// No file crashes the reader, or makes it take more memory than the file has.
func FuzzRead(f *testing.F) {
	for _, s := range fuzzSeeds() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		if consistent(t, a); len(a.Data) > len(data) {
			t.Errorf("%d bytes out of a file of %d", len(a.Data), len(data))
		}
	})
}

// No archive crashes the reader.
func FuzzReadArchive(f *testing.F) {
	for k, s := range fuzzSeeds() {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for n := range 1 + k%2 {
			w, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("x%d.npy", n), Method: uint16(8 * (k / 2 % 2))})
			if err != nil {
				f.Fatal(err)
			}
			if _, err := w.Write(s); err != nil {
				f.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return
		}
		all, err := ReadArchive(bytes.NewReader(data), int64(len(data)), 0)
		if err != nil {
			return
		}
		for _, a := range all {
			consistent(t, a)
		}
	})
}
