package stablehlo

import (
	"bytes"
	"unsafe"

	"github.com/weft-go/weft/core"
)

// bytecodeMagic begins a file of MLIR's bytecode.
var bytecodeMagic = []byte("ML\xefR")

// Read reads a module from a file, text or bytecode. The file must not change afterwards.
func Read(name string, file []byte) (*Module, error) {
	if bytes.HasPrefix(file, bytecodeMagic) {
		return nil, &core.Error{Kind: core.ErrParse, Op: "stablehlo", Msg: name + ": MLIR bytecode is not supported; export the module as text"}
	}
	return Parse(name, unsafe.String(unsafe.SliceData(file), len(file)))
}

// ReadAll reads the modules of a file: text may be split by lines // -----.
func ReadAll(name string, file []byte) ([]*Module, error) {
	if bytes.HasPrefix(file, bytecodeMagic) {
		m, err := Read(name, file)
		return []*Module{m}, err
	}
	return ParseAll(name, unsafe.String(unsafe.SliceData(file), len(file)))
}

// IsDynamic reports whether an argument of a function has a dimension of unknown size.
func IsDynamic(f *Func) bool {
	for _, a := range f.Args {
		if a.Type.Dynamic() {
			return true
		}
	}
	return false
}

// Calls reports whether an operation of the module calls f.
func (m *Module) Calls(f *Func) bool {
	var within func(r *region) bool
	within = func(r *region) bool {
		if r == nil {
			return false
		}
		for _, o := range r.ops {
			for _, key := range []string{"callee", "decomposition"} {
				if s, ok := o.attr(key); ok && s == attr(symbolAttr(f.Name)) {
					return true
				}
			}
			for _, inner := range o.regions {
				if within(inner) {
					return true
				}
			}
		}
		return false
	}
	for _, g := range m.Funcs {
		if within(g.body) {
			return true
		}
	}
	return false
}
