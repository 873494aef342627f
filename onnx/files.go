package onnx

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/weft-go/weft/internal/pages"
)

// LoadFile reads a model from a file, and its external data from files in the same folder. Where
// the system can, the files are mapped into memory, and weights that are aligned there are not copied. Mapped files must
// not be written while the model is in use: its weights change with them, and where a file becomes
// shorter, reading a weight ends the process by a bus error, which cannot be recovered from.
// Replace such files by renaming another one, or load with [Copy]; [Load] and [LoadBytes] map
// nothing either.
func LoadFile(name string, opts ...Option) (*Model, error) {
	set, err := optionsOf("onnx.LoadFile", opts)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("onnx.LoadFile: %w", err)
	}
	defer f.Close()
	read := pages.File
	if set.copy {
		read = pages.Read
	}
	data, mapping, err := read(f)
	if err != nil {
		return nil, fmt.Errorf("onnx.LoadFile: %w", err)
	}
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, fmt.Errorf("onnx.LoadFile: %w", err)
	}
	defer root.Close()
	files, mapped := map[string][]byte{}, [][]byte{}
	m, err := load("onnx.LoadFile", data, func(name string) ([]byte, error) {
		if b, ok := files[name]; ok {
			return b, nil
		}
		f, err := root.Open(filepath.FromSlash(name)) // links that leave the folder are errors
		if err != nil {
			return nil, err
		}
		defer f.Close()
		b, mapping, err := read(f)
		if mapping {
			mapped = append(mapped, b)
		}
		files[name] = b
		return b, err
	}, set)
	if mapping { // weights in the file itself are rarely aligned, so most of them were copied, except those of bytes
		pages.Forget(data)
		mapped = append(mapped, data)
	}
	if m != nil && len(mapped) > 0 {
		runtime.AddCleanup(m, func(mapped [][]byte) {
			for _, b := range mapped {
				pages.Forget(b)
			}
		}, mapped)
	}
	return m, err
}
