package main

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// What the model sees of a file.
const (
	side    = 1024 // bytes of the beginning, and of the end
	block   = 4096 // bytes that are read for each
	padding = 256
	fewest  = 8 // bytes of a file that is shown to the model
)

// White space is left out at both sides.
const white = " \t\n\r\v\f"

// readFeatures returns what the model sees of a file of n bytes: the bytes after leading white space, and those
// before white space at the end. A file of few bytes has its type without the model: then features are nil.
func readFeatures(r io.ReaderAt, n int64) (features []int32, few string, err error) {
	size := min(n, block)
	begin, end := make([]byte, size), make([]byte, size)
	for _, part := range []struct {
		b  []byte
		at int64
	}{{begin, 0}, {end, n - size}} {
		if k, err := r.ReadAt(part.b, part.at); k < len(part.b) {
			return nil, "", err
		}
	}
	whole := begin
	begin, end = bytes.TrimLeft(begin, white), bytes.TrimRight(end, white)
	switch {
	case n == 0:
		return nil, "empty", nil
	case n < fewest || len(begin) < fewest:
		if utf8.Valid(whole) {
			return nil, "txt", nil
		}
		return nil, "unknown", nil
	}
	return sides(begin, end), "", nil
}

// sides returns the first bytes, with padding after them, and the last bytes, with padding before them.
func sides(begin, end []byte) []int32 {
	begin, end = begin[:min(len(begin), side)], end[max(0, len(end)-side):]
	x := make([]int32, 2*side)
	for i := range x {
		x[i] = padding
	}
	for i, b := range begin {
		x[i] = int32(b)
	}
	for i, b := range end {
		x[2*side-len(end)+i] = int32(b)
	}
	return x
}
