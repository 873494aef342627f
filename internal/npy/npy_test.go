package npy

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// numbers returns the elements of a as float64s.
func numbers(a *Array) []float64 {
	var out []float64
	n := a.Size
	if a.Kind == 'c' {
		n /= 2
	}
	for d := a.Data; len(d) > 0; d = d[n:] {
		var u uint64
		for i := range n {
			if hostIsBig() {
				u = u<<8 | uint64(d[i])
			} else {
				u |= uint64(d[i]) << (8 * i)
			}
		}
		switch {
		case (a.Kind == 'f' || a.Kind == 'c') && n == 4:
			out = append(out, float64(math.Float32frombits(uint32(u))))
		case a.Kind == 'f' || a.Kind == 'c':
			out = append(out, math.Float64frombits(u))
		case a.Kind == 'i':
			out = append(out, float64(int64(u)<<(64-8*n)>>(64-8*n)))
		default:
			out = append(out, float64(u))
		}
	}
	return out
}

// What NumPy wrote.
func TestReadFile(t *testing.T) {
	columns := make([]float64, 24)
	for i := range columns {
		columns[i] = float64(i)
	}
	for _, c := range []struct {
		file, name string
		at         int
		kind       byte
		size       int
		shape      []int
		want       []float64
	}{
		{"f32.npy", "", 0, 'f', 4, []int{2, 3}, []float64{0.5, 1.5, 2.5, 3.5, 4.5, 5.5}},
		{"columns.npy", "", 0, 'f', 8, []int{2, 3, 4}, columns},
		{"big.npy", "", 0, 'i', 4, []int{3}, []float64{1, -2, 70000}},
		{"bigcomplex.npy", "", 0, 'c', 8, []int{2}, []float64{1, 2, 3, -4}},
		{"bool.npy", "", 0, 'b', 1, []int{2}, []float64{1, 0}},
		{"empty.npy", "", 0, 'u', 1, []int{0, 3}, nil},
		{"version2.npy", "", 0, 'i', 2, []int{2}, []float64{3, 4}},
		{"two.npz", "w", 0, 'i', 8, []int{3}, []float64{0, 1, 2}},
		{"two.npz", "b", 1, 'f', 4, []int{}, []float64{2}},
		{"packed.npz", "arr_0", 0, 'f', 4, []int{2, 2}, []float64{1, 1, 1, 1}},
		{"packed.npz", "arr_1", 1, 'u', 2, []int{1}, []float64{7}},
	} {
		as, err := ReadFile("testdata/"+c.file, 0)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		a := as[c.at]
		if a.Name != c.name || a.Kind != c.kind || a.Size != c.size {
			t.Errorf("%s: %s %c %d", c.file, a.Name, a.Kind, a.Size)
		}
		if d := cmp.Diff(c.shape, a.Shape) + cmp.Diff(c.want, numbers(a)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", c.file, d)
		}
	}
}

func TestReadErrors(t *testing.T) {
	file := func(name string) []byte {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	header := func(h string) []byte {
		b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
		binary.LittleEndian.PutUint16(b[8:], uint16(len(h)))
		return append(b, h...)
	}
	f32 := file("f32.npy")
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "no .npy file"},
		{"another file", []byte("PK\x03\x04 and so on"), "no .npy file"},
		{"text", file("text.npy"), "not supported"},
		{"header cut off", f32[:40], "header is cut off"},
		{"data cut off", f32[:len(f32)-1], "got 23 bytes of elements, want 24"},
		{"version", append([]byte("\x93NUMPY\x09\x00"), f32[8:]...), "version 9"},
		{"struct", header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"), "not supported"},
		{"no shape", header("{'descr': '<f4', 'fortran_order': False}"), "malformed"},
		{"no width", header("{'descr': '<f', 'fortran_order': False, 'shape': (2,), }"), "not supported"},
		{"bool of 4 bytes", append(header("{'descr': '<b4', 'fortran_order': False, 'shape': (1,), }"), 1, 0, 0, 0), "elements of type b4 are not supported"},
		{"float of 16 bytes", header("{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }"), "elements of type f16 are not supported"},
		{"integer of 3 bytes", header("{'descr': '<i3', 'fortran_order': False, 'shape': (1,), }"), "elements of type i3 are not supported"},
		{"no order", header("{'descr': 'f4', 'fortran_order': False, 'shape': (2,), }"), "not supported"},
		{"neither order", header("{'descr': '<f4', 'fortran_order': None, 'shape': (2,), }"), "malformed"},
		{"no tuple", header("{'descr': '<f4', 'fortran_order': False, 'shape': 2, }"), "malformed"},
		{"an open tuple", header("{'descr': '<f4', 'fortran_order': False, 'shape': (2, "), "malformed"},
		{"no numbers", header("{'descr': '<f4', 'fortran_order': False, 'shape': (-2, n), }"), "malformed"},
		{"numbers without a comma", header("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }"), "malformed"},
		{"too large", header("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }"), "too large"},
		{"far too large", header("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"), "too large"},
		{"large and not there", header("{'descr': '<f4', 'fortran_order': False, 'shape': (9999999999,), }"), "got 0 bytes of elements"},
	} {
		_, err := Read(bytes.NewReader(c.data))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := ReadFile("testdata/none.npz", 0); err == nil {
		t.Error("a file that is not there is read")
	}
}

// zeros returns an archive of compressed arrays with n zero bytes each.
func zeros(t *testing.T, arrays, n int) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := range arrays {
		w, err := z.Create(fmt.Sprintf("x%d.npy", i))
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(w, &Array{Kind: 'u', Size: 1, Shape: []int{n}, Data: make([]byte, n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestArchiveLimit(t *testing.T) {
	small := zeros(t, 3, 1000)
	for _, c := range []struct {
		limit int64
		fits  bool
	}{{0, true}, {3000, true}, {2999, false}, {1, false}} {
		as, err := ReadArchive(bytes.NewReader(small), int64(len(small)), c.limit)
		if c.fits && (err != nil || len(as) != 3) || !c.fits && !errors.Is(err, ErrLimit) {
			t.Errorf("limit %d: got %d arrays and error %v, want them to fit: %v", c.limit, len(as), err, c.fits)
		}
	}
	large := zeros(t, 5, usualLimit/4)
	if _, err := ReadArchive(bytes.NewReader(large), int64(len(large)), 0); !errors.Is(err, ErrLimit) {
		t.Errorf("%d bytes that expand to %d: got error %v, want %v", len(large), 5*usualLimit/4, err, ErrLimit)
	}
}

// A changed byte of an archive's member is an error, also where the array then seems to have
// another shape, or to be none. Some bits of compressed members may change without effect.
func TestDamagedMembers(t *testing.T) {
	for _, method := range []uint16{zip.Store, zip.Deflate} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		w, err := z.CreateHeader(&zip.FileHeader{Name: "x.npy", Method: method})
		if err != nil {
			t.Fatal(err)
		}
		if err := Write(w, &Array{Kind: 'u', Size: 1, Shape: []int{5}, Data: []byte{1, 2, 3, 4, 5}}); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		f := member(t, b.Bytes())
		start, err := f.DataOffset()
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(f.CompressedSize64) {
			changed := bytes.Clone(b.Bytes())
			changed[int(start)+i] ^= 1
			if a, err := readMember(member(t, changed), usualLimit); err == nil {
				if method == zip.Deflate && bytes.Equal(a.Data, []byte{1, 2, 3, 4, 5}) {
					continue
				}
				t.Errorf("method %d, byte %d changed: got %v, want an error", method, i, a)
			} else if unknown := (errUnknown{}); errors.As(err, &unknown) {
				t.Errorf("method %d, byte %d changed: it is passed over: %v", method, i, err)
			}
		}
	}
}

// member returns the first member of an archive.
func member(t *testing.T, archive []byte) *zip.File {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		t.Fatal(err)
	}
	return z.File[0]
}
