package pages

import (
	"io"
	"os"
)

// read returns the bytes of a file in memory.
func read(f *os.File) (data []byte, mapping bool, err error) {
	data, err = io.ReadAll(f)
	return data, false, err
}
