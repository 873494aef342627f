// Package args reads the arguments of a program: literals, NumPy's files, or bits. It
// writes results as literals or bits.
package args

import (
	"errors"
	"fmt"
	"strings"

	"github.com/weft-go/weft/cmd/weft/internal/input"
	"github.com/weft-go/weft/core"
	"github.com/weft-go/weft/internal/npy"
	"github.com/weft-go/weft/runtime"
)

// Read reads the words of a command line as arguments of the given types. A word is
// a literal (see Literal), or the name of a .npy or .npz file; all arrays of an
// archive are arguments, in order, and file.npz:name is one of them. A type may have
// axes that are Open.
func Read(words []string, want []core.ShapedArray) ([]*runtime.Array, error) {
	var out []*runtime.Array
	for _, w := range words {
		file, member, isFile := fileName(w)
		if !isFile {
			if len(out) == len(want) {
				return nil, countError(want, len(out)+1)
			}
			a, err := Literal(w, want[len(out)])
			if err != nil {
				return nil, fmt.Errorf("argument %d: %w", len(out)+1, err)
			}
			out = append(out, a)
			continue
		}
		limit, err := input.Limit(0)
		if err != nil {
			return nil, err
		}
		arrays, err := npy.ReadFile(file, limit)
		if err != nil {
			return nil, fmt.Errorf("argument %d: %w", len(out)+1, err)
		}
		found := false
		for _, n := range arrays {
			if member != "" && n.Name != member {
				continue
			}
			found = true
			if len(out) == len(want) {
				return nil, countError(want, len(out)+1)
			}
			if n.Unreadable != nil {
				return nil, fmt.Errorf("argument %d: %s: %s: %w", len(out)+1, file, n.Name, n.Unreadable)
			}
			a, err := fromNumPy(n, want[len(out)])
			if err != nil {
				return nil, fmt.Errorf("argument %d: %s: %w", len(out)+1, w, err)
			}
			out = append(out, a)
		}
		if !found && member != "" {
			return nil, fmt.Errorf("argument %d: %s has no %s, but %s", len(out)+1, file, member, names(arrays))
		}
	}
	if len(out) != len(want) {
		return nil, countError(want, len(out))
	}
	return out, nil
}

// fileName splits file.npz:name. isFile is false if the word does not name an array file.
func fileName(w string) (file, member string, isFile bool) {
	if strings.HasSuffix(w, ".npy") || strings.HasSuffix(w, ".npz") {
		return w, "", true
	}
	if i := strings.LastIndex(w, ".npz:"); i >= 0 {
		return w[:i+4], w[i+5:], true
	}
	return "", "", false
}

func names(as []*npy.Array) string {
	s := make([]string, len(as))
	for i, a := range as {
		s[i] = a.Name
	}
	return strings.Join(s, ", ")
}

func countError(want []core.ShapedArray, got int) error {
	if len(want) == 0 {
		return errors.New("the program takes no arguments; leave them out")
	}
	types := make([]string, len(want))
	for i, a := range want {
		types[i] = typeText(a)
	}
	s := "s"
	if len(want) == 1 {
		s = ""
	}
	given := fmt.Sprint(got)
	if got > len(want) {
		given = "more"
	}
	return fmt.Errorf("the program takes %d argument%s (%s), got %s", len(want), s, strings.Join(types, ", "), given)
}

func typeError(want, got core.ShapedArray) error {
	return fmt.Errorf("the program takes %s, got %v; convert the argument", typeText(want), got)
}

// fromNumPy converts an array of a NumPy file, whose type must fit want.
func fromNumPy(n *npy.Array, want core.ShapedArray) (*runtime.Array, error) {
	dt := numpyDType(n, want.DType)
	if dt == core.Invalid {
		return nil, fmt.Errorf("elements of kind %c and %d bytes have no dtype here; convert the array with NumPy's astype", n.Kind, n.Size)
	}
	got := core.Aval(dt, n.Shape...)
	if !fits(want, got) {
		return nil, typeError(want, got)
	}
	a, err := alloc(got)
	if err != nil {
		return nil, err
	}
	data := a.Tensor().Data
	copy(data, n.Data)
	if dt == core.Bool {
		for i, b := range data {
			if b != 0 {
				data[i] = 1
			}
		}
	}
	return a, nil
}

// numpyDType returns the dtype of a file's elements. NumPy writes elements of dtypes that it does
// not define, bfloat16 and narrower floats, as bytes: they are elements of type want.
func numpyDType(n *npy.Array, want core.DType) core.DType {
	name := ""
	switch n.Kind {
	case 'b':
		name = "bool"
	case 'i', 'u', 'f', 'c':
		name = fmt.Sprintf("%c%d", n.Kind, 8*n.Size)
	case 'V':
		if want.Size() == n.Size && (want == core.BFloat16 || want.IsMinorFloat()) {
			return want
		}
	}
	dt, ok := core.ParseDType(name)
	if !ok || dt.Size() != n.Size {
		return core.Invalid
	}
	return dt
}

func alloc(t core.ShapedArray) (a *runtime.Array, err error) {
	if t.DType == core.Token || t.Ref {
		return nil, fmt.Errorf("there are no values of type %v; change the program's input", t)
	}
	err = core.Catch(func() { a = runtime.New(t.Strong()) })
	return a, err
}
