// Package input reads the command's files within a limit, so that no file, pipe or
// device exhausts the memory.
package input

import (
	"fmt"
	"io"
	"os"
	"strconv"
)

// Variable is the environment variable that sets the limit, in bytes.
const Variable = "WEFT_MAX_BYTES"

// Default is the largest text that is read where Variable is not set.
const Default = 256 << 20

// Limit returns the number of bytes in Variable, or usual where that is not set.
func Limit(usual int64) (int64, error) {
	s := os.Getenv(Variable)
	if s == "" {
		return usual, nil
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%s: not a number of bytes (got %q); set a positive integer or unset it", Variable, s)
	}
	return n, nil
}

// Read reads all of r, which messages call name.
func Read(name string, r io.Reader) ([]byte, error) {
	limit, err := Limit(Default)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(r, limit))
	if err != nil {
		return nil, err
	}
	var more [1]byte
	if n, _ := io.ReadFull(r, more[:]); n > 0 {
		return nil, fmt.Errorf("%s: input too large (more than %d bytes); set %s to read more", name, limit, Variable)
	}
	return b, nil
}

// ReadFile reads all of a file.
func ReadFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return Read(name, f)
}
