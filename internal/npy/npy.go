// Package npy reads and writes NumPy's array files: .npy, one array, and .npz, a zip archive of .npy files.
package npy

import (
	"archive/zip"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Array is an array in a file. Its elements are in row-major order and the host's byte order.
type Array struct {
	Name  string // in an archive
	Kind  byte   // b bool, i int, u uint, f float, c complex, V bytes that NumPy has no name for
	Size  int    // bytes of an element
	Shape []int
	Data  []byte

	// Unreadable is the reason why an archive's member contains no array of a known type; nil if it contains one.
	Unreadable error
}

// errUnknown is the error for data that is intact but is no array of a known type.
type errUnknown struct{ error }

// maxHeader is more bytes than any sensible header has.
const maxHeader = 1 << 20

// Read reads one array. It allocates memory for elements as they are read, whatever the header states.
func Read(r io.Reader) (*Array, error) { return read(r, math.MaxInt64) }

// read reads one array whose elements take at most limit bytes.
func read(r io.Reader, limit int64) (*Array, error) {
	var start [8]byte
	if _, err := io.ReadFull(r, start[:]); err != nil && err != io.EOF && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	} else if err != nil || string(start[:6]) != "\x93NUMPY" {
		return nil, errUnknown{errors.New("this is no .npy file; write it with numpy.save")}
	}
	var n uint32
	switch start[6] {
	case 1:
		var short uint16
		if err := binary.Read(r, binary.LittleEndian, &short); err != nil {
			return nil, fmt.Errorf("the header is cut off; copy or write the file again: %w", err)
		}
		n = uint32(short)
	case 2, 3:
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return nil, fmt.Errorf("the header is cut off; copy or write the file again: %w", err)
		}
	default:
		return nil, errUnknown{fmt.Errorf("version %d of the format is not supported (want 1 to 3); write the file with numpy.save", start[6])}
	}
	if n > maxHeader {
		return nil, fmt.Errorf("the header is too large (got %d bytes, want at most %d); write the file again", n, maxHeader)
	}
	header := make([]byte, n)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf("the header is cut off; copy or write the file again: %w", err)
	}
	a, order, byColumn, err := parseHeader(string(header))
	if err != nil {
		return nil, err
	}
	size, err := a.bytes()
	if err != nil {
		return nil, err
	}
	if int64(size) > limit {
		return nil, ErrLimit
	}
	// ReadAll allocates as it reads: the header may state more bytes than the file holds.
	a.Data, err = io.ReadAll(io.LimitReader(r, int64(size)))
	if err != nil {
		return nil, err
	}
	if len(a.Data) != size {
		return nil, fmt.Errorf("the file is cut off (got %d bytes of elements, want %d); copy or write it again", len(a.Data), size)
	}
	if order != '|' && a.Kind != 'V' && (order == '>') != hostIsBig() {
		a.swap()
	}
	if byColumn {
		a.rowMajor()
	}
	return a, nil
}

// entry returns the text that follows a key in the header, which is a Python dictionary.
func entry(h, key string) string {
	_, v, _ := strings.Cut(h, "'"+key+"':")
	return strings.TrimLeft(v, " \t\n\f\r")
}

func number(s string) (digits, rest string) {
	rest = strings.TrimLeft(s, "0123456789")
	return s[:len(s)-len(rest)], rest
}

// sizes lists how many bytes elements of each kind may take.
var sizes = map[byte][]int{
	'b': {1}, 'i': {1, 2, 4, 8}, 'u': {1, 2, 4, 8}, 'f': {2, 4, 8}, 'c': {8, 16},
	'V': {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16},
}

func parseHeader(h string) (a *Array, order byte, byColumn bool, err error) {
	d := entry(h, "descr")
	if len(d) < 3 || d[0] != '\'' || !strings.Contains("<>=|", d[1:2]) || !strings.Contains("biufcV", d[2:3]) {
		return nil, 0, false, errUnknown{fmt.Errorf("elements of this type are not supported (got %s); convert the array with astype to a type of numbers", strings.TrimSpace(h))}
	}
	size, rest := number(d[3:])
	if size == "" || !strings.HasPrefix(rest, "'") {
		return nil, 0, false, errUnknown{fmt.Errorf("elements of this type are not supported (got %s); convert the array with astype to a type of numbers", strings.TrimSpace(h))}
	}
	f := entry(h, "fortran_order")
	byColumn = strings.HasPrefix(f, "True")
	s, opened := strings.CutPrefix(entry(h, "shape"), "(")
	s, _, closed := strings.Cut(s, ")")
	if !byColumn && !strings.HasPrefix(f, "False") || !opened || !closed {
		return nil, 0, false, fmt.Errorf("the header is malformed (got %s); write the file with numpy.save", strings.TrimSpace(h))
	}
	a = &Array{Kind: d[2], Shape: []int{}}
	if a.Size, err = strconv.Atoi(size); err != nil || !slices.Contains(sizes[a.Kind], a.Size) {
		return nil, 0, false, errUnknown{fmt.Errorf("elements of type %c%s are not supported (want %c of %v bytes); convert the array with astype", a.Kind, size, a.Kind, sizes[a.Kind])}
	}
	for n := range strings.SplitSeq(s, ",") {
		if n = strings.TrimSpace(n); n == "" {
			continue
		}
		if digits, rest := number(n); digits == "" || rest != "" {
			return nil, 0, false, fmt.Errorf("the header is malformed (got %s); write the file with numpy.save", strings.TrimSpace(h))
		}
		k, err := strconv.Atoi(n)
		if err != nil {
			return nil, 0, false, fmt.Errorf("the shape (%s) is too large; write the array in parts", s)
		}
		a.Shape = append(a.Shape, k)
	}
	return a, d[1], byColumn, nil
}

func (a *Array) bytes() (int, error) {
	n := uint64(a.Size)
	if slices.Contains(a.Shape, 0) {
		return 0, nil
	}
	for _, k := range a.Shape {
		hi, lo := bits.Mul64(n, uint64(k))
		if hi != 0 || lo > 1<<48 {
			return 0, fmt.Errorf("an array of shape %v is too large; write it in parts", a.Shape)
		}
		n = lo
	}
	return int(n), nil
}

func hostIsBig() bool {
	var b [2]byte
	binary.NativeEndian.PutUint16(b[:], 1)
	return b[1] == 1
}

// swap reverses the bytes of every number.
func (a *Array) swap() {
	n := a.Size
	if a.Kind == 'c' {
		n /= 2
	}
	for i := 0; i+n <= len(a.Data); i += n {
		slices.Reverse(a.Data[i : i+n])
	}
}

// rowMajor reorders elements that the file has column by column.
func (a *Array) rowMajor() {
	if len(a.Shape) < 2 || len(a.Data) == 0 {
		return
	}
	out := make([]byte, 0, len(a.Data))
	stride := make([]int, len(a.Shape))
	n := a.Size
	for i, k := range a.Shape {
		stride[i] = n
		n *= k
	}
	at, index := 0, make([]int, len(a.Shape))
	for len(out) < len(a.Data) {
		out = append(out, a.Data[at:at+a.Size]...)
		for i := len(index) - 1; i >= 0; i-- {
			index[i]++
			at += stride[i]
			if index[i] < a.Shape[i] {
				break
			}
			at -= stride[i] * a.Shape[i]
			index[i] = 0
		}
	}
	a.Data = out
}

// ReadFile reads the arrays of a file, in order: one of a .npy, all of a .npz. limit is that of
// [ReadArchive], and only for a .npz.
func ReadFile(name string, limit int64) ([]*Array, error) {
	if strings.HasSuffix(name, ".npz") {
		return readArchive(name, limit)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []*Array{a}, nil
}

func readArchive(name string, limit int64) ([]*Array, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer z.Close()
	size := int64(0)
	if info, err := os.Stat(name); err == nil {
		size = info.Size()
	}
	out, err := members(&z.Reader, size, limit)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// An archive may expand to usualLimit bytes or to usualRatio times its size, whichever is more, unless the
// caller sets another limit. Deflate expands up to 1032 times.
const (
	usualLimit = 256 << 20
	usualRatio = 32
)

// ErrLimit is the error of an archive that expands to more bytes than the limit.
var ErrLimit = errors.New("the archive's elements are too large")

// ReadArchive reads the arrays of a .npz archive of the given size, in order. Their
// elements take at most limit bytes together; limit 0 stands for 256 MiB or 32 times size, whichever is more.
func ReadArchive(r io.ReaderAt, size, limit int64) ([]*Array, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, err
	}
	return members(z, size, limit)
}

func members(z *zip.Reader, size, limit int64) (out []*Array, err error) {
	if limit == 0 {
		limit = max(usualLimit, usualRatio*size)
	}
	left := limit
	for _, f := range z.File {
		a, err := readMember(f, left)
		if unknown := (errUnknown{}); errors.As(err, &unknown) {
			a, err = &Array{Name: strings.TrimSuffix(f.Name, ".npy"), Unreadable: unknown.error}, nil
		}
		if errors.Is(err, ErrLimit) {
			err = fmt.Errorf("%w (limit %d bytes)", err, limit)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		left -= int64(len(a.Data))
		out = append(out, a)
	}
	return out, nil
}

func readMember(f *zip.File, limit int64) (*Array, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	a, err := read(r, limit)
	unknown := errUnknown{}
	if err != nil && !errors.As(err, &unknown) {
		return nil, damaged(err)
	}
	// Read to the member's end: only there is its checksum compared.
	more := min(limit, math.MaxInt64-1) + 1
	if a != nil {
		more -= int64(len(a.Data))
	}
	switch _, e := io.CopyN(io.Discard, r, more); {
	case e == nil:
		return nil, ErrLimit
	case e != io.EOF:
		return nil, damaged(e)
	case err != nil:
		return nil, err
	}
	a.Name = strings.TrimSuffix(f.Name, ".npy")
	return a, nil
}

// damaged adds the fix to an error of an archive's compression or checksum.
func damaged(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, zip.ErrChecksum) || errors.As(err, &corrupt) {
		return fmt.Errorf("the bytes are not those that were written (%w); copy or write the file again", err)
	}
	return err
}
