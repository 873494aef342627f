package weft

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/encode"
	"github.com/weft-go/weft/internal/npy"
	"github.com/weft-go/weft/runtime"
)

// NumPy's files: .npy contains one array, .npz is a zip archive of them. [Load] reads both.

// SaveNpy writes one array as NumPy's save does.
func SaveNpy(w io.Writer, x Array) error {
	var a numpyFile
	if err := core.Catch(func() { refuseWriter("SaveNpy", w); a = numpyArray("SaveNpy", "the array", x) }); err != nil {
		return err
	}
	return a.write("SaveNpy", w)
}

// SaveNpz writes the arrays of a tree as NumPy's savez does, under the names that
// [Save] writes. Keys of random numbers become their words, which [Load] makes keys again
// where the tree has keys.
func SaveNpz(w io.Writer, tree any) error {
	var saved []string
	var arrays []numpyFile
	err := core.Catch(func() {
		var leaves []Array
		refuseWriter("SaveNpz", w)
		var names, paths []string
		names, paths, leaves = leavesByName("SaveNpz", reflect.ValueOf(tree))
		refuseNames("SaveNpz", names, paths)
		for i, x := range leaves {
			if !x.IsZero() && x.aval().DType == core.Float0 {
				continue
			}
			saved = append(saved, names[i])
			arrays = append(arrays, numpyArray("SaveNpz", fmt.Sprintf("leaf %q", names[i]), x))
		}
	})
	if err != nil {
		return err
	}
	z := zip.NewWriter(w)
	for i, a := range arrays {
		f, err := z.CreateHeader(&zip.FileHeader{Name: saved[i] + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if err := a.write("SaveNpz", f); err != nil {
			return err
		}
	}
	return z.Close()
}

type numpyFile struct {
	header npy.Array // without the elements
	a      *runtime.Array
}

func (n numpyFile) write(op string, w io.Writer) error {
	return reading(op, n.a, func(data []byte) error {
		n.header.Data = data
		return npy.Write(w, &n.header)
	})
}

func numpyArray(op, what string, x Array) numpyFile {
	if x.IsZero() {
		core.FailOp(core.ErrTree, op, nil, "%s contains no array (was a field not set?); set it", what)
	}
	a := x.look(op)
	t := encode.WordsOf(a.Aval())
	kind := byte('V')
	switch {
	case t.DType.IsMinorFloat(), t.DType == core.BFloat16, t.DType.IsInteger() && t.DType.Bits() < 8:
		core.FailOp(core.ErrDType, op, []core.ShapedArray{t}, "%s is %v, which NumPy has no name for; convert it with AsType, or use Save", what, t.Full())
	case t.DType.IsBool():
		kind = 'b'
	case t.DType.IsSigned():
		kind = 'i'
	case t.DType.IsUnsigned():
		kind = 'u'
	case t.DType.IsFloat():
		kind = 'f'
	case t.DType.IsComplex():
		kind = 'c'
	default:
		core.FailOp(core.ErrDType, op, []core.ShapedArray{t}, "%s is %v, which is no array of numbers; convert it first", what, t.Full())
	}
	return numpyFile{npy.Array{Kind: kind, Size: t.DType.Size(), Shape: t.Shape.Ints()}, a}
}

// readNumPy reads the arrays of a file that begins as NumPy's do; ok is false if it
// does not.
func readNumPy(start []byte, rest io.Reader, limit int64) (arrays map[string]loaded, ok bool, err error) {
	bad := func(err error) error {
		return &core.Error{Kind: core.ErrParse, Op: "Load", Pos: core.HerePos(), Msg: "the file cannot be read as NumPy's", Err: err}
	}
	var files []*npy.Array
	switch whole := io.MultiReader(bytes.NewReader(start), rest); {
	case bytes.HasPrefix(start, []byte("\x93NUMPY")):
		a, err := npy.Read(whole)
		if err != nil {
			return nil, true, bad(err)
		}
		if err := requireEnd(whole); err != nil {
			return nil, true, bad(err)
		}
		a.Name = "value"
		files = append(files, a)
	case bytes.HasPrefix(start, []byte("PK\x03\x04")), bytes.HasPrefix(start, []byte("PK\x05\x06")):
		data, err := io.ReadAll(whole)
		if err != nil {
			return nil, true, bad(err)
		}
		files, err = npy.ReadArchive(bytes.NewReader(data), int64(len(data)), limit)
		if errors.Is(err, npy.ErrLimit) {
			err = fmt.Errorf("%w; read more with weft.LoadLimit", err)
		}
		if err != nil {
			return nil, true, bad(err)
		}
	default:
		return nil, false, nil
	}
	arrays = map[string]loaded{}
	for _, f := range files {
		if !utf8.ValidString(f.Name) {
			return nil, true, bad(fmt.Errorf("the archive's entry %q is not named in UTF-8; rename it", f.Name))
		}
		if _, twice := arrays[f.Name]; twice {
			return nil, true, bad(fmt.Errorf("the archive has two entries %q; rename one", f.Name))
		}
		if f.Unreadable != nil {
			arrays[f.Name] = loaded{err: f.Unreadable}
			continue
		}
		x, err := fromNumPy(f)
		if err != nil {
			arrays[f.Name] = loaded{err: err}
			continue
		}
		arrays[f.Name] = loaded{Array: x}
	}
	return arrays, true, nil
}

var numpyKinds = map[byte]string{'i': "i", 'u': "u", 'f': "f", 'c': "c"}

func fromNumPy(f *npy.Array) (Array, error) {
	name := fmt.Sprintf("%s%d", numpyKinds[f.Kind], 8*f.Size)
	if f.Kind == 'b' {
		name = "bool"
	}
	dt, ok := core.ParseDType(name)
	if !ok {
		return Array{}, fmt.Errorf("there is no element type for NumPy's %c%d, %d bytes an element; convert the array with NumPy's astype", f.Kind, f.Size, f.Size)
	}
	a := runtime.NewData(core.Aval(dt, f.Shape...))
	if dt.IsBool() {
		for i, b := range f.Data {
			a.Tensor().Data[i] = min(b, 1)
		}
		return wrap(a), nil
	}
	copy(a.Tensor().Data, f.Data)
	return wrap(a), nil
}
