package pages

import (
	"io"
	"os"
)

// Read returns the bytes of a file in memory, as [File] does where it cannot map; mapping is false.
func Read(f *os.File) (data []byte, mapping bool, err error) {
	data, err = io.ReadAll(f)
	return data, false, err
}
