// Package input reads the command's files within a limit, so that no file, pipe or
// device exhausts the memory.
package input

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"sync/atomic"
)

// Variable is the environment variable that sets the limit, in bytes.
const Variable = "WEFT_MAX_BYTES"

// Default is the limit of a Reader, in bytes, where Variable is not set.
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

// A Reader reads a file, a pipe or a device up to the limit, and fails beyond it.
type Reader struct {
	name        string
	r           io.Reader
	limit, left int64
	read        atomic.Int64
}

// New returns a Reader of r. name is its name in messages.
func New(name string, r io.Reader) (*Reader, error) {
	limit, err := Limit(Default)
	if err != nil {
		return nil, err
	}
	return &Reader{name: name, r: r, limit: limit, left: limit}, nil
}

// Open returns a Reader of a file. The caller must close it.
func Open(name string) (*Reader, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	r, err := New(name, f)
	if err != nil {
		f.Close()
	}
	return r, err
}

// Read reads the next bytes. It fails where the input exceeds the limit.
func (r *Reader) Read(b []byte) (int, error) {
	if r.left < 0 {
		return 0, fmt.Errorf("%s: input too large (more than %d bytes); set %s to read more", r.name, r.limit, Variable)
	}
	if int64(len(b)) > r.left+1 { // one more shows whether there is more
		b = b[:r.left+1]
	}
	n, err := r.r.Read(b)
	r.left -= int64(n)
	if r.left < 0 {
		n, err = n-1, nil // the next call fails
	}
	r.read.Add(int64(n))
	return n, err
}

// Count returns how many bytes were read. It may be called while another goroutine reads.
func (r *Reader) Count() int64 { return r.read.Load() }

// Size returns how many bytes the file has, 0 if that is not known.
func (r *Reader) Size() int64 {
	if f, ok := r.r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return info.Size()
		}
	}
	return 0
}

// Close closes the underlying file, if there is one.
func (r *Reader) Close() error {
	if c, ok := r.r.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
